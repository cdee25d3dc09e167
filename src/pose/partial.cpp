#include <cassert>

#include <sinew/pose/partial.hpp>

namespace sinew {
namespace {

SoaVec3 select_lanes(Mask4 m, const SoaVec3& yes, const SoaVec3& no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
SoaQuat select_lanes(Mask4 m, const SoaQuat& yes, const SoaQuat& no) {
  return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z),
          select(m, yes.w, no.w)};
}

// Ends are kept bit for bit.
SoaVec3 mix(const SoaVec3& a, const SoaVec3& b, Float4 w) {
  const Float4 zero(0.0f), one(1.0f);
  return select_lanes(w < one, select_lanes(zero < w, lerp(a, b, w), a), b);
}
SoaQuat mix(const SoaQuat& a, const SoaQuat& b, Float4 w) {
  const Float4 zero(0.0f), one(1.0f);
  const SoaQuat between = normalize(a * (one - w) + align(a, b) * w);
  return select_lanes(w < one, select_lanes(zero < w, between, a), b);
}

SoaTransform mix(const SoaTransform& a, const SoaTransform& b, const ChannelWeights& w) {
  return {mix(a.translation, b.translation, w.translation), mix(a.rotation, b.rotation, w.rotation),
          mix(a.scale, b.scale, w.scale)};
}

Float4 at_most_one(Float4 w) {
  const Float4 one(1.0f);
  return select(w < one, w, one);
}

// 1 / w where w is in (0, 1), else 1.
Float4 share_of(Float4 w) {
  const Float4 zero(0.0f), one(1.0f);
  return one / select((zero < w) & (w < one), w, one);
}

// One group of the weighted mean.
class GroupSum {
 public:
  void add(const SoaTransform& p, float weight, const ChannelWeights* there) {
    const Float4 w(weight);
    const Float4 t = there ? there->translation * w : w;
    const Float4 r = there ? there->rotation * w : w;
    const Float4 s = there ? there->scale * w : w;
    translation_ = translation_ + p.translation * t;
    rotation_ = rotation_ + align(rotation_, p.rotation) * r;
    scale_ = scale_ + p.scale * s;
    sum_ = {sum_.translation + t, sum_.rotation + r, sum_.scale + s};
  }

  SoaTransform result(const SoaTransform& otherwise) const {
    const Float4 zero(0.0f);
    return {select_lanes(zero < sum_.translation, translation_ * share_of(sum_.translation),
                         otherwise.translation),
            select_lanes(zero < sum_.rotation, normalize(rotation_), otherwise.rotation),
            select_lanes(zero < sum_.scale, scale_ * share_of(sum_.scale), otherwise.scale)};
  }
  ChannelWeights there() const {
    return {at_most_one(sum_.translation), at_most_one(sum_.rotation), at_most_one(sum_.scale)};
  }

 private:
  static SoaVec3 none() { return {Float4(0.0f), Float4(0.0f), Float4(0.0f)}; }
  SoaVec3 translation_ = none(), scale_ = none();
  SoaQuat rotation_{Float4(0.0f), Float4(0.0f), Float4(0.0f), Float4(0.0f)};
  ChannelWeights sum_ = ChannelWeights::uniform(0);
};

}  // namespace

std::vector<ChannelWeights> channel_weights(const Clip& clip, const Skeleton& skeleton) {
  std::vector<ChannelWeights> out(static_cast<std::size_t>(skeleton.group_count()),
                                  ChannelWeights::uniform(0));
  const auto channels = clip.channels();
  for (std::size_t joint = 0; joint < channels.size(); ++joint) {
    const int slot = skeleton.slot(static_cast<int>(joint));
    ChannelWeights& group = out[static_cast<std::size_t>(slot / 4)];
    const auto has = [&](std::uint8_t bit) { return (channels[joint] & bit) != 0 ? 1.0f : 0.0f; };
    group.translation.set(slot % 4, has(kTranslationChannel));
    group.rotation.set(slot % 4, has(kRotationChannel));
    group.scale.set(slot % 4, has(kScaleChannel));
  }
  return out;
}

void fill_pose(ConstPoseSpan base, std::span<const ChannelWeights> there, PoseSpan pose) {
  assert(base.size() == pose.size() && there.size() == pose.size());
  for (std::size_t i = 0; i < pose.size(); ++i) pose[i] = mix(base[i], pose[i], there[i]);
}

void blend_partial(ConstPoseSpan from, ConstPoseSpan to, float weight,
                   std::span<const ChannelWeights> there, std::span<const Float4> mask,
                   PoseSpan out) {
  assert(from.size() == out.size() && to.size() == out.size() && there.size() == out.size());
  assert(mask.empty() || mask.size() == out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Float4 w = mask.empty() ? Float4(weight) : mask[i] * weight;
    const ChannelWeights& t = there[i];
    out[i] = mix(from[i], to[i], {t.translation * w, t.rotation * w, t.scale * w});
  }
}

void blend_partial(std::span<const PartialPose> poses, std::span<const float> weights,
                   ConstPoseSpan otherwise, PoseSpan out, std::span<ChannelWeights> there) {
  assert(poses.size() == weights.size() && there.size() == out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    GroupSum sum;
    for (std::size_t n = 0; n < poses.size(); ++n) {
      sum.add(poses[n].pose[i], weights[n], poses[n].there.empty() ? nullptr : &poses[n].there[i]);
    }
    out[i] = sum.result(otherwise[i]);
    there[i] = sum.there();
  }
}

}  // namespace sinew
