#include "rig_curves.hpp"

#include <algorithm>
#include <cassert>

namespace sinew {

RigCurves::RigCurves(const RigDef& rig, std::span<const Clip> clips) {
  std::vector<std::int32_t> slots(static_cast<std::size_t>(rig.channel_count()), -1);
  links_.resize(clips.size());
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const RigCurveMap map(rig, clips[c].curves());
    for (const RigCurveMap::Link& link : map.links()) {
      std::int32_t& slot = slots[static_cast<std::size_t>(link.channel.index)];
      if (slot < 0) {
        slot = static_cast<std::int32_t>(channels_.size());
        channels_.push_back(link.channel);
      }
      links_[c].push_back({link.curve, slot});
    }
  }
  const RigState start(rig);
  for (const RigChannel channel : channels_) {
    RigNodeId node;
    if (rig.node_component(channel, node) != 3) continue;  // x
    Rotation rotation;
    rotation.reference = rig.get_node(start, node).rotation;
    bool whole = true;
    for (std::size_t i = 0; i < 4; ++i) {
      rotation.slots[i] = slots[static_cast<std::size_t>(channel.index) + i];
      whole = whole && rotation.slots[i] >= 0;
    }
    if (whole) rotations_.push_back(rotation);
  }
}

// Of two quaternions for one rotation the one on the bind pose's side, so that sums of several do
// not cancel.
void RigCurves::align(float* values) const {
  for (const Rotation& r : rotations_) {
    const auto at = [&](std::size_t i) -> float& { return values[r.slots[i]]; };
    if (dot(Quat{at(0), at(1), at(2), at(3)}, r.reference) >= 0.0f) continue;
    for (std::size_t i = 0; i < 4; ++i) at(i) = -at(i);
  }
}

void RigCurves::sample(const Clip& clip, int index, float time, float* level) const {
  const std::size_t count = channels_.size();
  std::fill(level, level + 2 * count, 0.0f);
  for (const Link& link : links_[static_cast<std::size_t>(index)]) {
    const FloatCurve& curve = clip.curves()[static_cast<std::size_t>(link.curve)];
    const auto slot = static_cast<std::size_t>(link.slot);
    const float value = sinew::sample(curve.keys, time, curve.default_value);
    if (!is_finite(value)) continue;
    level[slot] = value;
    level[count + slot] = 1;
  }
  align(level);
}

void RigCurves::key(const float* level, const RigDef& rig, std::span<std::byte> state) const {
  const std::size_t count = channels_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const float share = level[count + i];
    if (share <= 0.0f && level[i] == 0.0f) continue;
    float host = share < 1.0f ? rig.get(state, channels_[i]) : 0.0f;
    for (const Rotation& r : rotations_) {
      const auto here = std::find(r.slots.begin(), r.slots.end(), static_cast<std::int32_t>(i));
      if (here == r.slots.end() || share >= 1.0f) continue;
      RigNodeId node;
      rig.node_component(channels_[i], node);
      if (dot(rig.get_node(state, node).rotation, r.reference) < 0.0f) host = -host;
    }
    rig.key(state, channels_[i], level[i] + (1.0f - share) * host);
  }
}

