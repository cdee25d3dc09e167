// Every fault says where it is and why, and what can be read still is.
#include "unity_testing.hpp"

namespace sinew::unity {
namespace {

// A controller of one layer; the documents given come behind it.
std::string with(const std::string& documents, const std::string& parameters = {}) {
  return "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!91 &9100000\nAnimatorController:\n"
         "  m_Name: t\n  m_AnimatorParameters:\n" +
         parameters + "  m_AnimatorLayers:\n  - m_Name: Base\n    m_StateMachine: {fileID: 1}\n" +
         documents;
}

const char* const kRoot =
    "--- !u!1107 &1\nAnimatorStateMachine:\n  m_ChildStates:\n  - m_State: {fileID: 2}\n"
    "  - m_State: {fileID: 3}\n  m_ChildStateMachines: []\n  m_DefaultState: {fileID: 2}\n";
const char* const kStateA =
    "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Transitions:\n  - {fileID: 10}\n";
const char* const kStateB = "--- !u!1102 &3\nAnimatorState:\n  m_Name: B\n  m_Transitions: []\n";
const char* const kToB =
    "--- !u!1101 &10\nAnimatorStateTransition:\n  m_Conditions: []\n  m_DstState: {fileID: 3}\n"
    "  m_HasExitTime: 1\n";

struct Fault {
  const char* what;
  std::string text;
  const char* code;
  const char* place;
  const char* message;
};

TEST(UnityFaults, SayPlaceAndReason) {
  const std::string float_speed = "  - m_Name: speed\n    m_Type: 1\n";
  const std::string plain = std::string(kRoot) + kStateA + kStateB + kToB;
  const Fault cases[] = {
      {"null default",
       with("--- !u!1107 &1\nAnimatorStateMachine:\n  m_ChildStates:\n  - m_State: {fileID: 3}\n"
            "  m_DefaultState: {fileID: 0}\n" +
            std::string(kStateB)),
       "unity.null_default", "line 14: layer 'Base'", "the default state is null; 'B' stands in"},
      {"transition to null",
       with(std::string(kRoot) + kStateA + kStateB +
            "--- !u!1101 &10\nAnimatorStateTransition:\n  m_DstState: {fileID: 0}\n"
            "  m_DstStateMachine: {fileID: 0}\n  m_IsExit: 0\n"),
       "unity.no_target", "line 26: layer 'Base': state 'A': transition 0",
       "it leads nowhere: its state and machine are null; left out"},
      {"transition elsewhere",
       with(std::string(kRoot) + kStateA + kStateB +
            "--- !u!1101 &10\nAnimatorStateTransition:\n  m_DstState: {fileID: 77}\n"),
       "unity.no_target", "line 26: layer 'Base': state 'A': transition 0",
       "it leads to state 77, which is not in the layer; left out"},
      {"undeclared parameter",
       with(std::string(kRoot) + kStateA + kStateB +
                "--- !u!1101 &10\nAnimatorStateTransition:\n  m_Conditions:\n"
                "  - m_ConditionMode: 3\n    m_ConditionEvent: sped\n    m_EventTreshold: 1\n"
                "  m_DstState: {fileID: 3}\n",
            float_speed),
       "unity.unknown_parameter", "line 31: layer 'Base': state 'A': transition 0",
       "parameter 'sped' is not declared; did you mean 'speed'?"},
      {"mode that does not fit",
       with(std::string(kRoot) + kStateA + kStateB +
                "--- !u!1101 &10\nAnimatorStateTransition:\n  m_Conditions:\n"
                "  - m_ConditionMode: 1\n    m_ConditionEvent: speed\n"
                "  m_DstState: {fileID: 3}\n",
            float_speed),
       "unity.condition_mode", "line 31: layer 'Base': state 'A': transition 0",
       "parameter 'speed' is of type float and cannot be tested by mode 1"},
      {"duplicate parameter", with(plain, float_speed + "  - m_Name: speed\n    m_Type: 3\n"),
       "unity.duplicate_parameter", "line 9: parameter 'speed'",
       "is declared twice; the first counts"},
      {"cyclic machines",
       with("--- !u!1107 &1\nAnimatorStateMachine:\n  m_ChildStates: []\n  m_ChildStateMachines:\n"
            "  - m_StateMachine: {fileID: 5}\n"
            "--- !u!1107 &5\nAnimatorStateMachine:\n  m_Name: Inner\n  m_ChildStateMachines:\n"
            "  - m_StateMachine: {fileID: 1}\n"),
       "unity.cyclic_machine", "line 19: layer 'Base': machine 'Inner'",
       "machine '' lies inside itself; the inner place is left out"},
      {"state of two parents",
       with("--- !u!1107 &1\nAnimatorStateMachine:\n  m_ChildStates:\n  - m_State: {fileID: 3}\n"
            "  m_ChildStateMachines:\n  - m_StateMachine: {fileID: 5}\n"
            "  m_DefaultState: {fileID: 3}\n"
            "--- !u!1107 &5\nAnimatorStateMachine:\n  m_Name: Inner\n  m_ChildStates:\n"
            "  - m_State: {fileID: 3}\n" +
            std::string(kStateB)),
       "unity.two_parents", "line 21: layer 'Base': machine 'Inner'",
       "state 'B' is listed a second time, in 'Inner'; the first place counts"},
      {"tree without children",
       with(std::string(kRoot) + kStateB +
            "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Motion: {fileID: 20}\n"
            "--- !u!206 &20\nBlendTree:\n  m_Name: T\n  m_Childs: []\n"),
       "unity.empty_tree", "line 25: layer 'Base': state 'A': blend tree 'T'", "has no children"},
      {"cyclic trees",
       with(std::string(kRoot) + kStateB +
            "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Motion: {fileID: 20}\n"
            "--- !u!206 &20\nBlendTree:\n  m_Name: T\n  m_BlendType: 4\n  m_Childs:\n"
            "  - m_Motion: {fileID: 20}\n"),
       "unity.cyclic_tree",
       "line 25: layer 'Base': state 'A': blend tree 'T': child 0: blend tree 'T'",
       "it lies inside itself; the inner place plays nothing"},
      {"same names",
       with(std::string(kRoot) + kStateA + kToB + "--- !u!1102 &3\nAnimatorState:\n  m_Name: A\n"),
       "unity.renamed", "line 27: layer 'Base'",
       "State 'A' has a name that is taken in its machine; it becomes 'A 2'"},
      {"unknown motion",
       with(std::string(kRoot) + kStateB +
            "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Motion: {fileID: 7400000, guid: "
            "0123456789abcdef0123456789abcdef, type: 2}\n"),
       "unity.missing_motion", "line 24: layer 'Base': state 'A'",
       "motion '0123456789abcdef0123456789abcdef' is named by no .meta file and no motion map; an "
       "empty motion of 1 s stands in"},
      {"number that is none",
       with(std::string(kRoot) + kStateB +
            "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Speed: NaN\n"),
       "unity.number", "line 24: layer 'Base': state 'A'",
       "m_Speed is no finite number; it counts as 1"},
  };
  for (const Fault& one : cases) {
    SCOPED_TRACE(one.what);
    const Controller c = must_read(one.text);
    const Finding* finding = find_code(c.findings, one.code);
    ASSERT_NE(finding, nullptr) << listing(c.findings);
    EXPECT_EQ(finding->place, one.place);
    EXPECT_EQ(finding->message, one.message);
    EXPECT_EQ(finding->file, "test.controller");
    Findings findings;
    EXPECT_TRUE(compile_controller(c.source, &findings)) << listing(findings);
    // What was repaired stays so.
    const Result<WrittenController> written = write_controller(c);
    ASSERT_TRUE(written) << to_string(written.error());
    const Controller again = must_read(written->text);
    EXPECT_TRUE(compile_controller(again.source));
  }
}

TEST(UnityFaults, ATransitionOnAnUndeclaredParameterIsNeverTaken) {
  const Controller c = must_read(
      with(std::string(kRoot) + kStateA + kStateB +
           "--- !u!1101 &10\nAnimatorStateTransition:\n  m_Conditions:\n"
           "  - m_ConditionMode: 2\n    m_ConditionEvent: nobody\n  m_DstState: {fileID: 3}\n"));
  ASSERT_EQ(c.source.layers[0].root.states[0].transitions.size(), 1u);
  EXPECT_TRUE(c.source.layers[0].root.states[0].transitions[0].mute);
}

TEST(UnityFaults, SharedTreesAreCopiedOnlySoFar) {
  // Each tree plays the next one twice: 2 to the 15th leaves.
  std::string text =
      with(std::string(kRoot) + kStateB +
           "--- !u!1102 &2\nAnimatorState:\n  m_Name: A\n  m_Motion: {fileID: 20}\n");
  for (int i = 20; i < 40; ++i) {
    text += "--- !u!206 &" + std::to_string(i) + "\nBlendTree:\n  m_BlendType: 4\n  m_Childs:\n";
    for (int k = 0; k < 2; ++k) {
      text += "  - m_Motion: {fileID: " + std::to_string(i + 1) + "}\n";
    }
  }
  const Result<Controller> c = read_controller(text, "f");
  ASSERT_FALSE(c);
  EXPECT_EQ(c.error().code, ErrorCode::kLimit);
  EXPECT_NE(c.error().message.find("20000 nodes"), std::string::npos);
}

TEST(UnityFaults, OtherAssetsAreNamed) {
  const std::string head = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";
  const Result<Controller> override_file =
      read_controller(head + "--- !u!221 &1\nAnimatorOverrideController:\n  m_Name: x\n", "f");
  ASSERT_FALSE(override_file);
  EXPECT_NE(override_file.error().message.find("override controller"), std::string::npos);
  const Result<Controller> lfs =
      read_controller("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "f");
  ASSERT_FALSE(lfs);
  EXPECT_EQ(lfs.error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(load_controller("no/such.controller"));
}

}  // namespace
}  // namespace sinew::unity
