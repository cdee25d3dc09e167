#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <sinew/base/text.hpp>
#include <sinew/math/scalar.hpp>
#include <sinew/unity/clip.hpp>

#include "curve_track.hpp"
#include "document.hpp"

namespace sinew::unity {
namespace {

constexpr std::string_view kAnimator = "(animator)";  // the joint of the empty path

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

struct Binder {
  const AnimClip& clip;
  const Skeleton& skeleton;
  Findings* findings;
  double start, stop;
  std::map<int, JointTrack> tracks{};
  std::set<std::string> missing{};
  int bound = 0, transforms = 0;

  void warn(std::string code, int line, std::string message, std::string hint = {}) const {
    if (findings == nullptr) return;
    findings->push_back({Severity::kWarning, std::move(code), std::move(message),
                         line_place(line) + ": clip '" + clip.name + "'", std::move(hint),
                         clip.file});
  }

  std::vector<Knot> knots(const AnimCurve& curve) const {
    return crop(knots_of(curve), start, stop, curve.components());
  }

  void check_infinity(const AnimCurve& curve) const {
    const bool before = curve.pre_infinity != 2 && curve.keys.front().time > start + 1e-6;
    const bool after = curve.post_infinity != 2 && curve.keys.back().time < stop - 1e-6;
    if (curve.keys.size() > 1 && (before || after)) {
      warn("unity.infinity", curve.line,
           "a curve of '" + curve.path +
               "' goes on beyond its keys in another way than holding "
               "the end; it is held");
    }
  }

  void transform(const AnimCurve& curve) {
    ++transforms;
    const int joint = find_joint(skeleton, curve.path);
    if (joint == kNoJoint) {
      missing.insert(curve.path);
      return;
    }
    ++bound;
    check_infinity(curve);
    JointTrack& track = tracks[joint];
    track.joint = joint;
    std::vector<Knot> list = knots(curve);
    bool twice = false;
    switch (curve.channel) {
      case AnimCurve::Channel::kPosition:
        twice = !track.translation.empty();
        mirror_positions(list);
        if (!twice) track.translation = vector_track(list);
        break;
      case AnimCurve::Channel::kScale:
        twice = !track.scale.empty();
        if (!twice) track.scale = vector_track(list);
        break;
      case AnimCurve::Channel::kRotation:
        twice = !track.rotation.empty();
        mirror_quaternions(list);
        if (!twice) track.rotation = quaternion_track(list);
        break;
      case AnimCurve::Channel::kEuler:
        twice = !track.rotation.empty();
        if (!twice) track.rotation = euler_track(list, curve.rotation_order);
        break;
      case AnimCurve::Channel::kFloat:
        break;
    }
    if (twice) {
      warn("unity.duplicate_curve", curve.line,
           "two curves move '" + curve.path + "' in the same way; the first counts");
    }
  }

  FloatCurve number(const AnimCurve& curve) const {
    check_infinity(curve);
    FloatCurve out;
    std::vector<Knot> list = knots(curve);
    constexpr std::string_view kShape = "blendShape.";
    const std::string& attribute = curve.attribute;
    if (curve.class_id == 137 && attribute.starts_with(kShape)) {
      out.name =
          "morph/" + std::string(last_part(curve.path)) + "/" + attribute.substr(kShape.size());
      for (Knot& knot : list) {  // Unity counts in hundredths
        for (auto* v : {&knot.value, &knot.in, &knot.out}) (*v)[0] /= 100;
      }
    } else if (curve.class_id == 1 && attribute == "m_IsActive") {
      out.name = "active/" + curve.path;
      out.default_value = 1;
    } else {
      out.name = curve.path.empty() ? attribute : curve.path + "/" + attribute;
    }
    out.keys = float_track(list);
    return out;
  }

