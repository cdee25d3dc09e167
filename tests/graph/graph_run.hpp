// Runs a controller without a model, for tests.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/graph/builder.hpp>
#include <sinew/graph/update.hpp>

namespace sinew {

inline std::string text_of(const Findings& findings) {
  std::string text;
  for (const Finding& f : findings) text += f.place + ": " + f.message + "\n";
  return text;
}

inline ControllerDef compiled(const ControllerBuilder& builder) {
  Findings findings;
  Result<ControllerDef> def = builder.compile(&findings);
  EXPECT_TRUE(def.ok()) << text_of(findings);
  return def.ok() ? std::move(*def) : ControllerDef{};
}

class GraphRun {
 public:
  explicit GraphRun(ControllerDef definition, bool explain = false)
      : def(std::move(definition)),
        motions(declared_motions(def)),
        buffers(def, explain),
        instance(def),
        stored(def.limits().scalar_memory),
        layers(def.tables().layers.size()) {}
  explicit GraphRun(const ControllerBuilder& builder, bool explain = false)
      : GraphRun(compiled(builder), explain) {}

  // The scalar that the program gives.
  float step(double dt) {
    update_controller(def, motions, state(), dt, buffers.output());
    value = run_scalar_tasks(def, out().program(), out().program_weights(), motions.values, stored,
                             layers);
    return value;
  }
  float steps(int count, double dt) {
    for (int i = 0; i < count; ++i) step(dt);
    return value;
  }

  ControllerState state() { return instance.state(); }
  const ControllerOutput& out() const { return buffers.output(); }
  ParamId param(const char* name) const { return def.param(name); }
  std::string current(int layer = 0) { return name_of(state().current(layer)); }
  std::string next(int layer = 0) { return name_of(state().next(layer)); }
  std::string name_of(StateId id) const { return id ? def.state_name(id) : ""; }

  // "enter B, exit A" of the last update.
  std::string events() const {
    static const char* const kWords[] = {"enter",   "exit",    "start",  "complete", "interrupt",
                                         "enter M", "leave M", "update", "move",     "ik"};
    std::string text;
    for (std::size_t i = 0; i < out().state_event_count; ++i) {
      const StateEventOut& event = out().state_events[i];
      if (!text.empty()) text += ", ";
      text += kWords[static_cast<int>(event.kind)];
      text += " " + (event.machine >= 0
                         ? def.tables().machine_names[static_cast<std::size_t>(event.machine)]
                         : name_of({event.state}));
    }
    return text;
  }

  ControllerDef def;
  MotionTable motions;
  ControllerBuffers buffers;
  ControllerInstance instance;
  std::vector<float> stored;
  std::vector<ScalarLayer> layers;
  float value = 0;
};

}  // namespace sinew
