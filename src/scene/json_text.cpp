#include "json_text.hpp"

#include <cmath>

namespace sinew::scene_detail {
namespace {

constexpr std::size_t kColumns = 100;

// Texts that are not UTF-8 must not end the program: what is wrong in them is replaced.
std::string plain(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void append_line(const Json& json, std::string& out) {
  if (json.is_object()) {
    out += '{';
    bool first = true;
    for (const auto& [key, value] : json.items()) {
      if (!first) out += ", ";
      first = false;
      out += plain(key);
      out += ": ";
      append_line(value, out);
    }
    out += '}';
  } else if (json.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < json.size(); ++i) {
      if (i > 0) out += ", ";
      append_line(json[i], out);
    }
    out += ']';
  } else {
    out += plain(json);
  }
}

void append(const Json& json, std::size_t indent, std::size_t used, std::string& out) {
  std::string line;
  append_line(json, line);
  if (!json.is_structured() || json.empty() || used + line.size() <= kColumns) {
    out += line;
    return;
  }
  const std::string pad(indent + 2, ' ');
  out += json.is_object() ? "{\n" : "[\n";
  std::size_t left = json.size();
  for (const auto& [key, value] : json.items()) {
    out += pad;
    std::size_t start = pad.size();
    if (json.is_object()) {
      const std::string name = plain(key) + ": ";
      out += name;
      start += name.size();
    }
    append(value, indent + 2, start + (--left > 0 ? 1 : 0), out);
    out += left > 0 ? ",\n" : "\n";
  }
  out += std::string(indent, ' ');
  out += json.is_object() ? '}' : ']';
}

}  // namespace

std::string json_text(const Json& json) {
  std::string out;
  append(json, 0, 0, out);
  out += '\n';
  return out;
}

Json json_number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::abs(value) < kExact) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

}  // namespace sinew::scene_detail
