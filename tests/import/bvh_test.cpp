#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include <sinew/asset/clip.hpp>
#include <sinew/import/bvh.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

using testing::expect_near;
using testing::find_finding;
using testing::positions_at;
using testing::track_of;

BvhOptions in_metres() {
  BvhOptions options;
  options.unit = LengthUnit::kMetre;
  return options;
}

// A body of one root and one joint with an end site; `rows` follows the frame time.
std::string small_file(const std::string& root_channels, const std::string& joint_channels,
                       const std::string& header, const std::string& rows) {
  return "HIERARCHY\nROOT Hips\n{\n OFFSET 1 2 3\n CHANNELS " + root_channels +
         "\n JOINT Spine\n {\n  OFFSET 0 10 0\n  CHANNELS " + joint_channels +
         "\n  End Site\n  {\n   OFFSET 0 5 0\n  }\n }\n}\nMOTION\n" + header + rows;
}

const std::string kPosition = "Xposition Yposition Zposition ";
const std::string kZyx = "Zrotation Yrotation Xrotation";

std::string plain_file(const std::string& rows, const std::string& header) {
  return small_file("6 " + kPosition + kZyx, "3 " + kZyx, header, rows);
}

Model must_parse(const std::string& text, const BvhOptions& options = in_metres()) {
  Result<Model> model = parse_bvh(text, "test.bvh", options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : to_string(model.error()));
  return model.ok() ? std::move(model).value() : Model{};
}

TEST(Bvh, ReadsSkeletonClipAndSocket) {
  const Model model = must_parse(
      plain_file("0 90 0 0 0 0 0 0 0\n1 90 2 0 90 0 90 0 0\n", "Frames: 2\nFrame Time: 0.5\n"));
  ASSERT_EQ(model.skeleton.joint_count(), 2);
  EXPECT_EQ(model.name, "test.bvh");
  EXPECT_EQ(model.skeleton.name(0), "Hips");
  EXPECT_EQ(model.skeleton.name(1), "Spine");
  EXPECT_EQ(model.skeleton.parent(1), 0);
  expect_near(model.skeleton.rest(0).translation, {1, 2, 3}, 0);
  expect_near(model.skeleton.rest(1).translation, {0, 10, 0}, 0);
  ASSERT_EQ(model.sockets.size(), 1u);
  EXPECT_EQ(model.sockets[0].name, "Spine_End");
  EXPECT_EQ(model.sockets[0].joint, 1);
  expect_near(model.sockets[0].offset.translation, {0, 5, 0}, 0);
  ASSERT_EQ(model.clips.size(), 1u);
  EXPECT_EQ(model.clips[0].name, "test");
  EXPECT_FLOAT_EQ(model.clips[0].duration, 0.5f);
  EXPECT_TRUE(model.findings.empty());
  const JointTrack* spine = track_of(model.clips[0], 1);
  ASSERT_NE(spine, nullptr);
  EXPECT_EQ(spine->rotation.interpolation, Interpolation::kLinear);
  EXPECT_EQ(spine->rotation.times, (std::vector<float>{0, 0.5f}));
  EXPECT_TRUE(spine->translation.empty());
  // The position replaces the OFFSET.
  expect_near(positions_at(model, 0)[0], {0, 90, 0}, 0);
  expect_near(positions_at(model, 0.5f)[1], {1, 100, 2}, 1e-4f);
}

TEST(Bvh, AppliesEachJointsOwnChannelOrder) {
  // Turning by 90 degrees about X, then by 90 about Y of the turned axes, takes +Y to +Z and keeps
  // it there only in the order X Y; in the order Y X it ends at +X.
  const auto tip = [](const std::string& order) {
    const Model model = must_parse(small_file("3 " + kPosition, "3 " + order,
                                              "Frames: 1\nFrame Time: 1\n", "0 0 0 90 90 0\n"));
    std::vector<Transform> pose(2);
    sample(model.clips[0], model.skeleton, 0, pose);
    return rotate(pose[1].rotation, {0, 1, 0});
  };
  expect_near(tip("Xrotation Yrotation Zrotation"), {0, 0, 1}, 1e-6f);
  expect_near(tip("Yrotation Xrotation Zrotation"), {1, 0, 0}, 1e-6f);
  expect_near(tip("Zrotation Yrotation Xrotation"), {-1, 0, 0}, 1e-6f);
}

