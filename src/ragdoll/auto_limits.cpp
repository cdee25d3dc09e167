// Limits of joints: what the clips show, or what bodies of that kind can do.
#include <algorithm>

#include <sinew/physics/null_world.hpp>

#include "auto_parts.hpp"

namespace sinew::auto_ragdoll_detail {

namespace {

using Role = JointRole;

constexpr std::size_t kMostClips = 60;
constexpr int kSamplesPerClip = 16;
// Less motion than this says nothing about what a joint can do.
constexpr float kLeastSeconds = 4;
constexpr std::size_t kLeastClips = 3;
constexpr float kLeastHalf = 5 * kDegToRad;
// Whatever the clips do (spins, flips through the far side).
constexpr Vec3 kWidest{100 * kDegToRad, 75 * kDegToRad, 135 * kDegToRad};

Quat column_frame(Vec3 x, Vec3 z) {
  const Vec3 y = cross(z, x);
  Mat3x4 m;
  m.row[0] = {x.x, y.x, z.x, 0};
  m.row[1] = {x.y, y.y, z.y, 0};
  m.row[2] = {x.z, y.z, z.z, 0};
  return normalize(decompose(m).rotation);
}

// The joint's rotation in the parent body's joint, over all clips. `enough`: they say what the
// joint can do.
std::vector<Quat> clip_rotations(const Body& body, const Part& part, bool& enough) {
  std::vector<Quat> out;
  const Skeleton& skeleton = body.model->skeleton;
  const int top = body.parts[static_cast<std::size_t>(part.parent)].joint;
  float seconds = 0;
  std::size_t clips = 0;
  for (const RawClip& clip : body.model->clips) {
    if (clips >= kMostClips) break;
    ++clips;
    seconds += clip.duration;
    for (int s = 0; s < kSamplesPerClip; ++s) {
      const float t = clip.duration * static_cast<float>(s) / (kSamplesPerClip - 1);
      Quat q;
      for (int j = part.joint; j != top && j >= 0; j = skeleton.parent(j)) {
        Quat local = skeleton.rest(j).rotation;
        for (const JointTrack& track : clip.tracks) {
          if (track.joint == j) local = sample(track.rotation, t, local);
        }
        q = normalize(local * q);
      }
      out.push_back(out.empty() ? q : align(out.front(), q));
    }
  }
  enough = seconds >= kLeastSeconds && clips >= kLeastClips;
  return out;
}

bool limits_from_clips(const Body& body, const Part& part, RagdollBodySource& out) {
  if (!body.options.use_clips) return false;
  bool enough = false;
  const std::vector<Quat> rotations = clip_rotations(body, part, enough);
  if (!enough) return false;
  Quat sum{0, 0, 0, 0};
  for (const Quat q : rotations) sum = sum + q;
  const Quat mean = normalize(sum);
  // The axis across the bone about which it turns most.
  const Vec3 x = rotate(conjugate(body.turn(part.joint)), part.axis);
  const Vec3 u = any_perpendicular(x), w = cross(x, u);
  float uu = 0, uw = 0, ww = 0;
  for (const Quat q : rotations) {
    const Vec3 d = to_rotation_vector(align(Quat{}, normalize(conjugate(mean) * q)));
    const float a = dot(d, u), b = dot(d, w);
    uu += a * a;
    uw += a * b;
    ww += b * b;
  }
  const float angle = 0.5f * atan2(2 * uw, uu - ww);
  const Vec3 z = normalize_or(u * cos(angle) + w * sin(angle), u);
  const Quat frame = column_frame(x, z);
  std::vector<float> angles[3];
  for (const Quat q : rotations) {
    const Vec3 e = to_euler_xyz(normalize(conjugate(mean * frame) * q * frame));
    for (int i = 0; i < 3; ++i) angles[i].push_back(e[i]);
  }
  out.twist_axis = x;
  out.swing_axis = z;
  out.has_neutral = true;
  out.neutral = mean;
  for (int i = 0; i < 3; ++i) {
    const float low = percentile(angles[i], 0.01f) - body.options.margin,
                high = percentile(angles[i], 0.99f) + body.options.margin;
    const float widen = max(0, kLeastHalf - 0.5f * (high - low));
    out.low[i] = clamp(low - widen, -kWidest[i], kWidest[i]);
    out.high[i] = clamp(high + widen, -kWidest[i], kWidest[i]);
  }
  return true;
}

// What a joint can do, degrees. Flexion turns the bone toward `toward`.
enum class Way : std::uint8_t { kForward, kBackward, kUp };
struct Template {
  Way toward;
  float flex_low, flex_high, side, twist;
  bool hinge = false;  // flexion counts from the straight limb, not from the rest pose
};

Template template_of(Role role, bool quadruped) {
  switch (role) {
    case Role::kSpine:
    case Role::kChest:
    case Role::kUpperChest:
      return quadruped ? Template{Way::kUp, -20, 20, 20, 15}
                       : Template{Way::kForward, -20, 35, 20, 20};
    case Role::kNeck:
      return quadruped ? Template{Way::kUp, -50, 40, 40, 30}
                       : Template{Way::kForward, -40, 45, 35, 55};
    case Role::kHead:
      return quadruped ? Template{Way::kUp, -45, 35, 30, 30}
                       : Template{Way::kForward, -40, 45, 35, 55};
    case Role::kTail:
      return {Way::kUp, -45, 45, 45, 15};
    case Role::kLeftUpperArm:
    case Role::kRightUpperArm:
      return {Way::kForward, -80, 80, 70, 50};
    case Role::kLeftLowerArm:
    case Role::kRightLowerArm:
      return {Way::kForward, -3, 140, 8, 35, true};
    case Role::kLeftHand:
    case Role::kRightHand:
      return {Way::kForward, -55, 55, 25, 15};
    case Role::kLeftUpperLeg:
    case Role::kRightUpperLeg:
      return {Way::kForward, -25, 105, 35, 25};
    case Role::kLeftLowerLeg:
    case Role::kRightLowerLeg:
      return {Way::kBackward, -3, 140, 6, 8, true};
    case Role::kLeftFoot:
    case Role::kRightFoot:
      return {Way::kUp, -40, 25, 12, 12};
    case Role::kFrontLeftUpper:
    case Role::kFrontRightUpper:
    case Role::kHindLeftUpper:
    case Role::kHindRightUpper:
      return {Way::kForward, -45, 50, 15, 12};
    default:
      return {Way::kForward, -45, 45, quadruped ? 10.0f : 20.0f, 12};
  }
}

bool is_upper_arm(Role role) { return role == Role::kLeftUpperArm || role == Role::kRightUpperArm; }

void limits_from_template(const Body& body, const Part& part, RagdollBodySource& out) {
  const Template t = template_of(part.role, body.model->roles.plan == BodyPlan::kQuadruped);
  const Vec3 bone = part.axis;
  const Vec3 toward = t.toward == Way::kForward    ? body.forward
                      : t.toward == Way::kBackward ? -body.forward
                                                   : kAxisY;
  Vec3 z = cross(bone, toward);
  if (length(z) < 0.15f) z = cross(body.forward, kAxisY);
  z = normalize_or(z - bone * dot(bone, z), any_perpendicular(bone));
  const Quat to_joint = conjugate(body.turn(part.joint));
  out.twist_axis = rotate(to_joint, bone);
  out.swing_axis = rotate(to_joint, z);
  const Part& parent = body.parts[static_cast<std::size_t>(part.parent)];
  float bend = 0;
  if (t.hinge) {
    bend = atan2(dot(cross(parent.axis, bone), z), dot(parent.axis, bone)) * kRadToDeg;
  }
  out.low = Vec3{-t.twist, -t.side, max(t.flex_low - bend, -135)} * kDegToRad;
  out.high = Vec3{t.twist, t.side, min(t.flex_high - bend, 135)} * kDegToRad;
  if (!is_upper_arm(part.role)) return;
  // The middle of what a shoulder does lies down, aside and forward, wherever the rest pose has it.
  const Vec3 aside = normalize_or(Vec3{bone.x, 0, bone.z} - body.forward * dot(bone, body.forward),
                                  cross(kAxisY, body.forward));
  const Vec3 middle = normalize_or(aside * 0.6f - kAxisY * 0.6f + body.forward * 0.5f, bone);
  const Quat turn = rotation_between(bone, middle) * body.turn(part.joint);
  out.has_neutral = true;
  out.neutral = normalize(conjugate(body.turn(parent.joint)) * turn);
}

// The rest pose, and the few poses that there are, must lie inside.
void hold_poses(const Body& body, const Part& part, RagdollBodySource& out) {
  const Quat frame = column_frame(out.twist_axis, out.swing_axis);
  const Part& parent = body.parts[static_cast<std::size_t>(part.parent)];
  const Quat rest = normalize(conjugate(body.turn(parent.joint)) * body.turn(part.joint));
  const Quat neutral = out.has_neutral ? out.neutral : rest;
  bool enough = false;
  std::vector<Quat> poses;
  if (body.options.use_clips) poses = clip_rotations(body, part, enough);
  poses.push_back(rest);
  std::vector<float> angles[3];
  for (const Quat q : poses) {
    const Vec3 e = to_euler_xyz(normalize(conjugate(neutral * frame) * q * frame));
    for (int i = 0; i < 3; ++i) angles[i].push_back(e[i]);
  }
  constexpr float kRoom = 2 * kDegToRad;
  for (int i = 0; i < 3; ++i) {
    const float at_rest = angles[i].back();
    const float low = min(percentile(angles[i], 0.01f), at_rest) - kRoom,
                high = max(percentile(angles[i], 0.99f), at_rest) + kRoom;
    out.low[i] = min(out.low[i], max(low, -kWidest[i]));
    out.high[i] = max(out.high[i], min(high, kWidest[i]));
  }
}

}  // namespace

void set_limits(const Body& body, const Part& part, RagdollBodySource& out) {
  out.twist_axis = rotate(conjugate(body.turn(part.joint)), part.axis);
  out.swing_axis = any_perpendicular(normalize_or(out.twist_axis, kAxisY));
  if (part.parent < 0) return;
  if (!limits_from_clips(body, part, out)) {
    limits_from_template(body, part, out);
    hold_poses(body, part, out);
  }
}

}  // namespace sinew::auto_ragdoll_detail
