#include <algorithm>
#include <cstring>

#include <sinew/base/text.hpp>
#include <sinew/math/wide.hpp>
#include <sinew/rig/rig_def.hpp>

#include "state_bytes.hpp"

namespace sinew {

using rig::at;

namespace {

constexpr int kNodeChannels = 7;

std::size_t align8(std::size_t n) { return (n + 7) & ~std::size_t{7}; }

// Component c (0-2 position, 3-6 rotation) of a node.
float component(const Transform& t, int c) {
  const float all[kNodeChannels] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
                                    t.rotation.y,    t.rotation.z,    t.rotation.w};
  return all[c];
}
void set_component(Transform& t, int c, float v) {
  float* all[kNodeChannels] = {&t.translation.x, &t.translation.y, &t.translation.z, &t.rotation.x,
                               &t.rotation.y,    &t.rotation.z,    &t.rotation.w};
  *all[c] = v;
}

}  // namespace

void RigDef::lay_out() {
  std::size_t at_byte = sizeof(Header);
  const auto take = [&](std::size_t bytes) {
    const std::size_t start = at_byte;
    at_byte = align8(at_byte + bytes);
    return start;
  };
  values_at_ = take(static_cast<std::size_t>(value_count_) * sizeof(float));
  shown_values_at_ = take(static_cast<std::size_t>(value_count_) * sizeof(float));
  keys_at_ = take(channels_.size() * sizeof(float));
  key_flags_at_ = take(channels_.size());
  node_inputs_at_ = take(rig_nodes_.size() * sizeof(Transform));
  shown_nodes_at_ = take(rig_nodes_.size() * sizeof(Transform));
  node_results_at_ = take(rig_nodes_.size() * sizeof(Transform));
  status_at_ = take(constraints_.size());
  history_at_ = at_byte;
  std::size_t used = 0;
  for (Constraint& c : constraints_) {
    const std::size_t bytes = c.box.type()->state_bytes(c.box.data());
    c.state_offset = static_cast<std::uint32_t>(used);
    c.state_bytes = static_cast<std::uint32_t>(bytes);
    used += align8(bytes);
  }
  state_size_ = history_at_ + used;
}

void RigDef::init_state(std::span<std::byte> state) const {
  assert(state.size() >= state_size_);
  std::memset(state.data(), 0, state_size_);
  auto* header = at<Header>(state, 0);
  header->hash = hash_;
  header->size = static_cast<std::uint32_t>(state_size_);
  for (int i = 0; i < value_count_; ++i) {
    at<float>(state, values_at_)[i] = at<float>(state, shown_values_at_)[i] =
        channels_[static_cast<std::size_t>(i)].initial;
  }
  for (std::size_t k = 0; k < rig_nodes_.size(); ++k) {
    for (const std::size_t where : {node_inputs_at_, shown_nodes_at_, node_results_at_}) {
      at<Transform>(state, where)[k] = rig_nodes_[k].bind;
    }
  }
}

bool RigDef::owns(std::span<const std::byte> state) const {
  if (state.size() < state_size_ || state_size_ < sizeof(Header)) return false;
  const auto* header = at<Header>(state, 0);
  return header->hash == hash_ && header->size == state_size_;
}

void RigDef::reset_history(std::span<std::byte> state) const {
  std::memset(state.data() + history_at_, 0, state_size_ - history_at_);
}

bool RigDef::set(std::span<std::byte> state, RigChannel channel, float value) const {
  if (!is_finite(value) || channel.index < 0 || channel.index >= channel_count()) return false;
  const Channel& c = channels_[static_cast<std::size_t>(channel.index)];
  const float clamped = clamp(value, c.min, c.max);
  // While there are keys, the next evaluation makes what is shown anew.
  const auto* header = at<Header>(state, 0);
  const bool shows = header->keyed == 0 && header->held == 0;
  if (channel.index < value_count_) {
    at<float>(state, values_at_)[channel.index] = clamped;
    if (shows) at<float>(state, shown_values_at_)[channel.index] = clamped;
  } else {
    const int i = channel.index - value_count_, node = i / kNodeChannels;
    Transform& input = at<Transform>(state, node_inputs_at_)[node];
    set_component(input, i % kNodeChannels, clamped);
    // One component after another: a unit quaternion only once all are there.
    Transform& shown = at<Transform>(state, shown_nodes_at_)[node];
    if (shows) shown = {input.translation, normalize(input.rotation), input.scale};
  }
  return true;
}

