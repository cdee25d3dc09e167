#include "svg_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sinew/scene/project_files.hpp>

extern char** environ;

namespace sinew::cli {

namespace {

// Runs rsvg-convert on files. Its messages go to ours.
Status convert(const std::string& svg, const std::string& png, double scale) {
  std::string arguments[] = {"rsvg-convert",
                             "--unlimited",
                             "--format=png",
                             fmt::format("--zoom={:.3f}", scale),
                             "--output",
                             png,
                             svg};
  char* argv[std::size(arguments) + 1] = {};
  for (std::size_t i = 0; i < std::size(arguments); ++i) argv[i] = arguments[i].data();
  pid_t child = 0;
  const int fault = posix_spawnp(&child, argv[0], nullptr, nullptr, argv, environ);
  if (fault == ENOENT) {
    return make_error(ErrorCode::kNotFound,
                      "there is no program 'rsvg-convert', which makes PNG files of drawings; "
                      "install the package 'librsvg2-bin' (apt install librsvg2-bin), or write an "
                      ".svg");
  }
  if (fault != 0)
    return make_error(ErrorCode::kInternal, fmt::format("rsvg-convert: {}", std::strerror(fault)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      return make_error(ErrorCode::kInternal, "rsvg-convert: cannot be waited for");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return make_error(ErrorCode::kNotFound, "there is no program 'rsvg-convert'");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return make_error(ErrorCode::kInternal, "rsvg-convert failed", png);
  return {};
}

}  // namespace

Status save_svg(const std::string& svg, const std::string& file, double scale) {
  const std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  if (extension == ".svg") return write_file(path, svg);
  if (extension != ".png") {
    return make_error(ErrorCode::kInvalidArgument, "its extension is neither .svg nor .png", file);
  }
  const std::string source = file + ".part.svg", made = file + ".part.png";
  if (Status written = write_file(source, svg); !written) return written;
  Status status = convert(source, made, scale);
  std::error_code ignored;
  std::filesystem::remove(source, ignored);
  if (status) {
    std::error_code fault;
    std::filesystem::rename(made, path, fault);
    if (fault) status = make_error(ErrorCode::kUnwritable, fault.message(), file);
  }
  if (!status) std::filesystem::remove(made, ignored);
  return status;
}

}  // namespace sinew::cli
