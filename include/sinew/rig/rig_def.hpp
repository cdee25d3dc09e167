// A compiled rig: immutable, shared by any number of characters of one skeleton; and its state,
// plain bytes of a known size per character.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/clip.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/rig/rig_source.hpp>

namespace sinew {

// A number of the rig that may change at run time: a constraint's weight or value, a layer's
// weight, a component of a rig node. Resolved once by RigDef::channel().
struct RigChannel {
  std::int16_t index = -1;
  explicit operator bool() const { return index >= 0; }
};
// A node of the rig (not a joint).
struct RigNodeId {
  std::int16_t index = -1;
  explicit operator bool() const { return index >= 0; }
};

struct RigCompileOptions {
  // Null: the built-in constraints.
  const rig::ConstraintRegistry* registry = nullptr;
  // For "@role" names; null: such names are faults.
  const RoleMap* roles = nullptr;
  // Local transforms by joint, from which bind-time offsets are taken; empty: the rest pose.
  std::span<const Transform> bind_pose;
  // Leave out invalid constraints with a warning instead of failing.
  bool skip_invalid = false;
};

class RigDef {
 public:
  RigDef() = default;

  // Resolves every name, checks every range and captures the bind-time offsets. All faults are
  // appended to `findings` (place: "layer 'arms': constraint 'left': target"); with an error among
  // them the first is returned as well.
  static Result<RigDef> compile(const RigSource& source, const Skeleton& skeleton,
                                const RigCompileOptions& options, Findings& findings);

  const std::string& name() const { return name_; }
  std::uint64_t skeleton_hash() const { return skeleton_hash_; }
  // Changes with anything that changes the meaning of the state's bytes.
  std::uint64_t hash() const { return hash_; }
  // Changes with anything that changes what the rig does: names, settings, bind pose, drives. (What
  // a program's own constraints compute is known by their names alone.)
  std::uint64_t content_hash() const { return content_hash_; }

  // ---- names, for loading and tools -------------------------------------------------------------

  // "<layer>.weight", "<layer>.active" (below 0.5: off), "<constraint>.weight",
  // "<constraint>.<field>", "<constraint>.<list>.<i>.weight", "<node>.position.x|y|z",
  // "<node>.rotation.x|y|z|w". The error names the nearest one.
  Result<RigChannel> channel(std::string_view channel_name) const;
  std::string_view channel_name(RigChannel channel) const;
  // For "<node>.position.x" and so on: the node and which component of its place the channel is, 0
  // to 2 of the position, 3 to 6 of the rotation; -1 for other channels.
  int node_component(RigChannel channel, RigNodeId& node) const;
  int channel_count() const { return static_cast<int>(channels_.size()); }
  Result<RigNodeId> node(std::string_view node_name) const;
  int node_count() const { return static_cast<int>(rig_nodes_.size()); }
  const std::string& node_name(RigNodeId node) const;

  int constraint_count() const { return static_cast<int>(constraints_.size()); }
  const std::string& constraint_name(int i) const;
  const rig::ConstraintType& constraint_type(int i) const;
  std::optional<int> find_constraint(std::string_view constraint_name) const;

  // The parameters that drive channels, each once, in the order of the source.
  std::span<const std::string> parameters() const { return parameters_; }
  // True if a parameter drives the channel.
  bool is_driven(RigChannel channel) const;

  // ---- state: `state` is state_size() bytes, aligned to 8 ---------------------------------------

  std::size_t state_size() const { return state_size_; }
  void init_state(std::span<std::byte> state) const;
  // True if the bytes belong to this definition (size and hash).
  bool owns(std::span<const std::byte> state) const;
  // Whether bytes from elsewhere may be used as state of this definition: kMismatch where they are
  // another definition's, kMalformed where numbers are not finite or out of range. They must be
  // those of a state between two evaluations, with nothing keyed.
  Status check_state(std::span<const std::byte> state) const;
  // Feeds what the last evaluation left and what the host has set: the same on every machine. What
  // constraints remember shows in the next results.
  void hash_results(std::span<const std::byte> state, Hasher& hasher) const;
  // Forgets what constraints remember (damping, springs, branches): after a teleport.
  void reset_history(std::span<std::byte> state) const;

  // The host's value, clamped to the channel's range; it stays until changed. Not finite: refused,
  // false.
  bool set(std::span<std::byte> state, RigChannel channel, float value) const;
  float get(std::span<const std::byte> state, RigChannel channel) const;
  // What the last evaluation used: the key, where there was one.
  float shown(std::span<const std::byte> state, RigChannel channel) const;
  // The value for the next evaluation only: what clips key. It wins over set().
  bool key(std::span<std::byte> state, RigChannel channel, float value) const;
  // Parameter i of parameters(): sets every channel that it drives.
  bool set_parameter(std::span<std::byte> state, int parameter, float value) const;

