// Meshes, materials and images.
#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

using sinew::testing::error_of;
using sinew::testing::GltfBuilder;
using sinew::testing::has_finding;
using sinew::testing::Json;

// A red pixel, and a green one that is half transparent.
const char* const kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+"
    "KAAAAD0lEQVR4nGP4z8DwHwgbABB5A359Y87XAAAAAElFTkSuQmCC";

struct OneMesh {
  GltfBuilder file;
  OneMesh() {
    const int positions = file.accessor<float>("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
    file.json["meshes"] = {
        {{"name", "m"}, {"primitives", {{{"attributes", {{"POSITION", positions}}}}}}}};
    file.node({{"name", "n"}, {"mesh", 0}});
  }
  Json& primitive() { return file.json["meshes"][0]["primitives"][0]; }
};

TEST(GltfMesh, StripsAndFansBecomeTriangles) {
  const auto indices = [](int mode) {
    OneMesh m;
    m.primitive()["mode"] = mode;
    const Result<Model> model = m.file.parse();
    EXPECT_TRUE(model.ok()) << error_of(model);
    return model->meshes.empty() ? std::vector<std::uint32_t>{} : model->meshes[0].indices;
  };
  EXPECT_EQ(indices(4), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(indices(5), (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 3}));
  EXPECT_EQ(indices(6), (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_TRUE(indices(1).empty());
}

TEST(GltfMesh, IndicesStayInsideTheVertices) {
  OneMesh m;
  m.primitive()["indices"] = m.file.accessor<std::uint8_t>("SCALAR", {0, 1, 4});
  EXPECT_EQ(error_of(m.file.parse()),
            "test.gltf: mesh 0 'm': primitive 0: indices: element 2 is vertex 4, but there are 4");
  m.primitive()["indices"] = m.file.accessor<std::uint32_t>("SCALAR", {3, 1, 2});
  EXPECT_EQ(error_of(m.file.parse()), "");
  m.primitive()["attributes"]["NORMAL"] = m.file.accessor<float>("VEC3", {0, 0, 1});
  EXPECT_EQ(error_of(m.file.parse()),
            "test.gltf: mesh 0 'm': primitive 0: NORMAL has 1 elements, but POSITION has 4");
  gltf::Options options;
  options.meshes = false;
  EXPECT_EQ(error_of(m.file.parse(options)), "");
}

TEST(GltfMesh, QuantizedVerticesAreRead) {
  OneMesh m;
  m.file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  m.primitive()["attributes"] = {
      {"POSITION", m.file.accessor<std::int16_t>("VEC3", {0, 0, 0, 100, 0, 0, 0, -100, 0})},
      {"NORMAL", m.file.accessor<std::int8_t>("VEC3", {0, 0, 127, 0, 127, 0, 127, 0, 0}, true)},
      {"TEXCOORD_0", m.file.accessor<std::uint16_t>("VEC2", {0, 0, 65535, 0, 0, 65535}, true)},
      {"COLOR_0", m.file.accessor<std::uint8_t>("VEC3", {255, 0, 0, 0, 255, 0, 0, 0, 51}, true)}};
  m.file.json["nodes"][0]["scale"] = {0.01, 0.01, 0.01};
  const Result<Model> model = m.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Mesh& mesh = model->meshes.at(0);
  EXPECT_EQ(mesh.positions[2], (Vec3{0, -100, 0}));
  EXPECT_EQ(mesh.normals[1], kAxisY);
  EXPECT_EQ(mesh.uvs[1], (Vec2{1, 0}));
  EXPECT_EQ(mesh.colors[2], (Vec4{0, 0, 0.2f, 1}));
}

// Two joints, and influences per vertex as given.
OneMesh skinned(const std::vector<std::uint8_t>& joints, const std::vector<float>& weights) {
  OneMesh m;
  m.file.node({{"name", "a"}});
  m.file.node({{"name", "b"}});
  m.file.json["skins"] = {{{"joints", {1, 2}}}};
  m.file.json["nodes"][0]["skin"] = 0;
  m.primitive()["attributes"]["JOINTS_0"] = m.file.accessor<std::uint8_t>("VEC4", joints);
  m.primitive()["attributes"]["WEIGHTS_0"] = m.file.accessor<float>("VEC4", weights);
  return m;
}

TEST(GltfMesh, WeightsSumToOneAndUnusedJointsDoNotMatter) {
  OneMesh m = skinned({0, 1, 9, 9, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0},
                      {1, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
  const Result<Model> model = m.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Mesh& mesh = model->meshes.at(0);
  EXPECT_EQ(mesh.skin, 0);
  EXPECT_EQ(mesh.joint, kNoJoint);
  EXPECT_EQ(mesh.weights[0], (Vec4{0.75f, 0.25f, 0, 0}));
  EXPECT_EQ(mesh.joints[0][0], 1);
  EXPECT_EQ(mesh.weights[1], (Vec4{1, 0, 0, 0}));
  EXPECT_EQ(mesh.weights[2], (Vec4{1, 0, 0, 0}));
  EXPECT_TRUE(has_finding(*model, "gltf.no_weights"));
}

TEST(GltfMesh, OfManyInfluencesTheStrongestFourStay) {
  OneMesh m = skinned(std::vector<std::uint8_t>(16, 0), std::vector<float>(16, 0.1f));
  m.primitive()["attributes"]["JOINTS_1"] =
      m.file.accessor<std::uint8_t>("VEC4", std::vector<std::uint8_t>(16, 1));
  std::vector<float> weights(16, 0.0f);
  weights[0] = 0.5f;
  m.primitive()["attributes"]["WEIGHTS_1"] = m.file.accessor<float>("VEC4", weights);
  const Result<Model> model = m.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Mesh& mesh = model->meshes.at(0);
  EXPECT_EQ(mesh.joints[0], (std::array<std::uint16_t, 4>{1, 0, 0, 0}));
  EXPECT_NEAR(mesh.weights[0].x, 0.625f, 1e-6f);
  EXPECT_NEAR(mesh.weights[0].w, 0.125f, 1e-6f);
  EXPECT_TRUE(has_finding(*model, "gltf.many_influences"));
}

TEST(GltfMesh, MaterialsMoveTextureCoordinates) {
  OneMesh m;
  m.primitive()["attributes"]["TEXCOORD_1"] =
      m.file.accessor<float>("VEC2", {0, 0, 1, 0, 0, 1, 1, 1});
  m.primitive()["material"] = 0;
  m.file.json["textures"] = {{{"source", 0}}};
  m.file.json["images"] = {
      {{"name", "red"}, {"uri", std::string("data:image/png;base64,") + kPng}}};
  m.file.json["materials"] = {
      {{"name", "skin"},
       {"doubleSided", true},
       {"alphaMode", "MASK"},
       {"alphaCutoff", 0.25},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.5, 1, 1, 1}},
         {"baseColorTexture",
          {{"index", 0},
           {"extensions",
            {{"KHR_texture_transform",
              {{"offset", {0.5, 0}}, {"scale", {2, 1}}, {"texCoord", 1}}}}}}}}}}};
  const Result<Model> model = m.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  const Material& material = model->materials.at(0);
  EXPECT_EQ(material.name, "skin");
  EXPECT_TRUE(material.double_sided);
  EXPECT_EQ(material.alpha, Material::Alpha::kMask);
  EXPECT_FLOAT_EQ(material.alpha_cutoff, 0.25f);
  EXPECT_EQ(material.base_color, (Vec4{0.5f, 1, 1, 1}));
  EXPECT_EQ(model->meshes.at(0).uvs.at(3), (Vec2{2.5f, 1}));
  ASSERT_EQ(material.base_color_image, 0);
  const Image& image = model->images.at(0);
  EXPECT_EQ(image.name, "red");
  EXPECT_EQ(image.width, 2);
  EXPECT_EQ(image.height, 1);
  EXPECT_EQ(image.rgba, (std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 128}));
}

