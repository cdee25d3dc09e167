// State that comes from elsewhere, and hashes of state and definition.
#include <algorithm>
#include <array>

#include <sinew/rig/rig_def.hpp>

#include "rig_compiler.hpp"
#include "state_bytes.hpp"

namespace sinew {

using rig::at;

namespace {

// A place that evaluations may have left: finite, with a rotation.
bool is_sound_place(const Transform& t) {
  const float l2 = dot(t.rotation, t.rotation);
  return is_finite(t) && l2 > 0.5f && l2 < 2.0f;
}

void feed_transform(Hasher& hasher, const Transform& t) {
  hasher.floats(std::array{t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
                           t.rotation.y, t.rotation.z, t.rotation.w, t.scale.x, t.scale.y,
                           t.scale.z});
}

// Every field of a constraint that says what it does.
class FieldHasher final : public rig::PlainVisitor {
 public:
  explicit FieldHasher(Hasher& hasher) : hasher_(hasher) {}
  void node(const char* name, rig::NodeRef& ref, rig::NodeUse) override {
    number_of(name, ref.index);
  }
  void nodes(const char* name, std::vector<rig::NodeRef>& refs, rig::NodeUse, int, int) override {
    number_of(name, static_cast<int>(refs.size()));
    for (const rig::NodeRef& ref : refs) number_of("", ref.index);
  }
  void sources(const char* name, std::vector<rig::WeightedNode>& list, rig::NodeUse, float,
               float) override {
    number_of(name, static_cast<int>(list.size()));
    for (const rig::WeightedNode& w : list) number_of("", w.node.index);
  }
  // Values are channels, whose initial numbers are fed elsewhere.
  void value(const char* name, rig::Value& v, float, float) override { number_of(name, v.channel); }
  void vector(const char* name, rig::Value3& v, float, float) override {
    number_of(name, v.x.channel);
  }
  void flag(const char* name, bool& v) override { number_of(name, v ? 1 : 0); }
  void number(const char* name, float& v, float, float) override {
    hasher_.text(name);
    hasher_.f32(v);
  }
  void integer(const char* name, int& v, int, int) override { number_of(name, v); }
  void constant(const char* name, Vec3& v) override {
    hasher_.text(name);
    hasher_.floats(std::array{v.x, v.y, v.z});
  }
  void axis(const char* name, rig::Axis& v) override { number_of(name, static_cast<int>(v)); }
  void axes(const char* name, rig::AxisMask& v) override {
    number_of(name, (v.x ? 1 : 0) + (v.y ? 2 : 0) + (v.z ? 4 : 0));
  }
  void choice(const char* name, int& v, const char* const*, int) override { number_of(name, v); }

 private:
  void number_of(const char* name, int value) {
    hasher_.text(name);
    hasher_.u64(static_cast<std::uint64_t>(value));
  }
  Hasher& hasher_;
};

}  // namespace

Status RigDef::check_state(std::span<const std::byte> state) const {
  if (!owns(state) || state.size() != state_size_) {
    return make_error(ErrorCode::kMismatch, "the state belongs to another rig than '" + name_ +
                                                "', or to an older form of it");
  }
  const auto* header = at<Header>(state, 0);
  bool good = header->keyed == 0 && header->held <= channels_.size();
  const auto* flags = at<std::uint8_t>(state, key_flags_at_);
  for (std::size_t i = 0; i < channels_.size(); ++i) good = good && flags[i] == 0;
  for (int i = 0; i < value_count_; ++i) {
    const Channel& c = channels_[static_cast<std::size_t>(i)];
    for (const std::size_t where : {values_at_, shown_values_at_}) {
      const float v = at<float>(state, where)[i];
      good = good && v >= c.min && v <= c.max;
    }
  }
  for (std::size_t k = 0; k < rig_nodes_.size(); ++k) {
    // Single components may have been set, so that the host's rotation may be any.
    good = good && is_finite(at<Transform>(state, node_inputs_at_)[k]);
    for (const std::size_t where : {shown_nodes_at_, node_results_at_}) {
      good = good && is_sound_place(at<Transform>(state, where)[k]);
    }
  }
  const auto* statuses = at<std::uint8_t>(state, status_at_);
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    good = good && statuses[i] <= static_cast<std::uint8_t>(RigStatus::kDegenerate);
  }
  if (good) return {};
  return make_error(ErrorCode::kMalformed, "the state of the rig '" + name_ + "' is damaged");
}

void RigDef::hash_results(std::span<const std::byte> state, Hasher& hasher) const {
  hasher.floats({at<float>(state, values_at_), static_cast<std::size_t>(value_count_)});
  for (std::size_t k = 0; k < rig_nodes_.size(); ++k) {
    feed_transform(hasher, at<Transform>(state, node_inputs_at_)[k]);
    feed_transform(hasher, at<Transform>(state, node_results_at_)[k]);
  }
  hasher.bytes(state.data() + status_at_, constraints_.size());
}

std::uint64_t RigCompiler::content_hash() {
  Hasher h;
  h.u64(hash());
  for (std::size_t n = 0; n < def_.nodes_.size(); ++n) {
    const rig::NodeInfo& info = def_.nodes_[n];
    h.u64(static_cast<std::uint64_t>(info.parent));
    h.u64(static_cast<std::uint64_t>(info.lane));
    h.u64(static_cast<std::uint64_t>(info.rig_node));
    h.u64(info.world ? 1 : 0);
    feed_transform(h, bind_local_[n]);
  }
  for (const RigDef::Channel& c : def_.channels_) {
    h.floats(std::array{c.initial, c.min, c.max});
  }
  FieldHasher fields(h);
  for (RigDef::Constraint& c : def_.constraints_) {
    h.u64(static_cast<std::uint64_t>(c.layer));
    h.u64(c.compat ? 1 : 0);
    c.box.type()->fields(c.box.data(), fields);
  }
  for (const std::string& parameter : def_.parameters_) h.text(parameter);
  for (const RigDef::Drive& d : def_.drives_) {
    h.u64(static_cast<std::uint64_t>(d.parameter));
    h.u64(static_cast<std::uint64_t>(d.channel));
    h.floats(std::array{d.scale, d.offset});
  }
  return h.value();
}

// For each constraint the nodes that it names and all above them, parents first.
void RigCompiler::list_needed() {
  std::vector<char> needed;
  for (RigDef::Constraint& c : def_.constraints_) {
    needed.assign(def_.nodes_.size(), 0);
    rig::NodeRefVisitor collect([&](rig::NodeRef& ref) {
      for (int n = ref.index; n >= 0 && !needed[static_cast<std::size_t>(n)];
           n = def_.nodes_[static_cast<std::size_t>(n)].parent) {
        needed[static_cast<std::size_t>(n)] = 1;
      }
    });
    c.box.type()->fields(c.box.data(), collect);
    c.first_needed = static_cast<std::uint32_t>(def_.needed_.size());
    for (std::size_t n = 0; n < needed.size(); ++n) {
      if (needed[n]) def_.needed_.push_back(static_cast<std::int16_t>(n));
    }
    c.needed_count = static_cast<std::uint32_t>(def_.needed_.size()) - c.first_needed;
  }
}

}  // namespace sinew
