#include "controller_condition.hpp"

#include <charconv>
#include <cmath>

namespace sinew::scene_detail {
namespace {

struct Operator {
  std::string_view text;
  ConditionMode mode;
};
constexpr Operator kOperators[] = {
    {"==", ConditionMode::kEquals},
    {"!=", ConditionMode::kNotEqual},
    {">", ConditionMode::kGreater},
    {"<", ConditionMode::kLess},
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool parse_number(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace

bool parse_condition(std::string_view text, ConditionSource& condition, std::string& message) {
  text = trim(text);
  // The last operator counts, so that a name may hold one.
  const std::size_t at = text.find_last_of("<>=");
  if (at == std::string_view::npos) {
    condition.mode = ConditionMode::kIf;
    if (!text.empty() && text.front() == '!') {
      condition.mode = ConditionMode::kIfNot;
      text = trim(text.substr(1));
    }
    condition.parameter = text;
    if (text.empty()) message = "the condition names no parameter";
    return !text.empty();
  }
  const std::string_view number = trim(text.substr(at + 1));
  std::size_t begin = at;
  if (begin > 0 && std::string_view("<>=!").find(text[begin - 1]) != std::string_view::npos)
    --begin;
  const std::string_view word = text.substr(begin, at + 1 - begin);
  for (const Operator& op : kOperators) {
    if (op.text != word) continue;
    condition.mode = op.mode;
    condition.parameter = trim(text.substr(0, begin));
    if (condition.parameter.empty()) {
      message = "the condition names no parameter";
      return false;
    }
    if (parse_number(number, condition.threshold)) return true;
    message = "'" + std::string(number);
    message += "' is not a number";
    return false;
  }
  message = "'" + std::string(word);
  message += "' is not one of >, <, == and !=";
  return false;
}

Json write_condition(const ConditionSource& condition) {
  std::string text;
  if (condition.mode == ConditionMode::kIf) {
    text = condition.parameter;
  } else if (condition.mode == ConditionMode::kIfNot) {
    text = "!";
    text += condition.parameter;
  } else {
    for (const Operator& op : kOperators) {
      if (op.mode == condition.mode) text = condition.parameter + " " + std::string(op.text) + " ";
    }
    text += json_number(condition.threshold).dump();
  }
  // Only a text that is read back as the same condition is one.
  ConditionSource again;
  std::string message;
  if (parse_condition(text, again, message) && again.parameter == condition.parameter &&
      again.mode == condition.mode && again.threshold == condition.threshold) {
    return text;
  }
  Json json;
  json["parameter"] = condition.parameter;
  json["mode"] = to_string(condition.mode);
  if (condition.threshold != 0) json["threshold"] = json_number(condition.threshold);
  return json;
}

}  // namespace sinew::scene_detail
