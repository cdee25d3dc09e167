// What two versions of a controller do differently, part by part, whatever the order of keys and
// the layout of their files.
#pragma once

#include <string>
#include <vector>

#include <sinew/graph/source.hpp>

namespace sinew {

struct Difference {
  enum class Op : std::uint8_t { kAdded, kRemoved, kChanged, kMoved };
  Op op = Op::kChanged;
  // "controller", "policy", "parameter", "motion", "layer", "machine", "state", "transition",
  // "route", "tree", "child", "synced_motion".
  std::string kind;
  std::string path;    // by names: "base.Gait.Walk", "base.Gait.Walk -> Run"
  std::string field;   // kChanged: key of the file ("duration", "when", ...)
  std::string before;  // the values as in the file; empty where there is none
  std::string after;
};

constexpr std::string_view to_string(Difference::Op op) {
  switch (op) {
    case Difference::Op::kAdded:
      return "added";
    case Difference::Op::kRemoved:
      return "removed";
    case Difference::Op::kChanged:
      return "changed";
    case Difference::Op::kMoved:
      return "moved";
  }
  return "changed";
}

// Parts are the same if their paths are: a renamed state is one removed and one added. Transitions
// are told apart by where they lead, then by name and content; their order is their priority, so
// that one whose place among the others changes is "moved". Not a difference: the order of
// parameters, motions, states, machines and of the conditions of one transition; how a target is
// written ("Walk" or "Gait.Walk"); a default that is left out or named; places in an editor. Empty:
// the two run alike.
std::vector<Difference> diff_controllers(const ControllerSource& before,
                                         const ControllerSource& after);

// One line, with a sign in front: "~ state base.Walk: speed 1 -> 1.2". No line feed.
std::string to_string(const Difference& difference);

}  // namespace sinew
