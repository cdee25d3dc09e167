// Compiles a RigSource: names to indices, ranges, channels, numbering, binding.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sinew/base/hash.hpp>
#include <sinew/rig/rig_def.hpp>

#include "field_visitors.hpp"

namespace sinew {

inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

// Compiles one source. Until number() nodes go by "global" ids: joints first, then rig nodes.
class RigCompiler {
 public:
  RigCompiler(const RigSource& source, const Skeleton& skeleton, const RigCompileOptions& options,
              Findings& findings)
      : source_(source), skeleton_(skeleton), options_(options), findings_(findings) {}

  Result<RigDef> run() {
    if (!options_.bind_pose.empty() &&
        options_.bind_pose.size() != static_cast<std::size_t>(skeleton_.joint_count())) {
      return make_error(ErrorCode::kInvalidArgument,
                        "the bind pose has " + std::to_string(options_.bind_pose.size()) +
                            " transforms, the skeleton " + std::to_string(skeleton_.joint_count()) +
                            " joints",
                        "rig " + in_quotes(source_.name));
    }
    def_.name_ = source_.name;
    def_.skeleton_hash_ = skeleton_.hash();
    def_.group_count_ = skeleton_.group_count();
    read_nodes();
    read_layers();
    number();
    bind();
    add_node_channels();
    read_drives();
    if (first_error_ >= 0) {
      const Finding& f = findings_[static_cast<std::size_t>(first_error_)];
      return make_error(f.code == "rig.too_large" ? ErrorCode::kLimit : ErrorCode::kInvalidArgument,
                        f.message, "rig " + in_quotes(source_.name) + ": " + f.place);
    }
    list_needed();
    def_.lay_out();
    def_.hash_ = hash();
    def_.content_hash_ = content_hash();
    return std::move(def_);
  }

 private:
  static constexpr int kMaxChannels = 32000;
  static constexpr int kMaxRigNodes = 4096;

  friend class Resolver;

  void report(Severity severity, std::string code, std::string message, std::string place,
              std::string hint = {}) {
    if (severity == Severity::kError && first_error_ < 0) {
      first_error_ = static_cast<int>(findings_.size());
    }
    findings_.push_back(
        {severity, std::move(code), std::move(message), std::move(place), std::move(hint), {}});
  }
  void error(std::string code, std::string message, std::string place, std::string hint = {}) {
    report(Severity::kError, std::move(code), std::move(message), std::move(place),
           std::move(hint));
  }

  // ---- nodes ------------------------------------------------------------------------------------

  void read_nodes() {
    const int joints = skeleton_.joint_count();
    if (source_.nodes.size() > kMaxRigNodes) {
      error("rig.too_large", "more than " + std::to_string(kMaxRigNodes) + " nodes", "nodes");
      return;
    }
    for (int j = joints - 1; j >= 0; --j) {
      if (!skeleton_.name(j).empty()) by_name_[skeleton_.name(j)] = j;  // of equals the first
    }
    for (std::size_t k = 0; k < source_.nodes.size(); ++k) {
      const RigNodeSource& node = source_.nodes[k];
      const std::string place = "node " + in_quotes(node.name);
      if (node.name.empty()) {
        error("rig.unnamed", "a node needs a name", "node " + std::to_string(k));
      } else if (by_name_.contains(node.name)) {
        error("rig.duplicate_name",
              "a joint or a node before is called " + in_quotes(node.name) + " as well", place);
      }
      by_name_.emplace(node.name, joints + static_cast<int>(k));
      if (!is_finite(node.bind)) {
        error("rig.not_finite", "the transform is not finite", place);
      }
      Transform bind = is_finite(node.bind) ? node.bind : Transform{};
      bind.rotation = normalize(bind.rotation);
      def_.rig_nodes_.push_back({node.name, -1, bind});
    }
    rig_parent_.assign(source_.nodes.size(), -1);
    for (std::size_t k = 0; k < source_.nodes.size(); ++k) {
      const RigNodeSource& node = source_.nodes[k];
      if (node.parent.empty()) continue;
      rig_parent_[k] = resolve(node.parent, "node " + in_quotes(node.name) + ": parent");
    }
    break_cycles();
  }