TEST(Bvh, RotationFirstRootAndPartialChannels) {
  const Model model =
      must_parse(small_file("4 Zrotation Zposition Xposition Xrotation", "1 Xrotation",
                            "Frames: 1\nFrame Time: 1\n", "90 7 5 0 90\n"));
  const std::vector<Vec3> p = positions_at(model, 0);
  expect_near(p[0], {5, 2, 7}, 1e-6f);  // Y keeps the OFFSET
  expect_near(p[1], {-5, 2, 7}, 1e-5f);
}

TEST(Bvh, RootWithoutPositionsAndJointWithPositions) {
  const Model model =
      must_parse(small_file("3 " + kZyx, "6 " + kPosition + kZyx, "Frames: 2\nFrame Time: 1\n",
                            "0 0 0 1 2 3 0 0 0\n0 0 0 4 5 6 0 0 0\n"));
  expect_near(positions_at(model, 0)[1], {2, 4, 6}, 0);
  expect_near(positions_at(model, 1)[1], {5, 7, 9}, 0);
  EXPECT_EQ(track_of(model.clips[0], 0), nullptr);  // never turns: the rest pose
}

TEST(Bvh, OptionAddsOffsetToPositions) {
  BvhOptions options = in_metres();
  options.add_offset = true;
  const Model model =
      must_parse(plain_file("10 20 30 0 0 0 0 0 0\n", "Frames: 1\nFrame Time: 1\n"), options);
  expect_near(positions_at(model, 0)[0], {11, 22, 33}, 0);
}

TEST(Bvh, StaticChannelsKeepOneKeyOrNone) {
  const Model model = must_parse(
      plain_file("1 2 3 0 0 0 0 0 30\n1 2 3 0 0 0 0 0 30\n", "Frames: 2\nFrame Time: 1\n"));
  ASSERT_EQ(model.clips[0].tracks.size(), 1u);
  const JointTrack& spine = model.clips[0].tracks[0];
  EXPECT_EQ(spine.joint, 1);
  EXPECT_EQ(spine.rotation.times, (std::vector<float>{0}));
  EXPECT_FLOAT_EQ(model.clips[0].duration, 1);
}

TEST(Bvh, NeighbouringKeysLieOnOneHalfSphere) {
  std::string rows;
  for (int i = 0; i < 40; ++i) {
    rows += "0 0 0 0 0 0 0 " + std::to_string(37 * i - 700) + " 5\n";
  }
  const Model model = must_parse(plain_file(rows, "Frames: 40\nFrame Time: 0.1\n"));
  const std::vector<Quat>& keys = track_of(model.clips[0], 1)->rotation.values;
  ASSERT_EQ(keys.size(), 40u);
  for (std::size_t i = 1; i < keys.size(); ++i) EXPECT_GT(dot(keys[i - 1], keys[i]), 0.0f);
}

TEST(Bvh, LargeAnglesLoseNoWholeTurns) {
  const auto rotation = [](const std::string& angle) {
    const Model model =
        must_parse(plain_file("0 0 0 0 0 0 0 " + angle + " 0\n", "Frames: 1\nFrame Time: 1\n"));
    return track_of(model.clips[0], 1)->rotation.values.at(0);
  };
  EXPECT_LT(angle_between(rotation("30"), rotation("360000030")), 1e-6f);
}

