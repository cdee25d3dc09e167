// From the keys of a curve to tracks of a RawClip.
#pragma once

#include <array>
#include <vector>

#include <sinew/asset/raw_clip.hpp>
#include <sinew/unity/clip.hpp>

namespace sinew::unity {

// A key without weights. Infinite slopes mean that the value before holds.
struct Knot {
  double time = 0;
  std::array<double, 4> value{}, in{}, out{};
};

// The knots of a curve: by rising time, weighted segments cut into pieces.
std::vector<Knot> knots_of(const AnimCurve& curve);

// The part between two times, with times from 0 on; what happens between its ends stays the same.
std::vector<Knot> crop(const std::vector<Knot>& knots, double start, double stop, int components);

// The value and slope of one component between two knots.
struct Sample {
  double value = 0, slope = 0;
};
Sample sample_between(const Knot& a, const Knot& b, int component, double time);
bool holds(const Knot& a, const Knot& b, int component);

KeyTrack<float> float_track(const std::vector<Knot>& knots);
KeyTrack<Vec3> vector_track(const std::vector<Knot>& knots);
KeyTrack<Quat> quaternion_track(const std::vector<Knot>& knots);
// Knots of degrees, left-handed; the rotations are right-handed.
KeyTrack<Quat> euler_track(const std::vector<Knot>& knots, int order);

// From left-handed to right-handed.
void mirror_positions(std::vector<Knot>& knots);
void mirror_quaternions(std::vector<Knot>& knots);
// Degrees about the axes in one of Unity's orders, as a left-handed rotation.
Quat euler_rotation(double x, double y, double z, int order);

}  // namespace sinew::unity
