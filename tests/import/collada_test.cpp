#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <sinew/import/collada.hpp>

#include "../../src/import/worker_process.hpp"
#include "../../src/import/worker_scene.hpp"
#include "mocap_testing.hpp"
#include "worker_testing.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::data_path;
using testing::expect_near;

WorkerScene small_scene() {
  WorkerScene scene;
  scene.nodes.push_back({"Root", -1, false, {}});
  scene.nodes.push_back({"Bone", 0, true, {}});
  scene.materials.push_back({"Red", {1, 0, 0, 1}});
  WorkerMesh mesh;
  mesh.name = "Body";
  mesh.node = 0;
  mesh.material = 0;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.indices = {0, 1, 2};
  mesh.bones.push_back({1, {}, {0, 2}, {0.5f, 1}});
  scene.meshes.push_back(mesh);
  WorkerClip clip;
  clip.name = "Walk";
  clip.duration = 2;
  clip.channels.push_back({1, {0, 2}, {0}, {}, {{0, 0, 0}, {0, 2, 0}}, {}, {{}}});
  scene.clips.push_back(clip);
  return scene;
}

TEST(WorkerScene, SurvivesTheWay) {
  const Result<WorkerScene> back = decode_worker_scene(encode(small_scene()));
  ASSERT_TRUE(back.ok()) << to_string(back.error());
  EXPECT_EQ(back->nodes[1].name, "Bone");
  EXPECT_EQ(back->nodes[1].parent, 0);
  EXPECT_EQ(back->meshes[0].indices, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(back->meshes[0].bones[0].weights, (std::vector<float>{0.5f, 1}));
  EXPECT_EQ(back->clips[0].channels[0].translation_times, (std::vector<double>{0, 2}));
  EXPECT_EQ(encode(*back), encode(small_scene()));
}

TEST(WorkerScene, ErrorsOfTheWorkerComeThrough) {
  const Result<WorkerScene> error = decode_worker_scene(encode_worker_error("bad\nthing"));
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(error.error().message, "bad thing");
  EXPECT_EQ(decode_worker_scene(encode_worker_error("bad", "line 3")).error().where, "line 3");
}

TEST(WorkerScene, EveryDamageIsFoundOrHarmless) {
  const std::string good = encode(small_scene());
  for (std::size_t i = 0; i < good.size(); ++i)
    EXPECT_FALSE(decode_worker_scene(good.substr(0, i)).ok());
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char v : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string damaged = good;
      damaged[i] = v;
      const Result<WorkerScene> scene = decode_worker_scene(damaged);
      if (!scene.ok()) {
        ++refused;
        continue;
      }
      for (const WorkerMesh& mesh : scene->meshes) {
        for (const std::uint32_t index : mesh.indices) EXPECT_LT(index, mesh.positions.size());
      }
    }
  }
  EXPECT_GT(refused, 200);
}

TEST(WorkerScene, IndicesAndNumbersAreChecked) {
  const auto refused = [](auto change) {
    WorkerScene scene = small_scene();
    change(scene);
    return !decode_worker_scene(encode(scene)).ok();
  };
  EXPECT_TRUE(refused([](WorkerScene& s) { s.nodes[1].parent = 1; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.nodes[1].parent = -2; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].indices[0] = 3; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].indices.pop_back(); }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].normals.pop_back(); }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].material = 1; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].bones[0].vertices[0] = 9; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.meshes[0].positions[0].x = HUGE_VALF; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.clips[0].duration = -1; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.clips[0].channels[0].node = 2; }));
  EXPECT_TRUE(refused([](WorkerScene& s) { s.clips[0].channels[0].translations.pop_back(); }));
}

