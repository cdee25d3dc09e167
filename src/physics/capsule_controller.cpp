#include <sinew/base/text.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/physics/capsule_controller.hpp>

namespace sinew {

namespace {

// Kept free between capsule and what it meets, so that the next sweep begins outside.
constexpr float kGap = 0.0005f;
constexpr int kMaxBounces = 6;
constexpr float kSlidePiece = 1 / 480.f;  // seconds
// A contact flatter than this on an edge counts as standing beside it, not on it.
constexpr float kPerch = 0.5f;

Vec3 level(Vec3 v) { return {v.x, 0, v.z}; }

// Takes out of `v` what goes into the planes met so far; where two of them leave no way, nothing is
// left.
struct Planes {
  Vec3 normal[kMaxBounces];
  int count = 0;

  void add(Vec3 n) {
    if (count < kMaxBounces) normal[count++] = n;
  }
  Vec3 slide(Vec3 v) const {
    for (int i = 0; i < count; ++i) {
      const float into = dot(v, normal[i]);
      if (into < 0) v -= normal[i] * into;
    }
    for (int i = 0; i < count; ++i) {
      if (dot(v, normal[i]) < -1e-4f * length(v)) return crease(v, i);
    }
    return v;
  }
  // Along the line that plane i shares with the last one.
  Vec3 crease(Vec3 v, int i) const {
    const Vec3 line = normalize_or(cross(normal[i], normal[count - 1]), Vec3{});
    const Vec3 along = line * dot(v, line);
    for (int k = 0; k < count; ++k) {
      if (dot(along, normal[k]) < -1e-4f * length(along)) return {};
    }
    return along;
  }
};

class Mover {
 public:
  Mover(const PhysicsWorld& world, const CapsuleControllerDef& def, CapsuleControllerState& state,
        const QueryFilter& filter)
      : world_(world), def_(def), state_(state), filter_(filter), walkable_(cos(def.max_slope)) {}

  CapsuleMoveResult run(const CapsuleMove& move, float dt);
  bool overlaps(Vec3 position) const;

 private:
  bool sweep(Vec3 from, Vec3 way, Hit& hit) const;
  float free_way(const Hit& hit, Vec3 dir) const;
  bool carries(const Hit& hit, Vec3& face) const;
  bool beside(Vec3 position, Hit& hit, Vec3& face) const;
  bool settle(Vec3& position, float down, Hit& hit, Vec3& face) const;
  bool perches(Vec3 position, const Hit& hit) const;
  bool step_up(Vec3& position, Vec3& way, Vec3& face) const;
  void walk(Vec3 velocity, float dt);
  void fly(Vec3 velocity, float dt);
  void touch(const Hit& hit, Planes& planes, Vec3& wanted);
  void leave_ground(Vec3 from, Vec3 to, Vec3 velocity, float dt);
  void stand(const Hit& hit, Vec3 face);
  void carry();
  void push_out();