void RigCurves::run(std::span<const PoseTask> program, std::span<const float> weights,
                    std::span<const Clip* const> clips, const PoseMemoryShape& shape,
                    std::span<float> stored, std::span<float> stack, const RigDef& rig,
                    std::span<std::byte> state) const {
  using Op = PoseTask::Op;
  const std::size_t size = level_size(), count = channels_.size();
  std::size_t top = 0;
  const auto level = [&](std::size_t i) {
    assert((i + 1) * size <= stack.size());
    return stack.data() + i * size;
  };
  const auto kept = [&](std::size_t i) { return stored.data() + i * size; };
  // The offset of a layer: a level, and how long it lasts.
  const auto offset = [&](std::size_t i) {
    return stored.data() + static_cast<std::size_t>(shape.poses) * size + i * (size + 1);
  };
  // What `out` leaves to the host is taken from `below`.
  const auto fill = [&](float* out, const float* below) {
    for (std::size_t k = 0; k < count; ++k) {
      const float left = 1.0f - out[count + k];
      out[k] += left * below[k];
      out[count + k] += left * below[count + k];
    }
  };
  for (const PoseTask& task : program) {
    const auto index = static_cast<std::size_t>(task.index);
    switch (task.op) {
      case Op::kRest:
        std::fill(level(top), level(top) + size, 0.0f);
        ++top;
        break;
      case Op::kClip:
        if (task.index >= 0 && index < clips.size() && clips[index]) {
          sample(*clips[index], task.index, task.time, level(top));
        } else {
          std::fill(level(top), level(top) + size, 0.0f);
        }
        ++top;
        break;
      case Op::kStored:
        std::copy_n(stored.data() + index * size, size, level(top));
        ++top;
        break;
      case Op::kStore:
        std::copy_n(level(top - 1), size, stored.data() + index * size);
        break;
      case Op::kMirror:  // curves have no side
        break;
      case Op::kKeep:
        std::copy_n(kept(task.first), size, kept(index));
        break;
      case Op::kFill:
        fill(level(top - 1), kept(index));
        break;
      case Op::kFillBelow:
        fill(level(top - 1), level(top - 1 - task.count));
        break;
      case Op::kBelow:
        std::copy_n(level(top - task.count), size, level(top));
        ++top;
        break;
      case Op::kStartInertia:
      case Op::kStartDeadBlend: {
        // Takes (one step ago,) source, target; what is left on the stack is the source.
        const float *source = level(top - 2), *target = level(top - 1);
        float* keep = offset(index);
        const bool dead = task.op == Op::kStartDeadBlend;
        for (std::size_t k = 0; k < size; ++k) keep[k] = source[k] - (dead ? 0.0f : target[k]);
        keep[size] = task.weight;
        if (task.count == 0) std::copy_n(source, size, level(top - 3));
        top -= task.count == 0 ? 2 : 1;
        break;
      }
      case Op::kInertia: {
        const float* keep = offset(index);
        const float done = keep[size] > 0.0f ? clamp01(task.time / keep[size]) : 1.0f;
        const float left = 1.0f - done * done * (3.0f - 2.0f * done);
        for (std::size_t k = 0; k < size; ++k) level(top - 1)[k] += keep[k] * left;
        break;
      }
      case Op::kDeadBlend: {
        const float* keep = offset(index);
        float* out = level(top - 1);
        for (std::size_t k = 0; k < size; ++k) out[k] = keep[k] + (out[k] - keep[k]) * task.weight;
        break;
      }
      case Op::kBlend: {
        assert(top >= task.count);
        top -= task.count;
        float* out = level(top);
        for (std::size_t k = 0; k < size; ++k) {
          float sum = 0;
          for (std::size_t i = 0; i < task.count; ++i) {
            sum += level(top + i)[k] * weights[task.first + i];
          }
          out[k] = sum;
        }
        ++top;
        break;
      }
      case Op::kLerp: {
        --top;
        float* from = level(top - 1);
        const float* to = level(top);
        for (std::size_t k = 0; k < size; ++k) from[k] += (to[k] - from[k]) * task.weight;
        break;
      }
      case Op::kOverride: {
        // Over what lies below, as far as the layer keys it.
        --top;
        float* base = level(top - 1);
        const float* layer = level(top);
        for (std::size_t k = 0; k < count; ++k) {
          const float left = 1.0f - task.weight * layer[count + k];
          base[k] = base[k] * left + layer[k] * task.weight;
          base[count + k] = base[count + k] * left + layer[count + k] * task.weight;
        }
        break;
      }
      case Op::kAdditive: {
        --top;
        float* base = level(top - 1);
        const float* difference = level(top);
        for (std::size_t k = 0; k < count; ++k) base[k] += difference[k] * task.weight;
        break;
      }
      case Op::kMakeAdditive: {
        // A curve that either side lacks has no difference.
        --top;
        float* pose = level(top - 1);
        const float* reference = level(top);
        for (std::size_t k = 0; k < count; ++k) {
          const bool both = pose[count + k] > 0.0f && reference[count + k] > 0.0f;
          pose[k] = both ? pose[k] - reference[k] : 0.0f;
          pose[count + k] = 0;
        }
        break;
      }
    }
  }
  if (top > 0) key(level(0), rig, state);
}

}  // namespace sinew
