// Every constraint against results of two independent reference models, as the fixed behaviour and
// as that of the well-known package.
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <sinew/pose/model_pose.hpp>
#include <sinew/rig/rig_def.hpp>

#include "json_fields.hpp"

namespace sinew {
namespace {

using Json = nlohmann::json;

const Json& vectors() {
  static const Json all = [] {
    std::ifstream file(SINEW_SOURCE_DIR "/tests/rig/data/constraint_vectors.json");
    return Json::parse(file);
  }();
  return all["cases"];
}

Transform read_transform(const Json& v) {
  const auto f = [&](int i) { return v[static_cast<std::size_t>(i)].get<float>(); };
  return {{f(0), f(1), f(2)}, normalize(Quat{f(3), f(4), f(5), f(6)}), {1, 1, 1}};
}

// How a case is put into a rig.
enum class Setting {
  kJoints,    // every node is a joint
  kRigNodes,  // targets and sources are nodes of the rig, in the world
  kMoved,     // the same, and the character stands elsewhere, turned
};

const char* name_of(Setting s) {
  return s == Setting::kJoints ? "joints" : s == Setting::kRigNodes ? "rig nodes" : "moved";
}

struct Node {
  std::string name;
  int parent;
  Transform bind, eval;
  bool rig_node;
  int joint = -1;
};

std::vector<Node> read_nodes(const Json& c, Setting setting) {
  static const std::set<std::string> kBodies{"base", "driven", "root", "j0"};
  std::vector<Node> nodes;
  for (const Json& n : c["nodes"]) {
    Node out{n[0].get<std::string>(), n[1].get<int>(), read_transform(n[2]),
             read_transform(n.size() > 3 ? n[3] : n[2]), false};
    const bool body = out.parent >= 0 ? !nodes[static_cast<std::size_t>(out.parent)].rig_node
                                      : kBodies.contains(out.name);
    out.rig_node = setting != Setting::kJoints && !body;
    nodes.push_back(out);
  }
  return nodes;
}

// Constraints whose result depends on where the world's axes are.
bool depends_on_world(const Json& c) {
  const Json& data = c["data"];
  const std::string type = c["constraint"];
  const std::string up = data.value("world_up", "none");
  return type == "height_limited" || (type == "override_transform" && data["space"] == "world") ||
         up == "scene" || up == "vector" || (up == "object" && !data.contains("up_object")) ||
         (up == "object_rotation" && !data.contains("up_object"));
}

const Transform kElsewhere{{12, -3, 40}, {0.5f, -0.5f, 0.5f, 0.5f}, {1, 1, 1}};

class Case {
 public:
  Case(const Json& c, Setting setting, bool compat) : setting_(setting) {
    nodes_ = read_nodes(c, setting);
    std::vector<JointDef> joints;
    RigSource source;
    for (Node& n : nodes_) {
      const std::string parent =
          n.parent >= 0 ? nodes_[static_cast<std::size_t>(n.parent)].name : "";
      if (n.rig_node) {
        source.add_node(n.name, n.bind, parent);
      } else {
        n.joint = static_cast<int>(joints.size());
        const int p = n.parent >= 0 ? nodes_[static_cast<std::size_t>(n.parent)].joint : kNoJoint;
        joints.push_back({n.name, p, n.bind});
      }
    }
    Result<Skeleton> skeleton = Skeleton::build(joints);
    skeleton_ = std::move(*skeleton);
    for (Node& n : nodes_) {
      if (!n.rig_node) n.joint = skeleton_.index_of_source(n.joint);
    }
    RigLayerSource& layer = source.add_layer("layer");
    layer.weight = c.value("rig_weight", 1.0f);
    layer.constraints.push_back({"c", c.value("weight", 1.0f), compat, read_constraint(c)});
    Findings findings;
    Result<RigDef> def = RigDef::compile(source, skeleton_, {}, findings);
    for (const Finding& f : findings) {
      if (f.severity == Severity::kError) ADD_FAILURE() << f.place << ": " << f.message;
    }
    if (!def) return;
    def_ = std::move(*def);
    state_ = RigState(def_);
    pose_ = Pose(skeleton_);
    scratch_ = RigScratch(def_);
  }

  void evaluate(float dt, const Json& moved = Json::object()) {
    const Transform root = setting_ == Setting::kMoved ? kElsewhere : Transform{};
    for (const Node& n : nodes_) {
      const Transform local = moved.contains(n.name) ? read_transform(moved[n.name]) : n.eval;
      if (n.rig_node) {
        const Transform at = n.parent < 0 ? root * local : local;
        EXPECT_TRUE(def_.set_node(state_, *def_.node(n.name), at));
      } else {
        set_joint(skeleton_, pose_, n.joint, local);
      }
    }
    evaluate_rig(def_, state_, pose_, root, dt, scratch_);
  }

  Transform result(const std::string& name) const {
    for (const Node& n : nodes_) {
      if (n.name != name) continue;
      return n.rig_node ? def_.node_result(state_, *def_.node(name))
                        : model_transform(skeleton_, pose_, n.joint);
    }
    ADD_FAILURE() << "no node " << name;
    return {};
  }
  RigStatus status() const { return def_.status(state_, 0); }

