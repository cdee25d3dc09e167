#include <algorithm>
#include <cassert>
#include <type_traits>

#include <sinew/pose/pose_memory.hpp>

namespace sinew {
namespace {

static_assert(sizeof(JointInertia) == 22 * sizeof(float));
static_assert(sizeof(JointDrift) <= sizeof(JointInertia));
static_assert(std::is_trivially_copyable_v<JointInertia> &&
              std::is_trivially_copyable_v<JointDrift>);

constexpr std::size_t kHead = 4;  // the first float of a pose: 1 where all of it is there

std::size_t pose_floats(const Skeleton& skeleton, const PoseMemoryShape& shape) {
  const std::size_t vectors = 7u + (shape.scales ? 3u : 0u) + (shape.partial ? 3u : 0u);
  return kHead + static_cast<std::size_t>(skeleton.group_count()) * vectors * 4;
}

std::size_t offset_floats(const Skeleton& skeleton) {
  return static_cast<std::size_t>(skeleton.joint_count()) * (sizeof(JointInertia) / sizeof(float));
}

// Writes or reads groups of four, one after another.
class Writer {
 public:
  explicit Writer(float* at) : at_(at) {}
  void put(Float4 v) {
    v.store(at_);
    at_ += 4;
  }
  void put(const SoaVec3& v) {
    for (const Float4& f : {v.x, v.y, v.z}) put(f);
  }

 private:
  float* at_;
};

class Reader {
 public:
  explicit Reader(const float* at) : at_(at) {}
  Float4 get() {
    const Float4 v = Float4::load(at_);
    at_ += 4;
    return v;
  }
  SoaVec3 get3() {
    const Float4 x = get(), y = get(), z = get();
    return {x, y, z};
  }

 private:
  const float* at_;
};

}  // namespace

std::size_t pose_memory_size(const Skeleton& skeleton, const PoseMemoryShape& shape) {
  return static_cast<std::size_t>(shape.poses) * pose_floats(skeleton, shape) +
         static_cast<std::size_t>(shape.offsets) * offset_floats(skeleton);
}

PoseMemory::PoseMemory(const Skeleton& skeleton, const PoseMemoryShape& shape,
                       std::span<float> floats)
    : shape_(shape),
      groups_(static_cast<std::size_t>(skeleton.group_count())),
      joints_(static_cast<std::size_t>(skeleton.joint_count())),
      pose_stride_(pose_floats(skeleton, shape)),
      offset_stride_(offset_floats(skeleton)),
      floats_(floats) {
  assert(floats.size() >= pose_memory_size(skeleton, shape));
}

float* PoseMemory::pose_at(int index) const {
  assert(index >= 0 && index < shape_.poses);
  return floats_.data() + static_cast<std::size_t>(index) * pose_stride_;
}

float* PoseMemory::offsets_at(int index) const {
  assert(index >= 0 && index < shape_.offsets);
  return floats_.data() + static_cast<std::size_t>(shape_.poses) * pose_stride_ +
         static_cast<std::size_t>(index) * offset_stride_;
}

void PoseMemory::reset(ConstPoseSpan pose) {
  std::fill(floats_.begin(), floats_.end(), 0.0f);
  for (int i = 0; i < shape_.poses; ++i) save(i, pose);
}

void PoseMemory::save(int index, ConstPoseSpan pose, std::span<const ChannelWeights> there) {
  assert(pose.size() == groups_);
  float* at = pose_at(index);
  const bool whole = there.empty() || !shape_.partial;
  at[0] = whole ? 1.0f : 0.0f;
  Writer out(at + kHead);
  for (std::size_t i = 0; i < groups_; ++i) {
    out.put(pose[i].translation);
    for (const Float4& f : {pose[i].rotation.x, pose[i].rotation.y, pose[i].rotation.z}) out.put(f);
    out.put(pose[i].rotation.w);
    if (shape_.scales) out.put(pose[i].scale);
    if (!shape_.partial) continue;
    const ChannelWeights t = whole ? ChannelWeights::uniform(1) : there[i];
    for (const Float4& f : {t.translation, t.rotation, t.scale}) out.put(f);
  }
}

bool PoseMemory::load(int index, ConstPoseSpan defaults, PoseSpan pose,
                      std::span<ChannelWeights> there) const {
  assert(pose.size() == groups_ && defaults.size() == groups_);
  const float* at = pose_at(index);
  const bool whole = !(at[0] < 1.0f);
  Reader in(at + kHead);
  for (std::size_t i = 0; i < groups_; ++i) {
    pose[i].translation = in.get3();
    const SoaVec3 axis = in.get3();
    pose[i].rotation = {axis.x, axis.y, axis.z, in.get()};
    pose[i].scale = shape_.scales ? in.get3() : defaults[i].scale;
    if (!shape_.partial) continue;
    const SoaVec3 t = in.get3();
    if (!there.empty()) there[i] = {t.x, t.y, t.z};
  }
  return whole;
}

void PoseMemory::copy(int from, int to) { std::copy_n(pose_at(from), pose_stride_, pose_at(to)); }

std::span<JointInertia> PoseMemory::inertia(int index) const {
  return {reinterpret_cast<JointInertia*>(offsets_at(index)), joints_};
}

std::span<JointDrift> PoseMemory::drift(int index) const {
  return {reinterpret_cast<JointDrift*>(offsets_at(index)), joints_};
}

}  // namespace sinew
