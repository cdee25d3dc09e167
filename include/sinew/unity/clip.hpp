// Unity's animation clips (`.anim`, text form). A clip is read as it stands, by paths and in
// Unity's own left-handed space; binding it to a skeleton makes our right-handed RawClip of it.
//
// From left-handed to right-handed by mirroring X, as Unity's own model importers do:
// (x, y, z) -> (-x, y, z), quaternion (x, y, z, w) -> (x, -y, -z, w), scales as they are.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/asset/raw_clip.hpp>
#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>
#include <sinew/unity/assets.hpp>

namespace sinew::unity {

// Between two keys a component goes by the cubic Hermite curve of the slopes (units per second); an
// infinite slope on either side holds the left value; weighted slopes make it a Bezier curve.
struct AnimKey {
  double time = 0;  // seconds
  std::array<double, 4> value{};
  std::array<double, 4> in_slope{}, out_slope{};
  std::array<double, 4> in_weight{1 / 3.0, 1 / 3.0, 1 / 3.0, 1 / 3.0};
  std::array<double, 4> out_weight{1 / 3.0, 1 / 3.0, 1 / 3.0, 1 / 3.0};
  std::uint8_t weighted = 0;  // 1: the in-slope, 2: the out-slope
};

struct AnimCurve {
  enum class Channel : std::uint8_t { kPosition, kRotation, kEuler, kScale, kFloat };
  Channel channel = Channel::kFloat;
  std::string path{};       // of the object from the animator's: "Hips/Spine"; empty: its own
  std::string attribute{};  // of a float curve
  int class_id = 0;        // of a float curve: 95 animator, 137 skinned mesh, 1 object, 4 transform
  int rotation_order = 4;  // of Euler angles: 0 XYZ, 1 XZY, 2 YZX, 3 YXZ, 4 ZXY, 5 ZYX
  std::vector<AnimKey> keys{};              // by time
  int pre_infinity = 2, post_infinity = 2;  // 2: holds the end's value
  int line = 0;

  int components() const {
    return channel == Channel::kFloat ? 1 : channel == Channel::kRotation ? 4 : 3;
  }
};

struct AnimEvent {
  double time = 0;  // seconds, in the curves' time
  std::string function{};
  std::string text{};
  double number = 0;
  std::int32_t integer = 0;
  AssetRef object{};
  int message_options = 0;
};

// Unity's names and senses; angles in degrees, lengths in metres, left-handed.
struct AnimSettings {
  double start_time = 0, stop_time = 0;  // seconds; the part of the curves that plays
  double orientation_offset_y = 0;
  double level = 0;
  double cycle_offset = 0;
  bool loop_time = false;
  bool loop_pose = false;
  bool bake_orientation = false, bake_position_y = false, bake_position_xz = false;
  bool keep_orientation = false, keep_position_y = true, keep_position_xz = false;
  bool height_from_feet = false;
  bool mirror = false;
  bool has_additive_reference = false;
  AssetRef additive_reference{};
  double additive_reference_time = 0;
};

struct AnimClip {
  std::string name{};
  std::string file{};
  double sample_rate = 60;
  int wrap_mode = 0;
  bool legacy = false;
  std::vector<AnimCurve> curves{};
  std::vector<AnimEvent> events{};  // by time
  AnimSettings settings{};
  int muscle_curves = 0;  // of the avatar's muscles, root and goals: a humanoid clip
  Findings findings{};

  bool humanoid() const { return muscle_curves > 0; }
  bool loops() const { return settings.loop_time || wrap_mode == 2; }
  // Seconds, >= 0: of the settings, or where these say nothing, of the keys.
  double duration() const;
};

// Reads the first clip of a text. Findings: muscle curves (they are kept as float curves and move
// no joint), compressed or object-reference curves (left out), curves that repeat beyond their ends
// (they are held), a legacy clip, keys that are not finite or not in order.
// Errors: see not_unity_text in controller.hpp; no clip in the file.
Result<AnimClip> read_clip(std::string_view text, const std::string& file = {});
Result<AnimClip> load_clip(const std::filesystem::path& file);

// True for the name of a muscle ("Left Arm Down-Up"), of the root ("RootT.x") or of a goal
// ("LeftFootQ.w") of a humanoid clip.
bool is_muscle(std::string_view attribute);

// The joint that a path means: the one whose name is the path's last part and whose ancestors match
// the most of its other parts, from the end on; parts that neither skeleton nor path goes on with
// do not count. kNoJoint if there is none, or if two match alike.
int find_joint(const Skeleton& skeleton, std::string_view path);

// The clip on a skeleton of ours: right-handed, metres, quaternions, from its start time on.
// Positions, quaternions, scales and floats are exact (cubic) where no key is weighted; weighted
// segments are cut into 16 cubic pieces; Euler angles are sampled at least 60 times a second and
// every 5 degrees. Float curves are named: "morph/<mesh>/<target>" (0 to 1), "active/<path>", the
// attribute alone for those of the animator, else "<path>/<attribute>". Root motion settings are
// taken over but not switched on. Findings: paths without a joint.
// Error: no transform curve finds a joint although there are some.
Result<RawClip> bind(const AnimClip& clip, const Skeleton& skeleton, Findings* findings = nullptr);

// A model of the paths alone, for clips without a skeleton: one joint per object named in a path,
// at rest where the clip begins (the origin of its parent where nothing moves it). It has the clip.
Result<Model> clip_model(const AnimClip& clip);
Result<Model> load_clip_model(const std::filesystem::path& file);

}  // namespace sinew::unity