  void annotations(ClipAnnotations& out, double duration) const {
    for (const AnimEvent& event : clip.events) {
      const double time = event.time - start;
      if (time < -1e-6 || time > duration + 1e-6) {
        warn("unity.event", 1,
             format_text("event '%s' at %g s lies outside the clip and is left out",
                         event.function.c_str(), event.time));
        continue;
      }
      ClipEvent one;
      one.time = static_cast<float>(std::clamp(time, 0.0, duration));
      one.name = event.function;
      one.number = static_cast<float>(std::clamp(event.number, -3e38, 3e38));
      one.integer = event.integer;
      one.text = event.text;
      out.events.push_back(std::move(one));
    }
    const AnimSettings& s = clip.settings;
    using Basis = RootMotionSettings::Basis;
    RootMotionSettings& root = out.root_motion;
    root.bake_rotation = s.bake_orientation;
    root.bake_y = s.bake_position_y;
    root.bake_xz = s.bake_position_xz;
    root.rotation_basis = s.keep_orientation ? Basis::kOriginal : Basis::kMassCentre;
    root.y_basis = s.height_from_feet  ? Basis::kFeet
                   : s.keep_position_y ? Basis::kOriginal
                                       : Basis::kMassCentre;
    root.xz_basis = s.keep_position_xz ? Basis::kOriginal : Basis::kMassCentre;
    // A turn about Y goes the other way in a mirrored space.
    root.rotation_offset =
        -static_cast<float>(std::fmod(s.orientation_offset_y, 360.0)) * kDegToRad;
    root.y_offset = static_cast<float>(s.level);
    out.cycle_offset = static_cast<float>(s.cycle_offset);
    out.loop_pose = s.loop_pose;
  }
};

// The joints that the paths of a clip name, parents first, and where each is at the clip's start.
struct PathTree {
  std::vector<JointDef> joints;
  std::map<std::string, int, std::less<>> by_path;

