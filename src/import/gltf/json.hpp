// Typed reading of JSON values, with the place in every error.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <sinew/base/result.hpp>

namespace sinew::gltf {

using Json = nlohmann::json;

// Where the reader is: a chain of links on the stack, put into words only for a message.
struct Place {
  const Place* up = nullptr;
  std::string_view word;  // "animation"
  long long index = -1;   // -1: none
  std::string_view name;  // may be empty

  // "animation 3 'Walk': channel 7"
  std::string text() const;
};

// Carries an error out of the reader; never leaves the module.
struct Failure {
  Error error;
};

[[noreturn]] void fail(const Place& place, std::string message,
                       ErrorCode code = ErrorCode::kMalformed);

// A name as it may stand in a message: control characters and overlong ends replaced.
std::string printable(std::string_view name);

// The member of an object, or null where it has none of that name.
const Json* member(const Json& object, const char* key);

// The elements of an array member; an empty array where there is none. Fails where it is no array.
const Json& array_of(const Json& object, const char* key, const Place& place);
// A member that must be an object, or null.
const Json* object_of(const Json& object, const char* key, const Place& place);
void require_object(const Json& value, const Place& place);

// An index below `count`, or -1 where the member is missing.
int index_of(const Json& object, const char* key, std::size_t count, const Place& place);
int required_index_of(const Json& object, const char* key, std::size_t count, const Place& place);
// The value itself as an index; `what` is how the message calls it.
int to_index(const Json& value, const char* what, std::size_t count, const Place& place);
// A whole number from 0 to 2^53.
std::size_t size_of(const Json& object, const char* key, std::size_t otherwise, const Place& place);
// False where the value is no number, or too large for a float.
bool to_float(const Json& value, float& out);
float number_of(const Json& object, const char* key, float otherwise, const Place& place);
bool bool_of(const Json& object, const char* key, bool otherwise, const Place& place);
std::string string_of(const Json& object, const char* key, const Place& place);
// `count` finite floats into `out`; false where the member is missing.
bool floats_of(const Json& object, const char* key, std::size_t count, float* out,
               const Place& place);

// Text to JSON. Checks depth and the number of values before it builds anything.
Json parse_json(std::string_view text, const Place& place);

}  // namespace sinew::gltf
