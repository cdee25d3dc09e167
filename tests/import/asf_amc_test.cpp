#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/import/asf_amc.hpp>
#include <sinew/import/bvh.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

using testing::data_path;
using testing::expect_near;
using testing::find_finding;
using testing::positions_at;
using testing::track_of;

AsfAmcOptions in_metres() {
  AsfAmcOptions options;
  options.unit = LengthUnit::kMetre;
  return options;
}

// A root, a hip bone that cannot move, and a leg of two bones.
const std::string kSkeleton = R"(# made for the test
:version 1.10
:name TEST
:units
  mass 1.0
  length 0.45   # a comment behind a value
  angle deg
:documentation
   free text, with : a colon, (brackets)
   and #hashes
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 1 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name hip
     direction 1 0 0
     length 2
     axis 0 0 0 XYZ
  end
  begin
     id 2
     name upper
     direction 0 -2 0
     length 3
     axis 0 0 90 XYZ
     dof rx ry rz
     limits (-160.0 20.0)
            (-inf inf)
            (-60.0 70.0)
  end
  begin
     id 3 bodymass 2 cofmass 1
     name lower
     direction 0 -1 0
     length 4
     axis 0 90 0 ZYX
     dof rx
     limits (-10.0 170.0)
  end
:hierarchy
  begin
    root hip
    hip upper  # the leg
    upper lower
  end
)";

const std::string kHead = ":FULLY-SPECIFIED\n:DEGREES\n";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

Model must_parse(const std::string& asf, const std::string& amc,
                 const AsfAmcOptions& options = in_metres()) {
  Result<Model> model = parse_asf_amc(asf, "a.asf", amc, "a_01.amc", options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : to_string(model.error()));
  return model.ok() ? std::move(model).value() : Model{};
}

TEST(AsfAmc, ReadsSkeletonAndMotion) {
  const Model model = must_parse(kSkeleton, kHead +
                                                "1\nroot 1 2 3 0 0 0\nupper 0 0 0\nlower 0\n"
                                                "2\nroot 2 2 3 0 0 0\nupper 0 0 0\nlower 0\n");
  const Skeleton& skeleton = model.skeleton;
  ASSERT_EQ(skeleton.joint_count(), 4);
  EXPECT_EQ(skeleton.name(0), "root");
  EXPECT_EQ(skeleton.name(3), "lower");
  EXPECT_EQ(skeleton.parent(3), 2);
  expect_near(skeleton.rest(0).translation, {0, 1, 0}, 0);
  expect_near(skeleton.rest(1).translation, {0, 0, 0}, 0);
  expect_near(skeleton.rest(2).translation, {2, 0, 0}, 1e-6f);
  expect_near(skeleton.rest(3).translation, {0, -3, 0}, 1e-6f);  // the direction is made unit
  ASSERT_EQ(model.sockets.size(), 1u);
  EXPECT_EQ(model.sockets[0].name, "lower_End");
  EXPECT_EQ(model.sockets[0].joint, 3);
  expect_near(model.sockets[0].offset.translation, {0, -4, 0}, 1e-6f);
  EXPECT_EQ(model.name, "a_01.amc");
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_EQ(model.clips[0].name, "a_01");
  EXPECT_FLOAT_EQ(model.clips[0].duration, 1 / 120.0f);
  EXPECT_TRUE(model.findings.empty());
  expect_near(positions_at(model, 0)[0], {1, 3, 3}, 0);  // added to :root position
  expect_near(positions_at(model, 1)[3], {4, 0, 3}, 1e-6f);
  ASSERT_EQ(model.clips[0].tracks.size(), 1u);  // only the root changes
}

