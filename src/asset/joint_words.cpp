#include "joint_words.hpp"

#include <array>
#include <optional>

namespace sinew {
namespace {

struct Entry {
  std::string_view text;
  Word word;
};

using enum Word;
constexpr Entry kVocabulary[] = {
    {"hips", kHips},         {"hip", kHips},
    {"pelvis", kHips},       {"spine", kTrunk},
    {"abdomen", kTrunk},     {"torso", kTrunk},
    {"waist", kTrunk},       {"lowerback", kTrunk},
    {"upperback", kTrunk},   {"belly", kTrunk},
    {"chest", kChest},       {"thorax", kChest},
    {"ribcage", kChest},     {"upperchest", kChest},
    {"neck", kNeck},         {"lowerneck", kNeck},
    {"upperneck", kNeck},    {"head", kHead},
    {"jaw", kJaw},           {"eye", kEye},
    {"clavicle", kCollar},   {"collar", kCollar},
    {"collarbone", kCollar}, {"scapula", kCollar},
    {"shoulder", kShoulder}, {"shldr", kShoulder},
    {"upperarm", kUpperArm}, {"uparm", kUpperArm},
    {"humerus", kUpperArm},  {"bicep", kUpperArm},
    {"arm", kArm},           {"lowerarm", kLowerArm},
    {"lowarm", kLowerArm},   {"forearm", kLowerArm},
    {"elbow", kLowerArm},    {"radius", kLowerArm},
    {"ulna", kLowerArm},     {"wrist", kWrist},
    {"hand", kHand},         {"palm", kHand},
    {"fist", kHand},         {"hipjoint", kHipJoint},
    {"buttock", kHipJoint},  {"thigh", kThigh},
    {"upleg", kThigh},       {"upperleg", kThigh},
    {"femur", kThigh},       {"leg", kLeg},
    {"shin", kShin},         {"calf", kShin},
    {"knee", kShin},         {"lowerleg", kShin},
    {"lowleg", kShin},       {"tibia", kShin},
    {"shank", kShin},        {"ankle", kAnkle},
    {"pastern", kAnkle},     {"hock", kAnkle},
    {"cannon", kAnkle},      {"foot", kFoot},
    {"paw", kFoot},          {"hoof", kFoot},
    {"toe", kToe},           {"toes", kToe},
    {"toebase", kToe},       {"ball", kToe},
    {"upper", kUpper},       {"lower", kLower},
    {"thumb", kThumb},       {"index", kIndex},
    {"middle", kMiddle},     {"mid", kMiddle},
    {"ring", kRing},         {"pinky", kLittle},
    {"pinkie", kLittle},     {"little", kLittle},
    {"finger", kFinger},     {"metacarpal", kMetacarpal},
    {"proximal", kFinger},   {"intermediate", kFinger},
    {"distal", kFinger},     {"tail", kTail},
    {"front", kFront},       {"fore", kFront},
    {"back", kHind},         {"hind", kHind},
    {"rear", kHind},         {"ik", kExtra},
    {"fk", kExtra},          {"pole", kExtra},
    {"target", kExtra},      {"ctrl", kExtra},
    {"control", kExtra},     {"roll", kExtra},
    {"twist", kExtra},       {"helper", kExtra},
    {"nub", kExtra},         {"end", kExtra},
    {"leaf", kExtra},        {"tip", kExtra},
    {"effector", kExtra},    {"slot", kExtra},
    {"socket", kExtra},      {"attach", kExtra},
    {"mch", kExtra},         {"org", kExtra},
    {"prop", kExtra},        {"weapon", kExtra},
    {"top", kExtra},         {"site", kExtra},
};

// Words that say nothing about the part: prefixes of tools and packs.
constexpr std::string_view kEmptyWords[] = {
    "joint", "jnt", "bone",     "bip",      "biped",  "valve", "mixamorig", "character",
    "char",  "rig", "armature", "skeleton", "def",    "cc",    "base",      "b",
    "j",     "c",   "m",        "f",        "center", "sk",    "human",
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

std::optional<Word> find_word(std::string_view text) {
  for (const Entry& entry : kVocabulary) {
    if (entry.text == text) return entry.word;
  }
  return std::nullopt;
}

bool is_empty_word(std::string_view text) {
  for (std::string_view empty : kEmptyWords) {
    if (empty == text) return true;
  }
  return false;
}

// "mixamorig:LeftUpLeg_01" -> left, up, leg, 01. Names of scopes in front of ':' or '|' go.
std::vector<std::string> split(std::string_view name) {
  const std::size_t scope = name.find_last_of(":|");
  if (scope != std::string_view::npos && scope + 1 < name.size()) name.remove_prefix(scope + 1);
  std::vector<std::string> tokens;
  std::string token;
  const auto flush = [&] {
    if (!token.empty()) tokens.push_back(token);
    token.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_letter(c) && !is_digit(c)) {
      flush();
      continue;
    }
    if (!token.empty()) {
      const char before = name[i - 1];
      const bool number = is_digit(c) != is_digit(before);
      const bool hump = is_upper(c) && !is_upper(before);
      // The last capital of a run begins the next word: "LHipJoint" -> L, Hip, Joint.
      const bool run = is_upper(c) && is_upper(before) && i + 1 < name.size() &&
                       is_letter(name[i + 1]) && !is_upper(name[i + 1]);
      if (number || hump || run) flush();
    }
    token.push_back(lower(c));
  }
  flush();
  return tokens;
}

// "lefthand", "lfemur": a side in front of a known word. Empty if it is not so.
std::string without_glued_side(const std::string& token, int& side) {
  struct Prefix {
    std::string_view text;
    int side;
  };
  static constexpr std::array<Prefix, 4> kPrefixes = {
      {{"left", -1}, {"right", 1}, {"l", -1}, {"r", 1}}};
  for (const Prefix& prefix : kPrefixes) {
    if (!token.starts_with(prefix.text)) continue;
    std::string rest = token.substr(prefix.text.size());
    if (find_word(rest)) {
      side = prefix.side;
      return rest;
    }
  }
  return {};
}

int side_word(std::string_view token) {
  if (token == "l" || token == "left") return -1;
  if (token == "r" || token == "right") return 1;
  return 0;
}

class Reader {
 public:
  explicit Reader(std::string_view name) : tokens_(split(name)) {}

