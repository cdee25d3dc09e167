#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include <sinew/graph/update.hpp>
#include <sinew/math/inertialize.hpp>
#include <sinew/pose/dead_blend_pose.hpp>

#include "layout.hpp"

namespace sinew {
namespace {

using Op = PoseTask::Op;

// A number instead of a pose, and how much of it is there.
struct Number {
  float value = 0;
  float there = 1;
};

// What is kept of a handed-over transition.
struct ScalarOffset {
  InertializeCurve curve;
  float from = 0, velocity = 0;
};
static_assert(sizeof(ScalarOffset) == graph_detail::kScalarOffsetFloats * sizeof(float));

class ScalarMachine {
 public:
  ScalarMachine(std::span<const float> weights, std::span<const float> values,
                std::span<float> memory, std::size_t poses, std::span<ScalarLayer> layers)
      : weights_(weights), values_(values), memory_(memory), poses_(poses), layers_(layers) {}

  void step(const PoseTask& task) {
    switch (task.op) {
      case Op::kRest:
        return push({0, 1});
      case Op::kClip:
        return push(clip(task));
      case Op::kStored:
        return push(load(task.index));
      case Op::kStore:
        return save(task.index, top());
      case Op::kKeep:
        return save(task.index, load(static_cast<int>(task.first)));
      case Op::kMirror:
        return;
      case Op::kBlend:
        return blend(task.count, weights_.data() + task.first);
      case Op::kLerp: {
        const float pair[2] = {1 - task.weight, task.weight};
        if (top(0).there == 1 && top(1).there == 1) {
          const float to = pop().value, from = pop().value;
          return push({from + (to - from) * task.weight, 1});
        }
        return blend(2, pair);
      }
      case Op::kOverride:
      case Op::kAdditive:
        return put_over(task);
      case Op::kMakeAdditive: {
        const Number reference = pop(), pose = pop();
        return push({(pose.value - reference.value) * pose.there, 1});
      }
      case Op::kFill:
        return fill(0, load(task.index));
      case Op::kFillBelow:
        return fill(0, top(task.count));
      case Op::kBelow:
        return push({top(task.count - 1).value, 1});
      case Op::kStartInertia:
      case Op::kStartDeadBlend:
        return start(task);
      case Op::kInertia:
        top().value += offset(task.index).curve.value(task.time);
        return;
      case Op::kDeadBlend: {
        const ScalarOffset kept = offset(task.index);
        const float old = kept.from + kept.velocity * drift_time(task.time);
        top().value = old + (top().value - old) * task.weight;
        return;
      }
    }
  }

  std::size_t size() const { return size_; }
  Number& top(std::size_t below = 0) {
    assert(below < size_);
    return stack_[size_ - 1 - below];
  }

 private:
  void push(Number number) {
    assert(size_ < stack_.size());
    stack_[size_++] = number;
  }
  Number pop() {
    assert(size_ > 0);
    return stack_[--size_];
  }

  Number clip(const PoseTask& task) const {
    const auto i = static_cast<std::size_t>(task.index);
    return {task.index >= 0 && i < values_.size() ? values_[i] : 0.0f,
            task.count == 1 ? 0.0f : 1.0f};
  }

  // Zeroed memory holds the default, whole.
  Number load(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return {memory_[i], 1 - memory_[poses_ + i]};
  }
  void save(int index, Number number) {
    const auto i = static_cast<std::size_t>(index);
    memory_[i] = number.value;
    memory_[poses_ + i] = 1 - number.there;
  }
  float* offset_at(int index) const {
    return memory_.data() + 2 * poses_ +
           static_cast<std::size_t>(index) * graph_detail::kScalarOffsetFloats;
  }
  ScalarOffset offset(int index) const {
    ScalarOffset kept;
    std::memcpy(static_cast<void*>(&kept), offset_at(index), sizeof kept);
    return kept;
  }

  void blend(std::size_t count, const float* weights) {
    assert(size_ >= count);
    float sum = 0, there = 0;
    bool whole = true;
    for (std::size_t i = 0; i < count; ++i) {
      const Number& n = stack_[size_ - count + i];
      sum += n.value * n.there * weights[i];
      there += n.there * weights[i];
      whole = whole && n.there == 1;
    }
    size_ -= count;
    if (!whole && there > 0 && there < 1) sum /= there;
    push({sum, whole ? 1.0f : std::min(there, 1.0f)});
  }

  void put_over(const PoseTask& task) {
    const Number layer = pop();
    note(0, top(), size_ == 1 && !base_noted_);
    base_noted_ = true;
    note(task.count, layer, true);
    float& base = top().value;
    base +=
        (task.op == Op::kOverride ? layer.value - base : layer.value) * task.weight * layer.there;
  }
  void note(std::size_t layer, Number number, bool write) {
    if (write && layer < layers_.size()) layers_[layer] = {number.there > 0, number.value};
  }

  void fill(std::size_t below, Number from) {
    Number& number = top(below);
    number = {from.value + (number.value - from.value) * number.there, 1};
  }

  void start(const PoseTask& task) {
    const Number target = pop(), now = pop();
    const Number before = task.count == 1 ? now : pop();
    const float rate = task.count == 1 || !(task.time > 0) ? 0.0f : 1 / task.time;
    ScalarOffset kept;
    kept.from = now.value;
    kept.velocity = (now.value - before.value) * rate;
    kept.curve = InertializeCurve::make(now.value - target.value, kept.velocity, task.weight);
    std::memcpy(offset_at(task.index), &kept, sizeof kept);
    push({now.value, 1});
  }

  std::span<const float> weights_, values_;
  std::span<float> memory_;
  std::size_t poses_;
  std::span<ScalarLayer> layers_;
  std::array<Number, 256> stack_{};
  std::size_t size_ = 0;
  bool base_noted_ = false;
};

}  // namespace

float run_scalar_tasks(const ControllerDef& def, std::span<const PoseTask> program,
                       std::span<const float> weights, std::span<const float> values,
                       std::span<float> memory, std::span<ScalarLayer> layers) {
  assert(memory.size() >= def.limits().scalar_memory);
  std::fill(layers.begin(), layers.end(), ScalarLayer{});
  ScalarMachine machine(weights, values, memory, def.limits().stored_poses, layers);
  const bool layered = std::any_of(program.begin(), program.end(), [](const PoseTask& task) {
    return task.op == Op::kOverride || task.op == Op::kAdditive;
  });
  for (const PoseTask& task : program) machine.step(task);
  if (machine.size() == 0) return 0;
  if (!layered && !layers.empty()) layers[0] = {true, machine.top().value};
  return machine.top().value;
}

}  // namespace sinew
