// The .asf half: bones, their axes and their tree.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <sinew/base/text.hpp>

#include "asf_amc_parts.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::array<std::string_view, 7> kFreedomNames = {"rx", "ry", "rz", "tx", "ty", "tz", "l"};
constexpr std::array<std::string_view, 10> kBoneKeywords = {
    "id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass", "end"};
constexpr std::array<std::string_view, 4> kRootKeywords = {"order", "axis", "position",
                                                           "orientation"};
constexpr std::size_t kMaxFreedoms = 7;

template <std::size_t N>
std::size_t index_in(const std::array<std::string_view, N>& words, std::string_view word) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](std::string_view one) { return same_word(one, word); });
  return static_cast<std::size_t>(found - words.begin());
}

class AsfReader {
 public:
  AsfReader(std::string_view text, Findings& findings) : in_(text), findings_(findings) {}

  Result<AsfSkeleton> read();

 private:
  // The root and each bone as written; the axis is kept as angles until the unit is known, which
  // may stand further down.
  struct Written {
    AsfBone bone;
    Double3 angles;
    std::size_t at = 0;
    std::vector<int> children;
    int parent = -1;
  };

  std::string_view word();
  std::string_view peek();
  bool section_ends();
  Status read_three(Double3& out);
  Status read_order(std::array<int, 3>& out);
  void read_freedoms(std::vector<Freedom>& out);
  void skip_section();

  Status read_section(std::string_view name);
  Status read_units();
  Status read_root();
  Status read_bones();
  Status read_bone(Written& bone);
  Status read_bone_item(Written& bone, std::size_t keyword);
  Status read_hierarchy();
  Status read_children();
  Result<int> find(std::string_view name) const;
  AsfSkeleton ordered();

  TextScanner in_;
  Findings& findings_;
  std::vector<Written> written_ = std::vector<Written>(1);  // the root first
  std::unordered_map<std::string, int> by_name_;
  double length_unit_ = 1;
  bool degrees_ = true;
  bool has_hierarchy_ = false;
};

// '#' begins a comment that goes to the line's end.
std::string_view AsfReader::word() {
  std::string_view next = in_.word();
  while (next.starts_with('#')) {
    in_.rest_of_line();
    next = in_.word();
  }
  return next;
}

std::string_view AsfReader::peek() {
  while (true) {
    const std::string_view next = in_.peek_word();
    if (!next.starts_with('#')) return next;
    in_.word();
    in_.rest_of_line();
  }
}

bool AsfReader::section_ends() {
  const std::string_view next = peek();
  return next.empty() || next.starts_with(':');
}

Status AsfReader::read_three(Double3& out) {
  for (double* value : {&out.x, &out.y, &out.z}) {
    const std::string_view number = word();
    if (!parse_number(number, *value)) return in_.error(number_fault(number));
  }
  return {};
}

Status AsfReader::read_order(std::array<int, 3>& out) {
  const std::string_view letters = word();
  std::array<bool, 3> used{};
  bool good = letters.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    const int axis = (letters[i] | 0x20) - 'x';
    good = axis >= 0 && axis < 3 && !used[static_cast<std::size_t>(axis)];
    if (!good) break;
    used[static_cast<std::size_t>(axis)] = true;
    out[i] = axis;
  }
  if (good) return {};
  return in_.error("an order of axes like XYZ must stand here, not " + quoted(letters));
}

void AsfReader::read_freedoms(std::vector<Freedom>& out) {
  while (out.size() < kMaxFreedoms) {
    const std::size_t freedom = index_in(kFreedomNames, peek());
    if (freedom == kFreedomNames.size()) return;
    word();
    out.push_back(static_cast<Freedom>(freedom));
  }
}

void AsfReader::skip_section() {
  // By lines: free text may hold a colon or '#' anywhere but at a line's beginning.
  in_.next_line();
  while (!in_.at_end() && !in_.peek_word().starts_with(':')) in_.next_line();
}

