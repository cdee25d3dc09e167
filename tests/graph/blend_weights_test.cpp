#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sinew/graph/blend_weights.hpp>

namespace sinew {
namespace {

using Json = nlohmann::json;
constexpr double kTolerance = 1e-5;

void expect_close(double got, double want, const std::string& what) {
  EXPECT_LE(std::abs(got - want), kTolerance * std::max(1.0, std::abs(want)))
      << what << ": got " << got << ", want " << want;
}

struct Tree {
  std::string type;
  bool normalize = false;
  std::vector<float> thresholds;
  std::vector<BlendPoint> points;
  std::vector<double> lengths;
};

Tree read_tree(const Json& json) {
  Tree tree;
  tree.type = json["type"];
  tree.normalize = json["normalize"];
  for (const Json& child : json["children"]) {
    tree.lengths.push_back(effective_length(child[0].get<double>()) /
                           std::abs(child[1].get<double>()));
    if (child.size() == 3) tree.thresholds.push_back(child[2]);
    if (child.size() == 4) tree.points.push_back(make_blend_point({child[2], child[3]}));
  }
  return tree;
}

std::vector<float> weights_of(const Tree& tree, const std::vector<float>& at, bool unity) {
  std::vector<float> weights(tree.lengths.size());
  const Vec2 q{at[0], at.size() > 1 ? at[1] : 0.0f};
  if (tree.type == "1d") weights_1d(tree.thresholds, at[0], weights);
  if (tree.type == "simple_directional") weights_simple_directional(tree.points, q, unity, weights);
  if (tree.type == "freeform_directional") weights_freeform_directional(tree.points, q, weights);
  if (tree.type == "freeform_cartesian") weights_freeform_cartesian(tree.points, q, weights);
  if (tree.type == "direct") {
    weights = at;
    weights_direct(tree.normalize, weights);
  }
  return weights;
}

void check(const Tree& tree, const std::vector<float>& at, bool unity, const Json& want,
           double want_length, const std::string& name) {
  const std::vector<float> got = weights_of(tree, at, unity);
  ASSERT_EQ(got.size(), want.size()) << name;
  for (std::size_t i = 0; i < got.size(); ++i) {
    expect_close(static_cast<double>(got[i]), want[i], name + " weight " + std::to_string(i));
  }
  expect_close(tree_length(got, tree.lengths), want_length, name + " length");
}

TEST(BlendWeights, FollowTheVectors) {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/tests/graph/data/blend_vectors.json");
  ASSERT_TRUE(file.good());
  int points = 0;
  const Json vectors = Json::parse(file);
  for (const Json& json : vectors["cases"]) {
    const Tree tree = read_tree(json);
    for (const Json& point : json["points"]) {
      const std::string name = json["name"].get<std::string>() + " at " + point["at"].dump();
      const std::vector<float> at = point["at"];
      check(tree, at, false, point["w"], point["length"], name);
      if (point.contains("unity_w")) {
        check(tree, at, true, point["unity_w"], point["unity_length"], name + " (unity)");
      }
      ++points;
    }
  }
  EXPECT_EQ(points, 1000);
}

TEST(BlendWeights, OneDimensionalWithEqualThresholds) {
  const std::vector<float> thresholds = {0, 1, 1, 1, 2};
  std::vector<float> w(5);
  weights_1d(thresholds, 1, w);
  EXPECT_EQ(w, (std::vector<float>{0, 0, 0, 1, 0}));
  weights_1d(thresholds, 0.5f, w);
  EXPECT_EQ(w, (std::vector<float>{0.5f, 0.5f, 0, 0, 0}));
  weights_1d(thresholds, 1.5f, w);
  EXPECT_EQ(w, (std::vector<float>{0, 0, 0, 0.5f, 0.5f}));
}

TEST(BlendWeights, NotANumberCountsAsZero) {
  const float nan = std::nanf("");
  std::vector<float> w(3);
  weights_1d(std::vector<float>{-1, 0, 1}, nan, w);
  EXPECT_EQ(w, (std::vector<float>{0, 1, 0}));
  const std::vector<BlendPoint> points = {make_blend_point({0, 0}), make_blend_point({0, 1}),
                                          make_blend_point({1, 0})};
  weights_simple_directional(points, {nan, nan}, false, w);
  EXPECT_EQ(w, (std::vector<float>{1, 0, 0}));
  weights_freeform_cartesian(points, {nan, INFINITY}, w);
  EXPECT_EQ(w, (std::vector<float>{1, 0, 0}));
  weights_freeform_directional(points, {nan, 0}, w);
  EXPECT_EQ(w, (std::vector<float>{1, 0, 0}));
  std::vector<float> direct = {nan, -1, 0.5f};
  weights_direct(true, direct);
  EXPECT_EQ(direct, (std::vector<float>{0, 0, 1}));
}

TEST(BlendWeights, CoincidentChildrenShare) {
  const std::vector<BlendPoint> points = {make_blend_point({1, 1}), make_blend_point({1, 1})};
  std::vector<float> w(2);
  weights_freeform_cartesian(points, {3, 4}, w);
  EXPECT_EQ(w, (std::vector<float>{0.5f, 0.5f}));
  weights_freeform_directional(points, {3, 4}, w);
  EXPECT_EQ(w, (std::vector<float>{0.5f, 0.5f}));
}

}  // namespace
}  // namespace sinew
