// sinew import: reads files and folders, each file in a process of its own, and says what is in
// them.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include <fmt/format.h>
#include <signal.h>

#include <sinew/import/import.hpp>
#include <sinew/scene/project_files.hpp>
#include <sinew/scene/thread_jobs.hpp>

#include "import_files.hpp"
#include "import_report.hpp"
#include "session.hpp"
#include "worker_process.hpp"

namespace sinew::cli {

namespace {

struct ImportOptions {
  std::vector<std::string> inputs;
  std::string out;
  int jobs = 0;
  double seconds = 60;
  int memory = 4096;  // MB
  bool roles = false;
  std::string one;
};

// ---- one file, in the process that may die ----------------------------------------------------

void import_one(Session& session, const std::string& file) {
  signal(SIGTERM, SIG_DFL);
  try {
    const ImportFormat* format = find_import_format(file);
    Result<Model> model = import_model(file);
    if (!model) return session.find(finding_of(model.error(), file));
    for (Finding finding : model->findings) {
      if (finding.file.empty()) finding.file = file;
      session.find(std::move(finding));
    }
    session.result["facts"] = import_facts(file, format ? format->name : "", *model);
  } catch (const std::bad_alloc&) {
    session.find({Severity::kError,
                  "file.limit",
                  "the import needs more memory than its limit",
                  {},
                  "give more with --memory",
                  file});
  }
}

// ---- all files --------------------------------------------------------------------------------

struct Outcome {
  bool done = false;
  Json report;
  Findings findings;
};

class Batch {
 public:
  Batch(const ImportOptions& options, const std::vector<ImportFile>& files)
      : options_(options), files_(files), outcomes_(files.size()) {}

  // All files, `jobs` at a time. Returns early where the program is interrupted.
  void run(bool progress_wanted);
  const std::vector<Outcome>& outcomes() const { return outcomes_; }

 private:
  void work();
  void import_file(std::size_t i);
  Outcome read_answer(const std::string& file, const Result<std::string>& answer) const;

