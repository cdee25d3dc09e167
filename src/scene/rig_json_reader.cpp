#include <algorithm>
#include <memory>

#include <sinew/base/text.hpp>

#include "rig_json_fields.hpp"

namespace sinew::rig_json {

const Json* ObjectReader::member(const char* key) {
  asked_.emplace_back(key);
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

void ObjectReader::fault(const char* key, const char* code, std::string message) const {
  report_(place_.empty() ? key : place_ + ": " + key, code, std::move(message));
}

bool ObjectReader::wrong_type(const char* key, const char* wanted) const {
  fault(key, "json.wrong_type", std::string("must be ") + wanted);
  return false;
}

bool ObjectReader::text(const char* key, std::string& out) {
  const Json* v = member(key);
  if (!v) return false;
  if (!v->is_string()) return wrong_type(key, "text");
  out = v->get<std::string>();
  return true;
}

bool ObjectReader::number(const char* key, float& out) {
  const Json* v = member(key);
  if (!v) return false;
  if (!v->is_number()) return wrong_type(key, "a number");
  const double d = v->get<double>();
  if (!(d > -3e38 && d < 3e38)) return wrong_type(key, "a number that fits single precision");
  out = static_cast<float>(d);
  return true;
}

bool ObjectReader::integer(const char* key, int& out) {
  const Json* v = member(key);
  if (!v) return false;
  if (!v->is_number_integer()) return wrong_type(key, "a whole number");
  const auto value = v->get<std::int64_t>();
  if (value < -1000000000 || value > 1000000000) return wrong_type(key, "a smaller whole number");
  out = static_cast<int>(value);
  return true;
}

bool ObjectReader::flag(const char* key, bool& out) {
  const Json* v = member(key);
  if (!v) return false;
  if (!v->is_boolean()) return wrong_type(key, "true or false");
  out = v->get<bool>();
  return true;
}

namespace {
bool read_numbers(const Json& v, float* out, std::size_t count) {
  if (!v.is_array() || v.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (!v[i].is_number()) return false;
    const double d = v[i].get<double>();
    if (!(d > -3e38 && d < 3e38)) return false;
    out[i] = static_cast<float>(d);
  }
  return true;
}
}  // namespace

bool ObjectReader::vector(const char* key, Vec3& out) {
  const Json* v = member(key);
  if (!v) return false;
  float n[3];
  if (!read_numbers(*v, n, 3)) return wrong_type(key, "an array of three numbers");
  out = {n[0], n[1], n[2]};
  return true;
}

bool ObjectReader::quaternion(const char* key, Quat& out) {
  const Json* v = member(key);
  if (!v) return false;
  float n[4];
  if (!read_numbers(*v, n, 4)) return wrong_type(key, "a quaternion: an array [x, y, z, w]");
  out = {n[0], n[1], n[2], n[3]};
  return true;
}

bool ObjectReader::choice(const char* key, int& out, const char* const* words, int count) {
  std::string word;
  if (!text(key, word)) return false;
  std::vector<std::string_view> all(words, words + count);
  for (int i = 0; i < count; ++i) {
    if (word == words[i]) {
      out = i;
      return true;
    }
  }
  std::string list;
  for (const std::string_view w : all) list += (list.empty() ? "'" : ", '") + std::string(w) + "'";
  fault(key, "json.unknown_word", "'" + word + "' is not one of " + list + did_you_mean(word, all));
  return false;
}

const Json* ObjectReader::array(const char* key) {
  const Json* v = member(key);
  if (!v) return nullptr;
  if (v->is_array()) return v;
  wrong_type(key, "an array");
  return nullptr;
}

void ObjectReader::report_unknown() const {
  if (skip_unknown_) return;
  std::vector<std::string_view> known(asked_.begin(), asked_.end());
  for (const auto& [key, value] : object_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    report_(place_, "json.unknown_key", "unknown key '" + key + "'" + did_you_mean(key, known));
  }
}

namespace {

using namespace rig;

class FieldReader final : public FieldVisitor {
 public:
  FieldReader(ObjectReader& top, const Report& report) : report_(report), current_(&top) {}

  void node(const char* name, NodeRef& ref, NodeUse) override { current_->text(name, ref.name); }
  void nodes(const char* name, std::vector<NodeRef>& refs, NodeUse, int, int) override {
    const Json* list = current_->array(name);
    if (!list) return;
    refs.clear();
    for (const Json& item : *list) {
      if (!item.is_string()) return current_->fault(name, "json.wrong_type", "must hold names");
      refs.emplace_back(item.get<std::string>());
    }
  }
  void sources(const char* name, std::vector<WeightedNode>& list, NodeUse, float, float) override {
    const Json* items = current_->array(name);
    if (!items) return;
    list.clear();
    for (std::size_t i = 0; i < items->size(); ++i) {
      const Json& item = (*items)[i];
      WeightedNode out;
      if (item.is_string()) {
        out.node.name = item.get<std::string>();
      } else if (item.is_object()) {
        ObjectReader reader(item, place_of(name, i), report_);
        reader.text("node", out.node.name);
        reader.number("weight", out.weight.initial);
        reader.report_unknown();
      } else {
        current_->fault(name, "json.wrong_type", "must hold names or {node, weight}");
      }
      list.push_back(std::move(out));
    }
  }
  void value(const char* name, Value& v, float, float) override {
    current_->number(name, v.initial);
  }
  void vector(const char* name, Value3& v, float, float) override {
    Vec3 read = v.initial();
    if (current_->vector(name, read)) v = read;
  }
  void flag(const char* name, bool& v) override { current_->flag(name, v); }
  void number(const char* name, float& v, float, float) override { current_->number(name, v); }
  void integer(const char* name, int& v, int, int) override { current_->integer(name, v); }
  void constant(const char* name, Vec3& v) override { current_->vector(name, v); }
  void axis(const char* name, Axis& v) override {
    static constexpr const char* kAxes[] = {"x", "y", "z", "-x", "-y", "-z"};
    choice_of(name, v, kAxes, 6);
  }
  void axes(const char* name, AxisMask& v) override {
    std::string letters;
    if (!current_->text(name, letters)) return;
    AxisMask mask{false, false, false};
    for (const char c : letters) {
      bool* axis = c == 'x' ? &mask.x : c == 'y' ? &mask.y : c == 'z' ? &mask.z : nullptr;
      if (!axis) {
        return current_->fault(name, "json.unknown_word", "must be letters out of x, y and z");
      }
      *axis = true;
    }
    v = mask;
  }
  void choice(const char* name, int& v, const char* const* words, int count) override {
    current_->choice(name, v, words, count);
  }

 protected:
  int begin_list(const char* name, int count, int most) override {
    const Json* list = current_->array(name);
    lists_.push_back({name, list});
    if (!list) return count;
    if (list->size() > static_cast<std::size_t>(most)) {
      current_->fault(name, "json.too_long",
                      "more than " + std::to_string(most) + " entries; the rest is left out");
    }
    return static_cast<int>(std::min(list->size(), static_cast<std::size_t>(most)));
  }
  void begin_item(int index) override {
    static const Json kEmpty = Json::object();
    const auto& [name, list] = lists_.back();
    const Json* item = list ? &(*list)[static_cast<std::size_t>(index)] : &kEmpty;
    if (!item->is_object()) {
      current_->fault(name, "json.wrong_type", "must hold objects");
      item = &kEmpty;
    }
    outer_.push_back(current_);
    items_.push_back(std::make_unique<ObjectReader>(
        *item, place_of(name, static_cast<std::size_t>(index)), report_));
    current_ = items_.back().get();
  }
  void end_item() override {
    current_->report_unknown();
    items_.pop_back();
    current_ = outer_.back();
    outer_.pop_back();
  }
  void end_list() override { lists_.pop_back(); }

 private:
  std::string place_of(const char* name, std::size_t index) const {
    return current_->place() + ": " + name + " " + std::to_string(index);
  }
  const Report& report_;
  ObjectReader* current_;
  std::vector<std::pair<const char*, const Json*>> lists_;
  std::vector<ObjectReader*> outer_;
  std::vector<std::unique_ptr<ObjectReader>> items_;
};

}  // namespace

void read_fields(const ConstraintType& type, void* data, ObjectReader& reader,
                 const Report& report) {
  FieldReader visitor(reader, report);
  type.fields(data, visitor);
}

}  // namespace sinew::rig_json
