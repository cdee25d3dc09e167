// Stands in for pictures.cpp where the renderer is not built.
#include "pictures.hpp"

namespace sinew::cli {

namespace {
Error none() {
  return make_error(ErrorCode::kUnsupported,
                    "this build has no renderer; install pkg-config, libepoxy-dev, libegl-dev and "
                    "libstb-dev, then configure and build again");
}
}  // namespace

void PictureOptions::add_to(CLI::App&) {}
void PictureOptions::add_outputs_to(CLI::App& app) {
  for (auto [name, file] :
       {std::pair{"--video", &video}, {"--sheet", &sheet}, {"--picture", &picture}}) {
    app.add_option(name, *file, "(this build has no renderer)")
        ->expected(0, 1)
        ->default_str("out/");
  }
}
void PictureOptions::name_outputs(const std::string&) {}
bool PictureOptions::check(Session& session) {
  if (any()) session.fail(none(), "render.unsupported");
  return !any();
}
void take_pictures(Session& session, const Footage&, const PictureOptions& options) {
  if (options.any()) session.fail(none(), "render.unsupported");
}
Result<std::string> renderer_device() { return none(); }

}  // namespace sinew::cli
