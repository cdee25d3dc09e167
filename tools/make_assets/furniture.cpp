#include "furniture.hpp"

#include <array>

#include "clips.hpp"

namespace sinew::make_assets {
namespace {

void add_box(Mesh& mesh, Vec3 low, Vec3 high) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      const auto first = static_cast<std::uint32_t>(mesh.positions.size());
      for (const auto& [a, b] : {std::array{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
        Vec3 p, normal;
        p[axis] = side > 0 ? high[axis] : low[axis];
        p[u] = a ? high[u] : low[u];
        p[v] = b ? high[v] : low[v];
        normal[axis] = side;
        mesh.positions.push_back(p);
        mesh.normals.push_back(normal);
      }
      // Counter-clockwise from outside.
      const std::uint32_t second = side > 0 ? 1 : 3, fourth = side > 0 ? 3 : 1;
      for (const std::uint32_t k : {0u, second, 2u, 0u, 2u, fourth}) {
        mesh.indices.push_back(first + k);
      }
    }
  }
}

Mesh box_mesh(const char* name, int material) {
  Mesh mesh;
  mesh.name = name;
  mesh.material = material;
  mesh.joint = 0;
  return mesh;
}

}  // namespace

Model make_desk() {
  Model model;
  model.name = "desk";
  const std::array joints{JointDef{"root", kNoJoint, {}}};
  model.skeleton = Skeleton::build(joints).value();
  const auto material = [&](const char* name, Vec4 color) {
    Material m;
    m.name = name;
    m.base_color = color;
    model.materials.push_back(m);
  };
  material("wood", {0.38f, 0.22f, 0.11f, 1});
  material("metal", {0.10f, 0.11f, 0.12f, 1});
  material("seat", {0.05f, 0.16f, 0.20f, 1});

  constexpr float kThick = 0.025f, kLeft = 0.62f, kNear = 0.21f, kFar = 0.88f, kLeg = 0.04f;
  Mesh top = box_mesh("top", 0);
  add_box(top, {-kLeft, kDeskTop - kThick, kNear}, {kLeft, kDeskTop, kFar});
  Mesh legs = box_mesh("legs", 1);
  for (const float x : {-kLeft + 0.03f, kLeft - 0.03f - kLeg}) {
    for (const float z : {kNear + 0.03f, kFar - 0.03f - kLeg}) {
      add_box(legs, {x, 0, z}, {x + kLeg, kDeskTop - kThick, z + kLeg});
    }
  }
  Mesh seat = box_mesh("seat", 2);
  const float height = kSeatedHips - 0.105f;
  add_box(seat, {-0.22f, height - 0.05f, -0.24f}, {0.22f, height, 0.22f});
  add_box(seat, {-0.20f, height + 0.12f, -0.27f}, {0.20f, height + 0.50f, -0.23f});
  add_box(legs, {-0.03f, 0, -0.05f}, {0.03f, height - 0.05f, 0.01f});
  add_box(legs, {-0.03f, height - 0.03f, -0.28f}, {0.03f, height + 0.20f, -0.25f});
  add_box(legs, {-0.24f, 0, -0.05f}, {0.24f, 0.04f, 0.01f});
  add_box(legs, {-0.03f, 0, -0.28f}, {0.03f, 0.04f, 0.24f});
  model.meshes = {std::move(top), std::move(legs), std::move(seat)};
  return model;
}

}  // namespace sinew::make_assets