TEST(Bvh, Dialects) {
  const std::string rows = "+0 9.0e1 .5 -0 0. 0 0 0 1e-400\n";
  std::string text = plain_file(rows, "Frames: 1\nFrame Time: 0.5\n");
  const auto replaced = [&text](std::string_view from, std::string_view to) {
    std::string out = text;
    for (std::size_t at = 0; (at = out.find(from, at)) != std::string::npos; at += to.size()) {
      out.replace(at, from.size(), to);
    }
    return out;
  };
  const std::vector<std::pair<const char*, std::string>> dialects = {
      {"as is", text},
      {"crlf", replaced("\n", "\r\n")},
      {"lone cr", replaced("\n", "\r")},
      {"tabs", replaced(" ", "\t")},
      {"mark of UTF-8", "\xef\xbb\xbf" + text},
      {"brace on the name's line", replaced("Hips\n{", "Hips {")},
      {"lower case", replaced("HIERARCHY", "hierarchy")},
      {"one word", replaced("End Site", "EndSite")},
      {"no colon", replaced("Frames:", "Frames")},
      {"no blank", replaced("Frames: ", "Frames:")},
      {"blank before the colon", replaced("Frames:", "Frames :")},
      {"empty lines", replaced("\n", "\n\n")},
      {"no last line end", text.substr(0, text.size() - 1)},
      {"wrapped rows", replaced(" -0 ", "\n-0 ")},
      {"swapped header", replaced("Frames: 1\nFrame Time: 0.5", "Frame Time: 0.5\nFrames: 1")},
  };
  for (const auto& [what, dialect] : dialects) {
    SCOPED_TRACE(what);
    const Model model = must_parse(dialect);
    ASSERT_EQ(model.skeleton.joint_count(), 2);
    EXPECT_EQ(model.skeleton.name(0), "Hips");
    EXPECT_EQ(model.sockets.at(0).name, "Spine_End");
    expect_near(positions_at(model, 0)[0], {0, 90, 0.5f}, 0);
    EXPECT_TRUE(model.findings.empty());
  }
}

TEST(Bvh, NamesMayHoldBlanksAndKeywords) {
  const std::string text =
      "HIERARCHY\nROOT mixamorig:Hips \n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT Left Arm_End\n{\nOFFSET "
      "0 "
      "1 0\nJOINT JOINT\n{\nOFFSET 0 1 0\nEnd Site Finger Tip\n{\nOFFSET 0 0 0\n}\n}\n}\n"
      "JOINT Left Arm_End\n{\nOFFSET 0 2 0\n}\n}\nMOTION\nFrames: 0\nFrame Time: 0\n";
  const Model model = must_parse(text);
  ASSERT_EQ(model.skeleton.joint_count(), 4);
  EXPECT_TRUE(model.skeleton.find("mixamorig:Hips"));
  EXPECT_TRUE(model.skeleton.find("Left Arm_End"));
  EXPECT_TRUE(model.skeleton.find("JOINT"));
  EXPECT_EQ(model.sockets.at(0).name, "Finger Tip");
  EXPECT_EQ(model.clips.at(0).duration, 0);
  const Finding* twice = find_finding(model.findings, "bvh.duplicate_name");
  ASSERT_NE(twice, nullptr);
  EXPECT_NE(twice->message.find("Left Arm_End"), std::string::npos);
}

TEST(Bvh, EndSitesAsJointsOrDropped) {
  const std::string text = plain_file("0 0 0 0 0 0 0 0 0\n", "Frames: 1\nFrame Time: 1\n");
  BvhOptions options = in_metres();
  options.end_sites = EndSites::kJoints;
  const Model joints = must_parse(text, options);
  EXPECT_EQ(joints.skeleton.joint_count(), 3);
  EXPECT_EQ(joints.skeleton.name(2), "Spine_End");
  EXPECT_TRUE(joints.sockets.empty());
  options.end_sites = EndSites::kDrop;
  const Model dropped = must_parse(text, options);
  EXPECT_EQ(dropped.skeleton.joint_count(), 2);
  EXPECT_TRUE(dropped.sockets.empty());
}

