#include "yaml_text.hpp"

#include <algorithm>
#include <charconv>

#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>

namespace sinew::unity {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_plain(std::string_view text) {
  if (!is_word(text.front()) || text.back() == ' ') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return is_word(c) || c == ' ' || c == '.' || c == '/' || c == '-' || c == '(' || c == ')' ||
           c == '+';
  });
}

// Takes one code point from the front; U+FFFD for a byte that begins none.
std::uint32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80           ? 1
                             : (lead >> 5) == 0x06 ? 2
                             : (lead >> 4) == 0x0e ? 3
                             : (lead >> 3) == 0x1e ? 4
                                                   : 0;
  constexpr std::uint32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t point = length <= 1 ? lead : lead & (0xffu >> (length + 1));
  bool good = length > 0 && length <= text.size();
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xc0) == 0x80;
    point = (point << 6) | (byte(i) & 0x3f);
  }
  good = good && point >= kLowest[length] && point <= 0x10ffff &&
         !(point >= 0xd800 && point <= 0xdfff);
  text.remove_prefix(good ? length : 1);
  return good ? point : 0xfffd;
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  if (text.empty()) return {};
  if (is_plain(text)) return std::string(text);
  const bool printable =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  std::string out;
  if (printable) {
    out = "'";
    for (char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
    return out + "'";
  }
  out = "\"";
  while (!text.empty()) {
    const std::uint32_t point = take_code_point(text);
    if (point >= ' ' && point <= '~') {
      if (point == '"' || point == '\\') out += '\\';
      out += static_cast<char>(point);
    } else if (point <= 0xffff) {
      out += format_text("\\u%04X", point);
    } else {
      out += format_text("\\U%08X", point);
    }
  }
  return out + "\"";
}

std::string yaml_number(double value) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, end);
}

std::string yaml_reference(std::int64_t file_id) {
  return "{fileID: " + std::to_string(file_id) + "}";
}

std::string yaml_reference(const AssetRef& ref) {
  if (ref.guid.empty()) return yaml_reference(ref.file_id);
  return "{fileID: " + std::to_string(ref.file_id) + ", guid: " + ref.guid +
         ", type: " + std::to_string(ref.type == 0 ? 2 : ref.type) + "}";
}

std::string made_up_guid(std::string_view text) {
  std::string out;
  for (std::uint64_t half = 0; half < 2; ++half) {
    Hasher hasher;
    hasher.u64(half);
    hasher.text(text);
    out += format_text("%016llx", static_cast<unsigned long long>(hasher.value()));
  }
  return out;
}

}  // namespace sinew::unity
