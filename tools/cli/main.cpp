// The command line `sinew`: parses the options and hands over to the command's own file.
#include <algorithm>
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include <sinew/base/text.hpp>

#include "session.hpp"

using namespace sinew::cli;

namespace {

void add_global_options(CLI::App& app, Session& session) {
  app.add_flag("--json", session.json, "Print one JSON object instead of text");
  app.add_flag("--quiet,-q", session.quiet, "No notes, warnings or progress on stderr");
  app.add_flag("--werror", session.werror, "Warnings make the exit code 1");
  app.add_option("--root", session.root,
                 "Project folder that no path may leave (default: nearest folder above the file\n"
                 "that holds sinew.project.json or .git)");
}

bool wants_json(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") return true;
  }
  return false;
}

// What CLI11 says of options and commands that do not exist, with the nearest right name.
std::string unknown_words(const CLI::App& app, const CLI::ParseError& fault, int argc,
                          char** argv) {
  const auto chosen = app.get_subcommands();
  std::vector<std::string> names;
  if (chosen.empty()) {
    for (const CLI::App* one : app.get_subcommands({})) names.push_back(one->get_name());
    const std::vector<std::string_view> known(names.begin(), names.end());
    for (int i = 1; i < argc; ++i) {
      const std::string_view word = argv[i];
      if (word.empty() || word[0] == '-') continue;
      return fmt::format("there is no command '{}'{}", word, sinew::did_you_mean(word, known));
    }
    return fault.what();
  }
  for (const CLI::App* one : {static_cast<const CLI::App*>(chosen.front()), &app}) {
    for (const CLI::Option* option : one->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (int i = 1; i < argc; ++i) {
    const std::string_view word =
        std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (word.size() < 3 || word.substr(0, 2) != "--") continue;
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    return fmt::format("there is no option '{}'{}", word, sinew::did_you_mean(word, known));
  }
  return fault.what();
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  watch_signals();
  Session session;
  std::function<void()> chosen;
  CLI::App app("Character animation without an engine: run scenes, look into files, make pictures.",
               "sinew");
  app.set_version_flag("--version", std::string("sinew ") + SINEW_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Example:\n  sinew run examples/02_patrol/patrol.scene.json --sheet\n"
      "Exit codes: 0 fine, 1 findings, 2 usage, 3 unreadable input, 4 internal.");
  add_global_options(app, session);
  const Registry registry{app, session, chosen};
  add_run(registry);
  add_replay(registry);
  add_render(registry);
  add_play(registry);
  add_import(registry);
  add_inspect(registry);
  add_validate(registry);
  add_lint(registry);
  add_diff(registry);
  add_fmt(registry);
  add_doctor(registry);
  try {
    app.parse(argc, argv);
    if (chosen) chosen();
    return session.finish();
  } catch (const CLI::Success& wanted) {
    return app.exit(wanted);  // --help, --version
  } catch (const CLI::ParseError& fault) {
    session.json = wants_json(argc, argv);
    const auto given = app.get_subcommands();
    if (!given.empty()) session.command = given.front()->get_name();
    const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr ||
                         dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr;
    session.usage(unknown ? unknown_words(app, fault, argc, argv) : fault.what());
    return session.finish();
  } catch (const std::exception& fault) {
    session.find({sinew::Severity::kError,
                  "error.internal",
                  fault.what(),
                  {},
                  "this is a fault of sinew itself; please report it with the input",
                  {}});
    return session.finish();
  }
}
