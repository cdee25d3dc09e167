// A person of boxes on a small skeleton, skinned to it: what the render tests draw.
#pragma once

#include <array>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/pose/model_pose.hpp>

namespace sinew::render {

// A box between two heights around (x, z), bound to one joint of the skin.
inline void add_limb(Mesh& mesh, Vec3 low, Vec3 high, std::uint16_t joint) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      Vec3 normal{};
      normal[axis] = side == 0 ? -1.0f : 1.0f;
      for (int i = 0; i < 4; ++i) {
        Vec3 p{};
        p[axis] = side == 0 ? low[axis] : high[axis];
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        p[u] = (i & 1) != 0 ? high[u] : low[u];
        p[v] = (i & 2) != 0 ? high[v] : low[v];
        mesh.positions.push_back(p);
        mesh.normals.push_back(normal);
        mesh.joints.push_back({joint, 0, 0, 0});
        mesh.weights.push_back({1, 0, 0, 0});
      }
      // Half of the sides are wound the wrong way round: the renderer shows either.
      for (std::uint32_t k : {0u, 1u, 2u, 2u, 1u, 3u}) mesh.indices.push_back(first + k);
    }
  }
}

// 1.8 m tall, facing +Z, arms hanging; red.
inline Model make_test_character() {
  Model model;
  model.name = "test character";
  const std::vector<JointDef> joints{
      {"hips", kNoJoint, {{0, 0.95f, 0}, {}, {1, 1, 1}}},
      {"spine", 0, {{0, 0.15f, 0}, {}, {1, 1, 1}}},
      {"head", 1, {{0, 0.45f, 0}, {}, {1, 1, 1}}},
      {"right_arm", 1, {{-0.26f, 0.35f, 0}, {}, {1, 1, 1}}},
      {"left_arm", 1, {{0.26f, 0.35f, 0}, {}, {1, 1, 1}}},
      {"left_hand", 4, {{0, -0.6f, 0}, {}, {1, 1, 1}}},
      {"left_leg", 0, {{0.12f, -0.05f, 0}, {}, {1, 1, 1}}},
      {"right_leg", 0, {{-0.12f, -0.05f, 0}, {}, {1, 1, 1}}},
  };
  auto skeleton = Skeleton::build(joints);
  if (!skeleton) return model;
  model.skeleton = std::move(*skeleton);
  Skin skin;
  for (int j = 0; j < model.skeleton.joint_count(); ++j) {
    skin.joints.push_back(j);
    skin.inverse_bind.push_back(inverse(model.skeleton.rest_model()[static_cast<std::size_t>(j)]));
  }
  model.skins.push_back(std::move(skin));
  Mesh mesh;
  mesh.name = "body";
  const auto bone = [&](const char* name) {
    return static_cast<std::uint16_t>(model.skeleton.find(name).value_or(0));
  };
  add_limb(mesh, {-0.2f, 0.9f, -0.12f}, {0.2f, 1.5f, 0.12f}, bone("spine"));
  add_limb(mesh, {-0.1f, 1.52f, -0.11f}, {0.1f, 1.8f, 0.11f}, bone("head"));
  add_limb(mesh, {0.21f, 0.8f, -0.06f}, {0.31f, 1.48f, 0.06f}, bone("left_arm"));
  add_limb(mesh, {-0.31f, 0.8f, -0.06f}, {-0.21f, 1.48f, 0.06f}, bone("right_arm"));
  add_limb(mesh, {0.04f, 0, -0.08f}, {0.19f, 0.9f, 0.08f}, bone("left_leg"));
  add_limb(mesh, {-0.19f, 0, -0.08f}, {-0.04f, 0.9f, 0.08f}, bone("right_leg"));
  mesh.skin = 0;
  mesh.material = 0;
  model.meshes.push_back(std::move(mesh));
  Material red;
  red.name = "red";
  red.base_color = {0.6f, 0.03f, 0.03f, 1};
  model.materials.push_back(red);
  return model;
}

// Model-space matrices with one joint turned by `rotation` from its rest.
inline std::vector<Mat3x4> posed(const Model& model, const char* joint, Quat rotation) {
  const Skeleton& skeleton = model.skeleton;
  Pose pose(skeleton);
  const int index = skeleton.find(joint).value_or(0);
  set_rotation(skeleton, pose, index, rotation);
  std::vector<Mat3x4> out(static_cast<std::size_t>(skeleton.joint_count()));
  local_to_model(skeleton, pose, out);
  return out;
}

}  // namespace sinew::render
