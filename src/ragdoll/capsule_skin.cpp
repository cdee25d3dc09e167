#include <sinew/physics/shape.hpp>
#include <sinew/ragdoll/capsule_skin.hpp>

namespace sinew {

namespace {

using Role = JointRole;

// Radius as a share of the height.
float thickness(Role role) {
  switch (role) {
    case Role::kHips:
      return 0.075f;
    case Role::kSpine:
    case Role::kChest:
    case Role::kUpperChest:
      return 0.07f;
    case Role::kHead:
      return 0.05f;
    case Role::kNeck:
      return 0.03f;
    case Role::kLeftUpperLeg:
    case Role::kRightUpperLeg:
    case Role::kHindLeftUpper:
    case Role::kHindRightUpper:
      return 0.042f;
    case Role::kLeftLowerLeg:
    case Role::kRightLowerLeg:
      return 0.03f;
    case Role::kLeftUpperArm:
    case Role::kRightUpperArm:
      return 0.027f;
    case Role::kLeftLowerArm:
    case Role::kRightLowerArm:
    case Role::kLeftFoot:
    case Role::kRightFoot:
      return 0.023f;
    case Role::kLeftHand:
    case Role::kRightHand:
      return 0.02f;
    default:
      return 0.015f;
  }
}

// Fingers, eyes and jaws hang on what they belong to.
bool is_small(Role role) {
  return role >= Role::kLeftThumbMetacarpal && role <= Role::kRightLittleDistal;
}

struct Skinner {
  Model& model;
  Mesh mesh;
  Skin skin;
  float height;

  // Rings around a line, closed by the ends' half spheres, all carried by one joint.
  void capsule(int joint, Vec3 from, Vec3 to, float radius) {
    constexpr int kAround = 10, kCap = 3;
    const Vec3 axis = normalize_or(to - from, kAxisY);
    const Vec3 u = any_perpendicular(axis), w = cross(axis, u);
    const auto slot = static_cast<std::uint16_t>(skin.joints.size());
    skin.joints.push_back(joint);
    skin.inverse_bind.push_back(
        inverse(model.skeleton.rest_model()[static_cast<std::size_t>(joint)]));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto ring = [&](Vec3 centre, float elevation) {
      const SinCos e = sincos(elevation);
      for (int i = 0; i < kAround; ++i) {
        const SinCos a = sincos(kTwoPi * static_cast<float>(i) / kAround);
        const Vec3 normal = (u * a.cos + w * a.sin) * e.cos + axis * e.sin;
        mesh.positions.push_back(centre + normal * radius);
        mesh.normals.push_back(normalize_or(normal, axis));
        mesh.joints.push_back({slot, 0, 0, 0});
        mesh.weights.push_back({1, 0, 0, 0});
      }
    };
    int rings = 0;
    for (int i = -kCap; i <= kCap; ++i) {
      ring(i <= 0 ? from : to, kHalfPi * static_cast<float>(i) / kCap);
      ++rings;
      if (i == 0) {
        ring(to, 0);
        ++rings;
      }
    }
    for (int r = 0; r + 1 < rings; ++r) {
      for (int i = 0; i < kAround; ++i) {
        const auto at = [&](int row, int k) {
          return first + static_cast<std::uint32_t>(row * kAround + k % kAround);
        };
        for (const std::uint32_t index :
             {at(r, i), at(r, i + 1), at(r + 1, i), at(r, i + 1), at(r + 1, i + 1), at(r + 1, i)}) {
          mesh.indices.push_back(index);
        }
      }
    }
  }

  Vec3 place(int joint) const {
    return translation_of(model.skeleton.rest_model()[static_cast<std::size_t>(joint)]);
  }

  void bone(int joint) {
    const Skeleton& skeleton = model.skeleton;
    const Role role = model.roles.role(joint);
    if (is_small(role)) return;
    const Vec3 from = place(joint);
    const float radius = thickness(role) * height;
    bool any = false;
    for (int child = joint + 1; child < skeleton.joint_count(); ++child) {
      if (skeleton.parent(child) != joint) continue;
      const Role below = model.roles.role(child);
      // Bones that only bridge to the limbs of a trunk are not flesh.
      const bool bridge = role == Role::kHips && side_of(below) != 0;
      if (bridge || is_small(below) || distance(from, place(child)) < 0.01f * height) continue;
      capsule(joint, from, place(child), radius);
      any = true;
    }
    if (any || role == Role::kNone) return;
    const int parent = skeleton.parent(joint);
    const Vec3 way = parent >= 0 ? normalize_or(from - place(parent), kAxisY) : kAxisY;
    const float reach = role == Role::kHead ? 0.08f : (role == Role::kHips ? 0.02f : 0.05f);
    capsule(joint, from, from + way * (reach * height), radius);
  }
};

}  // namespace

void add_capsule_skin(Model& model) {
  const Skeleton& skeleton = model.skeleton;
  if (skeleton.joint_count() == 0) return;
  Skinner skinner{model, {}, {}, skeleton.height()};
  skinner.mesh.name = skinner.skin.name = "capsules";
  const int hips = model.roles.joint(Role::kHips);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (hips < 0 || skeleton.is_ancestor(hips, j)) skinner.bone(j);
  }
  if (skinner.mesh.positions.empty()) return;
  Material material;
  material.name = "capsules";
  material.base_color = {0.55f, 0.58f, 0.62f, 1};
  skinner.mesh.material = static_cast<int>(model.materials.size());
  skinner.mesh.skin = static_cast<int>(model.skins.size());
  model.materials.push_back(material);
  model.skins.push_back(std::move(skinner.skin));
  model.meshes.push_back(std::move(skinner.mesh));
}

}  // namespace sinew