float RigDef::get(std::span<const std::byte> state, RigChannel channel) const {
  if (channel.index < 0 || channel.index >= channel_count()) return 0;
  if (channel.index < value_count_) return at<float>(state, values_at_)[channel.index];
  const int i = channel.index - value_count_;
  return component(at<Transform>(state, node_inputs_at_)[i / kNodeChannels], i % kNodeChannels);
}

float RigDef::shown(std::span<const std::byte> state, RigChannel channel) const {
  if (channel.index < 0 || channel.index >= channel_count()) return 0;
  if (channel.index < value_count_) return at<float>(state, shown_values_at_)[channel.index];
  const int i = channel.index - value_count_;
  return component(at<Transform>(state, shown_nodes_at_)[i / kNodeChannels], i % kNodeChannels);
}

int RigDef::node_component(RigChannel channel, RigNodeId& node) const {
  if (channel.index < value_count_ || channel.index >= channel_count()) return -1;
  const int i = channel.index - value_count_;
  node.index = static_cast<std::int16_t>(i / kNodeChannels);
  return i % kNodeChannels;
}

bool RigDef::is_driven(RigChannel channel) const {
  for (const Drive& d : drives_) {
    if (d.channel == channel.index) return true;
  }
  return false;
}

bool RigDef::key(std::span<std::byte> state, RigChannel channel, float value) const {
  if (!is_finite(value) || channel.index < 0 || channel.index >= channel_count()) return false;
  const Channel& c = channels_[static_cast<std::size_t>(channel.index)];
  at<float>(state, keys_at_)[channel.index] = clamp(value, c.min, c.max);
  auto& flag = at<std::uint8_t>(state, key_flags_at_)[channel.index];
  if (!flag) ++at<Header>(state, 0)->keyed;
  flag = 1;
  return true;
}

bool RigDef::set_parameter(std::span<std::byte> state, int parameter, float value) const {
  if (!is_finite(value)) return false;
  for (const Drive& d : drives_) {
    if (d.parameter == parameter) set(state, {d.channel}, value * d.scale + d.offset);
  }
  return true;
}

bool RigDef::set_node(std::span<std::byte> state, RigNodeId node, const Transform& t) const {
  const Float4 rotation = to_wide(t.rotation);
  if (!all_finite(to_wide(t.translation) + rotation + to_wide(t.scale))) return false;
  if (node.index < 0 || node.index >= node_count()) return false;
  Transform& input = at<Transform>(state, node_inputs_at_)[node.index];
  input = {t.translation, to_quat(quat_normalize(rotation)), t.scale};
  const auto* header = at<Header>(state, 0);
  if (header->keyed == 0 && header->held == 0) {
    at<Transform>(state, shown_nodes_at_)[node.index] = input;
  }
  return true;
}

Transform RigDef::get_node(std::span<const std::byte> state, RigNodeId node) const {
  return at<Transform>(state, node_inputs_at_)[node.index];
}

Transform RigDef::node_result(std::span<const std::byte> state, RigNodeId node) const {
  return at<Transform>(state, node_results_at_)[node.index];
}

RigStatus RigDef::status(std::span<const std::byte> state, int constraint) const {
  return static_cast<RigStatus>(state[status_at_ + static_cast<std::size_t>(constraint)]);
}

