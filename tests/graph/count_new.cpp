#include "count_new.hpp"

#include <cstdlib>
#include <new>

namespace {
bool counting = false;
int calls = 0;
}  // namespace

void* operator new(std::size_t size) {
  if (counting) ++calls;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (counting) ++calls;
  return std::malloc(size > 0 ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace sinew {

void start_counting_new() {
  calls = 0;
  counting = true;
}

int stop_counting_new() {
  counting = false;
  return calls;
}

}  // namespace sinew
