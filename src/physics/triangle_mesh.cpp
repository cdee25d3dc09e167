#include <algorithm>
#include <numeric>

#include <sinew/base/text.hpp>
#include <sinew/physics/terrain.hpp>

namespace sinew {

namespace {

constexpr std::size_t kMaxTriangles = std::size_t{1} << 24;
constexpr std::uint32_t kLeafSize = 4;

Status check(const TriangleMeshDef& def) {
  const auto fault = [](std::string message) {
    return make_error(ErrorCode::kInvalidArgument, std::move(message), "triangle mesh");
  };
  const std::size_t count = def.indices.size() / 3;
  if (count == 0 || def.indices.size() % 3 != 0) {
    return fault(format_text("has %zu indices; three per triangle are needed", def.indices.size()));
  }
  if (count > kMaxTriangles) return fault(format_text("has %zu triangles, more than 2^24", count));
  if (!def.materials.empty() && def.materials.size() != count) {
    return fault(format_text("has %zu materials for %zu triangles", def.materials.size(), count));
  }
  for (std::size_t i = 0; i < def.positions.size(); ++i) {
    if (!is_finite(def.positions[i])) return fault(format_text("position %zu is not finite", i));
  }
  for (std::size_t i = 0; i < def.indices.size(); ++i) {
    if (def.indices[i] >= def.positions.size()) {
      return fault(format_text("triangle %zu names position %u of %zu", i / 3, def.indices[i],
                               def.positions.size()));
    }
  }
  return {};
}

Aabb box_of(const Triangle& t) { return {min(min(t.a, t.b), t.c), max(max(t.a, t.b), t.c)}; }

}  // namespace

Result<std::shared_ptr<const TriangleMesh>> TriangleMesh::build(TriangleMeshDef def) {
  if (Status status = check(def); !status) return status.error();
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->def_ = std::move(def);
  mesh->build_tree();
  return std::shared_ptr<const TriangleMesh>(std::move(mesh));
}

Triangle TriangleMesh::triangle(int index) const {
  const std::size_t i = static_cast<std::size_t>(index) * 3;
  return {def_.positions[def_.indices[i]], def_.positions[def_.indices[i + 1]],
          def_.positions[def_.indices[i + 2]]};
}

SurfaceId TriangleMesh::surface(int triangle) const {
  if (triangle < 0 || triangle >= triangle_count()) return kDefaultSurface;
  return surface_of(def_.surfaces, def_.materials.empty()
                                       ? 0u
                                       : def_.materials[static_cast<std::size_t>(triangle)]);
}

// Median cuts along the longest side; the left child lies behind its parent.
void TriangleMesh::build_tree() {
  const auto count = static_cast<std::uint32_t>(triangle_count());
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0u);
  std::vector<Vec3> centres(count);
  std::vector<Aabb> boxes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    boxes[i] = box_of(triangle(static_cast<int>(i)));
    centres[i] = boxes[i].centre();
    bounds_ = i == 0 ? boxes[i] : join(bounds_, boxes[i]);
  }
  struct Task {
    std::uint32_t first, count, parent;
    bool right;
  };
  std::vector<Task> tasks{{0, count, 0, false}};
  nodes_.reserve(2 * (count / 2 + 1));
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    if (task.right) nodes_[task.parent].first = index;
    Node node;
    node.box = boxes[order_[task.first]];
    for (std::uint32_t i = 1; i < task.count; ++i) {
      node.box = join(node.box, boxes[order_[task.first + i]]);
    }
    if (task.count <= kLeafSize) {
      node.first = task.first;
      node.count = task.count;
      nodes_.push_back(node);
      continue;
    }
    nodes_.push_back(node);
    const Vec3 size = node.box.half_size();
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const std::uint32_t half = task.count / 2;
    const auto begin = order_.begin() + task.first;
    std::nth_element(begin, begin + half, begin + task.count,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const float ca = centres[a][axis], cb = centres[b][axis];
                       return ca < cb || (ca == cb && a < b);
                     });
    // The left child is made first: it is the next on the stack.
    tasks.push_back({task.first + half, task.count - half, index, true});
    tasks.push_back({task.first, half, index, false});
  }
  // nth_element leaves the halves in an order of the library's own.
  for (const Node& node : nodes_) {
    if (node.count > 0) {
      std::sort(order_.begin() + node.first, order_.begin() + node.first + node.count);
    }
  }
}

void TriangleMesh::visit(const Aabb& box, TriangleVisitor visitor, void* user) const {
  std::uint32_t stack[64];
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    if (!overlaps(node.box, box)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const auto t = static_cast<int>(order_[node.first + i]);
      const Triangle triangle_t = triangle(t);
      if (overlaps(box_of(triangle_t), box) && !visitor(user, t, triangle_t)) return;
    }
  }
}

}  // namespace sinew
