// Reading JSON objects with every fault collected: its place, the reason, the nearest right key.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>

#include "json_text.hpp"

namespace sinew::scene_detail {

class JsonReader {
 public:
  // `prefix` begins the codes of all findings, such as "controller".
  JsonReader(std::string prefix, std::string file, Findings& findings)
      : prefix_(std::move(prefix)), file_(std::move(file)), findings_(findings) {}

  // The document, or nullopt after a finding with line and column. Keys given twice, texts that are
  // not UTF-8 and numbers out of range are faults. Then checks that "sinew" is "<kind>/<version>".
  std::optional<Json> parse(std::string_view text);
  bool check_version(const Json& json, std::string_view kind, int version);

  // False and an error unless `json` is an object / an array.
  bool object(const Json& json, const std::string& place);
  bool array(const Json& json, const std::string& place);
  // An error for each key that is not known; keys that begin with "_" are for notes.
  void only_keys(const Json& json, const std::string& place,
                 std::initializer_list<std::string_view> known);

  // Each leaves `out` alone if the key is absent. False: absent (an error if required) or of the
  // wrong type (an error).
  bool text(const Json& json, const char* key, const std::string& place, std::string& out,
            bool required = false);
  bool number(const Json& json, const char* key, const std::string& place, double& out,
              bool required = false);
  bool flag(const Json& json, const char* key, const std::string& place, bool& out);
  // One of the words, as an index; -1 if it is absent or none of them (an error).
  int word(const Json& json, const char* key, const std::string& place,
           std::initializer_list<std::string_view> words, bool required = false);
  bool texts(const Json& json, const char* key, const std::string& place,
             std::vector<std::string>& out);
  bool pair(const Json& json, const char* key, const std::string& place, double& x, double& y);
  // A list of pairs of numbers.
  bool pairs(const Json& json, const char* key, const std::string& place,
             std::vector<std::pair<double, double>>& out);

  void error(const char* code, const std::string& place, std::string message,
             std::string hint = {});
  // Of the errors so far the first, with the number of the rest.
  std::optional<Error> first_error() const;

 private:
  std::string prefix_, file_;
  Findings& findings_;
};

}  // namespace sinew::scene_detail
