#include <algorithm>

#include <sinew/physics/query_scene.hpp>

#include "box_tree.hpp"
#include "narrow.hpp"

namespace sinew {

using namespace physics_detail;

// Boxes wider than this (planes, whole landscapes) stay out of the tree: they would make it blunt.
static constexpr float kLarge = 500;

struct QueryScene::Tree {
  BoxTree boxes;
  std::vector<std::uint32_t> large;
};

namespace {

constexpr int kLargeLeaf = -2;

Place place_of(const SceneBody& body, const Shape& shape) {
  const BodyState& s = body.state;
  return Place(s.position + rotate(s.rotation, shape.position), s.rotation * shape.rotation);
}

SurfaceId surface_at(const Shape& shape, int triangle) {
  if (shape.kind == ShapeKind::kHeightField) return shape.height_field->surface(triangle);
  if (shape.kind == ShapeKind::kMesh) return shape.mesh->surface(triangle);
  return shape.surface;
}

bool passes(const SceneBody& body, BodyId id, const QueryFilter& filter) {
  return (body.layer & filter.layers) != 0 && !(filter.ignore_body == id) &&
         (filter.ignore_group == 0 || body.group != filter.ignore_group);
}

bool nearer(const Hit& a, const Hit& b) {
  if (a.distance != b.distance) return a.distance < b.distance;
  if (a.body.index != b.body.index) return a.body.index < b.body.index;
  if (a.shape != b.shape) return a.shape < b.shape;
  return a.triangle < b.triangle;
}

bool unit(Vec3 direction, D3& out) {
  const D3 d = direction;
  const double l = length(d);
  if (!(l > 1e-12) || !is_finite(l)) return false;
  out = d * (1 / l);
  return true;
}

Aabb box_of(const CapsuleOverlap& c) {
  return grown({min(c.a, c.b), max(c.a, c.b)}, c.radius + 1e-4f);
}

// Whether the segment from `from` along `way` comes into the box grown by `grow`.
struct BoxOnWay {
  D3 from, dir;
  double length;
  D3 grow;
  bool operator()(const Aabb& box) const {
    const double low[3] = {static_cast<double>(box.low.x) - grow.x,
                           static_cast<double>(box.low.y) - grow.y,
                           static_cast<double>(box.low.z) - grow.z},
                 high[3] = {static_cast<double>(box.high.x) + grow.x,
                            static_cast<double>(box.high.y) + grow.y,
                            static_cast<double>(box.high.z) + grow.z},
                 o[3] = {from.x, from.y, from.z}, d[3] = {dir.x, dir.y, dir.z};
    double enter = 0, leave = length;
    for (int i = 0; i < 3; ++i) {
      if (d[i] == 0) {
        if (o[i] < low[i] || o[i] > high[i]) return false;
        continue;
      }
      const double t0 = (low[i] - o[i]) / d[i], t1 = (high[i] - o[i]) / d[i];
      enter = std::max(enter, std::min(t0, t1));
      leave = std::min(leave, std::max(t0, t1));
    }
    return enter <= leave;
  }
};

}  // namespace

QueryScene::QueryScene() : tree_(std::make_unique<Tree>()) {}
QueryScene::~QueryScene() = default;
QueryScene::QueryScene(QueryScene&&) noexcept = default;
QueryScene& QueryScene::operator=(QueryScene&&) noexcept = default;

Result<BodyId> QueryScene::add(const BodyDef& def) {
  if (Status status = validate(def); !status) return status.error();
  std::uint32_t index = 0;
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
  } else {
    if (bodies_.size() >= (1u << 24)) return make_error(ErrorCode::kLimit, "more than 2^24 bodies");
    index = static_cast<std::uint32_t>(bodies_.size());
    bodies_.emplace_back();
  }
  SceneBody& body = bodies_[index];
  body = SceneBody{.generation = body.generation + 1,
                   .alive = true,
                   .motion = def.motion,
                   .presence = Presence::kNone,
                   .state = def.state,
                   .shapes = {def.shapes.begin(), def.shapes.end()},
                   .layer = def.layer,
                   .mask = def.mask,
                   .group = def.group,
                   .index_in_group = def.index_in_group,
                   .group_ignore = def.group_ignore,
                   .order = def.order,
                   .user = def.user,
                   .mass = def.mass,
                   .inertia = def.inertia,
                   .bounds = {},
                   .leaf = -1};
  body.state.rotation = normalize(def.state.rotation);
  for (Shape& shape : body.shapes) shape.rotation = normalize(shape.rotation);
  if (def.mass > 0 && length_squared(def.inertia) == 0) {
    body.inertia = mass_properties(body.shapes, def.mass).inertia;
  }
  const BodyId id = id_of(index);
  ids_.insert(std::lower_bound(ids_.begin(), ids_.end(), id,
                               [](BodyId a, BodyId b) { return a.index < b.index; }),
              id);
  set_presence(index, def.presence);
  return id;
}

