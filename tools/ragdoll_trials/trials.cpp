#include "trials.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/base/hash.hpp>
#include <sinew/import/import.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/ragdoll/capsule_skin.hpp>

namespace sinew::trials {

float percentile(std::vector<float> values, float share) {
  if (values.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<float>(values.size())));
  const std::size_t i = std::clamp<std::size_t>(rank, 1, values.size()) - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values.end());
  return values[i];
}

Random::Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567ull) {
  for (int i = 0; i < 4; ++i) bits();
}
std::uint64_t Random::bits() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_ * 0x2545f4914f6cdd1dull;
}
float Random::unit() { return static_cast<float>(bits() >> 40) / 16777216.0f; }
int Random::below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
Vec3 Random::direction() {
  for (;;) {
    const Vec3 v{in(-1, 1), in(-1, 1), in(-1, 1)};
    if (length(v) > 0.1f && length(v) <= 1) return normalize_or(v, kAxisX);
  }
}

Result<Rig> load_rig(const std::filesystem::path& file, float scale) {
  Result<Model> model = import_model(file.string());
  if (!model) return model.error();
  return make_rig(std::make_shared<const Model>(std::move(model).value()), scale);
}

Result<Rig> make_rig(std::shared_ptr<const Model> model, float scale) {
  if (model->meshes.empty()) {
    auto skinned = std::make_shared<Model>(*model);
    add_capsule_skin(*skinned);
    model = skinned;
  }
  Rig rig;
  rig.name = model->name;
  rig.model = model;
  AutoRagdollOptions options;
  options.scale = scale;
  Result<RagdollSource> source = auto_ragdoll(*model, options);
  if (!source) return source.error();
  rig.source = std::move(source).value();
  rig.coverage = measure_coverage(*model, rig.source);
  Result<RagdollDef> def = RagdollDef::build(rig.source, model->skeleton, scale);
  if (!def) return def.error();
  rig.def = std::move(def).value();
  float low = 1e9f, high = -1e9f;
  for (const RagdollBody& body : rig.def.bodies()) {
    const Transform joint =
        decompose(model->skeleton.rest_model()[static_cast<std::size_t>(body.joint)]);
    const Aabb box =
        bounds_of(body.shape, joint.translation * scale + rotate(joint.rotation, body.position),
                  joint.rotation * body.rotation);
    low = min(low, box.low.y);
    high = max(high, box.high.y);
  }
  rig.height = high - low;
  return rig;
}

void add_ground(PhysicsWorld& world, const GroundDef& ground) {
  const auto add = [&](const Shape& shape, Vec3 position, Quat rotation = {}) {
    BodyDef def;
    def.shapes = std::span(&shape, 1);
    def.state.position = position;
    def.state.rotation = rotation;
    def.order = world.bodies().size();
    (void)world.add_body(def);
  };
  switch (ground.kind) {
    case Ground::kPlane:
      return add(Shape::plane(), {});
    case Ground::kSlope:
      return add(Shape::plane(), {}, from_axis_angle(kAxisX, -ground.slope));
    case Ground::kField:
      return add(Shape::terrain(ground.field), {});
    case Ground::kStairs:
      break;
  }
  // Down along +Z: twelve treads of 0.29 m, 0.17 m high, a landing above and the floor below.
  const float rise = 0.17f * ground.unit, tread = 0.29f * ground.unit, half = 3 * ground.unit;
  const int count = 12;
  add(Shape::plane(), {0, -rise * count, 0});
  for (int i = 0; i < count; ++i) {
    const float depth = rise * static_cast<float>(count - i);
    const float z = i == 0 ? -half : tread * (static_cast<float>(i) - 0.5f);
    add(Shape::box({half, 0.5f * depth, i == 0 ? half : 0.5f * tread}),
        {0, -rise * static_cast<float>(i) - 0.5f * depth, z});
  }
}

float ground_height(const PhysicsWorld& world, float x, float z) {
  Hit hit;
  const RayCast ray{{x, 500, z}, {0, -1, 0}, 1000, {kSolidLayers, {}, 0}};
  return world.cast(ray, hit) ? hit.point.y : 0;
}