// Makes what constraints read out of the host's values and this evaluation's keys.
void RigDef::show_keys(std::span<std::byte> state) const {
  auto* header = at<Header>(state, 0);
  if (header->keyed == 0 && header->held == 0) return;
  auto* shown = at<float>(state, shown_values_at_);
  auto* shown_nodes = at<Transform>(state, shown_nodes_at_);
  std::memcpy(shown, at<float>(state, values_at_),
              static_cast<std::size_t>(value_count_) * sizeof(float));
  std::memcpy(static_cast<void*>(shown_nodes), at<Transform>(state, node_inputs_at_),
              rig_nodes_.size() * sizeof(Transform));
  const float* keys = at<float>(state, keys_at_);
  auto* flags = at<std::uint8_t>(state, key_flags_at_);
  for (int i = 0; i < channel_count() && header->keyed > 0; ++i) {
    if (!flags[i]) continue;
    flags[i] = 0;
    if (i < value_count_) {
      shown[i] = keys[i];
    } else {
      const int c = i - value_count_;
      set_component(shown_nodes[c / kNodeChannels], c % kNodeChannels, keys[i]);
    }
  }
  header->held = header->keyed;
  header->keyed = 0;
  // Single components of a rotation need not make a unit quaternion.
  for (std::size_t k = 0; k < rig_nodes_.size(); ++k) {
    shown_nodes[k].rotation = normalize(shown_nodes[k].rotation);
  }
}

Result<RigChannel> RigDef::channel(std::string_view channel_name) const {
  std::vector<std::string_view> names;
  names.reserve(channels_.size());
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channels_[i].name == channel_name) return RigChannel{static_cast<std::int16_t>(i)};
    names.push_back(channels_[i].name);
  }
  return make_error(ErrorCode::kNotFound,
                    "the rig has no channel '" + std::string(channel_name) + "'" +
                        did_you_mean(channel_name, names),
                    "rig '" + name_ + "'");
}

std::string_view RigDef::channel_name(RigChannel channel) const {
  return channels_[static_cast<std::size_t>(channel.index)].name;
}

Result<RigNodeId> RigDef::node(std::string_view node_name) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < rig_nodes_.size(); ++i) {
    if (rig_nodes_[i].name == node_name) return RigNodeId{static_cast<std::int16_t>(i)};
    names.push_back(rig_nodes_[i].name);
  }
  return make_error(
      ErrorCode::kNotFound,
      "the rig has no node '" + std::string(node_name) + "'" + did_you_mean(node_name, names),
      "rig '" + name_ + "'");
}

const std::string& RigDef::node_name(RigNodeId node) const {
  return rig_nodes_[static_cast<std::size_t>(node.index)].name;
}
const std::string& RigDef::constraint_name(int i) const {
  return constraints_[static_cast<std::size_t>(i)].name;
}
const rig::ConstraintType& RigDef::constraint_type(int i) const {
  return *constraints_[static_cast<std::size_t>(i)].box.type();
}
std::optional<int> RigDef::find_constraint(std::string_view constraint_name) const {
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    if (constraints_[i].name == constraint_name) return static_cast<int>(i);
  }
  return std::nullopt;
}

namespace {
std::string_view without_prefix(std::string_view name) {
  constexpr std::string_view kPrefix = "rig/";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}
}  // namespace

RigCurveMap::RigCurveMap(const RigDef& def, std::span<const FloatCurve> curves) {
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const Result<RigChannel> channel = def.channel(without_prefix(curves[i].name));
    if (channel) links_.push_back({static_cast<std::int32_t>(i), *channel});
  }
}

RigCurveMap::RigCurveMap(const RigDef& def, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Result<RigChannel> channel = def.channel(without_prefix(names[i]));
    if (channel) links_.push_back({static_cast<std::int32_t>(i), *channel});
  }
}

void RigCurveMap::key(const RigDef& def, std::span<std::byte> state,
                      std::span<const float> values) const {
  for (const Link& link : links_) {
    if (static_cast<std::size_t>(link.curve) < values.size()) {
      def.key(state, link.channel, values[static_cast<std::size_t>(link.curve)]);
    }
  }
}

void RigCurveMap::key(const RigDef& def, std::span<std::byte> state,
                      std::span<const FloatCurve> curves, float time) const {
  for (const Link& link : links_) {
    if (static_cast<std::size_t>(link.curve) >= curves.size()) continue;
    const FloatCurve& curve = curves[static_cast<std::size_t>(link.curve)];
    def.key(state, link.channel, sample(curve.keys, time, curve.default_value));
  }
}

}  // namespace sinew