  const ImportOptions& options_;
  const std::vector<ImportFile>& files_;
  std::vector<Outcome> outcomes_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t done_ = 0, working_ = 0;
};

// What the process told: its findings and facts, or why it did not come to that.
Outcome Batch::read_answer(const std::string& file, const Result<std::string>& answer) const {
  Outcome out;
  Json facts;
  if (!answer) {
    Finding finding = finding_of(answer.error(), file);
    if (answer.error().code == ErrorCode::kInternal || answer.error().code == ErrorCode::kNotFound)
      finding.code = "error.internal";
    if (answer.error().code == ErrorCode::kLimit)
      finding.hint = "give more with --timeout and --memory";
    out.findings.push_back(std::move(finding));
  } else {
    const Json told = Json::parse(*answer, nullptr, false);
    const bool whole = told.is_object() && told.contains("findings") && told["findings"].is_array();
    if (whole) {
      for (const Json& finding : told["findings"]) out.findings.push_back(finding_from(finding));
      if (told.contains("facts")) facts = told["facts"];
    }
    if (!facts.is_object() && !has_errors(out.findings)) {
      out.findings.push_back(
          {Severity::kError, "file.malformed", "the import ended without an answer", {}, {}, file});
    }
  }
  out.report = import_report(file, facts, out.findings);
  out.done = true;
  return out;
}

void Batch::import_file(std::size_t i) {
  const ImportFile& file = files_[i];
  WorkerLimits limits;
  limits.seconds = options_.seconds;
  limits.memory_bytes = static_cast<std::size_t>(options_.memory) << 20;
  limits.answer_bytes = std::size_t{256} << 20;
  limits.cancelled = interrupted;
  const Result<std::string> answer =
      run_worker("/proc/self/exe", {"import", "--json", "--one=" + file.file}, limits);
  if (interrupted()) return;
  Outcome outcome = read_answer(file.file, answer);
  if (!options_.out.empty()) {
    const std::filesystem::path path = report_path(options_.out, file);
    const std::string text = outcome.report.dump(2, ' ', false, Json::error_handler_t::replace);
    if (const Status written = write_file(path, text + "\n"); !written) {
      outcome.findings.push_back({Severity::kError,
                                  "error." + std::string(to_string(written.error().code)),
                                  written.error().message,
                                  {},
                                  {},
                                  written.error().where});
    }
  }
  outcomes_[i] = std::move(outcome);
}

void Batch::work() {
  for (std::size_t i; (i = next_.fetch_add(1)) < files_.size() && !interrupted();) {
    try {
      import_file(i);
    } catch (const std::exception& fault) {
      outcomes_[i].findings.push_back(
          {Severity::kError, "error.internal", fault.what(), {}, {}, files_[i].file});
      outcomes_[i].report = import_report(files_[i].file, {}, outcomes_[i].findings);
      outcomes_[i].done = true;
    }
    const std::lock_guard lock(mutex_);
    ++done_;
    changed_.notify_one();
  }
  const std::lock_guard lock(mutex_);
  --working_;
  changed_.notify_one();
}

void Batch::run(bool progress_wanted) {
  const std::size_t wanted = options_.jobs > 0
                                 ? static_cast<std::size_t>(options_.jobs)
                                 : static_cast<std::size_t>(ThreadJobs::hardware_workers());
  working_ = std::min(wanted, files_.size());
  std::vector<std::thread> threads;
  for (std::size_t i = working_; i > 0; --i) threads.emplace_back([this] { work(); });
  Progress progress(
      fmt::format("importing {} file{}", files_.size(), files_.size() == 1 ? "" : "s"),
      static_cast<double>(files_.size()), progress_wanted);
  {
    std::unique_lock lock(mutex_);
    while (working_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(200));
      progress.at(static_cast<double>(done_));
    }
  }
  for (std::thread& thread : threads) thread.join();
}

// ---- what people see --------------------------------------------------------------------------

Table summary_table() {
  Table table;
  table.column("");
  table.column("file");
  table.column("format");
  table.column("joints", Table::Align::kRight);
  table.column("height", Table::Align::kRight);
  table.column("body");
  table.column("roles", Table::Align::kRight);
  table.column("missing", Table::Align::kRight);
  table.column("clips", Table::Align::kRight);
  table.column("seconds", Table::Align::kRight);
  table.column("meshes", Table::Align::kRight);
  table.column("warnings", Table::Align::kRight);
  return table;
}

void add_row(Table& table, const std::string& file, const Json& report) {
  const std::size_t warnings = report["warnings"].size();
  if (!report["ok"].get<bool>()) {
    table.row({styled("bad ", Style::kRed, 1), file, "cannot be read"});
    return;
  }
  const Json& skeleton = report["skeleton"];
  double seconds = 0;
  for (const Json& clip : report["clips"]) seconds += clip["seconds"].get<double>();
  const std::string body = skeleton["body"].get<std::string>();
  table.row(
      {styled(warnings > 0 ? "warn" : "ok  ", warnings > 0 ? Style::kYellow : Style::kGreen, 1),
       file, report["format"].get<std::string>(), skeleton["joints"].dump(),
       fmt::format("{:.2f} m", skeleton["height"].get<double>()), body == "unknown" ? "-" : body,
       std::to_string(skeleton["roles"].size()),
       body == "unknown" ? "-" : std::to_string(skeleton["missing_roles"].size()),
       std::to_string(report["clips"].size()), fmt::format("{:.2f}", seconds),
       report["meshes"].dump(), warnings > 0 ? std::to_string(warnings) : ""});
}

// The file's name in tables: its path below what all inputs have in common.
std::string short_path(const ImportFile& file) {
  return (file.folder / std::filesystem::path(file.file).filename()).generic_string();
}

void import_all(Session& session, const ImportOptions& options) {
  if (!options.one.empty()) return import_one(session, options.one);
  if (options.inputs.empty()) return session.usage("no file or folder is given");
  const std::vector<ImportFile> files = find_import_files(session, options.inputs);
  session.interrupted_note = options.out.empty() ? "" : "reports of files that were done are there";
  Batch batch(options, files);
  batch.run(session.progress_wanted());

  Table table = summary_table();
  Json& reports = session.result["files"] = Json::array();
  std::size_t read = 0, failed = 0;
  std::string roles = kRoleTableHead;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Outcome& outcome = batch.outcomes()[i];
    if (!outcome.done) continue;  // interrupted
    for (const Finding& finding : outcome.findings) {
      // Notes are in the reports; on a terminal they would drown the rest.
      if (session.json || finding.severity != Severity::kInfo) session.find(finding);
    }
    (outcome.report["ok"].get<bool>() ? read : failed) += 1;
    add_row(table, short_path(files[i]), outcome.report);
    roles += role_row(short_path(files[i]), outcome.report);
    reports.push_back(outcome.report);
  }
  session.result["read"] = read;
  session.result["failed"] = failed;
  if (options.roles) return session.print(roles);
  if (!table.empty()) session.print(table.text());
  session.print(fmt::format("{} read, {} failed{}\n", read, failed,
                            options.out.empty() ? "" : ", reports in " + options.out));
}

}  // namespace

void add_import(Registry registry) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command =
      new_command(registry, "import", "Read many files and report what is in them",
                  "sinew import build/release/assets --out out/reports -j 2",
                  [&session = registry.session, options] { import_all(session, *options); });
  command->add_option("inputs", options->inputs, "Files, and folders with all below them");
  command->add_option("--out,-o", options->out, "Folder for a report per file, *.import.json");
  command->add_option("-j,--jobs", options->jobs, "Files at a time (default: one per processor)")
      ->check(CLI::Range(1, 256));
  command->add_option("--timeout", options->seconds, "Seconds that a file may take")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  command->add_option("--memory", options->memory, "Megabytes that a file may take")
      ->check(CLI::Range(16, 1 << 20))
      ->capture_default_str();
  command->add_flag("--roles", options->roles,
                    "Print who is which bone as a Markdown table instead of the summary");
  command->add_option("--one", options->one)->group("");  // hidden: the process of one file
}

}  // namespace sinew::cli