// A worker that does what the script says.
std::string script(const char* name, const std::string& body) {
  const fs::path path = fs::path(::testing::TempDir()) / (std::string("sinew_worker_") + name);
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

TEST(WorkerProcess, EveryEndIsAnError) {
  WorkerLimits limits;
  limits.answer_bytes = 1000;
  const auto code_of = [&](const std::string& worker) {
    const Result<std::string> answer = run_worker(worker, {"collada", "file.dae"}, limits);
    return answer.ok() ? std::string("answer: ") + *answer
                       : std::string(to_string(answer.error().code));
  };
  EXPECT_EQ(code_of(script("echo", "echo $2")), "answer: file.dae\n");
  EXPECT_EQ(code_of(script("quiet", "exit 3")), "answer: ");
  EXPECT_EQ(code_of(script("crash", "kill -SEGV $$")), "malformed");
  EXPECT_EQ(code_of(script("cpu", "kill -XCPU $$")), "limit");
  EXPECT_EQ(code_of(script("flood", "yes")), "limit");
  EXPECT_EQ(code_of("no/such/program"), "not_found");
  limits.seconds = 0.2;
  EXPECT_EQ(code_of(script("hang", "exec sleep 100")), "limit");
}

TEST(WorkerProcess, IsLookedForWhereItIsGiven) {
  EXPECT_EQ(find_worker("no/such/worker").error().code, ErrorCode::kNotFound);
  const std::string path = script("found", "exit 0");
  EXPECT_EQ(*find_worker(path), path);
}

ColladaOptions with_worker() {
  ColladaOptions options;
  options.worker = SINEW_IMPORT_WORKER_PATH;
  return options;
}

TEST(Collada, FilesThatCannotBeRead) {
  SINEW_SKIP_WITHOUT_WORKER();
  EXPECT_EQ(load_collada("no/such.dae", with_worker()).error().code, ErrorCode::kNotFound);
  const fs::path path = fs::path(::testing::TempDir()) / "sinew_broken.dae";
  std::ofstream(path) << "<COLLADA><asset></COLLADA>";
  const Result<Model> broken = load_collada(path.string(), with_worker());
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::kMalformed);
  EXPECT_NE(broken.error().where.find("sinew_broken.dae"), std::string::npos);
  ColladaOptions options;
  options.worker = "no/such/worker";
  EXPECT_EQ(load_collada(path.string(), options).error().code, ErrorCode::kNotFound);
  options.seconds = -1;
  EXPECT_EQ(load_collada(path.string(), options).error().code, ErrorCode::kInvalidArgument);
}

TEST(Collada, ErrorsNameLineAndColumn) {
  SINEW_SKIP_WITHOUT_WORKER();
  const std::string head = "<?xml version=\"1.0\"?>\n<!-- a > b -->\n<COLLADA version=\"1.4.1\">\n";
  const std::string mesh =
      head + "<library_geometries><geometry id=\"a\"><mesh><source id=\"s\">\n";
  const std::string ends = "</source></mesh></geometry></library_geometries></COLLADA>";
  const struct {
    std::string text;
    const char* place;
    const char* message;
  } table[] = {
      {"", "line 1", "is empty"},
      {"nonsense", "line 1, column 1", "text outside of all elements"},
      {head + "<asset></COLLADA>", "line 4, column 8", "<asset> is closed by </COLLADA>"},
      {head + "<asset>\n", "line 4, column 1", "<asset> is not closed"},
      {head + "<asset", "line 4, column 1", "the tag does not end"},
      {head + "</COLLADA></COLLADA>", "line 4, column 11", "</COLLADA> closes nothing"},
      {head + "<asset a=b/></COLLADA>", "line 4, column 10", "must stand in quotes"},
      {head + "<asset a=\"b/></COLLADA>", "line 4, column 10", "the quotes do not end"},
      {mesh + "<float_array id=\"x\" count=\"3\">1 2 z</float_array>" + ends, "line 5, column 35",
       "holds 'z', which is no finite number"},
      {mesh + "<float_array id=\"x\" count=\"3\">1 2\nnan</float_array>" + ends, "line 6, column 1",
       "holds 'nan'"},
      {mesh + "<float_array id=\"x\" count=\"3\">1 2,5 3</float_array>" + ends, "line 5, column 33",
       "holds '2,5'"},
  };
  const fs::path path = fs::path(::testing::TempDir()) / "sinew_faulty.dae";
  for (const auto& c : table) {
    SCOPED_TRACE(c.text);
    std::ofstream(path) << c.text;
    const Result<Model> model = load_collada(path.string(), with_worker());
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(model.error().where, path.string() + ": " + c.place) << model.error().message;
    EXPECT_NE(model.error().message.find(c.message), std::string::npos) << model.error().message;
  }
}

