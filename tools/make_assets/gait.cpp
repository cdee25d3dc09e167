// Walk and run. One description of a foot's cycle serves both; the right side is the left one, half
// a cycle later and reflected.
//
// Figures after Winter, "Biomechanics and Motor Control of Human Movement" (walking), and
// Novacheck, "The biomechanics of running" (1998), rounded and adapted to this body.
#include <algorithm>

#include "clips.hpp"
#include "curve.hpp"

namespace sinew::make_assets {
namespace {

// One foot. Phases are shares of the cycle, 0 where the heel meets the ground. Contacts begin and
// end at keys, so that no key's interpolation reaches into them.
struct FootCycle {
  float flat_at, heel_off_at, toe_off_at;
  float ahead;                    // metres: how far before the root the foot is placed
  float side;                     // metres from the middle line
  float turn_out;                 // radians
  std::vector<Curve::Key> pitch;  // whole cycle, degrees, toes up; 0 while flat
  std::vector<Curve::Key>
      swing_height;  // of the ankle: share of the swing, metres; ends are filled in
  float swing_toes;  // degrees, toes up, at the strike
  float gentle;      // share of the first acceleration of the swing that is put off
};

struct Gait {
  float speed, period;
  FootCycle foot;
  float hips_height;  // of the hips joint, mean
  float hips_ahead;   // of the root
};

class FootPath {
 public:
  FootPath(const Gait& gait, bool left)
      : gait_(gait),
        left_(left),
        pitch_(gait.foot.pitch, 1.0f),
        lift_(toe_off_ankle().y, strike_ankle().y, gait.foot) {}

  // `cycle`: phases since the strike of loop 0, any number.
  FootPose at(float cycle) const {
    const float loop = floor_of(cycle);
    const float phase = cycle - loop;
    FootPose foot = phase <= gait_.foot.toe_off_at ? stance(phase) : swing(phase);
    // The right foot's cycle begins half a stride farther on.
    foot.ankle.z += (left_ ? loop : loop + 0.5f) * stride();
    return foot;
  }

  float stride() const { return gait_.speed * gait_.period; }

 private:
  static float floor_of(float x) {
    const auto whole = static_cast<float>(static_cast<int>(x));
    return whole > x ? whole - 1 : whole;
  }

  // Height of the ankle in the swing, over its share of the swing.
  struct Lift {
    Curve curve;
    Lift(float from, float to, const FootCycle& foot) : curve(keys(from, to, foot)) {}
    static std::vector<Curve::Key> keys(float from, float to, const FootCycle& foot) {
      std::vector<Curve::Key> list{{0, from}};
      list.insert(list.end(), foot.swing_height.begin(), foot.swing_height.end());
      list.push_back({1, to});
      return list;
    }
  };

  FootPose turned(float phase) const {
    FootPose foot;
    foot.yaw = left_ ? gait_.foot.turn_out : -gait_.foot.turn_out;
    foot.knee_yaw = 0.5f * foot.yaw;
    foot.pitch = deg(pitch_(phase));
    return foot;
  }

  // Where a point of the bind-pose foot lies while the sole is flat.
  Vec3 planted(Vec3 bind_point) const {
    const Vec3 ankle = bind_position(on_side(left_, Bone::kLeftFoot));
    FootPose flat = turned(0);
    flat.pitch = 0;
    const Vec3 under{left_ ? gait_.foot.side : -gait_.foot.side, 0, gait_.foot.ahead};
    const Vec3 from_under = bind_point - Vec3{ankle.x, 0, 0};
    return under + rotate(foot_rotation(flat), from_under);
  }

  // Rolls over the heel, lies flat, rolls over the ball with the toes on the ground.
  FootPose stance(float phase) const {
    FootPose foot = turned(phase);
    // The toes' joint, not the sole below it, so that the toes stay where they are.
    const Vec3 pivot = phase < gait_.foot.flat_at ? sole_points(left_).heel
                                                  : bind_position(on_side(left_, Bone::kLeftToes));
    foot.ankle = ankle_about(left_, foot, pivot, planted(pivot));
    if (phase < gait_.foot.flat_at) {
      const float t = 1 - phase / gait_.foot.flat_at;
      foot.toes = deg(gait_.foot.swing_toes) * t * t * (3 - 2 * t);
    } else {
      foot.toes = -foot.pitch;
    }
    return foot;
  }
  Vec3 toe_off_ankle() const { return stance(gait_.foot.toe_off_at).ankle; }
  Vec3 strike_ankle() const { return stance(0).ankle; }

