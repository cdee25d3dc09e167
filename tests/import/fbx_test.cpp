#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/import/fbx.hpp>

#include "mocap_testing.hpp"

namespace sinew {
namespace {

using testing::expect_near;
using testing::find_finding;
using testing::positions_at;
using testing::track_of;

// Puts ASCII files together: settings, nodes with properties, connections.
class File {
 public:
  std::string settings, objects, links;

  File& setting(const std::string& name, const std::string& value) {
    settings += "  P: \"" + name + "\", \"double\", \"Number\", \"\"," + value + "\n";
    return *this;
  }
  // `properties`: "Lcl Translation=1,2,3|PreRotation=0,0,90".
  File& node(int id, const std::string& name, const std::string& type, int parent,
             const std::string& properties = {}) {
    objects += " Model: " + std::to_string(id) + ", \"Model::" + name + "\", \"" + type + "\" {\n" +
               block(properties) + " }\n";
    return link(id, parent);
  }
  File& object(const std::string& kind, int id, const std::string& subtype,
               const std::string& properties, const std::string& body = {}) {
    objects += " " + kind + ": " + std::to_string(id) + ", \"" + kind + "::" + kind + "\", \"" +
               subtype + "\" {\n" + block(properties) + body + " }\n";
    return *this;
  }
  File& link(int child, int parent, const std::string& property = {}) {
    links += std::string(" C: \"O") + (property.empty() ? "O" : "P") + "\"," +
             std::to_string(child) + "," + std::to_string(parent) +
             (property.empty() ? "" : ", \"" + property + "\"") + "\n";
    return *this;
  }
  // Keys one second apart with one shape for all.
  File& curve(int id, const std::vector<double>& values, int flags = 4,
              const std::string& data = "0,0,0,0") {
    std::string times, list;
    for (std::size_t i = 0; i < values.size(); ++i) {
      times += (i ? "," : "") + std::to_string(46186158000ll * static_cast<long long>(i));
      list += (i ? "," : "") + std::to_string(values[i]);
    }
    return object(
        "AnimationCurve", id, "", "",
        "  KeyTime: *1 {\n   a: " + times + "\n  }\n  KeyValueFloat: *1 {\n   a: " + list +
            "\n  }\n  KeyAttrFlags: *1 {\n   a: " + std::to_string(flags) +
            "\n  }\n  KeyAttrDataFloat: *4 {\n   a: " + data +
            "\n  }\n  KeyAttrRefCount: *1 {\n   a: " + std::to_string(values.size()) + "\n  }\n");
  }
  // One stack of 2 s with one layer (ids 900, 901).
  File& stack(const std::string& name = "Walk") {
    objects += " AnimationStack: 900, \"AnimStack::" + name + "\", \"\" {\n" +
               block("LocalStop=92372316000") + " }\n";
    return layer(901, "");
  }
  File& layer(int id, const std::string& properties) {
    return object("AnimationLayer", id, "", properties).link(id, 900);
  }
  // Animates one axis of a node's property by the curve, through a curve node.
  File& animate(int curve_node, int layer_id, int model, const std::string& property, char axis,
                int curve_id, const std::string& constants = {}) {
    return object("AnimationCurveNode", curve_node, "", constants)
        .link(curve_node, layer_id)
        .link(curve_node, model, property)
        .link(curve_id, curve_node, std::string("d|") + axis);
  }
  std::string text() const {
    return "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n FBXVersion: "
           "7400\n}\nGlobalSettings:  {\n Properties70:  {\n" +
           settings + " }\n}\nObjects:  {\n" + objects + "}\nConnections:  {\n" + links + "}\n";
  }

