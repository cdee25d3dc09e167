// Runs the vectors of data/controller_vectors.json update by update: see data/README.md.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/graph/builder.hpp>
#include <sinew/graph/update.hpp>

namespace sinew {
namespace {

using Json = nlohmann::json;

ConditionMode mode_of(const std::string& name) {
  if (name == "If") return ConditionMode::kIf;
  if (name == "IfNot") return ConditionMode::kIfNot;
  if (name == "Greater") return ConditionMode::kGreater;
  if (name == "Less") return ConditionMode::kLess;
  if (name == "Equals") return ConditionMode::kEquals;
  EXPECT_EQ(name, "NotEqual");
  return ConditionMode::kNotEqual;
}

ParameterType type_of(const std::string& name) {
  if (name == "float") return ParameterType::kFloat;
  if (name == "int") return ParameterType::kInt;
  return name == "bool" ? ParameterType::kBool : ParameterType::kTrigger;
}

double number_of(const Json& value) {
  return value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
}

std::vector<ConditionSource> conditions_of(const Json& json) {
  std::vector<ConditionSource> conditions;
  for (const Json& c : json) {
    conditions.push_back({c[0], mode_of(c[1]), c.size() > 2 ? c[2].get<double>() : 0.0});
  }
  return conditions;
}

std::string target_of(const std::string& name) { return name == "Exit" ? kExitName : name; }

TransitionSource transition_of(const Json& json) {
  TransitionSource t;
  t.to = target_of(json[0]);
  t.conditions = conditions_of(json[1]);
  if (!json[2].is_null()) t.exit_time = json[2].get<double>();
  t.duration = json[3];
  t.offset = json[4];
  t.interruption = static_cast<Interruption>(json[5].get<int>());
  const std::string flags = json[6];
  const auto has = [&](char flag) { return flags.find(flag) != std::string::npos; };
  t.fixed = has('f');
  t.ordered = has('o');
  t.to_self = has('s');
  t.mute = has('m');
  t.solo = has('S');
  return t;
}

std::vector<RouteSource> routes_of(const Json& json) {
  std::vector<RouteSource> routes;
  for (const Json& r : json) {
    RouteSource route;
    route.to = target_of(r[0]);
    route.conditions = conditions_of(r[1]);
    routes.push_back(route);
  }
  return routes;
}

ControllerSource controller_of(const Json& json) {
  ControllerSource source;
  source.name = json["name"];
  for (const Json& p : json["parameters"]) {
    source.parameters.push_back({p[0], type_of(p[1]), number_of(p[2])});
  }
  LayerSource layer;
  layer.name = "base";
  layer.root.default_state = json["default"];
  if (json.contains("machines")) {
    for (const Json& m : json["machines"]) {
      MachineSource machine;
      machine.name = m[0];
      machine.default_state = m[2];
      machine.after_exit = routes_of(m[4]);
      layer.root.machines.push_back(machine);
    }
  }
  for (const Json& s : json["states"]) {
    StateSource state = build::state(s[0]).plays(s[0].get<std::string>()).at_speed(s[3]);
    MotionSource motion;
    motion.name = s[0];
    motion.length = s[1].get<double>();
    motion.loop = s[2].get<bool>();
    motion.value = s[4].get<double>();
    source.motions.push_back(motion);
    for (const Json& t : s[6]) state.transitions.push_back(transition_of(t));
    const std::string owner = s[5];
    MachineSource* home = &layer.root;
    for (MachineSource& machine : layer.root.machines) {
      if (machine.name == owner) home = &machine;
    }
    home->states.push_back(state);
  }
  for (const Json& t : json["any"]) layer.root.any.push_back(transition_of(t));
  if (json.contains("entry")) layer.root.entry = routes_of(json["entry"]);
  source.layers.push_back(layer);
  return source;
}

class VectorRun {
 public:
  VectorRun(const Json& json, const ControllerDef& def)
      : json_(json),
        def_(def),
        motions_(declared_motions(def)),
        buffers_(def),
        instance_(def),
        stored_(def.limits().scalar_memory) {}

  // False at the first update that differs.
  bool run() {
    for (std::size_t i = 0; i < json_["updates"].size(); ++i) {
      step(json_["updates"][i]);
      check(json_["updates"][i]);
      if (!fault_.empty()) {
        ADD_FAILURE() << json_["name"] << " update " << i << ":" << fault_;
        return false;
      }
    }
    return true;
  }