bool QueryScene::remove(BodyId id) {
  SceneBody* body = find(id);
  if (!body) return false;
  set_presence(id.index, Presence::kNone);
  body->alive = false;
  body->shapes.clear();
  free_.push_back(id.index);
  ids_.erase(std::find(ids_.begin(), ids_.end(), id));
  return true;
}

const SceneBody* QueryScene::find(BodyId id) const {
  if (id.index >= bodies_.size()) return nullptr;
  const SceneBody& body = bodies_[id.index];
  return body.alive && body.generation == id.generation ? &body : nullptr;
}
SceneBody* QueryScene::find(BodyId id) {
  return const_cast<SceneBody*>(std::as_const(*this).find(id));
}

void QueryScene::refit(std::uint32_t index) {
  SceneBody& body = bodies_[index];
  Aabb box;
  for (std::size_t i = 0; i < body.shapes.size(); ++i) {
    const Aabb one = bounds_of(body.shapes[i], body.state.position, body.state.rotation);
    box = i == 0 ? one : join(box, one);
  }
  body.bounds = box;
}

void QueryScene::place(std::uint32_t index, Vec3 position, Quat rotation) {
  SceneBody& body = bodies_[index];
  body.state.position = position;
  body.state.rotation = rotation;
  if (body.presence == Presence::kNone) return;
  refit(index);
  if (body.leaf >= 0) body.leaf = tree_->boxes.move(body.leaf, body.bounds);
}

void QueryScene::set_presence(std::uint32_t index, Presence presence) {
  SceneBody& body = bodies_[index];
  const bool was = body.presence != Presence::kNone, is = presence != Presence::kNone;
  body.presence = presence;
  if (was == is) return;
  if (is) {
    refit(index);
    const Vec3 size = body.bounds.half_size();
    if (max(size.x, max(size.y, size.z)) > kLarge) {
      body.leaf = kLargeLeaf;
      std::vector<std::uint32_t>& large = tree_->large;
      large.insert(std::lower_bound(large.begin(), large.end(), index), index);
    } else {
      body.leaf = tree_->boxes.insert(body.bounds, index);
    }
    return;
  }
  if (body.leaf == kLargeLeaf) {
    std::vector<std::uint32_t>& large = tree_->large;
    large.erase(std::find(large.begin(), large.end(), index));
  } else if (body.leaf >= 0) {
    tree_->boxes.remove(body.leaf);
  }
  body.leaf = -1;
}

namespace {

// Keeps the nearest hit of a body's shapes.
template <class Test>
void test_body(const SceneBody& body, BodyId id, Hit& best, bool& any, Test&& test) {
  for (std::size_t s = 0; s < body.shapes.size(); ++s) {
    const Shape& shape = body.shapes[s];
    const Meeting m = test(shape, place_of(body, shape));
    if (m.distance < 0) continue;
    Hit hit;
    hit.body = id;
    hit.shape = static_cast<int>(s);
    hit.triangle = m.triangle;
    hit.distance = static_cast<float>(m.distance);
    hit.point = to_vec(m.point);
    hit.normal = normalize_or(to_vec(m.normal), kAxisY);
    hit.depth = static_cast<float>(m.depth);
    hit.surface = surface_at(shape, m.triangle);
    hit.user = body.user;
    if (!any || nearer(hit, best)) best = hit;
    any = true;
  }
}

}  // namespace

