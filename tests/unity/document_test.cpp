#include "document.hpp"

#include "unity_testing.hpp"

namespace sinew::unity {
namespace {

constexpr const char* kHead = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

TEST(UnityDocument, KeepsLinesIdsAndRepeatedKeys) {
  const std::string text =
      std::string(kHead) +
      "--- !u!1107 &-7583180122849892934 stripped\n"
      "StateMachine:\n"
      "  m_OrderedTransitions:\n"
      "    data:\n"
      "      first: {fileID: 1}\n"
      "      second:\n"
      "      - {fileID: 2}\n"
      "    data:\n"
      "      first: {fileID: 3}\n"
      "      second: []\n"
      "--- !u!91 &9100000\r\n"
      "AnimatorController:\r\n"
      "  m_Motion: {fileID: 7400000, guid: ABCDEF0123456789abcdef0123456789,\r\n"
      "    type: 3}\r\n"
      "  m_Name: '[EMOTE 2] Clap'\r\n";
  const auto documents = parse_documents(text, "f");
  ASSERT_TRUE(documents) << to_string(documents.error());
  ASSERT_EQ(documents->size(), 2u);
  const Document& machine = documents->front();
  EXPECT_EQ(machine.file_id, -7583180122849892934);
  EXPECT_TRUE(machine.stripped);
  EXPECT_EQ(machine.line, 3);
  EXPECT_EQ(machine.root_key, "StateMachine");
  const auto pairs = pairs_of(machine.body.find("m_OrderedTransitions"));
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(reference_of(pairs[1].first).file_id, 3);
  EXPECT_EQ(pairs[1].first->line, 11);
  const Document& controller = documents->back();
  EXPECT_FALSE(controller.stripped);
  const AssetRef ref = reference_of(controller.body.find("m_Motion"));
  EXPECT_EQ(ref.guid, "abcdef0123456789abcdef0123456789");
  EXPECT_EQ(ref.type, 3);
  EXPECT_EQ(text_or(controller.body, "m_Name"), "[EMOTE 2] Clap");
  EXPECT_EQ(controller.body.find("m_Name")->line, 17);
}

TEST(UnityDocument, ReadsNumbersAsUnityWritesThem) {
  const auto value = [](const char* text) {
    Node node;
    node.text = text;
    return number_of(&node);
  };
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("-.25"), -0.25);
  EXPECT_EQ(value("-0"), 0.0);
  EXPECT_EQ(value("Infinity"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value("-Infinity"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(value("NaN") && *value("NaN") != *value("NaN"));
  EXPECT_EQ(value("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value("-1e-400"), 0.0);
  EXPECT_FALSE(value(""));
  EXPECT_FALSE(value("1.5x"));
}

struct BadFile {
  const char* what;
  std::string text;
  const char* place;
  const char* reason;
};

TEST(UnityDocument, SaysWhyAndWhereAFileCannotBeRead) {
  const std::string head = kHead;
  std::string deep = head + "--- !u!91 &1\nA: ";
  for (int i = 0; i < 100; ++i) deep += "[";
  const BadFile cases[] = {
      {"pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 3\n",
       "f: line 1", "Git LFS pointer"},
      {"binary", std::string("\0\0\x16\0\xff", 5), "f", "binary asset"},
      {"empty", "", "f", "is empty"},
      {"other text", "hello\n", "f: line 1", "no Unity text file"},
      {"bad yaml", head + "--- !u!91 &1\nA:\n  b: {c: 1\n  d: 2\n", "f: line 6", "not valid YAML"},
      {"bad header", head + "--- !u!91\nA:\n", "f: line 3", "must begin with"},
      {"alias", head + "--- !u!91 &1\nA:\n  b: &x 1\n  c: *x\n", "f: line 6", "alias"},
      {"depth", deep, "f: line 4", "nested too deeply"},
      {"no document", head, "f", "no document"},
  };
  for (const BadFile& one : cases) {
    SCOPED_TRACE(one.what);
    const auto documents = parse_documents(one.text, "f");
    ASSERT_FALSE(documents);
    EXPECT_EQ(documents.error().where, one.place);
    EXPECT_NE(documents.error().message.find(one.reason), std::string::npos)
        << documents.error().message;
  }
}

TEST(UnityDocument, LeavesOutWhatIsNotWanted) {
  const std::string text = std::string(kHead) +
                           "--- !u!1 &1\nGameObject:\n  m_Name: x\n"
                           "--- !u!74 &2\nAnimationClip:\n  m_EditorCurves:\n  - a: [1, {b: 2}]\n"
                           "  m_Name: y\n";
  const auto documents =
      parse_documents(text, "f", [](int id) { return id == 74; }, "m_Bounds m_EditorCurves");
  ASSERT_TRUE(documents);
  EXPECT_TRUE(documents->front().body.items.empty());
  EXPECT_EQ(documents->back().body.find("m_EditorCurves"), nullptr);
  EXPECT_EQ(text_or(documents->back().body, "m_Name"), "y");
}

}  // namespace
}  // namespace sinew::unity
