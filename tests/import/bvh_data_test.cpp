// BVH files from many programs, against the table that describes them and against a second,
// deliberately plain evaluation of the format with matrices.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/asset/clip.hpp>
#include <sinew/import/bvh.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::data_path;
using testing::expect_near;
using testing::find_finding;
using testing::positions_at;

BvhOptions file_units() {
  BvhOptions options;
  options.metres_per_unit = 1;
  return options;
}

// The plain evaluator: reads words, keeps everything, multiplies 4x4 matrices.
using Matrix = std::array<double, 16>;  // rows

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t k = 0; k < 4; ++k) out[r * 4 + c] += a[r * 4 + k] * b[k * 4 + c];
    }
  }
  return out;
}

Matrix turn(std::size_t axis, double degrees) {
  const double s = std::sin(degrees * std::acos(-1.0) / 180),
               c = std::cos(degrees * std::acos(-1.0) / 180);
  Matrix out{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  out[u * 4 + u] = c;
  out[u * 4 + v] = -s;
  out[v * 4 + u] = s;
  out[v * 4 + v] = c;
  return out;
}

struct PlainFile {
  struct Joint {
    std::string name;
    int parent;
    std::array<double, 3> offset;
    std::vector<std::string> channels;
  };
  std::vector<Joint> joints;
  std::vector<double> values;
  std::size_t width = 0;
  int announced = 0;
  double frame_time = 0;

  explicit PlainFile(const std::string& path) {
    std::ifstream in(path);
    std::string word;
    std::vector<int> open;  // -2: end site
    int next = -1;
    while (in >> word && word != "MOTION") {
      if (word == "ROOT" || word == "JOINT") {
        in >> word;
        joints.push_back({word, open.empty() ? -1 : open.back(), {}, {}});
        next = static_cast<int>(joints.size()) - 1;
      } else if (word == "End") {
        next = -2;
      } else if (word == "{") {
        open.push_back(next);
      } else if (word == "}") {
        open.pop_back();
      } else if (word == "OFFSET") {
        std::array<double, 3> v{};
        in >> v[0] >> v[1] >> v[2];
        if (open.back() >= 0) joints[static_cast<std::size_t>(open.back())].offset = v;
      } else if (word == "CHANNELS") {
        std::size_t count = 0;
        in >> count;
        width += count;
        for (; count > 0; --count) {
          in >> word;
          joints[static_cast<std::size_t>(open.back())].channels.push_back(word);
        }
      }
    }
    in >> word >> announced >> word >> word >> frame_time;
    for (double v = 0; in >> v;) values.push_back(v);
  }

  std::size_t rows() const { return values.size() / width; }

  std::vector<std::array<double, 3>> positions(std::size_t row) const {
    std::vector<Matrix> world;
    std::vector<std::array<double, 3>> out;
    std::size_t at = row * width;
    for (const Joint& joint : joints) {
      std::array<double, 3> t = joint.offset;
      Matrix r = turn(0, 0);
      for (const std::string& channel : joint.channels) {
        const std::size_t axis = static_cast<std::size_t>(channel[0] - 'X');
        const double v = values[at++];
        if (channel[1] == 'p') {
          t[axis] = v;
        } else {
          r = multiply(r, turn(axis, v));
        }
      }
      for (std::size_t i = 0; i < 3; ++i) r[i * 4 + 3] = t[i];
      world.push_back(
          joint.parent < 0 ? r : multiply(world[static_cast<std::size_t>(joint.parent)], r));
      out.push_back({world.back()[3], world.back()[7], world.back()[11]});
    }
    return out;
  }
};

std::vector<std::string> bvh_files() {
  std::vector<std::string> out;
  for (const char* folder : {"bvh", "derived_bvh"}) {
    for (const auto& entry : fs::recursive_directory_iterator(data_path(folder))) {
      if (entry.path().extension() == ".bvh") out.push_back(entry.path().string());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(DataBvh, EveryJointOfEveryFileIsWhereThePlainEvaluatorPutsIt) {
  SINEW_SKIP_WITHOUT_DATA();
  const std::vector<std::string> files = bvh_files();
  ASSERT_GE(files.size(), 18u);
  for (const std::string& path : files) {
    SCOPED_TRACE(path);
    const Result<Model> model = load_bvh(path, file_units());
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const PlainFile plain(path);
    const RawClip& clip = model->clips.at(0);
    ASSERT_EQ(model->skeleton.joint_count(), static_cast<int>(plain.joints.size()));
    EXPECT_NEAR(clip.duration, static_cast<double>(plain.rows() - 1) * plain.frame_time, 1e-4);
    const double height = static_cast<double>(model->skeleton.height());
    double worst = 0;
    for (std::size_t row = 0; row < plain.rows(); row += plain.rows() > 300 ? 37 : 1) {
      const std::vector<Vec3> actual =
          positions_at(*model, static_cast<float>(static_cast<double>(row) * plain.frame_time));
      const std::vector<std::array<double, 3>> expected = plain.positions(row);
      for (std::size_t j = 0; j < expected.size(); ++j) {
        const Vec3 p =
            actual[static_cast<std::size_t>(model->skeleton.index_of_source(static_cast<int>(j)))];
        for (std::size_t i = 0; i < 3; ++i) {
          worst = std::max(worst,
                           std::abs(static_cast<double>(p[static_cast<int>(i)]) - expected[j][i]));
        }
      }
    }
    EXPECT_LT(worst, 1e-5 * height);
  }
}

// Where the table of the data is wrong, and why.
struct TableFault {
  const char* file;
  const char* reason;
  double more_frames;  // than the table says
  double net_z;        // NAN: the table's
};
constexpr TableFault kTableFaults[] = {
    {"bvh/boxing/Boxing_Toes.bvh",
     "the file announces 3069 frames and has 3070; the table counts the announced ones", 1, NAN},
    {"bvh/pybvh/rotation_first_root.bvh",
     "the table takes the first three channels of the root for positions; they are rotations", 0,
     3},
};

// "2752 frames @0.00833 = 22.92 s" and "net [-0.5, -0.1, 55.9]".
TEST(DataBvh, AgreesWithTheTable) {
  SINEW_SKIP_WITHOUT_DATA();
  std::ifstream table(data_path("TABLE.tsv"));
  int checked = 0, faults = 0;
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> columns;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) columns.push_back(cell);
    if (columns.size() < 8 || !columns[0].starts_with("bvh/") || !columns[0].ends_with(".bvh"))
      continue;
    SCOPED_TRACE(columns[0]);
    int frames = 0;
    double step = 0, seconds = 0, x = 0, y = 0, z = 0;
    ASSERT_EQ(std::sscanf(columns[5].c_str(), "%d frames @%lf = %lf s", &frames, &step, &seconds),
              3);
    ASSERT_EQ(std::sscanf(columns[6].c_str(), "net [%lf, %lf, %lf]", &x, &y, &z), 3);
    const Result<Model> model = load_bvh(data_path(columns[0]), file_units());
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    EXPECT_EQ(model->skeleton.joint_count(), std::stoi(columns[4]));
    const RawClip& clip = model->clips.at(0);
    double more = 0;
    for (const TableFault& fault : kTableFaults) {
      if (columns[0] != fault.file) continue;
      SCOPED_TRACE(fault.reason);
      more = fault.more_frames;
      if (!std::isnan(fault.net_z)) z = fault.net_z;
      ++faults;
    }
    EXPECT_EQ(find_finding(model->findings, "bvh.frame_count") != nullptr, more != 0);
    EXPECT_NEAR(clip.duration, seconds + more * step, 0.0051);
    const PlainFile plain(data_path(columns[0]));
    EXPECT_EQ(plain.announced, frames);
    EXPECT_EQ(static_cast<double>(plain.rows()), frames + more);
    const Vec3 net = positions_at(*model, clip.duration)[0] - positions_at(*model, 0)[0];
    expect_near(net, {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}, 0.051f);
    ++checked;
  }
  EXPECT_GE(checked, 9);
  EXPECT_EQ(faults, 2);
}

TEST(DataBvh, GuessedUnitsMakePeopleOfThem) {
  SINEW_SKIP_WITHOUT_DATA();
  for (const std::string& path : bvh_files()) {
    SCOPED_TRACE(path);
    if (path.find("rotation_first_root") != std::string::npos) continue;  // no whole body
    const Result<Model> model = load_bvh(path);
    ASSERT_TRUE(model.ok()) << to_string(model.error());
    const Finding* unit = find_finding(model->findings, "bvh.unit");
    ASSERT_NE(unit, nullptr);
    EXPECT_EQ(unit->severity, Severity::kInfo);
    const Result<Clip> clip = Clip::build(model->clips.at(0), model->skeleton);
    ASSERT_TRUE(clip.ok()) << to_string(clip.error());
  }
}

TEST(DataBvh, MalformedFiles) {
  SINEW_SKIP_WITHOUT_DATA();
  const std::string folder = data_path("malformed/constructed/");
  // b01: tip minus Spine in the Hips frame at frame 1.
  {
    const Result<Model> model = load_bvh(folder + "b01_mixed_rotation_orders.bvh", file_units());
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(model->findings.empty());
    std::vector<Transform> pose(2);
    sample(model->clips.at(0), model->skeleton, 0.0333333f, pose);
    expect_near(transform_vector(pose[1], model->sockets.at(0).offset.translation), {0, 0, 10},
                1e-4f);
  }
  // b03: a joint whose name ends with "_End", an end site without length.
  {
    const Result<Model> model =
        load_bvh(folder + "b03_name_ends_with_End_zero_end_site.bvh", file_units());
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(model->findings.empty());
    EXPECT_TRUE(model->skeleton.find("RightHand_End"));
    EXPECT_EQ(model->skeleton.joint_count(), 2);
    expect_near(model->sockets.at(0).offset.translation, {0, 0, 0}, 0);
  }
  // b05: five frames announced, two there.
  {
    const Result<Model> model = load_bvh(folder + "b05_frame_count_wrong.bvh", file_units());
    ASSERT_TRUE(model.ok());
    EXPECT_NE(find_finding(model->findings, "bvh.frame_count"), nullptr);
    EXPECT_FLOAT_EQ(model->clips.at(0).duration, 0.0333333f);
  }
  // b07: a root with rotations only stays at its OFFSET.
  {
    const Result<Model> model = load_bvh(folder + "b07_root_without_position.bvh", file_units());
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(model->findings.empty());
    expect_near(positions_at(*model, 0.0333333f)[0], {0, 0, 0}, 0);
  }
  // b08: the first of several faults is the comma in the frame time.
  {
    const Result<Model> model = load_bvh(folder + "b08_nan_and_comma_decimals.bvh", file_units());
    ASSERT_FALSE(model.ok());
    EXPECT_NE(model.error().where.find("line 18, column 13"), std::string::npos)
        << to_string(model.error());
    EXPECT_NE(model.error().message.find("'0,0333333' has a comma"), std::string::npos);
  }
  // b11: no frames: the skeleton and a clip without length.
  {
    const Result<Model> model = load_bvh(folder + "b11_empty_motion.bvh", file_units());
    ASSERT_TRUE(model.ok());
    EXPECT_EQ(model->skeleton.joint_count(), 2);
    EXPECT_EQ(model->clips.at(0).duration, 0);
    EXPECT_TRUE(model->clips.at(0).tracks.empty());
  }
}

}  // namespace
}  // namespace sinew
