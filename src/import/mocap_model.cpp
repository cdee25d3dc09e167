#include "mocap_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <sinew/base/text.hpp>

#include "text_scanner.hpp"

namespace sinew {
namespace {

// From the tip of the middle finger to the tip of the toes along the bones, over standing height.
// Measured on the bodies of the CMU recordings, whose height is known; people differ by under 5 %.
constexpr double kTipToTip = 1.45;
constexpr double kUsualHeight = 1.7;  // metres

Vec3 to_metres(const Double3& v, double scale) {
  return {static_cast<float>(v.x * scale), static_cast<float>(v.y * scale),
          static_cast<float>(v.z * scale)};
}

// The longest way between two tips, in file units. Parents stand before their children.
double tip_to_tip(const MocapSkeleton& skeleton) {
  std::vector<std::array<double, 2>> deepest(skeleton.joints.size(), {0.0, 0.0});
  const auto offer = [&](int joint, double depth) {
    std::array<double, 2>& best = deepest[static_cast<std::size_t>(joint)];
    if (depth > best[0]) {
      best = {depth, best[0]};
    } else {
      best[1] = std::max(best[1], depth);
    }
  };
  for (const MocapEnd& end : skeleton.ends) offer(end.joint, length_of(end.offset));
  double longest = 0;
  for (std::size_t i = skeleton.joints.size(); i-- > 0;) {
    longest = std::max(longest, deepest[i][0] + deepest[i][1]);
    const MocapJoint& joint = skeleton.joints[i];
    if (joint.parent >= 0) offer(joint.parent, deepest[i][0] + length_of(joint.offset));
  }
  return longest;
}

template <class T>
KeyTrack<T> keys_of(const std::vector<float>& times, std::vector<T>&& values, bool changes,
                    const T& rest) {
  KeyTrack<T> out;
  if (values.empty() || (!changes && values.front() == rest)) return out;
  if (changes) {
    out.times = times;
    out.values = std::move(values);
  } else {
    out.times = {times.front()};
    out.values = {values.front()};
  }
  return out;
}

}  // namespace

void MocapTrack::add_rotation(const Quat64& rotation) {
  Quat q = to_float(rotation);
  q = align(rotations_.empty() ? Quat{} : rotations_.back(), q);
  rotation_changes_ = rotation_changes_ || (!rotations_.empty() && !(q == rotations_.front()));
  rotations_.push_back(q);
}

void MocapTrack::add_translation(const Double3& metres) {
  const Vec3 v = to_metres(metres, 1.0);
  translation_changes_ =
      translation_changes_ || (!translations_.empty() && !(v == translations_.front()));
  translations_.push_back(v);
}

void MocapTrack::turn(const Quat64& turn) {
  for (Quat& q : rotations_) q = to_float(turn * to_double(q));
  for (Vec3& v : translations_) {
    v = to_metres(rotate(turn, {static_cast<double>(v.x), static_cast<double>(v.y),
                                static_cast<double>(v.z)}),
                  1.0);
  }
}

RawClip MocapMotion::to_clip(std::string name, const Skeleton& skeleton) && {
  RawClip clip;
  clip.name = std::move(name);
  clip.duration = static_cast<float>(duration);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    MocapTrack& track = tracks[i];
    JointTrack out;
    out.joint = skeleton.index_of_source(static_cast<int>(i));
    const Transform& rest = skeleton.rest(out.joint);
    out.rotation =
        keys_of(times, std::move(track.rotations_), track.rotation_changes_, rest.rotation);
    out.translation = keys_of(times, std::move(track.translations_), track.translation_changes_,
                              rest.translation);
    if (!out.rotation.empty() || !out.translation.empty()) clip.tracks.push_back(std::move(out));
  }
  std::sort(clip.tracks.begin(), clip.tracks.end(),
            [](const JointTrack& a, const JointTrack& b) { return a.joint < b.joint; });
  return clip;
}

namespace {

bool may_warn(const Findings& findings, std::string_view code) {
  constexpr std::ptrdiff_t kMostAlike = 8;
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.code == code; }) < kMostAlike;
}

}  // namespace

void add_warning(Findings& findings, std::string code, std::string message, std::string place,
                 std::string hint) {
  if (!may_warn(findings, code)) return;
  findings.push_back({Severity::kWarning,
                      std::move(code),
                      std::move(message),
                      std::move(place),
                      std::move(hint),
                      {}});
}

void add_warning(Findings& findings, std::string code, std::string message, const TextScanner& text,
                 std::size_t offset) {
  if (!may_warn(findings, code)) return;
  findings.push_back(
      {Severity::kWarning, std::move(code), std::move(message), text.place(offset), {}, {}});
}

