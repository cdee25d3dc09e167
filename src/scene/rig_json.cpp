#include <algorithm>

#include <sinew/base/text.hpp>
#include <sinew/scene/project_files.hpp>
#include <sinew/scene/rig_json.hpp>

#include "rig_json_fields.hpp"

namespace sinew {
namespace {

using namespace rig_json;

constexpr const char* kKind = "rig/1";
constexpr const char* kSpaces[] = {"model", "world"};

std::string in_quotes(const std::string& name) { return "'" + name + "'"; }

class RigReader {
 public:
  RigReader(std::string_view file, Findings& findings, const rig::ConstraintRegistry& registry)
      : file_(file), findings_(findings), registry_(registry) {}

  Result<RigSource> read(std::string_view text) {
    Json json;
    try {
      json = Json::parse(text);
    } catch (const Json::parse_error& e) {
      const std::size_t byte = std::min(e.byte, text.size());
      const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(byte), '\n');
      fault("line " + std::to_string(line), "json.malformed", "not valid JSON here");
      return result({});
    }
    RigSource out;
    if (!json.is_object()) {
      fault("", "json.wrong_type", "must be an object");
      return result(std::move(out));
    }
    ObjectReader reader(json, "", report_);
    if (check_kind(reader)) {
      reader.text("name", out.name);
      read_nodes(reader, out);
      read_layers(reader, out);
      read_parameters(reader, out);
      reader.report_unknown();
    }
    return result(std::move(out));
  }

 private:
  void fault(const std::string& place, std::string code, std::string message) {
    if (first_ < 0) first_ = static_cast<int>(findings_.size());
    findings_.push_back({Severity::kError, std::move(code), std::move(message), place, {}, file_});
  }

  Result<RigSource> result(RigSource source) {
    if (first_ < 0) return source;
    const Finding& f = findings_[static_cast<std::size_t>(first_)];
    return make_error(ErrorCode::kMalformed, f.message,
                      f.place.empty() ? file_ : file_ + ": " + f.place);
  }

  bool check_kind(ObjectReader& reader) {
    std::string kind;
    if (!reader.text("sinew", kind)) {
      fault("sinew", "json.kind", std::string("a rig begins with \"sinew\": \"") + kKind + "\"");
      return false;
    }
    if (kind == kKind) return true;
    fault("sinew", "json.kind",
          in_quotes(kind) + " cannot be read here; this is for '" + kKind + "'");
    return false;
  }

  template <class F>
  void each_object(ObjectReader& reader, const char* key, const char* what, F function) {
    const Json* list = reader.array(key);
    if (!list) return;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& item = (*list)[i];
      std::string name = std::to_string(i);
      if (!item.is_object()) {
        fault(place_in(reader, what, name), "json.wrong_type", "must be an object");
        continue;
      }
      const auto named = item.find("name");
      if (named != item.end() && named->is_string()) name = in_quotes(named->get<std::string>());
      ObjectReader inner(item, place_in(reader, what, name), report_);
      function(inner);
      inner.report_unknown();
    }
  }
  static std::string place_in(const ObjectReader& reader, const char* what,
                              const std::string& name) {
    return (reader.place().empty() ? "" : reader.place() + ": ") + what + " " + name;
  }

  void read_nodes(ObjectReader& reader, RigSource& out) {
    each_object(reader, "nodes", "node", [&](ObjectReader& r) {
      RigNodeSource node;
      r.text("name", node.name);
      r.text("parent", node.parent);
      int space = static_cast<int>(node.space);
      r.choice("space", space, kSpaces, 2);
      node.space = static_cast<RigNodeSource::Space>(space);
      r.vector("position", node.bind.translation);
      if (r.quaternion("rotation", node.bind.rotation)) {
        node.bind.rotation = normalize(node.bind.rotation);
      }
      out.nodes.push_back(std::move(node));
    });
  }

  void read_layers(ObjectReader& reader, RigSource& out) {
    each_object(reader, "layers", "layer", [&](ObjectReader& r) {
      RigLayerSource layer;
      r.text("name", layer.name);
      r.number("weight", layer.weight);
      r.flag("active", layer.active);
      each_object(r, "constraints", "constraint",
                  [&](ObjectReader& c) { read_constraint(c, layer); });
      out.layers.push_back(std::move(layer));
    });
  }