  // From the last moment on the ground to the next first one, meeting both in place and velocity.
  FootPose swing(float phase) const {
    constexpr float kStep = 1e-3f;
    const float off = gait_.foot.toe_off_at, span = 1 - off;
    const float s = (phase - off) / span;
    FootPose foot = turned(phase);
    const FootPose from = stance(off), before = stance(off - kStep);
    const FootPose to = stance(0), after = stance(kStep);
    const Vec3 v0 = (from.ankle - before.ankle) / kStep, v1 = (after.ankle - to.ankle) / kStep;
    Vec3 end = to.ankle;
    end.z += stride();
    foot.ankle.x = hermite(from.ankle.x, end.x, v0.x, v1.x, span, s);
    foot.ankle.z = hermite(from.ankle.z, end.z, v0.z, v1.z, span, s) -
                   gentle_start(end.z - from.ankle.z, v0.z * span, v1.z * span, s);
    foot.ankle.y = swing_height(s, v0.y * span, v1.y * span);
    const float toes0 = (from.toes - before.toes) / kStep;
    // The toes straighten in the first part of the swing and rise again before the strike.
    constexpr float kStraight = 0.45f;
    if (s < kStraight) {
      foot.toes = hermite(from.toes, deg(4), toes0, 0, span * kStraight, s / kStraight);
    } else {
      const float t = (s - kStraight) / (1 - kStraight);
      foot.toes = lerp(deg(4), to.toes, t * t * (3 - 2 * t));
    }
    return foot;
  }

  // Takes most of a cubic's jump of acceleration away from the start of the swing, so that the
  // nearly straight leg does not kick. Ends and their slopes stay as they are.
  float gentle_start(float way, float slope0, float slope1, float s) const {
    const float acceleration = 6 * way - 4 * slope0 - 2 * slope1;
    return gait_.foot.gentle * 0.5f * acceleration * s * s * (1 - s) * square(1 - s);
  }

  // The keys' curve has no slope at its ends: what is missing there is added and fades out.
  float swing_height(float s, float slope0, float slope1) const {
    const float a = clamp01(s / 0.35f), b = clamp01((1 - s) / 0.35f);
    return lift_.curve(s) + slope0 * s * square(1 - a) - slope1 * (1 - s) * square(1 - b);
  }

