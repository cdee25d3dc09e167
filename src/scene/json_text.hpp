// JSON as people like to read it in files: short values on one line, keys in the order given.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace sinew::scene_detail {

using Json = nlohmann::ordered_json;

// What fits into 100 columns stays on one line; the rest is indented by two. Ends in a line feed.
std::string json_text(const Json& json);

// A number as an integer where it is one, so that 1.0 is written as 1.
Json json_number(double value);

}  // namespace sinew::scene_detail
