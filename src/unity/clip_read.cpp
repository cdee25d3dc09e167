#include <algorithm>
#include <cmath>
#include <limits>

#include <sinew/base/text.hpp>
#include <sinew/unity/clip.hpp>

#include "clip_node.hpp"
#include "controller_reader.hpp"

namespace sinew::unity {
namespace {

constexpr std::array<const char*, 4> kComponents = {"x", "y", "z", "w"};

// One number, or the members x, y, z and w of a map.
std::array<double, 4> vector_of(const Node* node, double otherwise) {
  std::array<double, 4> out;
  out.fill(otherwise);
  if (node == nullptr) return out;
  if (node->is_scalar()) {
    out[0] = number_of(node).value_or(otherwise);
    return out;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    if (const auto value = number_of(node->find(kComponents[i]))) out[i] = *value;
  }
  return out;
}

class ClipReader {
 public:
  ClipReader(const Node& body, std::string file) : body_(body) { clip_.file = std::move(file); }

  AnimClip read() {
    clip_.name = text_or(body_, "m_Name");
    clip_.legacy = flag_or(body_, "m_Legacy", false);
    const double rate = number_or(body_, "m_SampleRate", 60);
    clip_.sample_rate = std::isfinite(rate) && rate > 0 && rate <= 100000 ? rate : 60;
    clip_.wrap_mode =
        static_cast<int>(std::clamp<std::int64_t>(integer_or(body_, "m_WrapMode", 0), 0, 8));
    if (clip_.legacy) {
      warn("unity.legacy_clip", body_.line, "is a legacy clip, which no controller of Unity plays");
    }
    curves("m_RotationCurves", AnimCurve::Channel::kRotation);
    curves("m_EulerCurves", AnimCurve::Channel::kEuler);
    curves("m_PositionCurves", AnimCurve::Channel::kPosition);
    curves("m_ScaleCurves", AnimCurve::Channel::kScale);
    curves("m_FloatCurves", AnimCurve::Channel::kFloat);
    left_out("m_CompressedRotationCurves", "compressed rotation curves",
             "switch off the clip's compression in Unity");
    left_out("m_PPtrCurves", "curves of object references", {});
    settings();
    events();
    report_muscles();
    return std::move(clip_);
  }

 private:
  void warn(std::string code, int line, std::string message, std::string hint = {}) {
    if (clip_.findings.size() > 200) return;
    clip_.findings.push_back({Severity::kWarning, std::move(code), std::move(message),
                              line_place(line) + ": clip '" + clip_.name + "'", std::move(hint),
                              clip_.file});
  }

  void left_out(const char* key, const char* what, const char* hint) {
    const std::vector<Node>& list = elements(body_, key);
    if (list.empty()) return;
    warn("unity.curves_left_out", list.front().line,
         format_text("%zu %s are left out", list.size(), what), hint != nullptr ? hint : "");
  }

  void curves(const char* key, AnimCurve::Channel channel) {
    for (const Node& node : elements(body_, key)) {
      AnimCurve curve;
      curve.channel = channel;
      curve.line = node.line;
      curve.path = text_or(node, "path");
      if (channel == AnimCurve::Channel::kFloat) {
        curve.attribute = text_or(node, "attribute");
        curve.class_id =
            static_cast<int>(std::clamp<std::int64_t>(integer_or(node, "classID", 0), 0, 1 << 30));
        if (curve.class_id == 95 && curve.path.empty() && is_muscle(curve.attribute)) {
          ++clip_.muscle_curves;
        }
      }
      if (const Node* body = node.find("curve")) keys(*body, curve);
      if (curve.keys.empty()) continue;
      clip_.curves.push_back(std::move(curve));
    }
  }

  void keys(const Node& node, AnimCurve& curve) {
    curve.pre_infinity = static_cast<int>(integer_or(node, "m_PreInfinity", 2) & 0xff);
    curve.post_infinity = static_cast<int>(integer_or(node, "m_PostInfinity", 2) & 0xff);
    curve.rotation_order = static_cast<int>(integer_or(node, "m_RotationOrder", 4) & 0xff);
    if (curve.rotation_order > 5) {
      warn("unity.rotation_order", node.line, "an unknown order of Euler angles; it counts as ZXY");
      curve.rotation_order = 4;
    }
    bool bad = false, unordered = false;
    const auto count = static_cast<std::size_t>(curve.components());
    for (const Node& item : elements(node, "m_Curve")) {
      AnimKey key;
      const double time = number_or(item, "time", 0);
      key.value = vector_of(item.find("value"), 0);
      key.in_slope = vector_of(item.find("inSlope"), 0);
      key.out_slope = vector_of(item.find("outSlope"), 0);
      key.in_weight = vector_of(item.find("inWeight"), 1 / 3.0);
      key.out_weight = vector_of(item.find("outWeight"), 1 / 3.0);
      key.weighted = static_cast<std::uint8_t>(integer_or(item, "weightedMode", 0) & 3);
      key.time = time;
      bool good = std::isfinite(time) && std::abs(time) < 1e6;
      for (std::size_t i = 0; i < count; ++i) {
        good = good && std::isfinite(key.value[i]) && std::abs(key.value[i]) < 1e30;
        // Infinity means a step; what is not a number means nothing.
        const auto tame = [](double& slope) {
          if (std::isnan(slope)) slope = 0;
          if (std::abs(slope) > 1e30)
            slope = std::copysign(std::numeric_limits<double>::infinity(), slope);
        };
        tame(key.in_slope[i]);
        tame(key.out_slope[i]);
        const auto share = [](double& weight) {
          weight = std::isfinite(weight) ? std::clamp(weight, 0.0, 1.0) : 1 / 3.0;
        };
        share(key.in_weight[i]);
        share(key.out_weight[i]);
      }
      if (!good) {
        bad = true;
        continue;
      }
      unordered = unordered || (!curve.keys.empty() && time < curve.keys.back().time);
      curve.keys.push_back(key);
    }
    if (bad) warn("unity.keys", node.line, "keys with numbers that are not finite are left out");
    if (unordered) {
      warn("unity.keys", node.line, "its keys are not in order of time; they are sorted");
      std::stable_sort(curve.keys.begin(), curve.keys.end(),
                       [](const AnimKey& a, const AnimKey& b) { return a.time < b.time; });
    }
  }

