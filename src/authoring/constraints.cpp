#include "constraints.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::authoring_detail {
namespace {

ConditionSource negated(ConditionSource condition) {
  switch (condition.mode) {
    case ConditionMode::kIf:
      condition.mode = ConditionMode::kIfNot;
      break;
    case ConditionMode::kIfNot:
      condition.mode = ConditionMode::kIf;
      break;
    case ConditionMode::kEquals:
      condition.mode = ConditionMode::kNotEqual;
      break;
    case ConditionMode::kNotEqual:
      condition.mode = ConditionMode::kEquals;
      break;
    default:
      break;
  }
  return condition;
}

}  // namespace

ParameterTypes parameter_types(const ControllerSource& controller) {
  ParameterTypes types;
  for (const ParameterSource& p : controller.parameters) types.emplace(p.name, p.type);
  return types;
}

bool fits(const ConditionSource& condition, ParameterType type) {
  const ConditionMode mode = condition.mode;
  const bool compares = mode == ConditionMode::kGreater || mode == ConditionMode::kLess;
  const bool equals = mode == ConditionMode::kEquals || mode == ConditionMode::kNotEqual;
  if (!std::isfinite(condition.threshold)) return false;
  switch (type) {
    case ParameterType::kFloat:
      return compares;
    case ParameterType::kInt:
      return compares || equals;
    case ParameterType::kBool:
      return !compares && !equals;
    case ParameterType::kTrigger:
      return mode == ConditionMode::kIf;
  }
  return false;
}

bool uses_trigger(const std::vector<ConditionSource>& conditions, const ParameterTypes& types) {
  return std::any_of(conditions.begin(), conditions.end(), [&](const ConditionSource& c) {
    const auto found = types.find(c.parameter);
    return found != types.end() && found->second == ParameterType::kTrigger;
  });
}

Constraints::Values Constraints::narrowed(Values values, ParameterType type,
                                          const ConditionSource& condition) {
  const bool whole = type == ParameterType::kInt;
  // Floats are compared as floats (see compile_controller()).
  const double t =
      whole ? condition.threshold : static_cast<double>(static_cast<float>(condition.threshold));
  switch (condition.mode) {
    case ConditionMode::kIf:
      values.may_be_false = false;
      break;
    case ConditionMode::kIfNot:
      values.may_be_true = false;
      break;
    case ConditionMode::kGreater:
      values.low = std::max(values.low, whole ? std::floor(t) + 1 : t);
      break;
    case ConditionMode::kLess:
      values.high = std::min(values.high, whole ? std::ceil(t) - 1 : t);
      break;
    case ConditionMode::kEquals:
      values.low = std::max(values.low, std::ceil(t));
      values.high = std::min(values.high, std::floor(t));
      break;
    case ConditionMode::kNotEqual:
      values.excluded.insert(t);
      break;
  }
  return values;
}

bool Constraints::is_empty(const Values& values, ParameterType type) {
  switch (type) {
    case ParameterType::kFloat:
      return values.low >= values.high;
    case ParameterType::kInt: {
      if (values.low > values.high) return true;
      // Only as many values as are excluded have to be tried.
      const double count = values.high - values.low + 1;
      if (count > static_cast<double>(values.excluded.size())) return false;
      for (double v = values.low; v <= values.high; v += 1) {
        if (!values.excluded.count(v)) return false;
      }
      return true;
    }
    case ParameterType::kBool:
    case ParameterType::kTrigger:
      return !values.may_be_true && !values.may_be_false;
  }
  return false;
}

void Constraints::add(const ConditionSource& condition) {
  const auto type = types_->find(condition.parameter);
  if (type == types_->end() || !fits(condition, type->second)) return;
  Values& values = values_[condition.parameter];
  values = narrowed(std::move(values), type->second, condition);
  if (culprit_.empty() && is_empty(values, type->second)) culprit_ = condition.parameter;
}

void Constraints::add(const std::vector<ConditionSource>& conditions) {
  for (const ConditionSource& c : conditions) add(c);
}

bool Constraints::imply(const ConditionSource& condition) const {
  const auto type = types_->find(condition.parameter);
  if (type == types_->end() || !fits(condition, type->second)) return false;
  const auto found = values_.find(condition.parameter);
  if (found == values_.end()) return false;
  const Values& values = found->second;
  if (type->second == ParameterType::kFloat) {
    const double t = static_cast<double>(static_cast<float>(condition.threshold));
    return condition.mode == ConditionMode::kGreater ? values.low >= t : values.high <= t;
  }
  if (condition.mode == ConditionMode::kGreater) return values.low > condition.threshold;
  if (condition.mode == ConditionMode::kLess) return values.high < condition.threshold;
  // It follows if its opposite cannot hold beside the rest.
  return is_empty(narrowed(values, type->second, negated(condition)), type->second);
}

bool Constraints::imply(const std::vector<ConditionSource>& conditions) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const ConditionSource& c) { return imply(c); });
}

}  // namespace sinew::authoring_detail
