#include "drawings.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <sinew/authoring/graph_picture.hpp>
#include <sinew/base/text.hpp>

#include "controller_input.hpp"
#include "svg_file.hpp"

namespace sinew::cli {

namespace {

// Writes the drawing and says so.
void save(Session& session, const std::string& svg, const std::string& file, double scale) {
  const Status saved = save_svg(svg, file, scale);
  if (!saved) {
    if (saved.error().code == ErrorCode::kInvalidArgument)
      return session.usage(to_string(saved.error()), "-o picture.svg or -o picture.png");
    return session.fail(saved.error(), "error." + std::string(to_string(saved.error().code)));
  }
  std::error_code ignored;
  const auto bytes = std::filesystem::file_size(file, ignored);
  session.print(fmt::format("wrote {} ({})\n", file, human_bytes(static_cast<double>(bytes))));
  session.result["files"].push_back({{"kind", "drawing"}, {"file", file}, {"bytes", bytes}});
}

}  // namespace

void DrawingOptions::add_to(CLI::App& app) {
  app.add_flag("--graph", graph, "Draw the states and transitions of a controller")
      ->group("Drawings");
  app.add_option("--layer", layer, "Of the graph: only this layer")->group("Drawings");
  app.add_option("-o,--output", output, "Of a drawing: the file, .svg or .png (default: in out/)")
      ->group("Drawings");
  app.add_option("--scale", scale, "Of a PNG: pixels a unit of the drawing")
      ->check(CLI::Range(0.1, 8.0))
      ->group("Drawings");
}

void render_graph(Session& session, const std::string& input, const DrawingOptions& options) {
  const auto source = open_controller(session, input);
  if (!source) return;
  if (!options.layer.empty()) {
    std::vector<std::string_view> names;
    for (const LayerSource& layer : source->layers) names.push_back(layer.name);
    if (std::find(names.begin(), names.end(), options.layer) == names.end())
      return session.usage("there is no layer '" + options.layer + "'" +
                           did_you_mean(options.layer, names));
  }
  const std::string file = options.output.empty()
                               ? default_output(short_name(input) + ".graph", ".svg")
                               : options.output;
  save(session, draw_controller(*source, {.layer = options.layer}), file, options.scale);
}

}  // namespace sinew::cli
