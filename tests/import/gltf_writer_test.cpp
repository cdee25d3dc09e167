#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/base/hash.hpp>
#include <sinew/import/gltf.hpp>
#include <sinew/import/gltf_writer.hpp>

namespace sinew {
namespace {

using Json = nlohmann::json;

JointDef joint(std::string name, int parent, Vec3 at) {
  JointDef def;
  def.name = std::move(name);
  def.parent = parent;
  def.rest.translation = at;
  return def;
}

Mesh triangle_mesh() {
  Mesh mesh;
  mesh.name = "flag";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uvs = {{0, 0}, {1, 0}, {0, 1}};
  mesh.indices = {0, 1, 2};
  mesh.material = 0;
  return mesh;
}

RawClip annotated_clip() {
  RawClip clip;
  clip.name = "step";
  clip.duration = 1.25f;
  clip.loop = true;
  JointTrack root;
  root.joint = 0;
  root.translation.times = {0, 0.5f, 1};
  root.translation.values = {{0, 0, 0}, {0, 0.1f, 0.4f}, {0, 0, 0.8f}};
  JointTrack arm;
  arm.joint = 1;
  arm.rotation.interpolation = Interpolation::kCubicSpline;
  arm.rotation.times = {0, 1};
  arm.rotation.values = {{}, from_axis_angle(kAxisX, 1)};
  arm.rotation.in_tangents = {{0, 0, 0, 0}, {0.25f, 0, 0, 0}};
  arm.rotation.out_tangents = {{0.5f, 0, 0, 0}, {0, 0, 0, 0}};
  arm.scale.interpolation = Interpolation::kStep;
  arm.scale.times = {0, 0.75f};
  arm.scale.values = {{1, 1, 1}, {1, 2, 1}};
  clip.tracks = {root, arm};
  FloatCurve curve;
  curve.name = "blink";
  curve.default_value = 0.5f;
  curve.keys.times = {0, 0.3f};
  curve.keys.values = {0.1f, 1};
  clip.curves = {curve};
  ClipAnnotations& notes = clip.annotations;
  notes.events = {{0.1f, "footstep", 0.75f, -3, "left"}, {1.25f, "end", 0, 0, ""}};
  notes.contacts = {{JointRole::kLeftFoot, "", 0.9f, 0.2f}, {JointRole::kNone, "tail", 0, 0.3f}};
  notes.sync_markers = {{0, "left"}, {0.6f, "right"}};
  notes.cycle_offset = 0.25f;
  notes.loop_pose = true;
  RootMotionSettings& rm = notes.root_motion;
  rm.joint = 0;
  rm.enabled = true;
  rm.bake_rotation = true;
  rm.bake_y = false;
  rm.bake_xz = true;
  rm.rotation_basis = RootMotionSettings::Basis::kMassCentre;
  rm.y_basis = RootMotionSettings::Basis::kFeet;
  rm.rotation_offset = 0.5f;
  rm.y_offset = -0.25f;
  return clip;
}

// Everything that the writer knows about, in small.
Model sample_model() {
  Model model;
  model.name = "sample";
  model.skeleton = Skeleton::build(std::vector<JointDef>{joint("Hips", kNoJoint, {0, 1, 0}),
                                                         joint("Arm", 0, {0.3f, 0.2f, 0}),
                                                         joint("Hand", 1, {0.4f, 0, 0})})
                       .value();
  model.roles.plan = BodyPlan::kBiped;
  model.roles.set(JointRole::kHips, 0);
  model.roles.set(JointRole::kLeftHand, 2);
  model.clips = {annotated_clip()};
  Skin skin;
  skin.name = "body";
  for (int j = 0; j < 3; ++j) {
    skin.joints.push_back(j);
    skin.inverse_bind.push_back(inverse(model.skeleton.rest_model()[static_cast<std::size_t>(j)]));
  }
  model.skins = {skin};
  Mesh skinned = triangle_mesh();
  skinned.name = "body";
  skinned.skin = 0;
  skinned.joints = {{0, 1, 2, 0}, {1, 2, 0, 0}, {2, 0, 0, 0}};
  skinned.weights = {{0.5f, 0.25f, 0.25f, 0}, {0.75f, 0.25f, 0, 0}, {1, 0, 0, 0}};
  skinned.colors = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 0.5f}};
  skinned.morphs = {{"smile", {{0, 0, 0.1f}, {0, 0, 0}, {0.2f, 0, 0}}, {}}};
  skinned.morph_weights = {0.25f};
  Mesh rigid = triangle_mesh();
  rigid.joint = 2;
  rigid.offset.translation = {0, 0.5f, 0};
  model.meshes = {skinned, rigid};
  Material material;
  material.name = "cloth";
  material.base_color = {0.5f, 0.25f, 1, 1};
  material.base_color_image = 0;
  material.double_sided = true;
  material.alpha = Material::Alpha::kMask;
  material.alpha_cutoff = 0.25f;
  model.materials = {material};
  Image image;
  image.name = "stripes";
  image.width = 2;
  image.height = 2;
  image.rgba = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 8, 7, 6};
  model.images = {image};
  Socket grip{"grip", 2, {}};
  grip.offset.translation = {0.1f, 0, 0.05f};
  model.sockets = {grip};
  return model;
}