Status AsfReader::read_units() {
  while (!section_ends()) {
    const std::string_view key = word();
    if (same_word(key, "angle")) {
      const std::string_view unit = word();
      degrees_ = same_word(unit, "deg") || same_word(unit, "degrees");
      if (!degrees_ && !same_word(unit, "rad") && !same_word(unit, "radians")) {
        return in_.error("the unit of angles must be deg or rad, not " + quoted(unit));
      }
      continue;
    }
    const bool is_length = same_word(key, "length");
    if (!is_length && !same_word(key, "mass")) {
      static constexpr std::array<std::string_view, 3> kUnits = {"mass", "length", "angle"};
      return in_.error("unknown unit " + quoted(key) + did_you_mean(key, kUnits));
    }
    double value = 0;
    const std::string_view number = word();
    if (!parse_number(number, value)) return in_.error(number_fault(number));
    if (!is_length) continue;
    if (!(value >= 1e-6 && value <= 1e6))
      return in_.error("the unit of length must be from 1e-6 to 1e6");
    length_unit_ = value;
  }
  return {};
}

Status AsfReader::read_root() {
  Written& root = written_.front();
  while (!section_ends()) {
    const std::string_view key = word();
    Status status;
    switch (index_in(kRootKeywords, key)) {
      case 0:
        root.bone.freedoms.clear();
        read_freedoms(root.bone.freedoms);
        break;
      case 1:
        status = read_order(root.bone.order);
        break;
      case 2:
        status = read_three(root.bone.position);
        break;
      case 3:
        status = read_three(root.angles);
        break;
      default:
        return in_.error("unexpected " + quoted(key) + " in :root" +
                         did_you_mean(key, kRootKeywords));
    }
    if (!status) return status;
  }
  return {};
}

Status AsfReader::read_bone_item(Written& bone, std::size_t keyword) {
  switch (keyword) {
    case 0:
      word();
      return {};
    case 1:
      bone.bone.name = std::string(word());
      return {};
    case 2:
      return read_three(bone.bone.direction);
    case 3: {
      const std::string_view number = word();
      if (!parse_number(number, bone.bone.length)) return in_.error(number_fault(number));
      return {};
    }
    case 4:
      if (const Status status = read_three(bone.angles); !status) return status;
      return read_order(bone.bone.order);
    case 5:
      read_freedoms(bone.bone.freedoms);
      return {};
    default:
      // Limits and masses have no place in a model: skipped up to the next keyword.
      while (!section_ends() && index_in(kBoneKeywords, peek()) == kBoneKeywords.size()) word();
      return {};
  }
}

Status AsfReader::read_bone(Written& bone) {
  while (true) {
    const std::string_view key = word();
    if (bone.at == 0) bone.at = in_.last_word();
    if (same_word(key, "end")) break;
    const std::size_t keyword = index_in(kBoneKeywords, key);
    if (keyword == kBoneKeywords.size()) {
      return in_.error((key.empty() ? "the file ends inside a bone"
                                    : "unexpected " + quoted(key) + " in a bone") +
                       did_you_mean(key, kBoneKeywords));
    }
    if (const Status status = read_bone_item(bone, keyword); !status) return status;
  }
  if (bone.bone.name.empty()) return in_.error("a bone has no name");
  Double3& d = bone.bone.direction;
  const double length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  if (length > 0) d = {d.x / length, d.y / length, d.z / length};
  if (std::count(bone.bone.freedoms.begin(), bone.bone.freedoms.end(), kFreedomLength) != 0) {
    add_warning(findings_, "asf.length_freedom",
                "the bone " + quoted(bone.bone.name) + " may change its length, which is left out",
                in_, bone.at);
  }
  return {};
}

Status AsfReader::read_bones() {
  while (!section_ends()) {
    const std::string_view key = word();
    if (!same_word(key, "begin"))
      return in_.error("expected 'begin' or a section, found " + quoted(key));
    if (written_.size() > static_cast<std::size_t>(kMaxJoints)) {
      return make_error(ErrorCode::kLimit, format_text("more than %d bones", kMaxJoints),
                        in_.place(in_.last_word()));
    }
    Written bone;
    if (const Status status = read_bone(bone); !status) return status;
    const int index = static_cast<int>(written_.size());
    if (same_word(bone.bone.name, "root") || !by_name_.emplace(bone.bone.name, index).second) {
      return in_.error("the bone name " + quoted(bone.bone.name) + " occurs twice");
    }
    written_.push_back(std::move(bone));
  }
  return {};
}