 private:
  static std::string block(const std::string& properties) {
    std::string out = "  Properties70:  {\n";
    std::size_t at = 0;
    while (at < properties.size()) {
      const std::size_t end = std::min(properties.find('|', at), properties.size());
      const std::size_t equals = properties.find('=', at);
      // "d|X" holds the separator: written with a slash here.
      std::string name = properties.substr(at, equals - at);
      if (name.starts_with("d/")) name[1] = '|';
      out += "   P: \"" + name + "\", \"\", \"\", \"A\"," +
             properties.substr(equals + 1, end - equals - 1) + "\n";
      at = end + 1;
    }
    return out + "  }\n";
  }
};

FbxOptions in_metres() {
  FbxOptions options;
  options.metres_per_unit = 1;
  return options;
}

Model must_parse(const std::string& bytes, const FbxOptions& options = in_metres()) {
  Result<Model> model = parse_fbx(bytes, "test.fbx", options);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : to_string(model.error()));
  return model.ok() ? std::move(model).value() : Model{};
}

// Model-space map of a joint at a time of the first clip (at rest without one).
Mat3x4 world_of(const Model& model, const std::string& name, float t = 0) {
  const Skeleton& skeleton = model.skeleton;
  std::vector<Transform> pose(skeleton.rest_pose().begin(), skeleton.rest_pose().end());
  if (!model.clips.empty()) sample(model.clips[0], skeleton, t, pose);
  Mat3x4 out;
  for (int j = skeleton.find(name).value_or(kNoJoint); j != kNoJoint; j = skeleton.parent(j)) {
    out = to_matrix(pose[static_cast<std::size_t>(j)]) * out;
  }
  return out;
}

TEST(Fbx, JointsAreBonesAndWhatLiesBetween) {
  const Model model =
      must_parse(File()
                     .node(1, "Armature", "Null", 0, "Lcl Translation=1,0,0|Lcl Scaling=2,2,2")
                     .node(2, "Hips", "LimbNode", 1, "Lcl Translation=0,1,0")
                     .node(3, "Helper", "Null", 2, "Lcl Translation=0,1,0")
                     .node(4, "Hand", "LimbNode", 3, "Lcl Translation=0,1,0")
                     .node(5, "Camera", "Camera", 0)
                     .node(6, "Marker", "Null", 4)
                     .text());
  ASSERT_EQ(model.skeleton.joint_count(), 3);
  EXPECT_EQ(model.skeleton.name(0), "Hips");
  EXPECT_EQ(model.skeleton.name(1), "Helper");
  EXPECT_EQ(model.skeleton.name(2), "Hand");
  // The armature's place and scale are folded in: no joint has a scale.
  EXPECT_FALSE(model.skeleton.has_rest_scale());
  expect_near(translation_of(world_of(model, "Hips")), {1, 2, 0}, 1e-6f);
  expect_near(translation_of(world_of(model, "Hand")), {1, 6, 0}, 1e-6f);
  EXPECT_TRUE(model.clips.empty());
}

TEST(Fbx, UnitsAndAxes) {
  File file;
  file.setting("UnitScaleFactor", "2.54")
      .setting("UpAxis", "2")
      .setting("FrontAxis", "1")
      .setting("FrontAxisSign", "-1");
  file.node(1, "Bone", "LimbNode", 0, "Lcl Translation=100,200,300");
  const std::string text = file.text();
  // Z of the file is up, -Y is forward.
  expect_near(translation_of(world_of(must_parse(text, {}), "Bone")), {2.54f, 7.62f, -5.08f},
              1e-5f);
  expect_near(translation_of(world_of(must_parse(text), "Bone")), {100, 300, -200}, 1e-4f);
}

TEST(Fbx, RotationOrders) {
  // The first letter turns first: (0, 0, 1) by 90 degrees about X is (0, -1, 0), then by 90 about Z
  // (1, 0, 0).
  struct Case {
    const char* order;
    Vec3 expected;
  };
  for (const Case& c : {Case{"0", {1, 0, 0}}, Case{"1", {1, 0, 0}}, Case{"3", {1, 0, 0}},
                        Case{"4", {0, -1, 0}}, Case{"5", {0, -1, 0}}, Case{"2", {0, -1, 0}}}) {
    SCOPED_TRACE(c.order);
    const Model model = must_parse(
        File()
            .node(1, "Bone", "LimbNode", 0,
                  std::string("Lcl Rotation=90,0,90|RotationActive=1|RotationOrder=") + c.order)
            .text());
    expect_near(transform_vector(world_of(model, "Bone"), {0, 0, 1}), c.expected, 1e-6f);
  }
}

TEST(Fbx, PreAndPostRotationOnlyWhereActive) {
  const auto axis = [](const std::string& properties) {
    return transform_vector(
        world_of(must_parse(File().node(1, "Bone", "LimbNode", 0, properties).text()), "Bone"),
        {1, 0, 0});
  };
  expect_near(axis("RotationActive=1|PreRotation=0,0,90"), {0, 1, 0}, 1e-6f);
  expect_near(axis("RotationActive=1|PostRotation=0,0,90"), {0, -1, 0}, 1e-6f);
  expect_near(axis("RotationActive=0|PreRotation=0,0,90"), {1, 0, 0}, 1e-6f);
  // Pre * R * Post^-1: +X by -90 about Z is -Y, by 90 about X is -Z, by 90 about Z stays.
  expect_near(axis("RotationActive=1|PreRotation=0,0,90|PostRotation=0,0,90|Lcl Rotation=90,0,0"),
              {0, 0, -1}, 1e-6f);
}

TEST(Fbx, PivotsAndOffsets) {
  // Turning about the pivot (1, 0, 0) by 180 about Z takes the origin to (2, 0, 0).
  const Model turned =
      must_parse(File()
                     .node(1, "Bone", "LimbNode", 0,
                           "RotationPivot=1,0,0|Lcl Rotation=0,0,180|RotationOffset=0,5,0")
                     .text());
  expect_near(translation_of(world_of(turned, "Bone")), {2, 5, 0}, 1e-6f);
  // Scaling by 3 about (1, 0, 0) takes the origin to (-2, 0, 0); the offset is added.
  const Model scaled =
      must_parse(File()
                     .node(1, "Bone", "LimbNode", 0,
                           "ScalingPivot=1,0,0|Lcl Scaling=3,3,3|ScalingOffset=0,0,7")
                     .text());
  expect_near(translation_of(world_of(scaled, "Bone")), {-2, 0, 7}, 1e-6f);
}

// A parent that grows to twice its size, a child one unit away, a grandchild one unit further.
TEST(Fbx, InheritanceOfScale) {
  const auto grandchild = [](const char* inherit) {
    File file;
    file.node(1, "A", "LimbNode", 0)
        .node(2, "B", "LimbNode", 1, std::string("Lcl Translation=0,1,0|InheritType=") + inherit)
        .node(3, "C", "LimbNode", 2, "Lcl Translation=0,1,0|InheritType=1")
        .stack()
        .curve(10, {1, 2, 2});
    for (int axis = 0; axis < 3; ++axis) {
      file.object("AnimationCurveNode", 20 + axis, "", "d/Y=1|d/Z=1");
      if (axis > 0) continue;
      file.link(20, 901)
          .link(20, 1, "Lcl Scaling")
          .link(10, 20, "d|X")
          .link(10, 20, "d|Y")
          .link(10, 20, "d|Z");
    }
    return translation_of(world_of(must_parse(file.text()), "C", 2)).y;
  };
  EXPECT_NEAR(grandchild("1"), 4, 1e-5);  // all grows
  EXPECT_NEAR(grandchild("0"), 4, 1e-5);  // the same for an even scale
  EXPECT_NEAR(grandchild("2"), 3, 1e-5);  // the child's place grows, the child does not
}

TEST(Fbx, ShapesOfCurves) {
  struct Case {
    const char* what;
    int flags;
    const char* data;
    double half;     // value in the middle of the first piece, from 0 to 10
    double quarter;  // and at a quarter
  };
  for (const Case& c :
       {Case{"step", 2, "0,0,0,0", 0, 0}, Case{"step to the next", 0x102, "0,0,0,0", 10, 10},
        Case{"linear", 4, "0,0,0,0", 5, 2.5},
        // Slopes of 0: 3 x^2 - 2 x^3.
        Case{"cubic", 0x408, "0,0,0,0", 5, 1.5625},
        // Slopes of 30 (bits of 30.0f): value 30 x at first.
        Case{"cubic with bits", 0x408, "1106247680,1106247680,0,0", 5, 4.375},
        Case{"cubic with numbers", 0x408, "30.0,30.0,0,0", 5, 4.375}}) {
    SCOPED_TRACE(c.what);
    File file;
    file.node(1, "Bone", "LimbNode", 0)
        .stack()
        .curve(10, {0, 10, 10}, c.flags, c.data)
        .animate(20, 901, 1, "Lcl Translation", 'X', 10);
    FbxOptions options = in_metres();
    options.sample_rate = 4;
    const Model model = must_parse(file.text(), options);
    EXPECT_EQ(model.clips.at(0).name, "Walk");
    EXPECT_FLOAT_EQ(model.clips.at(0).duration, 2);
    EXPECT_NEAR(positions_at(model, 0.5f)[0].x, c.half, 1e-5);
    EXPECT_NEAR(positions_at(model, 0.25f)[0].x, c.quarter, 1e-5);
    EXPECT_NEAR(positions_at(model, 1.0f)[0].x, 10, 1e-5);
  }
}

TEST(Fbx, AutomaticSlopes) {
  // 0, 10, 10, 20: a free slope at the second key overshoots, a clamped one does not.
  const auto at = [](int flags, float t) {
    File file;
    file.node(1, "Bone", "LimbNode", 0)
        .stack()
        .curve(10, {0, 10, 10}, flags)
        .animate(20, 901, 1, "Lcl Translation", 'X', 10);
    FbxOptions options = in_metres();
    options.sample_rate = 4;
    return positions_at(must_parse(file.text(), options), t)[0].x;
  };
  // Slope 5 at the second key: Hermite in the middle of the last piece: 10 + 5 / 8.
  EXPECT_NEAR(at(0x108, 1.5f), 10.625, 1e-5);
  EXPECT_NEAR(at(0x4108, 1.5f), 10, 1e-5);
}

TEST(Fbx, WeightedTangents) {
  // Both weights 0.5 (packed as 5000 of 9999): x = 1.5 t (1 - t)^2 + 1.5 t^2 (1 - t) + t^3 at its
  // middle t = 0.5, and flat slopes: the value there is 5 as well; at x = 0.25, t solves the cubic.
  File file;
  const std::string packed = std::to_string(5000u | (5000u << 16));
  file.node(1, "Bone", "LimbNode", 0)
      .stack()
      .curve(10, {0, 10, 10}, 0x3000408, "0,0," + packed + ",0")
      .animate(20, 901, 1, "Lcl Translation", 'X', 10);
  FbxOptions options = in_metres();
  options.sample_rate = 4;
  const Model model = must_parse(file.text(), options);
  EXPECT_NEAR(positions_at(model, 0.5f)[0].x, 5, 1e-3);
  const double w = 5000.0 / 9999;
  double t = 0;
  for (double step = 0.5; step > 1e-12; step /= 2) {
    const double u = t + step, s = 1 - u;
    if (3 * s * s * u * w + 3 * s * u * u * (1 - w) + u * u * u < 0.25) t = u;
  }
  EXPECT_NEAR(positions_at(model, 0.25f)[0].x, 10 * (3 * (1 - t) * t * t + t * t * t), 1e-4);
}

TEST(Fbx, Layers) {
  const auto x_at_one = [](const std::string& properties, const std::string& target) {
    File file;
    file.node(1, "Bone", "LimbNode", 0)
        .stack()
        .curve(10, {10, 10, 11})
        .animate(20, 901, 1, target, 'X', 10);
    file.layer(902, properties)
        .curve(11, {30, 30, 31})
        .animate(21, 902, 1, target, 'X', 11, target == "Lcl Scaling" ? "d/Y=1|d/Z=1" : "");
    const Model model = must_parse(file.text());
    if (target == "Lcl Translation") return positions_at(model, 1)[0].x;
    if (target == "Lcl Scaling") return length(axis_of(world_of(model, "Bone", 1), 0));
    const Vec3 y = axis_of(world_of(model, "Bone", 1), 1);
    return atan2(y.z, y.y) * kRadToDeg;
  };
  EXPECT_NEAR(x_at_one("BlendMode=0", "Lcl Translation"), 40, 1e-4);
  EXPECT_NEAR(x_at_one("BlendMode=0|Weight=50", "Lcl Translation"), 25, 1e-4);
  EXPECT_NEAR(x_at_one("BlendMode=1|Weight=50", "Lcl Translation"), 30, 1e-4);
  EXPECT_NEAR(x_at_one("BlendMode=2|Weight=50", "Lcl Translation"), 20, 1e-4);
  EXPECT_NEAR(x_at_one("Mute=1", "Lcl Translation"), 10, 1e-4);
  EXPECT_NEAR(x_at_one("Solo=1", "Lcl Translation"), 30, 1e-4);
  EXPECT_NEAR(x_at_one("BlendMode=0", "Lcl Scaling"), 300, 1e-2);
  EXPECT_NEAR(x_at_one("BlendMode=0|ScaleAccumulationMode=1", "Lcl Scaling"), 40, 1e-3);
  EXPECT_NEAR(x_at_one("BlendMode=0|RotationAccumulationMode=1", "Lcl Rotation"), 40, 1e-3);
}

TEST(Fbx, LayersCombineWholeRotations) {
  // 90 about Z below, 90 about X above: as whole rotations, +Y goes to +Z, then stays.
  File file;
  file.node(1, "Bone", "LimbNode", 0)
      .stack()
      .curve(10, {90, 90, 91})
      .animate(20, 901, 1, "Lcl Rotation", 'Z', 10);
  file.layer(902, "BlendMode=0")
      .curve(11, {90, 90, 91})
      .animate(21, 902, 1, "Lcl Rotation", 'X', 11);
  const Mat3x4 world = world_of(must_parse(file.text()), "Bone", 1);
  expect_near(axis_of(world, 1), {0, 0, 1}, 1e-4f);
  expect_near(axis_of(world, 0), {0, 1, 0}, 1e-4f);
}

TEST(Fbx, ChannelsThatStayHaveOneKeyOrNone) {
  File file;
  file.node(1, "A", "LimbNode", 0, "Lcl Translation=3,0,0")
      .node(2, "B", "LimbNode", 1, "Lcl Translation=1,0,0")
      .stack();
  file.curve(10, {3, 3, 3}).animate(20, 901, 1, "Lcl Translation", 'X', 10);
  file.curve(11, {2, 2, 2}).animate(21, 901, 2, "Lcl Translation", 'X', 11);
  const Model model = must_parse(file.text());
  ASSERT_EQ(model.clips.at(0).tracks.size(), 1u);
  EXPECT_EQ(model.clips[0].tracks[0].joint, 1);
  EXPECT_EQ(model.clips[0].tracks[0].translation.times, (std::vector<float>{0}));
}

const char* kQuad =
    "  Vertices: *12 {\n   a: 0,0,0,2,0,0,2,2,0,0,2,0\n  }\n  PolygonVertexIndex: *4 {\n   a: "
    "0,1,2,-4\n  }\n"
    "  LayerElementNormal: 0 {\n   MappingInformationType: \"AllSame\"\n   "
    "ReferenceInformationType: \"Direct\"\n   Normals: *3 {\n    a: 0,0,1\n   }\n  }\n"
    "  LayerElementUV: 0 {\n   MappingInformationType: \"ByPolygonVertex\"\n   "
    "ReferenceInformationType: \"IndexToDirect\"\n"
    "   UV: *4 {\n    a: 0,0,1,0.25\n   }\n   UVIndex: *4 {\n    a: 0,1,1,0\n   }\n  }\n";

TEST(Fbx, RigidMeshOnABone) {
  const Model model = must_parse(
      File()
          .node(1, "Hand", "LimbNode", 0, "Lcl Translation=0,1,0|Lcl Scaling=2,2,2")
          .node(2, "Sword", "Mesh", 1, "Lcl Translation=1,0,0|GeometricTranslation=0,0,5")
          .object("Geometry", 3, "Mesh", "", kQuad)
          .link(3, 2)
          .object("Material", 4, "", "DiffuseColor=1,0.5,0|DiffuseFactor=0.5|Opacity=0.25")
          .link(4, 2)
          .text());
  ASSERT_EQ(model.meshes.size(), 1u);
  const Mesh& mesh = model.meshes[0];
  EXPECT_EQ(mesh.name, "Sword");
  EXPECT_EQ(mesh.joint, 0);
  EXPECT_EQ(mesh.skin, -1);
  EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  ASSERT_EQ(mesh.positions.size(), 4u);
  // In the joint's space, which has no scale: the bone's factor 2 is in the points.
  expect_near(mesh.positions[2], {6, 4, 10}, 1e-5f);
  expect_near(mesh.normals[2], {0, 0, 1}, 1e-6f);
  EXPECT_FLOAT_EQ(mesh.uvs[1].y, 0.75f);  // v points down
  ASSERT_EQ(model.materials.size(), 1u);
  EXPECT_FLOAT_EQ(model.materials[0].base_color.y, 0.25f);
  EXPECT_EQ(model.materials[0].alpha, Material::Alpha::kBlend);
}

TEST(Fbx, SkinnedMeshFollowsItsBones) {
  const std::string identity = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
  const std::string at_one = "1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1";
  const std::string to_one = "1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1";
  const auto cluster = [](const std::string& points, const std::string& transform,
                          const std::string& link) {
    return "  Indexes: *2 {\n   a: " + points +
           "\n  }\n  Weights: *2 {\n   a: 0.5,0.5\n  }\n  Transform: *16 {\n   a: " + transform +
           "\n  }\n  TransformLink: *16 {\n   a: " + link + "\n  }\n";
  };
  File file;
  file.node(1, "A", "LimbNode", 0)
      .node(2, "B", "LimbNode", 1, "Lcl Translation=0,1,0")
      .node(3, "Body", "Mesh", 0);
  file.object("Geometry", 4, "Mesh", "", kQuad).link(4, 3);
  file.object("Deformer", 5, "Skin", "").link(5, 4);
  file.object("Deformer", 6, "Cluster", "", cluster("0,1", identity, identity))
      .link(6, 5)
      .link(1, 6);
  file.object("Deformer", 7, "Cluster", "", cluster("1,2", to_one, at_one)).link(7, 5).link(2, 7);
  const Model model = must_parse(file.text());
  ASSERT_EQ(model.skins.size(), 1u);
  const Skin& skin = model.skins[0];
  EXPECT_EQ(skin.joints, (std::vector<int>{0, 1}));
  ASSERT_EQ(model.meshes.size(), 1u);
  const Mesh& mesh = model.meshes[0];
  EXPECT_EQ(mesh.skin, 0);
  EXPECT_FLOAT_EQ(mesh.weights[1].x + mesh.weights[1].y, 1);
  EXPECT_FLOAT_EQ(mesh.weights[1].x, 0.5f);
  EXPECT_EQ(mesh.joints[2][0], 1);
  EXPECT_FLOAT_EQ(mesh.weights[2].x, 1);
  EXPECT_NE(find_finding(model.findings, "fbx.unweighted_points"), nullptr);  // point 3
  // At rest, which is the bind pose here, skinning changes nothing.
  for (std::size_t j = 0; j < 2; ++j) {
    const Mat3x4 m = model.skeleton.rest_model()[static_cast<std::size_t>(skin.joints[j])] *
                     skin.inverse_bind[j];
    expect_near(transform_point(m, {2, 2, 0}), {2, 2, 0}, 1e-6f);
  }
  FbxOptions options = in_metres();
  options.skip_meshes = true;
  EXPECT_TRUE(must_parse(file.text(), options).meshes.empty());
}

// ---------------------------------------------------------------------------------- binary files

template <class T>
std::string bytes_of(T v) {
  std::string out(sizeof v, '\0');
  std::memcpy(out.data(), &v, sizeof v);
  return out;
}

struct Record {
  std::string name, values;
  std::uint32_t count = 0;
  std::vector<Record> children;

