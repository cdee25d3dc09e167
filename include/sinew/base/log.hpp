// The log hook. The library prints nothing by itself.
#pragma once

#include <string_view>

#include <sinew/base/finding.hpp>

namespace sinew {

using LogFunction = void (*)(void* user, Severity severity, std::string_view message);

// Where messages go; null (the default) drops them. Not to be changed while a world updates.
void set_log(LogFunction function, void* user);

void log(Severity severity, std::string_view message);

}  // namespace sinew