// upper: axis 0 0 90, so that its local X is the world's Y and its local Y the world's -X.
TEST(AsfAmc, TurnsAboutTheBonesOwnAxesInTheirOrder) {
  const auto lower_at = [](const std::string& upper) {
    return positions_at(
               must_parse(kSkeleton, kHead + "1\nroot 0 0 0 0 0 0\nupper " + upper + "\nlower 0\n"),
               0)[3] -
           Vec3{2, 1, 0};
  };
  expect_near(lower_at("0 0 0"), {0, -3, 0}, 1e-5f);
  expect_near(lower_at("90 0 0"), {0, -3, 0}, 1e-5f);  // along the bone
  expect_near(lower_at("0 90 0"), {0, 0, 3}, 1e-5f);   // about -X
  expect_near(lower_at("0 0 90"), {3, 0, 0}, 1e-5f);   // about Z
  // X first, then Y: about the world's Y, which leaves the bone, then about -X.
  expect_near(lower_at("90 90 0"), {0, 0, 3}, 1e-5f);
  // X, then Z: the half turn about Y of an X first order would give -3 if Z came first.
  expect_near(lower_at("180 0 90"), {3, 0, 0}, 1e-5f);
  const Model zyx = must_parse(replaced(kSkeleton, "axis 0 0 90 XYZ", "axis 0 0 90 ZYX"),
                               kHead + "1\nroot 0 0 0 0 0 0\nupper 180 0 90\nlower 0\n");
  expect_near(positions_at(zyx, 0)[3] - Vec3{2, 1, 0}, {-3, 0, 0}, 1e-5f);
  // lower: axis 0 90 0, so that its local X is the world's -Z.
  const Model lower = must_parse(kSkeleton, kHead + "1\nroot 0 0 0 0 0 0\nupper 0 0 0\nlower 90\n");
  std::vector<Transform> pose(4);
  sample(lower.clips[0], lower.skeleton, 0, pose);
  expect_near(rotate(pose[3].rotation, {0, -4, 0}), {-4, 0, 0}, 1e-5f);
}

TEST(AsfAmc, RootOrderRadiansAndRates) {
  const std::string asf =
      replaced(replaced(kSkeleton, "order TX TY TZ RX RY RZ", "order RZ TY RX TX"), "angle deg",
               "angle rad");
  const std::string radians =
      replaced(replaced(asf, "axis 0 0 90 XYZ", "axis 0 0 1.5707963267948966 XYZ"),
               "axis 0 90 0 ZYX", "axis 0 1.5707963267948966 0 ZYX");
  const std::string frames =
      "5\nroot 1.5707963267948966 2 0 7\nupper 0 1.5707963267948966 0\nlower 0\n"
      "8\nroot 0 2 0 7\nupper 0 0 0\nlower 0\n";
  const Model model = must_parse(radians, ":SAMPLES-PER-SECOND 30\n" + frames);
  EXPECT_FLOAT_EQ(model.clips[0].duration, 0.1f);  // frames 5 to 8 at 30 a second
  expect_near(positions_at(model, 0)[0], {7, 3, 0}, 1e-6f);
  expect_near(positions_at(model, 0)[2], {7, 5, 0}, 1e-5f);
  EXPECT_EQ(track_of(model.clips[0], 2)->rotation.times, (std::vector<float>{0, 0.1f}));
  const Finding* gap = find_finding(model.findings, "amc.frame_gap");
  ASSERT_NE(gap, nullptr);
  EXPECT_EQ(gap->place, "frame 5");
  EXPECT_EQ(gap->file, "a_01.amc");
  // The motion's own header says otherwise.
  const std::string degrees = "1\nroot 90 2 0 7\nupper 0 90 0\nlower 0\n";
  AsfAmcOptions options = in_metres();
  options.frame_rate = 60;
  expect_near(positions_at(must_parse(radians, ":DEGREES\n" + degrees, options), 0)[2], {7, 5, 0},
              1e-5f);
}

TEST(AsfAmc, TranslationsOfBones) {
  const Model model = must_parse(replaced(kSkeleton, "dof rx ry rz", "dof TX rx l"),
                                 kHead + "1\nroot 0 0 0 0 0 0\nupper 1 0 9\nlower 0\n");
  // Along the bone's own X, which is the world's Y.
  expect_near(positions_at(model, 0)[2], {2, 2, 0}, 1e-6f);
  EXPECT_NE(find_finding(model.findings, "asf.length_freedom"), nullptr);
}