Actor::Actor(const Rig& rig, PhysicsWorld& world, std::uint64_t order)
    : rig_(&rig),
      local_(static_cast<std::size_t>(rig.model->skeleton.joint_count())),
      model_(local_.size()),
      before_(rig.def.bodies().size()),
      now_(before_.size()) {
  Result<Ragdoll> made = Ragdoll::create(world, rig.def, {.order = order, .user = order});
  if (made) ragdoll = std::move(made).value();
  states.resize(before_.size());
  joints.resize(before_.size() - 1);
  // The character's scale is in the definition; poses need it too.
  const RagdollBody& root = rig.def.body(0);
  const Vec3 authored = rig.source.bodies[0].position;
  const float scale = length(authored) > 1e-6f ? length(root.position) / length(authored)
                      : rig.source.bodies[0].radius > 0
                          ? root.shape.radius / rig.source.bodies[0].radius
                          : root.shape.half_extents.x / rig.source.bodies[0].half_extents.x;
  world_.scale = {scale, scale, scale};
}

void Actor::play(int clip, float time) {
  clip_ = clip;
  time_ = time;
}
void Actor::place(Vec3 position, float yaw) {
  world_.translation = position;
  world_.rotation = from_yaw(yaw);
}
float Actor::duration() const {
  return clip_ < 0 ? 0 : rig_->model->clips[static_cast<std::size_t>(clip_)].duration;
}

void Actor::animate(float dt) {
  const Skeleton& skeleton = rig_->model->skeleton;
  before_ = now_;
  if (clip_ < 0) {
    std::copy(skeleton.rest_pose().begin(), skeleton.rest_pose().end(), local_.begin());
  } else {
    const RawClip& clip = rig_->model->clips[static_cast<std::size_t>(clip_)];
    time_ += dt;
    // A clip that is no loop plays back from its end, so that it never jumps.
    const float span = (clip.loop ? 1 : 2) * max(clip.duration, 1e-6f);
    float t = time_ - span * std::floor(time_ / span);
    if (t > clip.duration) t = span - t;
    sample(clip, skeleton, t, local_);
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    const Mat3x4 own = to_matrix(local_[i]);
    model_[i] =
        skeleton.parent(j) < 0 ? own : model_[static_cast<std::size_t>(skeleton.parent(j))] * own;
  }
  body_places(rig_->def, model_, world_, now_);
}

std::vector<BodyState> Actor::moving(float dt) const {
  std::vector<BodyState> out(now_.size());
  body_velocities(before_, now_, dt, out);
  return out;
}

void Actor::read(const PhysicsWorld& world) {
  ragdoll.read(world, states);
  world.read_joints(ragdoll.joints(), joints);
}

namespace {

Vec3 momentum_of(const Rig& rig, std::span<const BodyState> states) {
  Vec3 sum;
  for (std::size_t i = 0; i < states.size(); ++i) {
    sum += states[i].linear_velocity * rig.def.bodies()[i].mass;
  }
  return sum;
}

// Lowest point of all bodies, metres.
float lowest(const Rig& rig, std::span<const BodyPlace> places) {
  float low = 1e9f;
  for (std::size_t i = 0; i < places.size(); ++i) {
    low = min(low,
              bounds_of(rig.def.bodies()[i].shape, places[i].position, places[i].rotation).low.y);
  }
  return low;
}

void hash_states(Hasher& hash, std::span<const BodyState> states) {
  for (const BodyState& s : states) {
    hash.f32(s.position.x);
    hash.f32(s.position.y);
    hash.f32(s.position.z);
    hash.f32(s.rotation.x);
    hash.f32(s.rotation.y);
    hash.f32(s.rotation.z);
    hash.f32(s.rotation.w);
  }
}

}  // namespace

