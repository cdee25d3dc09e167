#include <algorithm>

#include <sinew/rig/constraint.hpp>

namespace sinew::rig {

bool BindContext::is_above(int ancestor, int node) const {
  if (ancestor < 0 || node < 0) return false;
  for (int at = parent(node); at >= 0; at = parent(at)) {
    if (at == ancestor) return true;
  }
  return false;
}

bool BindContext::require_below(const NodeRef& upper, const NodeRef& lower) {
  if (is_above(upper, lower)) return true;
  report(Severity::kError, "rig.not_below",
         "'" + name(lower) + "' does not lie below '" + name(upper) + "'");
  return false;
}

std::vector<NodeRef> BindContext::path(const NodeRef& root, const NodeRef& tip, int least,
                                       int most) {
  std::vector<NodeRef> out;
  if (root.index == tip.index || !require_below(root, tip)) {
    if (root.index == tip.index) {
      report(Severity::kError, "rig.not_below", "root and tip are the same joint");
    }
    return {};
  }
  for (int at = tip; at >= 0; at = parent(at)) {
    NodeRef ref(name(at));
    ref.index = static_cast<std::int16_t>(at);
    out.push_back(std::move(ref));
    if (at == root) break;
  }
  std::reverse(out.begin(), out.end());
  const int count = static_cast<int>(out.size());
  if (count < least || count > most) {
    report(Severity::kError, "rig.chain_length",
           "the chain has " + std::to_string(count) + " joints; there must be " +
               std::to_string(least) + " to " + std::to_string(most));
    return {};
  }
  return out;
}

ConstraintRegistry::ConstraintRegistry() {
  const auto built_in = built_in_constraints();
  types_.assign(built_in.begin(), built_in.end());
}

void ConstraintRegistry::add(const ConstraintType& type) {
  for (const ConstraintType*& known : types_) {
    if (std::string_view(known->name) == type.name) {
      known = &type;
      return;
    }
  }
  types_.push_back(&type);
}

const ConstraintType* ConstraintRegistry::find(std::string_view name) const {
  for (const ConstraintType* type : types_) {
    if (name == type->name) return type;
  }
  return nullptr;
}

}  // namespace sinew::rig