  JointWords read() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (!read_pair(i)) read_one(tokens_[i]);
    }
    return std::move(out_);
  }

 private:
  // "up" + "leg": two tokens that make one word.
  bool read_pair(std::size_t& i) {
    if (i + 1 >= tokens_.size()) return false;
    const std::string pair = tokens_[i] + tokens_[i + 1];
    const auto word = find_word(pair);
    if (!word) return false;
    add(*word, pair);
    ++i;
    return true;
  }

  void read_one(const std::string& token) {
    if (is_digit(token.front())) {
      out_.digits = token;
      out_.key += "#" + token;
    } else if (const int side = side_word(token); side != 0) {
      set_side(side);
      out_.key += "*";
    } else if (const auto word = find_word(token)) {
      add(*word, token);
    } else if (int glued = 0; true) {
      const std::string rest = without_glued_side(token, glued);
      if (const auto root = find_word(rest); !rest.empty() && root) {
        set_side(glued);
        out_.key += "*";
        add(*root, rest);
      } else {
        out_.key += token + ".";
        if (!is_empty_word(token)) out_.unknown.push_back(token);
      }
    }
  }

  void add(Word word, std::string_view text) {
    const bool finger = word == kThumb || word == kIndex || word == kMiddle || word == kRing ||
                        word == kLittle || word == kFinger;
    if (finger && out_.has(kHand)) out_.finger_after_hand = true;
    out_.words |= std::uint64_t{1} << static_cast<unsigned>(word);
    out_.key += std::string(text) + ".";
  }

  // Two different sides in one name cancel out.
  void set_side(int side) {
    if (contradictory_) return;
    contradictory_ = out_.side == -side;
    out_.side = contradictory_ ? 0 : side;
  }

  std::vector<std::string> tokens_;
  JointWords out_;
  bool contradictory_ = false;
};

}  // namespace

JointWords read_joint_name(std::string_view name) { return Reader(name).read(); }

}  // namespace sinew
