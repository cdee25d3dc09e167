#include "files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>

#include <sinew/base/text.hpp>

namespace sinew::files {
namespace {

namespace fs = std::filesystem;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// 0-63, or -1.
constexpr std::array<std::int16_t, 256> make_base64_table() {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::int16_t, 256> table{};
  for (auto& entry : table) entry = -1;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    table[static_cast<unsigned char>(letters[i])] = static_cast<std::int16_t>(i);
  }
  return table;
}
constexpr auto kBase64 = make_base64_table();

// Letters before a ':' at the start, as of "http:" or "C:".
bool has_scheme(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  return std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '+' || c == '-' || c == '.';
  });
}

Error refused(std::string_view uri, const char* reason) {
  std::string message = "'";
  message.append(uri.substr(0, 200)).append("' ").append(reason);
  return make_error(ErrorCode::kUnsupported, std::move(message));
}

Error leaves_folder(std::string_view uri) { return refused(uri, "leaves the folder of the file"); }

bool starts_with(const fs::path& path, const fs::path& folder) {
  const auto [a, b] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return a == folder.end() || (a->empty() && std::next(a) == folder.end());
}

}  // namespace

Result<Bytes> read_file(const fs::path& path, std::size_t max_bytes) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) {
    return make_error(ErrorCode::kNotFound, "there is no such file");
  }
  if (code) return make_error(ErrorCode::kUnreadable, "cannot be opened: " + code.message());
  if (status.type() != fs::file_type::regular) {
    return make_error(ErrorCode::kUnreadable, "is not a file");
  }
  const std::uintmax_t size = fs::file_size(path, code);
  if (code) return make_error(ErrorCode::kUnreadable, "cannot be read: " + code.message());
  if (size > max_bytes) {
    return make_error(ErrorCode::kLimit,
                      format_text("has %ju bytes; the limit is %zu", size, max_bytes));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return make_error(ErrorCode::kUnreadable, "cannot be opened");
  Bytes bytes(static_cast<std::size_t>(size));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(stream.gcount()) != size) {
    return make_error(ErrorCode::kUnreadable, "cannot be read to its end");
  }
  return bytes;
}

Result<fs::path> resolve_inside(const fs::path& folder, std::string_view uri) {
  Result<std::string> decoded = decode_percent(uri);
  if (!decoded) return std::move(decoded).error();
  const std::string& text = *decoded;
  if (text.empty()) return make_error(ErrorCode::kMalformed, "the path is empty");
  if (text.find('\0') != std::string::npos) {
    return make_error(ErrorCode::kMalformed, "the path holds a zero byte");
  }
  // A backslash separates folders on some systems: one meaning everywhere is none.
  if (has_scheme(text) || text.front() == '/' || text.find('\\') != std::string::npos) {
    return refused(uri, "is not a relative path with '/'");
  }
  const fs::path relative = fs::path(text).lexically_normal();
  if (relative.is_absolute() || (!relative.empty() && *relative.begin() == "..")) {
    return leaves_folder(uri);
  }
  std::error_code code;
  const fs::path base = fs::canonical(folder, code);
  if (code) {
    return make_error(ErrorCode::kUnreadable,
                      "the folder '" + folder.string() + "' cannot be opened: " + code.message());
  }
  const fs::path full = fs::weakly_canonical(base / relative, code);
  if (code) return make_error(ErrorCode::kUnreadable, "cannot be opened: " + code.message());
  if (!starts_with(full, base)) return leaves_folder(uri);
  return full;
}

Result<std::string> decode_percent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      return make_error(
          ErrorCode::kMalformed,
          format_text("letter %zu: '%%' is not followed by two hexadecimal digits", i));
    }
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return out;
}

Result<Bytes> decode_base64(std::string_view text) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) {
    return make_error(ErrorCode::kMalformed,
                      format_text("the base64 text ends early, after %zu letters", text.size()));
  }
  Bytes out;
  out.reserve(text.size() / 4 * 3 + 2);
  unsigned bits = 0;
  int count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = kBase64[static_cast<unsigned char>(text[i])];
    if (value < 0) {
      return make_error(ErrorCode::kMalformed,
                        format_text("letter %zu of the base64 text is not one of base64", i));
    }
    bits = (bits << 6) | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<std::byte>((bits >> count) & 0xffu));
    }
  }
  return out;
}

bool is_data_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "data:";
  return uri.size() >= kScheme.size() &&
         std::equal(kScheme.begin(), kScheme.end(), uri.begin(), [](char a, char b) {
           return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
         });
}

Result<Bytes> decode_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (comma == std::string_view::npos) {
    return make_error(ErrorCode::kMalformed, "the data URI has no comma");
  }
  const std::string_view head = uri.substr(0, comma), body = uri.substr(comma + 1);
  if (head.ends_with(";base64")) return decode_base64(body);
  Result<std::string> text = decode_percent(body);
  if (!text) return std::move(text).error();
  const auto* first = reinterpret_cast<const std::byte*>(text->data());
  return Bytes(first, first + text->size());
}

}  // namespace sinew::files