  const Gait& gait_;
  bool left_;
  Curve pitch_;
  Lift lift_;
};

float wave(float phase, float peak_at) { return cos(kTwoPi * (phase - peak_at)); }

void annotate(RawClip& clip, const Gait& gait) {
  ClipAnnotations& notes = clip.annotations;
  const float period = gait.period;
  const auto wrapped = [&](float phase) { return (phase >= 1 ? phase - 1 : phase) * period; };
  for (bool left : {true, false}) {
    const float strike = left ? 0.0f : 0.5f;
    const std::string side = left ? "left" : "right";
    notes.events.push_back({strike * period, "footstep", 1, left ? 0 : 1, side});
    notes.sync_markers.push_back({strike * period, side});
    notes.contacts.push_back({left ? JointRole::kLeftFoot : JointRole::kRightFoot, "",
                              wrapped(strike + gait.foot.flat_at),
                              wrapped(strike + gait.foot.heel_off_at)});
    notes.contacts.push_back({left ? JointRole::kLeftToes : JointRole::kRightToes, "",
                              wrapped(strike + gait.foot.flat_at),
                              wrapped(strike + gait.foot.toe_off_at)});
  }
}

Gait walk_gait() {
  Gait gait;
  gait.speed = kWalkSpeed;
  gait.period = 1.0f;
  const auto keys = [&](float count) { return count / (gait.period * kKeyRate); };
  gait.foot = {keys(5), keys(22), keys(37), 0.372f, 0.072f, deg(6), {}, {}, 14, 0};
  gait.foot.pitch = {{0.00f, 15},     {keys(5), 0}, {keys(22), 0}, {0.50f, -22},
                     {keys(37), -58}, {0.66f, -62}, {0.80f, -8},   {0.93f, 19}};
  gait.foot.swing_height = {{0.22f, 0.225f}, {0.62f, 0.115f}, {0.80f, 0.122f}};
  gait.hips_height = 0.925f;
  gait.hips_ahead = 0.015f;
  return gait;
}

PersonPose walk_pose(const Gait& gait, const FootPath& left_path, const FootPath& right_path,
                     float seconds) {
  const float p = seconds / gait.period;
  PersonPose pose;
  pose.root.translation.z = gait.speed * seconds;
  pose.left_foot = left_path.at(p);
  pose.right_foot = right_path.at(p - 0.5f);
  // Twice a cycle the hips rise over the standing leg; once they sway to each side.
  pose.hips = {0.018f * wave(p, 0.30f), gait.hips_height + 0.017f * wave(2 * p, 0.58f),
               gait.hips_ahead + 0.006f * wave(2 * p, 0.10f)};
  pose.hips_rotation = trunk_rotation(deg(-6) * wave(p, 0), deg(3) + deg(1) * wave(2 * p, 0.05f),
                                      deg(3.5f) * wave(p, 0.17f));
  pose.chest_rotation =
      trunk_rotation(deg(7) * wave(p, 0.02f), deg(4), deg(-1.5f) * wave(p, 0.22f));
  pose.head_rotation = trunk_rotation(deg(1) * wave(p, 0.05f), deg(2), deg(-0.5f) * wave(p, 0.25f));
  for (bool left : {true, false}) {
    const float q = left ? p : p - 0.5f;  // the arm is forward half a cycle after its leg
    ArmPose& arm = pose.arm(left);
    arm.swing = deg(2) + deg(23) * wave(q, 0.5f);
    arm.out = deg(7);
    arm.inward = deg(16);
    arm.elbow = deg(25) + deg(11) * wave(q, 0.54f);
    arm.pronation = deg(14);
    arm.wrist = deg(4) * wave(q, 0.65f);
    arm.raise = deg(-1);
    arm.advance = deg(4) * wave(q, 0.5f);
    arm.curl = 0.35f;
    arm.thumb = 0.2f;
  }
  return pose;
}

Gait run_gait() {
  Gait gait;
  gait.speed = kRunSpeed;
  gait.period = 0.7f;
  const auto keys = [&](float count) { return count / (gait.period * kKeyRate); };
  gait.foot = {keys(2), keys(6), keys(14), 0.343f, 0.050f, deg(4), {}, {}, 10, 0.7f};
  gait.foot.pitch = {{0.00f, 6},   {keys(2), 0}, {keys(6), 0}, {0.25f, -30}, {keys(14), -62},
                     {0.40f, -82}, {0.56f, -74}, {0.80f, 0},   {0.93f, 9}};
  gait.foot.swing_height = {{0.33f, 0.47f}, {0.66f, 0.33f}, {0.90f, 0.135f}};
  gait.hips_height = 0.884f;
  gait.hips_ahead = 0.02f;
  return gait;
}

// Height of the body over half a cycle, 0 at the strike: falls and rises under the push of the leg
// (acceleration -g + b sin^2), then flies free. Continuous in velocity and acceleration.
float bounce(float half_phase, const Gait& gait) {
  const float stance = gait.foot.toe_off_at * gait.period;
  const float flight = 0.5f * gait.period - stance;
  const float t = half_phase * 0.5f * gait.period;
  const float up = 0.5f * kGravity * flight;  // velocity at take-off
  if (t >= stance) {
    const float u = t - stance;
    return up * u - 0.5f * kGravity * u * u;
  }
  const float b = 2 * kGravity * (stance + flight) / stance;
  // Twice the integral of -g + b sin^2(pi t / stance), with velocity -up at the start.
  const float k = kTwoPi / stance;
  return -up * t - 0.5f * kGravity * t * t + 0.25f * b * t * t -
         0.5f * b * (1 - cos(k * t)) / (k * k);
}

PersonPose run_pose(const Gait& gait, const FootPath& left_path, const FootPath& right_path,
                    float seconds) {
  const float p = seconds / gait.period;
  const float half = 2 * p - static_cast<float>(static_cast<int>(2 * p));
  PersonPose pose;
  pose.root.translation.z = gait.speed * seconds;
  pose.left_foot = left_path.at(p);
  pose.right_foot = right_path.at(p - 0.5f);
  pose.hips = {0.012f * wave(p, 0.19f), gait.hips_height + bounce(half, gait),
               gait.hips_ahead + 0.010f * wave(2 * p, 0.75f)};
  pose.hips_rotation = trunk_rotation(deg(-9) * wave(p, 0), deg(9) + deg(2) * wave(2 * p, 0.7f),
                                      deg(4) * wave(p, 0.16f));
  pose.chest_rotation = trunk_rotation(deg(11) * wave(p, 0), deg(11), deg(-2) * wave(p, 0.2f));
  pose.head_rotation = trunk_rotation(deg(1) * wave(p, 0), deg(3), 0);
  for (bool left : {true, false}) {
    const float q = left ? p : p - 0.5f;
    ArmPose& arm = pose.arm(left);
    arm.swing = deg(-8) + deg(40) * wave(q, 0.48f);
    arm.out = deg(12);
    arm.inward = deg(20) + deg(14) * wave(q, 0.5f);
    arm.elbow = deg(92) + deg(16) * wave(q, 0.5f);
    arm.pronation = deg(6);
    arm.raise = deg(1);
    arm.advance = deg(7) * wave(q, 0.48f);
    arm.curl = 0.9f;
    arm.thumb = 0.5f;
  }
  return pose;
}

}  // namespace

RawClip make_walk() {
  const Gait gait = walk_gait();
  const FootPath left(gait, true), right(gait, false);
  RawClip clip =
      bake("walk", gait.period, true, [&](float t) { return walk_pose(gait, left, right, t); });
  annotate(clip, gait);
  return clip;
}

RawClip make_run() {
  const Gait gait = run_gait();
  const FootPath left(gait, true), right(gait, false);
  RawClip clip =
      bake("run", gait.period, true, [&](float t) { return run_pose(gait, left, right, t); });
  annotate(clip, gait);
  return clip;
}

}  // namespace sinew::make_assets
