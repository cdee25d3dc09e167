// sinew doctor: what of the things that commands need is there.
#include <cstdio>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include <sinew/import/import.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "pictures.hpp"
#include "session.hpp"
#include "worker_process.hpp"

namespace sinew::cli {

namespace {

struct Check {
  std::string name;
  bool good = false;
  std::string value;
  std::string hint;  // where it is not good
};

// First line that a program prints, empty if it cannot be started.
std::string first_line(const char* command) {
  FILE* pipe = popen(command, "r");
  if (!pipe) return {};
  char line[256] = {};
  std::string text = std::fgets(line, sizeof line, pipe) ? line : "";
  while (std::fgets(line, sizeof line, pipe)) {
  }
  const int status = pclose(pipe);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return status == 0 ? text : std::string();
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

std::string formats() {
  std::string text;
  for (const ImportFormat& format : import_formats()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", format.name, format.extensions);
  }
  return text;
}

std::vector<Check> checks() {
  std::vector<Check> out;
#ifdef NDEBUG
  const char* kind = "optimized";
#else
  const char* kind = "with asserts";
#endif
  out.push_back({"sinew", true, fmt::format("{}, {}, {}", SINEW_VERSION, compiler(), kind), {}});
  out.push_back({"processor",
                 true,
                 fmt::format("{}, {} threads", cpu_name(), ThreadJobs::hardware_workers()),
                 {}});
  out.push_back({"formats", true, formats(), {}});
  const Result<std::string> worker = find_worker({});
  out.push_back({"import_worker", worker.ok(), worker ? *worker : "not found",
                 "it belongs beside this program; without it Collada cannot be read, and a broken "
                 "FBX file may end the program"});
  const Result<std::string> device = renderer_device();
  out.push_back({"renderer", device.ok(), device ? *device : device.error().message,
                 "pictures need an EGL driver: apt-get install libegl1 libgl1-mesa-dri"});
  const std::string ffmpeg = first_line("ffmpeg -hide_banner -version 2>/dev/null");
  out.push_back({"ffmpeg", !ffmpeg.empty(),
                 ffmpeg.empty() ? "not found" : ffmpeg.substr(0, ffmpeg.find(" Copyright")),
                 "videos need it: apt-get install ffmpeg"});
  const std::string node = first_line("node --version 2>/dev/null");
  out.push_back({"node", !node.empty(), node.empty() ? "not found" : node,
                 "tests of the glTF reader need it: apt-get install nodejs"});
  return out;
}

void doctor(Session& session) {
  Table table;
  table.column("");
  table.column("");
  table.column("");
  Json& out = session.result["checks"] = Json::array();
  Findings missing;
  for (const Check& check : checks()) {
    table.row({check.name,
               check.good ? styled("ok", Style::kGreen, 1) : styled("missing", Style::kYellow, 1),
               check.value});
    out.push_back({{"name", check.name}, {"ok", check.good}, {"value", check.value}});
    if (!check.good) {
      missing.push_back({Severity::kWarning,
                         "doctor." + check.name,
                         check.name + ": " + check.value,
                         {},
                         check.hint,
                         {}});
    }
  }
  session.print(table.text());
  session.find(missing);
}

}  // namespace

void add_doctor(Registry registry) {
  new_command(registry, "doctor", "What is installed: renderer, ffmpeg, node, processor",
              "sinew doctor", [&session = registry.session] { doctor(session); });
}

}  // namespace sinew::cli
