// Runs a scene twice, without and with the rig, and says how deep arms go into the table.
//
//   desk examples/03_desk/desk.scene.json [--video out/desk.mp4] [--sheet out/desk.png] [--draw]
#include <cstdio>
#include <cstring>
#include <optional>

#include <sinew/sinew.hpp>

#include "depth.hpp"
#include "desk_arm.hpp"
#if defined(SINEW_EXAMPLE_PICTURES)
#include "pictures.hpp"
#endif

namespace sw = sinew;

namespace {

int fail(const sw::Error& error) {
  std::fprintf(stderr, "error: %s\n", sw::to_string(error).c_str());
  return 1;
}

struct Options {
  const char* scene = nullptr;
  const char* video = nullptr;
  const char* sheet = nullptr;
  bool draw = false;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--draw") == 0) {
      options.draw = true;
    } else if (std::strcmp(argv[i], "--video") == 0 && more) {
      options.video = argv[++i];
    } else if (std::strcmp(argv[i], "--sheet") == 0 && more) {
      options.sheet = argv[++i];
    } else if (argv[i][0] != '-' && !options.scene) {
      options.scene = argv[i];
    } else {
      return std::nullopt;
    }
  }
  return options.scene ? std::optional(options) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = parse(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: desk SCENE.json [--video FILE] [--sheet FILE] [--draw]\n");
    return 2;
  }
  // All that it takes to have a constraint of one's own in files.
  sw::rig::ConstraintRegistry constraints;
  constraints.add<desk::DeskArm>();
  const sw::Result<sw::Scene> scene = sw::load_scene(options->scene, {.constraints = &constraints});
  if (!scene) return fail(scene.error());

  sw::SceneRun before(*scene), after(*scene);
  desk::Depths without(*scene), with(*scene);
#if defined(SINEW_EXAMPLE_PICTURES)
  desk::Pictures pictures(*scene, options->video, options->sheet, options->draw);
#else
  if (options->video || options->sheet) {
    std::fprintf(stderr,
                 "built without pictures: tools/render needs libepoxy-dev and libegl-dev\n");
  }
#endif
  while (!after.done()) {
    // The same scene, but for the parameter that drives the weight of the rig's arms.
    for (const sw::CharacterId id : before.world().characters()) {
      const sw::ParamId rig = before.world().definition(id)->param("rig");
      if (rig) before.world().set(id, rig, 0);
    }
    before.step();
    after.step();
    without.look(before);
    with.look(after);
#if defined(SINEW_EXAMPLE_PICTURES)
    if (sw::Status status = pictures.add(before, after); !status) return fail(status.error());
#endif
  }
#if defined(SINEW_EXAMPLE_PICTURES)
  if (sw::Status status = pictures.finish(); !status) return fail(status.error());
#endif

  std::printf("%-10s %26s %26s\n", "character", "deepest without the rig", "with it");
  bool good = true;
  for (std::size_t i = 0; i < scene->characters.size(); ++i) {
    const desk::Depth &a = without.of(i), &b = with.of(i);
    if (!a.has_arms) continue;
    std::printf("%-10s %11.1f mm %7.1f mm %11.1f mm %7.1f mm\n", scene->characters[i].name.c_str(),
                1e3 * static_cast<double>(a.wrist), 1e3 * static_cast<double>(a.elbow),
                1e3 * static_cast<double>(b.wrist), 1e3 * static_cast<double>(b.elbow));
    good = good && b.wrist < 1e-3f && b.elbow < 1e-3f;
  }
  std::printf("(wrist and elbow below the table top, where it can be reached)\n");
  return good ? 0 : 1;
}