  void break_cycles() {
    const int joints = skeleton_.joint_count();
    for (std::size_t k = 0; k < rig_parent_.size(); ++k) {
      int at = static_cast<int>(k) + joints;
      std::size_t steps = 0;
      while (at >= joints && steps <= rig_parent_.size()) {
        at = rig_parent_[static_cast<std::size_t>(at - joints)];
        ++steps;
      }
      if (at < joints) continue;
      error("rig.cycle", "its parents form a ring", "node " + in_quotes(source_.nodes[k].name));
      rig_parent_[k] = -1;
    }
  }

  // Global id of a name, or -1 with a finding.
  int resolve(const std::string& name, const std::string& place) {
    if (name.starts_with('@')) return resolve_role(name, place);
    const auto found = by_name_.find(name);
    if (found != by_name_.end()) return found->second;
    std::vector<std::string_view> names;
    for (int j = 0; j < skeleton_.joint_count(); ++j) names.push_back(skeleton_.name(j));
    for (const RigNodeSource& node : source_.nodes) names.push_back(node.name);
    error("rig.unknown_node",
          "there is no joint or rig node " + in_quotes(name) + did_you_mean(name, names), place);
    return -1;
  }

  int resolve_role(const std::string& name, const std::string& place) {
    const std::string_view word = std::string_view(name).substr(1);
    const std::optional<JointRole> role = joint_role_from_string(word);
    if (!role) {
      std::vector<std::string_view> words;
      for (int r = 1; r < kJointRoleCount; ++r) {
        words.push_back(to_string(static_cast<JointRole>(r)));
      }
      error("rig.unknown_role",
            "there is no joint role " + in_quotes(word) + did_you_mean(word, words), place);
      return -1;
    }
    const int joint = options_.roles ? options_.roles->joint(*role) : kNoJoint;
    if (joint < 0 || joint >= skeleton_.joint_count()) {
      error("rig.no_such_role", "the skeleton has no joint with the role " + in_quotes(word), place,
            "give the role in the character's file, or name the joint");
      return -1;
    }
    return joint;
  }

  int global_parent(int id) const {
    const int joints = skeleton_.joint_count();
    return id < joints ? skeleton_.parent(id) : rig_parent_[static_cast<std::size_t>(id - joints)];
  }

  // ---- layers and constraints -------------------------------------------------------------------

  std::int16_t add_channel(std::string name, float initial, float min, float max,
                           const std::string& place) {
    if (def_.channels_.size() >= kMaxChannels) {
      error("rig.too_large", "more than " + std::to_string(kMaxChannels) + " channels", place);
      return 0;
    }
    if (!is_finite(initial) || initial < min || initial > max) {
      error("rig.out_of_range",
            format_text("%g is not in [%g, %g]", double(initial), double(min), double(max)), place);
      initial = is_finite(initial) ? clamp(initial, min, max) : min;
    }
    def_.channels_.push_back({std::move(name), initial, min, max});
    return static_cast<std::int16_t>(def_.channels_.size() - 1);
  }

  void claim_name(const std::string& name, const std::string& place) {
    if (name.empty()) {
      error("rig.unnamed", "layers and constraints need names", place);
    } else if (!owners_.emplace(name, 0).second) {
      error("rig.duplicate_name",
            "the name " + in_quotes(name) +
                " is taken: channels are called "
                "after layers, constraints and nodes",
            place);
    }
  }

  void read_layers() {
    for (const RigNodeSource& node : source_.nodes) owners_.emplace(node.name, 0);
    for (std::size_t l = 0; l < source_.layers.size(); ++l) {
      const RigLayerSource& layer = source_.layers[l];
      const std::string place = "layer " + in_quotes(layer.name);
      claim_name(layer.name, place);
      const auto weight =
          add_channel(layer.name + ".weight", layer.weight, 0, 1, place + ": weight");
      const auto active =
          add_channel(layer.name + ".active", layer.active ? 1.0f : 0.0f, 0, 1, place);
      def_.layers_.push_back({layer.name, weight, active});
      for (const RigConstraintSource& c : layer.constraints) {
        read_constraint(c, static_cast<std::int16_t>(l),
                        place + ": constraint " + in_quotes(c.name));
      }
    }
    def_.value_count_ = def_.channel_count();
  }

  void read_constraint(const RigConstraintSource& c, std::int16_t layer, const std::string& place);

  // ---- numbering --------------------------------------------------------------------------------

