#include "gltf/json.hpp"

#include <cfloat>
#include <cmath>

#include <sinew/base/text.hpp>

namespace sinew::gltf {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxValues = 20'000'000;    // about 16 bytes each once parsed
constexpr double kMaxWhole = 9007199254740992.0;  // 2^53

const Json kEmptyArray = Json::array();

std::string quoted(const char* key) { return "'" + std::string(key) + "'"; }

bool whole_number(const Json& value, double& out) {
  if (!value.is_number()) return false;
  out = value.get<double>();
  return out >= 0.0 && out <= kMaxWhole && out == std::floor(out);
}

// Nesting and number of values, found without building anything.
void check_size(std::string_view text, const Place& place) {
  std::size_t depth = 0, values = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == ',' || c == '[' || c == '{') ++values;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if ((c == '[' || c == '{') && ++depth > kMaxDepth) {
      fail(place, format_text("the JSON is nested deeper than %zu", kMaxDepth), ErrorCode::kLimit);
    }
  }
  if (values > kMaxValues) {
    fail(place, format_text("the JSON holds more than %zu values", kMaxValues), ErrorCode::kLimit);
  }
}

std::string line_and_column(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return format_text("line %zu, column %zu", line, column);
}

}  // namespace

std::string printable(std::string_view name) {
  constexpr std::size_t kLongest = 80;
  std::string out(name.substr(0, kLongest));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  }
  if (name.size() > kLongest) out += "...";
  return out;
}

std::string Place::text() const {
  std::string own(word);
  if (index >= 0) own += " " + std::to_string(index);
  if (!name.empty()) own += " '" + printable(name) + "'";
  if (up == nullptr) return own;
  const std::string outer = up->text();
  if (outer.empty() || own.empty()) return outer + own;
  return outer + ": " + own;
}

void fail(const Place& place, std::string message, ErrorCode code) {
  throw Failure{make_error(code, std::move(message), place.text())};
}

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json& array_of(const Json& object, const char* key, const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return kEmptyArray;
  if (!value->is_array()) fail(place, quoted(key) + " is not an array");
  return *value;
}

const Json* object_of(const Json& object, const char* key, const Place& place) {
  const Json* value = member(object, key);
  if (value != nullptr && !value->is_object()) fail(place, quoted(key) + " is not an object");
  return value;
}

void require_object(const Json& value, const Place& place) {
  if (!value.is_object()) fail(place, "is not an object");
}

int to_index(const Json& value, const char* what, std::size_t count, const Place& place) {
  double number = 0;
  if (!whole_number(value, number)) fail(place, std::string(what) + " is not an index");
  if (number >= static_cast<double>(count)) {
    fail(place, format_text("%s refers to %.0f, but there %s %zu", what, number,
                            count == 1 ? "is only" : "are", count));
  }
  return static_cast<int>(number);
}

int index_of(const Json& object, const char* key, std::size_t count, const Place& place) {
  const Json* value = member(object, key);
  return value == nullptr ? -1 : to_index(*value, quoted(key).c_str(), count, place);
}

int required_index_of(const Json& object, const char* key, std::size_t count, const Place& place) {
  const int index = index_of(object, key, count, place);
  if (index < 0) fail(place, quoted(key) + " is missing");
  return index;
}

bool to_float(const Json& value, float& out) {
  if (!value.is_number()) return false;
  const double number = value.get<double>();
  if (!(std::abs(number) <= static_cast<double>(FLT_MAX))) return false;
  out = static_cast<float>(number);
  return true;
}

std::size_t size_of(const Json& object, const char* key, std::size_t otherwise,
                    const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return otherwise;
  double number = 0;
  if (!whole_number(*value, number)) {
    fail(place, quoted(key) + " is not a whole number of at least 0");
  }
  return static_cast<std::size_t>(number);
}

float number_of(const Json& object, const char* key, float otherwise, const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return otherwise;
  float number = 0;
  if (!to_float(*value, number)) fail(place, quoted(key) + " is not a finite number");
  return number;
}

bool bool_of(const Json& object, const char* key, bool otherwise, const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) fail(place, quoted(key) + " is not true or false");
  return value->get<bool>();
}

std::string string_of(const Json& object, const char* key, const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return {};
  if (!value->is_string()) fail(place, quoted(key) + " is not a string");
  return value->get<std::string>();
}

bool floats_of(const Json& object, const char* key, std::size_t count, float* out,
               const Place& place) {
  const Json* value = member(object, key);
  if (value == nullptr) return false;
  if (!value->is_array() || value->size() != count) {
    fail(place, format_text("'%s' is not an array of %zu numbers", key, count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!to_float((*value)[i], out[i])) {
      fail(place, format_text("'%s': element %zu is not a finite number", key, i));
    }
  }
  return true;
}

Json parse_json(std::string_view text, const Place& place) {
  check_size(text, place);
  try {
    return Json::parse(text.begin(), text.end());
  } catch (const Json::parse_error& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    fail(place, "not valid JSON: " + line_and_column(text, error.byte) + ": " +
                    printable(what.substr(0, 160)));
  } catch (const Json::exception& error) {
    fail(place, std::string("not valid JSON: ") + error.what());
  }
}

}  // namespace sinew::gltf
