#include "fbx_values.hpp"

#include <bit>
#include <type_traits>

#include <zlib.h>

#include "text_scanner.hpp"

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "binary FBX is read in place");

std::size_t element_size(char element) {
  switch (element) {
    case 'f':
    case 'i':
      return 4;
    case 'd':
    case 'l':
      return 8;
    case 'b':
      return 1;
    default:
      return 0;
  }
}

FbxValue integer_value(std::int64_t v) {
  FbxValue out;
  out.kind = FbxValue::Kind::kInteger;
  out.integer = v;
  out.real = static_cast<double>(v);
  return out;
}

FbxValue real_value(double v) {
  FbxValue out;
  out.kind = FbxValue::Kind::kReal;
  out.real = v;
  out.integer = v >= -9e18 && v <= 9e18 ? static_cast<std::int64_t>(v) : 0;
  return out;
}

FbxValue text_value(std::string_view text) {
  FbxValue out;
  out.kind = FbxValue::Kind::kText;
  out.text = text;
  return out;
}

template <class T>
FbxValue scalar(std::string_view& bytes) {
  T v{};
  if (!read_bytes(bytes, v)) return {};
  if constexpr (std::is_floating_point_v<T>) {
    return real_value(static_cast<double>(v));
  } else {
    return integer_value(static_cast<std::int64_t>(v));
  }
}

}  // namespace

FbxValue take_binary(std::string_view& bytes) {
  if (bytes.empty()) return {};
  const char type = bytes.front();
  bytes.remove_prefix(1);
  switch (type) {
    case 'Y':
      return scalar<std::int16_t>(bytes);
    case 'C':
    case 'B':
      return scalar<std::uint8_t>(bytes);
    case 'I':
      return scalar<std::int32_t>(bytes);
    case 'L':
      return scalar<std::int64_t>(bytes);
    case 'F':
      return scalar<float>(bytes);
    case 'D':
      return scalar<double>(bytes);
    case 'S':
    case 'R': {
      std::uint32_t length = 0;
      if (!read_bytes(bytes, length) || length > bytes.size()) return {};
      const FbxValue out = text_value(bytes.substr(0, length));
      bytes.remove_prefix(length);
      return out;
    }
    case 'f':
    case 'd':
    case 'l':
    case 'i':
    case 'b': {
      std::uint32_t count = 0, encoding = 0, packed = 0;
      if (!read_bytes(bytes, count) || !read_bytes(bytes, encoding) || !read_bytes(bytes, packed))
        return {};
      const std::size_t size = encoding == 0 ? std::size_t{count} * element_size(type) : packed;
      if (size > bytes.size() || encoding > 1) return {};
      FbxValue out;
      out.kind = FbxValue::Kind::kArray;
      out.text = bytes.substr(0, size);
      out.element = type;
      out.compressed = encoding == 1;
      out.count = count;
      bytes.remove_prefix(size);
      return out;
    }
    default:
      bytes = {};
      return {};
  }
}

bool is_separator(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '\v' || c == '\f';
}

FbxValue take_ascii(std::string_view& bytes) {
  while (!bytes.empty() && (is_separator(bytes.front()) || bytes.front() == ';')) {
    if (bytes.front() == ';') {
      const std::size_t end = bytes.find('\n');
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end);
    } else {
      bytes.remove_prefix(1);
    }
  }
  if (bytes.empty()) return {};
  if (bytes.front() == '"') {
    const std::size_t end = bytes.find('"', 1);
    const FbxValue out = text_value(bytes.substr(1, end == std::string_view::npos ? end : end - 1));
    bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    return out;
  }
  std::size_t length = 0;
  while (length < bytes.size() && !is_separator(bytes[length]) && bytes[length] != ';') ++length;
  const std::string_view word = bytes.substr(0, length);
  bytes.remove_prefix(length);
  std::int64_t integer = 0;
  const bool negative = word.starts_with('-');
  if (parse_count(negative ? word.substr(1) : word, integer))
    return integer_value(negative ? -integer : integer);
  double real = 0;
  if (parse_number(word, real)) return real_value(real);
  return text_value(word);
}

bool unpack(const FbxValue& array, std::string& out) {
  const std::size_t size = array.count * element_size(array.element);
  if (!array.compressed) {
    out.assign(array.text);
    return out.size() == size;
  }
  // Deflate packs at most 1032 to 1: a claim beyond that is a lie, and nothing is allocated for it.
  if (array.text.size() > kMaxFbxArray || size / 1032 > array.text.size() + 1) return false;
  out.resize(size);
  uLongf got = static_cast<uLongf>(size);
  const int code = uncompress(reinterpret_cast<Bytef*>(out.data()), &got,
                              reinterpret_cast<const Bytef*>(array.text.data()),
                              static_cast<uLong>(array.text.size()));
  return (code == Z_OK || (size == 0 && code == Z_BUF_ERROR)) && got == size;
}

}  // namespace sinew