TEST(DataCollada, EveryFileOpens) {
  SINEW_SKIP_WITHOUT_DATA();
  SINEW_SKIP_WITHOUT_WORKER();
  using Clips = std::vector<std::pair<std::string, double>>;
  struct Case {
    const char* file;
    int joints;
    Clips clips;
    std::size_t skins;
    const char* a_joint;
  };
  for (const Case& c : {Case{"collada/magnum/skin.dae", 4, {}, 2, "Node_2"},
                        Case{"collada/magnum/exported-animation.dae",
                             3,
                             {{"combinedAnim_0", 7.5}},
                             0,
                             "Rotating cube"},
                        Case{"collada/assimp/anims_with_full_rotations_between_keys.DAE",
                             128,
                             {{"animation", 11.9667}},
                             0,
                             "Box064"},
                        Case{"collada/assimp/library_animation_clips.dae",
                             5,
                             {{"bend", 0.58333}, {"turn", 0.83333}},
                             1,
                             "Bone.004"}}) {
    SCOPED_TRACE(c.file);
    const Result<Model> model = load_collada(data_path(c.file), with_worker());
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_EQ(model->skeleton.joint_count(), c.joints);
    EXPECT_TRUE(model->skeleton.find(c.a_joint));
    EXPECT_EQ(model->skins.size(), c.skins);
    EXPECT_GT(model->meshes.size(), 0u);
    ASSERT_EQ(model->clips.size(), c.clips.size());
    for (std::size_t i = 0; i < c.clips.size(); ++i) {
      EXPECT_EQ(model->clips[i].name, c.clips[i].first);
      EXPECT_NEAR(model->clips[i].duration, c.clips[i].second, 1e-3);
      EXPECT_GT(model->clips[i].tracks.size(), 0u);
    }
  }
}

// Two keys of 1080 and 1440 degrees: a whole turn lies between them, which slerp cannot hold.
TEST(DataCollada, WholeTurnsBetweenKeys) {
  SINEW_SKIP_WITHOUT_DATA();
  SINEW_SKIP_WITHOUT_WORKER();
  const Result<Model> model = load_collada(
      data_path("collada/assimp/anims_with_full_rotations_between_keys.DAE"), with_worker());
  ASSERT_TRUE(model.ok()) << to_string(model.error());
  const JointTrack* track = testing::track_of(model->clips.at(0), *model->skeleton.find("Box001"));
  ASSERT_NE(track, nullptr);
  float angle = 0;
  for (std::size_t i = 1; i < track->rotation.values.size(); ++i) {
    angle += angle_between(track->rotation.values[i - 1], track->rotation.values[i]);
  }
  EXPECT_NEAR(angle, kTwoPi, 1e-3);
}

// The file's Z axis points up, its unit is the metre: the bones stand on each other along +Y.
TEST(DataCollada, SkinFitsItsSkeleton) {
  SINEW_SKIP_WITHOUT_DATA();
  SINEW_SKIP_WITHOUT_WORKER();
  const Result<Model> model =
      load_collada(data_path("collada/assimp/library_animation_clips.dae"), with_worker());
  ASSERT_TRUE(model.ok()) << to_string(model.error());
  EXPECT_FALSE(model->skeleton.has_rest_scale());
  const Skin& skin = model->skins.at(0);
  const Mesh& mesh = model->meshes.at(0);
  // All bones of a vertex put it in one place at rest, which is the bind pose here.
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const float weights[4] = {mesh.weights[v].x, mesh.weights[v].y, mesh.weights[v].z,
                              mesh.weights[v].w};
    Vec3 first;
    for (std::size_t k = 0; k < 4; ++k) {
      if (weights[k] == 0) continue;
      const std::size_t joint = mesh.joints[v][k];
      const Mat3x4 m =
          model->skeleton.rest_model()[static_cast<std::size_t>(skin.joints.at(joint))] *
          skin.inverse_bind[joint];
      const Vec3 p = transform_point(m, mesh.positions[v]);
      if (k == 0) first = p;
      expect_near(p, first, 1e-4f);
    }
  }
}

}  // namespace
}  // namespace sinew
