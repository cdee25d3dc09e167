// What the runtime asks of a job system. It makes no threads of its own.
#pragma once

namespace sinew {

// Runs `function(context, i)` for every i in [0, count), in any order, on any threads, and returns
// when all are done. Results never depend on the order.
class JobSystem {
 public:
  using Function = void (*)(void* context, int index);
  virtual void parallel_for(int count, Function function, void* context) = 0;

 protected:
  ~JobSystem() = default;
};

// In order, on the calling thread.
class SerialJobs final : public JobSystem {
 public:
  void parallel_for(int count, Function function, void* context) override {
    for (int i = 0; i < count; ++i) function(context, i);
  }
};

}  // namespace sinew