Json json_of(std::span<const std::byte> glb) {
  std::uint32_t size = 0;
  std::memcpy(&size, glb.data() + 12, 4);
  const auto* text = reinterpret_cast<const char*>(glb.data()) + 20;
  return Json::parse(text, text + size);
}

Model read_back(const Model& model) {
  const auto bytes = write_glb(model);
  EXPECT_TRUE(bytes.ok()) << (bytes ? "" : to_string(bytes.error()));
  auto again = gltf::parse(*bytes, "sample.glb", "");
  EXPECT_TRUE(again.ok()) << (again ? "" : to_string(again.error()));
  for (const Finding& f : again->findings)
    ADD_FAILURE() << f.code << ": " << f.place << ": " << f.message;
  return std::move(again).value();
}

TEST(GltfWriter, ChunksAreAlignedAndAddUp) {
  const auto bytes = write_glb(sample_model());
  ASSERT_TRUE(bytes.ok());
  const auto u32 = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes->data() + at, 4);
    return value;
  };
  EXPECT_EQ(u32(0), 0x46546c67u);
  EXPECT_EQ(u32(4), 2u);
  EXPECT_EQ(u32(8), bytes->size());
  const std::uint32_t json_size = u32(12);
  EXPECT_EQ(json_size % 4, 0u);
  EXPECT_EQ(u32(16), 0x4e4f534au);
  const std::uint32_t binary_size = u32(20 + json_size);
  EXPECT_EQ(u32(24 + json_size), 0x004e4942u);
  EXPECT_EQ(28 + json_size + binary_size, bytes->size());
  EXPECT_EQ(json_of(*bytes)["buffers"][0]["byteLength"], binary_size);
}

TEST(GltfWriter, TheSameBytesEachTime) {
  EXPECT_EQ(*write_glb(sample_model()), *write_glb(sample_model()));
}

TEST(GltfWriter, JointsComeBackInOrderWithNamesAndRest) {
  const Model model = sample_model(), again = read_back(model);
  ASSERT_EQ(again.skeleton.joint_count(), 3);
  for (int j = 0; j < 3; ++j) {
    EXPECT_EQ(again.skeleton.name(j), model.skeleton.name(j));
    EXPECT_EQ(again.skeleton.parent(j), model.skeleton.parent(j));
    EXPECT_EQ(again.skeleton.rest(j), model.skeleton.rest(j));
  }
  EXPECT_EQ(again.skeleton.hash(), model.skeleton.hash());
  EXPECT_EQ(again.roles.plan, BodyPlan::kBiped);
  EXPECT_EQ(again.roles.joint(JointRole::kHips), 0);
  EXPECT_EQ(again.roles.joint(JointRole::kLeftHand), 2);
  EXPECT_EQ(again.roles.count(), 2);
  ASSERT_EQ(again.sockets.size(), 1u);
  EXPECT_EQ(again.sockets[0].name, "grip");
  EXPECT_EQ(again.sockets[0].joint, 2);
  EXPECT_EQ(again.sockets[0].offset.translation, model.sockets[0].offset.translation);
}

