// The hot loops over groups. Each exists once in four lanes (the reference) and once for AVX2, with
// the same operations in the same order.
#pragma once

#include <sinew/asset/skeleton.hpp>
#include <sinew/math/instruction_set.hpp>

namespace sinew::kernels {

// out = from + (to - from) * weight, rotations normalized after aligning signs.
void blend_sse(const SoaTransform* from, const SoaTransform* to, float weight, SoaTransform* out,
               std::size_t count);
// The same with a weight per lane, mask * weight; lanes at 0 (or below) and 1 (or above) copy.
void blend_masked_sse(const SoaTransform* from, const SoaTransform* to, float weight,
                      const Float4* mask, SoaTransform* out, std::size_t count);
// Between two samples of a clip, whose signs agree.
void interpolate_sse(const SoaTransform* a, const SoaTransform* b, float t, SoaTransform* out,
                     std::size_t count);

#if defined(SINEW_HAS_AVX2)
void blend_avx2(const SoaTransform* from, const SoaTransform* to, float weight, SoaTransform* out,
                std::size_t count);
void blend_masked_avx2(const SoaTransform* from, const SoaTransform* to, float weight,
                       const Float4* mask, SoaTransform* out, std::size_t count);
void interpolate_avx2(const SoaTransform* a, const SoaTransform* b, float t, SoaTransform* out,
                      std::size_t count);
void local_to_model_avx2(const Skeleton& skeleton, const SoaTransform* local, Mat3x4* out,
                         const Mat3x4& root);
#endif

inline bool use_avx2() {
#if defined(SINEW_HAS_AVX2)
  return instruction_set() == InstructionSet::kAvx2;
#else
  return false;
#endif
}

}  // namespace sinew::kernels