  // Every node that is referred to, and what lies above it, depth first.
  void number() {
    const int joints = skeleton_.joint_count();
    const int total = joints + static_cast<int>(def_.rig_nodes_.size());
    std::vector<char> used(static_cast<std::size_t>(total), 0);
    const auto use = [&](int id) {
      for (; id >= 0 && !used[static_cast<std::size_t>(id)]; id = global_parent(id)) {
        used[static_cast<std::size_t>(id)] = 1;
      }
    };
    for (int k = joints; k < total; ++k) use(k);
    rig::NodeRefVisitor collect([&](rig::NodeRef& ref) { use(ref.index); });
    for (RigDef::Constraint& c : def_.constraints_) c.box.type()->fields(c.box.data(), collect);

    std::vector<std::vector<int>> children(static_cast<std::size_t>(total) + 1);
    for (int id = 0; id < total; ++id) {
      if (!used[static_cast<std::size_t>(id)]) continue;
      const int p = global_parent(id);
      children[static_cast<std::size_t>(p < 0 ? total : p)].push_back(id);
    }
    compact_.assign(static_cast<std::size_t>(total), -1);
    place_below(total, -1, children);
    rig::NodeRefVisitor renumber([&](rig::NodeRef& ref) {
      if (ref.index >= 0) ref.index = compact_[static_cast<std::size_t>(ref.index)];
    });
    for (RigDef::Constraint& c : def_.constraints_) c.box.type()->fields(c.box.data(), renumber);
  }

  void place_below(int root, int root_compact, const std::vector<std::vector<int>>& children) {
    // An own stack: a skeleton may be thousands of joints deep.
    struct Item {
      int id;
      int compact;
      std::size_t next;
    };
    std::vector<Item> stack{{root, root_compact, 0}};
    while (!stack.empty()) {
      Item& top = stack.back();
      const std::vector<int>& below = children[static_cast<std::size_t>(top.id)];
      if (top.next == below.size()) {
        if (top.compact >= 0) {
          def_.nodes_[static_cast<std::size_t>(top.compact)].end =
              static_cast<std::int16_t>(def_.nodes_.size());
        }
        stack.pop_back();
        continue;
      }
      const int id = below[top.next++];
      const int parent = top.compact;
      stack.push_back({id, add_node(id, parent), 0});
    }
  }

  int add_node(int id, int parent) {
    const int joints = skeleton_.joint_count();
    const int n = static_cast<int>(def_.nodes_.size());
    rig::NodeInfo info;
    info.parent = static_cast<std::int16_t>(parent);
    if (id < joints) {
      constexpr int kGroupFloats = static_cast<int>(sizeof(SoaTransform) / sizeof(float));
      const int slot = skeleton_.slot(id);
      info.lane = slot / 4 * kGroupFloats + slot % 4;
    } else {
      const std::size_t k = static_cast<std::size_t>(id - joints);
      info.rig_node = static_cast<std::int16_t>(k);
      info.world = parent < 0 && source_.nodes[k].space == RigNodeSource::Space::kWorld;
      def_.rig_nodes_[k].node = static_cast<std::int16_t>(n);
    }
    def_.nodes_.push_back(info);
    global_.push_back(id);
    compact_[static_cast<std::size_t>(id)] = static_cast<std::int16_t>(n);
    return n;
  }

  // ---- binding ----------------------------------------------------------------------------------

  class Binder final : public rig::BindContext {
   public:
    Binder(RigCompiler& compiler, std::string place)
        : compiler_(compiler), place_(std::move(place)) {}
    const Transform& local(int node) const override {
      return compiler_.bind_local_[static_cast<std::size_t>(node)];
    }
    const Transform& model(int node) const override {
      return compiler_.bind_model_[static_cast<std::size_t>(node)];
    }
    int parent(int node) const override {
      return compiler_.def_.nodes_[static_cast<std::size_t>(node)].parent;
    }
    const std::string& name(int node) const override {
      const int id = compiler_.global_[static_cast<std::size_t>(node)];
      const int joints = compiler_.skeleton_.joint_count();
      return id < joints ? compiler_.skeleton_.name(id)
                         : compiler_.source_.nodes[static_cast<std::size_t>(id - joints)].name;
    }
    void report(Severity severity, std::string code, std::string message,
                std::string hint) override {
      failed_ = failed_ || severity == Severity::kError;
      if (severity == Severity::kError && compiler_.options_.skip_invalid) {
        severity = Severity::kWarning;
      }
      compiler_.report(severity, std::move(code), std::move(message), place_, std::move(hint));
    }
    bool failed() const { return failed_; }

