// Counts calls of operator new in this test program.
#pragma once

namespace sinew {

// Between start and stop; stop_counting_new() gives the number of calls.
void start_counting_new();
int stop_counting_new();

}  // namespace sinew
