#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>
#include <sinew/physics/terrain.hpp>

namespace sinew {

namespace {

constexpr int kMaxSamples = 8192;

Status check(const HeightFieldDef& def) {
  const auto fault = [](std::string message) {
    return make_error(ErrorCode::kInvalidArgument, std::move(message), "height field");
  };
  if (def.columns < 2 || def.rows < 2 || def.columns > kMaxSamples || def.rows > kMaxSamples) {
    return fault(format_text("has %d x %d samples; each side must be from 2 to %d", def.columns,
                             def.rows, kMaxSamples));
  }
  const auto columns = static_cast<std::size_t>(def.columns),
             rows = static_cast<std::size_t>(def.rows);
  if (def.heights.size() != columns * rows) {
    return fault(format_text("has %zu heights where %d x %d samples need %zu", def.heights.size(),
                             def.columns, def.rows, columns * rows));
  }
  if (!def.materials.empty() && def.materials.size() != (columns - 1) * (rows - 1)) {
    return fault(format_text("has %zu cell materials for %zu cells", def.materials.size(),
                             (columns - 1) * (rows - 1)));
  }
  if (!(def.cell > 1e-4f) || !(def.cell < 1e4f)) {
    return fault(format_text("cell size %g m is out of range (0.0001 to 10,000)",
                             static_cast<double>(def.cell)));
  }
  if (!is_finite(def.origin)) return fault("its origin is not finite");
  for (std::size_t i = 0; i < def.heights.size(); ++i) {
    if (!is_finite(def.heights[i]) || abs(def.heights[i]) > 1e5f) {
      return fault(format_text("height of sample (%zu, %zu) is not finite or beyond 100 km",
                               i % columns, i / columns));
    }
  }
  return {};
}

// Index of the cell that holds `x` cells, clamped to the field.
int cell_of(float x, int cells) {
  if (!(x > 0)) return 0;
  return x >= static_cast<float>(cells) ? cells - 1 : static_cast<int>(x);
}

}  // namespace

Result<std::shared_ptr<const HeightField>> HeightField::build(HeightFieldDef def) {
  if (Status status = check(def); !status) return status.error();
  auto field = std::make_shared<HeightField>();
  field->def_ = std::move(def);
  const HeightFieldDef& d = field->def_;
  const auto [low, high] = std::minmax_element(d.heights.begin(), d.heights.end());
  field->bounds_.low = d.origin + Vec3{0, *low, 0};
  field->bounds_.high = d.origin + Vec3{static_cast<float>(d.columns - 1) * d.cell, *high,
                                        static_cast<float>(d.rows - 1) * d.cell};
  return std::shared_ptr<const HeightField>(std::move(field));
}

Triangle HeightField::triangle(int index) const {
  const int cells = def_.columns - 1;
  const int x = (index / 2) % cells, z = (index / 2) / cells;
  const auto at = [&](int i, int j) {
    const auto k = static_cast<std::size_t>(j) * static_cast<std::size_t>(def_.columns) +
                   static_cast<std::size_t>(i);
    return def_.origin + Vec3{static_cast<float>(i) * def_.cell, def_.heights[k],
                              static_cast<float>(j) * def_.cell};
  };
  if (index % 2 == 0) return {at(x, z), at(x, z + 1), at(x + 1, z)};
  return {at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)};
}

SurfaceId HeightField::surface(int triangle) const {
  if (triangle < 0 || triangle >= triangle_count()) return kDefaultSurface;
  if (def_.materials.empty()) return surface_of(def_.surfaces, 0);
  return surface_of(def_.surfaces, def_.materials[static_cast<std::size_t>(triangle / 2)]);
}

int HeightField::triangle_at(float x, float z) const {
  const float u = (x - def_.origin.x) / def_.cell, v = (z - def_.origin.z) / def_.cell;
  if (!(u >= 0) || !(v >= 0) || u > static_cast<float>(def_.columns - 1) ||
      v > static_cast<float>(def_.rows - 1)) {
    return -1;
  }
  const int i = cell_of(u, def_.columns - 1), j = cell_of(v, def_.rows - 1);
  const float share = (u - static_cast<float>(i)) + (v - static_cast<float>(j));
  return 2 * (j * (def_.columns - 1) + i) + (share > 1 ? 1 : 0);
}

bool HeightField::height_at(float x, float z, float& height) const {
  const int index = triangle_at(x, z);
  if (index < 0) return false;
  const Triangle t = triangle(index);
  const Vec3 n = cross(t.b - t.a, t.c - t.a);
  height = t.a.y - (n.x * (x - t.a.x) + n.z * (z - t.a.z)) / n.y;
  return true;
}

void HeightField::visit(const Aabb& box, TriangleVisitor visitor, void* user) const {
  if (!overlaps(box, bounds_)) return;
  const float scale = 1 / def_.cell;
  const int cells_x = def_.columns - 1, cells_z = def_.rows - 1;
  const int x0 = cell_of((box.low.x - def_.origin.x) * scale, cells_x),
            x1 = cell_of((box.high.x - def_.origin.x) * scale, cells_x),
            z0 = cell_of((box.low.z - def_.origin.z) * scale, cells_z),
            z1 = cell_of((box.high.z - def_.origin.z) * scale, cells_z);
  const float low = box.low.y - def_.origin.y, high = box.high.y - def_.origin.y;
  for (int z = z0; z <= z1; ++z) {
    const auto row = static_cast<std::size_t>(z) * static_cast<std::size_t>(def_.columns);
    const float* near_row = def_.heights.data() + row;
    const float* far_row = near_row + def_.columns;
    for (int x = x0; x <= x1; ++x) {
      const float h[4] = {near_row[x], near_row[x + 1], far_row[x], far_row[x + 1]};
      const float least = min(min(h[0], h[1]), min(h[2], h[3]));
      const float most = max(max(h[0], h[1]), max(h[2], h[3]));
      if (least > high || most < low) continue;
      const int index = 2 * (z * cells_x + x);
      if (!visitor(user, index, triangle(index))) return;
      if (!visitor(user, index + 1, triangle(index + 1))) return;
    }
  }
}

}  // namespace sinew
