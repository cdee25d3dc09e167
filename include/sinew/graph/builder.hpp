// A controller written in C++.
#pragma once

#include <sinew/base/finding.hpp>
#include <sinew/graph/definition.hpp>
#include <sinew/graph/source.hpp>

namespace sinew {

// using namespace sinew::build;
// auto def = ControllerBuilder("zombie")
//                .float_parameter("speed")
//                .trigger("die")
//                .layer("base", machine("")
//                    .add(state("Idle").plays("Idle").to(transition("Walk").when("speed", greater,
//                    .1))) .add(state("Walk").plays("Walk").to(transition("Idle").when("speed",
//                    less, .1))) .from_any(transition("Death").when("die").seconds(.1)))
//                .compile(&findings);
class ControllerBuilder {
 public:
  explicit ControllerBuilder(std::string name = {}) { source_.name = std::move(name); }

  ControllerBuilder& float_parameter(std::string name, float value = 0) {
    return parameter(std::move(name), ParameterType::kFloat, static_cast<double>(value));
  }
  ControllerBuilder& int_parameter(std::string name, int value = 0) {
    return parameter(std::move(name), ParameterType::kInt, value);
  }
  ControllerBuilder& bool_parameter(std::string name, bool value = false) {
    return parameter(std::move(name), ParameterType::kBool, value ? 1 : 0);
  }
  ControllerBuilder& trigger(std::string name) {
    return parameter(std::move(name), ParameterType::kTrigger, 0);
  }
  // Declares a motion, so that the controller can run without a model.
  ControllerBuilder& motion(std::string name, double length, bool loop = true, double value = 0) {
    MotionSource m;
    m.name = std::move(name);
    m.length = length;
    m.loop = loop;
    m.value = value;
    source_.motions.push_back(std::move(m));
    return *this;
  }
  ControllerBuilder& motion(MotionSource m) {
    source_.motions.push_back(std::move(m));
    return *this;
  }
  ControllerBuilder& layer(std::string name, MachineSource root) {
    LayerSource l;
    l.name = std::move(name);
    l.root = std::move(root);
    l.weight = 1;
    return layer(std::move(l));
  }
  ControllerBuilder& layer(LayerSource l) {
    source_.layers.push_back(std::move(l));
    return *this;
  }
  ControllerBuilder& policy(const ControllerPolicy& p) {
    source_.policy = p;
    return *this;
  }

  const ControllerSource& source() const { return source_; }
  // See compile_controller().
  Result<ControllerDef> compile(Findings* findings = nullptr) const {
    return compile_controller(source_, findings);
  }

 private:
  ControllerBuilder& parameter(std::string name, ParameterType type, double value) {
    source_.parameters.push_back({std::move(name), type, value});
    return *this;
  }
  ControllerSource source_;
};

}  // namespace sinew
