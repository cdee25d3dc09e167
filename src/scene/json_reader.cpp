#include "json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <sinew/base/text.hpp>

namespace sinew::scene_detail {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  out += text;
  out += '\'';
  return out;
}

std::string kind_of(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "a list";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::boolean:
      return "a truth value";
    default:
      return "a number";
  }
}

std::string line_and_column(std::string_view text, std::size_t byte) {
  std::size_t line = 1, column = 1;
  for (std::size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      column = 1;
    } else {
      ++column;
    }
  }
  return format_text("line %zu, column %zu", line, column);
}

// The library's message without its own prefix and position.
std::string plain_reason(const std::string& what) {
  const std::size_t begin = what.find("syntax error");
  const std::size_t prefix = what.find("] ");
  std::string reason = begin != std::string::npos    ? what.substr(begin)
                       : prefix != std::string::npos ? what.substr(prefix + 2)
                                                     : what;
  const std::size_t last_read = reason.find("; last read:");
  if (last_read != std::string::npos) reason.resize(last_read);
  for (char& c : reason) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  constexpr std::size_t kLongest = 160;
  if (reason.size() > kLongest) reason = reason.substr(0, kLongest) + "...";
  return reason;
}

// What nesting no hand-written file needs, and a hostile one might use against recursive readers.
constexpr int kDeepest = 128;

}  // namespace

std::optional<Json> JsonReader::parse(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  std::string twice;
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      keys.resize(static_cast<std::size_t>(depth) + 1);
      keys[static_cast<std::size_t>(depth)].clear();
    } else if (event == Json::parse_event_t::key && depth > 0) {
      const auto name = parsed.get<std::string>();
      if (!keys[static_cast<std::size_t>(depth) - 1].insert(name).second && twice.empty())
        twice = name;
    }
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  try {
    Json json = Json::parse(text.begin(), text.end(), watch);
    if (too_deep) {
      error("too_deep", "", "objects and lists are nested too deeply");
      return std::nullopt;
    }
    if (!twice.empty())
      error("duplicate_key", "", "the key " + in_quotes(twice) + " is given twice");
    return json;
  } catch (const Json::parse_error& fault) {
    error("syntax", line_and_column(text, fault.byte), plain_reason(fault.what()));
  } catch (const Json::exception& fault) {
    error("syntax", "", plain_reason(fault.what()));
  }
  return std::nullopt;
}

bool JsonReader::check_version(const Json& json, std::string_view kind, int version) {
  const std::string wanted = std::string(kind) + "/" + std::to_string(version);
  if (!json.is_object()) {
    error("type", "", "the document is " + kind_of(json) + ", not an object");
    return false;
  }
  const auto found = json.find("sinew");
  if (found == json.end() || !found->is_string()) {
    error("version", "", "the key 'sinew' is missing",
          "begin the file with \"sinew\": \"" + wanted + "\"");
    return false;
  }
  const std::string got = found->get<std::string>();
  if (got == wanted) return true;
  const bool same_kind = got.substr(0, got.find('/')) == kind;
  error("version", "", "the file is " + in_quotes(got) + ", not " + in_quotes(wanted),
        same_kind ? "this version of Sinew reads only " + wanted : "");
  return false;
}

bool JsonReader::object(const Json& json, const std::string& place) {
  if (json.is_object()) return true;
  error("type", place, "is " + kind_of(json) + ", not an object");
  return false;
}

bool JsonReader::array(const Json& json, const std::string& place) {
  if (json.is_array()) return true;
  error("type", place, "is " + kind_of(json) + ", not a list");
  return false;
}

void JsonReader::only_keys(const Json& json, const std::string& place,
                           std::initializer_list<std::string_view> known) {
  const std::vector<std::string_view> names(known);
  for (const auto& [key, value] : json.items()) {
    if (!key.empty() && key[0] == '_') continue;
    bool is_known = false;
    for (std::string_view name : names) is_known = is_known || name == key;
    if (!is_known) {
      error("unknown_key", place, "there is no key " + in_quotes(key) + did_you_mean(key, names));
    }
  }
}

