#include "json_value.hpp"

#include <cmath>

#include <sinew/base/text.hpp>

#include "json_reader.hpp"

namespace sinew {

namespace {

std::string join(std::initializer_list<std::string_view> names) {
  std::string out;
  for (std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

std::string in_quotes(std::string_view text) {
  std::string out("'");
  out += text;
  out += "'";
  return out;
}

}  // namespace

std::optional<Json> parse_json(std::string_view text, const std::string& file, Findings& findings) {
  return scene_detail::JsonReader("file", file, findings).parse(text);
}

void JsonFaults::error(std::string code, std::string place, std::string message, std::string hint) {
  ++errors_;
  findings_->push_back({Severity::kError, std::move(code), std::move(message), std::move(place),
                        std::move(hint), file_});
}
void JsonFaults::warning(std::string code, std::string place, std::string message,
                         std::string hint) {
  findings_->push_back({Severity::kWarning, std::move(code), std::move(message), std::move(place),
                        std::move(hint), file_});
}

Error first_error(const Findings& findings) {
  for (const Finding& finding : findings) {
    if (finding.severity != Severity::kError) continue;
    std::string where = finding.file;
    if (!finding.place.empty()) where += (where.empty() ? "" : ": ") + finding.place;
    return make_error(ErrorCode::kMalformed, finding.message, where);
  }
  return make_error(ErrorCode::kInternal, "no finding is an error");
}

std::string describe(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return json.get<bool>() ? "true" : "false";
    case Json::value_t::string: {
      const auto& text = json.get_ref<const std::string&>();
      return in_quotes(text.size() > 40 ? text.substr(0, 40) + "..." : text);
    }
    case Json::value_t::array:
      return format_text("an array of %zu", json.size());
    case Json::value_t::object:
      return "an object";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return json.dump();
    default:
      return "something else";
  }
}

std::string JsonValue::place_of(std::string_view key) const {
  return place_.empty() ? std::string(key) : place_ + "." + std::string(key);
}

bool JsonValue::object(std::initializer_list<std::string_view> known) const {
  if (!json_->is_object()) {
    error("json.type", "must be an object, it is " + describe(*json_));
    return false;
  }
  const std::vector<std::string_view> names(known);
  for (const auto& [key, value] : json_->items()) {
    if (!key.empty() && key[0] == '_') continue;  // a note
    bool found = false;
    for (std::string_view name : names) found = found || name == key;
    if (found) continue;
    const std::string_view near = nearest_name(key, names);
    faults_->error("json.unknown_key", place_,
                   "unknown key " + in_quotes(key) +
                       (near.empty() ? std::string() : "; did you mean " + in_quotes(near) + "?"),
                   "known keys: " + join(known));
  }
  return true;
}

bool JsonValue::header(std::string_view kind, int version) const {
  const std::string wanted = std::string(kind) + format_text("/%d", version);
  const auto it = json_->is_object() ? json_->find("sinew") : json_->end();
  if (it == json_->end() || !it->is_string()) {
    faults_->error("json.header", place_, "the first key must be \"sinew\": \"" + wanted + "\"",
                   "add it");
    return false;
  }
  const auto& text = it->get_ref<const std::string&>();
  if (text == wanted) return true;
  const std::size_t slash = text.find('/');
  if (text.substr(0, slash) == kind) {
    faults_->error("json.version", place_of("sinew"),
                   in_quotes(text) + " is a version that this program does not read; it reads " +
                       in_quotes(wanted));
  } else {
    faults_->error("json.kind", place_of("sinew"),
                   "this is a " + in_quotes(text) + " file, wanted is " + in_quotes(wanted));
  }
  return false;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  if (!json_->is_object()) return std::nullopt;
  const auto it = json_->find(std::string(key));
  if (it == json_->end()) return std::nullopt;
  return JsonValue(*it, place_of(key), *faults_);
}

std::optional<JsonValue> JsonValue::require(std::string_view key) const {
  auto value = find(key);
  if (!value) faults_->error("json.missing", place_, in_quotes(key) + " is missing");
  return value;
}

std::optional<double> JsonValue::as_number(Range range) const {
  if (!json_->is_number()) {
    error("json.type", "must be a number, it is " + describe(*json_));
    return std::nullopt;
  }
  const double value = json_->get<double>();
  if (!std::isfinite(value) || value < range.low || value > range.high) {
    error("json.range", "must lie in [" + format_text("%g, %g", range.low, range.high) +
                            "], it is " + describe(*json_));
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> JsonValue::as_text() const {
  if (!json_->is_string()) {
    error("json.type", "must be a text, it is " + describe(*json_));
    return std::nullopt;
  }
  return json_->get<std::string>();
}

double JsonValue::number(std::string_view key, double otherwise, Range range) const {
  const auto value = find(key);
  return value ? value->as_number(range).value_or(otherwise) : otherwise;
}

long long JsonValue::integer(std::string_view key, long long otherwise, long long low,
                             long long high) const {
  const auto value = find(key);
  if (!value) return otherwise;
  const bool whole = value->json_->is_number_integer();
  const bool fits = whole && !(value->json_->is_number_unsigned() &&
                               value->json_->get<unsigned long long>() >
                                   static_cast<unsigned long long>(high < 0 ? 0 : high));
  if (!fits || value->json_->get<long long>() < low || value->json_->get<long long>() > high) {
    value->error("json.range",
                 format_text("must be a whole number in [%lld, %lld], it is ", low, high) +
                     describe(*value->json_));
    return otherwise;
  }
  return value->json_->get<long long>();
}

bool JsonValue::flag(std::string_view key, bool otherwise) const {
  const auto value = find(key);
  if (!value) return otherwise;
  if (!value->json_->is_boolean()) {
    value->error("json.type", "must be true or false, it is " + describe(*value->json_));
    return otherwise;
  }
  return value->json_->get<bool>();
}

std::string JsonValue::text(std::string_view key, std::string_view otherwise) const {
  const auto value = find(key);
  return value ? value->as_text().value_or(std::string(otherwise)) : std::string(otherwise);
}

int JsonValue::choice(std::string_view key, std::initializer_list<std::string_view> choices,
                      int otherwise) const {
  const auto value = find(key);
  if (!value) return otherwise;
  const auto text = value->as_text();
  if (!text) return otherwise;
  const std::vector<std::string_view> names(choices);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == *text) return static_cast<int>(i);
  }
  value->error("json.choice",
               in_quotes(*text) + " is none of " + join(choices) + did_you_mean(*text, names));
  return otherwise;
}

Vec3 JsonValue::as_point(Vec3 otherwise) const {
  const std::size_t size = json_->is_array() ? json_->size() : 0;
  float values[3] = {0, 0, 0};
  bool good = size == 2 || size == 3;
  for (std::size_t i = 0; good && i < size; ++i) {
    good = (*json_)[i].is_number() && std::abs((*json_)[i].get<double>()) <= 1e6;
    if (good) values[i] = (*json_)[i].get<float>();
  }
  if (!good) {
    error("json.type",
          "must be [x, y, z] or [x, z] in metres, up to 1e6; it is " + describe(*json_));
    return otherwise;
  }
  return size == 2 ? Vec3{values[0], 0, values[1]} : Vec3{values[0], values[1], values[2]};
}

Vec3 JsonValue::point(std::string_view key, Vec3 otherwise) const {
  const auto value = find(key);
  return value ? value->as_point(otherwise) : otherwise;
}

std::vector<JsonValue> JsonValue::items(std::string_view key) const {
  std::vector<JsonValue> out;
  const auto value = find(key);
  if (!value) return out;
  if (!value->json_->is_array()) {
    value->error("json.type", "must be an array, it is " + describe(*value->json_));
    return out;
  }
  for (std::size_t i = 0; i < value->json_->size(); ++i) {
    out.emplace_back((*value->json_)[i], value->place_ + format_text("[%zu]", i), *faults_);
  }
  return out;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members(std::string_view key) const {
  std::vector<std::pair<std::string, JsonValue>> out;
  const auto value = find(key);
  if (!value) return out;
  if (!value->json_->is_object()) {
    value->error("json.type", "must be an object, it is " + describe(*value->json_));
    return out;
  }
  for (const auto& [name, member] : value->json_->items()) {
    out.emplace_back(name, JsonValue(member, value->place_of(name), *faults_));
  }
  return out;
}

}  // namespace sinew
