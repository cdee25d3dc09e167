// Runs the import worker: a program of our own that holds the code which is not safe on hostile
// files.
#pragma once

#include <cstddef>
#include <string>

#include <sinew/base/result.hpp>

namespace sinew {

struct WorkerLimits {
  double seconds = 30;
  std::size_t memory_bytes = std::size_t{2} << 30;
  std::size_t answer_bytes = std::size_t{1} << 30;
};

// Everything the worker wrote. Errors: it cannot be started (kNotFound), ran out of time or memory
// or wrote too much (kLimit), was ended by a signal (kMalformed: the file made it crash).
Result<std::string> run_worker(const std::string& worker, const std::string& file,
                               const WorkerLimits& limits);

// The worker's path: `given`; else the environment variable SINEW_IMPORT_WORKER; else
// "sinew-import-worker" beside the running program, in ../bin or in ../libexec/sinew of it.
Result<std::string> find_worker(const std::string& given);

}  // namespace sinew