  void settings() {
    AnimSettings& s = clip_.settings;
    const Node* node = body_.find("m_AnimationClipSettings");
    if (node == nullptr) return;
    const auto number = [&](const char* key) {
      const double value = number_or(*node, key, 0);
      return std::isfinite(value) && std::abs(value) < 1e6 ? value : 0;
    };
    const auto flag = [&](const char* key, bool otherwise = false) {
      return flag_or(*node, key, otherwise);
    };
    s.start_time = number("m_StartTime");
    s.stop_time = number("m_StopTime");
    s.orientation_offset_y = number("m_OrientationOffsetY");
    s.level = number("m_Level");
    s.cycle_offset = number("m_CycleOffset");
    s.loop_time = flag("m_LoopTime");
    s.loop_pose = flag("m_LoopBlend");
    s.bake_orientation = flag("m_LoopBlendOrientation");
    s.bake_position_y = flag("m_LoopBlendPositionY");
    s.bake_position_xz = flag("m_LoopBlendPositionXZ");
    s.keep_orientation = flag("m_KeepOriginalOrientation");
    s.keep_position_y = flag("m_KeepOriginalPositionY", true);
    s.keep_position_xz = flag("m_KeepOriginalPositionXZ");
    s.height_from_feet = flag("m_HeightFromFeet");
    s.mirror = flag("m_Mirror");
    s.has_additive_reference = flag("m_HasAdditiveReferencePose");
    s.additive_reference = reference_of(node->find("m_AdditiveReferencePoseClip"));
    s.additive_reference_time = number("m_AdditiveReferencePoseTime");
  }

  void events() {
    for (const Node& node : elements(body_, "m_Events")) {
      AnimEvent event;
      event.time = number_or(node, "time", 0);
      event.function = text_or(node, "functionName");
      event.text = text_or(node, "data");
      event.number = number_or(node, "floatParameter", 0);
      const std::int64_t integer = integer_or(node, "intParameter", 0);
      event.integer =
          static_cast<std::int32_t>(std::clamp<std::int64_t>(integer, INT32_MIN, INT32_MAX));
      event.object = reference_of(node.find("objectReferenceParameter"));
      event.message_options = static_cast<int>(integer_or(node, "messageOptions", 0) & 1);
      if (!std::isfinite(event.time) || !std::isfinite(event.number) || event.function.empty()) {
        warn("unity.event", node.line,
             "an event has no function, or numbers that are not finite; "
             "it is left out");
        continue;
      }
      clip_.events.push_back(std::move(event));
    }
    std::stable_sort(clip_.events.begin(), clip_.events.end(),
                     [](const AnimEvent& a, const AnimEvent& b) { return a.time < b.time; });
  }

  void report_muscles() {
    if (!clip_.humanoid()) return;
    warn("unity.humanoid", body_.line,
         format_text("is a humanoid clip: %d curves of muscles, root or goals are kept as numbers "
                     "and move no joint",
                     clip_.muscle_curves),
         "export the clip from Unity on its skeleton (as FBX or glTF)");
  }

  const Node& body_;
  AnimClip clip_;
};

bool is_clip(int class_id) { return class_id == kAnimationClip; }

}  // namespace

double AnimClip::duration() const {
  double last = 0;
  for (const AnimCurve& curve : curves) last = std::max(last, curve.keys.back().time);
  const double stop = settings.stop_time > settings.start_time ? settings.stop_time : last;
  return std::max(0.0, stop - settings.start_time);
}

AnimClip read_clip_node(const Node& body, const std::string& file) {
  return ClipReader(body, file).read();
}

Result<AnimClip> read_clip(std::string_view text, const std::string& file) {
  Result<std::vector<Document>> documents = parse_documents(
      text, file, is_clip, "m_EditorCurves m_EulerEditorCurves m_ClipBindingConstant m_Bounds");
  if (!documents) return documents.error();
  for (const Document& document : *documents) {
    if (document.class_id == kAnimationClip) return read_clip_node(document.body, file);
  }
  return make_error(ErrorCode::kMismatch, "holds no animation clip (a document '!u!74')", file);
}

Result<AnimClip> load_clip(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  return read_clip(*text, file.string());
}

}  // namespace sinew::unity