TEST(AsfAmc, UnitOfTheFileOrByHeight) {
  const auto unit_of = [](const std::string& asf, const AsfAmcOptions& options) {
    const Model model = must_parse(asf, kHead + "1\nroot 0 0 0 0 0 0\n", options);
    return model.skeleton.rest(2).translation.x / 2;
  };
  // 20 units from hip to toe and no arm: too small in inches, right in 1 / 0.45 inch.
  const std::string tall =
      replaced(replaced(kSkeleton, "length 3", "length 20"), "length 4", "length 20");
  EXPECT_NEAR(unit_of(tall, {}), 0.0254 / 0.45, 1e-6);
  EXPECT_NEAR(
      unit_of(replaced(replaced(tall, "length 20", "length 75"), "length 20", "length 90"), {}),
      0.01, 1e-6);
  AsfAmcOptions options;
  options.unit = LengthUnit::kCentimetre;
  EXPECT_NEAR(unit_of(tall, options), 0.01, 1e-6);
  options.metres_per_unit = 0.5;
  EXPECT_NEAR(unit_of(tall, options), 0.5, 1e-6);
}

TEST(AsfAmc, WarnsAndGoesOn) {
  const Model model =
      must_parse(kSkeleton, "#comment\n:MYSTERY 4\n" + kHead +
                                "1\nroot 0 0 0 0 0 0\nupper 10 0 0\nlower 5\n\n# between\n"
                                "2\nroot 0 0 0 0 0 0\nlowr 3 4\nhip 1\nlower 6\n"
                                "3\nroot 0 0 0 0 0 0\nupper 20 0 0\nlowr 1\n");
  const Finding* unknown = find_finding(model.findings, "amc.unknown_bone");
  ASSERT_NE(unknown, nullptr);
  EXPECT_NE(unknown->message.find("'lowr'"), std::string::npos);
  EXPECT_NE(unknown->message.find("did you mean 'lower'"), std::string::npos);
  EXPECT_EQ(unknown->place, "line 13, column 1");
  EXPECT_EQ(std::count_if(model.findings.begin(), model.findings.end(),
                          [](const Finding& f) { return f.code == "amc.unknown_bone"; }),
            2);  // lowr once, and hip, which cannot move
  const Finding* missing = find_finding(model.findings, "amc.missing_bone");
  ASSERT_NE(missing, nullptr);
  EXPECT_EQ(missing->place, "frame 2");
  EXPECT_NE(find_finding(model.findings, "amc.unknown_header"), nullptr);
  // Bones that are missing hold.
  const std::vector<Quat>& upper = track_of(model.clips[0], 2)->rotation.values;
  ASSERT_EQ(upper.size(), 3u);
  EXPECT_EQ(upper[0], upper[1]);
  const Model loose = must_parse(replaced(kSkeleton, "    upper lower\n", ""),
                                 kHead + "1\nroot 0 0 0 0 0 0\nlower 1\n");
  EXPECT_EQ(loose.skeleton.joint_count(), 3);
  EXPECT_NE(find_finding(loose.findings, "asf.loose_bone"), nullptr);
}

TEST(AsfAmc, ErrorsOfSkeletons) {
  struct Case {
    const char* from;
    const char* to;
    const char* place;  // empty: anywhere
    const char* message;
  };
  const std::vector<Case> cases = {
      {"# made for the test\n:version", "version", "line 1, column 1", "begins with a section"},
      {"angle deg", "angle grad", "line 7, column 9", "deg or rad"},
      {"mass 1.0", "mas 1.0", "line 5, column 3", "did you mean 'mass'"},
      {"length 0.45", "length 0", "line 6, column 10", "unit of length"},
      {"position 0 1 0", "position 0 1 nan", "line 14, column 17", "not a finite number"},
      {"axis XYZ", "axis XYY", "line 13, column 9", "order of axes"},
      {"axis 0 0 90 XYZ", "axis 0 0 90 dof", "", "order of axes"},
      {"direction 1 0 0", "direction 1 0", "", "'length' is not a number"},
      {"length 3", "length 3,5", "", "comma"},
      {"name upper", "name lower", "", "occurs twice"},
      {"name upper", "name root", "", "occurs twice"},
      {"name upper\n", "\n", "", "a bone has no name"},
      {"dof rx ry rz", "dof rx ry rw", "", "unexpected 'rw'"},
      {"hip upper", "hip uper", "", "did you mean 'upper'"},
      {"upper lower\n", "upper lower\n hip lower\n", "", "two parents"},
      {"upper lower\n", "upper lower root\n", "", "has no parent"},
      {"upper lower\n  end", "upper lower\n", "", "has no 'end'"},
      {":hierarchy\n  begin", ":hierarchy\n", "", "expected 'begin'"},
      {":hierarchy", ":other", "", "no :hierarchy"},
      {":bonedata\n  begin", ":bonedata\n  bgin", "", "expected 'begin'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.to);
    const Result<Model> model =
        parse_asf_amc(replaced(kSkeleton, c.from, c.to), "a.asf", kHead, "a.amc", in_metres());
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().code, ErrorCode::kMalformed);
    EXPECT_NE(model.error().message.find(c.message), std::string::npos) << model.error().message;
    EXPECT_TRUE(model.error().where.starts_with("a.asf: line ")) << model.error().where;
    if (*c.place != '\0') {
      EXPECT_EQ(model.error().where, std::string("a.asf: ") + c.place);
    }
  }
}

