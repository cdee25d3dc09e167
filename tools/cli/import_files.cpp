#include "import_files.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include <sinew/import/import.hpp>

namespace sinew::cli {

namespace fs = std::filesystem;

namespace {

bool has_known_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension.empty()) return false;
  for (const ImportFormat& format : import_formats()) {
    const std::string known = " " + std::string(format.extensions) + " ";
    if (known.find(" " + extension + " ") != std::string::npos) return true;
  }
  return false;
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

std::vector<fs::path> files_below(const fs::path& folder, std::error_code& fault) {
  std::vector<fs::path> out;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, fault);
  for (const fs::recursive_directory_iterator end; !fault && it != end; it.increment(fault)) {
    if (is_hidden(it->path())) {
      it.disable_recursion_pending();
      continue;
    }
    std::error_code ignored;
    if (it->is_regular_file(ignored) && has_known_extension(it->path())) out.push_back(it->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

fs::path full_path(const fs::path& path) {
  std::error_code fault;
  const fs::path full = fs::absolute(path, fault).lexically_normal();
  return full.has_filename() ? full : full.parent_path();  // "a/" -> "a"
}

fs::path common_folder(const fs::path& a, const fs::path& b) {
  fs::path out;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end() && *i == *j; ++i, ++j)
    out /= *i;
  return out;
}

void report(Session& session, const std::string& file, std::string code, std::string message) {
  session.find({Severity::kError, std::move(code), std::move(message), {}, {}, file});
}

class Collector {
 public:
  explicit Collector(Session& session) : session_(session) {}

  void add(const std::string& input) {
    std::error_code fault;
    if (fs::is_directory(input, fault)) return add_folder(input);
    if (!fs::exists(input, fault))
      return report(session_, input, "file.not_found", "there is no such file or folder");
    base(full_path(input).parent_path());
    take(input);
  }

  std::vector<ImportFile> finish() {
    for (ImportFile& file : files_) {
      file.folder = full_path(file.file).parent_path().lexically_relative(base_);
      if (file.folder == ".") file.folder.clear();
    }
    return std::move(files_);
  }

 private:
  void add_folder(const std::string& input) {
    base(full_path(input));
    std::error_code fault;
    const std::vector<fs::path> found = files_below(input, fault);
    for (const fs::path& path : found) take(path.string());
    if (fault) return report(session_, input, "file.unreadable", fault.message());
    if (found.empty())
      report(session_, input, "file.not_found", "the folder holds no file of a known format");
  }

  void base(const fs::path& folder) {
    base_ = base_.empty() ? folder : common_folder(base_, folder);
  }

  void take(const std::string& file) {
    std::error_code fault;
    const fs::path real = fs::weakly_canonical(file, fault);
    if (seen_.insert(fault ? full_path(file) : real).second) files_.push_back({file, {}});
  }

  Session& session_;
  fs::path base_;
  std::vector<ImportFile> files_;
  std::set<fs::path> seen_;
};

}  // namespace

std::vector<ImportFile> find_import_files(Session& session,
                                          const std::vector<std::string>& inputs) {
  Collector collector(session);
  for (const std::string& input : inputs) collector.add(input);
  return collector.finish();
}

fs::path report_path(const fs::path& out, const ImportFile& file) {
  return out / file.folder / (fs::path(file.file).filename().string() + ".import.json");
}

}  // namespace sinew::cli