  int add(const std::string& path) {
    if (const auto found = by_path.find(path); found != by_path.end()) return found->second;
    JointDef joint;
    joint.name = path.empty() ? std::string(kAnimator) : std::string(last_part(path));
    joint.parent = kNoJoint;
    const std::size_t slash = path.rfind('/');
    if (slash != std::string::npos) {
      joint.parent = add(path.substr(0, slash));
    } else if (!path.empty()) {
      const auto top = by_path.find(std::string_view());
      if (top != by_path.end()) joint.parent = top->second;
    }
    const int index = static_cast<int>(joints.size());
    joints.push_back(std::move(joint));
    by_path.emplace(path, index);
    return index;
  }
};

}  // namespace

int find_joint(const Skeleton& skeleton, std::string_view path) {
  if (path.empty()) return skeleton.find(kAnimator).value_or(kNoJoint);
  const std::vector<std::string_view> parts = parts_of(path);
  if (parts.empty()) return kNoJoint;
  int best = kNoJoint, best_score = -1;
  bool alike = false;
  for (int joint = 0; joint < skeleton.joint_count(); ++joint) {
    if (skeleton.name(joint) != parts.back()) continue;
    int score = 0, above = skeleton.parent(joint);
    auto part = parts.rbegin() + 1;
    while (part != parts.rend() && above != kNoJoint && skeleton.name(above) == *part) {
      ++score;
      ++part;
      above = skeleton.parent(above);
    }
    // A path that both go all the way up is the surest.
    if (part == parts.rend() && (above == kNoJoint || skeleton.name(above) == kAnimator)) {
      score += 1;
    }
    if (score > best_score) {
      best = joint;
      best_score = score;
      alike = false;
    } else if (score == best_score) {
      alike = true;
    }
  }
  return alike ? kNoJoint : best;
}

Result<RawClip> bind(const AnimClip& clip, const Skeleton& skeleton, Findings* findings) {
  const double duration = clip.duration();
  Binder binder{clip, skeleton, findings, clip.settings.start_time,
                clip.settings.start_time + duration};
  RawClip out;
  out.name = clip.name;
  out.duration = static_cast<float>(duration);
  out.loop = clip.loops();
  for (const AnimCurve& curve : clip.curves) {
    if (curve.keys.empty()) continue;
    if (curve.channel == AnimCurve::Channel::kFloat) {
      out.curves.push_back(binder.number(curve));
    } else {
      binder.transform(curve);
    }
  }
  for (auto& [joint, track] : binder.tracks) out.tracks.push_back(std::move(track));
  binder.annotations(out.annotations, duration);
  if (!binder.missing.empty()) {
    const std::string first = *binder.missing.begin();
    std::vector<std::string_view> names;
    for (int j = 0; j < skeleton.joint_count(); ++j) names.push_back(skeleton.name(j));
    binder.warn("unity.no_joint", 1,
                format_text("moves %zu objects that the skeleton does not have, or has twice; the "
                            "first is '%s'",
                            binder.missing.size(), first.c_str()) +
                    did_you_mean(last_part(first), names));
    if (binder.bound == 0 && binder.transforms > 0) {
      return make_error(ErrorCode::kMismatch,
                        "moves no joint of the skeleton; it asks for '" + first + "'" +
                            did_you_mean(last_part(first), names),
                        clip.file + ": clip '" + clip.name + "'");
    }
  }
  if (Status s = validate(out, skeleton); !s) return within(clip.file, s.error());
  return out;
}

Result<Model> clip_model(const AnimClip& clip) {
  PathTree tree;
  const auto moves = [](const AnimCurve& curve) {
    return curve.channel != AnimCurve::Channel::kFloat && !curve.keys.empty();
  };
  // The animator's own object comes first, so that it becomes the parent of the others.
  for (const AnimCurve& curve : clip.curves) {
    if (moves(curve) && curve.path.empty()) tree.add({});
  }
  for (const AnimCurve& curve : clip.curves) {
    if (!moves(curve)) continue;
    if (std::count(curve.path.begin(), curve.path.end(), '/') > 256) {
      return make_error(ErrorCode::kLimit, "a path is nested too deeply",
                        clip.file + ": " + line_place(curve.line));
    }
    JointDef& joint = tree.joints[static_cast<std::size_t>(tree.add(curve.path))];
    std::vector<Knot> knots = crop(knots_of(curve), clip.settings.start_time,
                                   clip.settings.start_time + clip.duration(), curve.components());
    if (knots.empty()) continue;
    knots.resize(1);
    switch (curve.channel) {
      case AnimCurve::Channel::kPosition:
        mirror_positions(knots);
        joint.rest.translation = vector_track(knots).values.front();
        break;
      case AnimCurve::Channel::kScale:
        joint.rest.scale = vector_track(knots).values.front();
        break;
      case AnimCurve::Channel::kRotation:
        mirror_quaternions(knots);
        joint.rest.rotation = normalize(quaternion_track(knots).values.front());
        break;
      default:
        joint.rest.rotation = euler_track(knots, curve.rotation_order).values.front();
    }
  }
  Result<Skeleton> skeleton = Skeleton::build(tree.joints);
  if (!skeleton) return within(clip.file, skeleton.error());
  Model model;
  model.name = std::filesystem::path(clip.file).filename().string();
  model.findings = clip.findings;
  model.skeleton = std::move(skeleton).value();
  model.roles = find_roles(model.skeleton);
  Result<RawClip> raw = unity::bind(clip, model.skeleton, &model.findings);
  if (!raw) return raw.error();
  model.clips.push_back(std::move(raw).value());
  if (model.clips.back().name.empty()) {
    model.clips.back().name = std::filesystem::path(clip.file).stem().string();
  }
  return model;
}

Result<Model> load_clip_model(const std::filesystem::path& file) {
  Result<AnimClip> clip = load_clip(file);
  if (!clip) return clip.error();
  return clip_model(*clip);
}

}  // namespace sinew::unity
