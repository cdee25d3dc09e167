// Conditions, and the walk of a transition through machines to a state (rules, sections 3 and 7).
#include "layer_run.hpp"

namespace sinew::graph_detail {

bool LayerRun::trigger_set(std::int32_t parameter) const {
  if (c_.params[static_cast<std::size_t>(parameter)].integer == 0) return false;
  for (std::size_t i = consumed_begin_; i < consumed_end_; ++i) {
    if (c_.out.consumed[i] == parameter) return false;  // rules, 2.8
  }
  return true;
}

bool LayerRun::condition_holds(const ConditionDef& condition) const {
  const ParameterValue& value = c_.params[static_cast<std::size_t>(condition.parameter)];
  double x = 0;
  switch (condition.type) {
    case ParameterType::kTrigger:
      return trigger_set(condition.parameter);
    case ParameterType::kBool:
      return (value.integer != 0) == (condition.mode == ConditionMode::kIf);
    case ParameterType::kFloat:
      x = static_cast<double>(value.number);
      break;
    case ParameterType::kInt:
      x = static_cast<double>(value.integer);
      break;
  }
  switch (condition.mode) {
    case ConditionMode::kGreater:
      return x > condition.threshold;
    case ConditionMode::kLess:
      return x < condition.threshold;
    case ConditionMode::kEquals:
      return x == condition.threshold;
    case ConditionMode::kNotEqual:
      return x != condition.threshold;
    default:
      return false;
  }
}

bool LayerRun::conditions_hold(const ConditionRange& range, std::int16_t* false_condition) const {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    if (condition_holds(c_.t.conditions[range.first + i])) continue;
    if (false_condition != nullptr) *false_condition = static_cast<std::int16_t>(i);
    return false;
  }
  return true;
}

void LayerRun::consume_triggers(const ConditionRange& range) {
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const ConditionDef& condition = c_.t.conditions[range.first + i];
    if (condition.type != ParameterType::kTrigger) continue;
    bool known = false;
    for (std::size_t k = consumed_begin_; k < c_.out.consumed_count; ++k) {
      known = known || c_.out.consumed[k] == condition.parameter;
    }
    if (!known && c_.out.consumed_count < c_.out.consumed.size()) {
      c_.out.consumed[c_.out.consumed_count++] = condition.parameter;
    }
  }
}

// One walk sees every trigger as it was at its start (rulings, 15); only now are they gone.
void LayerRun::commit_consumed() {
  if (!c_.t.policy.triggers_visible_to_all_layers) {
    for (std::size_t i = consumed_end_; i < c_.out.consumed_count; ++i) {
      c_.params[static_cast<std::size_t>(c_.out.consumed[i])].integer = 0;
    }
  }
  consumed_end_ = c_.out.consumed_count;
}

const RouteDef* LayerRun::first_route(std::uint32_t first, std::uint32_t count, bool consume) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const RouteDef& route = c_.t.routes[first + i];
    if (!conditions_hold(route.conditions)) continue;
    if (consume) consume_triggers(route.conditions);
    return &route;
  }
  return nullptr;
}

// Down from a machine to a state. It ends, because entries and defaults lead only to states and to
// machines further inside, which the compiler has checked.
std::int32_t LayerRun::enter_machine(std::int32_t machine, bool consume) {
  TargetDef target{TargetDef::Kind::kMachine, machine};
  while (target.kind == TargetDef::Kind::kMachine && target.index >= 0) {
    const MachineDef& def = c_.t.machines[static_cast<std::size_t>(target.index)];
    if (consume) machine_event(StateEventOut::Kind::kMachineEntered, target.index);
    const RouteDef* route = first_route(def.first_entry, def.entry_count, consume);
    target = route != nullptr ? route->target : def.default_target;
  }
  return target.kind == TargetDef::Kind::kState ? target.index : -1;
}

// Up through exits as far as they go, then down. -1 if no state is found.
std::int32_t LayerRun::walk(TargetDef target, bool consume) {
  while (target.kind == TargetDef::Kind::kExit) {
    const MachineDef& left = c_.t.machines[static_cast<std::size_t>(target.index)];
    if (consume) machine_event(StateEventOut::Kind::kMachineExited, target.index);
    const RouteDef* route = first_route(left.first_leave, left.leave_count, consume);
    if (route != nullptr) {
      target = route->target;
    } else {
      const std::int32_t above = left.parent >= 0 ? left.parent : target.index;
      target = {TargetDef::Kind::kMachine, above};
    }
  }
  return target.kind == TargetDef::Kind::kState ? target.index
                                                : enter_machine(target.index, consume);
}

}  // namespace sinew::graph_detail
