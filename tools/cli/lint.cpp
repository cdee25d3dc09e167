// sinew lint: what compiles, but cannot have been meant.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <sinew/base/text.hpp>
#include <sinew/scene/controller_json.hpp>
#include <sinew/scene/scene_def.hpp>

#include "controller_input.hpp"
#include "file_kind.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

struct Options {
  std::vector<std::string> files, skipped;
  bool rules = false;
};

// Findings of the compiler that a rule of lint gives with more words.
bool said_by_a_rule(const Finding& finding) {
  constexpr std::string_view kCodes[] = {"controller.never_taken", "controller.unknown_parameter",
                                         "controller.coincident_children",
                                         "controller.missing_motion"};
  return std::find(std::begin(kCodes), std::end(kCodes), finding.code) != std::end(kCodes);
}

class Linter {
 public:
  Linter(Session& session, const Options& options) : session_(session), options_(options) {}

  void file(const std::string& file) {
    const auto kind = file_kind(session_, file);
    if (!kind) return;
    if (*kind == FileKind::kController) {
      if (const auto source = open_controller(session_, file)) controller(file, *source, {});
    } else if (*kind == FileKind::kCharacter) {
      Findings findings;
      const auto loaded = load_character_file(file, {.root = session_.root}, &findings);
      character(file, findings, loaded ? &loaded->def : nullptr);
    } else if (*kind == FileKind::kScene) {
      scene(file);
    } else {
      session_.find({Severity::kError,
                     "file.kind",
                     "is a " + std::string(to_string(*kind)) + ", in which there is no controller",
                     {},
                     "give a controller, a character or a scene",
                     file});
    }
  }

 private:
  void scene(const std::string& file) {
    Findings findings;
    const Result<Scene> loaded = load_scene(file, {.root = session_.root}, &findings);
    if (!loaded) {
      session_.find(findings);
      if (!has_errors(findings)) session_.fail(loaded.error());
      return;
    }
    std::set<std::string> seen;
    for (const LoadedCharacter& one : loaded->definitions) {
      if (seen.insert(one.file.string()).second) character(one.file.string(), {}, &one.def);
    }
  }

  // The controller of a character, with what its motions are in the model.
  void character(const std::string& file, const Findings& findings, const CharacterDef* def) {
    for (const Finding& finding : findings) {
      if (!said_by_a_rule(finding) || !def) session_.find(finding);
    }
    if (!def) return;
    const auto path = controller_of(file);
    if (!path) return;
    if (const auto source = open_controller(session_, path->string()))
      controller(path->string(), *source, motion_facts(*def));
  }

  std::optional<std::filesystem::path> controller_of(const std::string& file) {
    const Result<std::string> text = read_text_file(file);
    const Result<ProjectFiles> files = ProjectFiles::around(file, session_.root);
    if (!text || !files) return std::nullopt;
    const Json json = Json::parse(*text, nullptr, false);
    if (json.is_discarded() || !json.contains("controller")) return std::nullopt;
    const Result<std::filesystem::path> path =
        files->resolve(file, json["controller"].get<std::string>());
    if (!path) {
      session_.fail(path.error());
      return std::nullopt;
    }
    return *path;
  }

  void controller(const std::string& file, const ControllerSource& source,
                  std::vector<MotionFacts> motions) {
    Findings found, compiled;
    const Result<ControllerDef> def = compile_controller(source, &compiled);
    for (Finding& finding : compiled) {
      if (!said_by_a_rule(finding)) found.push_back(std::move(finding));
    }
    const Findings linted = lint_controller(source, {std::move(motions), options_.skipped});
    found.insert(found.end(), linted.begin(), linted.end());
    int counts[3] = {0, 0, 0};
    for (Finding& finding : found) {
      finding.file = file;
      ++counts[static_cast<int>(finding.severity)];
    }
    session_.find(found);
    const bool bad = counts[2] > 0, warned = counts[1] > 0;
    session_.print(fmt::format("{}  {}: {} error{}, {} warning{}, {} note{}\n",
                               styled(bad      ? "bad "
                                      : warned ? "warn"
                                               : "ok  ",
                                      bad      ? Style::kRed
                                      : warned ? Style::kYellow
                                               : Style::kGreen,
                                      1),
                               file, counts[2], counts[2] == 1 ? "" : "s", counts[1],
                               counts[1] == 1 ? "" : "s", counts[0], counts[0] == 1 ? "" : "s"));
    session_.result["files"].push_back(
        {{"file", file}, {"errors", counts[2]}, {"warnings", counts[1]}, {"notes", counts[0]}});
  }

  Session& session_;
  const Options& options_;
};

void list_rules(Session& session) {
  Table table;
  table.column("rule");
  table.column("severity");
  table.column("finds");
  Json& out = session.result["rules"] = Json::array();
  for (const LintRule& rule : lint_rules()) {
    table.row(
        {std::string(rule.id), std::string(to_string(rule.severity)), std::string(rule.what)});
    out.push_back(
        {{"rule", rule.id}, {"severity", to_string(rule.severity)}, {"finds", rule.what}});
  }
  session.print(table.text());
}

void lint(Session& session, Options& options) {
  if (options.rules) return list_rules(session);
  if (options.files.empty()) return session.usage("no file is given");
  std::vector<std::string_view> known;
  for (const LintRule& rule : lint_rules()) known.push_back(rule.id);
  for (std::string& rule : options.skipped) {
    if (rule.rfind("lint.", 0) != 0) rule = "lint." + rule;
    if (std::find(known.begin(), known.end(), rule) == known.end())
      return session.usage("there is no rule '" + rule + "'" + did_you_mean(rule, known),
                           "sinew lint --rules lists them");
  }
  session.result["files"] = Json::array();
  Linter linter(session, options);
  for (const std::string& file : options.files) {
    if (interrupted()) return;
    linter.file(file);
  }
}

}  // namespace

void add_lint(Registry registry) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      new_command(registry, "lint", "Find what compiles, but cannot have been meant",
                  "sinew lint examples/02_patrol/person.controller.json",
                  [&session = registry.session, options] { lint(session, *options); });
  command->add_option("files", options->files,
                      "Controllers; characters and scenes, whose models say what the motions are");
  command->add_option("--skip", options->skipped, "Rules not to look at (comma between)")
      ->delimiter(',');
  command->add_flag("--rules", options->rules, "List the rules");
}

}  // namespace sinew::cli
