#include <array>
#include <cassert>

#include <sinew/graph/update.hpp>

namespace sinew {

float run_scalar_tasks(std::span<const PoseTask> program, std::span<const float> weights,
                       std::span<const float> values, std::span<float> stored) {
  using Op = PoseTask::Op;
  constexpr std::size_t kDepth = 256;
  std::array<float, kDepth> stack{};
  std::size_t size = 0;
  const auto push = [&](float value) {
    assert(size < kDepth);
    stack[size++] = value;
  };
  const auto pop = [&] {
    assert(size > 0);
    return stack[--size];
  };
  for (const PoseTask& task : program) {
    const auto index = static_cast<std::size_t>(task.index);
    switch (task.op) {
      case Op::kRest:
        push(0);
        break;
      case Op::kClip:
        push(index < values.size() ? values[index] : 0.0f);
        break;
      case Op::kStored:
        push(stored[index]);
        break;
      case Op::kStore:
        stored[index] = stack[size - 1];
        break;
      case Op::kMirror:
        break;
      case Op::kBlend: {
        assert(size >= task.count);
        float sum = 0;
        for (std::size_t i = 0; i < task.count; ++i) {
          sum += stack[size - task.count + i] * weights[task.first + i];
        }
        size -= task.count;
        push(sum);
        break;
      }
      case Op::kLerp:
      case Op::kOverride: {
        const float to = pop(), from = pop();
        push(from + (to - from) * task.weight);
        break;
      }
      case Op::kAdditive: {
        const float difference = pop(), base = pop();
        push(base + difference * task.weight);
        break;
      }
      case Op::kMakeAdditive: {
        const float reference = pop(), pose = pop();
        push(pose - reference);
        break;
      }
    }
  }
  return size > 0 ? stack[size - 1] : 0.0f;
}

}  // namespace sinew
