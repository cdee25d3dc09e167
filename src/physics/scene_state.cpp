#include <algorithm>

#include <sinew/physics/scene_state.hpp>

namespace sinew {

namespace {

constexpr std::uint32_t kMagic = 0x53594850;  // "PHYS"

void put(ByteWriter& out, Vec3 v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}

Vec3 get_vec(ByteReader& in) {
  const auto x = in.get<float>(), y = in.get<float>(), z = in.get<float>();
  return {x, y, z};
}

}  // namespace

bool is_valid(const BodyState& s) {
  return is_finite(s.position) && is_finite(s.rotation) && dot(s.rotation, s.rotation) > 1e-8f &&
         is_finite(s.linear_velocity) && is_finite(s.angular_velocity);
}

std::vector<std::uint32_t> by_order(const QueryScene& scene) {
  std::vector<std::uint32_t> out;
  out.reserve(scene.ids().size());
  for (const BodyId id : scene.ids()) out.push_back(id.index);
  const auto slots = scene.slots();
  std::stable_sort(out.begin(), out.end(), [&](std::uint32_t a, std::uint32_t b) {
    return slots[a].order < slots[b].order;
  });
  return out;
}

void save_bodies(ByteWriter& out, const QueryScene& scene) {
  const std::vector<std::uint32_t> order = by_order(scene);
  out.put(kMagic);
  out.put(static_cast<std::uint32_t>(order.size()));
  for (const std::uint32_t index : order) {
    const SceneBody& body = scene.slots()[index];
    out.put(body.order);
    out.put(body.motion);
    out.put(body.presence);
    out.put(body.layer);
    out.put(body.mask);
    out.put(body.group_ignore);
    put(out, body.state.position);
    const Quat q = body.state.rotation;
    put(out, {q.x, q.y, q.z});
    out.put(q.w);
    put(out, body.state.linear_velocity);
    put(out, body.state.angular_velocity);
  }
}

Status read_bodies(ByteReader& in, const QueryScene& scene, std::vector<SavedBody>& out) {
  if (in.get<std::uint32_t>() != kMagic) {
    return make_error(ErrorCode::kMalformed, "these bytes are no state of a physics world");
  }
  const std::vector<std::uint32_t> order = by_order(scene);
  if (in.get<std::uint32_t>() != order.size()) {
    return make_error(ErrorCode::kMismatch, "the state belongs to a world with other bodies");
  }
  out.clear();
  bool good = true;
  for (const std::uint32_t index : order) {
    SavedBody body;
    body.index = index;
    if (in.get<std::uint64_t>() != scene.slots()[index].order && !in.failed()) {
      return make_error(ErrorCode::kMismatch, "the state belongs to a world with other bodies");
    }
    body.motion = in.get<Motion>();
    body.presence = in.get<Presence>();
    body.layer = in.get<LayerMask>();
    body.mask = in.get<LayerMask>();
    body.group_ignore = in.get<std::uint64_t>();
    body.state.position = get_vec(in);
    const Vec3 xyz = get_vec(in);
    body.state.rotation = {xyz.x, xyz.y, xyz.z, in.get<float>()};
    body.state.linear_velocity = get_vec(in);
    body.state.angular_velocity = get_vec(in);
    good = good && body.motion <= Motion::kDynamic && body.presence <= Presence::kFull &&
           is_valid(body.state) &&
           (body.motion != Motion::kDynamic || scene.slots()[index].mass > 0);
    out.push_back(body);
  }
  if (in.failed() || !good) {
    return make_error(ErrorCode::kMalformed, "the state of the physics world is damaged");
  }
  return {};
}

void apply_bodies(std::span<const SavedBody> saved, QueryScene& scene) {
  for (const SavedBody& one : saved) {
    SceneBody& body = scene.slot(one.index);
    body.motion = one.motion;
    body.layer = one.layer;
    body.mask = one.mask;
    body.group_ignore = one.group_ignore;
    scene.set_presence(one.index, one.presence);
    body.state = one.state;
    scene.place(one.index, one.state.position, one.state.rotation);
  }
}

}  // namespace sinew