TEST(GltfWriter, KeysComeBackAsAuthored) {
  const RawClip clip = sample_model().clips[0], again = read_back(sample_model()).clips.at(0);
  EXPECT_EQ(again.name, clip.name);
  EXPECT_EQ(again.duration, clip.duration);
  ASSERT_EQ(again.tracks.size(), clip.tracks.size());
  EXPECT_EQ(again.tracks[0].translation.times, clip.tracks[0].translation.times);
  EXPECT_EQ(again.tracks[0].translation.values, clip.tracks[0].translation.values);
  EXPECT_EQ(again.tracks[1].rotation.interpolation, Interpolation::kCubicSpline);
  EXPECT_EQ(again.tracks[1].rotation.out_tangents, clip.tracks[1].rotation.out_tangents);
  EXPECT_EQ(again.tracks[1].rotation.in_tangents, clip.tracks[1].rotation.in_tangents);
  EXPECT_LT(angle_between(again.tracks[1].rotation.values[1], clip.tracks[1].rotation.values[1]),
            1e-6f);
  EXPECT_EQ(again.tracks[1].scale.interpolation, Interpolation::kStep);
  EXPECT_EQ(again.tracks[1].scale.values, clip.tracks[1].scale.values);
}

TEST(GltfWriter, AnnotationsComeBackExactly) {
  const RawClip clip = sample_model().clips[0], again = read_back(sample_model()).clips.at(0);
  EXPECT_TRUE(again.loop);
  const ClipAnnotations &a = clip.annotations, &b = again.annotations;
  ASSERT_EQ(b.events.size(), a.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(b.events[i].time, a.events[i].time);
    EXPECT_EQ(b.events[i].name, a.events[i].name);
    EXPECT_EQ(b.events[i].number, a.events[i].number);
    EXPECT_EQ(b.events[i].integer, a.events[i].integer);
    EXPECT_EQ(b.events[i].text, a.events[i].text);
  }
  ASSERT_EQ(b.contacts.size(), a.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_EQ(b.contacts[i].role, a.contacts[i].role);
    EXPECT_EQ(b.contacts[i].name, a.contacts[i].name);
    EXPECT_EQ(b.contacts[i].start, a.contacts[i].start);
    EXPECT_EQ(b.contacts[i].end, a.contacts[i].end);
  }
  ASSERT_EQ(b.sync_markers.size(), 2u);
  EXPECT_EQ(b.sync_markers[1].time, a.sync_markers[1].time);
  EXPECT_EQ(b.sync_markers[1].name, "right");
  EXPECT_EQ(b.cycle_offset, a.cycle_offset);
  EXPECT_TRUE(b.loop_pose);
  EXPECT_EQ(b.root_motion.joint, 0);
  EXPECT_TRUE(b.root_motion.enabled);
  EXPECT_TRUE(b.root_motion.bake_rotation);
  EXPECT_FALSE(b.root_motion.bake_y);
  EXPECT_TRUE(b.root_motion.bake_xz);
  EXPECT_EQ(b.root_motion.rotation_basis, RootMotionSettings::Basis::kMassCentre);
  EXPECT_EQ(b.root_motion.y_basis, RootMotionSettings::Basis::kFeet);
  EXPECT_EQ(b.root_motion.xz_basis, RootMotionSettings::Basis::kOriginal);
  EXPECT_EQ(b.root_motion.rotation_offset, a.root_motion.rotation_offset);
  EXPECT_EQ(b.root_motion.y_offset, a.root_motion.y_offset);
  ASSERT_EQ(again.curves.size(), 1u);
  EXPECT_EQ(again.curves[0].name, "blink");
  EXPECT_EQ(again.curves[0].default_value, 0.5f);
  EXPECT_EQ(again.curves[0].keys.times, clip.curves[0].keys.times);
  EXPECT_EQ(again.curves[0].keys.values, clip.curves[0].keys.values);
}

