// Runs a program that reads a file which may be hostile: the import worker, or the command line
// itself for one file of many.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <sinew/base/result.hpp>

namespace sinew {

struct WorkerLimits {
  double seconds = 30;  // of wall clock, and of processor time
  std::size_t memory_bytes = std::size_t{2} << 30;
  std::size_t answer_bytes = std::size_t{1} << 30;
  // Asked several times a second; true ends the program at once. May be null.
  bool (*cancelled)() = nullptr;
};

// Everything the program wrote to its standard output. It runs under limits of processor time and
// memory, writes no files, and ends when the caller's thread does. Errors: it cannot be started
// (kNotFound), ran out of time or memory or wrote too much (kLimit), was ended by a signal
// (kMalformed: the file made it crash). May be called from several threads.
Result<std::string> run_worker(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const WorkerLimits& limits);

// The import worker's path: `given`; else the environment variable SINEW_IMPORT_WORKER; else
// "sinew-import-worker" beside the running program, in ../bin or in ../libexec/sinew of it.
Result<std::string> find_worker(const std::string& given);

}  // namespace sinew
