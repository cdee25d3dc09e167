// What every command shares: global options, findings, the JSON envelope, exit codes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <sinew/base/finding.hpp>

#include "terminal.hpp"

namespace sinew::cli {

using Json = nlohmann::ordered_json;

enum Exit : int {
  kExitFine = 0,
  kExitFindings = 1,    // the input was read, and something in it is wrong
  kExitUsage = 2,       // the command line itself
  kExitUnreadable = 3,  // an input that is missing, damaged or of no known format
  kExitInternal = 4,
  kExitInterrupted = 130,
};

class Session {
 public:
  // Global options.
  bool json = false;
  bool quiet = false;
  bool werror = false;
  std::string root;  // project root, empty: found by itself
  std::string command;

  // Adds a line to the report. Errors and warnings reach stderr at once (not with --quiet, where
  // only errors do; not with --json, where they are part of the object).
  void find(Finding finding);
  void find(const Findings& findings);
  // The error as a finding; `code` begins with "file." where the input could not be read.
  void fail(const Error& error, std::string code = {});
  void usage(std::string message, std::string hint = {});

  // The answer of a command that compares is "not the same": exit code 1 without a finding.
  void differs() { differs_ = true; }

  const Findings& findings() const { return findings_; }
  bool failed() const { return has_errors(findings_) || usage_fault_; }

  // Text for people on stdout; nothing with --json.
  void print(const std::string& text) const;
  // A note on stderr; nothing with --json or --quiet.
  void note(const std::string& text) const;
  bool progress_wanted() const { return !quiet && !json; }

  // Said behind "interrupted".
  std::string interrupted_note = "nothing was written";

  // Members of the JSON object beside v, command, ok and findings.
  Json result = Json::object();

  // Prints the JSON object if asked for; the exit code by the findings.
  int finish();

 private:
  Findings findings_;
  bool usage_fault_ = false, differs_ = false;
};

// True after SIGINT or SIGTERM: loops end, files beside are removed, the exit code is 130.
bool interrupted();
void watch_signals();
// Standard streams that the caller closed become /dev/null, so that no file gets their numbers.
void open_standard_streams();

// "out/patrol.mp4" for ("patrol", ".mp4"). Names come from files: what would lead out of the
// folder, and what does not print, becomes '_'.
std::string default_output(const std::string& name, const std::string& extension);
// The file's name without folders and without everything behind its first dot.
std::string short_name(const std::filesystem::path& file);

// One file per command; each adds itself and says what to run when it is chosen.
struct Registry {
  CLI::App& app;
  Session& session;
  std::function<void()>& chosen;
};
void add_run(Registry registry);
void add_replay(Registry registry);
void add_import(Registry registry);
void add_inspect(Registry registry);
void add_validate(Registry registry);
void add_render(Registry registry);
void add_play(Registry registry);
void add_doctor(Registry registry);
void add_lint(Registry registry);
void add_diff(Registry registry);
void add_fmt(Registry registry);

// Checks of option values: not empty; a number within bounds (NaN lies in none).
CLI::Validator names_a_file();
CLI::Validator number_in(double low, double high);

// A subcommand with help and an example that runs from the project's root.
CLI::App* new_command(Registry registry, const std::string& name, const std::string& what,
                      const std::string& example, std::function<void()> body);

}  // namespace sinew::cli