TEST(GltfWriter, MeshesAndLooksComeBack) {
  const Model model = sample_model(), again = read_back(model);
  ASSERT_EQ(again.meshes.size(), 2u);
  const Mesh &a = model.meshes[0], &b = again.meshes[0];
  EXPECT_EQ(b.positions, a.positions);
  EXPECT_EQ(b.normals, a.normals);
  EXPECT_EQ(b.colors, a.colors);
  EXPECT_EQ(b.weights, a.weights);
  EXPECT_EQ(b.joints, a.joints);
  EXPECT_EQ(b.indices, a.indices);
  ASSERT_EQ(b.morphs.size(), 1u);
  EXPECT_EQ(b.morphs[0].name, "smile");
  EXPECT_EQ(b.morphs[0].positions, a.morphs[0].positions);
  EXPECT_EQ(b.morph_weights, a.morph_weights);
  EXPECT_EQ(again.meshes[1].joint, 2);
  EXPECT_EQ(again.meshes[1].offset.translation, model.meshes[1].offset.translation);
  EXPECT_EQ(again.skins.at(0).inverse_bind, model.skins[0].inverse_bind);
  const Material& material = again.materials.at(0);
  EXPECT_EQ(material.name, "cloth");
  EXPECT_EQ(material.base_color, model.materials[0].base_color);
  EXPECT_TRUE(material.double_sided);
  EXPECT_EQ(material.alpha, Material::Alpha::kMask);
  EXPECT_EQ(material.alpha_cutoff, 0.25f);
  ASSERT_EQ(material.base_color_image, 0);
  EXPECT_EQ(again.images.at(0).rgba, model.images[0].rgba);
}

TEST(GltfWriter, AClipWithoutKeysIsStillAnAnimation) {
  Model model = sample_model();
  model.clips[0].tracks.clear();
  const auto bytes = write_glb(model);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(json_of(*bytes)["animations"][0]["channels"].size(), 1u);
  EXPECT_EQ(read_back(model).clips.at(0).duration, model.clips[0].duration);
}

TEST(GltfWriter, NamesThatAreNoUtf8DoNotBreakTheFile) {
  Model model = sample_model();
  model.clips[0].name = "\xff\xfe";
  ASSERT_TRUE(write_glb(model).ok());
  EXPECT_NO_THROW(json_of(*write_glb(model)));
}

struct Fault {
  const char* what;
  void (*break_it)(Model&);
  const char* place;
};
const Fault kFaults[] = {
    {"position",
     [](Model& m) { m.meshes[1].positions[2].y = std::numeric_limits<float>::quiet_NaN(); },
     "mesh 1 'flag'"},
    {"index", [](Model& m) { m.meshes[1].indices[0] = 3; }, "mesh 1 'flag'"},
    {"lists", [](Model& m) { m.meshes[0].normals.pop_back(); }, "mesh 0 'body'"},
    {"joint of the skin", [](Model& m) { m.meshes[0].joints[1][2] = 3; }, "mesh 0 'body'"},
    {"skin", [](Model& m) { m.skins[0].inverse_bind.pop_back(); }, "skin 0 'body'"},
    {"material", [](Model& m) { m.meshes[0].material = 1; }, "mesh 0 'body'"},
    {"key", [](Model& m) { m.clips[0].tracks[0].translation.times[1] = 0; }, "animation 0 'step'"},
    {"event",
     [](Model& m) {
       m.clips[0].annotations.events[0].time = std::numeric_limits<float>::infinity();
     },
     "animation 0 'step'"},
    {"image", [](Model& m) { m.images[0].rgba.pop_back(); }, "image 0 'stripes'"},
    {"socket", [](Model& m) { m.sockets[0].joint = 7; }, "socket 'grip'"},
    {"morph", [](Model& m) { m.meshes[0].morphs[0].positions.pop_back(); },
     "mesh 0 'body': morph target 'smile'"},
};

