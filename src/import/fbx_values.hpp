// Single values of FBX files, binary and ASCII.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include "fbx_document.hpp"

namespace sinew {

inline constexpr std::size_t kMaxFbxArray = 1u << 28;  // elements

// Takes a number off the front of the bytes; false where they are too few.
template <class T>
bool read_bytes(std::string_view& bytes, T& out) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&out, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return true;
}

// One property record of a binary file, and one value of an ASCII list (a quoted text, a number, a
// bare word), taken off the front; kNone at the end or where it is broken.
FbxValue take_binary(std::string_view& bytes);
FbxValue take_ascii(std::string_view& bytes);
// What lies between the values of an ASCII list.
bool is_separator(char c);

// The unpacked bytes of an array; false where they do not match its count.
bool unpack(const FbxValue& array, std::string& out);

}  // namespace sinew
