// What conditions say together about each parameter: whether they can hold at all, and whether one
// follows from others.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <sinew/graph/source.hpp>

namespace sinew::authoring_detail {

using ParameterTypes = std::map<std::string, ParameterType>;
ParameterTypes parameter_types(const ControllerSource& controller);

// The values of the parameters for which all conditions added so far hold. Conditions on parameters
// that are not declared, or that do not fit their type, are ignored: they can be neither refuted
// nor concluded from.
class Constraints {
 public:
  explicit Constraints(const ParameterTypes& types) : types_(&types) {}

  void add(const ConditionSource& condition);
  void add(const std::vector<ConditionSource>& conditions);
  // False if no values satisfy all conditions; `culprit()` then names the parameter.
  bool satisfiable() const { return culprit_.empty(); }
  const std::string& culprit() const { return culprit_; }
  // True if the condition holds wherever these do.
  bool imply(const ConditionSource& condition) const;
  bool imply(const std::vector<ConditionSource>& conditions) const;

 private:
  struct Values {
    // Float: the open interval. Int: the closed one.
    double low = -1e300, high = 1e300;
    std::set<double> excluded;
    bool may_be_true = true, may_be_false = true;
    bool empty = false;
  };
  static Values narrowed(Values values, ParameterType type, const ConditionSource& condition);
  static bool is_empty(const Values& values, ParameterType type);

  const ParameterTypes* types_;
  std::map<std::string, Values> values_;
  std::string culprit_;
};

// Conditions that fit the type of their parameter (see compile_controller()).
bool fits(const ConditionSource& condition, ParameterType type);
bool uses_trigger(const std::vector<ConditionSource>& conditions, const ParameterTypes& types);

}  // namespace sinew::authoring_detail