  // Where a node is, in its parent's space (world or model without one). Refused, false, where not
  // finite. The rotation is normalized.
  bool set_node(std::span<std::byte> state, RigNodeId node, const Transform& transform) const;
  Transform get_node(std::span<const std::byte> state, RigNodeId node) const;
  // Where the last evaluation left it, in model space: constraints may have moved it.
  Transform node_result(std::span<const std::byte> state, RigNodeId node) const;

  RigStatus status(std::span<const std::byte> state, int constraint) const;

 private:
  friend class RigCompiler;
  friend class RigEvaluator;
  friend class RigScratch;

  struct Channel {
    std::string name;
    float initial = 0, min = 0, max = 0;
  };
  struct RigNode {
    std::string name;
    std::int16_t node = -1;  // in nodes_
    Transform bind;
  };
  struct Constraint {
    std::string name;
    rig::ConstraintBox box;
    std::int16_t layer = 0;
    std::int16_t weight_channel = -1;
    std::uint32_t state_offset = 0, state_bytes = 0;
    std::uint32_t first_needed = 0, needed_count = 0;  // in needed_
    bool compat = false;
  };
  struct Layer {
    std::string name;
    std::int16_t weight_channel = -1, active_channel = -1;
  };
  struct Drive {
    std::int16_t parameter = -1, channel = -1;
    float scale = 1, offset = 0;
  };
  struct Header {
    std::uint64_t hash;
    std::uint32_t size;
    std::uint32_t keyed;  // number of channels keyed since the last evaluation
    std::uint32_t held;   // number of those that the last evaluation used
    std::uint32_t unused;
  };

  void lay_out();
  void show_keys(std::span<std::byte> state) const;

  std::string name_;
  std::vector<rig::NodeInfo> nodes_;
  std::vector<RigNode> rig_nodes_;
  std::vector<Layer> layers_;
  std::vector<Constraint> constraints_;
  std::vector<Channel> channels_;
  std::vector<Drive> drives_;
  std::vector<std::string> parameters_;
  std::vector<std::int16_t> needed_;  // nodes that a constraint looks at, with all above them
  std::uint64_t skeleton_hash_ = 0, hash_ = 0, content_hash_ = 0;
  int group_count_ = 0;
  int value_count_ = 0;  // channels below this are plain values, the rest node components
  // Offsets into the state. "Shown" is what evaluations read: the host's values with keys in them.
  std::size_t values_at_ = 0, shown_values_at_ = 0, keys_at_ = 0, key_flags_at_ = 0,
              node_inputs_at_ = 0, shown_nodes_at_ = 0, node_results_at_ = 0, status_at_ = 0,
              history_at_ = 0, state_size_ = 0;
};

// State of one character as an object of its own, for programs that keep it so. The bytes may as
// well lie in any other buffer.
class RigState {
 public:
  RigState() = default;
  explicit RigState(const RigDef& def)
      : words_((def.state_size() + 7) / 8), size_(def.state_size()) {
    def.init_state(*this);
  }
  operator std::span<std::byte>() { return {reinterpret_cast<std::byte*>(words_.data()), size_}; }
  operator std::span<const std::byte>() const {
    return {reinterpret_cast<const std::byte*>(words_.data()), size_};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_ = 0;
};

// Runs all layers and constraints on a local pose, in order. `pose`: of the skeleton the rig was
// compiled for (asserted by size). `root_to_world`: where the character stands; its scale must be
// uniform. dt: seconds since the last evaluation; not finite or negative counts as 0. Joints that
// no constraint touches, or only ones of weight 0, keep their bits. No allocation if `scratch` was
// made for `def`. `draw`: where constraints draw themselves, may be null.
void evaluate_rig(const RigDef& def, std::span<std::byte> state, PoseSpan pose,
                  const Transform& root_to_world, float dt, RigScratch& scratch,
                  DebugDraw* draw = nullptr);

// Draws every constraint of weight above 0 as the last evaluation left it, in model space
// (WorldDebugDraw takes it to the world). `state` and `pose`: of that evaluation. Allocates: for
// tools.
void draw_rig(const RigDef& def, std::span<const std::byte> state, ConstPoseSpan pose,
              const Transform& root_to_world, DebugDraw& draw);

// Which curves of a clip (or of a list of names) key which channels. Made once; curves that name no
// channel are ignored. A curve may be called as the channel is, or with "rig/" in front.
class RigCurveMap {
 public:
  RigCurveMap() = default;
  RigCurveMap(const RigDef& def, std::span<const FloatCurve> curves);
  RigCurveMap(const RigDef& def, std::span<const std::string_view> names);

  bool empty() const { return links_.empty(); }
  struct Link {
    std::int32_t curve;
    RigChannel channel;
  };
  std::span<const Link> links() const { return links_; }
  // Keys the channels from one value per curve (by index of the list above).
  void key(const RigDef& def, std::span<std::byte> state, std::span<const float> values) const;
  // The same, sampled from the curves themselves at `time` seconds.
  void key(const RigDef& def, std::span<std::byte> state, std::span<const FloatCurve> curves,
           float time) const;

 private:
  std::vector<Link> links_;
};

}  // namespace sinew