bool JsonReader::text(const Json& json, const char* key, const std::string& place, std::string& out,
                      bool required) {
  const auto found = json.find(key);
  if (found == json.end()) {
    if (required) error("missing_key", place, "the key " + in_quotes(key) + " is missing");
    return false;
  }
  if (!found->is_string()) {
    error("type", place, in_quotes(key) + " is " + kind_of(*found) + ", not a text");
    return false;
  }
  out = found->get<std::string>();
  return true;
}

bool JsonReader::number(const Json& json, const char* key, const std::string& place, double& out,
                        bool required) {
  const auto found = json.find(key);
  if (found == json.end()) {
    if (required) error("missing_key", place, "the key " + in_quotes(key) + " is missing");
    return false;
  }
  if (!found->is_number() || !std::isfinite(found->get<double>())) {
    error("type", place, in_quotes(key) + " is " + kind_of(*found) + ", not a finite number");
    return false;
  }
  out = found->get<double>();
  return true;
}

bool JsonReader::flag(const Json& json, const char* key, const std::string& place, bool& out) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  if (!found->is_boolean()) {
    error("type", place, in_quotes(key) + " is " + kind_of(*found) + ", not true or false");
    return false;
  }
  out = found->get<bool>();
  return true;
}

int JsonReader::word(const Json& json, const char* key, const std::string& place,
                     std::initializer_list<std::string_view> words, bool required) {
  std::string got;
  if (!text(json, key, place, got, required)) return -1;
  const std::vector<std::string_view> names(words);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == got) return static_cast<int>(i);
  }
  std::string list;
  for (std::string_view name : names) {
    if (!list.empty()) list += ", ";
    list += name;
  }
  error("unknown_word", place,
        in_quotes(key) + " is " + in_quotes(got) + did_you_mean(got, names) + " (one of " + list +
            ")");
  return -1;
}

bool JsonReader::texts(const Json& json, const char* key, const std::string& place,
                       std::vector<std::string>& out) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  if (!array(*found, place + ": " + key)) return false;
  for (const Json& item : *found) {
    if (!item.is_string()) {
      error("type", place, in_quotes(key) + " holds " + kind_of(item) + ", not only texts");
      return false;
    }
    out.push_back(item.get<std::string>());
  }
  return true;
}

bool JsonReader::pair(const Json& json, const char* key, const std::string& place, double& x,
                      double& y) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  const bool right =
      found->is_array() && found->size() == 2 && (*found)[0].is_number() && (*found)[1].is_number();
  if (!right) {
    error("type", place, in_quotes(key) + " is not a list of two numbers");
    return false;
  }
  x = (*found)[0].get<double>();
  y = (*found)[1].get<double>();
  return true;
}

bool JsonReader::pairs(const Json& json, const char* key, const std::string& place,
                       std::vector<std::pair<double, double>>& out) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  const auto is_pair = [](const Json& item) {
    return item.is_array() && item.size() == 2 && item[0].is_number() && item[1].is_number();
  };
  if (!found->is_array() || !std::all_of(found->begin(), found->end(), is_pair)) {
    error("type", place, in_quotes(key) + " is not a list of pairs of numbers");
    return false;
  }
  for (const Json& item : *found) out.emplace_back(item[0].get<double>(), item[1].get<double>());
  return true;
}

void JsonReader::error(const char* code, const std::string& place, std::string message,
                       std::string hint) {
  findings_.push_back(
      {Severity::kError, prefix_ + "." + code, std::move(message), place, std::move(hint), file_});
}

std::optional<Error> JsonReader::first_error() const {
  std::optional<Error> first;
  int errors = 0;
  for (const Finding& finding : findings_) {
    if (finding.severity != Severity::kError) continue;
    if (errors++ > 0) continue;
    std::string where = file_;
    if (!finding.place.empty()) where += (where.empty() ? "" : ": ") + finding.place;
    first = make_error(ErrorCode::kMalformed, finding.message, where);
  }
  if (errors > 1) first->message += format_text(" (and %d more)", errors - 1);
  return first;
}

}  // namespace sinew::scene_detail
