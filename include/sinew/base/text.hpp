// Helpers for messages that people read.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

// The number of single-letter edits (insert, delete, replace, swap of neighbours) between two
// words, letter case ignored. Cost |a| x |b|; words beyond 64 letters count as unlike.
int edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, if it is near enough to be what was meant (at most a third of
// the letters wrong); else empty. Of equals the first.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

// "; did you mean 'speed'?", or empty if nothing is near.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates);

// printf into a string, for messages. Never for output of a fixed format.
[[gnu::format(printf, 1, 2)]] std::string format_text(const char* format, ...);

}  // namespace sinew
