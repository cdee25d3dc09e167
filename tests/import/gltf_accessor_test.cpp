// Numbers out of buffers, and every way in which they can be missing.
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "gltf_builder.hpp"

namespace sinew {
namespace {

using sinew::testing::error_of;
using sinew::testing::GltfBuilder;
using sinew::testing::has_finding;
using sinew::testing::Json;

// One node "a" that a channel turns or moves.
struct OneChannel {
  GltfBuilder file;
  int node = 0;

  OneChannel() { node = file.node({{"name", "a"}}); }
  const JointTrack& track(const Model& model) const { return model.clips.at(0).tracks.at(0); }
};

TEST(GltfAccessor, NormalizedIntegersBecomeRotations) {
  const auto check = [](auto one, float tolerance) {
    using T = decltype(one);
    OneChannel f;
    // A quarter turn about X, and the most negative number, which counts as -1.
    const auto half = static_cast<T>(static_cast<float>(one) * 0.70710678f);
    const T low = std::numeric_limits<T>::is_signed ? std::numeric_limits<T>::min() : T{0};
    const T last = std::numeric_limits<T>::is_signed ? T{0} : one;
    const int input = f.file.accessor<float>("SCALAR", {0, 1});
    const int output = f.file.accessor<T>("VEC4", {half, 0, 0, half, low, 0, 0, last}, true);
    f.file.channel(0, f.node, "rotation", input, output);
    const Result<Model> model = f.file.parse();
    ASSERT_TRUE(model.ok()) << error_of(model);
    const KeyTrack<Quat>& keys = f.track(*model).rotation;
    EXPECT_LT(angle_between(keys.values[0], from_axis_angle(kAxisX, kPi / 2)), tolerance);
    const Quat second = low < T{0} ? Quat{-1, 0, 0, 0} : Quat{};
    EXPECT_LT(angle_between(keys.values[1], second), 1e-3f);
  };
  check(std::int8_t{127}, 1e-2f);
  check(std::uint8_t{255}, 1e-2f);
  check(std::int16_t{32767}, 1e-4f);
  check(std::uint16_t{65535}, 1e-4f);
}

TEST(GltfAccessor, PlainIntegersAreNoRotations) {
  OneChannel f;
  const int input = f.file.accessor<float>("SCALAR", {0});
  f.file.channel(0, f.node, "rotation", input, f.file.accessor<std::int16_t>("VEC4", {0, 0, 0, 1}));
  EXPECT_EQ(
      error_of(f.file.parse()),
      "test.gltf: animation 0 'clip': channel 0: sampler 0: output: accessor 1: it is VEC4 of "
      "SHORT, but VEC4 of FLOAT or normalized BYTE or SHORT is needed");
}

TEST(GltfAccessor, SparseValuesReplaceThoseOfTheBaseOrZeros) {
  for (const bool has_base : {true, false}) {
    OneChannel f;
    const int input = f.file.accessor<float>("SCALAR", {0, 1, 2});
    const int output = f.file.accessor<float>("VEC3", {1, 1, 1, 2, 2, 2, 3, 3, 3});
    Json& accessor = f.file.json["accessors"][static_cast<std::size_t>(output)];
    if (!has_base) accessor.erase("bufferView");
    const int indices = f.file.view<std::uint16_t>({1});
    const int values = f.file.view<float>({7, 8, 9});
    accessor["sparse"] = {{"count", 1},
                          {"indices", {{"bufferView", indices}, {"componentType", 5123}}},
                          {"values", {{"bufferView", values}}}};
    f.file.channel(0, f.node, "translation", input, output);
    const Result<Model> model = f.file.parse();
    ASSERT_TRUE(model.ok()) << error_of(model);
    const KeyTrack<Vec3>& keys = f.track(*model).translation;
    EXPECT_EQ(keys.values[0], (has_base ? Vec3{1, 1, 1} : Vec3{}));
    EXPECT_EQ(keys.values[1], (Vec3{7, 8, 9}));
    EXPECT_EQ(keys.values[2], (has_base ? Vec3{3, 3, 3} : Vec3{}));
  }
}

TEST(GltfAccessor, SparseFaultsAreErrors) {
  const auto with = [](std::uint32_t index, std::size_t count) {
    OneChannel f;
    const int input = f.file.accessor<float>("SCALAR", {0, 1});
    const int output = f.file.accessor<float>("VEC3", {1, 1, 1, 2, 2, 2});
    const int indices = f.file.view<std::uint32_t>({index});
    const int values = f.file.view<float>({7, 8, 9});
    f.file.json["accessors"][1]["sparse"] = {
        {"count", count},
        {"indices", {{"bufferView", indices}, {"componentType", 5125}}},
        {"values", {{"bufferView", values}}}};
    f.file.channel(0, f.node, "translation", input, output);
    return error_of(f.file.parse());
  };
  EXPECT_EQ(with(1, 1), "");
  EXPECT_NE(with(2, 1).find("index 0 is 2; the accessor has 2 elements"), std::string::npos);
  EXPECT_NE(with(1, 3).find("sparse: 'count' is 3"), std::string::npos);
  EXPECT_NE(with(1, 2).find("2 elements of 4 bytes from byte 0 on do not fit"), std::string::npos);
  EXPECT_NE(with(1, 0).find("sparse: 'count' is 0"), std::string::npos);
}

TEST(GltfAccessor, StridesSkipWhatLiesBetween) {
  OneChannel f;
  // Time and value side by side.
  const int view = f.file.view<float>({0, 1, 2, 3, 0.5f, 4, 5, 6});
  f.file.json["bufferViews"][0]["byteStride"] = 16;
  f.file.json["accessors"] = {{{"bufferView", view},
                               {"componentType", 5126},
                               {"count", 2},
                               {"type", "SCALAR"},
                               {"min", {0}},
                               {"max", {0.5}}},
                              {{"bufferView", view},
                               {"byteOffset", 4},
                               {"componentType", 5126},
                               {"count", 2},
                               {"type", "VEC3"}}};
  f.file.channel(0, f.node, "translation", 0, 1);
  const Result<Model> model = f.file.parse();
  ASSERT_TRUE(model.ok()) << error_of(model);
  EXPECT_EQ(f.track(*model).translation.times, (std::vector<float>{0, 0.5f}));
  EXPECT_EQ(f.track(*model).translation.values, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
}

// A translation channel whose output accessor or view is changed by `change`.
std::string error_after(const std::function<void(Json&)>& change) {
  OneChannel f;
  const int input = f.file.accessor<float>("SCALAR", {0, 1});
  const int output = f.file.accessor<float>("VEC3", {1, 1, 1, 2, 2, 2});
  f.file.channel(0, f.node, "translation", input, output);
  change(f.file.json);
  return error_of(f.file.parse());
}

TEST(GltfAccessor, NothingIsReadBeyondTheData) {
  const std::string place =
      "test.gltf: animation 0 'clip': channel 0: sampler 0: output: accessor 1: ";
  EXPECT_EQ(error_after([](Json&) {}), "");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["count"] = 3; }),
            place +
                "3 elements of 12 bytes from byte 0 on do not fit into the 24 bytes of "
                "bufferView 1");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["count"] = 9007199254740992.0; }),
            place +
                "9007199254740992 elements of 12 bytes from byte 0 on do not fit into the 24 "
                "bytes of bufferView 1");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["byteOffset"] = 4; }),
            place +
                "2 elements of 12 bytes from byte 4 on do not fit into the 24 bytes of "
                "bufferView 1");
  EXPECT_EQ(error_after([](Json& j) { j["bufferViews"][1]["byteStride"] = 8; }),
            place + "'byteStride' of bufferView 1 is 8; an element takes 12");
  EXPECT_EQ(error_after([](Json& j) { j["bufferViews"][1]["byteOffset"] = 16; }),
            place + "bufferView 1: bytes 16 to 40 lie outside buffer 0 of 32 bytes");
  EXPECT_EQ(error_after([](Json& j) { j["bufferViews"][1]["buffer"] = 1; }),
            place + "bufferView 1: 'buffer' refers to 1, but there is only 1");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["bufferView"] = -1; }),
            place + "'bufferView' is not an index");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["componentType"] = 5124; }),
            place + "componentType 5124 does not exist");
  EXPECT_EQ(error_after([](Json& j) { j["accessors"][1]["type"] = "VEC5"; }),
            place + "type 'VEC5' does not exist");
}

TEST(GltfAccessor, HugeCountsWithoutDataTakeNoMemory) {
  const std::string error = error_after([](Json& j) {
    for (std::size_t i : {0u, 1u}) {
      j["accessors"][i].erase("bufferView");
      j["accessors"][i]["count"] = 4000000000u;
    }
  });
  EXPECT_NE(error.find("the decoded data takes more than"), std::string::npos) << error;
}

TEST(GltfAccessor, NumbersThatAreNotFiniteAreErrors) {
  OneChannel f;
  const int input = f.file.accessor<float>("SCALAR", {0, 1});
  const int output =
      f.file.accessor<float>("VEC3", {1, 1, 1, 2, std::numeric_limits<float>::quiet_NaN(), 2});
  f.file.channel(0, f.node, "translation", input, output);
  EXPECT_NE(error_of(f.file.parse()).find("accessor 1: element 1 is not a finite number"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