FallResult fall(const Rig& rig, const FallDef& def, const Watch& watch) {
  FallResult out;
  BulletWorld world;
  GroundDef ground = def.ground;
  ground.unit = rig.height / 1.75f;
  add_ground(world, ground);
  Actor actor(rig, world, 1000);
  Random random(def.seed);
  const float unit = ground.unit, dt = 1 / def.rate;
  const int clips = static_cast<int>(rig.model->clips.size());
  actor.play(clips > 0 ? random.below(clips) : -1, random.in(0, 2));
  const float x = random.in(-0.5f, 0.5f) * unit,
              z = (ground.kind == Ground::kStairs ? random.in(-0.6f, 1.2f) : random.in(-1, 1)) *
                  unit;
  const float yaw = random.in(-kPi, kPi), lift = random.in(0, def.most_height) * unit;
  actor.place({x, 0, z}, yaw);
  actor.animate(0);
  // Its lowest point above (or in) the ground, whatever the clip does.
  const float low = lowest(rig, actor.now());
  const float height = ground_height(world, x, z) - low + (def.sunk > 0 ? -def.sunk : lift + 0.01f);
  actor.place({x, height, z}, yaw);
  // Poses a 60th of a second apart, whatever the rate of the world.
  actor.animate(0);
  actor.animate(1 / 60.f);
  std::vector<BodyState> start = actor.moving(1 / 60.f);
  if (!def.moving) {
    for (BodyState& s : start) s.linear_velocity = s.angular_velocity = {};
  }
  actor.ragdoll.release(world, rig.def.all(), start);
  actor.read(world);

  const int body = random.below(rig.def.body_count());
  Vec3 way = random.direction();
  way.y *= 0.3f;
  const float mass = rig.def.total_mass();
  const float size = def.cap ? def.impulse * random.in(0.2f, 1) * mass / 73 : def.impulse;
  const Vec3 impulse = normalize_or(way, kAxisX) * size;
  actor.ragdoll.hit(world, body, impulse, actor.states[static_cast<std::size_t>(body)].position,
                    def.cap);
  // Momentum after the hand-over, less that of the poses, less the blow.
  const float most = Ragdoll::kMostHitSpeed * rig.def.body(body).mass;
  const Vec3 given = def.cap && size > most ? impulse * (most / size) : impulse;
  const Vec3 expected = momentum_of(rig, start) + given;
  if (length(expected) / mass > 0.5f) {
    out.momentum_error = length(actor.ragdoll.momentum(world) - expected) / length(expected);
  }

  SettleTest settle;
  SettleDef settle_def;
  settle_def.distance *= unit;
  Hasher hash;
  const float start_y = actor.states[0].position.y;
  const int ticks = static_cast<int>(def.seconds * def.rate + 0.5f);
  for (int tick = 0; tick < ticks; ++tick) {
    world.step(dt);
    actor.read(world);
    const float now = static_cast<float>(tick + 1) * dt;
    for (const JointReading& joint : actor.joints) {
      out.gaps.push_back(joint.gap);
      out.overshoots.push_back(joint.overshoot);
      out.largest_gap = max(out.largest_gap, joint.gap);
      if (abs(now - 2) < 1.5f * dt) out.gap_at_2s = max(out.gap_at_2s, joint.gap);
    }
    if (now <= 5) {
      out.rise = max(out.rise, actor.states[0].position.y - start_y);
      for (const BodyState& s : actor.states) {
        out.top_speed = max(out.top_speed, length(s.linear_velocity));
      }
    }
    for (const BodyState& s : actor.states) {
      out.lost = out.lost || !is_finite(s.position) || abs(s.position.y) > 1000;
    }
    hash_states(hash, actor.states);
    const bool held = world.supported(actor.ragdoll.group(), settle_def.support, settle_def.up);
    if (settle.update(settle_def, actor.states, held, dt) && out.settled_at < 0 &&
        !settle.timed_out()) {
      out.settled_at = now;
    }
    if (watch) watch(world, actor, tick);
  }
  out.asleep = world.asleep(actor.ragdoll.bodies()[0]);
  out.rest = actor.states[0].position;
  out.hash = hash.value();
  return out;
}

}  // namespace sinew::trials
