// Bytes from disk and from URIs, with limits. Shared by the importers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/result.hpp>

namespace sinew::files {

using Bytes = std::vector<std::byte>;

// A whole regular file of at most `max_bytes`. Errors have no place; the caller knows the file.
Result<Bytes> read_file(const std::filesystem::path& path, std::size_t max_bytes);

// The file that a relative URI or path (percent-encoding decoded) names inside `folder`. An error
// where it is absolute, has a scheme, or would leave the folder by ".." or through a symbolic link.
Result<std::filesystem::path> resolve_inside(const std::filesystem::path& folder,
                                             std::string_view uri);

// "%20" -> " ". An error for a '%' without two hexadecimal digits.
Result<std::string> decode_percent(std::string_view text);

// RFC 4648, padding optional. An error names the first letter that does not belong.
Result<Bytes> decode_base64(std::string_view text);

// The bytes of a "data:" URI, base64 or percent-encoded.
Result<Bytes> decode_data_uri(std::string_view uri);
bool is_data_uri(std::string_view uri);

}  // namespace sinew::files
