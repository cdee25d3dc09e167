#include <algorithm>

#include <sinew/render/shapes.hpp>

namespace sinew::render {
namespace {

std::uint32_t count_of(const Mesh& mesh) {
  return static_cast<std::uint32_t>(mesh.positions.size());
}

void put(Mesh& mesh, Vec3 position, Vec3 normal) {
  mesh.positions.push_back(position);
  mesh.normals.push_back(normal);
}

// Two triangles for each cell of a grid of (columns + 1) x (rows + 1) vertices from `first` on.
void grid_indices(Mesh& mesh, std::uint32_t first, std::uint32_t columns, std::uint32_t rows) {
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      const std::uint32_t a = first + r * (columns + 1) + c, b = a + 1, d = a + columns + 1,
                          e = d + 1;
      mesh.indices.insert(mesh.indices.end(), {a, d, b, b, d, e});
    }
  }
}

}  // namespace

void add_box(Mesh& mesh, const Mat3x4& frame, Vec3 half_extents) {
  for (int axis = 0; axis < 3; ++axis) {
    for (float sign : {1.0f, -1.0f}) {
      Vec3 n{}, u{}, v{};
      n[axis] = sign;
      u[(axis + 1) % 3] = 1;
      v[(axis + 2) % 3] = sign;
      const std::uint32_t first = count_of(mesh);
      for (int i = 0; i < 4; ++i) {
        const Vec3 corner =
            n + u * ((i & 1) != 0 ? 1.0f : -1.0f) + v * ((i & 2) != 0 ? 1.0f : -1.0f);
        put(mesh, transform_point(frame, corner * half_extents),
            normalize_or(transform_vector(frame, n), {}));
      }
      for (std::uint32_t i : {0u, 1u, 2u, 2u, 1u, 3u}) mesh.indices.push_back(first + i);
    }
  }
}

void add_sphere(Mesh& mesh, Vec3 centre, float radius) {
  Mat3x4 frame;
  frame.row[0].w = centre.x;
  frame.row[1].w = centre.y;
  frame.row[2].w = centre.z;
  add_capsule(mesh, frame, radius, 0);
}

void add_capsule(Mesh& mesh, const Mat3x4& frame, float radius, float half_height) {
  constexpr std::uint32_t kAround = 32, kRings = 8;  // rings of each cap
  const std::uint32_t first = count_of(mesh);
  for (std::uint32_t ring = 0; ring <= 2 * kRings + 1; ++ring) {
    // The middle ring occurs twice: it ends the upper cap and begins the lower one.
    const bool upper = ring <= kRings;
    const std::uint32_t step = upper ? ring : ring - 1;
    SinCos p = sincos(kPi * static_cast<float>(step) / static_cast<float>(2 * kRings));
    p.sin = max(p.sin, 0.0f);  // a float's pi is a little too large for the lower pole
    for (std::uint32_t i = 0; i <= kAround; ++i) {
      const SinCos a = sincos(kTwoPi * static_cast<float>(i) / static_cast<float>(kAround));
      const Vec3 n{a.sin * p.sin, p.cos, a.cos * p.sin};
      const Vec3 at = n * radius + Vec3{0, upper ? half_height : -half_height, 0};
      put(mesh, transform_point(frame, at), normalize_or(transform_vector(frame, n), {}));
    }
  }
  grid_indices(mesh, first, kAround, 2 * kRings + 1);
}

void add_terrain(Mesh& mesh, float half_size, int cells,
                 const std::function<float(float, float)>& height) {
  const int count = std::clamp(cells, 1, 1024);
  const float step = 2.0f * half_size / static_cast<float>(count);
  const auto sample = [&](float x, float z) {
    const float h = height(x, z);
    return is_finite(h) ? h : 0.0f;
  };
  const std::uint32_t first = count_of(mesh);
  for (int r = 0; r <= count; ++r) {
    for (int c = 0; c <= count; ++c) {
      const float x = -half_size + static_cast<float>(c) * step;
      const float z = -half_size + static_cast<float>(r) * step;
      const float dx = sample(x + 0.5f * step, z) - sample(x - 0.5f * step, z);
      const float dz = sample(x, z + 0.5f * step) - sample(x, z - 0.5f * step);
      put(mesh, {x, sample(x, z), z}, normalize_or({-dx, step, -dz}, kAxisY));
    }
  }
  grid_indices(mesh, first, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(count));
}

Model make_prop(Mesh mesh, Vec4 base_color) {
  Model model;
  model.name = mesh.name.empty() ? "prop" : mesh.name;
  Material material;
  material.name = model.name;
  material.base_color = base_color;
  model.materials.push_back(std::move(material));
  mesh.material = 0;
  mesh.skin = -1;
  mesh.joint = kNoJoint;
  model.meshes.push_back(std::move(mesh));
  return model;
}

}  // namespace sinew::render
