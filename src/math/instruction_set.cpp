#include <sinew/math/instruction_set.hpp>

namespace sinew {
namespace {

InstructionSet best_available() {
  if (is_available(InstructionSet::kAvx2)) return InstructionSet::kAvx2;
  return is_available(InstructionSet::kSse2) ? InstructionSet::kSse2 : InstructionSet::kPortable;
}

InstructionSet& chosen() {
  static InstructionSet set = best_available();
  return set;
}

}  // namespace

bool is_available(InstructionSet set) {
  switch (set) {
    case InstructionSet::kPortable:
      return true;
    case InstructionSet::kSse2:
#if defined(__SSE2__) && !defined(SINEW_SCALAR_FLOAT4)
      return true;
#else
      return false;
#endif
    case InstructionSet::kAvx2:
#if defined(SINEW_HAS_AVX2)
      return __builtin_cpu_supports("avx2") != 0;
#else
      return false;
#endif
  }
  return false;
}

void force_instruction_set(InstructionSet set) {
  chosen() = is_available(set) ? set : best_available();
}

InstructionSet instruction_set() { return chosen(); }

}  // namespace sinew
