// A file that appears whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include <sinew/base/result.hpp>

namespace sinew {

// Data goes to a file without a name in the target's folder (Linux O_TMPFILE), which the system
// drops even if the process is killed; commit() gives it a name beside and renames that over the
// target. Where the file system has no nameless files, a hidden name is used from the start.
class OutputFile {
 public:
  // Makes the target's folders where they are missing. Errors: a folder cannot be made or written,
  // the target exists and is no plain file.
  static Result<OutputFile> create(const std::filesystem::path& target);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  Status write(std::span<const std::uint8_t> bytes);
  // To be called once, when all is written. After an error nothing is left behind.
  Status commit();

  // Bytes so far, whoever wrote them.
  std::uint64_t size() const;

  int descriptor() const { return descriptor_; }
  // How a child process that inherits the descriptor opens the file by name.
  std::string child_path() const;

 private:
  OutputFile(std::filesystem::path target, std::filesystem::path beside, int descriptor, bool named)
      : target_(std::move(target)),
        beside_(std::move(beside)),
        descriptor_(descriptor),
        named_(named) {}

  std::filesystem::path target_, beside_;
  int descriptor_ = -1;
  bool named_ = false;  // `beside_` exists
};

}  // namespace sinew
