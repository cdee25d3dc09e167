// Reading authored JSON with every fault reported at its place, and defaults where a value is bad,
// so that one pass finds all faults of a file.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/math/vec.hpp>

#include "json_text.hpp"

namespace sinew {

using scene_detail::Json;

// Parses a file's text; none after a finding "file.syntax" (with line and column),
// "file.duplicate_key" or "file.too_deep".
std::optional<Json> parse_json(std::string_view text, const std::string& file, Findings& findings);

// The faults of one file.
class JsonFaults {
 public:
  JsonFaults(std::string file, Findings& findings) : file_(std::move(file)), findings_(&findings) {}
  void error(std::string code, std::string place, std::string message, std::string hint = {});
  void warning(std::string code, std::string place, std::string message, std::string hint = {});
  int error_count() const { return errors_; }
  const std::string& file() const { return file_; }

 private:
  std::string file_;
  Findings* findings_;
  int errors_ = 0;
};

// The first error as an Error; findings must hold one.
Error first_error(const Findings& findings);

struct Range {
  double low = -1e9;
  double high = 1e9;
};

// One value of the document with its place ("characters[0].patrol.points[2]"). Readers of members
// report what is wrong and return the default.
class JsonValue {
 public:
  JsonValue(const Json& json, std::string place, JsonFaults& faults)
      : json_(&json), place_(std::move(place)), faults_(&faults) {}

  const Json& json() const { return *json_; }
  const std::string& place() const { return place_; }
  JsonFaults& faults() const { return *faults_; }
  void error(std::string code, std::string message, std::string hint = {}) const {
    faults_->error(std::move(code), place_, std::move(message), std::move(hint));
  }

  // True if this is an object; reports that it is none, and members that are not `known`.
  bool object(std::initializer_list<std::string_view> known) const;
  // Checks {"sinew": "<kind>/<version>"}; reports another kind or version.
  bool header(std::string_view kind, int version) const;

  std::optional<JsonValue> find(std::string_view key) const;
  // The same, and a report if it is missing.
  std::optional<JsonValue> require(std::string_view key) const;

  double number(std::string_view key, double otherwise, Range range = {}) const;
  float number_f(std::string_view key, float otherwise, Range range = {}) const {
    return static_cast<float>(number(key, otherwise, range));
  }
  long long integer(std::string_view key, long long otherwise, long long low, long long high) const;
  bool flag(std::string_view key, bool otherwise) const;
  std::string text(std::string_view key, std::string_view otherwise = {}) const;
  // A text that must be one of `choices`; the index of it, or `otherwise`.
  int choice(std::string_view key, std::initializer_list<std::string_view> choices,
             int otherwise) const;
  // [x, y, z]; two numbers are x and z on the ground.
  Vec3 point(std::string_view key, Vec3 otherwise) const;
  Vec3 as_point(Vec3 otherwise) const;
  std::optional<double> as_number(Range range = {}) const;
  std::optional<std::string> as_text() const;

  // The elements of an array member, or nothing where it is missing.
  std::vector<JsonValue> items(std::string_view key) const;
  // The members of an object member in their order.
  std::vector<std::pair<std::string, JsonValue>> members(std::string_view key) const;

 private:
  std::string place_of(std::string_view key) const;

  const Json* json_;
  std::string place_;
  JsonFaults* faults_;
};

// What a value is, for messages: "a text", "an array of 2".
std::string describe(const Json& json);

}  // namespace sinew
