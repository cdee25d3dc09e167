// Which vector instructions the kernels use. All of them give the same bits; the best that the
// machine has is chosen at start.
#pragma once

// Functions between SINEW_AVX2_BEGIN and SINEW_AVX2_END are compiled for AVX2 (never for FMA, which
// rounds differently); what they include is not, so that no other code comes to depend on it.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__)) && \
    !defined(SINEW_SCALAR_FLOAT4)
#define SINEW_HAS_AVX2 1
#if defined(__clang__)
#define SINEW_AVX2_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2\"))), apply_to = function)")
#define SINEW_AVX2_END _Pragma("clang attribute pop")
#else
#define SINEW_AVX2_BEGIN _Pragma("GCC push_options") _Pragma("GCC target(\"avx2\")")
#define SINEW_AVX2_END _Pragma("GCC pop_options")
#endif
#endif

namespace sinew {

enum class InstructionSet { kPortable, kSse2, kAvx2 };

// True if this build has kernels for it and this machine can run them.
bool is_available(InstructionSet set);
// What the kernels use from now on; falls back to the best available one below. For tests and
// benches; not to be called while poses are made.
void force_instruction_set(InstructionSet set);
InstructionSet instruction_set();

}  // namespace sinew