  void read_constraint(ObjectReader& r, RigLayerSource& layer) {
    RigConstraintSource c;
    std::string type_name;
    r.text("type", type_name);
    r.text("name", c.name);
    r.number("weight", c.weight);
    r.flag("compat", c.compat);
    const rig::ConstraintType* type = registry_.find(type_name);
    if (!type) {
      std::vector<std::string_view> known;
      for (const rig::ConstraintType* t : registry_.types()) known.emplace_back(t->name);
      r.fault("type", "rig.unknown_type",
              "there is no constraint of type " + in_quotes(type_name) +
                  did_you_mean(type_name, known));
      r.skip_unknown();
      return;
    }
    c.constraint = rig::ConstraintBox(*type);
    read_fields(*type, c.constraint.data(), r, report_);
    layer.constraints.push_back(std::move(c));
  }

  void read_parameters(ObjectReader& reader, RigSource& out) {
    each_object(reader, "parameters", "parameter", [&](ObjectReader& r) {
      RigDriveSource drive;
      r.text("parameter", drive.parameter);
      r.text("channel", drive.channel);
      r.number("scale", drive.scale);
      r.number("offset", drive.offset);
      out.drives.push_back(std::move(drive));
    });
  }

  std::string file_;
  Findings& findings_;
  const rig::ConstraintRegistry& registry_;
  int first_ = -1;
  Report report_ = [this](const std::string& place, std::string code, std::string message) {
    fault(place, std::move(code), std::move(message));
  };
};

Json quaternion_to_json(Quat q) {
  return Json::array(
      {number_to_json(q.x), number_to_json(q.y), number_to_json(q.z), number_to_json(q.w)});
}

Json node_to_json(const RigNodeSource& node) {
  Json out;
  out["name"] = node.name;
  if (!node.parent.empty()) out["parent"] = node.parent;
  if (node.space != RigNodeSource::Space::kWorld) {
    out["space"] = kSpaces[static_cast<int>(node.space)];
  }
  if (node.bind.translation != Vec3{}) out["position"] = vector_to_json(node.bind.translation);
  if (node.bind.rotation != Quat{}) out["rotation"] = quaternion_to_json(node.bind.rotation);
  return out;
}

Json constraint_to_json(const RigConstraintSource& c) {
  Json out;
  out["type"] = c.constraint.type() ? c.constraint.type()->name : "";
  out["name"] = c.name;
  if (c.weight != 1.0f) out["weight"] = number_to_json(c.weight);
  if (c.compat) out["compat"] = true;
  if (c.constraint.type()) write_fields(*c.constraint.type(), c.constraint.data(), out);
  return out;
}

Json layer_to_json(const RigLayerSource& layer) {
  Json out;
  out["name"] = layer.name;
  if (layer.weight != 1.0f) out["weight"] = number_to_json(layer.weight);
  if (!layer.active) out["active"] = false;
  out["constraints"] = Json::array();
  for (const RigConstraintSource& c : layer.constraints) {
    out["constraints"].push_back(constraint_to_json(c));
  }
  return out;
}

Json drive_to_json(const RigDriveSource& drive) {
  Json out;
  out["parameter"] = drive.parameter;
  out["channel"] = drive.channel;
  if (drive.scale != 1.0f) out["scale"] = number_to_json(drive.scale);
  if (drive.offset != 0.0f) out["offset"] = number_to_json(drive.offset);
  return out;
}

}  // namespace

Result<RigSource> parse_rig_json(std::string_view text, std::string_view file, Findings& findings,
                                 const rig::ConstraintRegistry* registry) {
  if (registry) return RigReader(file, findings, *registry).read(text);
  const rig::ConstraintRegistry built_in;
  return RigReader(file, findings, built_in).read(text);
}

Result<RigSource> load_rig(const std::string& path, Findings& findings,
                           const rig::ConstraintRegistry* registry) {
  Result<std::string> text = read_text_file(path);
  if (!text) {
    const Error& e = text.error();
    findings.push_back(
        {Severity::kError, "file." + std::string(to_string(e.code)), e.message, {}, {}, path});
    return e;
  }
  return parse_rig_json(*text, path, findings, registry);
}

