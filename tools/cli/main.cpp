// The command line `sinew`: parses the options and hands over to the command's own file.
#include <cstdio>
#include <exception>

#include <fmt/format.h>

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

}  // namespace

int main(int argc, char** argv) {
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
    session.usage(fault.what());
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
