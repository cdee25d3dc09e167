// sinew fmt: authored files in one form, and of the newest version.
#include <memory>

#include <fmt/format.h>

#include <sinew/scene/format_json.hpp>
#include <sinew/scene/project_files.hpp>

#include "session.hpp"

namespace sinew::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  bool check = false, print = false;
};

void format_file(Session& session, const std::string& file, const Options& options) {
  const Result<std::string> text = read_text_file(file);
  if (!text) return session.fail(text.error());
  Findings findings;
  const Result<FormattedFile> formatted = format_json_file(*text, file, &findings);
  session.find(findings);
  if (!formatted) {
    if (!has_errors(findings)) session.fail(formatted.error());
    return;
  }
  if (options.print) session.print(formatted->text);
  const bool changes = formatted->text != *text;
  session.result["files"].push_back({{"file", file},
                                     {"kind", formatted->kind},
                                     {"changed", changes},
                                     {"from_version", formatted->from_version},
                                     {"version", formatted->version}});
  if (!changes || options.print) return;
  if (options.check) {
    session.differs();
    return session.print("would change  " + file + "\n");
  }
  if (const Status written = write_file(file, formatted->text); !written)
    return session.fail(written.error());
  session.print(fmt::format(
      "formatted  {}{}\n", file,
      formatted->from_version == formatted->version
          ? ""
          : fmt::format(" (version {} to {})", formatted->from_version, formatted->version)));
}

void format_files(Session& session, const Options& options) {
  session.result["files"] = Json::array();
  for (const std::string& file : options.files) {
    if (interrupted()) return;
    format_file(session, file, options);
  }
}

}  // namespace

void add_fmt(Registry registry) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      new_command(registry, "fmt", "Bring JSON files into one form, and to the newest version",
                  "sinew fmt --print examples/02_patrol/person.controller.json",
                  [&session = registry.session, options] { format_files(session, *options); });
  command->add_option("files", options->files, "Controllers, rigs, characters, scenes")->required();
  command->add_flag("--check", options->check, "Write nothing; exit code 1 if a file would change");
  command->add_flag("--print", options->print, "Print the result and leave the file alone");
}

}  // namespace sinew::cli