 private:
  StateId state_id(const Json& index) const {
    return def_.state(json_["states"][index.get<std::size_t>()][0].get<std::string>());
  }

  void command(const Json& c) {
    const std::string kind = c[0];
    const StateId state = state_id(c[1]);
    ControllerState s = instance_.state();
    bool accepted = false;
    if (kind == "play") {
      accepted = c[2].is_null() ? s.play(state) : s.play(state, c[2].get<double>());
    } else if (kind == "crossfade") {
      std::optional<double> offset;
      if (!c[3].is_null()) offset = c[3].get<double>();
      accepted = s.cross_fade(state, c[2].get<double>(), offset, c[4]);
    } else {
      accepted = s.cross_fade_seconds(state, c[2].get<double>(), c[3].get<double>(), c[4]);
    }
    EXPECT_TRUE(accepted);
  }

  void step(const Json& u) {
    ControllerState s = instance_.state();
    if (u.size() > 9 && !u[9].is_null()) {
      for (const auto& [name, value] : u[9].items()) {
        EXPECT_TRUE(s.set(def_.param(name), number_of(value)));
      }
    }
    if (u.size() > 10) {
      for (const Json& c : u[10]) command(c);
    }
    update_controller(def_, motions_, s, u[0], buffers_.output());
    const ControllerOutput& out = buffers_.output();
    value_ = run_scalar_tasks(def_, out.program(), out.program_weights(), motions_.values, stored_);
  }

  void same(const char* what, double got, double want, double tolerance) {
    if (std::abs(got - want) <= tolerance * std::max(1.0, std::abs(want))) return;
    fault_ +=
        std::string(" ") + what + " " + std::to_string(got) + " instead of " + std::to_string(want);
  }
  void same_state(const char* what, StateId got, StateId want) {
    if (got == want) return;
    fault_ += std::string(" ") + what + " " + (got ? def_.state_name(got) : "none") +
              " instead of " + (want ? def_.state_name(want) : "none");
  }

  void check(const Json& u) {
    constexpr double kTimeTolerance = 1e-7;   // times are kept in double
    constexpr double kValueTolerance = 2e-5;  // poses in float
    const ControllerState s = instance_.state();
    same_state("current", s.current(0), state_id(u[1]));
    same("n", s.current_time(0), u[2], kTimeTolerance);
    same("value", static_cast<double>(value_), u[3], kValueTolerance);
    std::string triggers;
    for (const Json& p : json_["parameters"]) {
      if (p[1] == "trigger" && s.get_bool(def_.param(p[0].get<std::string>())))
        names_.push_back(p[0]);
    }
    std::sort(names_.begin(), names_.end());
    for (const std::string& name : names_) triggers += (triggers.empty() ? "" : " ") + name;
    names_.clear();
    if (triggers != u[4].get<std::string>())
      fault_ += " triggers '" + triggers + "' instead of " + u[4].dump();
    const bool fading = u.size() > 7 && !u[5].is_null();
    same_state("next", s.next(0), fading ? state_id(u[5]) : StateId{});
    if (fading) {
      same("next n", s.next_time(0), u[6], kTimeTolerance);
      same("p", s.progress(0), u[7], kTimeTolerance);
    }
    const bool frozen = u.size() > 8 && !u[8].is_null();
    if (frozen != s.frozen(0)) fault_ += frozen ? " not frozen" : " frozen";
    if (frozen) same("frozen value", static_cast<double>(stored_[0]), u[8], kValueTolerance);
  }

  const Json& json_;
  const ControllerDef& def_;
  MotionTable motions_;
  ControllerBuffers buffers_;
  ControllerInstance instance_;
  std::vector<float> stored_;
  std::vector<std::string> names_;
  float value_ = 0;
  std::string fault_;
};

TEST(ControllerVectors, EveryUpdateIsMetExactly) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/tests/graph/data/controller_vectors.json");
  ASSERT_TRUE(file.good());
  const Json vectors = Json::parse(file);
  int cases = 0, failed = 0;
  for (const Json& json : vectors["cases"]) {
    Findings findings;
    const Result<ControllerDef> def = compile_controller(controller_of(json), &findings);
    ASSERT_TRUE(def.ok()) << json["name"] << ": " << to_string(def.error());
    if (!VectorRun(json, *def).run()) ++failed;
    ++cases;
  }
  EXPECT_EQ(cases, 213);
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace sinew
