#include <sinew/unity/clip.hpp>

#include "source_text.hpp"
#include "unity_testing.hpp"

namespace sinew::unity {
namespace {

// controller -> ours -> .controller -> ours; the files and names around stay the same.
void expect_round_trip(const Controller& first, const AssetMap* assets = nullptr) {
  const Result<WrittenController> written = write_controller(first, assets);
  ASSERT_TRUE(written) << to_string(written.error());
  const Result<Controller> second =
      read_controller(written->text, "written.controller", {assets, true});
  ASSERT_TRUE(second) << to_string(second.error());
  EXPECT_EQ(SourceText::of(first.source), SourceText::of(second->source));
  ASSERT_EQ(first.behaviours.size(), second->behaviours.size());
  for (std::size_t i = 0; i < first.behaviours.size(); ++i) {
    EXPECT_EQ(first.behaviours[i].fields, second->behaviours[i].fields);
    EXPECT_EQ(first.behaviours[i].script, second->behaviours[i].script);
    EXPECT_EQ(first.behaviours[i].owner, second->behaviours[i].owner);
  }
  const Result<WrittenController> again = write_controller(*second, assets);
  ASSERT_TRUE(again);
  EXPECT_EQ(written->text, again->text);
}

TEST(UnityController, ReadsTheLayoutOfUnity4) {
  const Controller c = must_read(slurp(kOwnData / "unity4.controller"));
  EXPECT_EQ(count_of(c.findings, "unity.missing_motion"), 4) << listing(c.findings);
  EXPECT_EQ(c.findings.size(), 4u) << listing(c.findings);
  ASSERT_EQ(c.source.layers.size(), 2u);
  EXPECT_EQ(c.source.parameters[0].value, 0.5);
  EXPECT_EQ(c.source.parameters[1].type, ParameterType::kTrigger);
  const MachineSource& root = c.source.layers[0].root;
  EXPECT_EQ(root.default_state, "Idle");
  ASSERT_EQ(root.states.size(), 2u);
  const StateSource& idle = root.states[0];
  EXPECT_EQ(idle.tag, "calm");
  EXPECT_TRUE(idle.foot_ik);
  EXPECT_TRUE(idle.write_defaults);
  EXPECT_EQ(idle.motion.motion, "00000000000000000000000000000001");
  ASSERT_EQ(idle.transitions.size(), 1u);
  EXPECT_EQ(idle.transitions[0].to, "Move");
  EXPECT_FALSE(idle.transitions[0].fixed);
  EXPECT_EQ(idle.transitions[0].duration, 0.1);
  EXPECT_EQ(idle.transitions[0].interruption, Interruption::kCurrent);  // not atomic
  EXPECT_FALSE(idle.transitions[0].exit_time);
  const StateSource& move = root.states[1];
  EXPECT_EQ(move.speed, -1.5);
  EXPECT_TRUE(move.mirror);
  ASSERT_EQ(move.transitions.size(), 1u);
  EXPECT_EQ(move.transitions[0].exit_time, 0.9);
  EXPECT_TRUE(move.transitions[0].conditions.empty());
  EXPECT_EQ(move.transitions[0].interruption, Interruption::kNone);
  EXPECT_EQ(move.transitions[0].offset, 0.5);
  ASSERT_EQ(move.motion.children.size(), 2u);
  EXPECT_EQ(move.motion.x, "Speed");
  EXPECT_EQ(move.motion.children[0].threshold, 0);  // sorted
  EXPECT_EQ(move.motion.children[0].node.motion, "00000000000000000000000000000003#7400002");
  EXPECT_TRUE(move.motion.children[0].mirror);
  ASSERT_EQ(root.machines.size(), 1u);
  EXPECT_EQ(root.machines[0].name, "Falling");
  EXPECT_EQ(root.machines[0].states[0].transitions[0].to, "Idle");
  ASSERT_EQ(root.any.size(), 1u);
  EXPECT_EQ(root.any[0].to, "Falling.Fall");
  EXPECT_TRUE(root.any[0].to_self);
  const LayerSource& wounded = c.source.layers[1];
  EXPECT_EQ(wounded.sync, "Base");
  EXPECT_TRUE(wounded.sync_timing);
  EXPECT_EQ(wounded.weight, 0.25);
  ASSERT_EQ(wounded.synced_motions.size(), 1u);
  EXPECT_EQ(wounded.synced_motions[0].state, "Idle");
  EXPECT_EQ(wounded.synced_motions[0].motion.motion, "00000000000000000000000000000002");
  EXPECT_TRUE(compile_controller(c.source));
  expect_round_trip(c);
}

TEST(UnityController, ReadsTheLayoutOfUnity50) {
  const Controller c = must_read(slurp(kOwnData / "unity5_0.controller"));
  EXPECT_TRUE(c.findings.empty()) << listing(c.findings);
  EXPECT_EQ(c.source.parameters[0].value, 1);
  EXPECT_EQ(c.source.parameters[1].value, 3);
  const MachineSource& root = c.source.layers[0].root;
  const TransitionSource& quick = root.states[0].transitions[0];
  EXPECT_EQ(quick.name, "quick");
  EXPECT_EQ(quick.exit_time, 0.8);
  EXPECT_FALSE(quick.fixed);
  EXPECT_EQ(quick.interruption, Interruption::kCurrent);
  ASSERT_EQ(quick.conditions.size(), 2u);
  EXPECT_EQ(quick.conditions[1].mode, ConditionMode::kEquals);
  EXPECT_EQ(root.states[1].transitions[0].to, kExitName);
  ASSERT_EQ(c.behaviours.size(), 1u);
  EXPECT_EQ(root.states[0].behaviours[0], "000000000000000000000000000000aa");
  EXPECT_EQ(c.behaviours[0].owner, "A");
  EXPECT_EQ(c.behaviours[0].fields, "  volume: .5\n  clips:\n  - step\n  - land\n");
  EXPECT_TRUE(compile_controller(c.source));
  expect_round_trip(c);
}

TEST(UnityController, ReadsWhatRealFilesSeldomHave) {
  const Result<Controller> c = load_controller(kOwnData / "project/Assets/Features.controller");
  ASSERT_TRUE(c) << to_string(c.error());
  EXPECT_TRUE(c->findings.empty()) << listing(c->findings);
  const LayerSource& base = c->source.layers[0];
  const StateSource& idle = base.root.states[0];
  EXPECT_EQ(idle.mirror_parameter, "Left Handed");
  EXPECT_EQ(idle.cycle_offset_parameter, "Phase");
  EXPECT_EQ(idle.time_parameter, "Phase");
  EXPECT_EQ(idle.speed_parameter, "Pace");
  EXPECT_FALSE(idle.write_defaults);
  EXPECT_EQ(idle.motion.motion, "Idle");
  EXPECT_EQ(idle.behaviours, (std::vector<std::string>{"Footsteps", "Footfall"}));
  EXPECT_TRUE(base.root.states[1].speed_parameter.empty());  // named, but not active
  EXPECT_EQ(base.root.states[1].motion.motion, "Look Round");
  EXPECT_TRUE(idle.transitions[0].solo);
  EXPECT_FALSE(idle.transitions[0].ordered);
  EXPECT_EQ(idle.transitions[0].interruption, Interruption::kCurrentThenNext);
  EXPECT_EQ(idle.transitions[0].conditions[0].parameter, "Say: \"hi\"");
  EXPECT_EQ(idle.transitions[1].to, "Inner");
  EXPECT_TRUE(idle.transitions[1].mute);
  EXPECT_TRUE(idle.transitions[1].ordered);
  EXPECT_FALSE(idle.transitions[1].fixed);
  EXPECT_EQ(base.root.default_state, "Inner.Deep");
  const MachineSource& inner = base.root.machines[0];
  EXPECT_EQ(base.root.any[0].to, "Inner.Idle");
  // "Idle" would mean the neighbour.
  EXPECT_EQ(inner.states[1].transitions[0].to, "Base.Idle");
  EXPECT_EQ(inner.states[0].transitions[0].to, kExitName);
  ASSERT_EQ(inner.after_exit.size(), 2u);
  EXPECT_EQ(inner.after_exit[0].to, "Look");
  EXPECT_TRUE(inner.after_exit[1].mute);
  EXPECT_TRUE(base.root.entry[0].solo);
  EXPECT_EQ(inner.behaviours, (std::vector<std::string>{"Footsteps"}));
  const LayerSource& tired = c->source.layers[1];
  EXPECT_EQ(tired.mask, "Upper");
  EXPECT_EQ(tired.blending, LayerBlending::kAdditive);
  EXPECT_TRUE(tired.sync_timing);
  ASSERT_EQ(tired.synced_motions.size(), 2u);
  EXPECT_EQ(tired.synced_motions[1].state, "Inner.Deep");
  const MotionNodeSource& direct = tired.synced_motions[1].motion;
  EXPECT_EQ(direct.type, TreeType::kDirect);
  EXPECT_TRUE(direct.normalize);
  EXPECT_EQ(direct.children[0].time_scale, -1);
  EXPECT_EQ(direct.children[1].node.type, TreeType::kFreeformCartesian);
  // Length, loop and events come from the clips that are there.
  ASSERT_EQ(c->source.motions.size(), 4u);
  EXPECT_EQ(c->source.motions[0].name, "Idle");
  EXPECT_EQ(c->source.motions[0].length, 2.0);
  EXPECT_EQ(c->source.motions[0].loop, true);
  ASSERT_EQ(c->source.motions[0].events.size(), 2u);
  EXPECT_EQ(c->source.motions[0].events[0].name, "Step");
  EXPECT_EQ(c->source.motions[1].loop, false);  // of the model's .meta file
  Findings findings;
  EXPECT_TRUE(compile_controller(c->source, &findings)) << listing(findings);
  AssetMap assets;
  ASSERT_TRUE(assets.scan_folder(kOwnData / "project/Assets"));
  expect_round_trip(*c, &assets);
}

TEST(UnityController, OverridesGoByReferenceAndMayBeChained) {
  const Result<Controller> c =
      load_controller(kOwnData / "project/Assets/Swapped.overrideController");
  ASSERT_TRUE(c) << to_string(c.error());
  EXPECT_EQ(c->source.name, "Swapped");
  EXPECT_EQ(c->source.layers[0].root.states[0].motion.motion, "Tired");
  EXPECT_EQ(c->source.layers[1].synced_motions[0].motion.motion, "Idle");
  const MotionNodeSource& plane = c->source.layers[0].root.machines[0].states[0].motion;
  EXPECT_EQ(plane.children[0].node.motion, "Tired");
  EXPECT_EQ(plane.children[1].node.motion, "Idle");
  const Result<Controller> again =
      load_controller(kOwnData / "project/Assets/Again.overrideController");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->source.layers[0].root.states[0].motion.motion, "Tired");
  EXPECT_EQ(again->source.layers[0].root.states[1].motion.motion, "Walk");
  for (const MotionSource& m : again->source.motions) EXPECT_NE(m.name, "Look Round");
  EXPECT_EQ(again->motions.size(), again->source.motions.size());
}

TEST(UnityController, TakesNamesFromAMotionMap) {
  AssetMap map;
  ASSERT_TRUE(map.add_json(R"({"sinew": "motion_map/1", "motions": {
      "00000000000000000000000000000001": "Stand",
      "00000000000000000000000000000002": {"name": "Limp", "length": 1.5, "loop": false},
      "00000000000000000000000000000003#7400000": "anims/Run.fbx",
      "00000000000000000000000000000003#7400002": "Walk"}})",
                           "maps/m.json"));
  const Result<Controller> c =
      read_controller(slurp(kOwnData / "unity4.controller"), "c", {&map, true});
  ASSERT_TRUE(c);
  EXPECT_TRUE(c->findings.empty()) << listing(c->findings);
  ASSERT_EQ(c->motions.size(), 4u);
  EXPECT_EQ(c->motions[0].name, "Stand");
  EXPECT_EQ(c->motions[1].name, "Walk");
  EXPECT_EQ(c->motions[2].name, "Run");
  EXPECT_EQ(c->motions[2].file, std::filesystem::path("maps/anims/Run.fbx"));
  EXPECT_EQ(c->source.motions[3].length, 1.5);
  EXPECT_EQ(c->source.motions[3].loop, false);
  expect_round_trip(*c, &map);
  // Without the reader's notes, the map alone leads back to the references.
  const Result<WrittenController> written = write_controller(c->source, {nullptr, &map});
  ASSERT_TRUE(written);
  EXPECT_NE(written->text.find("{fileID: 7400002, guid: 00000000000000000000000000000003"),
            std::string::npos);
  EXPECT_EQ(count_of(written->findings, "unity.made_up_guid"), 0);
}

