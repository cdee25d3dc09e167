#include "session.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

namespace sinew::cli {

namespace {

std::atomic<bool> signal_seen{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set inside a signal handler");

extern "C" void on_signal(int) {
  // A second signal ends the program at once.
  if (signal_seen.exchange(true)) _exit(kExitInterrupted);
}

bool is_file_fault(const Finding& finding) { return finding.code.rfind("file.", 0) == 0; }

std::string place_of(const Finding& finding) {
  if (finding.file.empty()) return finding.place;
  return finding.place.empty() ? finding.file : finding.file + ": " + finding.place;
}

}  // namespace

bool interrupted() { return signal_seen.load(); }

void watch_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  // Too large a file is an error of its writer.
  signal(SIGXFSZ, SIG_IGN);
  // A reader that goes away (`| head`) is an ordinary end of the output.
  signal(SIGPIPE, SIG_DFL);
}

void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      if (open("/dev/null", O_RDWR) < 0) return;
    }
  }
}

// A stream that takes nothing must not end the program; finish() speaks of stdout.
void put(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

void Session::find(Finding finding) {
  const bool shown = !json && !(quiet && finding.severity != Severity::kError);
  if (shown) {
    const Style style = finding.severity == Severity::kError     ? Style::kRed
                        : finding.severity == Severity::kWarning ? Style::kYellow
                                                                 : Style::kCyan;
    const std::string place = printable(place_of(finding));
    put(stderr,
        fmt::format("{}: {}{}{}\n", styled(to_string(finding.severity), style, STDERR_FILENO),
                    place, place.empty() ? "" : ": ", printable(finding.message)));
    if (!finding.hint.empty()) {
      put(stderr, fmt::format("  {} {}\n", styled("hint:", Style::kDim, STDERR_FILENO),
                              printable(finding.hint)));
    }
  }
  findings_.push_back(std::move(finding));
}

void Session::find(const Findings& findings) {
  for (const Finding& finding : findings) find(finding);
}

void Session::fail(const Error& error, std::string code) {
  if (code.empty()) {
    const bool file = error.code == ErrorCode::kUnreadable || error.code == ErrorCode::kNotFound ||
                      error.code == ErrorCode::kMalformed ||
                      error.code == ErrorCode::kUnsupported || error.code == ErrorCode::kLimit;
    code = (file ? "file." : "error.") + std::string(to_string(error.code));
  }
  // Errors say where as "file: place".
  const std::size_t split = error.where.find(": ");
  std::string file = error.where.substr(0, split);
  std::string place = split == std::string::npos ? std::string() : error.where.substr(split + 2);
  if (place == file) place.clear();
  find(Finding{
      Severity::kError, std::move(code), error.message, std::move(place), {}, std::move(file)});
}

void Session::usage(std::string message, std::string hint) {
  usage_fault_ = true;
  if (hint.empty())
    hint = fmt::format("see 'sinew{}{} --help'", command.empty() ? "" : " ", command);
  find(Finding{Severity::kError, "usage", std::move(message), {}, std::move(hint), {}});
}

void Session::print(const std::string& text) const {
  if (!json) put(stdout, text);
}

void Session::note(const std::string& text) const {
  if (!json && !quiet) put(stderr, text);
}

int Session::finish() {
  const bool warned =
      werror && std::any_of(findings_.begin(), findings_.end(),
                            [](const Finding& f) { return f.severity == Severity::kWarning; });
  int code = kExitFine;
  if (interrupted()) {
    code = kExitInterrupted;
  } else if (usage_fault_) {
    code = kExitUsage;
  } else if (has_errors(findings_)) {
    code = kExitFindings;
    for (const Finding& finding : findings_) {
      if (finding.severity != Severity::kError) continue;
      if (is_file_fault(finding)) code = kExitUnreadable;
      if (finding.code == "error.internal") {
        code = kExitInternal;
        break;
      }
    }
  } else if (warned || differs_) {
    code = kExitFindings;
  }
  if (json) {
    Json out;
    out["v"] = 1;
    out["command"] = command;
    out["ok"] = code == kExitFine;
    out["findings"] = Json::array();
    for (const Finding& finding : findings_) {
      out["findings"].push_back({{"severity", to_string(finding.severity)},
                                 {"file", finding.file},
                                 {"place", finding.place},
                                 {"code", finding.code},
                                 {"message", finding.message},
                                 {"hint", finding.hint}});
    }
    for (auto& [key, value] : result.items()) out[key] = value;
    // Names out of damaged files may hold bytes that are no UTF-8.
    put(stdout, out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  } else if (code == kExitInterrupted) {
    std::string kept;
    if (const auto files = result.find("files"); files != result.end()) {
      for (const Json& file : *files) {
        if (!file.contains("kind")) continue;  // not an output
        kept += (kept.empty() ? "" : ", ") + file.value("file", std::string());
      }
    }
    if (!kept.empty()) interrupted_note = "written before: " + kept;
    put(stderr,
        fmt::format("interrupted{}{}\n", interrupted_note.empty() ? "" : "; ", interrupted_note));
  }
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    put(stderr, fmt::format("error: standard output cannot be written: {}\n",
                            std::strerror(errno != 0 ? errno : EIO)));
    if (code == kExitFine) code = kExitFindings;
  }
  return code;
}

std::string default_output(const std::string& name, const std::string& extension) {
  std::string safe = name;
  for (char& c : safe) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\' || c == '|' ||
        c == ':')
      c = '_';
  }
  if (!safe.empty() && (safe[0] == '.' || safe[0] == '-')) safe[0] = '_';
  constexpr std::size_t kLongest = 200;  // file systems take 255 bytes
  return "out/" + (safe.empty() ? "unnamed" : safe.substr(0, kLongest)) + extension;
}

std::string short_name(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.find('.'));
}

CLI::Validator names_a_file() {
  return {[](std::string& text) { return text.empty() ? std::string("names no file") : ""; }, "",
          "file"};
}

CLI::Validator number_in(double low, double high) {
  const auto check = [low, high](std::string& text) -> std::string {
    double value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
    return fmt::format("'{}' is no number in [{}, {}]", text, low, high);
  };
  return {check, fmt::format("in [{}, {}]", low, high), "number"};
}

CLI::App* new_command(Registry registry, const std::string& name, const std::string& what,
                      const std::string& example, std::function<void()> body) {
  CLI::App* command = registry.app.add_subcommand(name, what);
  command->footer("Example:\n  " + example +
                  "\nEvery command takes --json, --quiet, --werror and --root: see sinew --help.");
  command->fallthrough();
  command->callback([registry, name, body] {
    registry.session.command = name;
    registry.chosen = body;
  });
  return command;
}

}  // namespace sinew::cli
