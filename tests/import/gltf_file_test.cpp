// The file around the data: GLB, JSON, buffers beside it and in it, versions and extensions.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <sinew/import/import.hpp>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using sinew::testing::error_of;
using sinew::testing::GltfBuilder;
using sinew::testing::has_finding;
using sinew::testing::Json;

GltfBuilder one_clip() {
  GltfBuilder file;
  const int node = file.node({{"name", "a"}});
  const int input = file.accessor<float>("SCALAR", {0, 1});
  file.channel(0, node, "translation", input, file.accessor<float>("VEC3", {0, 0, 0, 1, 2, 3}));
  return file;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A folder with "rig folder/" inside, removed at the end.
class GltfFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() /
            ("sinew_gltf_" +
             std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(root_);
    fs::create_directories(root_ / "inside" / "rig folder");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(root_ / path, std::ios::binary) << bytes;
  }
  // Writes inside/a.gltf whose buffer lies at `uri`, and reads it.
  std::string read_with_buffer(const std::string& uri, const gltf::Options& options = {}) {
    GltfBuilder file = one_clip();
    file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", uri}}};
    write("inside/a.gltf", file.text());
    const std::string path = (root_ / "inside/a.gltf").string();
    const Result<Model> model = gltf::load(path, options);
    if (model.ok())
      return model->clips.at(0).tracks.at(0).translation.values.at(1).z == 3 ? "" : "?";
    EXPECT_TRUE(model.error().where.starts_with(path + ": ")) << model.error().where;
    return model.error().message;
  }

  fs::path root_;
};

TEST_F(GltfFolder, BuffersBesideTheFileAreFoundThroughPercentEncoding) {
  write("inside/rig folder/b#1.bin", one_clip().bytes);
  EXPECT_EQ(read_with_buffer("rig%20folder/b%231.bin"), "");
  EXPECT_EQ(read_with_buffer("./rig%20folder/../rig%20folder/b%231.bin"), "");
  EXPECT_TRUE(contains(read_with_buffer("rig%2"), "not followed by two hexadecimal digits"));
  EXPECT_TRUE(contains(read_with_buffer("missing.bin"), "'missing.bin' there is no such file"));
  EXPECT_TRUE(contains(read_with_buffer("rig%20folder"), "is not a file"));
}

TEST_F(GltfFolder, NoPathLeavesTheFolder) {
  write("outside.bin", one_clip().bytes);
  const std::string outside = (root_ / "outside.bin").string();
  fs::create_symlink("../outside.bin", root_ / "inside" / "link.bin");
  fs::create_directory_symlink("..", root_ / "inside" / "up");
  for (const std::string& uri : {std::string("../outside.bin"), std::string("%2e%2e/outside.bin"),
                                 std::string("rig%20folder/../../outside.bin"),
                                 std::string("link.bin"), std::string("up/outside.bin")}) {
    EXPECT_TRUE(contains(read_with_buffer(uri), "leaves the folder")) << uri;
  }
  for (const std::string& uri : {outside, "file://" + outside, std::string("http://host/b.bin"),
                                 std::string("..\\outside.bin"), std::string("C:/b.bin"),
                                 std::string("%2F") + outside.substr(1)}) {
    EXPECT_TRUE(contains(read_with_buffer(uri), "is not a relative path")) << uri;
  }
  EXPECT_TRUE(contains(read_with_buffer("a%00.bin"), "zero byte"));
}

TEST_F(GltfFolder, FilesHaveALimit) {
  write("inside/b.bin", one_clip().bytes + std::string(5000, 'x'));
  EXPECT_EQ(read_with_buffer("b.bin"), "");
  gltf::Options options;
  options.max_file_bytes = 4000;
  EXPECT_TRUE(contains(read_with_buffer("b.bin", options), "the limit is 4000"));
  write("inside/b.bin", one_clip().bytes.substr(0, 20));
  EXPECT_TRUE(contains(read_with_buffer("b.bin"), "'byteLength' is 32, but the data has 20 bytes"));
}

TEST_F(GltfFolder, TheRegistryGoesByContentAndExtension) {
  write("inside/a.GLTF", one_clip().text());
  write("inside/b.dat", one_clip().glb());
  write("inside/c.xyz", "hello");
  EXPECT_TRUE(import_model((root_ / "inside/a.GLTF").string()).ok());
  EXPECT_TRUE(import_model((root_ / "inside/b.dat").string()).ok());
  const std::string unknown = (root_ / "inside/c.xyz").string();
  const Result<Model> model = import_model(unknown);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(model.error().where, unknown);
  EXPECT_TRUE(contains(model.error().message, "glTF 2.0 (.gltf .glb .vrm)"));
  EXPECT_EQ(import_model((root_ / "no.glb").string()).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(import_model((root_ / "inside").string()).error().code, ErrorCode::kUnreadable);
}

TEST(GltfFile, AGlbHoldsItsBuffer) {
  const Result<Model> model = GltfBuilder::parse_text(one_clip().glb(), {}, "", "folder/a.glb");
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(model->name, "a.glb");
  EXPECT_EQ(model->clips[0].tracks[0].translation.values[1], (Vec3{1, 2, 3}));
}

TEST(GltfFile, EveryTruncationOfAGlbIsAnError) {
  const std::string whole = one_clip().glb();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Result<Model> model = GltfBuilder::parse_text(whole.substr(0, size), {}, "", "a.glb");
    ASSERT_FALSE(model.ok()) << size;
    EXPECT_TRUE(model.error().where.starts_with("a.glb")) << model.error().where;
  }
}

