// The states and machines of one layer by name, with the rules by which transitions name them in a
// ControllerSource (source.hpp): a member of the same machine, a path from the layer's root, the
// only one of its name, a path with the layer's name in front.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/graph/source.hpp>

namespace sinew::unity {

class NameTree {
 public:
  struct Target {
    enum class Kind : std::uint8_t { kNone, kState, kMachine, kExit };
    Kind kind = Kind::kNone;
    int machine = -1;  // the machine itself, or the one that holds the state
    int state = -1;    // index in its machine
    friend bool operator==(const Target&, const Target&) = default;
  };

  explicit NameTree(std::string layer = {}) : layer_(std::move(layer)) {}
  // Of a source, machines in depth-first order; at most 32 levels are looked at.
  static NameTree of(const LayerSource& layer);

  // Machines must be added depth first, a machine's states before its machines. -1: the root.
  int add_machine(int parent, const std::string& name);
  int add_state(int machine, const std::string& name);
  void finish();  // before find() and name_of()

  // Null where the name means nothing, or more than one thing.
  Target find(std::string_view to, int from_machine) const;
  // The shortest name that find() leads to the target; empty if there is none.
  std::string name_of(const Target& target, int from_machine) const;
  std::string path_of(const Target& target) const;

  bool has(int machine, const std::string& name) const;  // a state or machine of that name in it
  const std::string& path(int machine) const {
    return machines_[static_cast<std::size_t>(machine)].path;
  }
  const std::string& name(int machine) const {
    return machines_[static_cast<std::size_t>(machine)].name;
  }
  int parent(int machine) const { return machines_[static_cast<std::size_t>(machine)].parent; }
  int machine_count() const { return static_cast<int>(machines_.size()); }
  const std::vector<std::string>& states(int machine) const {
    return machines_[static_cast<std::size_t>(machine)].states;
  }
  const std::vector<int>& children(int machine) const {
    return machines_[static_cast<std::size_t>(machine)].children;
  }

 private:
  struct Machine {
    int parent = -1;
    std::string name, path;
    std::vector<std::string> states;
    std::vector<int> children;
    std::map<std::string, Target, std::less<>> members;
  };
  struct Named {
    Target target;
    int count = 0;
  };

  std::string layer_;
  std::vector<Machine> machines_;
  std::map<std::string, Target, std::less<>> paths_;
  std::map<std::string, Named, std::less<>> states_by_name_, machines_by_name_;
};

}  // namespace sinew::unity