   private:
    RigCompiler& compiler_;
    std::string place_;
    bool failed_ = false;
  };

  void bind() {
    const int joints = skeleton_.joint_count();
    for (std::size_t n = 0; n < def_.nodes_.size(); ++n) {
      const int id = global_[n];
      Transform local;
      if (id >= joints) {
        local = def_.rig_nodes_[static_cast<std::size_t>(id - joints)].bind;
      } else if (options_.bind_pose.empty()) {
        local = skeleton_.rest(id);
      } else {
        local = options_.bind_pose[static_cast<std::size_t>(id)];
        local.rotation = normalize(local.rotation);
      }
      const int p = def_.nodes_[n].parent;
      bind_local_.push_back(local);
      bind_model_.push_back(p >= 0 ? bind_model_[static_cast<std::size_t>(p)] * local : local);
    }
    std::vector<RigDef::Constraint> kept;
    for (std::size_t i = 0; i < def_.constraints_.size(); ++i) {
      RigDef::Constraint& c = def_.constraints_[i];
      if (broken_[i]) continue;
      Binder binder(*this, places_[i]);
      c.box.type()->bind(c.box.data(), binder);
      if (!binder.failed()) kept.push_back(std::move(c));
    }
    def_.constraints_ = std::move(kept);
  }

  // ---- the rest ---------------------------------------------------------------------------------

  void add_node_channels() {
    for (const RigDef::RigNode& node : def_.rig_nodes_) {
      const std::string place = "node " + in_quotes(node.name);
      const Transform& t = node.bind;
      const float values[7] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x,
                               t.rotation.y,    t.rotation.z,    t.rotation.w};
      const char* names[7] = {".position.x", ".position.y", ".position.z", ".rotation.x",
                              ".rotation.y", ".rotation.z", ".rotation.w"};
      for (int c = 0; c < 7; ++c) {
        const float limit = c < 3 ? rig::kUnbounded : 1.0001f;
        add_channel(node.name + names[c], values[c], -limit, limit, place);
      }
    }
  }

  void read_drives() {
    for (std::size_t i = 0; i < source_.drives.size(); ++i) {
      const RigDriveSource& drive = source_.drives[i];
      const std::string place = "parameter " + in_quotes(drive.parameter);
      if (drive.parameter.empty()) {
        error("rig.unnamed", "a parameter needs a name", "parameter " + std::to_string(i));
      }
      if (!is_finite(drive.scale) || !is_finite(drive.offset)) {
        error("rig.not_finite", "scale and offset must be finite", place);
      }
      const Result<RigChannel> channel = def_.channel(drive.channel);
      if (!channel) {
        error("rig.unknown_channel", channel.error().message, place);
        continue;
      }
      const auto known =
          std::find(def_.parameters_.begin(), def_.parameters_.end(), drive.parameter);
      const auto index = static_cast<std::int16_t>(known - def_.parameters_.begin());
      if (known == def_.parameters_.end()) def_.parameters_.push_back(drive.parameter);
      def_.drives_.push_back({index, channel->index, drive.scale, drive.offset});
    }
  }

  void list_needed();
  std::uint64_t content_hash();

  std::uint64_t hash() const {
    Hasher h;
    h.u64(skeleton_.hash());
    h.u64(def_.state_size_);
    for (const RigDef::Channel& c : def_.channels_) h.text(c.name);
    for (const RigDef::Constraint& c : def_.constraints_) {
      h.text(c.name);
      h.text(c.box.type()->name);
      h.u64(c.state_offset);
    }
    return h.value();
  }

  const RigSource& source_;
  const Skeleton& skeleton_;
  const RigCompileOptions& options_;
  Findings& findings_;
  RigDef def_;
  int first_error_ = -1;
  std::unordered_map<std::string, int> by_name_;  // names to global ids
  std::unordered_map<std::string, int> owners_;   // names that channels begin with
  std::vector<int> rig_parent_;                   // global ids
  std::vector<std::string> places_;               // by constraint
  std::vector<char> broken_;                      // by constraint
  std::vector<std::int16_t> compact_;             // by global id
  std::vector<int> global_;                       // by node
  std::vector<Transform> bind_local_, bind_model_;
};

}  // namespace sinew
