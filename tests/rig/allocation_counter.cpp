// Counts allocations of the test program, per thread. In a file of its own, so that the compiler
// does not see through the pair of operators.
#include <cstdlib>
#include <new>

namespace sinew::rig {
thread_local long g_allocations = 0;
}

void* operator new(std::size_t size) {
  ++sinew::rig::g_allocations;
  if (void* p = std::malloc(size)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