  Record& text(const std::string& s) {
    values += "S" + bytes_of(static_cast<std::uint32_t>(s.size())) + s;
    ++count;
    return *this;
  }
  Record& id(std::int64_t v) {
    values += "L" + bytes_of(v);
    ++count;
    return *this;
  }
  Record& number(double v) {
    values += "D" + bytes_of(v);
    ++count;
    return *this;
  }
  // A deflate stream of one stored block.
  Record& packed_doubles(const std::vector<double>& list) {
    std::string raw;
    for (const double v : list) raw += bytes_of(v);
    std::uint32_t a = 1, b = 0;
    for (const char c : raw) {
      a = (a + static_cast<unsigned char>(c)) % 65521;
      b = (b + a) % 65521;
    }
    const auto length = static_cast<std::uint16_t>(raw.size());
    std::string packed = std::string("\x78\x01\x01", 3) + bytes_of(length) +
                         bytes_of(static_cast<std::uint16_t>(~length)) + raw;
    for (const std::uint32_t v : {b >> 8, b & 255u, a >> 8, a & 255u})
      packed += static_cast<char>(v);
    values += "d" + bytes_of(static_cast<std::uint32_t>(list.size())) + bytes_of(std::uint32_t{1}) +
              bytes_of(static_cast<std::uint32_t>(packed.size())) + packed;
    ++count;
    return *this;
  }
  std::string write(std::size_t at, bool wide) const {
    const std::size_t head = (wide ? 25 : 13) + name.size();
    std::string body = values;
    for (const Record& child : children) body += child.write(at + head + body.size(), wide);
    if (!children.empty()) body += std::string(wide ? 25 : 13, '\0');
    const std::size_t end = at + head + body.size();
    std::string out;
    if (wide) {
      out = bytes_of<std::uint64_t>(end) + bytes_of<std::uint64_t>(count) +
            bytes_of<std::uint64_t>(values.size());
    } else {
      out = bytes_of(static_cast<std::uint32_t>(end)) + bytes_of(count) +
            bytes_of(static_cast<std::uint32_t>(values.size()));
    }
    return out + static_cast<char>(name.size()) + name + body;
  }
};

std::string binary_file(std::uint32_t version) {
  using namespace std::string_literals;
  Record p{"P", {}, 0, {}};
  p.text("Lcl Translation").text("").text("").text("A").number(1).number(2).number(3);
  Record list{"Properties70", {}, 0, {p}};
  Record bone{"Model", {}, 0, {list}};
  bone.id(1).text("Bone\0\1Model"s).text("LimbNode");
  Record vertices{"Vertices", {}, 0, {}}, polygon{"PolygonVertexIndex", {}, 0, {}};
  vertices.packed_doubles({0, 0, 0, 1, 0, 0, 0, 1, 0});
  polygon.id(0).id(1).id(-3);
  Record geometry{"Geometry", {}, 0, {vertices, polygon}};
  geometry.id(3).text("\0\1Geometry"s).text("Mesh");
  Record mesh{"Model", {}, 0, {}};
  mesh.id(2).text("Prop\0\1Model"s).text("Mesh");
  const auto link = [](std::int64_t a, std::int64_t b) {
    Record c{"C", {}, 0, {}};
    c.text("OO").id(a).id(b);
    return c;
  };
  const bool wide = version >= 7500;
  std::string out = "Kaydara FBX Binary  \0\x1a\0"s + bytes_of(version);
  out += Record{"Objects", {}, 0, {bone, mesh, geometry}}.write(out.size(), wide);
  out += Record{"Connections", {}, 0, {link(2, 1), link(3, 2)}}.write(out.size(), wide);
  return out + std::string(wide ? 25 : 13, '\0');
}

TEST(Fbx, BinaryFilesOfBothWidths) {
  for (const std::uint32_t version : {7400u, 7500u}) {
    SCOPED_TRACE(version);
    const Model model = must_parse(binary_file(version));
    ASSERT_EQ(model.skeleton.joint_count(), 1);
    EXPECT_EQ(model.skeleton.name(0), "Bone");
    expect_near(model.skeleton.rest(0).translation, {1, 2, 3}, 0);
    ASSERT_EQ(model.meshes.size(), 1u);
    EXPECT_EQ(model.meshes[0].name, "Prop");
    EXPECT_EQ(model.meshes[0].positions.size(), 3u);
  }
}

TEST(Fbx, EveryPrefixIsReadOrRefused) {
  for (const std::string& file : {binary_file(7400), binary_file(7500),
                                  File()
                                      .node(1, "Bone", "LimbNode", 0, "Lcl Translation=1,2,3")
                                      .stack()
                                      .curve(10, {1, 2})
                                      .text()}) {
    int refused = 0;
    for (std::size_t i = 0; i < file.size(); ++i)
      refused += parse_fbx(file.substr(0, i), "cut.fbx").ok() ? 0 : 1;
    EXPECT_GT(refused, 100);
  }
}

TEST(Fbx, EveryChangedByteIsReadOrRefused) {
  const std::string file = binary_file(7400);
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (const char v : {'\0', '\x7f', '\xff'}) {
      std::string damaged = file;
      damaged[i] = v;
      const Result<Model> model = parse_fbx(damaged, "damaged.fbx");
      if (!model.ok()) {
        EXPECT_FALSE(model.error().message.empty());
      }
    }
  }
}

