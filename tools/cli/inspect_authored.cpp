// Tables of controllers, characters, scenes and recordings.
#include <fmt/format.h>

#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/recording.hpp>

#include "inspect_parts.hpp"

namespace sinew::cli {

namespace {

std::string condition_text(const ControllerDef& def, const ConditionDef& condition) {
  const std::string& name =
      def.tables().parameter_names[static_cast<std::size_t>(condition.parameter)];
  switch (condition.mode) {
    case ConditionMode::kIf:
      return name;
    case ConditionMode::kIfNot:
      return "not " + name;
    case ConditionMode::kGreater:
      return fmt::format("{} > {}", name, condition.threshold);
    case ConditionMode::kLess:
      return fmt::format("{} < {}", name, condition.threshold);
    case ConditionMode::kEquals:
      return fmt::format("{} = {}", name, condition.threshold);
    case ConditionMode::kNotEqual:
      return fmt::format("{} != {}", name, condition.threshold);
  }
  return name;
}

std::string when_text(const ControllerDef& def, const TransitionDef& transition) {
  std::string text;
  for (std::uint32_t i = 0; i < transition.conditions.count; ++i) {
    text += (text.empty() ? "" : " and ") +
            condition_text(def, def.tables().conditions[transition.conditions.first + i]);
  }
  if (transition.has_exit_time)
    text += fmt::format("{}at {:.3g}", text.empty() ? "" : ", ", transition.exit_time);
  return text.empty() ? "never" : text;
}

std::string plays_text(const ControllerDef& def, int node_index) {
  if (node_index < 0) return "-";
  const MotionNodeDef& node = def.tables().nodes[static_cast<std::size_t>(node_index)];
  if (node.kind == MotionNodeDef::Kind::kNone) return "-";
  if (node.kind == MotionNodeDef::Kind::kMotion)
    return def.tables().motions[static_cast<std::size_t>(node.motion)].name;
  std::string text = fmt::format("{} tree of ", to_string(node.type));
  for (std::uint32_t i = 0; i < node.child_count; ++i) {
    text += (i ? ", " : "") + plays_text(def, def.tables().children[node.first_child + i].node);
  }
  return text;
}

void controller_tables(Session& session, const ControllerDef& def, Json& out) {
  const ControllerTables& t = def.tables();
  Table parameters;
  parameters.column("parameter");
  parameters.column("type");
  parameters.column("start", Table::Align::kRight);
  Json& parameters_json = out["parameters"] = Json::array();
  for (std::size_t i = 0; i < t.parameters.size(); ++i) {
    const bool is_float = t.parameters[i].type == ParameterType::kFloat;
    const double start = is_float ? d(t.parameters[i].number) : t.parameters[i].integer;
    parameters.row({t.parameter_names[i], std::string(to_string(t.parameters[i].type)),
                    fmt::format("{:g}", start)});
    parameters_json.push_back({{"name", t.parameter_names[i]},
                               {"type", to_string(t.parameters[i].type)},
                               {"start", start}});
  }
  session.print(fmt::format("\nparameters: {}\n{}", t.parameters.size(),
                            parameters.empty() ? "" : parameters.text(2)));

  Table states;
  states.column("state");
  states.column("speed", Table::Align::kRight);
  states.column("plays");
  Json& states_json = out["states"] = Json::array();
  for (std::size_t i = 0; i < t.states.size(); ++i) {
    const std::string plays = plays_text(def, t.states[i].node);
    states.row({t.state_paths[i], fmt::format("{:g}", t.states[i].speed), plays});
    states_json.push_back(
        {{"state", t.state_paths[i]}, {"speed", t.states[i].speed}, {"plays", plays}});
  }
  session.print(fmt::format("\nstates: {} in {} layer{}\n{}", t.states.size(), t.layers.size(),
                            t.layers.size() == 1 ? "" : "s", states.empty() ? "" : states.text(2)));

  Table transitions;
  transitions.column("transition");
  transitions.column("when");
  transitions.column("takes", Table::Align::kRight);
  transitions.column("interrupted by");
  Json& transitions_json = out["transitions"] = Json::array();
  for (std::size_t i = 0; i < t.transitions.size(); ++i) {
    const TransitionDef& one = t.transitions[i];
    const std::string when = when_text(def, one);
    const std::string takes = fmt::format("{:g} {}", one.duration, one.fixed ? "s" : "cycles");
    transitions.row({t.transition_names[i], when, takes, std::string(to_string(one.interruption))});
    transitions_json.push_back({{"name", t.transition_names[i]}, {"when", when}, {"takes", takes}});
  }
  session.print(fmt::format("\ntransitions: {}\n{}", t.transitions.size(),
                            transitions.empty() ? "" : transitions.text(2)));
}

}  // namespace

void inspect_controller(Session& session, const std::string& file, Json& out) {
  Findings findings;
  Result<ControllerSource> source = load_controller(file, &findings);
  Result<ControllerDef> def =
      source ? compile_controller(*source, &findings) : Result<ControllerDef>(source.error());
  for (Finding& finding : findings) {
    if (finding.file.empty()) finding.file = file;
  }
  session.find(findings);
  if (!def) {
    if (!has_errors(findings)) session.fail(def.error());
    return;
  }
  session.print(fmt::format("{}  controller '{}'\n", styled(file, Style::kBold, 1), def->name()));
  out["name"] = def->name();
  controller_tables(session, *def, out);
}

void inspect_character(Session& session, const std::string& file, const InspectOptions&,
                       Json& out) {
  Findings findings;
  Result<LoadedCharacter> loaded = load_character_file(file, {.root = session.root}, &findings);
  session.find(findings);
  if (!loaded) return;
  const CharacterDef& def = loaded->def;
  session.print(fmt::format("{}  character '{}': {} joints, scale {:g}, speed {:g}\n",
                            styled(file, Style::kBold, 1), def.name(), def.skeleton().joint_count(),
                            d(def.scale()), d(def.speed())));
  Table motions;
  motions.column("motion");
  motions.column("seconds", Table::Align::kRight);
  motions.column("loop");
  motions.column("travels (m/s)", Table::Align::kRight);
  Json& motions_json = out["motions"] = Json::array();
  const auto& sources = def.controller().tables().motions;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const MotionInfo& info = def.motions().motions[i];
    const Vec3 travel = def.travel_velocity(info.clip);
    const double speed = d(length(travel));
    motions.row({sources[i].name, info.missing ? "missing" : fmt::format("{:.3f}", info.length),
                 info.loop ? "yes" : "no", speed > 0 ? fmt::format("{:.2f}", speed) : ""});
    motions_json.push_back({{"name", sources[i].name},
                            {"missing", info.missing},
                            {"seconds", info.length},
                            {"loop", info.loop},
                            {"travel", {travel.x, travel.y, travel.z}}});
  }
  out["name"] = def.name();
  out["hash"] = fmt::format("{:016x}", def.hash());
  session.print(
      fmt::format("\nmotions: {}\n{}", sources.size(), motions.empty() ? "" : motions.text(2)));
  controller_tables(session, def.controller(), out);
}