Result<int> AsfReader::find(std::string_view name) const {
  if (same_word(name, "root")) return 0;
  if (const auto found = by_name_.find(std::string(name)); found != by_name_.end())
    return found->second;
  std::vector<std::string_view> names = {"root"};
  for (std::size_t i = 1; i < written_.size(); ++i) names.push_back(written_[i].bone.name);
  return in_.error("there is no bone " + quoted(name) + did_you_mean(name, names));
}

Status AsfReader::read_children() {
  const std::string_view name = word();
  const Result<int> parent = find(name);
  if (!parent) return parent.error();
  while (!in_.at_line_end()) {
    const std::string_view child_name = in_.word_on_line();
    if (child_name.starts_with('#')) {
      in_.rest_of_line();
      break;
    }
    const Result<int> child = find(child_name);
    if (!child) return child.error();
    Written& bone = written_[static_cast<std::size_t>(*child)];
    if (*child == 0 || bone.parent >= 0) {
      return in_.error("the bone " + quoted(child_name) +
                       (*child == 0 ? " has no parent" : " has two parents"));
    }
    bone.parent = *parent;
    written_[static_cast<std::size_t>(*parent)].children.push_back(*child);
  }
  return {};
}

Status AsfReader::read_hierarchy() {
  has_hierarchy_ = true;
  if (!same_word(word(), "begin")) return in_.error("expected 'begin' after :hierarchy");
  while (!same_word(peek(), "end")) {
    if (section_ends()) return in_.error("the hierarchy has no 'end'");
    if (const Status status = read_children(); !status) return status;
  }
  word();
  return {};
}

Status AsfReader::read_section(std::string_view name) {
  if (same_word(name, ":units")) return read_units();
  if (same_word(name, ":root")) return read_root();
  if (same_word(name, ":bonedata")) return read_bones();
  if (same_word(name, ":hierarchy")) return read_hierarchy();
  skip_section();  // :version, :name, :documentation, :skin and what programs add
  return {};
}

AsfSkeleton AsfReader::ordered() {
  AsfSkeleton out;
  out.length_unit = length_unit_;
  out.degrees = degrees_;
  written_.front().bone.name = "root";
  std::vector<int> place(written_.size(), -1), open = {0};
  while (!open.empty()) {
    const std::size_t i = static_cast<std::size_t>(open.back());
    open.pop_back();
    Written& bone = written_[i];
    place[i] = static_cast<int>(out.bones.size());
    const double scale = degrees_ ? 1 : 180 / 3.14159265358979323846;
    const std::array<double, 3> angles = {bone.angles.x * scale, bone.angles.y * scale,
                                          bone.angles.z * scale};
    for (const int axis : bone.bone.order) {
      bone.bone.axis = axis_rotation(axis, angles[static_cast<std::size_t>(axis)]) * bone.bone.axis;
    }
    bone.bone.parent = bone.parent < 0 ? -1 : place[static_cast<std::size_t>(bone.parent)];
    open.insert(open.end(), bone.children.rbegin(), bone.children.rend());
    out.bones.push_back(std::move(bone.bone));
  }
  for (std::size_t i = 1; i < written_.size(); ++i) {
    if (place[i] >= 0) continue;
    add_warning(
        findings_, "asf.loose_bone",
        "the bone " + quoted(written_[i].bone.name) + " does not hang on the root and is left out",
        in_, written_[i].at);
  }
  return out;
}

Result<AsfSkeleton> AsfReader::read() {
  if (!peek().starts_with(':'))
    return in_.error_at(in_.offset(), "an ASF file begins with a section such as :version");
  while (!peek().empty()) {
    const std::string_view section = word();
    if (!section.starts_with(':')) return in_.error("expected a section, found " + quoted(section));
    if (const Status status = read_section(section); !status) return status.error();
  }
  if (!has_hierarchy_) return in_.error_at(in_.offset(), "there is no :hierarchy section");
  return ordered();
}

}  // namespace

Result<AsfSkeleton> parse_asf(std::string_view text, Findings& findings) {
  return AsfReader(text, findings).read();
}

}  // namespace sinew
