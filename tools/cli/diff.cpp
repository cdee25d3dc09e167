// sinew diff: what two versions of a controller do differently.
#include <memory>

#include <fmt/format.h>

#include <sinew/authoring/diff.hpp>

#include "controller_input.hpp"
#include "session.hpp"

namespace sinew::cli {

namespace {

struct Options {
  std::string before, after;
};

Style style_of(Difference::Op op) {
  switch (op) {
    case Difference::Op::kAdded:
      return Style::kGreen;
    case Difference::Op::kRemoved:
      return Style::kRed;
    case Difference::Op::kChanged:
      return Style::kYellow;
    case Difference::Op::kMoved:
      return Style::kCyan;
  }
  return Style::kPlain;
}

void diff(Session& session, const Options& options) {
  const auto before = open_controller(session, options.before);
  const auto after = open_controller(session, options.after);
  if (!before || !after) return;
  const std::vector<Difference> differences = diff_controllers(*before, *after);
  Json& out = session.result["differences"] = Json::array();
  for (const Difference& d : differences) {
    session.print(styled(to_string(d), style_of(d.op), 1) + "\n");
    out.push_back({{"op", to_string(d.op)},
                   {"kind", d.kind},
                   {"path", d.path},
                   {"field", d.field},
                   {"before", d.before},
                   {"after", d.after}});
  }
  if (!differences.empty()) session.differs();
}

}  // namespace

void add_diff(Registry registry) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      new_command(registry, "diff", "Compare two controllers by what they do",
                  "sinew diff examples/02_patrol/person.controller.json "
                  "examples/02_patrol/person.controller.json",
                  [&session = registry.session, options] { diff(session, *options); });
  command->add_option("before", options->before, "The older controller")->required();
  command->add_option("after", options->after, "The newer one; exit code 1 if they differ")
      ->required();
}

}  // namespace sinew::cli
