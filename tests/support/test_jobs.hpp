// Job systems that would show a result that depends on order or threads.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include <sinew/base/jobs.hpp>

namespace sinew::testing {

// Last first, on the calling thread.
class ReverseJobs final : public JobSystem {
 public:
  void parallel_for(int count, Function function, void* context) override {
    for (int i = count - 1; i >= 0; --i) function(context, i);
  }
};

// Fresh threads for every call.
class FreshThreads final : public JobSystem {
 public:
  explicit FreshThreads(int workers) : workers_(workers) {}
  void parallel_for(int count, Function function, void* context) override {
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    for (int w = 0; w < workers_; ++w) {
      threads.emplace_back([&] {
        for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) function(context, i);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int workers_;
};

}  // namespace sinew::testing