  const PhysicsWorld& world_;
  const CapsuleControllerDef& def_;
  CapsuleControllerState& state_;
  QueryFilter filter_;
  float walkable_;
  CapsuleMoveResult result_;
  int depth_ = 0;  // changes between ground and air within the tick
};

bool Mover::sweep(Vec3 from, Vec3 way, Hit& hit) const {
  const float l = length(way);
  if (!(l > 1e-9f)) return false;
  CapsuleCast cast;
  cast.a = from + Vec3{0, def_.radius, 0};
  cast.b = from + Vec3{0, def_.height - def_.radius, 0};
  cast.radius = def_.radius;
  cast.direction = way;
  // A little further, so that the gap is kept where the way ends just before something.
  cast.length = l + 2 * kGap;
  cast.filter = filter_;
  return world_.cast(cast, hit);
}

// How far to go along `dir` (unit) so that the gap is left to the plane that was hit.
float Mover::free_way(const Hit& hit, Vec3 dir) const {
  const float into = max(-dot(dir, hit.normal), 0.05f);
  return max(0.0f, hit.distance - kGap / into);
}

// Whether what was hit is ground that carries. On an edge the sphere's normal says nothing; the
// face beside it does.
bool Mover::carries(const Hit& hit, Vec3& face) const {
  face = hit.normal;
  if (hit.normal.y >= walkable_) return true;
  if (hit.normal.y < -0.01f) return false;
  const Vec3 inward = normalize_or(-level(hit.normal), Vec3{});
  RayCast ray;
  ray.origin = hit.point + inward * 0.01f + Vec3{0, 0.02f, 0};
  ray.direction = {0, -1, 0};
  ray.length = 0.04f;
  ray.filter = filter_;
  Hit top;
  if (!world_.cast(ray, top) || top.normal.y < walkable_) return false;
  // A steep slope has the same face on both sides; an edge has not.
  face = top.normal;
  return true;
}

// Down to where the capsule rests, by `down` at most. False: nothing there, or nothing that
// carries.
bool Mover::settle(Vec3& position, float down, Hit& hit, Vec3& face) const {
  if (!sweep(position, {0, -down, 0}, hit) || hit.distance > down + kGap) return false;
  if (!carries(hit, face) && !beside(position, hit, face)) return false;
  position.y -= hit.depth > 0 ? 0 : max(-kGap, hit.distance - kGap / max(hit.normal.y, 0.05f));
  return true;
}

// At the foot of something steep, that may be met a hair before the ground that carries.
bool Mover::beside(Vec3 position, Hit& hit, Vec3& face) const {
  position.y -= hit.distance + 2 * kGap;
  CapsuleOverlap capsule{position + Vec3{0, def_.radius, 0},
                         position + Vec3{0, def_.height - def_.radius, 0}, def_.radius, filter_};
  Hit hits[16];
  const std::size_t count = world_.overlap(capsule, hits);
  for (std::size_t i = 0; i < count; ++i) {
    if (hits[i].normal.y < walkable_) continue;
    const float distance = hit.distance;
    face = hits[i].normal;
    hit = hits[i];
    hit.distance = distance;
    hit.depth = 0;
    return true;
  }
  return false;
}

// Beside an edge with nothing under the middle: it slips off.
bool Mover::perches(Vec3 position, const Hit& hit) const {
  if (hit.normal.y >= kPerch) return false;
  RayCast ray;
  ray.origin = position + Vec3{0, def_.radius, 0};
  ray.direction = {0, -1, 0};
  // On stairs it may hang on an edge two treads above the one beneath it.
  ray.length = def_.radius + 2 * def_.step_height + 0.02f;
  ray.filter = filter_;
  Hit below;
  return !(world_.cast(ray, below) && below.normal.y >= walkable_);
}

void Mover::stand(const Hit& hit, Vec3 face) {
  state_.grounded = true;
  state_.velocity = {};
  state_.ground_normal = face;
  state_.surface = hit.surface;
  state_.ground = hit.body;
  BodyState at;
  world_.read_bodies(std::span(&hit.body, 1), std::span(&at, 1));
  state_.ground_position = at.position;
  state_.ground_rotation = at.rotation;
}

// Over an obstacle: up, forward, down. On success the way that was made is taken off `way`.
bool Mover::step_up(Vec3& position, Vec3& way, Vec3& face) const {
  Hit hit;
  float up = def_.step_height;
  if (sweep(position, {0, up, 0}, hit)) up = min(up, free_way(hit, kAxisY));
  if (up < 2 * kGap) return false;
  Vec3 at = position + Vec3{0, up, 0};
  Vec3 forward = way;
  if (sweep(at, way, hit)) {
    const float l = length(way), free = min(l, free_way(hit, way / l));
    forward = way * (free / l);
  }
  if (length(forward) < 1e-5f) return false;
  at += forward;
  if (!settle(at, up + def_.step_height, hit, face)) return false;
  if (hit.point.y - position.y > def_.step_height + 2 * kGap) return false;
  position = at;
  way -= forward;
  return true;
}

// Over the ground, at the given speed seen from above.
void Mover::walk(Vec3 velocity, float dt) {
  const Vec3 start = state_.position;
  Vec3 position = start, way = level(velocity) * dt;
  Vec3 normal = state_.ground_normal;
  Planes walls;
  for (int i = 0; i < kMaxBounces && length(way) > 1e-6f; ++i) {
    // Along the ground: the rise that belongs to this way.
    const float rise = normal.y > 0.05f ? -dot(way, level(normal)) / normal.y : 0.0f;
    const Vec3 along = way + Vec3{0, rise, 0};
    Hit hit;
    if (!sweep(position, along, hit)) {
      position += along;
      break;
    }
    const float l = length(along), share = min(1.0f, free_way(hit, along / l) / l);
    position += along * share;
    way *= 1 - share;
    if (share >= 1) break;
    Vec3 face;
    if (hit.normal.y >= walkable_) {
      normal = hit.normal;
      continue;
    }
    if (step_up(position, way, face)) {
      normal = face;
      continue;
    }
    result_.hit_wall = true;
    walls.add(normalize_or(level(hit.normal), -normalize_or(way, kAxisX)));
    way = walls.slide(way);
    // Ground that leans toward a wall would lift it against that wall.
    normal = kAxisY;
  }
  Hit hit;
  Vec3 face;
  Vec3 rest = position;
  // From a little above: the last way along the old ground may end just inside the new one.
  if (settle(rest, def_.step_height, hit, face) && !perches(rest, hit)) {
    state_.position = rest;
    stand(hit, face);
    return;
  }
  leave_ground(start, position, velocity, dt);
}

// The ground ends between two places of the tick: finds where, and falls from there.
void Mover::leave_ground(Vec3 from, Vec3 to, Vec3 velocity, float dt) {
  float low = 0, high = 1;
  Vec3 last = from;
  for (int i = 0; i < 10; ++i) {
    const float mid = 0.5f * (low + high);
    Vec3 at = lerp(from, to, mid);
    at.y = max(from.y, to.y) + 2 * kGap;
    Hit hit;
    Vec3 face;
    if (settle(at, at.y - min(from.y, to.y) + def_.step_height, hit, face) && !perches(at, hit)) {
      low = mid;
      last = at;
    } else {
      high = mid;
    }
  }
  // Where walls turned the way aside the straight line between the ends says little: go on from the
  // end then.
  Hit hit;
  const Vec3 end = lerp(from, to, low);
  state_.position = result_.hit_wall && sweep(last, end - last, hit) ? to : last;
  state_.grounded = false;
  state_.ground = {};
  state_.ground_normal = kAxisY;
  result_.left_ground = true;
  fly(velocity, dt * (1 - low));
}

// What the flight has met: velocity and wish lose what goes into it.
void Mover::touch(const Hit& hit, Planes& planes, Vec3& wanted) {
  if (hit.normal.y < -0.3f) result_.hit_ceiling = true;
  planes.add(hit.normal);
  state_.velocity = planes.slide(state_.velocity);
  // Walking into a slope that does not carry does not climb it.
  const Vec3 side = normalize_or(level(hit.normal), Vec3{});
  const float into = dot(wanted, side);
  if (into < 0) {
    result_.hit_wall = true;
    wanted -= side * into;
  }
}

// In one piece while nothing is met. In contact the way bends with what it slides along (the edge
// of a ledge, say), so that it is made in short pieces then.
void Mover::fly(Vec3 velocity, float dt) {
  if (++depth_ > 4) return;
  const float piece = max(kSlidePiece, dt / 32);
  float left = dt;
  bool contact = false;
  for (int i = 0; i < 40 && left > 1e-7f; ++i) {
    float slice = contact ? min(piece, left) : left;
    left -= slice;
    Planes planes;
    Vec3 wanted = level(velocity);
    for (int k = 0; k < kMaxBounces && slice > 1e-7f; ++k) {
      const Vec3 gravity{0, -def_.gravity, 0};
      const Vec3 way =
          planes.slide((wanted + state_.velocity) * slice + gravity * (0.5f * slice * slice));
      Hit hit;
      const float l = length(way);
      const bool met = sweep(state_.position, way, hit);
      const float share = met && l > 0 ? min(1.0f, free_way(hit, way / l) / l) : 1.0f;
      state_.position += way * share;
      const float time = slice * share;
      state_.velocity = planes.slide(state_.velocity + gravity * time);
      state_.velocity.y = max(state_.velocity.y, -def_.max_fall_speed);
      slice -= time;
      if (!met || share >= 1) break;
      contact = true;
      Vec3 face;
      if (way.y <= 0 && carries(hit, face) && !perches(state_.position, hit)) {
        result_.landed = true;
        result_.landing_speed = max(0.0f, -state_.velocity.y);
        stand(hit, face);
        walk(wanted, left + slice);
        return;
      }
      touch(hit, planes, wanted);
      // The rest of a long piece is cut into short ones.
      if (slice > piece) {
        left += slice - piece;
        slice = piece;
      }
    }
  }
}

// With the body that it stands on, to where that is now.
void Mover::carry() {
  if (!state_.grounded || !world_.alive(state_.ground)) return;
  if (world_.motion(state_.ground) == Motion::kStatic) return;
  BodyState now;
  world_.read_bodies(std::span(&state_.ground, 1), std::span(&now, 1));
  const Quat turn = normalize(now.rotation * conjugate(state_.ground_rotation));
  state_.position = now.position + rotate(turn, state_.position - state_.ground_position);
  result_.carried_yaw = yaw_of(turn);
  state_.ground_position = now.position;
  state_.ground_rotation = now.rotation;
}

bool Mover::overlaps(Vec3 position) const {
  CapsuleOverlap capsule{position + Vec3{0, def_.radius, 0},
                         position + Vec3{0, def_.height - def_.radius, 0}, def_.radius, filter_};
  Hit hit;
  return world_.overlap(capsule, std::span(&hit, 1)) > 0;
}

// Out of whatever has moved into it.
void Mover::push_out() {
  for (int i = 0; i < 4; ++i) {
    CapsuleOverlap capsule{state_.position + Vec3{0, def_.radius, 0},
                           state_.position + Vec3{0, def_.height - def_.radius, 0}, def_.radius,
                           filter_};
    Hit hits[16];
    const std::size_t count = world_.overlap(capsule, hits);
    const Hit* deepest = nullptr;
    for (std::size_t k = 0; k < count; ++k) {
      if (!deepest || hits[k].depth > deepest->depth) deepest = &hits[k];
    }
    if (!deepest) return;
    state_.position += deepest->normal * (deepest->depth + kGap);
    const float into = dot(state_.velocity, deepest->normal);
    if (into < 0) state_.velocity -= deepest->normal * into;
  }
}

CapsuleMoveResult Mover::run(const CapsuleMove& move, float dt) {
  const Vec3 velocity = is_finite(move.velocity) ? level(move.velocity) : Vec3{};
  if (state_.grounded && move.jump_speed > 0 && is_finite(move.jump_speed)) {
    // From where it stood at the start of the tick, with the speed of what it stood on.
    const Vec3 start = state_.position;
    carry();
    state_.velocity = Vec3{0, move.jump_speed, 0};
    if (dt > 0) state_.velocity += (state_.position - start) / dt;
    state_.position = start;
    state_.grounded = false;
    state_.ground = {};
    result_.jumped = true;
    fly(velocity, dt);
    return result_;
  }
  carry();
  push_out();
  if (state_.grounded) {
    walk(velocity, dt);
  } else {
    fly(velocity, dt);
  }
  return result_;
}

QueryFilter filter_of(const CapsuleControllerDef& def, BodyId self, std::uint32_t group) {
  return {def.meets, self, group};
}

}  // namespace

Status validate(const CapsuleControllerDef& def) {
  const auto fault = [](std::string message) {
    return make_error(ErrorCode::kInvalidArgument, std::move(message), "capsule");
  };
  const auto number = [](float v) { return static_cast<double>(v); };
  if (!is_finite(def.radius) || !(def.radius > 0) || def.radius > 1000) {
    return fault(format_text("radius %g m is not above 0 and at most 1,000", number(def.radius)));
  }
  if (!is_finite(def.height) || def.height < 2 * def.radius || def.height > 10000) {
    return fault(
        format_text("height %g m is below twice the radius or not finite", number(def.height)));
  }
  if (!is_finite(def.step_height) || def.step_height < 0 || def.step_height > 10) {
    return fault(format_text("step height %g m is not from 0 to 10", number(def.step_height)));
  }
  if (!is_finite(def.max_slope) || def.max_slope < 0 || def.max_slope > 89 * kDegToRad) {
    return fault(format_text("largest slope %g degrees is not from 0 to 89",
                             number(def.max_slope * kRadToDeg)));
  }
  if (!is_finite(def.gravity) || !is_finite(def.max_fall_speed) || def.max_fall_speed < 0) {
    return fault("gravity or top falling speed is not finite");
  }
  return {};
}

CapsuleMoveResult move_capsule(const PhysicsWorld& world, const CapsuleControllerDef& def,
                               const CapsuleMove& move, float dt, CapsuleControllerState& state,
                               BodyId self, std::uint32_t own_group) {
  if (!is_finite(dt) || !(dt > 0)) dt = 0;
  CapsuleControllerState next = state;
  Mover mover(world, def, next, filter_of(def, self, own_group));
  const CapsuleMoveResult result = mover.run(move, dt);
  // A place too far away for a float is no place: stay.
  if (is_finite(next.position) && is_finite(next.velocity)) state = next;
  return result;
}

bool capsule_fits(const PhysicsWorld& world, const CapsuleControllerDef& def, Vec3 position,
                  BodyId self, std::uint32_t own_group) {
  CapsuleControllerState state;
  return !Mover(world, def, state, filter_of(def, self, own_group)).overlaps(position);
}

}  // namespace sinew
