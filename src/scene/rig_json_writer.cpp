#include <charconv>
#include <cmath>
#include <cstdlib>

#include "rig_json_fields.hpp"

namespace sinew::rig_json {

using namespace rig;

Json number_to_json(float value) {
  if (!is_finite(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e6f) return static_cast<int>(value);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text - 1, value).ptr;
  *end = 0;
  return std::strtod(text, nullptr);
}

Json vector_to_json(Vec3 v) {
  return Json::array({number_to_json(v.x), number_to_json(v.y), number_to_json(v.z)});
}

namespace {

constexpr const char* kAxes[] = {"x", "y", "z", "-x", "-y", "-z"};

std::string letters_of(const AxisMask& mask) {
  return std::string(mask.x ? "x" : "") + (mask.y ? "y" : "") + (mask.z ? "z" : "");
}

class FieldWriter final : public FieldVisitor {
 public:
  explicit FieldWriter(Json& out) { stack_.push_back(&out); }

  void node(const char* name, NodeRef& ref, NodeUse) override { at(name) = ref.name; }
  void nodes(const char* name, std::vector<NodeRef>& refs, NodeUse, int, int) override {
    Json list = Json::array();
    for (const NodeRef& ref : refs) list.push_back(ref.name);
    at(name) = list;
  }
  void sources(const char* name, std::vector<WeightedNode>& list, NodeUse, float, float) override {
    Json items = Json::array();
    for (const WeightedNode& w : list) {
      Json item;
      item["node"] = w.node.name;
      item["weight"] = number_to_json(w.weight.initial);
      items.push_back(item);
    }
    at(name) = items;
  }
  void value(const char* name, Value& v, float, float) override {
    at(name) = number_to_json(v.initial);
  }
  void vector(const char* name, Value3& v, float, float) override {
    at(name) = vector_to_json(v.initial());
  }
  void flag(const char* name, bool& v) override { at(name) = v; }
  void number(const char* name, float& v, float, float) override { at(name) = number_to_json(v); }
  void integer(const char* name, int& v, int, int) override { at(name) = v; }
  void constant(const char* name, Vec3& v) override { at(name) = vector_to_json(v); }
  void axis(const char* name, Axis& v) override { at(name) = kAxes[static_cast<int>(v)]; }
  void axes(const char* name, AxisMask& v) override { at(name) = letters_of(v); }
  void choice(const char* name, int& v, const char* const* words, int count) override {
    at(name) = words[v >= 0 && v < count ? v : 0];
  }

 protected:
  int begin_list(const char* name, int count, int) override {
    Json& list = at(name) = Json::array();
    stack_.push_back(&list);
    return count;
  }
  void begin_item(int) override {
    stack_.back()->push_back(Json::object());
    stack_.push_back(&stack_.back()->back());
  }
  void end_item() override { stack_.pop_back(); }
  void end_list() override { stack_.pop_back(); }

 private:
  Json& at(const char* name) { return (*stack_.back())[name]; }
  std::vector<Json*> stack_;
};

class SchemaWriter final : public FieldVisitor {
 public:
  explicit SchemaWriter(Json& out) { stack_.push_back(&out); }

  void node(const char* name, NodeRef&, NodeUse use) override {
    at(name) = {{"$ref", "#/$defs/node"}};
    if (use != NodeUse::kReadOptional) require(name);
  }
  void nodes(const char* name, std::vector<NodeRef>&, NodeUse, int least, int most) override {
    at(name) = {{"type", "array"},
                {"items", {{"$ref", "#/$defs/node"}}},
                {"minItems", least},
                {"maxItems", most}};
    if (least > 0) require(name);
  }
  void sources(const char* name, std::vector<WeightedNode>&, NodeUse, float min,
               float max) override {
    Json weighted = {{"type", "object"}, {"additionalProperties", false}};
    weighted["required"] = Json::array({"node"});
    weighted["properties"]["node"] = {{"$ref", "#/$defs/node"}};
    weighted["properties"]["weight"] = range("number", min, max);
    weighted["properties"]["weight"]["default"] = 1;
    Json items;
    items["anyOf"] = Json::array({Json{{"$ref", "#/$defs/node"}}, weighted});
    at(name) = {{"type", "array"}, {"items", items}, {"minItems", 1}, {"maxItems", 8}};
    require(name);
  }
  void value(const char* name, Value& v, float min, float max) override {
    at(name) = range("number", min, max);
    at(name)["default"] = number_to_json(v.initial);
    at(name)["description"] = "may change at run time";
  }
  void vector(const char* name, Value3& v, float, float) override {
    at(name) = {{"$ref", "#/$defs/vector"}, {"default", vector_to_json(v.initial())}};
    at(name)["description"] = "may change at run time";
  }
  void flag(const char* name, bool& v) override {
    at(name) = {{"type", "boolean"}, {"default", v}};
  }
  void number(const char* name, float& v, float min, float max) override {
    at(name) = range("number", min, max);
    at(name)["default"] = number_to_json(v);
  }
  void integer(const char* name, int& v, int min, int max) override {
    at(name) = range("integer", static_cast<float>(min), static_cast<float>(max));
    at(name)["default"] = v;
  }
  void constant(const char* name, Vec3& v) override {
    at(name) = {{"$ref", "#/$defs/vector"}, {"default", vector_to_json(v)}};
  }
  void axis(const char* name, Axis& v) override {
    int index = static_cast<int>(v);
    choice(name, index, kAxes, 6);
  }
  void axes(const char* name, AxisMask& v) override {
    at(name) = {{"type", "string"}, {"pattern", "^[xyz]{0,3}$"}, {"default", letters_of(v)}};
  }
  void choice(const char* name, int& v, const char* const* words, int count) override {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(words[i]);
    at(name) = {{"enum", list}, {"default", words[v]}};
  }

 protected:
  // One item shows the shape of all.
  int begin_list(const char* name, int, int most) override {
    Json& list = at(name) = {{"type", "array"}, {"maxItems", most}};
    stack_.push_back(&list);
    return 1;
  }
  void begin_item(int) override {
    Json& list = *stack_.back();
    list["items"] = {{"type", "object"}, {"additionalProperties", false}};
    stack_.push_back(&list["items"]);
  }
  void end_item() override { stack_.pop_back(); }
  void end_list() override { stack_.pop_back(); }

 private:
  static Json range(const char* type, float min, float max) {
    Json out = {{"type", type}};
    if (min > -kUnbounded) out["minimum"] = number_to_json(min);
    if (max < kUnbounded) out["maximum"] = number_to_json(max);
    return out;
  }
  Json& at(const char* name) { return (*stack_.back())["properties"][name]; }
  void require(const char* name) { (*stack_.back())["required"].push_back(name); }
  std::vector<Json*> stack_;
};

// Fields by a visitor that may not change them: it works on a copy.
template <class Visitor>
Json visit_copy(const ConstraintType& type, const void* data) {
  Json out = Json::object();
  void* copy = data ? type.clone(data) : type.create();
  Visitor visitor(out);
  type.fields(copy, visitor);
  type.destroy(copy);
  return out;
}

}  // namespace

void write_fields(const ConstraintType& type, const void* data, Json& out) {
  const Json all = visit_copy<FieldWriter>(type, data);
  const Json defaults = visit_copy<FieldWriter>(type, nullptr);
  for (const auto& [key, value] : all.items()) {
    if (defaults[key] != value) out[key] = value;
  }
}

Json field_schema(const ConstraintType& type) { return visit_copy<SchemaWriter>(type, nullptr); }

}  // namespace sinew::rig_json