std::string write_rig_json(const RigSource& source) {
  Json out;
  out["sinew"] = kKind;
  if (!source.name.empty()) out["name"] = source.name;
  if (!source.nodes.empty()) {
    for (const RigNodeSource& node : source.nodes) out["nodes"].push_back(node_to_json(node));
  }
  out["layers"] = Json::array();
  for (const RigLayerSource& layer : source.layers) out["layers"].push_back(layer_to_json(layer));
  for (const RigDriveSource& drive : source.drives) {
    out["parameters"].push_back(drive_to_json(drive));
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

Json object_schema() { return {{"type", "object"}, {"additionalProperties", false}}; }

Json text_schema(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

Json weight_schema() {
  return {{"type", "number"}, {"minimum", 0}, {"maximum", 1}, {"default", 1}};
}

Json constraint_schema(const rig::ConstraintType& type) {
  Json out = object_schema();
  const Json fields = field_schema(type);
  out["description"] = type.summary;
  out["required"] = Json::array({"type", "name"});
  out["properties"]["type"]["const"] = type.name;
  out["properties"]["name"] = text_schema("unique in the rig; its channels are called after it");
  out["properties"]["weight"] = weight_schema();
  out["properties"]["compat"] = {{"type", "boolean"}, {"default", false}};
  for (const auto& [key, value] : fields["properties"].items()) out["properties"][key] = value;
  if (fields.contains("required")) {
    for (const Json& key : fields["required"]) out["required"].push_back(key);
  }
  return out;
}

void add_nodes_schema(Json& out) {
  Json node = object_schema();
  node["required"] = Json::array({"name"});
  node["properties"]["name"] = text_schema("unique among joints and nodes");
  node["properties"]["parent"] = {{"$ref", "#/$defs/node"}};
  node["properties"]["space"] = {{"enum", Json::array({"model", "world"})}, {"default", "world"}};
  node["properties"]["position"] = {{"$ref", "#/$defs/vector"}};
  node["properties"]["rotation"] = {{"type", "array"},
                                    {"items", {{"type", "number"}}},
                                    {"minItems", 4},
                                    {"maxItems", 4},
                                    {"description", "quaternion [x, y, z, w]"}};
  out["properties"]["nodes"] = {{"type", "array"}, {"items", node}};
}

void add_parameters_schema(Json& out) {
  Json drive = object_schema();
  drive["required"] = Json::array({"parameter", "channel"});
  drive["properties"]["parameter"] = text_schema("a parameter of the controller or the host");
  drive["properties"]["channel"] = text_schema("what it drives: '<constraint>.<field>'");
  drive["properties"]["scale"] = {{"type", "number"}, {"default", 1}};
  drive["properties"]["offset"] = {{"type", "number"}, {"default", 0}};
  out["properties"]["parameters"] = {{"type", "array"}, {"items", drive}};
}

}  // namespace

std::string rig_json_schema(const rig::ConstraintRegistry& registry) {
  Json out;
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out["title"] = "Sinew rig";
  out["type"] = "object";
  out["additionalProperties"] = false;
  out["required"] = Json::array({"sinew"});
  out["properties"]["sinew"]["const"] = kKind;
  out["properties"]["name"] = {{"type", "string"}};
  add_nodes_schema(out);
  Json layer = object_schema();
  layer["required"] = Json::array({"name"});
  layer["properties"]["name"] = {{"type", "string"}};
  layer["properties"]["weight"] = weight_schema();
  layer["properties"]["active"] = {{"type", "boolean"}, {"default", true}};
  layer["properties"]["constraints"] = {{"type", "array"},
                                        {"items", {{"$ref", "#/$defs/constraint"}}}};
  out["properties"]["layers"] = {{"type", "array"}, {"items", layer}};
  add_parameters_schema(out);
  out["$defs"]["node"] = text_schema("a joint, a node of this rig, or '@' and a joint role");
  out["$defs"]["vector"] = {
      {"type", "array"}, {"items", {{"type", "number"}}}, {"minItems", 3}, {"maxItems", 3}};
  for (const rig::ConstraintType* type : registry.types()) {
    out["$defs"]["constraint"]["oneOf"].push_back(constraint_schema(*type));
  }
  return out.dump(2) + "\n";
}

}  // namespace sinew
