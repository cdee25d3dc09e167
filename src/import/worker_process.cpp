#include "worker_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sinew/base/text.hpp>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// The address sanitizer reserves far more memory than it uses.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitMemory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kLimitMemory = false;
#else
constexpr bool kLimitMemory = true;
#endif
#else
constexpr bool kLimitMemory = true;
#endif

// Reads until the end of the pipe.
enum class ReadEnd { kDone, kTime, kSize, kFault, kCancelled };
ReadEnd read_all(int pipe, Clock::time_point deadline, const WorkerLimits& limits,
                 std::string& out) {
  std::array<char, 65536> buffer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ReadEnd::kTime;
    if (limits.cancelled != nullptr && limits.cancelled()) return ReadEnd::kCancelled;
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left < 100 ? left : 100));
    if (ready < 0 && errno != EINTR) return ReadEnd::kFault;
    if (ready <= 0) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ReadEnd::kFault;
    if (got == 0) return ReadEnd::kDone;
    if (static_cast<std::size_t>(got) > limits.answer_bytes - out.size()) return ReadEnd::kSize;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

// Between fork and exec: system calls alone.
void set_limit(int resource, rlim_t most) {
  rlimit value{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &value) != 0) return;
  value.rlim_max = most < value.rlim_max ? most : value.rlim_max;
  value.rlim_cur = value.rlim_max;
  ::setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

[[noreturn]] void become(char* const* arguments, int out, const WorkerLimits& limits,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  // A ^C in the terminal is for the parent, which ends its children.
  ::signal(SIGINT, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDERR_FILENO);
  }
  ::dup2(out, STDOUT_FILENO);
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds) + 2);
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_FSIZE, 0);  // of files: pipes are free
  if (kLimitMemory) set_limit(RLIMIT_AS, static_cast<rlim_t>(limits.memory_bytes));
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

constexpr int kCannotStart = 127;

}  // namespace

Result<std::string> run_worker(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const WorkerLimits& limits) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::kInternal, "no pipe can be made");
  // All that the child needs is made before the fork: behind it, little may be called.
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return make_error(ErrorCode::kInternal, "no process can be started");
  }
  if (child == 0) become(pointers.data(), ends[1], limits, parent);
  ::close(ends[1]);
  std::string answer;
  const auto deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<long long>(limits.seconds * 1000));
  const ReadEnd end = read_all(ends[0], deadline, limits, answer);
  ::close(ends[0]);
  if (end != ReadEnd::kDone) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  switch (end) {
    case ReadEnd::kTime:
      return make_error(ErrorCode::kLimit,
                        format_text("the import took longer than %g s", limits.seconds));
    case ReadEnd::kSize:
      return make_error(ErrorCode::kLimit, "the import gave more than its limit of bytes");
    case ReadEnd::kCancelled:
      return make_error(ErrorCode::kInternal, "the import was interrupted");
    case ReadEnd::kFault:
      return make_error(ErrorCode::kInternal, "the import worker cannot be heard");
    case ReadEnd::kDone:
      break;
  }
  if (WIFSIGNALED(status)) {
    const bool time = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
    return make_error(
        time ? ErrorCode::kLimit : ErrorCode::kMalformed,
        format_text("the import was ended by signal %d (%s)", WTERMSIG(status),
                    time ? "out of time or memory" : "the file makes its reader crash"));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotStart) {
    return make_error(ErrorCode::kNotFound, "the import worker cannot be started", program);
  }
  return answer;
}

Result<std::string> find_worker(const std::string& given) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  const char* variable = std::getenv("SINEW_IMPORT_WORKER");
  std::error_code fault;
  if (!given.empty()) {
    places = {given};
  } else if (variable != nullptr && *variable != '\0') {
    places = {variable};
  } else if (const fs::path self = fs::read_symlink("/proc/self/exe", fault); !fault) {
    const fs::path folder = self.parent_path();
    for (const char* place : {".", "../bin", "../libexec/sinew"}) {
      places.push_back((folder / place / "sinew-import-worker").lexically_normal());
    }
  }
  for (const fs::path& place : places) {
    if (::access(place.c_str(), X_OK) == 0) return place.string();
  }
  return make_error(ErrorCode::kNotFound,
                    "the program sinew-import-worker, which reads this format, is not there; set "
                    "SINEW_IMPORT_WORKER to its path",
                    places.empty() ? std::string() : places.front().string());
}

}  // namespace sinew