TEST(GltfMesh, ImagesThatCannotBeHadAreLeftOut) {
  const auto finding = [](const Json& image, const gltf::Options& options = {}) {
    OneMesh m;
    m.primitive()["material"] = 0;
    m.file.json["textures"] = {{{"source", 0}}};
    m.file.json["images"] = Json::array({image});
    m.file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    const Result<Model> model = m.file.parse(options);
    EXPECT_TRUE(model.ok()) << error_of(model);
    if (!model.ok() || model->findings.empty()) return std::string();
    EXPECT_EQ(model->materials.at(0).base_color_image, -1);
    EXPECT_EQ(model->findings[0].place, "image 0");
    return model->findings[0].message;
  };
  EXPECT_NE(finding({{"uri", "a.png"}}).find("the folder is not known"), std::string::npos);
  EXPECT_NE(finding({{"uri", "data:;base64,AAAA"}}).find("not a readable PNG or JPEG"),
            std::string::npos);
  const std::string png = std::string("data:image/png;base64,") + kPng;
  EXPECT_NE(finding({{"uri", png.substr(0, 90)}}).find("not a readable PNG"), std::string::npos);
  gltf::Options options;
  options.max_image_side = 0;
  EXPECT_NE(finding({{"uri", png}}, options).find("2 x 1 pixels; the limit is 0"),
            std::string::npos);
  options = {};
  options.images = false;
  EXPECT_EQ(finding({{"uri", "a.png"}}, options), "");
}

