#include <algorithm>
#include <utility>

#include <sinew/base/bytes.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/physics/null_world.hpp>
#include <sinew/physics/scene_state.hpp>

namespace sinew {

Vec3 to_euler_xyz(Quat q) {
  // Rows of qz * qy * qx: R20 = -sin y.
  const float s = clamp(2 * (q.w * q.y - q.z * q.x), -1, 1);
  if (abs(s) > 0.9999999f) {
    return {(s > 0 ? 1.0f : -1.0f) * 2 * atan2(q.x, q.w), s > 0 ? kHalfPi : -kHalfPi, 0};
  }
  return {atan2(2 * (q.w * q.x + q.y * q.z), 1 - 2 * (q.x * q.x + q.y * q.y)), asin(s),
          atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))};
}

JointReading measure_joint(const BodyJointDef& def, const BodyState& parent,
                           const BodyState& child) {
  JointReading out;
  const Vec3 a = parent.position + rotate(parent.rotation, def.parent_anchor);
  const Vec3 b = child.position + rotate(child.rotation, def.child_anchor);
  out.gap = distance(a, b);
  out.angles = to_euler_xyz(normalize(conjugate(parent.rotation * def.parent_frame) *
                                      (child.rotation * def.child_frame)));
  for (int i = 0; i < 3; ++i) {
    const float angle = out.angles[i];
    out.overshoot = max(out.overshoot, max(def.low[i] - angle, angle - def.high[i]));
  }
  return out;
}

NullWorld::NullWorld(const NullWorldDef& def) : def_(def) {
  if (!(def_.substep > 0) || !is_finite(def_.substep)) def_.substep = NullWorldDef{}.substep;
}

Result<BodyId> NullWorld::add_body(const BodyDef& def) {
  Result<BodyId> id = scene_.add(def);
  if (id) moved_.reserve(scene_.slots().size());
  return id;
}

bool NullWorld::remove_body(BodyId id) {
  if (!scene_.remove(id)) return false;
  for (Joint& joint : joints_) {
    if (joint.def.parent == id || joint.def.child == id) joint.alive = false;
  }
  std::erase_if(moved_, [&](const Moved& one) { return one.body == id.index; });
  return true;
}

bool NullWorld::alive(BodyId id) const { return scene_.find(id) != nullptr; }

Result<JointId> NullWorld::add_joint(const BodyJointDef& def) {
  if (Status status = validate(def); !status) return status.error();
  if (!alive(def.parent) || !alive(def.child)) {
    return make_error(ErrorCode::kInvalidArgument, "joins a body that is not there", "joint");
  }
  std::uint32_t index = 0;
  while (index < joints_.size() && joints_[index].alive) ++index;
  if (index == joints_.size()) joints_.emplace_back();
  Joint& joint = joints_[index];
  joint = {joint.generation + 1, true, def};
  return JointId{index, joint.generation};
}

bool NullWorld::remove_joint(JointId id) {
  if (id.index >= joints_.size()) return false;
  Joint& joint = joints_[id.index];
  if (!joint.alive || joint.generation != id.generation) return false;
  joint.alive = false;
  return true;
}

void NullWorld::read_bodies(std::span<const BodyId> ids, std::span<BodyState> out) const {
  for (std::size_t i = 0; i < ids.size() && i < out.size(); ++i) {
    if (const SceneBody* body = scene_.find(ids[i])) out[i] = body->state;
  }
}

void NullWorld::write_bodies(std::span<const BodyId> ids, std::span<const BodyState> states) {
  for (std::size_t i = 0; i < ids.size() && i < states.size(); ++i) {
    SceneBody* body = scene_.find(ids[i]);
    if (!body || !is_valid(states[i])) continue;
    body->state = states[i];
    scene_.place(ids[i].index, states[i].position, normalize(states[i].rotation));
  }
}

void NullWorld::move_kinematic(std::span<const BodyId> ids, std::span<const Vec3> positions,
                               std::span<const Quat> rotations) {
  for (std::size_t i = 0; i < ids.size() && i < positions.size() && i < rotations.size(); ++i) {
    SceneBody* body = scene_.find(ids[i]);
    if (!body || body->motion != Motion::kKinematic) continue;
    if (!is_finite(positions[i]) || !is_finite(rotations[i])) continue;
    const auto known = [&](const Moved& one) { return one.body == ids[i].index; };
    if (std::none_of(moved_.begin(), moved_.end(), known)) {
      moved_.push_back({ids[i].index, body->state.position, body->state.rotation});
    }
    scene_.place(ids[i].index, positions[i], normalize(rotations[i]));
  }
}

