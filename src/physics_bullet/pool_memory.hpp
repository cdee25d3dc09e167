// Memory for Bullet that is taken once and then reused: a simulation in its stride asks the system
// for nothing.
#pragma once

#include <cstddef>

namespace sinew {

// Makes Bullet use the pool from now on, in the whole program. Further calls do nothing.
void use_pool_for_bullet();
// Bytes that the calling thread's pool has taken from the system.
std::size_t pool_bytes_of_thread();

}  // namespace sinew