TEST(AsfAmc, ErrorsOfMotions) {
  const std::string frame = "1\nroot 0 0 0 0 0 0\nupper 0 0 0\nlower 0\n";
  struct Case {
    const char* text;
    ErrorCode code;
    const char* place;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"root 0 0 0 0 0 0\n", ErrorCode::kMalformed, "a.amc: line 1, column 1",
       "expected a frame number"},
      {"1\nroot 0 0 0 0 0\n", ErrorCode::kMalformed, "a.amc: line 2, column 1",
       "6 degrees of freedom, but 5"},
      {"1\nroot 0 0 0 0 0 0 0\n", ErrorCode::kMalformed, "a.amc: line 2, column 1",
       "6 degrees of freedom, but 7"},
      {"1\nlower 1\nlower 2\n", ErrorCode::kMalformed, "a.amc: line 3, column 1",
       "twice in one frame"},
      {"1\nlower 1.#QNAN\n", ErrorCode::kMalformed, "a.amc: line 2, column 7",
       "not a finite number"},
      {"1\nlower 1,5\n", ErrorCode::kMalformed, "a.amc: line 2, column 7", "comma"},
      {"2\nlower 1\n2\nlower 2\n", ErrorCode::kMalformed, "a.amc: line 3, column 1",
       "frame 2 stands behind frame 2"},
      {"2\nlower 1\n1\nlower 2\n", ErrorCode::kMalformed, "a.amc: line 3, column 1",
       "frame 1 stands behind frame 2"},
      {"1 2\nlower 1\n", ErrorCode::kMalformed, "a.amc: line 1, column 3", "alone on its line"},
      {"1.5\nlower 1\n", ErrorCode::kMalformed, "a.amc: line 1, column 1", "whole number"},
      {":SAMPLES-PER-SECOND 0\n", ErrorCode::kMalformed, "a.amc: line 1, column 21",
       "rate must be"},
      {"1\nspine 0\n2\nspine 0\n", ErrorCode::kMismatch, "a.amc", "do not belong together"},
      {"1\nlower 1\n4000000000000000000\nlower 2\n", ErrorCode::kLimit, "a.amc", "only 2 frames"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Result<Model> model = parse_asf_amc(kSkeleton, "a.asf", c.text, "a.amc", in_metres());
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().code, c.code);
    EXPECT_EQ(model.error().where, c.place);
    EXPECT_NE(model.error().message.find(c.message), std::string::npos) << model.error().message;
  }
}

TEST(AsfAmc, EmptyMotionIsAClipWithoutLength) {
  const Model model = must_parse(kSkeleton, kHead);
  EXPECT_EQ(model.clips.at(0).duration, 0);
  EXPECT_TRUE(model.clips.at(0).tracks.empty());
}

TEST(AsfAmc, EveryPrefixIsReadOrRefused) {
  const std::string motion =
      kHead + "1\nroot 0 0 0 0 0 0\nupper 1 2 3\nlower 4\n2\nroot 0 0 0 0 0 0\n";
  int read = 0;
  for (std::size_t i = 0; i <= kSkeleton.size(); ++i) {
    read += parse_asf_amc(kSkeleton.substr(0, i), "a.asf", motion, "a.amc").ok() ? 1 : 0;
  }
  for (std::size_t i = 0; i <= motion.size(); ++i) {
    const Result<Model> model = parse_asf_amc(kSkeleton, "a.asf", motion.substr(0, i), "a.amc");
    if (!model.ok()) continue;
    ++read;
    EXPECT_TRUE(validate(model->clips.at(0), model->skeleton).ok());
  }
  EXPECT_GT(read, 0);
}