TEST(GltfFile, EveryTruncationOfTextIsAnErrorWithItsLine) {
  const std::string whole = one_clip().text();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string error = error_of(GltfBuilder::parse_text(whole.substr(0, size)));
    ASSERT_NE(error, "") << size;
    EXPECT_TRUE(contains(error, size == 0 ? "is empty" : "not valid JSON: line 1, column "));
  }
  EXPECT_TRUE(contains(error_of(GltfBuilder::parse_text("{\n\"a\": 1,\n  oops}")),
                       "not valid JSON: line 3, column 3"));
}

TEST(GltfFile, EmbeddedBuffersAreDecoded) {
  const auto with_uri = [](const std::string& uri) {
    GltfBuilder file = one_clip();
    file.json["buffers"] = {{{"byteLength", file.bytes.size()}, {"uri", uri}}};
    return error_of(file.parse());
  };
  const std::string base64 = sinew::testing::to_base64(one_clip().bytes);
  EXPECT_EQ(with_uri("data:application/octet-stream;base64," + base64), "");
  EXPECT_EQ(with_uri("data:;base64," + base64.substr(0, base64.find('='))), "");
  EXPECT_TRUE(contains(with_uri("data:;base64," + base64.substr(0, 41)), "ends early"));
  EXPECT_TRUE(contains(with_uri("data:;base64," + base64.substr(0, 40)),
                       "'byteLength' is 32, but the data has 30 bytes"));
  EXPECT_TRUE(contains(with_uri("data:;base64,AA*A" + base64), "letter 2 of the base64 text"));
  EXPECT_TRUE(contains(with_uri("data:;base64"), "no comma"));
  std::string percent = "data:,";
  for (char c : one_clip().bytes) {
    char hex[4];
    std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    percent += hex;
  }
  EXPECT_EQ(with_uri(percent), "");
  EXPECT_TRUE(contains(with_uri("b.bin"), "the folder is not known"));
}

TEST(GltfFile, HostileJsonIsRefused) {
  const std::string deep(100000, '[');
  const Result<Model> model = GltfBuilder::parse_text(deep);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(contains(model.error().message, "nested deeper than 64"));
  EXPECT_TRUE(contains(error_of(GltfBuilder::parse_text("[]")), "not an object"));
  EXPECT_TRUE(contains(error_of(GltfBuilder::parse_text("{\"asset\": 3}")), "not an object"));
  EXPECT_TRUE(
      contains(error_of(GltfBuilder::parse_text("{\"asset\":{\"version\":\"2.0\"},\"nodes\":{}}")),
               "'nodes' is not an array"));
  EXPECT_TRUE(
      contains(error_of(GltfBuilder::parse_text("{\"asset\":{\"version\":\"2.0\"},\"nodes\":[1]}")),
               "node 0: is not an object"));
}

TEST(GltfFile, OtherVersionsAndRequiredExtensionsAreUnsupported) {
  GltfBuilder file = one_clip();
  file.json["asset"]["version"] = "1.0";
  EXPECT_EQ(error_of(file.parse()), "test.gltf: asset: glTF version 1.0; only version 2.0 is read");
  file.json["asset"]["version"] = "2.0";
  file.json["extensionsUsed"] = {"EXT_of_nobody"};
  EXPECT_EQ(error_of(file.parse()), "");
  file.json["extensionsRequired"] = {"KHR_texture_transform", "KHR_materials_unlit",
                                     "KHR_mesh_quantization", "VRMC_vrm"};
  EXPECT_EQ(error_of(file.parse()), "");
  file.json["extensionsRequired"].push_back("EXT_of_nobody");
  EXPECT_EQ(error_of(file.parse()),
            "test.gltf: extensionsRequired: the file needs the extension 'EXT_of_nobody', which is "
            "not supported");
}

TEST(GltfFile, NamesInMessagesAreMadePrintable) {
  GltfBuilder file = one_clip();
  file.json["animations"][0]["name"] = "a\nb" + std::string(500, 'x');
  file.json["animations"][0]["channels"][0]["sampler"] = 9;
  const std::string error = error_of(file.parse());
  EXPECT_TRUE(contains(error, "'a?bxxx"));
  EXPECT_LT(error.size(), 250u);
}

}  // namespace
}  // namespace sinew
