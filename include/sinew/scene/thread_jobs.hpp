// A small job system on std::thread, for tools, tests and programs that bring none.
#pragma once

#include <memory>

#include <sinew/base/jobs.hpp>

namespace sinew {

// `workers` threads take part in every parallel_for, the calling one included: ThreadJobs(1) makes
// no thread at all. Threads sleep between calls. parallel_for may not be called from inside a job.
class ThreadJobs final : public JobSystem {
 public:
  // workers < 1 counts as 1; 0 or less is not "all cores": ask hardware_workers() for these.
  explicit ThreadJobs(int workers);
  ~ThreadJobs();
  ThreadJobs(const ThreadJobs&) = delete;
  ThreadJobs& operator=(const ThreadJobs&) = delete;

  void parallel_for(int count, Function function, void* context) override;
  int workers() const;

  // Threads that the machine runs at once, at least 1.
  static int hardware_workers();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace sinew
