// Rig files from anywhere: reading, compiling on a small skeleton and running must end well.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <sinew/rig/rig_def.hpp>
#include <sinew/scene/rig_json.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sinew;
  static const Skeleton skeleton = [] {
    std::vector<JointDef> joints;
    for (const char* name : {"hips", "spine", "head", "upper", "lower", "hand"}) {
      joints.push_back(
          {name, static_cast<int>(joints.size()) - 1, {{0, 0.2f, 0.01f}, {}, {1, 1, 1}}});
    }
    return std::move(*Skeleton::build(joints));
  }();
  Findings findings;
  const Result<RigSource> source =
      parse_rig_json({reinterpret_cast<const char*>(data), size}, "fuzz.rig.json", findings);
  if (!source) return 0;
  write_rig_json(*source);
  RigCompileOptions options;
  options.skip_invalid = true;
  const Result<RigDef> def = RigDef::compile(*source, skeleton, options, findings);
  if (!def) return 0;
  RigState state(*def);
  RigScratch scratch(*def);
  Pose pose(skeleton);
  for (int i = 0; i < 3; ++i) evaluate_rig(*def, state, pose, {}, 0.02f, scratch);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (!is_finite(get_joint(skeleton, pose, j))) __builtin_trap();
  }
  return 0;
}