double guess_unit(const MocapSkeleton& skeleton, double preferred, std::string_view code,
                  Findings& findings) {
  const double size = tip_to_tip(skeleton) / kTipToTip;
  Finding finding{Severity::kInfo, std::string(code), {}, "skeleton", {}, {}};
  if (!(size > 0)) {
    finding.severity = Severity::kWarning;
    finding.message = "the bones have no length, so that lengths are taken as metres";
    finding.hint = "give the unit";
    findings.push_back(std::move(finding));
    return 1;
  }
  double best = preferred;
  if (!(preferred > 0 && size * preferred >= 1.2 && size * preferred <= 2.2)) {
    // Nearest in ratio: compares the larger over the smaller of the two heights.
    double least = HUGE_VAL;
    for (const LengthUnit unit : {LengthUnit::kMetre, LengthUnit::kCentimetre,
                                  LengthUnit::kMillimetre, LengthUnit::kInch, LengthUnit::kCmu}) {
      const double height = size * metres_per(unit);
      const double ratio = std::max(height / kUsualHeight, kUsualHeight / height);
      if (ratio < least) {
        least = ratio;
        best = metres_per(unit);
      }
    }
  }
  const double height = size * best;
  finding.message =
      format_text("one unit of length is taken as %.6g m, which makes the body about %.2f m tall",
                  best, height);
  finding.hint = "give the unit if that is wrong";
  if (height < 0.8 || height > 3.0) finding.severity = Severity::kWarning;
  findings.push_back(std::move(finding));
  return best;
}

bool stands_along_z(const MocapSkeleton& skeleton, const MocapMotion& motion) {
  struct Place {
    Quat64 rotation;
    Double3 position;
  };
  std::vector<Place> places;
  Double3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
    const MocapJoint& joint = skeleton.joints[i];
    const Vec3 offset = to_metres(joint.offset, skeleton.metres_per_unit);
    Vec3 local = offset;
    Quat64 rotation;
    if (i < motion.tracks.size()) {
      const MocapTrack& track = motion.tracks[i];
      if (!track.translations().empty()) local = track.translations().front();
      if (!track.rotations().empty()) rotation = to_double(track.rotations().front());
    }
    const Place parent =
        joint.parent >= 0 ? places[static_cast<std::size_t>(joint.parent)] : Place{};
    const Double3 moved = rotate(
        parent.rotation,
        {static_cast<double>(local.x), static_cast<double>(local.y), static_cast<double>(local.z)});
    const Double3 p{parent.position.x + moved.x, parent.position.y + moved.y,
                    parent.position.z + moved.z};
    places.push_back({parent.rotation * rotation, p});
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  if (places.empty()) return false;
  const double tall_y = high.y - low.y, tall_z = high.z - low.z;
  return tall_z > 1.5 * tall_y && std::abs(low.z) < 0.2 * tall_z;
}

Result<Model> build_mocap_model(const MocapSkeleton& skeleton, MocapMotion motion, EndSites ends,
                                UpAxis up, std::string_view name, Findings findings) {
  const double scale = skeleton.metres_per_unit;
  const Quat64 turn = up == UpAxis::kZ ? axis_rotation(0, -90) : Quat64{};
  std::vector<JointDef> defs;
  defs.reserve(skeleton.joints.size() + skeleton.ends.size());
  for (std::size_t i = 0; i < skeleton.joints.size(); ++i) {
    const MocapJoint& joint = skeleton.joints[i];
    JointDef def;
    def.name = joint.name;
    def.parent = joint.parent;
    def.rest.translation = to_metres(joint.offset, scale);
    if (joint.parent < 0 && up == UpAxis::kZ) {
      def.rest.translation = to_metres(rotate(turn, joint.offset), scale);
      def.rest.rotation = to_float(turn);
      if (i < motion.tracks.size()) motion.tracks[i].turn(turn);
    }
    defs.push_back(std::move(def));
  }
  if (ends == EndSites::kJoints) {
    for (const MocapEnd& end : skeleton.ends) {
      JointDef def;
      def.name = end.name;
      def.parent = end.joint;
      def.rest.translation = to_metres(end.offset, scale);
      defs.push_back(std::move(def));
    }
  }
  Result<Skeleton> built = Skeleton::build(defs);
  if (!built) return std::move(built).error();

  Model model;
  model.name = file_name_of(name);
  model.unit = {skeleton.unit_from, scale};
  model.skeleton = std::move(built).value();
  model.roles = find_roles(model.skeleton);
  if (ends == EndSites::kSockets) {
    for (const MocapEnd& end : skeleton.ends) {
      Socket socket;
      socket.name = end.name;
      socket.joint = model.skeleton.index_of_source(end.joint);
      socket.offset.translation = to_metres(end.offset, scale);
      model.sockets.push_back(std::move(socket));
    }
  }
  RawClip clip = std::move(motion).to_clip(file_stem_of(name), model.skeleton);
  if (const Status status = validate(clip, model.skeleton); !status) return status.error();
  model.clips.push_back(std::move(clip));
  model.findings = std::move(findings);
  return model;
}

}  // namespace sinew