void inspect_scene(Session& session, const std::string& file, Json& out) {
  Findings findings;
  Result<Scene> scene = load_scene(file, {.root = session.root}, &findings);
  session.find(findings);
  if (!scene) return;
  session.print(fmt::format("{}  scene '{}': {:g} s at {:g} ticks a second, ground at {:g} m\n",
                            styled(file, Style::kBold, 1), scene->name, scene->duration,
                            1.0 / d(scene->dt), d(scene->ground.height)));
  Table table;
  table.column("character");
  table.column("kind");
  table.column("from");
  table.column("way-points", Table::Align::kRight);
  table.column("script steps", Table::Align::kRight);
  Json& characters = out["characters"] = Json::array();
  for (const SceneCharacter& one : scene->characters) {
    const std::string& kind =
        scene->definitions[static_cast<std::size_t>(one.definition)].def.name();
    table.row({one.name, kind, fmt::format("{:.2f}, {:.2f}", d(one.position.x), d(one.position.z)),
               std::to_string(one.patrol.points.size()), std::to_string(one.script.size())});
    characters.push_back({{"name", one.name},
                          {"definition", kind},
                          {"way_points", one.patrol.points.size()},
                          {"script", one.script.size()}});
  }
  out["name"] = scene->name;
  out["seconds"] = scene->duration;
  out["ticks"] = scene->tick_count();
  session.print("\n" + table.text(2));
}

void inspect_recording(Session& session, const std::string& file, Json& out) {
  Result<Recording> recording = read_recording(file);
  if (!recording) return session.fail(recording.error());
  const RecordingHeader& h = recording->header;
  std::size_t inputs = 0;
  for (const RecordedTick& tick : recording->ticks) inputs += tick.inputs.size();
  session.print(fmt::format(
      "{}  recording of '{}' by {}: {} ticks of {:g} s, {} inputs, {} pose frames, {}\n",
      styled(file, Style::kBold, 1), h.scene_name, h.program, recording->ticks.size(), d(h.dt),
      inputs, recording->frames.size(), human_bytes(static_cast<double>(recording->bytes))));
  Table table;
  table.column("definition");
  table.column("file");
  table.column("hash");
  Json& definitions = out["definitions"] = Json::array();
  for (const RecordedDefinition& def : h.definitions) {
    table.row({def.name, def.file, fmt::format("{:016x}", def.hash)});
    definitions.push_back(
        {{"name", def.name}, {"file", def.file}, {"hash", fmt::format("{:016x}", def.hash)}});
  }
  session.print("\n" + table.text(2));
  out["ticks"] = recording->ticks.size();
  out["frames"] = recording->frames.size();
  out["inputs"] = inputs;
  out["last_hash"] =
      recording->ticks.empty() ? "" : fmt::format("{:016x}", recording->ticks.back().hash);
}

}  // namespace sinew::cli
