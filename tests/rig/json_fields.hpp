// Fills a constraint's fields from a JSON object: for the test vectors only (rigs in files are read
// by the scene module).
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/rig/fields.hpp>

namespace sinew::rig {

class JsonFields final : public FieldVisitor {
 public:
  using Json = nlohmann::json;
  explicit JsonFields(Json data) : stack_{std::move(data)} {}

  void node(const char* name, NodeRef& ref, NodeUse) override {
    if (const Json* v = take(name)) ref.name = v->get<std::string>();
  }
  void nodes(const char* name, std::vector<NodeRef>& refs, NodeUse, int, int) override {
    const Json* v = take(name);
    if (!v) return;
    refs.clear();
    for (const Json& item : *v) refs.emplace_back(item.get<std::string>());
  }
  void sources(const char* name, std::vector<WeightedNode>& list, NodeUse, float, float) override {
    const Json* v = take(name);
    if (!v) return;
    list.clear();
    for (const Json& item : *v) {
      list.emplace_back(item["node"].get<std::string>(), item["weight"].get<float>());
    }
  }
  void value(const char* name, Value& out, float, float) override {
    if (const Json* v = take(name)) out = v->get<float>();
  }
  void vector(const char* name, Value3& out, float, float) override {
    if (const Json* v = take(name)) out = vec(*v);
  }
  void flag(const char* name, bool& out) override {
    if (const Json* v = take(name)) out = v->get<bool>();
  }
  void number(const char* name, float& out, float, float) override {
    if (const Json* v = take(name)) out = v->get<float>();
  }
  void integer(const char* name, int& out, int, int) override {
    if (const Json* v = take(name)) out = v->get<int>();
  }
  void constant(const char* name, Vec3& out) override {
    if (const Json* v = take(name)) out = vec(*v);
  }
  void axis(const char* name, Axis& out) override {
    static const char* const kWords[] = {"x", "y", "z", "-x", "-y", "-z"};
    int i = static_cast<int>(out);
    choice(name, i, kWords, 6);
    out = static_cast<Axis>(i);
  }
  void axes(const char* name, AxisMask& out) override {
    const Json* v = take(name);
    if (!v) return;
    const std::string letters = v->get<std::string>();
    const auto has = [&](char c) { return letters.find(c) != std::string::npos; };
    out = {has('x'), has('y'), has('z')};
  }
  void choice(const char* name, int& out, const char* const* words, int count) override {
    const Json* v = take(name);
    if (!v) return;
    for (int i = 0; i < count; ++i) {
      if (v->get<std::string>() == words[i]) {
        out = i;
        return;
      }
    }
    ADD_FAILURE() << name << ": no such choice: " << *v;
  }

  // The keys that no field has taken: a vector with a setting that the constraint lacks.
  std::vector<std::string> unused() const {
    std::vector<std::string> out;
    for (const auto& [key, value] : stack_.back().items()) {
      if (std::find(taken_.begin(), taken_.end(), key) == taken_.end()) out.push_back(key);
    }
    return out;
  }

 protected:
  int begin_list(const char* name, int count, int) override {
    const Json* v = take(name);
    stack_.push_back(v ? *v : Json::array());
    return v ? static_cast<int>(v->size()) : count;
  }
  void begin_item(int index) override {
    const Json item = stack_.back()[static_cast<std::size_t>(index)];
    stack_.push_back(item);
  }
  void end_item() override { stack_.pop_back(); }
  void end_list() override { stack_.pop_back(); }

 private:
  const Json* take(const char* name) {
    taken_.push_back(name);
    const auto found = stack_.back().find(name);
    return found == stack_.back().end() ? nullptr : &*found;
  }
  static Vec3 vec(const Json& v) {
    return {v[0].get<float>(), v[1].get<float>(), v[2].get<float>()};
  }

  std::vector<Json> stack_;
  std::vector<std::string> taken_;
};

}  // namespace sinew::rig