TEST(AsfAmc, FindsTheSkeletonBesideTheMotion) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "sinew_asf";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  };
  const std::string amc = write("02_01.amc", kHead + "1\nroot 0 0 0 0 0 0\n");
  EXPECT_EQ(load_amc(amc).error().code, ErrorCode::kNotFound);
  EXPECT_NE(load_amc(amc).error().message.find("'02.asf'"), std::string::npos);
  write("other.ASF", kSkeleton);
  EXPECT_TRUE(load_amc(amc).ok());  // the only one
  write("third.asf", kSkeleton);
  EXPECT_FALSE(load_amc(amc).ok());
  write("02.asf", replaced(kSkeleton, "name lower", "name shank") + "");
  EXPECT_FALSE(load_amc(amc).ok());  // taken, and its hierarchy names no bone of it
  write("02_01.asf", kSkeleton);
  const Result<Model> model = load_amc(amc);
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->clips.at(0).name, "02_01");
  const Result<Model> skeleton = load_asf((folder / "02_01.asf").string());
  ASSERT_TRUE(skeleton.ok());
  EXPECT_EQ(skeleton->name, "02_01.asf");
  EXPECT_TRUE(skeleton->clips.empty());
  EXPECT_EQ(load_amc((folder / "02_02.amc").string()).error().code, ErrorCode::kNotFound);
  fs::remove_all(folder);
}

// The same takes, converted to BVH at half the rate by other means. Their Euler angles have six
// digits behind the point and their frame time is rounded, so that frames are paired by number.
TEST(DataAsfAmc, AgreesWithTheSameTakesAsBvh) {
  SINEW_SKIP_WITHOUT_DATA();
  const std::vector<std::pair<std::string, std::string>> takes = {
      {"02_01", "cmu_02_01_walk_60hz"},
      {"03_01", "cmu_03_01_uneven_walk_60hz"},
      {"03_02", "cmu_03_02_uneven_walk_60hz"}};
  for (const auto& [take, converted] : takes) {
    SCOPED_TRACE(take);
    const Result<Model> acclaim = load_amc(data_path("asf_amc/cmu/" + take + ".amc"));
    ASSERT_TRUE(acclaim.ok()) << to_string(acclaim.error());
    const Result<Model> bvh = load_bvh(data_path("derived_bvh/" + converted + ".bvh"));
    ASSERT_TRUE(bvh.ok()) << to_string(bvh.error());
    EXPECT_EQ(acclaim->skeleton.joint_count(), 31);
    ASSERT_EQ(acclaim->findings.size(), 1u);
    EXPECT_EQ(acclaim->findings[0].code, "asf.unit");
    const std::vector<float>& times = track_of(bvh->clips.at(0), 0)->rotation.times;
    float worst = 0;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
      const std::vector<Vec3> a =
          positions_at(*acclaim, static_cast<float>(static_cast<double>(frame) / 60));
      const std::vector<Vec3> b = positions_at(*bvh, times[frame]);
      for (int j = 0; j < acclaim->skeleton.joint_count(); ++j) {
        const Result<int> other = bvh->skeleton.require(acclaim->skeleton.name(j));
        ASSERT_TRUE(other.ok()) << to_string(other.error());
        worst = max(worst,
                    distance(a[static_cast<std::size_t>(j)], b[static_cast<std::size_t>(*other)]));
      }
    }
    EXPECT_LT(worst, 1e-5f * acclaim->skeleton.height());
    RecordProperty("worst_metres_" + take, std::to_string(worst));
  }
}

TEST(DataAsfAmc, EveryTakeOpens) {
  SINEW_SKIP_WITHOUT_DATA();
  const std::vector<std::pair<std::string, int>> takes = {
      {"02_01", 343}, {"02_02", 298}, {"03_01", 432}, {"03_02", 365}};
  for (const auto& [take, frames] : takes) {
    SCOPED_TRACE(take);
    const Result<Model> model = load_amc(data_path("asf_amc/cmu/" + take + ".amc"));
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_NEAR(model->clips.at(0).duration, static_cast<double>(frames - 1) / 120, 1e-5);
    EXPECT_NEAR(model->skeleton.height(), 1.45, 0.1);  // from the toes to the head's base
  }
}

}  // namespace
}  // namespace sinew
