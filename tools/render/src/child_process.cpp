#include "child_process.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sinew::render {
namespace {

Error system_error(const char* what) {
  return make_error(ErrorCode::kInternal, std::string(what) + ": " + std::strerror(errno));
}

// In the child, between fork and exec: nothing here may allocate or lock.
[[noreturn]] void become(char* const* arguments, std::span<const int> inherited, int input,
                         int errors, int report, int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it died before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int sink = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(input >= 0 ? input : sink, STDIN_FILENO);
  dup2(sink, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (int descriptor : inherited) fcntl(descriptor, F_SETFD, 0);
  execvp(arguments[0], arguments);
  const int code = errno;
  [[maybe_unused]] const ssize_t n = write(report, &code, sizeof code);
  _exit(127);
}

// The error code of a failed exec, 0 if it went well (the pipe closes on exec).
int read_report(int descriptor) {
  int code = 0;
  ssize_t n = 0;
  do {
    n = read(descriptor, &code, sizeof code);
  } while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(sizeof code) ? code : 0;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments,
                                         std::span<const int> inherited, bool input) {
  // A socket, not a pipe: writing to a dead reader can then be asked not to raise SIGPIPE.
  int feed[2] = {-1, -1}, report[2] = {-1, -1};
  const int errors = memfd_create("errors", MFD_CLOEXEC);
  if (errors < 0) return system_error("cannot make a buffer");
  if (input && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, feed) != 0) {
    close(errors);
    return system_error("cannot make a socket");
  }
  ChildProcess child(-1, feed[1], errors, arguments[0]);  // closes its descriptors on every return
  if (pipe2(report, O_CLOEXEC) != 0) {
    if (feed[0] >= 0) close(feed[0]);
    return system_error("cannot make a pipe");
  }
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) {
    pointers.push_back(const_cast<char*>(argument.c_str()));
  }
  pointers.push_back(nullptr);
  const int parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(pointers.data(), inherited, feed[0], errors, report[1], parent);
  close(report[1]);
  if (feed[0] >= 0) close(feed[0]);
  const int failure = pid < 0 ? errno : read_report(report[0]);
  close(report[0]);
  child.pid_ = pid;
  if (failure == 0) return child;
  const bool missing = failure == ENOENT || failure == ENOTDIR || failure == EACCES;
  return make_error(
      missing ? ErrorCode::kNotFound : ErrorCode::kInternal,
      "the program '" + arguments[0] + "' cannot be started: " + std::strerror(failure));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      input_(std::exchange(other.input_, -1)),
      errors_(std::exchange(other.errors_, -1)),
      name_(std::move(other.name_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(input_, other.input_);
  std::swap(errors_, other.errors_);
  std::swap(name_, other.name_);
  return *this;
}

ChildProcess::~ChildProcess() {
  close_input();
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (errors_ >= 0) close(errors_);
}

void ChildProcess::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

bool ChildProcess::send(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

Status ChildProcess::wait() {
  close_input();
  int state = 0;
  while (waitpid(pid_, &state, 0) < 0) {
    if (errno != EINTR) return system_error("cannot wait for a child");
  }
  pid_ = -1;
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return {};
  const std::string how = WIFEXITED(state)
                              ? "failed with code " + std::to_string(WEXITSTATUS(state))
                              : "was ended by signal " + std::to_string(WTERMSIG(state));
  return make_error(ErrorCode::kInternal, name_ + " " + how + last_words());
}

std::string ChildProcess::last_words() const {
  constexpr off_t kTail = 400;
  const off_t size = lseek(errors_, 0, SEEK_END);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(size < kTail ? size : kTail), '\0');
  const ssize_t n =
      pread(errors_, text.data(), text.size(), size - static_cast<off_t>(text.size()));
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return ": " + text;
}

}  // namespace sinew::render