bool NullWorld::set_motion(BodyId id, Motion motion, Presence presence) {
  SceneBody* body = scene_.find(id);
  if (!body || (motion == Motion::kDynamic && !(body->mass > 0))) return false;
  body->motion = motion;
  scene_.set_presence(id.index, presence);
  return true;
}

bool NullWorld::set_layer(BodyId id, LayerMask layer, LayerMask mask) {
  SceneBody* body = scene_.find(id);
  if (!body) return false;
  body->layer = layer;
  body->mask = mask;
  return true;
}

bool NullWorld::set_group_ignore(BodyId id, std::uint64_t ignore) {
  SceneBody* body = scene_.find(id);
  if (body) body->group_ignore = ignore;
  return body != nullptr;
}

bool NullWorld::apply_impulse(BodyId id, Vec3, Vec3) {
  const SceneBody* body = scene_.find(id);
  return body && body->motion == Motion::kDynamic;
}

void NullWorld::drive_joints(std::span<const JointId>, std::span<const MotorDrive>) {}

bool NullWorld::pin_body(BodyId id, const BodyPin&) { return alive(id); }

void NullWorld::read_joints(std::span<const JointId> ids, std::span<JointReading> out) const {
  for (std::size_t i = 0; i < ids.size() && i < out.size(); ++i) {
    if (ids[i].index >= joints_.size()) continue;
    const Joint& joint = joints_[ids[i].index];
    if (!joint.alive || joint.generation != ids[i].generation) continue;
    const SceneBody *parent = scene_.find(joint.def.parent), *child = scene_.find(joint.def.child);
    if (parent && child) out[i] = measure_joint(joint.def, parent->state, child->state);
  }
}

std::span<const Shape> NullWorld::shapes(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? std::span<const Shape>(body->shapes) : std::span<const Shape>{};
}
Motion NullWorld::motion(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? body->motion : Motion::kStatic;
}
Presence NullWorld::presence(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? body->presence : Presence::kNone;
}
LayerMask NullWorld::layer(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? body->layer : 0;
}
float NullWorld::mass(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? body->mass : 0;
}
std::uint64_t NullWorld::user(BodyId id) const {
  const SceneBody* body = scene_.find(id);
  return body ? body->user : 0;
}
Vec3 NullWorld::point_velocity(BodyId id, Vec3 point) const {
  const SceneBody* body = scene_.find(id);
  if (!body) return {};
  const BodyState& s = body->state;
  return s.linear_velocity + cross(s.angular_velocity, point - s.position);
}
bool NullWorld::asleep(BodyId id) const { return alive(id); }
bool NullWorld::supported(std::uint32_t, LayerMask, float) const { return false; }

void NullWorld::step(float dt) {
  if (!is_finite(dt) || !(dt > 0)) return;
  // What was moved has its velocity for one step; then it stands.
  for (const BodyId id : scene_.ids()) {
    SceneBody& body = scene_.slot(id.index);
    if (body.motion == Motion::kDynamic) continue;
    body.state.linear_velocity = {};
    body.state.angular_velocity = {};
  }
  for (const Moved& one : moved_) {
    BodyState& s = scene_.slot(one.body).state;
    s.linear_velocity = (s.position - one.position) / dt;
    s.angular_velocity = to_rotation_vector(normalize(s.rotation * conjugate(one.rotation))) / dt;
  }
  moved_.clear();
  const double h = static_cast<double>(def_.substep);
  left_ += static_cast<double>(dt);
  left_ -= h * static_cast<double>(static_cast<std::uint64_t>(left_ / h + 1e-6));
  left_ = left_ < 0 ? 0 : left_;
}

void NullWorld::save(std::vector<std::byte>& out) const {
  ByteWriter bytes(out);
  save_bodies(bytes, scene_);
  bytes.put(left_);
}

Status NullWorld::restore(std::span<const std::byte> data) {
  ByteReader in(data);
  std::vector<SavedBody> saved;
  if (Status status = sinew::read_bodies(in, scene_, saved); !status) return status;
  const auto left = in.get<double>();
  if (in.failed() || !in.at_end() || !is_finite(left) || left < 0) {
    return make_error(ErrorCode::kMalformed, "the state of the physics world is damaged");
  }
  left_ = left;
  moved_.clear();
  apply_bodies(saved, scene_);
  return {};
}

std::uint64_t NullWorld::state_hash() const {
  std::vector<std::byte> bytes;
  save(bytes);
  Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.value();
}

bool NullWorld::cast(const SphereCast& s, Hit& hit) const {
  return scene_.cast(CapsuleCast{s.centre, s.centre, s.radius, s.direction, s.length, s.filter},
                     hit);
}

}  // namespace sinew
