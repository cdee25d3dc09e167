#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sinew/base/text.hpp>
#include <sinew/import/output_file.hpp>

namespace sinew {
namespace {

constexpr mode_t kMode = 0666;  // the process's umask cuts it

Error unwritable(const std::filesystem::path& file, int code) {
  return make_error(ErrorCode::kUnwritable,
                    std::string("cannot be written: ") + std::strerror(code), file.string());
}

// Where the caller closed a standard stream, open() hands out its number, and a child process that
// gets streams of its own would lose the file.
int above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int code = errno;
  close(descriptor);
  errno = code;
  return moved;
}

std::filesystem::path name_beside(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  const std::string name = format_text(".%s.%d-%u.tmp", target.filename().c_str(),
                                       static_cast<int>(getpid()), counter++);
  return target.parent_path() / name;
}

}  // namespace

Result<OutputFile> OutputFile::create(const std::filesystem::path& target) {
  if (target.filename().empty() || target.filename() == "." || target.filename() == "..") {
    return make_error(ErrorCode::kInvalidArgument, "the file has no name", target.string());
  }
  struct stat info{};
  if (stat(target.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return make_error(ErrorCode::kUnwritable, "exists and is not a plain file", target.string());
  }
  std::filesystem::path folder = target.parent_path();
  if (folder.empty()) folder = ".";
  std::error_code made;
  std::filesystem::create_directories(folder, made);
  if (made) return unwritable(target, made.value());
  std::filesystem::path beside = name_beside(target);
  int descriptor = above_standard(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode));
  if (descriptor >= 0) return OutputFile(target, std::move(beside), descriptor, false);
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return unwritable(target, errno);
  descriptor = above_standard(open(beside.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode));
  if (descriptor < 0) return unwritable(target, errno);
  return OutputFile(target, std::move(beside), descriptor, true);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      beside_(std::move(other.beside_)),
      descriptor_(other.descriptor_),
      named_(other.named_) {
  other.descriptor_ = -1;
  other.named_ = false;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (named_) unlink(beside_.c_str());
}

Status OutputFile::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return unwritable(target_, n < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

std::uint64_t OutputFile::size() const {
  struct stat info{};
  return fstat(descriptor_, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Status OutputFile::commit() {
  if (!named_) {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, beside_.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return unwritable(target_, errno);
    }
    named_ = true;
  }
  if (rename(beside_.c_str(), target_.c_str()) != 0) return unwritable(target_, errno);
  named_ = false;
  // Some file systems report a full disk only here. The name is given by now, so take it back.
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) {
    const int code = errno;
    unlink(target_.c_str());
    return unwritable(target_, code);
  }
  return {};
}

std::string OutputFile::child_path() const {
  return named_ ? std::filesystem::absolute(beside_).string()
                : "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace sinew