TEST(UnityController, RefusesBadMotionMaps) {
  const auto message = [](const char* text) {
    AssetMap map;
    const Status s = map.add_json(text, "m.json");
    return s ? std::string() : to_string(s.error());
  };
  EXPECT_NE(message("{").find("m.json: is not valid JSON"), std::string::npos);
  EXPECT_NE(message("{}").find("motion_map/1"), std::string::npos);
  EXPECT_NE(message(R"({"sinew":"motion_map/1","motions":{"12":"a"}})").find("motions: '12'"),
            std::string::npos);
  const std::string near = message(
      R"({"sinew":"motion_map/1","motions":{"00000000000000000000000000000001":{"lenght":1}}})");
  EXPECT_NE(near.find("did you mean 'length'"), std::string::npos) << near;
}

TEST(UnityController, WritesWhatTheFormatHasNoPlaceForAsNotes) {
  using namespace build;
  ControllerSource source;
  source.name = "ours";
  source.parameters.push_back({"speed", ParameterType::kFloat, 0.1});
  source.policy.carry_exit_overshoot = true;
  LayerSource layer;
  layer.name = "base";
  layer.root_motion = true;
  MachineSource inner = machine("Inner");
  inner.add(state("Walk").plays("Walk: \"slow\"\n"));
  layer.root.add(state("Idle").plays("Idle").to(transition("Inner").when("speed", greater, 0.1)));
  layer.root.add(inner).starts_in("Inner");
  source.layers.push_back(layer);
  const Result<WrittenController> written = write_controller(source);
  ASSERT_TRUE(written) << to_string(written.error());
  EXPECT_EQ(count_of(written->findings, "unity.not_kept"), 2) << listing(written->findings);
  EXPECT_EQ(count_of(written->findings, "unity.made_up_guid"), 2);
  AssetMap names;
  for (const NamedAsset& m : written->motions) names.add(m.ref, {m.name, {}, {}, {}});
  const Result<Controller> back = read_controller(written->text, "w", {&names, true});
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->findings.empty()) << listing(back->findings);
  const MachineSource& root = back->source.layers[0].root;
  EXPECT_EQ(root.machines[0].states[0].motion.motion, "Walk: \"slow\"\n");
  // A machine as the default is an entry that always holds.
  ASSERT_EQ(root.entry.size(), 1u);
  EXPECT_EQ(root.entry[0].to, "Inner");
  EXPECT_TRUE(root.entry[0].conditions.empty());
}

TEST(UnityController, DoesNotWriteWhatLeadsNowhere) {
  using namespace build;
  ControllerSource source;
  LayerSource layer;
  layer.name = "base";
  layer.root.add(state("Idle").to(transition("Wlak")));
  source.layers.push_back(layer);
  const Result<WrittenController> written = write_controller(source);
  ASSERT_FALSE(written);
  EXPECT_EQ(to_string(written.error()),
            "layer 'base': state 'Idle' -> Wlak: there is no state or machine 'Wlak', or more than "
            "one");
  source.layers[0].root.states[0].transitions.clear();
  source.layers[0].root.states[0].speed = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(write_controller(source));
}

}  // namespace
}  // namespace sinew::unity