bool QueryScene::cast(const RayCast& cast, Hit& hit) const {
  D3 dir;
  if (!unit(cast.direction, dir) || !is_finite(cast.origin) || !is_finite(cast.length) ||
      !(cast.length > 0)) {
    return false;
  }
  bool any = false;
  const Ray ray{cast.origin, dir, static_cast<double>(cast.length)};
  const auto one = [&](std::uint32_t index) {
    const SceneBody& body = bodies_[index];
    const BodyId id = id_of(index);
    if (!passes(body, id, cast.filter)) return;
    test_body(body, id, hit, any,
              [&](const Shape& shape, const Place& place) { return ray_shape(shape, place, ray); });
  };
  for (const std::uint32_t index : tree_->large) one(index);
  BoxOnWay way{ray.origin, ray.dir, ray.length, {}};
  tree_->boxes.walk(
      [&](const Aabb& box) {
        // What lies behind the hit so far cannot be nearer.
        if (any) way.length = static_cast<double>(hit.distance) + 1e-4;
        return way(box);
      },
      one);
  return any;
}

bool QueryScene::cast(const CapsuleCast& cast, Hit& hit) const {
  D3 dir;
  if (!unit(cast.direction, dir) || !is_finite(cast.a) || !is_finite(cast.b) ||
      !is_finite(cast.length) || !(cast.length > 0) || !is_finite(cast.radius) || cast.radius < 0) {
    return false;
  }
  bool any = false;
  const Sweep sweep{cast.a, cast.b, static_cast<double>(cast.radius), dir,
                    static_cast<double>(cast.length)};
  const auto one = [&](std::uint32_t index) {
    const SceneBody& body = bodies_[index];
    const BodyId id = id_of(index);
    if (!passes(body, id, cast.filter)) return;
    test_body(body, id, hit, any, [&](const Shape& shape, const Place& place) {
      return sweep_shape(shape, place, sweep);
    });
  };
  for (const std::uint32_t index : tree_->large) one(index);
  const D3 half = (sweep.b - sweep.a) * 0.5;
  const auto grow = [&](double v) { return (v < 0 ? -v : v) + sweep.radius + 1e-4; };
  BoxOnWay way{
      (sweep.a + sweep.b) * 0.5, dir, sweep.length, {grow(half.x), grow(half.y), grow(half.z)}};
  tree_->boxes.walk(
      [&](const Aabb& box) {
        if (any) way.length = static_cast<double>(hit.distance) + 1e-4;
        return way(box);
      },
      one);
  return any;
}

std::size_t QueryScene::in_box(const Aabb& box, std::span<std::uint32_t> out) const {
  std::size_t count = 0;
  const auto one = [&](std::uint32_t index) {
    if (count < out.size() && overlaps(bodies_[index].bounds, box)) out[count++] = index;
  };
  for (const std::uint32_t index : tree_->large) one(index);
  tree_->boxes.walk([&](const Aabb& node) { return overlaps(node, box); }, one);
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
  return count;
}

std::size_t QueryScene::overlap(const CapsuleOverlap& capsule, std::span<Hit> out) const {
  if (!is_finite(capsule.a) || !is_finite(capsule.b) || !is_finite(capsule.radius) ||
      capsule.radius < 0 || out.empty()) {
    return 0;
  }
  constexpr std::size_t kMost = 256;
  std::uint32_t found[kMost];
  const std::size_t bodies = in_box(box_of(capsule), found);
  struct Context {
    std::span<Hit> out;
    std::size_t count = 0;
    Hit hit;
    const Shape* shape = nullptr;
  } context{out, 0, {}, nullptr};
  const Sweep sweep{capsule.a, capsule.b, static_cast<double>(capsule.radius), {}, 0};
  for (std::size_t i = 0; i < bodies; ++i) {
    const SceneBody& body = bodies_[found[i]];
    const BodyId id = id_of(found[i]);
    if (!passes(body, id, capsule.filter)) continue;
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      context.shape = &body.shapes[s];
      context.hit.body = id;
      context.hit.shape = static_cast<int>(s);
      context.hit.user = body.user;
      touch_shape(
          body.shapes[s], place_of(body, body.shapes[s]), sweep,
          [](void* user, const Touch& touch) {
            Context& c = *static_cast<Context*>(user);
            if (c.count >= c.out.size()) return;
            Hit hit = c.hit;
            hit.triangle = touch.triangle;
            hit.point = to_vec(touch.point);
            hit.normal = normalize_or(to_vec(touch.normal), kAxisY);
            hit.depth = static_cast<float>(touch.depth);
            hit.surface = surface_at(*c.shape, touch.triangle);
            c.out[c.count++] = hit;
          },
          &context);
    }
  }
  return context.count;
}

}  // namespace sinew
