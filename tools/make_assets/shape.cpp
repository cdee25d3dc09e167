#include "shape.hpp"

#include <algorithm>
#include <utility>

#include "curve.hpp"

namespace sinew::make_assets {
namespace {

// Fillet between parts: small, so that a sleeve ends in an edge.
constexpr float kPartBlend = 0.004f;

// Smooth least of two: a fillet of about radius k. Source: Quilez, "Smooth minimum" (2013).
float smooth_min(float a, float b, float k) {
  const float h = max(k - abs(a - b), 0.0f) / k;
  return min(a, b) - 0.25f * h * h * k;
}

float smooth_max(float a, float b, float k) { return -smooth_min(-a, -b, k); }

// Distance to an ellipsoid about the origin, of first order. Source: Quilez, "Ellipsoid SDF".
float ellipsoid_distance(Vec3 q, Vec3 r) {
  const float k0 = length(Vec3{q.x / r.x, q.y / r.y, q.z / r.z});
  const float k1 = length(Vec3{q.x / (r.x * r.x), q.y / (r.y * r.y), q.z / (r.z * r.z)});
  return k1 > 1e-6f ? k0 * (k0 - 1) / k1 : -min(r.x, r.y);
}

constexpr float Section::* kChannels[] = {&Section::side, &Section::front, &Section::side_offset,
                                          &Section::front_offset};

}  // namespace

Limb::Limb(Vec3 origin, Vec3 axis, Vec3 side, std::vector<Section> sections, float start_cap,
           float end_cap)
    : origin_(origin),
      axis_(normalize_or(axis, kAxisY)),
      sections_(std::move(sections)),
      slopes_(sections_.size()),
      start_cap_(start_cap),
      end_cap_(end_cap) {
  side_ = normalize_or(side - axis_ * dot(side, axis_), kAxisX);
  front_ = cross(side_, axis_);
  for (std::size_t i = 1; i + 1 < sections_.size(); ++i) {
    const Section &a = sections_[i - 1], &b = sections_[i], &c = sections_[i + 1];
    for (float Section::* channel : kChannels) {
      slopes_[i].*channel = monotone_slope((b.*channel - a.*channel) / (b.at - a.at),
                                           (c.*channel - b.*channel) / (c.at - b.at));
    }
  }
  const float low = sections_.front().at - start_cap_, high = sections_.back().at + end_cap_;
  centre_ = origin_ + axis_ * (0.5f * (low + high));
  float widest = 0;
  for (const Section& s : sections_) {
    widest = max(widest, max(s.side, s.front) + abs(s.side_offset) + abs(s.front_offset));
  }
  radius_ = sqrt(square(0.5f * (high - low)) + square(widest));
}

Section Limb::section(float h) const {
  if (h <= sections_.front().at) return sections_.front();
  if (h >= sections_.back().at) return sections_.back();
  std::size_t i = 0;
  while (h > sections_[i + 1].at) ++i;
  const Section &a = sections_[i], &b = sections_[i + 1];
  const float span = b.at - a.at, t = (h - a.at) / span;
  Section out;
  for (float Section::* channel : kChannels) {
    out.*channel =
        hermite(a.*channel, b.*channel, slopes_[i].*channel, slopes_[i + 1].*channel, span, t);
  }
  return out;
}

float Limb::distance(Vec3 p) const {
  const Vec3 d = p - origin_;
  const float h = dot(d, axis_);
  const Section s = section(h);
  // Inside the span of the sections an ellipse, beyond its ends half an ellipsoid.
  const float over = h > sections_.back().at    ? (h - sections_.back().at)
                     : h < sections_.front().at ? (sections_.front().at - h)
                                                : 0.0f;
  const float cap = h > sections_.back().at ? end_cap_ : start_cap_;
  const Vec3 q{dot(d, side_) - s.side_offset, dot(d, front_) - s.front_offset, over};
  const Vec3 r{s.side, s.front, cap};
  const float solid = ellipsoid_distance(q, r);
  if (over <= 0) return solid;
  // The bound is far too small beside a flat cap: the limb also lies within its own cylinder.
  return max(solid, max(ellipsoid_distance({q.x, q.y, 0}, r), over - cap));
}

BodyShape::BodyShape() {
  add_head();
  add_torso();
  for (bool left : {true, false}) {
    add_arm(left);
    add_leg(left);
  }
}

namespace {

// A limb of the head, given at life size.
Limb grown_limb(Vec3 origin, Vec3 axis, Vec3 side, std::vector<Section> sections, float start_cap,
                float end_cap) {
  for (Section& s : sections) {
    for (float Section::* channel : kChannels) s.*channel *= kHeadScale;
    s.at *= kHeadScale;
  }
  return Limb(on_head(origin), axis, side, std::move(sections), start_cap * kHeadScale,
              end_cap * kHeadScale);
}

}  // namespace

void BodyShape::add_head() {
  Limb neck(kAxisY * 0.0f, kAxisY, kAxisX,
            {{1.41f, 0.060f, 0.058f, 0, -0.016f},
             {1.46f, 0.051f, 0.052f, 0, -0.012f},
             {1.51f, 0.048f, 0.051f, 0, -0.004f},
             {1.56f, 0.050f, 0.054f, 0, 0.000f}},
            0.02f, 0.03f);
  neck.first_bone = Bone::kUpperChest;
  neck.knots = {{1.462f, 0.07f, Bone::kNeck}, {1.535f, 0.05f, Bone::kHead}};
  Limb head = grown_limb(Vec3{}, kAxisY, kAxisX,
                         {{1.552f, 0.042f, 0.046f, 0, 0.042f},
                          {1.575f, 0.058f, 0.065f, 0, 0.028f},
                          {1.605f, 0.068f, 0.080f, 0, 0.016f},
                          {1.645f, 0.075f, 0.091f, 0, 0.006f},
                          {1.690f, 0.075f, 0.093f, 0, 0.000f},
                          {1.722f, 0.063f, 0.080f, 0, -0.002f}},
                         0.026f, 0.022f);
  head.first_bone = Bone::kHead;
  Limb nose = grown_limb({0, 1.632f, 0.090f}, {0, -1.0f, 0.42f}, kAxisX,
                         {{0, 0.008f, 0.008f}, {0.022f, 0.011f, 0.011f}, {0.036f, 0.014f, 0.012f}},
                         0.008f, 0.008f);
  nose.first_bone = Bone::kHead;
  nose.blend = 0.012f;
  add(Part::kSkin, neck);
  add(Part::kSkin, head);
  add(Part::kSkin, nose);
  for (bool left : {true, false}) {
    Limb ear = grown_limb(
        on_side(left, Vec3{0.077f, 1.597f, -0.004f}), on_side(left, Vec3{0.18f, 1, -0.12f}), kAxisZ,
        {{0.006f, 0.010f, 0.007f}, {0.022f, 0.015f, 0.009f}, {0.038f, 0.016f, 0.009f}}, 0.010f,
        0.012f);
    ear.first_bone = Bone::kHead;
    ear.blend = 0.008f;
    add(Part::kSkin, ear);
  }
  Limb hair = grown_limb(Vec3{}, kAxisY, kAxisX,
                         {{1.600f, 0.062f, 0.052f, 0, -0.040f},
                          {1.640f, 0.078f, 0.076f, 0, -0.028f},
                          {1.690f, 0.083f, 0.089f, 0, -0.014f},
                          {1.725f, 0.074f, 0.085f, 0, -0.006f}},
                         0.020f, 0.034f);
  hair.first_bone = Bone::kHead;
  Limb quiff = grown_limb({0, 1.728f, 0.060f}, {1, 0, 0}, kAxisY,
                          {{-0.044f, 0.013f, 0.014f, -0.010f, 0},
                           {0.010f, 0.022f, 0.022f, 0.002f, 0},
                           {0.046f, 0.014f, 0.014f, -0.006f, 0}},
                          0.014f, 0.014f);
  quiff.first_bone = Bone::kHead;
  quiff.blend = 0.03f;
  add(Part::kHair, hair);
  add(Part::kHair, quiff);
}

void BodyShape::add_torso() {
  Limb shirt(Vec3{}, kAxisY, kAxisX,
             {{0.905f, 0.184f, 0.134f, 0, -0.008f},
              {0.980f, 0.172f, 0.124f, 0, -0.006f},
              {1.090f, 0.150f, 0.108f, 0, -0.001f},
              {1.190f, 0.157f, 0.112f, 0, 0.000f},
              {1.290f, 0.172f, 0.120f, 0, 0.000f},
              {1.360f, 0.164f, 0.110f, 0, -0.007f},
              {1.410f, 0.128f, 0.090f, 0, -0.014f},
              {1.445f, 0.086f, 0.074f, 0, -0.016f},
              {1.472f, 0.062f, 0.062f, 0, -0.014f}},
             0.005f, 0.006f);
  shirt.first_bone = Bone::kHips;
  shirt.knots = {{1.035f, 0.11f, Bone::kSpine},
                 {1.150f, 0.12f, Bone::kChest},
                 {1.275f, 0.12f, Bone::kUpperChest}};
  add(Part::kShirt, shirt);
  for (bool left : {true, false}) {  // from the neck down to the shoulder
    Limb yoke(on_side(left, Vec3{0.040f, 1.428f, -0.016f}), on_side(left, Vec3{0.124f, -0.042f, 0}),
              kAxisZ, {{0, 0.060f, 0.030f}, {0.06f, 0.058f, 0.036f}, {0.125f, 0.056f, 0.044f}},
              0.03f, 0.03f);
    yoke.first_bone = Bone::kUpperChest;
    yoke.knots = {{0.02f, 0.08f, on_side(left, Bone::kLeftShoulder)}};
    yoke.blend = 0.05f;
    add(Part::kShirt, yoke);
  }
  Limb pelvis(Vec3{}, kAxisY, kAxisX,
              {{0.885f, 0.118f, 0.086f, 0, -0.016f},
               {0.930f, 0.150f, 0.108f, 0, -0.012f},
               {0.990f, 0.146f, 0.104f, 0, -0.006f}},
              0.070f, 0.03f);
  pelvis.first_bone = Bone::kHips;
  add(Part::kTrousers, pelvis);
}

void BodyShape::add_arm(bool left) {
  const Vec3 shoulder = on_side(left, bind_position(Bone::kLeftUpperArm));
  const Vec3 elbow = on_side(left, bind_position(Bone::kLeftLowerArm));
  const Vec3 wrist = on_side(left, bind_position(Bone::kLeftHand));
  const Vec3 knuckles = on_side(left, bind_position(Bone::kLeftFingers));
  const Vec3 thumb = on_side(left, bind_position(Bone::kLeftThumb));
  const auto bone = [&](Bone b) { return on_side(left, b); };

  Limb sleeve(shoulder, elbow - shoulder, kAxisZ,
              {{-0.008f, 0.058f, 0.050f},
               {0.030f, 0.062f, 0.056f},
               {0.080f, 0.060f, 0.057f},
               {0.160f, 0.059f, 0.058f}},
              0.045f, 0.005f);
  sleeve.first_bone = bone(Bone::kLeftShoulder);
  sleeve.knots = {{0.010f, 0.12f, bone(Bone::kLeftUpperArm)}};
  sleeve.blend = 0.06f;
  add(Part::kShirt, sleeve);

  Limb upper(shoulder, elbow - shoulder, kAxisZ,
             {{0.060f, 0.046f, 0.046f},
              {0.150f, 0.046f, 0.045f},
              {0.230f, 0.041f, 0.040f},
              {0.274f, 0.039f, 0.038f}},
             0.03f, 0.03f);
  upper.first_bone = bone(Bone::kLeftUpperArm);
  upper.knots = {{0.272f, 0.08f, bone(Bone::kLeftLowerArm)}};
  Limb lower(elbow, wrist - elbow, kAxisZ,
             {{0.000f, 0.039f, 0.038f},
              {0.070f, 0.041f, 0.038f},
              {0.160f, 0.034f, 0.030f},
              {0.235f, 0.028f, 0.022f}},
             0.03f, 0.02f);
  lower.first_bone = bone(Bone::kLeftUpperArm);
  lower.knots = {{0.0f, 0.08f, bone(Bone::kLeftLowerArm)}, {0.245f, 0.05f, bone(Bone::kLeftHand)}};
  Limb hand(wrist, knuckles - wrist, kAxisZ,
            {{-0.005f, 0.027f, 0.020f},
             {0.045f, 0.040f, 0.018f},
             {0.090f, 0.041f, 0.016f},
             {0.135f, 0.037f, 0.014f},
             {0.165f, 0.027f, 0.012f}},
            0.015f, 0.014f);
  hand.first_bone = bone(Bone::kLeftLowerArm);
  hand.knots = {{-0.002f, 0.05f, bone(Bone::kLeftHand)},
                {0.090f, 0.035f, bone(Bone::kLeftFingers)},
                {0.137f, 0.030f, bone(Bone::kLeftFingerTips)}};
  Limb finger(thumb, on_side(left, Vec3{0.45f, -0.62f, 0.64f}), kAxisZ,
              {{-0.018f, 0.016f, 0.015f}, {0.020f, 0.0135f, 0.013f}, {0.052f, 0.011f, 0.011f}},
              0.012f, 0.010f);
  finger.first_bone = bone(Bone::kLeftHand);
  finger.knots = {{0.002f, 0.030f, bone(Bone::kLeftThumb)}};
  finger.blend = 0.015f;
  for (Limb limb : {upper, lower, hand, finger}) add(Part::kSkin, std::move(limb));
}

void BodyShape::add_leg(bool left) {
  const Vec3 hip = on_side(left, bind_position(Bone::kLeftUpperLeg));
  const Vec3 knee = on_side(left, bind_position(Bone::kLeftLowerLeg));
  const Vec3 ankle = on_side(left, bind_position(Bone::kLeftFoot));
  const auto bone = [&](Bone b) { return on_side(left, b); };
  // The axis points down, so that `front` would point back: sections use negative offsets for back.
  const Vec3 side{-1, 0, 0};

  Limb thigh(hip, knee - hip, side,
             {{-0.030f, 0.070f, 0.088f, 0, -0.006f},
              {0.060f, 0.079f, 0.093f, 0, -0.004f},
              {0.170f, 0.074f, 0.083f, 0, 0.003f},
              {0.300f, 0.063f, 0.067f, 0, 0.004f},
              {0.422f, 0.055f, 0.057f, 0, 0.002f}},
             0.06f, 0.03f);
  thigh.first_bone = Bone::kHips;
  thigh.knots = {{0.015f, 0.15f, bone(Bone::kLeftUpperLeg)},
                 {0.420f, 0.10f, bone(Bone::kLeftLowerLeg)}};
  thigh.blend = 0.04f;
  Limb shin(knee, ankle - knee, side,
            {{0.000f, 0.055f, 0.057f, 0, 0.002f},
             {0.100f, 0.053f, 0.059f, 0, -0.012f},
             {0.210f, 0.050f, 0.053f, 0, -0.012f},
             {0.310f, 0.049f, 0.050f, 0, -0.008f},
             {0.402f, 0.053f, 0.058f, 0, -0.002f}},
            0.03f, 0.005f);
  shin.first_bone = bone(Bone::kLeftUpperLeg);
  shin.knots = {{0.0f, 0.10f, bone(Bone::kLeftLowerLeg)}};
  add(Part::kTrousers, thigh);
  add(Part::kTrousers, shin);

  // Heel to toe; `side` is chosen so that `front` points up.
  const float in = left ? -1.0f : 1.0f;  // the inner side bulges at the ball
  Limb foot(on_side(left, Vec3{0.102f, 0, 0}), kAxisZ, side,
            {{-0.046f, 0.039f, 0.050f, 0, 0.032f},
             {-0.005f, 0.040f, 0.058f, 0, 0.036f},
             {0.050f, 0.043f, 0.050f, in * 0.001f, 0.028f},
             {0.110f, 0.050f, 0.042f, in * 0.003f, 0.022f},
             {0.155f, 0.045f, 0.037f, in * 0.002f, 0.018f}},
            0.036f, 0.040f);
  foot.first_bone = bone(Bone::kLeftFoot);
  foot.knots = {{0.112f, 0.05f, bone(Bone::kLeftToes)}};
  Limb collar(on_side(left, Vec3{0.102f, 0, -0.018f}), kAxisY, kAxisX,
              {{0.050f, 0.040f, 0.046f}, {0.120f, 0.038f, 0.042f}}, 0.02f, 0.005f);
  collar.first_bone = bone(Bone::kLeftFoot);
  collar.knots = {{0.105f, 0.05f, bone(Bone::kLeftLowerLeg)}};
  collar.blend = 0.02f;
  add(Part::kShoes, foot);
  add(Part::kShoes, collar);
}

float BodyShape::part_distance(Part part, Vec3 p) const {
  float d = 1e3f;
  for (const Limb& limb : limbs(part)) {
    // Far limbs change nothing.
    if (length(p - limb.centre()) - limb.radius() > d + limb.blend) continue;
    d = smooth_min(d, limb.distance(p), limb.blend);
  }
  // A sole is a shoe below a plane; the plane is the seam.
  if (part == Part::kSole) return max(part_distance(Part::kShoes, p), p.y - kSoleHeight);
  return part == Part::kShoes ? smooth_max(d, -p.y, 0.006f) : d;
}

float BodyShape::distance(Vec3 p) const {
  float d = 1e3f;
  for (int part = 0; part < kPartCount; ++part) {
    if (static_cast<Part>(part) == Part::kSole) continue;  // lies in the shoes
    d = smooth_min(d, part_distance(static_cast<Part>(part), p), kPartBlend);
  }
  return d;
}

Part BodyShape::part_at(Vec3 p) const {
  if (p.y < kSoleHeight) return Part::kSole;
  int best = 0;
  float least = 1e6f;
  for (int part = 0; part < kPartCount; ++part) {
    if (static_cast<Part>(part) == Part::kSole) continue;
    const float d = part_distance(static_cast<Part>(part), p);
    if (d < least) {
      least = d;
      best = part;
    }
  }
  return static_cast<Part>(best);
}

namespace {

template <class Distance>
Vec3 central_difference(Vec3 p, Distance distance) {
  constexpr float kStep = 0.0025f;
  Vec3 g;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 step;
    step[axis] = kStep;
    g[axis] = (distance(p + step) - distance(p - step)) / (2 * kStep);
  }
  return g;
}

}  // namespace

Vec3 BodyShape::gradient(Vec3 p) const {
  return central_difference(p, [&](Vec3 q) { return distance(q); });
}

Vec3 BodyShape::part_gradient(Part part, Vec3 p) const {
  if (part == Part::kSole) part = Part::kShoes;
  return central_difference(p, [&](Vec3 q) { return part_distance(part, q); });
}

}  // namespace sinew::make_assets
