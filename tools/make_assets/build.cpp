#include "build.hpp"

#include <array>

#include "body.hpp"

namespace sinew::make_assets {
namespace {

// How one bone is stretched: along its line to the next joint, and across it.
struct Stretch {
  Vec3 line;  // unit; zero: not stretched
  float along = 1, across = 1;

  Vec3 operator()(Vec3 offset) const {
    if (line == Vec3{}) return offset;
    const Vec3 part = line * dot(offset, line);
    return part * along + (offset - part) * across;
  }
};

struct Limb {
  Bone bone, next;
  float Build::* factor;
};

constexpr Limb kTrunk[] = {{Bone::kSpine, Bone::kChest, &Build::trunk},
                           {Bone::kChest, Bone::kUpperChest, &Build::trunk},
                           {Bone::kUpperChest, Bone::kNeck, &Build::trunk}};
constexpr Limb kLimbs[] = {{Bone::kLeftUpperArm, Bone::kLeftLowerArm, &Build::arms},
                           {Bone::kLeftLowerArm, Bone::kLeftHand, &Build::arms},
                           {Bone::kLeftUpperLeg, Bone::kLeftLowerLeg, &Build::legs},
                           {Bone::kLeftLowerLeg, Bone::kLeftFoot, &Build::legs}};

std::array<Stretch, kBoneCount> stretches(const Build& build) {
  std::array<Stretch, kBoneCount> all;
  const auto set = [&](Bone bone, Bone next, float factor) {
    const Vec3 line = normalize_or(bind_position(next) - bind_position(bone), kAxisY);
    all[static_cast<std::size_t>(index(bone))] = {line, factor, build.girth};
  };
  for (const Limb& limb : kTrunk) set(limb.bone, limb.next, build.*limb.factor);
  for (const Limb& limb : kLimbs) {
    for (bool left : {true, false}) {
      set(on_side(left, limb.bone), on_side(left, limb.next), build.*limb.factor);
    }
  }
  all[static_cast<std::size_t>(index(Bone::kHips))] = {kAxisY, 1, build.girth};
  return all;
}

}  // namespace

Build tall_build() { return {"person_tall", 1.09f, 1.05f, 1.13f, 0.94f}; }
Build stout_build() { return {"person_stout", 0.88f, 0.95f, 0.87f, 1.14f}; }

Model make_build(const Model& person, const Build& build) {
  const std::array<Stretch, kBoneCount> stretch = stretches(build);
  Model model = person;
  model.name = build.name;
  model.clips.clear();

  // Joints: each hangs where its parent's stretch takes it.
  std::array<Vec3, kBoneCount> old_place, place;
  std::vector<JointDef> joints;
  for (const BoneInfo& info : bones()) {
    const auto i = static_cast<std::size_t>(index(info.bone));
    old_place[i] = info.position;
    JointDef joint;
    joint.name = info.name;
    joint.rest.translation = place[i] = info.position;
    if (info.parent != Bone::kCount) {
      const auto p = static_cast<std::size_t>(index(info.parent));
      joint.parent = index(info.parent);
      joint.rest.translation = stretch[p](info.position - old_place[p]);
      place[i] = place[p] + joint.rest.translation;
    }
    joints.push_back(std::move(joint));
  }
  // The feet back on the ground: the hips rise by what the legs have gained.
  const auto foot = static_cast<std::size_t>(index(Bone::kLeftFoot));
  const float rise = old_place[foot].y - place[foot].y;
  for (std::size_t i = 1; i < place.size(); ++i) place[i].y += rise;
  joints[static_cast<std::size_t>(index(Bone::kHips))].rest.translation.y += rise;
  model.skeleton = Skeleton::build(joints).value();

  for (Skin& skin : model.skins) {
    for (std::size_t k = 0; k < skin.joints.size(); ++k) {
      const Vec3 at = place[static_cast<std::size_t>(skin.joints[k])];
      for (int axis = 0; axis < 3; ++axis) skin.inverse_bind[k].row[axis].w = -at[axis];
    }
  }
  for (Mesh& mesh : model.meshes) {
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const float weights[4] = {mesh.weights[v].x, mesh.weights[v].y, mesh.weights[v].z,
                                mesh.weights[v].w};
      Vec3 sum;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto bone = static_cast<std::size_t>(mesh.joints[v][k]);
        sum += (place[bone] + stretch[bone](mesh.positions[v] - old_place[bone])) * weights[k];
      }
      mesh.positions[v] = sum;
    }
  }
  return model;
}

}  // namespace sinew::make_assets
