// A clip as authored: keys with their interpolation, exact. Tools and importers work on it; the
// runtime plays Clip, which is made of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sinew/asset/annotations.hpp>
#include <sinew/asset/skeleton.hpp>

namespace sinew {

enum class Interpolation : std::uint8_t {
  kStep,         // holds the value of the key before
  kLinear,       // lerp; slerp for rotations
  kCubicSpline,  // Hermite with tangents per second, as glTF; rotations normalized after
};

// Keys of one channel. Times rise strictly, seconds from the clip's start. Before the first key
// its value holds, after the last the last one's. Tangents only for kCubicSpline, one per key.
template <class T>
struct KeyTrack {
  Interpolation interpolation = Interpolation::kLinear;
  std::vector<float> times;
  std::vector<T> values;
  std::vector<T> in_tangents;
  std::vector<T> out_tangents;

  bool empty() const { return times.empty(); }
};

// The keyed channels of one joint, local space. A channel without keys keeps the rest pose.
struct JointTrack {
  int joint = kNoJoint;
  KeyTrack<Vec3> translation;  // metres
  KeyTrack<Quat> rotation;     // unit; neighbours may have opposite signs (shortest way is taken)
  KeyTrack<Vec3> scale;
};

// A named number over time: morph weights ("morph/<mesh>/<target>"), constraint weights, anything.
struct FloatCurve {
  std::string name;
  KeyTrack<float> keys;
  float default_value = 0;
};

struct RawClip {
  std::string name;
  float duration = 0;  // seconds, >= 0; may exceed the last key
  bool loop = false;
  std::vector<JointTrack> tracks;  // at most one per joint, in joint order
  std::vector<FloatCurve> curves;
  ClipAnnotations annotations;
};

// Checks a clip against its skeleton: joints in range, times finite, rising and not negative,
// values finite, counts that agree. The first fault, with its track and key.
Status validate(const RawClip& clip, const Skeleton& skeleton);

// The value of a track at time t (clamped to the keys), or `otherwise` where it has no keys.
float sample(const KeyTrack<float>& track, float t, float otherwise);
Vec3 sample(const KeyTrack<Vec3>& track, float t, Vec3 otherwise);
Quat sample(const KeyTrack<Quat>& track, float t, Quat otherwise);

// The local pose at time t: joint_count() transforms. The exact reference of every other sampler.
void sample(const RawClip& clip, const Skeleton& skeleton, float t, std::span<Transform> local);

}  // namespace sinew
