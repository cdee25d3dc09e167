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
#include <sys/wait.h>
#include <unistd.h>

#include <sinew/base/text.hpp>

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;

// Reads until the end of the pipe. False where time or space run out.
enum class ReadEnd { kDone, kTime, kSize, kFault };
ReadEnd read_all(int pipe, Clock::time_point deadline, std::size_t most, std::string& out) {
  std::array<char, 65536> buffer;
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ReadEnd::kTime;
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(left < 1000 ? left : 1000));
    if (ready < 0 && errno != EINTR) return ReadEnd::kFault;
    if (ready <= 0) continue;
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ReadEnd::kFault;
    if (got == 0) return ReadEnd::kDone;
    if (static_cast<std::size_t>(got) > most - out.size()) return ReadEnd::kSize;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

constexpr int kCannotStart = 127;

}  // namespace

Result<std::string> run_worker(const std::string& worker, const std::string& file,
                               const WorkerLimits& limits) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::kInternal, "no pipe can be made");
  // All that the child needs is made before the fork: behind it, little may be called.
  std::string program = worker, path = file;
  std::string seconds = format_text("%.0f", limits.seconds + 1),
              bytes = std::to_string(limits.memory_bytes);
  std::array<char*, 5> arguments = {program.data(), path.data(), seconds.data(), bytes.data(),
                                    nullptr};
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return make_error(ErrorCode::kInternal, "no process can be started");
  }
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR);
    if (nothing >= 0) {
      ::dup2(nothing, STDIN_FILENO);
      ::dup2(nothing, STDERR_FILENO);
    }
    ::dup2(ends[1], STDOUT_FILENO);
    ::execv(program.c_str(), arguments.data());
    ::_exit(kCannotStart);
  }
  ::close(ends[1]);
  std::string answer;
  const auto deadline =
      Clock::now() + std::chrono::milliseconds(static_cast<long long>(limits.seconds * 1000));
  const ReadEnd end = read_all(ends[0], deadline, limits.answer_bytes, answer);
  ::close(ends[0]);
  if (end != ReadEnd::kDone) ::kill(child, SIGKILL);
  const int status = wait_for(child);
  if (end == ReadEnd::kTime) {
    return make_error(ErrorCode::kLimit,
                      format_text("the import took longer than %.0f s", limits.seconds));
  }
  if (end == ReadEnd::kSize)
    return make_error(ErrorCode::kLimit, "the import gave more than its limit of bytes");
  if (WIFSIGNALED(status)) {
    const bool time = WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL;
    return make_error(
        time ? ErrorCode::kLimit : ErrorCode::kMalformed,
        format_text("the import was ended by signal %d (%s)", WTERMSIG(status),
                    time ? "out of time or memory" : "the file makes its reader crash"));
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kCannotStart) {
    return make_error(ErrorCode::kNotFound, "the import worker cannot be started", worker);
  }
  if (end == ReadEnd::kFault)
    return make_error(ErrorCode::kInternal, "the import worker cannot be heard");
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
