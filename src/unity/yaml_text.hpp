// Text in the form of Unity's YAML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <sinew/unity/assets.hpp>

namespace sinew::unity {

// A scalar for behind "key: ": plain where that is safe, else quoted. Bytes that are no UTF-8
// become U+FFFD.
std::string yaml_scalar(std::string_view text);

// The shortest decimal that reads back as the same double.
std::string yaml_number(double value);

// "{fileID: 7400000, guid: ..., type: 2}", "{fileID: 5}", "{fileID: 0}".
std::string yaml_reference(const AssetRef& ref);
std::string yaml_reference(std::int64_t file_id);

// 32 hexadecimal digits that depend on the text alone.
std::string made_up_guid(std::string_view text);

}  // namespace sinew::unity
