// Controllers of different sizes, for pictures of them.
#pragma once

#include <string>
#include <vector>

#include <sinew/graph/builder.hpp>

namespace sinew::testing {

// Five states as in a first game.
inline ControllerSource small_graph() {
  using namespace build;
  MachineSource root;
  root.add(state("Idle")
               .plays("idle")
               .to(transition("Walk").when("speed", greater, 0.1).seconds(0.2))
               .to(transition("Jump").when("jump").seconds(0.1)));
  root.add(state("Walk")
               .plays("walk")
               .scaled_by("pace")
               .to(transition("Run").when("speed", greater, 2).seconds(0.25))
               .to(transition("Idle").when("speed", less, 0.05).seconds(0.2))
               .to(transition("Jump").when("jump").when("grounded").seconds(0.1)));
  root.add(
      state("Run")
          .plays("run")
          .to(transition("Walk").when("speed", less, 1.8).seconds(0.25))
          .to(transition("Jump").when("jump").seconds(0.05).interrupted_by(Interruption::kNext)));
  root.add(state("Jump")
               .plays("jump")
               .to(transition("Idle").at_exit(0.9).seconds(0.15))
               .to(transition("Run").when("speed", greater, 2).at_exit(0.8).cycles(0.2)));
  root.add(state("Death").plays("death"));
  root.from_any(transition("Death").when("die").seconds(0.1));
  return ControllerBuilder("five")
      .float_parameter("speed")
      .float_parameter("pace", 1)
      .bool_parameter("grounded", true)
      .trigger("jump")
      .trigger("die")
      .layer("base", root)
      .source();
}

namespace sample_graphs_detail {

// A machine of `count` states in a chain with ways back, shortcuts, pairs of transitions, and an
// exit.
inline MachineSource chain(const std::string& name, int count, int seed) {
  using namespace build;
  MachineSource m = machine(name);
  unsigned state_of = 1234567u + 97u * static_cast<unsigned>(seed);
  const auto pick = [&](int n) {
    state_of = state_of * 1664525u + 1013904223u;
    return static_cast<int>((state_of >> 16) % static_cast<unsigned>(n));
  };
  const auto member = [&](int i) { return name + std::to_string(i + 1); };
  for (int i = 0; i < count; ++i) {
    StateSource s = state(member(i));
    s.plays(name + "_" + std::to_string(i + 1));
    if (i + 1 < count) s.to(transition(member(i + 1)).when("next").at_exit(0.7).seconds(0.15));
    if (i > 0 && pick(3) > 0)
      s.to(transition(member(pick(i))).when("speed", less, 0.5 + pick(4)).seconds(0.2));
    if (i % 4 == 1 && i + 2 < count) {
      s.to(transition(member(i + 2)).when("hold").when("stage", equals, i).seconds(0.1));
      s.to(transition(member(i + 2)).when("hurry").when("speed", greater, 2).seconds(0.05));
    }
    if (i % 5 == 2) s.to(transition(kExitName).when("stop").seconds(0.25));
    if (i == count - 1) s.to(transition(kExitName).at_exit(0.9).seconds(0.25));
    m.add(s);
  }
  return m;
}

}  // namespace sample_graphs_detail

// Machines in machines; `states` in all, at least 12.
inline ControllerSource nested_graph(int states) {
  using namespace build;
  MachineSource root;
  root.add(state("Idle")
               .plays("idle")
               .to(transition("Move").when("speed", greater, 0.1).seconds(0.2))
               .to(transition("Fight").when("attack").seconds(0.1)));
  root.add(state("Fall")
               .plays("fall")
               .to(transition("Land").when("grounded").seconds(0.05))
               .to(transition("Fall").when("bounce").seconds(0.1)));
  root.add(state("Land").plays("land").to(transition("Idle").at_exit(0.8).seconds(0.2)));
  root.add(state("Hit").plays("hit").to(transition("Idle").at_exit(0.9).seconds(0.2)));
  root.add(state("Death").plays("death"));
  root.from_any(transition("Death").when("die").seconds(0.1));
  root.from_any(transition("Hit").when("hit").seconds(0.05).self());
  root.from_any(transition("Fall").when("grounded", is_not_set).seconds(0.15));
  const int groups = states < 60 ? 3 : 9;
  const char* names[] = {"Move", "Fight", "Climb", "Swim", "Ride",
                         "Talk", "Craft", "Dance", "Sneak"};
  int left = states - 5;
  for (int g = 0; g < groups; ++g) {
    const int count = left / (groups - g);
    left -= count;
    MachineSource m = sample_graphs_detail::chain(names[g], g % 3 == 1 ? count - 3 : count, g);
    if (g % 3 == 1) {
      MachineSource inner = sample_graphs_detail::chain(std::string(names[g]) + "Heavy", 3, g + 50);
      inner.leaves(route(std::string(names[g]) + "1"));
      m.states[0].to(transition(std::string(names[g]) + "Heavy").when("heavy").seconds(0.1));
      m.add(inner);
    }
    m.leaves(route("Fall").when("grounded", is_not_set)).leaves(route("Idle"));
    if (g + 1 < groups) {
      m.states[1].to(transition(names[g + 1]).when("mode", equals, g + 1).seconds(0.3));
    }
    root.add(m);
    if (g > 1) root.states[0].to(transition(names[g]).when("mode", equals, g).seconds(0.3));
  }
  ControllerBuilder builder("nested " + std::to_string(states));
  builder.float_parameter("speed").int_parameter("mode").int_parameter("stage");
  for (const char* name : {"grounded", "hold", "stop", "heavy"}) builder.bool_parameter(name);
  for (const char* name : {"attack", "next", "hurry", "hit", "die", "bounce"})
    builder.trigger(name);
  return builder.layer("base", root).source();
}

// All states in one machine: a hub, rings and rays.
inline ControllerSource flat_graph(int states) {
  using namespace build;
  MachineSource root;
  const auto name = [](int i) { return "State " + std::to_string(i); };
  for (int i = 0; i < states; ++i) {
    StateSource s = state(name(i));
    s.plays("clip_" + std::to_string(i));
    if (i == 0) {
      for (int k = 1; k < states && k <= 8; ++k)
        s.to(transition(name(k)).when("mode", equals, k).seconds(0.2));
    } else {
      if (2 * i + 8 < states)
        s.to(transition(name(2 * i + 8)).when("speed", greater, i).seconds(0.2));
      if (2 * i + 7 < states) s.to(transition(name(2 * i + 7)).at_exit(0.8).seconds(0.1));
      s.to(transition(i % 3 == 0 ? name(0) : name(i > 8 ? (i - 7) / 2 : 0))
               .when("back")
               .seconds(0.2));
    }
    root.add(s);
  }
  return ControllerBuilder("flat " + std::to_string(states))
      .float_parameter("speed")
      .int_parameter("mode")
      .trigger("back")
      .layer("base", root)
      .source();
}

}  // namespace sinew::testing
