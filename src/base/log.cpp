#include <sinew/base/log.hpp>

namespace sinew {
namespace {
LogFunction g_function = nullptr;
void* g_user = nullptr;
}  // namespace

void set_log(LogFunction function, void* user) {
  g_function = function;
  g_user = user;
}

void log(Severity severity, std::string_view message) {
  if (g_function) g_function(g_user, severity, message);
}

}  // namespace sinew
