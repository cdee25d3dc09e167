// Any bytes as a scene, a line "%%" and a character file: an error with a reason, or a scene that
// runs. Both lie in a project with a small walker, its controller and a character.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <sinew/scene/scene_run.hpp>

#include "../support/walker_project.hpp"

using namespace sinew;

namespace {

const testing::TempFolder& project() {
  static const testing::TempFolder kFolder;
  static const bool kWritten = (testing::write_walker_project(kFolder), true);
  (void)kWritten;
  return kFolder;
}

bool finite(const Scene& scene, SceneRun& run) {
  for (std::size_t i = 0; i < scene.characters.size(); ++i) {
    const CharacterId id = run.id(static_cast<int>(i));
    if (run.world().alive(id) && !is_finite(run.world().position(id))) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find("\n%%\n");
  const bool both = split != std::string_view::npos;
  project().write("fuzz.scene.json", text.substr(0, split));
  project().write("fuzz.character.json",
                  both ? text.substr(split + 4) : std::string_view(testing::kWalkerCharacter));
  Findings findings;
  const Result<Scene> scene = load_scene(project() / "fuzz.scene.json", {}, &findings);
  if (!scene) {
    if (scene.error().message.empty() || !has_errors(findings)) std::abort();
    return 0;
  }
  // What is asked for may be large; what it does shows early.
  if (scene->max_characters > 64) return 0;
  SceneRun run(*scene);
  for (int i = 0; i < 40 && !run.done(); ++i) run.step();
  if (!finite(*scene, run)) std::abort();
  return 0;
}
