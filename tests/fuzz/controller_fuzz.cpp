// Any bytes as a controller: read, written again, compiled, run for a moment.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <sinew/graph/update.hpp>
#include <sinew/scene/controller_json.hpp>

using namespace sinew;

namespace {

void run(const ControllerDef& def) {
  const MotionTable motions = declared_motions(def);
  ControllerInstance instance(def);
  ControllerBuffers buffers(def, true);
  std::vector<float> stored(def.limits().scalar_memory);
  ControllerState state = instance.state();
  for (int i = 0; i < 8; ++i) {
    for (int p = 0; p < def.parameter_count(); ++p) state.set({p}, (i + p) % 3 - 1);
    if (i == 5 && def.state_count() > 0) state.cross_fade({i % def.state_count()}, 0.3, 0.5);
    update_controller(def, motions, state, 0.15 * i, buffers.output());
    const ControllerOutput& out = buffers.output();
    (void)run_scalar_tasks(def, out.program(), out.program_weights(), motions.values, stored);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<ControllerSource> source = parse_controller(text);
  if (!source) return 0;
  if (!parse_controller(write_controller(*source))) std::abort();
  if (const Result<ControllerDef> def = compile_controller(*source)) run(*def);
  return 0;
}
