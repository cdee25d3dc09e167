#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <sinew/scene/thread_jobs.hpp>

namespace sinew {

struct ThreadJobs::Shared {
  std::mutex mutex;
  std::condition_variable start, done;
  std::uint64_t round = 0;  // counts calls, so that a late sleeper sees that one began
  int active = 0;           // helpers that still work on this round
  bool stop = false;

  Function function = nullptr;
  void* context = nullptr;
  int count = 0;
  std::atomic<int> next{0};

  std::vector<std::thread> threads;

  void work() {
    for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) function(context, i);
  }

  void helper() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      start.wait(lock, [&] { return stop || round != seen; });
      if (stop) return;
      seen = round;
      lock.unlock();
      work();
      lock.lock();
      if (--active == 0) done.notify_one();
    }
  }
};

ThreadJobs::ThreadJobs(int workers) : shared_(std::make_unique<Shared>()) {
  for (int i = 1; i < workers; ++i) {
    shared_->threads.emplace_back([shared = shared_.get()] { shared->helper(); });
  }
}

ThreadJobs::~ThreadJobs() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->start.notify_all();
  for (std::thread& thread : shared_->threads) thread.join();
}

void ThreadJobs::parallel_for(int count, Function function, void* context) {
  Shared& s = *shared_;
  if (s.threads.empty() || count <= 1) {
    for (int i = 0; i < count; ++i) function(context, i);
    return;
  }
  {
    const std::lock_guard lock(s.mutex);
    s.function = function;
    s.context = context;
    s.count = count;
    s.next.store(0);
    s.active = static_cast<int>(s.threads.size());
    ++s.round;
  }
  s.start.notify_all();
  s.work();
  // Every helper must have left this round before the next one may change what it reads.
  std::unique_lock lock(s.mutex);
  s.done.wait(lock, [&] { return s.active == 0; });
}

int ThreadJobs::workers() const { return static_cast<int>(shared_->threads.size()) + 1; }

int ThreadJobs::hardware_workers() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace sinew