// A PNG of 2 x 1 pixels whose stream unpacks to `size` bytes, as blocks of stored bytes. (The
// reader does not look at check sums.)
std::vector<std::uint8_t> stored_png(std::size_t size) {
  std::vector<std::uint8_t> out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  const auto u32 = [](std::vector<std::uint8_t>& to, std::size_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      to.push_back(static_cast<std::uint8_t>((value >> shift) & 255u));
    }
  };
  const auto chunk = [&](const char* name, const std::vector<std::uint8_t>& body) {
    u32(out, body.size());
    out.insert(out.end(), name, name + 4);
    out.insert(out.end(), body.begin(), body.end());
    u32(out, 0);
  };
  chunk("IHDR", {0, 0, 0, 2, 0, 0, 0, 1, 8, 6, 0, 0, 0});
  std::vector<std::uint8_t> stream = {0x78, 0x01};
  while (size > 0) {
    const std::size_t block = std::min<std::size_t>(size, 65535);
    size -= block;
    const auto low = static_cast<std::uint8_t>(block & 255u);
    const auto high = static_cast<std::uint8_t>(block >> 8);
    const std::uint8_t head[] = {static_cast<std::uint8_t>(size == 0 ? 1 : 0), low, high,
                                 static_cast<std::uint8_t>(255 - low),
                                 static_cast<std::uint8_t>(255 - high)};
    stream.insert(stream.end(), std::begin(head), std::end(head));
    stream.resize(stream.size() + block);
  }
  chunk("IDAT", stream);
  chunk("IEND", {});
  return out;
}

TEST(GltfMesh, ImagesThatUnpackToFarMoreThanTheirPixelsAreLeftOut) {
  const auto images = [](std::size_t size) {
    OneMesh m;
    m.primitive()["material"] = 0;
    m.file.json["textures"] = {{{"source", 0}}};
    m.file.json["images"] = {
        {{"bufferView", m.file.view(stored_png(size))}, {"mimeType", "image/png"}}};
    m.file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
    const Result<Model> model = m.file.parse();
    EXPECT_TRUE(model.ok()) << error_of(model);
    return model.ok() ? model->images.size() : 99;
  };
  EXPECT_EQ(images(9), 1u);  // a filter byte and two pixels
  EXPECT_EQ(images(std::size_t{3} << 20), 0u);
}

TEST(GltfMesh, OnlyTheShownSceneHasMeshes) {
  OneMesh m;
  m.file.node({{"name", "other"}, {"mesh", 0}});
  m.file.json["scenes"] = {{{"nodes", {0}}}, {{"nodes", {1}}}};
  m.file.json["scene"] = 1;
  const Result<Model> model = m.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  ASSERT_EQ(model->meshes.size(), 1u);
  EXPECT_EQ(model->meshes[0].name, "other");
  m.file.json["scene"] = 2;
  EXPECT_EQ(error_of(m.file.parse()), "test.gltf: 'scene' refers to 2, but there are 2");
}

TEST(GltfMesh, InstancesCountAgainstTheLimit) {
  OneMesh m;
  for (int i = 0; i < 1000; ++i) m.file.node({{"mesh", 0}});
  gltf::Options options;
  options.max_decoded_bytes = 20000;
  const Result<Model> model = m.file.parse(options);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace sinew
