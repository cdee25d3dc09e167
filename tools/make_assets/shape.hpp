// Solid shapes given by an implicit function: below 0 inside, about the distance in metres outside.
#pragma once

#include <span>
#include <vector>

#include <sinew/math/quat.hpp>

#include "body.hpp"

namespace sinew::make_assets {

// A cross-section of a limb, at right angles to its axis.
struct Section {
  float at = 0;    // along the axis, metres from its origin
  float side = 0;  // radii of the ellipse
  float front = 0;
  float side_offset = 0;  // of its centre
  float front_offset = 0;
};

// Where the surface along an axis follows which bone: below the first knot bone `before`, then over
// `width` metres about each knot on to its bone.
struct SkinKnot {
  float at = 0;
  float width = 0;
  Bone bone = Bone::kRoot;
};

// A limb: elliptic sections along a straight axis, joined by a smooth curve, with round ends.
class Limb {
 public:
  Limb(Vec3 origin, Vec3 axis, Vec3 side, std::vector<Section> sections, float start_cap,
       float end_cap);

  float distance(Vec3 p) const;
  // A sphere that holds it.
  Vec3 centre() const { return centre_; }
  float radius() const { return radius_; }

  // Skin weights of a point: `add(bone, weight)`, weights sum to 1.
  template <class Add>
  void weigh(Vec3 p, Add add) const {
    const float h = dot(p - origin_, axis_);
    float left = 1;
    for (std::size_t i = knots.size(); i-- > 0;) {
      const SkinKnot& knot = knots[i];
      const float t = clamp01((h - knot.at) / knot.width + 0.5f);
      const float w = left * t * t * (3 - 2 * t);
      if (w > 0) add(knot.bone, w);
      left -= w;
    }
    if (left > 0) add(first_bone, left);
  }

  Bone first_bone = Bone::kRoot;
  std::vector<SkinKnot> knots;  // rising
  float blend = 0.02f;          // radius of the fillet to the limbs before it in its part

 private:
  Section section(float h) const;

  Vec3 origin_, axis_, side_, front_;
  std::vector<Section> sections_;
  std::vector<Section> slopes_;
  float start_cap_, end_cap_;
  Vec3 centre_;
  float radius_ = 0;
};

enum class Part : int { kSkin, kShirt, kTrousers, kShoes, kHair, kSole, kCount };
// The head is a little larger than life, so that it reads at small sizes: grown about its joint.
inline constexpr float kHeadScale = 1.07f;
inline Vec3 on_head(Vec3 life_size) {
  const Vec3 neck{0, 1.532f, 0.004f};
  return neck + (life_size - neck) * kHeadScale;
}
inline constexpr float kSoleHeight = 0.020f;  // of the shoes' soles
inline constexpr int kPartCount = static_cast<int>(Part::kCount);

// The whole body: every part is the smooth union of its limbs, the body that of its parts.
class BodyShape {
 public:
  BodyShape();

  float distance(Vec3 p) const;
  float part_distance(Part part, Vec3 p) const;
  Part part_at(Vec3 p) const;  // the one whose surface is nearest
  Vec3 gradient(Vec3 p) const;
  Vec3 part_gradient(Part part, Vec3 p) const;
  std::span<const Limb> limbs(Part part) const { return parts_[static_cast<std::size_t>(part)]; }

 private:
  void add(Part part, Limb limb) {
    parts_[static_cast<std::size_t>(part)].push_back(std::move(limb));
  }
  void add_head();
  void add_torso();
  void add_arm(bool left);
  void add_leg(bool left);

  std::vector<Limb> parts_[kPartCount];
};

}  // namespace sinew::make_assets
