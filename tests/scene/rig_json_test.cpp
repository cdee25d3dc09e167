#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <sinew/rig/chain_ik.hpp>
#include <sinew/rig/height_limited_two_bone_ik.hpp>
#include <sinew/rig/multi_aim.hpp>
#include <sinew/rig/rig_def.hpp>
#include <sinew/rig/twist_chain.hpp>
#include <sinew/scene/rig_json.hpp>

namespace sinew {
namespace {

constexpr const char* kRig = R"({
  "sinew": "rig/1",
  "name": "arms",
  "nodes": [
    {
      "name": "hand_target",
      "position": [0.4, 1.2, 0.1]
    },
    {
      "name": "look_target",
      "parent": "head",
      "space": "model",
      "rotation": [0, 0.5, 0, 0.8660254]
    }
  ],
  "layers": [
    {
      "name": "arms",
      "weight": 0.5,
      "constraints": [
        {
          "type": "height_limited_two_bone_ik",
          "name": "left",
          "compat": true,
          "root": "upper",
          "mid": "lower",
          "tip": "hand",
          "target": "hand_target",
          "limit": 0.72,
          "side": "right"
        },
        {
          "type": "multi_aim",
          "name": "look",
          "driven": "head",
          "sources": [
            {
              "node": "look_target",
              "weight": 0.75
            }
          ],
          "aim_axis": "-x",
          "offset": [1, 2, 3.5],
          "axes": "xz"
        },
        {
          "type": "twist_chain",
          "name": "twist",
          "root": "upper",
          "tip": "hand",
          "root_target": "upper",
          "tip_target": "hand",
          "curve": [
            {
              "at": 0,
              "share": 0
            },
            {
              "at": 1,
              "share": 0.5
            }
          ]
        }
      ]
    },
    {
      "name": "off",
      "active": false,
      "constraints": []
    }
  ],
  "parameters": [
    {
      "parameter": "aim",
      "channel": "look.weight",
      "scale": 2,
      "offset": -0.5
    }
  ]
}
)";

Result<RigSource> parse(std::string_view text, Findings& findings) {
  return parse_rig_json(text, "x.rig.json", findings);
}

// Places and messages of all findings, one a line.
std::string faults_of(std::string_view text) {
  Findings findings;
  const Result<RigSource> rig = parse(text, findings);
  EXPECT_EQ(rig.ok(), findings.empty());
  std::string out;
  for (const Finding& f : findings) {
    EXPECT_EQ(f.file, "x.rig.json");
    out += f.place + " | " + f.message + "\n";
  }
  return out;
}

// JSON arrays of numbers stand on one line in the sample, the writer puts each on its own.
std::string without_spaces(std::string_view text) {
  std::string out;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted || !std::isspace(static_cast<unsigned char>(c))) out += c;
  }
  return out;
}

TEST(RigJson, ReadsEveryPart) {
  Findings findings;
  const Result<RigSource> rig = parse(kRig, findings);
  ASSERT_TRUE(rig.ok()) << to_string(rig.error());
  EXPECT_EQ(rig->name, "arms");
  ASSERT_EQ(rig->nodes.size(), 2u);
  EXPECT_EQ(rig->nodes[0].bind.translation, (Vec3{0.4f, 1.2f, 0.1f}));
  EXPECT_EQ(rig->nodes[1].space, RigNodeSource::Space::kModel);
  ASSERT_EQ(rig->layers.size(), 2u);
  EXPECT_FALSE(rig->layers[1].active);
  const RigConstraintSource& left = rig->layers[0].constraints[0];
  EXPECT_TRUE(left.compat);
  const auto* limited = left.constraint.get<rig::HeightLimitedTwoBoneIk>();
  ASSERT_NE(limited, nullptr);
  EXPECT_EQ(limited->limit.initial, 0.72f);
  EXPECT_EQ(limited->side, rig::HeightLimitedTwoBoneIk::Side::kRight);
  const auto* aim = rig->layers[0].constraints[1].constraint.get<rig::MultiAim>();
  ASSERT_NE(aim, nullptr);
  EXPECT_EQ(aim->aim_axis, rig::Axis::kNegativeX);
  EXPECT_FALSE(aim->axes.y);
  EXPECT_EQ(aim->sources[0].weight.initial, 0.75f);
  const auto* twist = rig->layers[0].constraints[2].constraint.get<rig::TwistChain>();
  ASSERT_EQ(twist->curve.size(), 2u);
  EXPECT_EQ(twist->curve[1].share, 0.5f);
  EXPECT_EQ(rig->drives[0].scale, 2);
}

TEST(RigJson, WritesWhatItReads) {
  Findings findings;
  const Result<RigSource> rig = parse(kRig, findings);
  ASSERT_TRUE(rig.ok());
  const std::string text = write_rig_json(*rig);
  EXPECT_EQ(without_spaces(text), without_spaces(kRig));
  // Stable: writing again changes nothing.
  EXPECT_EQ(write_rig_json(*parse(text, findings)), text);
}

