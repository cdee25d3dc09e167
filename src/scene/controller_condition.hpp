// Conditions as short texts, "speed > 0.1", and the names of the policy's flags.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <sinew/graph/source.hpp>

#include "json_text.hpp"

namespace sinew::scene_detail {

// "jump", "!grounded", "speed > 0.1"; an object where the parameter's name would be misread.
Json write_condition(const ConditionSource& condition);

// False, with the reason in `message`, if the text is not a condition.
bool parse_condition(std::string_view text, ConditionSource& condition, std::string& message);

inline constexpr std::pair<const char*, bool ControllerPolicy::*> kPolicyFlags[] = {
    {"carry_exit_overshoot", &ControllerPolicy::carry_exit_overshoot},
    {"cycle_offset_on_motion_time", &ControllerPolicy::cycle_offset_on_motion_time},
    {"triggers_visible_to_all_layers", &ControllerPolicy::triggers_visible_to_all_layers},
    {"start_after_completion", &ControllerPolicy::start_after_completion},
    {"ordered_stops_whole_queue", &ControllerPolicy::ordered_stops_whole_queue},
    {"any_interrupts_cross_fade", &ControllerPolicy::any_interrupts_cross_fade},
    {"advance_on_command", &ControllerPolicy::advance_on_command},
    {"events_at_zero_weight", &ControllerPolicy::events_at_zero_weight},
    {"unity_simple_directional", &ControllerPolicy::unity_simple_directional},
    {"exit_time_backwards", &ControllerPolicy::exit_time_backwards},
    {"any_exit_time_of_next", &ControllerPolicy::any_exit_time_of_next},
    {"motion_time_drives_exit", &ControllerPolicy::motion_time_drives_exit},
    {"inner_any_first", &ControllerPolicy::inner_any_first},
    {"self_rule_covers_current", &ControllerPolicy::self_rule_covers_current},
    {"frozen_pose_stands_still", &ControllerPolicy::frozen_pose_stands_still},
    {"empty_states_let_through", &ControllerPolicy::empty_states_let_through},
    {"mixed_write_defaults_off", &ControllerPolicy::mixed_write_defaults_off},
    {"enter_before_exit", &ControllerPolicy::enter_before_exit},
    {"events_of_every_loop", &ControllerPolicy::events_of_every_loop},
};

}  // namespace sinew::scene_detail
