// What tables and reports say about a clip.
#pragma once

#include <array>
#include <string>

#include <sinew/asset/model.hpp>

namespace sinew::cli {

struct ClipFacts {
  std::size_t keys = 0;
  std::array<int, 3> interpolations{};  // channels by Interpolation
  Vec3 travel;                          // of the hips, or of the first joint, from start to end
  Vec3 feet;                            // velocity by the planted feet
  double planted = 0;                   // share of the time in which a foot is planted
};

ClipFacts facts_of(const RawClip& clip, const Model& model);

// "linear", "step+cubic", "-" for a clip without keys.
std::string interpolation_text(const ClipFacts& facts);

// The roles that a body of the model's plan should have and has not, in the order of JointRole.
std::vector<JointRole> missing_roles(const RoleMap& roles);

}  // namespace sinew::cli
