// Every clip of every glTF file of SINEW_DATA against three.js (tests/reference/three): where the
// joints are at 20 times, from the keys and from the run-time clip.
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/asset/clip.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/pose/model_pose.hpp>
#include <sinew/pose/sample.hpp>

namespace sinew {
namespace {

using Json = nlohmann::json;

// Of the character's height.
constexpr float kTolerance = 1e-4f;

struct Worst {
  float position = 0;  // of the height
  float rotation = 0;  // radians
  float scale = 0;     // relative
  std::string place;
};

Vec3 vec3_of(const Json& v) { return {v[0].get<float>(), v[1].get<float>(), v[2].get<float>()}; }
Quat quat_of(const Json& v) {
  return {v[0].get<float>(), v[1].get<float>(), v[2].get<float>(), v[3].get<float>()};
}

std::vector<Mat3x4> model_of(const Skeleton& skeleton, std::span<const Transform> local) {
  std::vector<Mat3x4> model(local.size());
  for (std::size_t j = 0; j < local.size(); ++j) {
    const int parent = skeleton.parent(static_cast<int>(j));
    const Mat3x4 own = to_matrix(local[j]);
    model[j] = parent < 0 ? own : model[static_cast<std::size_t>(parent)] * own;
  }
  return model;
}

struct Reference {
  const Json& positions;
  const Json& rotations;
  const Json& scales;
};

// One pose. Every node that three reports must be a joint, unless the file has no skin: there only
// the animated nodes are.
void compare(const Reference& reference, const Json& nodes, const gltf::Source& source,
             std::span<const Mat3x4> model, float height, bool has_skin, const std::string& place,
             Worst& worst) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const int joint = source.joint_of_node[nodes[i].get<std::size_t>()];
    if (joint == kNoJoint) {
      EXPECT_FALSE(has_skin) << place << ": node " << nodes[i] << " is no joint";
      continue;
    }
    const Mat3x4& m = model[static_cast<std::size_t>(joint)];
    const float error = distance(translation_of(m), vec3_of(reference.positions[i])) / height;
    if (error > worst.position) {
      worst.position = error;
      worst.place = place + " node " + nodes[i].dump();
    }
    if (reference.rotations[i].is_null()) continue;
    const Transform t = decompose(m);
    worst.rotation =
        max(worst.rotation, angle_between(t.rotation, quat_of(reference.rotations[i])));
    const Vec3 expected = vec3_of(reference.scales[i]);
    const Vec3 scale = t.scale * source.folded_scale[static_cast<std::size_t>(joint)];
    worst.scale = max(worst.scale, distance(scale, expected) / max(1e-3f, length(expected)));
  }
}

void compare_morphs(const Json& morphs, const gltf::Source& source, const Model& model,
                    const RawClip& clip, std::size_t sample_index, float t) {
  for (const auto& [node, samples] : morphs.items()) {
    const Json& weights = samples[sample_index];
    const Mesh* mesh = nullptr;
    for (std::size_t m = 0; m < model.meshes.size(); ++m) {
      if (source.node_of_mesh[m] == std::stoi(node)) mesh = &model.meshes[m];
    }
    ASSERT_NE(mesh, nullptr);
    ASSERT_EQ(mesh->morphs.size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const std::string name = "morph/" + mesh->name + "/" + mesh->morphs[i].name;
      const auto curve = std::find_if(clip.curves.begin(), clip.curves.end(),
                                      [&](const FloatCurve& c) { return c.name == name; });
      ASSERT_NE(curve, clip.curves.end()) << name;
      EXPECT_NEAR(sample(curve->keys, t, curve->default_value), weights[i].get<float>(), 1e-5f)
          << name << " at " << t;
    }
  }
}

class DataGltfReference : public testing::Test {
 protected:
  static const Json* reference() {
    static const Json json = [] {
      std::ifstream stream(SINEW_BINARY_DIR "/three.json", std::ios::binary);
      return stream ? Json::parse(stream, nullptr, false) : Json();
    }();
    return json.is_object() ? &json : nullptr;
  }

  void SetUp() override {
    if (std::string(SINEW_DATA_DIR).empty()) GTEST_SKIP() << "SKIPPED: SINEW_DATA is not set";
    if (reference() == nullptr) {
      GTEST_SKIP() << "SKIPPED: " SINEW_BINARY_DIR
                      "/three.json is not there: run `npm ci` in tests/reference/three";
    }
  }
};

TEST_F(DataGltfReference, EveryJointOfEveryClipLiesWhereThreePutsIt) {
  int files = 0, clips = 0;
  for (const auto& [name, file] : (*reference())["files"].items()) {
    if (name.starts_with("malformed/") || file.contains("error")) continue;
    SCOPED_TRACE(name);
    ++files;
    gltf::Source source;
    gltf::Options options;
    options.images = false;
    const Result<Model> model = gltf::load(SINEW_DATA_DIR "/" + name, options, source);
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const float height = file["height"].get<float>();
    const bool has_skin = !model->skins.empty();
    Worst rest, exact, runtime;
    const Json& rest_json = file["rest"];
    compare({rest_json["positions"], rest_json["rotations"], rest_json["scales"]},
            rest_json["nodes"], source, model->skeleton.rest_model(), height, has_skin, "rest",
            rest);
    ASSERT_EQ(model->clips.size(), file["clips"].size());
    for (std::size_t c = 0; c < model->clips.size(); ++c) {
      ++clips;
      const Json& expected = file["clips"][c];
      const RawClip& raw = model->clips[c];
      EXPECT_FLOAT_EQ(raw.duration, expected["duration"].get<float>());
      const Result<Clip> clip = Clip::build(raw, model->skeleton);
      ASSERT_TRUE(clip.ok()) << to_string(clip.error());
      Pose pose(model->skeleton);
      std::vector<Transform> local(model->skeleton.rest_pose().size());
      std::vector<Mat3x4> runtime_model(local.size());
      for (std::size_t s = 0; s < expected["times"].size(); ++s) {
        const float t = expected["times"][s].get<float>();
        const Reference at{expected["positions"][s], expected["rotations"][s],
                           expected["scales"][s]};
        const std::string place = raw.name + " at " + std::to_string(t);
        sample(raw, model->skeleton, t, local);
        compare(at, expected["nodes"], source, model_of(model->skeleton, local), height, has_skin,
                place, exact);
        sample_clip(*clip, model->skeleton, t, pose);
        local_to_model(model->skeleton, pose, runtime_model);
        compare(at, expected["nodes"], source, runtime_model, height, has_skin, place, runtime);
        compare_morphs(expected["morphs"], source, *model, raw, s, t);
      }
    }
    std::printf(
        "%-55s rest %.1e  keys %.1e  clip %.1e of the height; rotation %.1e, %.1e rad; "
        "scale %.1e, %.1e\n",
        name.c_str(), static_cast<double>(rest.position), static_cast<double>(exact.position),
        static_cast<double>(runtime.position), static_cast<double>(exact.rotation),
        static_cast<double>(runtime.rotation), static_cast<double>(exact.scale),
        static_cast<double>(runtime.scale));
    EXPECT_LE(rest.position, kTolerance) << rest.place;
    EXPECT_LE(exact.position, kTolerance) << exact.place;
    EXPECT_LE(runtime.position, kTolerance) << runtime.place;
    EXPECT_LE(exact.rotation, 1e-3f);
    EXPECT_LE(exact.scale, 1e-3f);
  }
  EXPECT_GE(files, 29);
  EXPECT_GE(clips, 290);
}

}  // namespace
}  // namespace sinew