TEST(Bvh, ZUpTurnsTheWholeBody) {
  BvhOptions options = in_metres();
  const std::string text = small_file("6 " + kPosition + kZyx, "3 " + kZyx,
                                      "Frames: 1\nFrame Time: 1\n", "1 2 0 0 0 90 0 0 0\n");
  EXPECT_NE(find_finding(must_parse(text, options).findings, "bvh.up_axis"), nullptr);
  options.up = UpAxis::kZ;
  const Model model = must_parse(text, options);
  EXPECT_EQ(find_finding(model.findings, "bvh.up_axis"), nullptr);
  // (x, y, z) of the file becomes (x, z, -y); the spine points along the file's +Z.
  const std::vector<Vec3> p = positions_at(model, 0);
  expect_near(p[0], {1, 0, -2}, 1e-6f);
  expect_near(p[1], {1, 10, -2}, 1e-5f);
}

TEST(Bvh, SeveralRoots) {
  const Model model = must_parse(
      "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\n}\nROOT B\n{\nOFFSET 0 0 0\n"
      "CHANNELS 1 Yposition\n}\nMOTION\nFrames: 1\nFrame Time: 1\n3 4\n");
  ASSERT_EQ(model.skeleton.joint_count(), 2);
  EXPECT_EQ(model.skeleton.parent(1), kNoJoint);
  expect_near(positions_at(model, 0)[0], {3, 0, 0}, 0);
  expect_near(positions_at(model, 0)[1], {0, 4, 0}, 0);
}

