// Small bodies made of joint roles: a person in a T pose and a four-legged animal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinew/asset/skeleton.hpp>

namespace sinew::testing {

struct BodyPart {
  JointRole role;
  JointRole parent;  // kNone: the root; a part that has no joint is passed over
  Vec3 place;        // model space, metres, of the left one
};

// The left half and the middle of a person 1.7 m tall, facing +Z.
inline const std::vector<BodyPart>& person_parts() {
  using enum JointRole;
  static const std::vector<BodyPart> kParts = {
      {kHips, kNone, {0, 0.95f, 0}},
      {kSpine, kHips, {0, 1.05f, 0}},
      {kChest, kSpine, {0, 1.2f, 0}},
      {kUpperChest, kChest, {0, 1.32f, 0}},
      {kNeck, kUpperChest, {0, 1.46f, 0}},
      {kHead, kNeck, {0, 1.55f, 0.02f}},
      {kJaw, kHead, {0, 1.58f, 0.06f}},
      {kLeftEye, kHead, {0.03f, 1.62f, 0.09f}},
      {kLeftShoulder, kUpperChest, {0.04f, 1.42f, 0}},
      {kLeftUpperArm, kLeftShoulder, {0.18f, 1.42f, 0}},
      {kLeftLowerArm, kLeftUpperArm, {0.45f, 1.42f, 0}},
      {kLeftHand, kLeftLowerArm, {0.7f, 1.42f, 0}},
      {kLeftThumbMetacarpal, kLeftHand, {0.73f, 1.42f, 0.03f}},
      {kLeftThumbProximal, kLeftThumbMetacarpal, {0.75f, 1.42f, 0.05f}},
      {kLeftThumbDistal, kLeftThumbProximal, {0.77f, 1.42f, 0.07f}},
      {kLeftIndexProximal, kLeftHand, {0.79f, 1.42f, 0.03f}},
      {kLeftIndexIntermediate, kLeftIndexProximal, {0.83f, 1.42f, 0.03f}},
      {kLeftIndexDistal, kLeftIndexIntermediate, {0.85f, 1.42f, 0.03f}},
      {kLeftLittleProximal, kLeftHand, {0.78f, 1.42f, -0.03f}},
      {kLeftLittleIntermediate, kLeftLittleProximal, {0.8f, 1.42f, -0.03f}},
      {kLeftLittleDistal, kLeftLittleIntermediate, {0.82f, 1.42f, -0.03f}},
      {kLeftUpperLeg, kHips, {0.1f, 0.9f, 0}},
      {kLeftLowerLeg, kLeftUpperLeg, {0.1f, 0.5f, 0.01f}},
      {kLeftFoot, kLeftLowerLeg, {0.1f, 0.08f, 0}},
      {kLeftToes, kLeftFoot, {0.1f, 0.02f, 0.13f}},
  };
  return kParts;
}

// The left half and the middle of an animal with its back at 1 m, facing +Z.
inline const std::vector<BodyPart>& animal_parts() {
  using enum JointRole;
  static const std::vector<BodyPart> kParts = {
      {kHips, kNone, {0, 1, -0.6f}},
      {kSpine, kHips, {0, 1, -0.3f}},
      {kChest, kSpine, {0, 1, 0.2f}},
      {kNeck, kChest, {0, 1.1f, 0.6f}},
      {kHead, kNeck, {0, 1.4f, 0.9f}},
      {kTail, kHips, {0, 1, -0.8f}},
      {kTailTip, kTail, {0, 0.8f, -1.0f}},
      {kFrontLeftGirdle, kChest, {0.1f, 0.95f, 0.4f}},
      {kFrontLeftUpper, kFrontLeftGirdle, {0.15f, 0.8f, 0.5f}},
      {kFrontLeftLower, kFrontLeftUpper, {0.15f, 0.45f, 0.45f}},
      {kFrontLeftAnkle, kFrontLeftLower, {0.15f, 0.15f, 0.47f}},
      {kFrontLeftFoot, kFrontLeftAnkle, {0.15f, 0.05f, 0.5f}},
      {kHindLeftGirdle, kHips, {0.1f, 0.95f, -0.6f}},
      {kHindLeftUpper, kHindLeftGirdle, {0.15f, 0.8f, -0.6f}},
      {kHindLeftLower, kHindLeftUpper, {0.15f, 0.45f, -0.5f}},
      {kHindLeftAnkle, kHindLeftLower, {0.15f, 0.2f, -0.7f}},
      {kHindLeftFoot, kHindLeftAnkle, {0.15f, 0.05f, -0.65f}},
  };
  return kParts;
}

// "{Left|Right}Arm" -> "LeftArm" or "RightArm".
inline std::string for_side(std::string name, bool right) {
  const std::size_t open = name.find('{'), bar = name.find('|'), close = name.find('}');
  if (open == std::string::npos) return name;
  const std::string word =
      right ? name.substr(bar + 1, close - bar - 1) : name.substr(open + 1, bar - open - 1);
  return name.substr(0, open) + word + name.substr(close + 1);
}

// A joint beside the body, below a joint of that name ("" : below the root joint).
struct ExtraJoint {
  std::string name;
  std::string parent;
  Vec3 offset;
};

struct Body {
  Skeleton skeleton;
  std::map<JointRole, int> joints;  // where each role was put
  std::vector<JointDef> defs;
};

// A body of the parts that have a name (of the left one, with its side in braces). Rotations of the
// rest pose are `twist` throughout, so that local axes say nothing.
inline Body make_body(const std::vector<BodyPart>& parts,
                      const std::map<JointRole, std::string>& names,
                      const std::vector<ExtraJoint>& extra = {}, Quat twist = {},
                      bool root_joint = false) {
  Body body;
  std::map<JointRole, int> at;
  std::vector<Vec3> places;
  const auto add = [&](std::string name, int parent, Vec3 place) {
    const Vec3 offset =
        parent == kNoJoint ? place : place - places[static_cast<std::size_t>(parent)];
    JointDef def;
    def.name = std::move(name);
    def.parent = parent;
    // All joints share one orientation in model space.
    def.rest.translation = parent == kNoJoint ? offset : rotate(conjugate(twist), offset);
    def.rest.rotation = parent == kNoJoint ? twist : Quat{};
    body.defs.push_back(def);
    places.push_back(place);
    return static_cast<int>(body.defs.size()) - 1;
  };
  if (root_joint) add("Root", kNoJoint, {});
  for (const bool right : {false, true}) {
    for (const BodyPart& part : parts) {
      const bool sided = side_of(part.role) != 0;
      if (right && !sided) continue;
      const auto name = names.find(part.role);
      if (name == names.end()) continue;
      JointRole above = part.parent;
      const auto parent_of = [&](JointRole role) {
        for (const BodyPart& p : parts) {
          if (p.role == role) return p.parent;
        }
        return JointRole::kNone;
      };
      while (above != JointRole::kNone && !names.contains(above)) above = parent_of(above);
      const auto sided_above = right ? mirrored(above) : above;
      const int parent = above == JointRole::kNone ? (root_joint ? 0 : kNoJoint) : at[sided_above];
      const JointRole role = right ? mirrored(part.role) : part.role;
      const Vec3 place = right ? Vec3{-part.place.x, part.place.y, part.place.z} : part.place;
      at[role] = add(for_side(name->second, right), parent, place);
    }
  }
  for (const ExtraJoint& e : extra) {
    for (const bool right : {false, true}) {
      const std::string parent = for_side(e.parent, right);
      int above = 0;
      for (std::size_t i = 0; i < body.defs.size(); ++i) {
        if (body.defs[i].name == parent) above = static_cast<int>(i);
      }
      const Vec3 offset = right ? Vec3{-e.offset.x, e.offset.y, e.offset.z} : e.offset;
      add(for_side(e.name, right), above, places[static_cast<std::size_t>(above)] + offset);
      if (e.name.find('{') == std::string::npos) break;
    }
  }
  body.skeleton = Skeleton::build(body.defs).value();
  for (const auto& [role, joint] : at) body.joints[role] = body.skeleton.index_of_source(joint);
  return body;
}

// The names that make_body() takes for a body named by its roles ("left_hand").
inline std::map<JointRole, std::string> role_names(const std::vector<BodyPart>& parts) {
  std::map<JointRole, std::string> names;
  for (const BodyPart& part : parts) {
    std::string name(to_string(part.role));
    if (const std::size_t left = name.find("left"); left != std::string::npos) {
      name.replace(left, 4, "{left|right}");
    }
    names[part.role] = name;
  }
  return names;
}

inline RoleMap roles_of(const Body& body, BodyPlan plan) {
  RoleMap map;
  for (const auto& [role, joint] : body.joints) map.set(role, joint);
  map.plan = plan;
  return map;
}

}  // namespace sinew::testing
