// Everything that characters of one kind share: skeleton, clips, controller and how they fit
// together. Immutable once built; copies share it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/base/finding.hpp>
#include <sinew/graph/motion_table.hpp>
#include <sinew/pose/pose_task.hpp>
#include <sinew/rig/rig_def.hpp>

namespace sinew {

class RigCurves;

// How a clip moves the character.
enum class Travel : std::uint8_t {
  kAuthored,  // by its own root motion, if its settings enable that; else not at all
  kMeasured,  // an in-place clip: at the speed at which its planted feet slide backwards
  kGiven,     // an in-place clip: at `MotionPart::travel`
};

// One clip that the controller may play.
struct MotionPart {
  std::string name;  // as the controller looks it up
  RawClip clip;      // of the character's skeleton
  Travel travel = Travel::kAuthored;
  Vec3 travel_velocity;  // kGiven: metres per second in the character's frame, before its scale
};

// What a definition is built from.
struct CharacterParts {
  std::string name = "character";
  Skeleton skeleton;
  RoleMap roles;
  std::vector<MotionPart> motions;
  std::vector<Skin> skins;
  std::vector<JointMask> masks;      // by JointMask::name, those that the controller names
  std::vector<int> mirror_partners;  // per joint; empty: found by roles and names
  ControllerDef controller;
  // Runs after the animation. Its parameters are the controller's of those names; float curves of
  // the motions that are called as its channels key them.
  std::optional<RigDef> rig;
  float scale = 1;          // of the whole body, (0, 1000]
  float speed = 1;          // of all its motion, [0, 100]
  bool root_motion = true;  // false: clips never move the character
};

class CharacterDef {
 public:
  // A definition without joints and states; for containers.
  CharacterDef();

  // Errors: a clip or skin that does not fit the skeleton, a mask that the controller names and
  // that is not there (the nearest is named), a rig of another skeleton or one that is driven by a
  // parameter that the controller does not declare, values out of range. Motions without a clip are
  // warnings in `findings` (may be null) and play the rest pose.
  static Result<CharacterDef> build(CharacterParts parts, Findings* findings = nullptr);

  const std::string& name() const;
  const Skeleton& skeleton() const;
  const RoleMap& roles() const;
  const ControllerDef& controller() const;
  const MotionTable& motions() const;
  std::span<const Clip> clips() const;
  std::span<const Skin> skins() const;
  // Null if there is none. Its handles (RigDef::channel, node) are what World::set_rig takes.
  const RigDef* rig() const;
  float scale() const;
  float speed() const;
  bool root_motion() const;

  // Null if there is none of that name.
  ParamId param(std::string_view parameter) const;
  StateId state(std::string_view name_or_path) const;
  // Name of an event of `motions()`, by its index in event_times.
  std::string_view event_name(int event) const;
  // How clip i moves the character: average metres per second in the character's frame, scale
  // included.
  Vec3 travel_velocity(int clip) const;

  // For the runtime: what pose programs refer to, and the travel of each clip (null: none).
  const PoseContext& pose_context() const;
  std::span<const RootPath* const> travel_paths() const;
  // And of the rig: what clips key, and the controller's parameters in the order of
  // RigDef::parameters().
  const RigCurves& rig_curves() const;
  std::span<const ParamId> rig_parameters() const;

  // Of everything that changes what a character does: equal hashes give equal runs.
  std::uint64_t hash() const;
  friend bool operator==(const CharacterDef& a, const CharacterDef& b) {
    return a.data_ == b.data_;
  }

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

}  // namespace sinew
