#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>
#include <sinew/unity/clip.hpp>
#include <sinew/unity/mask.hpp>

#include "controller_reader.hpp"

namespace sinew::unity {
namespace {

bool is_mask(int class_id) {
  return class_id == kAvatarMask || class_id == 101 || class_id == 1011;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Eight hexadecimal digits a part: a little-endian number, of which any bit counts.
void read_parts(const Node& node, AvatarMask& mask, const std::string& file) {
  const std::string& text = node.text;
  const auto bad = [&](const std::string& reason) {
    mask.findings.push_back({Severity::kWarning,
                             "unity.mask",
                             "its body parts " + reason + "; what is missing counts as on",
                             line_place(node.line),
                             {},
                             file});
  };
  if (text.size() % 8 != 0) bad(format_text("have %zu digits, not 8 for each", text.size()));
  for (std::size_t part = 0; part < kBodyPartCount && (part + 1) * 8 <= text.size(); ++part) {
    bool on = false;
    for (std::size_t i = 0; i < 8; ++i) {
      const int value = digit(text[part * 8 + i]);
      if (value < 0) return bad("are no hexadecimal number");
      on = on || value != 0;
    }
    mask.parts[part] = on;
  }
}

bool has_elements(const AvatarMask& mask) { return !mask.elements.empty(); }

}  // namespace

bool AvatarMask::whole_body() const {
  return std::all_of(parts.begin(), parts.end(), [](bool on) { return on; });
}

Result<AvatarMask> read_mask(std::string_view text, const std::string& file) {
  Result<std::vector<Document>> documents = parse_documents(text, file, is_mask);
  if (!documents) return documents.error();
  for (const Document& document : *documents) {
    if (!is_mask(document.class_id) ||
        (document.root_key != "AvatarMask" && document.root_key != "AvatarSkeletonMask")) {
      continue;
    }
    const Node& body = document.body;
    AvatarMask mask;
    mask.name = text_or(body, "m_Name");
    mask.parts.fill(true);
    if (const Node* parts = body.find("m_Mask"); parts != nullptr && parts->is_scalar()) {
      read_parts(*parts, mask, file);
    }
    for (const Node& node : elements(body, "m_Elements")) {
      AvatarMask::Element element;
      element.path = text_or(node, "m_Path");
      const double weight = number_or(node, "m_Weight", 0);
      element.weight = std::isfinite(weight) ? static_cast<float>(std::clamp(weight, 0.0, 1.0)) : 0;
      mask.elements.push_back(std::move(element));
    }
    return mask;
  }
  return make_error(ErrorCode::kMismatch, "holds no avatar mask (a document '!u!319')", file);
}

Result<AvatarMask> load_mask(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return read_mask(*text, file.string());
}

BodyPart part_of(JointRole role) {
  const std::string_view name = to_string(role);
  const bool left = name.starts_with("left_");
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (role == JointRole::kNeck || role == JointRole::kHead || role == JointRole::kJaw ||
      has("eye")) {
    return BodyPart::kHead;
  }
  if (!left && !name.starts_with("right_")) return BodyPart::kBody;
  if (has("thumb") || has("index") || has("middle") || has("ring") || has("little")) {
    return left ? BodyPart::kLeftFingers : BodyPart::kRightFingers;
  }
  if (has("leg") || has("foot") || has("toes")) {
    return left ? BodyPart::kLeftLeg : BodyPart::kRightLeg;
  }
  return left ? BodyPart::kLeftArm : BodyPart::kRightArm;
}

JointMask bind(const AvatarMask& mask, const Skeleton& skeleton, const RoleMap& roles,
               Findings* findings) {
  const auto count = static_cast<std::size_t>(skeleton.joint_count());
  std::vector<float> weights(count, has_elements(mask) ? 0.0f : 1.0f);
  std::vector<bool> given(count, false);
  std::size_t missing = 0;
  std::string first;
  for (const AvatarMask::Element& element : mask.elements) {
    if (element.path.empty()) continue;
    const int joint = find_joint(skeleton, element.path);
    if (joint == kNoJoint) {
      if (missing++ == 0) first = element.path;
      continue;
    }
    weights[static_cast<std::size_t>(joint)] = element.weight;
    given[static_cast<std::size_t>(joint)] = true;
  }
  if (missing > 0 && findings != nullptr) {
    findings->push_back(
        {Severity::kWarning,
         "unity.no_joint",
         format_text("%zu elements mean no joint of the skeleton; the first is '%s'", missing,
                     first.c_str()),
         "mask '" + mask.name + "'",
         {},
         {}});
  }
  if (!mask.whole_body()) {
    std::vector<JointRole> role_of(count, JointRole::kNone);
    for (int r = 1; r < kJointRoleCount; ++r) {
      const int joint = roles.joint(static_cast<JointRole>(r));
      if (joint >= 0 && joint < skeleton.joint_count()) {
        role_of[static_cast<std::size_t>(joint)] = static_cast<JointRole>(r);
      }
    }
    for (std::size_t j = 0; j < count; ++j) {  // parents come first
      const int parent = skeleton.parent(static_cast<int>(j));
      if (role_of[j] != JointRole::kNone) {
        weights[j] = mask.part(part_of(role_of[j])) ? 1.0f : 0.0f;
      } else if (!given[j]) {
        weights[j] = parent == kNoJoint ? (mask.part(BodyPart::kRoot) ? 1.0f : 0.0f)
                                        : weights[static_cast<std::size_t>(parent)];
      }
    }
  }
  JointMask out = JointMask::from_weights(skeleton, weights);
  out.name = mask.name;
  return out;
}

}  // namespace sinew::unity