TEST(Fbx, ErrorsSayWhere) {
  const auto error_of = [](const std::string& bytes) {
    const Result<Model> model = parse_fbx(bytes, "a.fbx");
    return model.ok() ? std::string("read") : to_string(model.error());
  };
  const auto with_curve = [](const std::string& body) {
    return File()
        .node(1, "B", "LimbNode", 0)
        .stack()
        .object("AnimationCurve", 10, "", "", body)
        .animate(20, 901, 1, "Lcl Translation", 'X', 10)
        .text();
  };
  const auto with_mesh = [](const std::string& body) {
    return File().node(1, "B", "Mesh", 0).object("Geometry", 2, "Mesh", "", body).link(2, 1).text();
  };
  struct Case {
    std::string file;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"", "a.fbx: end: the file has no 'Objects'"},
      {"Objects: {\n", "a.fbx: line 2, column 1: a '}' is missing at the end"},
      {"Objects: {\n}\n}\n", "a.fbx: line 3, column 1: there is one '}' too many"},
      {"{\n", "a.fbx: line 1, column 1: expected a node"},
      {std::string("PK\0\0", 4), "neither a binary nor an ASCII FBX file"},
      {with_curve("  KeyTime: *1 {\n   a: 0,1\n  }\n  KeyValueFloat: *1 {\n   a: 1\n  }\n"),
       "a curve has 2 times, but 1 values"},
      {with_curve("  KeyTime: *1 {\n   a: 0\n  }\n  KeyValueFloat: *1 {\n   a: nan\n  }\n"),
       "'nan' is not a finite number"},
      {with_mesh(
           "  Vertices: *3 {\n   a: 0,0,1,5\n  }\n  PolygonVertexIndex: *1 {\n   a: 0,0,-9\n  }\n"),
       "mesh 'B': 'Geometry'"},
      {with_mesh(
           "  Vertices: *3 {\n   a: 0,0,1,5\n  }\n  PolygonVertexIndex: *1 {\n   a: 0,0,-9\n  }\n"),
       "a polygon uses point 8 of 1"},
  };
  for (const Case& c : cases)
    EXPECT_NE(error_of(c.file).find(c.message), std::string::npos) << error_of(c.file);
  FbxOptions options;
  options.sample_rate = -1;
  EXPECT_EQ(parse_fbx("", "a.fbx", options).error().code, ErrorCode::kInvalidArgument);
  options = {};
  options.max_bytes = 4;
  EXPECT_EQ(parse_fbx("Objects:", "a.fbx", options).error().code, ErrorCode::kLimit);
}

// Found by fuzzing: a version beyond any integer.
TEST(Fbx, VersionsBeyondIntegers) {
  std::string text = File().node(1, "B", "LimbNode", 0).text();
  text.replace(text.find("7400"), 4, "4099280000000000000");
  EXPECT_EQ(must_parse(text).skeleton.joint_count(), 1);
}

// An animation that lasts for centuries asks for more keys than any memory holds.
TEST(Fbx, TooLongAnimationsAreErrors) {
  File file;
  file.node(1, "B", "LimbNode", 0).stack();
  std::string text = file.text();
  text.replace(text.find("92372316000"), 11, "36948926400000000");  // 800000 s
  const Result<Model> model = parse_fbx(text, "a.fbx");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace sinew