TEST(Bvh, UnitIsGuessedByHeightAndReported) {
  struct Case {
    const char* leg;  // half the way from tip to tip, in the file's unit
    double metres_per_unit;
  };
  for (const Case& c : {Case{"1.25", 1}, Case{"125", 0.01}, Case{"1250", 0.001}, Case{"49", 0.0254},
                        Case{"22", 0.0254 / 0.45}}) {
    SCOPED_TRACE(c.leg);
    const std::string half = std::string(c.leg);
    const std::string text =
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nJOINT L\n{\nOFFSET 0 -" + half +
        " 0\n}\nJOINT R\n{\nOFFSET 0 " + half + " 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n100\n";
    const Model model = must_parse(text, {});
    const Finding* unit = find_finding(model.findings, "bvh.unit");
    ASSERT_NE(unit, nullptr);
    EXPECT_EQ(unit->severity, Severity::kInfo);
    EXPECT_NEAR(positions_at(model, 0)[0].x, 100 * c.metres_per_unit, 1e-4);
    EXPECT_NEAR(model.skeleton.rest(2).translation.y, std::stod(half) * c.metres_per_unit, 1e-5);
  }
  BvhOptions options;
  options.metres_per_unit = 0.5;
  options.unit = LengthUnit::kInch;
  const Model model =
      must_parse(plain_file("10 0 0 0 0 0 0 0 0\n", "Frames: 1\nFrame Time: 1\n"), options);
  EXPECT_EQ(positions_at(model, 0)[0].x, 5);
  EXPECT_EQ(find_finding(model.findings, "bvh.unit"), nullptr);
}

TEST(Bvh, FrameCountsThatLie) {
  const std::string row = "0 0 0 0 0 0 0 0 0\n";
  struct Case {
    const char* announced;
    const char* rows;
    std::size_t expected;
    const char* code;
  };
  const std::string two = row + row, cut = row + row + "0 0 0";
  for (const Case& c :
       {Case{"1", two.c_str(), 2, "bvh.frame_count"}, Case{"5", two.c_str(), 2, "bvh.frame_count"},
        Case{"4000000000000000000", two.c_str(), 2, "bvh.frame_count"},
        Case{"3", cut.c_str(), 2, "bvh.row_cut_off"}, Case{"0", "", 0, nullptr},
        Case{"3", "", 0, "bvh.frame_count"}}) {
    SCOPED_TRACE(c.announced);
    const Model model = must_parse(
        plain_file(c.rows, "Frames: " + std::string(c.announced) + "\nFrame Time: 0.5\n"));
    EXPECT_FLOAT_EQ(model.clips.at(0).duration, c.expected > 1 ? 0.5f : 0.0f);
    if (c.code != nullptr) {
      EXPECT_NE(find_finding(model.findings, c.code), nullptr);
    } else {
      EXPECT_TRUE(model.findings.empty());
    }
  }
}

TEST(Bvh, FrameTimeOption) {
  BvhOptions options = in_metres();
  options.frame_time = 0.25;
  const std::string row = "0 0 0 0 0 0 0 0 0\n";
  EXPECT_FLOAT_EQ(
      must_parse(plain_file(row + row, "Frames: 2\nFrame Time: 0\n"), options).clips[0].duration,
      0.25f);
}

TEST(Bvh, ErrorsNameLineColumnAndReason) {
  const std::string header = "Frames: 2\nFrame Time: 0.5\n";
  const std::string row = "0 0 0 0 0 0 0 0 0\n";
  struct Case {
    const char* what;
    std::string text;
    const char* place;
    const char* message;
  };
  const std::string head = "HIERARCHY\nROOT A\n{\n";
  const std::vector<Case> cases = {
      {"empty", "", "line 1, column 1", "begins with HIERARCHY"},
      {"other format", "glTF", "line 1, column 1", "'glTF'"},
      {"no root", "HIERARCHY\nMOTION\n", "line 2, column 1", "expected ROOT"},
      {"typing error", "HIERARCHY\nROOT A\n{\n OFSET 0 0 0\n", "line 4, column 2",
       "did you mean 'OFFSET'"},
      {"no brace", "HIERARCHY\nROOT A\nOFFSET 0 0 0\n", "line 3, column 1", "expected '{'"},
      {"open block", head + "OFFSET 0 0 0\nMOTION\n", "line 5, column 1", "is not closed"},
      {"cut off in a block", head + "OFFSET 0 0 0\n", "line 5, column 1", "is not closed"},
      {"brace too many", head + "OFFSET 0 0 0\n}\n}\n", "line 6, column 1", "one '}' too many"},
      {"channel typing error", head + "OFFSET 0 0 0\nCHANNELS 1 Xrotatoin\n", "line 5, column 12",
       "did you mean 'Xrotation'"},
      {"missing channel", head + "OFFSET 0 0 0\nCHANNELS 2 Xrotation\n}\n", "line 6, column 1",
       "'}' is no channel"},
      {"channel count", head + "OFFSET 0 0 0\nCHANNELS 99999999999 Xrotation\n",
       "line 5, column 10", "0 to 9"},
      {"negative channel count", head + "CHANNELS -1\n", "line 4, column 10", "0 to 9"},
      {"position twice", head + "CHANNELS 2 Xposition xposition\n", "line 4, column 22", "twice"},
      {"offset twice", head + "OFFSET 0 0 0\nOFFSET 0 0 0\n", "line 5, column 1", "second OFFSET"},
      {"channels in end site", head + "End Site\n{\nCHANNELS 1 Xrotation\n", "line 6, column 1",
       "unexpected 'CHANNELS'"},
      {"offset of two numbers", head + "OFFSET 0 0\nCHANNELS 0\n}\n", "line 5, column 1",
       "'CHANNELS' is not a number"},
      {"hexadecimal", head + "OFFSET 0x1 0 0\n", "line 4, column 8", "not a number"},
      {"infinite offset", head + "OFFSET 0 inf 0\n", "line 4, column 10", "not a finite number"},
      {"huge offset", head + "OFFSET 0 1e300 0\n", "line 4, column 10", "too large"},
      {"beyond double", head + "OFFSET 0 1e999 0\n", "line 4, column 10", "too large"},
      {"no motion", head + "OFFSET 0 0 0\n}\n", "line 6, column 1", "expected ROOT or MOTION"},
      {"no frames", plain_file("", ""), "line 17, column 1", "expected 'Frames:'"},
      {"no frame time", plain_file(row, "Frames: 1\n"), "line 18, column 1",
       "expected 'Frame Time:'"},
      {"negative frames", plain_file(row, "Frames: -3\nFrame Time: 1\n"), "line 17, column 9",
       "whole number"},
      {"comma in the frame time", plain_file(row, "Frames: 1\nFrame Time: 0,03\n"),
       "line 18, column 13", "comma"},
      {"no time between rows", plain_file(row + row, "Frames: 2\nFrame Time: 0\n"),
       "line 18, column 13", "frame time"},
      {"negative time", plain_file(row + row, "Frames: 2\nFrame Time: -1\n"), "line 18, column 13",
       "frame time"},
      {"old not-a-number", plain_file(row + "0 0 0 1.#QNAN 0 0 0 0 0\n", header),
       "line 20, column 7", "frame 2, value 4: '1.#QNAN' is not a finite number"},
      {"nan", plain_file(row + "0 0 -nan 0 0 0 0 0 0\n", header), "line 20, column 5", "finite"},
      {"comma", plain_file("0 0 0 0 0 0 0 0 1,5\n", header), "line 19, column 17", "comma"},
      {"zero byte", plain_file(row + std::string("0 \0 0", 5) + " 0 0 0 0 0\n", header),
       "line 20, column 3", "'?' is not a number"},
      {"row too long", plain_file("0 0 0 0 0 0 0 0 0 0\n" + row, header), "line 19, column 19",
       "the line goes on"},
      {"row too short", plain_file("0 0 0 0 0 0 0 0\n" + row, header), "line 20, column 3",
       "the line goes on"},
      {"rows without channels", small_file("0", "0", header, "0\n"), "line 19, column 1",
       "no joint has channels"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Model> model = parse_bvh(c.text, "walk.bvh", in_metres());
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(model.error().where, std::string("walk.bvh: ") + c.place) << model.error().message;
    EXPECT_NE(model.error().message.find(c.message), std::string::npos) << model.error().message;
  }
}

TEST(Bvh, LimitsAreErrors) {
  std::string deep = "HIERARCHY\nROOT A\n{\n", wide = "HIERARCHY\nROOT A\n{\n", ends = wide;
  for (int i = 0; i < 3000; ++i) deep += "JOINT J\n{\n";
  for (int i = 0; i < kMaxJoints + 1; ++i) wide += "JOINT J\n{\n}\n";
  for (int i = 0; i < kMaxJoints + 1; ++i) ends += "End Site\n{\n}\n";
  for (const std::string& text : {deep, wide, ends}) {
    const Result<Model> model = parse_bvh(text, "a.bvh");
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().code, ErrorCode::kLimit) << to_string(model.error());
  }
  BvhOptions options;
  options.max_bytes = 8;
  EXPECT_EQ(parse_bvh("HIERARCHY\n", "a.bvh", options).error().code, ErrorCode::kLimit);
  options = {};
  options.metres_per_unit = -1;
  EXPECT_EQ(parse_bvh("HIERARCHY\n", "a.bvh", options).error().code, ErrorCode::kInvalidArgument);
}

TEST(Bvh, FilesThatCannotBeRead) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "sinew_bvh";
  fs::create_directories(folder);
  const std::string text = plain_file("0 0 0 0 0 0 0 0 0\n", "Frames: 1\nFrame Time: 1\n");
  std::ofstream(folder / "walking.bvh", std::ios::binary) << text;
  const Result<Model> model = load_bvh((folder / "walking.bvh").string());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->name, "walking.bvh");
  EXPECT_EQ(model->clips.at(0).name, "walking");
  const Result<Model> missing = load_bvh((folder / "walkin.bvh").string());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("did you mean 'walking.bvh'"), std::string::npos);
  EXPECT_EQ(load_bvh(folder.string()).error().code, ErrorCode::kUnreadable);
  BvhOptions options;
  options.max_bytes = 10;
  EXPECT_EQ(load_bvh((folder / "walking.bvh").string(), options).error().code, ErrorCode::kLimit);
  fs::remove_all(folder);
}

TEST(Bvh, EveryPrefixIsReadOrRefused) {
  const std::string text =
      plain_file("0 90 0 0 0 0 0 0 0\n1 90 2 0 90 0 90 0 0\n", "Frames: 2\nFrame Time: 0.5\n");
  int read = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const Result<Model> model = parse_bvh(text.substr(0, i), "cut.bvh", in_metres());
    if (model.ok()) {
      ++read;
      EXPECT_TRUE(validate(model->clips.at(0), model->skeleton).ok());
    } else {
      EXPECT_FALSE(model.error().where.empty());
    }
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace sinew