 private:
  static rig::ConstraintBox read_constraint(const Json& c) {
    static const std::map<std::string, std::string> kNames{
        {"damped", "damped_transform"}, {"height_limited", "height_limited_two_bone_ik"}};
    const std::string type = c["constraint"];
    const rig::ConstraintRegistry registry;
    const auto renamed = kNames.find(type);
    rig::ConstraintBox box(*registry.find(renamed == kNames.end() ? type : renamed->second));
    Json data = c["data"];
    if (data.contains("joints")) {
      data["root"] = data["joints"].front();
      data["tip"] = data["joints"].back();
      data.erase("joints");
    }
    data.erase("curve");  // always "linear", which is the default
    rig::JsonFields fields(data);
    box.type()->fields(box.data(), fields);
    for (const std::string& key : fields.unused()) ADD_FAILURE() << "unused key " << key;
    return box;
  }

  Setting setting_;
  std::vector<Node> nodes_;
  Skeleton skeleton_;
  RigDef def_;
  RigState state_;
  Pose pose_;
  RigScratch scratch_;
};

double tolerance(const Json& c) {
  for (const Json& tag : c.value("tags", Json::array())) {
    if (tag == "straight" || tag == "collinear") return 1e-3;
  }
  return c["constraint"] == "chain_ik" ? 5e-4 : 1e-4;
}

::testing::AssertionResult near(const Transform& got, const Json& want, double tol) {
  const double g[7] = {got.translation.x, got.translation.y, got.translation.z, got.rotation.x,
                       got.rotation.y,    got.rotation.z,    got.rotation.w};
  double w[7], dot = 0;
  for (int i = 0; i < 7; ++i) w[i] = want[static_cast<std::size_t>(i)].get<double>();
  for (int i = 3; i < 7; ++i) dot += g[i] * w[i];
  for (int i = 0; i < 7; ++i) {
    const double value = i >= 3 && dot < 0 ? -g[i] : g[i];
    if (!(std::abs(value - w[i]) <= tol * std::max(1.0, std::abs(w[i])))) {
      return ::testing::AssertionFailure()
             << "component " << i << ": got " << value << ", want " << w[i];
    }
  }
  return ::testing::AssertionSuccess();
}

void expect_all(const Case& run, const Json& expect, double tol, const std::string& what) {
  for (const auto& [node, want] : expect.items()) {
    EXPECT_TRUE(near(run.result(node), want, tol)) << what << ": " << node;
  }
}

void check_frames(const Json& c, Setting setting) {
  Case run(c, setting, false);
  int index = 0;
  for (const Json& frame : c["frames"]) {
    run.evaluate(frame["dt"].get<float>(), frame["eval"]);
    expect_all(run, frame["expect"], tolerance(c),
               c["name"].get<std::string>() + " frame " + std::to_string(index++));
  }
}

void check_pre_bend(const Json& c, Case& run, const std::string& what) {
  const std::string tip = c["data"]["joints"].back();
  const Json& want = c["expect_tip"];
  const Vec3 at{want[0].get<float>(), want[1].get<float>(), want[2].get<float>()};
  const double within = c["expect_tip_within"].get<double>();
  EXPECT_LE(distance(run.result(tip).translation, at), within + 1e-5) << what;
}

int check(const std::string& constraint, Setting setting) {
  int count = 0;
  for (const Json& c : vectors()) {
    if (c["constraint"] != constraint) continue;
    if (setting == Setting::kMoved && depends_on_world(c)) continue;
    ++count;
    const std::string what = c["name"].get<std::string>() + " as " + name_of(setting);
    if (c.contains("frames")) {
      check_frames(c, setting);
      continue;
    }
    if (c.contains("expect") || c.contains("expect_tip")) {
      Case run(c, setting, false);
      run.evaluate(1.0f / 60);
      if (c.contains("expect")) expect_all(run, c["expect"], tolerance(c), what);
      if (c.contains("expect_tip")) check_pre_bend(c, run, what);
      if (c.contains("expect_unsatisfied")) {
        EXPECT_EQ(run.status() == RigStatus::kUnsatisfied, c["expect_unsatisfied"].get<bool>())
            << what << " " << c["tags"];
      }
    }
    if (c.contains("compat_expect")) {
      Json expect = c.value("expect", Json::object());
      if (c["compat_expect"].is_object()) expect.update(c["compat_expect"]);
      Case run(c, setting, true);
      run.evaluate(1.0f / 60);
      expect_all(run, expect, tolerance(c), what + " (compat)");
    }
  }
  return count;
}

class ConstraintVectors : public ::testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(ConstraintVectors, AsJoints) {
  EXPECT_EQ(check(GetParam().first, Setting::kJoints), GetParam().second);
}
TEST_P(ConstraintVectors, WithRigNodes) {
  EXPECT_EQ(check(GetParam().first, Setting::kRigNodes), GetParam().second);
}
// The result does not depend on where in the world the character stands.
TEST_P(ConstraintVectors, Moved) { check(GetParam().first, Setting::kMoved); }

using P = std::pair<const char*, int>;
INSTANTIATE_TEST_SUITE_P(All, ConstraintVectors,
                         ::testing::Values(P{"two_bone_ik", 65}, P{"chain_ik", 65},
                                           P{"multi_aim", 66}, P{"height_limited", 68},
                                           P{"multi_parent", 60}, P{"multi_position", 60},
                                           P{"multi_rotation", 60}, P{"damped", 60},
                                           P{"override_transform", 60}, P{"twist_correction", 60},
                                           P{"twist_chain", 60}, P{"blend", 60}),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace sinew
