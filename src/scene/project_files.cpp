#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include <sinew/base/text.hpp>
#include <sinew/import/output_file.hpp>
#include <sinew/scene/project_files.hpp>

namespace sinew {

namespace fs = std::filesystem;

Result<FileReference> parse_file_reference(std::string_view text) {
  FileReference reference;
  const std::size_t hash = text.find('#');
  reference.path = std::string(text.substr(0, hash));
  if (reference.path.empty()) {
    return make_error(ErrorCode::kMalformed,
                      std::string("'").append(text) +
                          "' names no file; write 'file.glb' or 'file.glb#clip=Name'");
  }
  if (hash == std::string_view::npos) return reference;
  const std::string_view fragment = text.substr(hash + 1);
  const std::size_t equals = fragment.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == fragment.size()) {
    return make_error(ErrorCode::kMalformed,
                      std::string("'").append(text) + "': the part behind '#' must be 'clip=Name'");
  }
  reference.key = std::string(fragment.substr(0, equals));
  reference.value = std::string(fragment.substr(equals + 1));
  return reference;
}

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : out;
}

bool inside(const fs::path& root, const fs::path& file) {
  auto f = file.begin();
  for (auto r = root.begin(); r != root.end(); ++r) {
    if (r->empty()) continue;  // a trailing slash
    if (f == file.end() || *f != *r) return false;
    ++f;
  }
  return true;
}

// "; did you mean 'x.glb'?" from the names in the folder where the file was looked for.
std::string nearest_file(const fs::path& file) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(fs::absolute(file, error).parent_path(), error), end;
       !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
    if (names.size() > 4096) break;
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> views(names.begin(), names.end());
  return did_you_mean(file.filename().string(), views);
}

}  // namespace

Result<ProjectFiles> ProjectFiles::around(const fs::path& first_file, const fs::path& root) {
  std::error_code error;
  const fs::path absolute = real_path(fs::absolute(first_file, error));
  ProjectFiles files;
  if (!root.empty()) {
    files.root_ = real_path(fs::absolute(root, error));
    if (!fs::is_directory(files.root_, error)) {
      return make_error(ErrorCode::kNotFound, "the project root is not a folder", root.string());
    }
    if (!inside(files.root_, absolute)) {
      return make_error(ErrorCode::kInvalidArgument,
                        "lies outside the project root '" + root.string() + "'",
                        first_file.string());
    }
    return files;
  }
  files.root_ = absolute.parent_path();
  for (fs::path at = absolute.parent_path();; at = at.parent_path()) {
    if (is_there(at / "sinew.project.json") || is_there(at / ".git")) {
      files.root_ = at;
      break;
    }
    if (at == at.parent_path()) break;
  }
  return files;
}

Result<fs::path> ProjectFiles::resolve(const fs::path& naming_file,
                                       std::string_view reference) const {
  const std::string text(reference);
  if (text.empty()) return make_error(ErrorCode::kMalformed, "the path is empty");
  if (text.find('\\') != std::string::npos) {
    return make_error(ErrorCode::kMalformed,
                      std::string("'").append(text) + "': write paths with '/'");
  }
  const fs::path given(text);
  if (given.is_absolute()) {
    return make_error(ErrorCode::kMalformed,
                      std::string("'").append(text) +
                          "' is absolute; paths are relative to the file that names them");
  }
  std::error_code error;
  const fs::path file = real_path(fs::absolute(naming_file, error).parent_path() / given);
  if (!inside(root_, file)) {
    return make_error(
        ErrorCode::kInvalidArgument,
        std::string("'").append(text) + "' leaves the project folder '" + root_.string() + "'");
  }
  if (!is_there(file)) {
    return make_error(ErrorCode::kNotFound,
                      std::string("file '").append(text) + "' does not exist" + nearest_file(file));
  }
  return file;
}

std::string ProjectFiles::name_of(const fs::path& file) const {
  std::error_code error;
  const fs::path full = real_path(fs::absolute(file, error));
  return inside(root_, full) ? full.lexically_relative(root_).generic_string()
                             : full.filename().generic_string();
}

Result<std::string> read_text_file(const fs::path& file, std::size_t limit) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    return make_error(ErrorCode::kUnreadable, "is a folder, not a file", file.string());
  }
  // A pipe might never end.
  if (is_there(file) && !fs::is_regular_file(file, error)) {
    return make_error(ErrorCode::kUnreadable, "is not a plain file", file.string());
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    const bool missing = !is_there(file);
    return make_error(missing ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
                      missing ? "no such file" + nearest_file(file)
                              : std::string("cannot be opened: ") + std::strerror(errno),
                      file.string());
  }
  std::string text;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > limit) {
      return make_error(ErrorCode::kLimit, format_text("is larger than %zu MB", limit >> 20),
                        file.string());
    }
  }
  if (in.bad())
    return make_error(ErrorCode::kUnreadable, "cannot be read to its end", file.string());
  return text;
}

Status write_file(const fs::path& file, std::string_view bytes) {
  Result<OutputFile> out = OutputFile::create(file);
  if (!out) return std::move(out).error();
  Status status = out->write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return status ? out->commit() : status;
}

}  // namespace sinew