TEST(RigJson, NamesFaultsByPlace) {
  EXPECT_NE(faults_of("{\n\"sinew\": \"rig/1\",\n]").find("line 3 |"), std::string::npos);
  EXPECT_NE(faults_of("[]").find("must be an object"), std::string::npos);
  EXPECT_NE(faults_of("{}").find("a rig begins with"), std::string::npos);
  EXPECT_NE(faults_of(R"({"sinew":"rig/2"})").find("'rig/2' cannot be read here"),
            std::string::npos);
  EXPECT_EQ(faults_of(R"({"sinew":"rig/1","layrs":[]})"),
            " | unknown key 'layrs'; did you mean 'layers'?\n");
  const std::string faults = faults_of(R"({"sinew":"rig/1","layers":[{"name":"arms","constraints":[
    {"type":"two_bone_ick","name":"a","root":"x"},
    {"type":"two_bone_ik","name":"left","root":5,"hint_weigth":1,"maintain_position":"yes"},
    {"type":"multi_aim","name":"look","world_up":"scen","sources":[{"nod":"x"}],"axes":"xw"},
    {"type":"chain_ik","name":"tail","iterations":2.5}]}]})");
  EXPECT_EQ(faults,
            "layer 'arms': constraint 'a': type | there is no constraint of type 'two_bone_ick'; "
            "did you mean 'two_bone_ik'?\n"
            "layer 'arms': constraint 'left': root | must be text\n"
            "layer 'arms': constraint 'left': maintain_position | must be true or false\n"
            "layer 'arms': constraint 'left' | unknown key 'hint_weigth'; did you mean "
            "'hint_weight'?\n"
            "layer 'arms': constraint 'look': sources 0 | unknown key 'nod'; did you mean 'node'?\n"
            "layer 'arms': constraint 'look': world_up | 'scen' is not one of 'none', 'scene', "
            "'object', 'object_rotation', 'vector'; did you mean 'scene'?\n"
            "layer 'arms': constraint 'look': axes | must be letters out of x, y and z\n"
            "layer 'arms': constraint 'tail': iterations | must be a whole number\n");
}

TEST(RigJson, SurvivesDamagedText) {
  const std::string good = kRig;
  for (std::size_t i = 0; i < good.size(); i += 7) {
    for (const char c : {'"', '[', '0', '\xff', '}'}) {
      std::string bad = good;
      bad[i] = c;
      Findings findings;
      const Result<RigSource> rig = parse(bad, findings);
      EXPECT_EQ(rig.ok(), findings.empty());
      if (rig) write_rig_json(*rig);
    }
    Findings findings;
    EXPECT_FALSE(parse(std::string_view(good).substr(0, i), findings).ok());
  }
}

TEST(RigJson, EveryConstraintRoundTripsAtItsDefaults) {
  const rig::ConstraintRegistry registry;
  RigSource source;
  RigLayerSource& layer = source.add_layer("all");
  for (const rig::ConstraintType* type : registry.types()) {
    layer.constraints.push_back({type->name, 1, false, rig::ConstraintBox(*type)});
  }
  const std::string text = write_rig_json(source);
  Findings findings;
  const Result<RigSource> again = parse(text, findings);
  ASSERT_TRUE(again.ok()) << to_string(again.error());
  EXPECT_EQ(again->layers[0].constraints.size(), registry.types().size());
  EXPECT_EQ(write_rig_json(*again), text);
}

// A program's own constraint is read and written like the built-in ones.
struct Lift {
  static constexpr const char* kName = "lift";
  static constexpr const char* kSummary = "Lifts a joint";
  rig::NodeRef driven;
  rig::Value by{0.25f};
  void fields(rig::FieldVisitor& v) {
    v.node("driven", driven, rig::NodeUse::kDriven);
    v.value("by", by, -1, 1);
  }
  RigStatus evaluate(rig::RigEval& e) const {
    const Vec3 at = e.position(driven);
    e.set_position(driven, at + kAxisY * (e.value(by) * e.weight()));
    return RigStatus::kSatisfied;
  }
};

TEST(RigJson, ReadsAConstraintOfTheProgram) {
  const char* text = R"({"sinew":"rig/1","layers":[{"name":"l","constraints":[
    {"type":"lift","name":"up","driven":"a","by":0.5}]}]})";
  EXPECT_NE(faults_of(text).find("no constraint of type 'lift'"), std::string::npos);
  rig::ConstraintRegistry registry;
  registry.add<Lift>();
  Findings findings;
  const Result<RigSource> rig = parse_rig_json(text, "x.rig.json", findings, &registry);
  ASSERT_TRUE(rig.ok()) << to_string(rig.error());
  EXPECT_EQ(rig->layers[0].constraints[0].constraint.get<Lift>()->by.initial, 0.5f);
  EXPECT_NE(write_rig_json(*rig).find("\"by\": 0.5"), std::string::npos);
  EXPECT_NE(rig_json_schema(registry).find("\"const\": \"lift\""), std::string::npos);
}

TEST(RigJson, SchemaFileIsUpToDate) {
  std::ifstream file(SINEW_SOURCE_DIR "/docs/schema/rig.schema.json");
  std::stringstream text;
  text << file.rdbuf();
  const std::string schema = rig_json_schema(rig::ConstraintRegistry());
  if (text.str() != schema) {
    std::ofstream(SINEW_BINARY_DIR "/rig.schema.json") << schema;
  }
  EXPECT_TRUE(text.str() == schema) << "docs/schema/rig.schema.json differs; the right one is "
                                       "rig.schema.json in the build folder";
}

}  // namespace
}  // namespace sinew
