// Unity's avatar masks (`.mask`).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/mask.hpp>
#include <sinew/asset/roles.hpp>
#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>

namespace sinew::unity {

// Unity's order.
enum class BodyPart : std::uint8_t {
  kRoot,
  kBody,
  kHead,
  kLeftLeg,
  kRightLeg,
  kLeftArm,
  kRightArm,
  kLeftFingers,
  kRightFingers,
  kLeftFootIk,
  kRightFootIk,
  kLeftHandIk,
  kRightHandIk,
};
inline constexpr int kBodyPartCount = 13;

struct AvatarMask {
  struct Element {
    std::string path{};  // empty: the animator's own object
    float weight = 0;    // [0, 1]
  };
  std::string name{};
  std::array<bool, kBodyPartCount> parts{};  // of humanoids
  std::vector<Element> elements{};           // empty: all transforms
  Findings findings{};

  bool part(BodyPart p) const { return parts[static_cast<std::size_t>(p)]; }
  bool whole_body() const;
};

// Reads the first mask of a text. Parts that old files do not have count as on.
Result<AvatarMask> read_mask(std::string_view text, const std::string& file = {});
Result<AvatarMask> load_mask(const std::filesystem::path& file);

// The weights of joints (state-machine rules, 10.6). Joints that an element means take its weight;
// of a mask with elements all others have 0. Where a body part is off, joints with a role take that
// of their part instead, and joints without a role and element that of the joint above them.
// Findings: elements without a joint.
JointMask bind(const AvatarMask& mask, const Skeleton& skeleton, const RoleMap& roles,
               Findings* findings = nullptr);

// The part that a role belongs to; kBody for the trunk.
BodyPart part_of(JointRole role);

}  // namespace sinew::unity
