#include <cassert>

#include <sinew/pose/blend.hpp>

#include "kernels.hpp"

namespace sinew {
namespace {

SoaTransform blend_group(const SoaTransform& a, const SoaTransform& b, Float4 w) {
  const Float4 v = Float4(1.0f) - w;
  return {lerp(a.translation, b.translation, w),
          normalize(a.rotation * v + align(a.rotation, b.rotation) * w), lerp(a.scale, b.scale, w)};
}

// Lanes of `yes` where the mask is set, of `no` elsewhere.
SoaTransform select(Mask4 m, const SoaTransform& yes, const SoaTransform& no) {
  using sinew::select;
  const auto v3 = [&](const SoaVec3& y, const SoaVec3& n) {
    return SoaVec3{select(m, y.x, n.x), select(m, y.y, n.y), select(m, y.z, n.z)};
  };
  const SoaQuat& p = yes.rotation;
  const SoaQuat& q = no.rotation;
  return {v3(yes.translation, no.translation),
          {select(m, p.x, q.x), select(m, p.y, q.y), select(m, p.z, q.z), select(m, p.w, q.w)},
          v3(yes.scale, no.scale)};
}

}  // namespace

namespace kernels {

void blend_sse(const SoaTransform* from, const SoaTransform* to, float weight, SoaTransform* out,
               std::size_t count) {
  const Float4 w(weight);
  for (std::size_t i = 0; i < count; ++i) out[i] = blend_group(from[i], to[i], w);
}

void blend_masked_sse(const SoaTransform* from, const SoaTransform* to, float weight,
                      const Float4* mask, SoaTransform* out, std::size_t count) {
  const Float4 zero(0.0f), one(1.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const Float4 w = mask[i] * weight;
    const SoaTransform a = from[i], b = to[i];
    out[i] = select(w < one, select(zero < w, blend_group(a, b, w), a), b);
  }
}

}  // namespace kernels

void blend_poses(ConstPoseSpan from, ConstPoseSpan to, float weight, PoseSpan out) {
  assert(from.size() == to.size() && to.size() == out.size());
  if (weight == 0.0f) return copy_pose(from, out);
  if (weight == 1.0f) return copy_pose(to, out);
#if defined(SINEW_HAS_AVX2)
  if (kernels::use_avx2())
    return kernels::blend_avx2(from.data(), to.data(), weight, out.data(), out.size());
#endif
  kernels::blend_sse(from.data(), to.data(), weight, out.data(), out.size());
}

void blend_poses(ConstPoseSpan from, ConstPoseSpan to, float weight, std::span<const Float4> mask,
                 PoseSpan out) {
  assert(from.size() == to.size() && to.size() == out.size() && mask.size() == out.size());
  if (weight == 0.0f) return copy_pose(from, out);
#if defined(SINEW_HAS_AVX2)
  if (kernels::use_avx2()) {
    return kernels::blend_masked_avx2(from.data(), to.data(), weight, mask.data(), out.data(),
                                      out.size());
  }
#endif
  kernels::blend_masked_sse(from.data(), to.data(), weight, mask.data(), out.data(), out.size());
}

void blend_poses(std::span<const ConstPoseSpan> poses, std::span<const float> weights,
                 PoseSpan out) {
  assert(poses.size() == weights.size());
  if (poses.empty()) return;
  if (poses.size() == 1 && weights[0] == 1.0f) return copy_pose(poses[0], out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Float4 w0(weights[0]);
    const SoaTransform& first = poses[0][i];
    SoaTransform sum{first.translation * w0, first.rotation * w0, first.scale * w0};
    for (std::size_t n = 1; n < poses.size(); ++n) {
      const Float4 w(weights[n]);
      const SoaTransform& p = poses[n][i];
      sum.translation = sum.translation + p.translation * w;
      sum.rotation = sum.rotation + align(sum.rotation, p.rotation) * w;
      sum.scale = sum.scale + p.scale * w;
    }
    sum.rotation = normalize(sum.rotation);
    out[i] = sum;
  }
}

void make_additive(ConstPoseSpan pose, ConstPoseSpan reference, PoseSpan difference) {
  assert(pose.size() == reference.size() && reference.size() == difference.size());
  const Float4 zero(0.0f), one(1.0f);
  const auto ratio = [&](Float4 a, Float4 b) {
    const Mask4 positive = b > zero, negative = b < zero;
    const Float4 safe = sinew::select(positive, b, sinew::select(negative, b, one));
    return a / safe;
  };
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const SoaTransform p = pose[i], r = reference[i];
    difference[i] = {
        p.translation - r.translation,
        normalize(conjugate(r.rotation) * p.rotation),
        {ratio(p.scale.x, r.scale.x), ratio(p.scale.y, r.scale.y), ratio(p.scale.z, r.scale.z)}};
  }
}

void apply_additive(ConstPoseSpan difference, float weight, std::span<const Float4> mask,
                    PoseSpan base) {
  assert(difference.size() == base.size());
  assert(mask.empty() || mask.size() == base.size());
  if (weight == 0.0f) return;
  for (std::size_t i = 0; i < base.size(); ++i) {
    for (int lane = 0; lane < 4; ++lane) {
      const float w = mask.empty() ? weight : weight * mask[i][lane];
      if (w == 0.0f) continue;
      const Transform d = get_lane(difference[i], lane);
      Transform b = get_lane(base[i], lane);
      b.translation += d.translation * w;
      b.rotation = normalize(b.rotation * slerp(Quat{}, d.rotation, w));
      b.scale = b.scale * lerp(Vec3{1, 1, 1}, d.scale, w);
      set_lane(base[i], lane, b);
    }
  }
}

}  // namespace sinew