TEST(GltfWriter, FaultsAreErrorsWithTheirPlace) {
  for (const Fault& fault : kFaults) {
    SCOPED_TRACE(fault.what);
    Model model = sample_model();
    fault.break_it(model);
    const auto bytes = write_glb(model);
    ASSERT_FALSE(bytes.ok());
    EXPECT_EQ(bytes.error().where.rfind(fault.place, 0), 0u) << to_string(bytes.error());
  }
}

TEST(GltfWriter, SavingReplacesTheFileAndLeavesNothingBeside) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "sinew_gltf_writer_test";
  std::filesystem::create_directories(folder);
  const std::filesystem::path path = folder / "model.glb";
  std::ofstream(path) << "old";
  ASSERT_TRUE(save_glb(sample_model(), path).ok());
  EXPECT_EQ(std::filesystem::file_size(path), write_glb(sample_model())->size());
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".tmp"));
  // A model that cannot be written leaves the file as it is.
  Model broken = sample_model();
  broken.meshes[0].indices.pop_back();
  EXPECT_FALSE(save_glb(broken, path).ok());
  EXPECT_EQ(std::filesystem::file_size(path), write_glb(sample_model())->size());
  const Status status = save_glb(sample_model(), folder / "missing" / "model.glb");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kUnwritable);
  std::filesystem::remove_all(folder);
}

// Extras may come from anyone.
TEST(GltfExtras, BrokenOnesAreLeftOutWithAWarning) {
  const char* broken[] = {
      R"({"version": 2})",
      R"({"version": 1, "events": [{"time": 99, "name": "late"}]})",
      R"({"version": 1, "events": {}})",
      R"({"version": 1, "events": [3]})",
      R"({"version": 1, "events": [{"time": 0, "integer": 0.5}]})",
      R"({"version": 1, "contacts": [{"role": "left_wing", "start": 0, "end": 1}]})",
      R"({"version": 1, "contacts": [{"start": -1, "end": 1}]})",
      R"({"version": 1, "root_motion": {"node": 1000}})",
      R"({"version": 1, "root_motion": {"y_basis": "moon"}})",
      R"({"version": 1, "curves": [{"name": "x", "times": [0, 0], "values": [1, 2]}]})",
      R"({"version": 1, "curves": [{"name": "x", "times": ["a"], "values": [1]}]})",
      R"({"version": 1, "duration": "long"})",
      R"([])",
  };
  const auto bytes = write_glb(sample_model());
  for (const char* text : broken) {
    SCOPED_TRACE(text);
    Json document = json_of(*bytes);
    document["animations"][0]["extras"]["sinew"] = Json::parse(text);
    // The JSON alone with the buffer inside.
    std::uint32_t json_size = 0;
    std::memcpy(&json_size, bytes->data() + 12, 4);
    std::string json = document.dump();
    while (json.size() % 4 != 0) json += ' ';
    std::vector<std::byte> glb(bytes->begin(), bytes->begin() + 12);
    const auto put = [&](std::uint32_t v) {
      const auto* p = reinterpret_cast<const std::byte*>(&v);
      glb.insert(glb.end(), p, p + 4);
    };
    put(static_cast<std::uint32_t>(json.size()));
    put(0x4e4f534au);
    for (char c : json) glb.push_back(static_cast<std::byte>(c));
    glb.insert(glb.end(), bytes->begin() + 20 + json_size, bytes->end());
    const auto total = static_cast<std::uint32_t>(glb.size());
    std::memcpy(glb.data() + 8, &total, 4);
    const auto model = gltf::parse(glb, "broken.glb", "");
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    ASSERT_EQ(model->findings.size(), 1u);
    EXPECT_EQ(model->findings[0].code, "gltf.extras");
    EXPECT_TRUE(model->clips.at(0).annotations.events.empty());
    EXPECT_EQ(model->clips[0].tracks.size(), 2u);
  }
}

}  // namespace
}  // namespace sinew
