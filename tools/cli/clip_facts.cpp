#include "clip_facts.hpp"

#include <sinew/character/travel.hpp>

namespace sinew::cli {

namespace {

template <class T>
void count_track(const KeyTrack<T>& track, ClipFacts& facts) {
  if (track.empty()) return;
  facts.keys += track.times.size();
  ++facts.interpolations[static_cast<std::size_t>(track.interpolation)];
}

}  // namespace

ClipFacts facts_of(const RawClip& clip, const Model& model) {
  ClipFacts facts;
  for (const JointTrack& track : clip.tracks) {
    count_track(track.translation, facts);
    count_track(track.rotation, facts);
    count_track(track.scale, facts);
  }
  for (const FloatCurve& curve : clip.curves) count_track(curve.keys, facts);
  const Skeleton& skeleton = model.skeleton;
  if (skeleton.joint_count() == 0) return facts;
  const int hips = model.roles.has(JointRole::kHips) ? model.roles.joint(JointRole::kHips) : 0;
  std::vector<Transform> local(static_cast<std::size_t>(skeleton.joint_count()));
  const auto place = [&](float time) {
    sample(clip, skeleton, time, local);
    Transform t = local[static_cast<std::size_t>(hips)];
    for (int j = skeleton.parent(hips); j != kNoJoint; j = skeleton.parent(j))
      t = local[static_cast<std::size_t>(j)] * t;
    return t.translation;
  };
  facts.travel = place(clip.duration) - place(0);
  if (const Result<Clip> built = Clip::build(clip, skeleton); built) {
    const TravelMeasure measure = measure_travel(*built, skeleton, model.roles);
    facts.feet = measure.velocity;
    facts.planted = static_cast<double>(measure.planted);
  }
  return facts;
}

std::string interpolation_text(const ClipFacts& facts) {
  constexpr const char* kNames[] = {"step", "linear", "cubic"};
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    if (facts.interpolations[i] > 0) text += (text.empty() ? "" : "+") + std::string(kNames[i]);
  }
  return text.empty() ? "-" : text;
}

std::vector<JointRole> missing_roles(const RoleMap& roles) {
  std::vector<JointRole> out;
  for (const JointRole role : expected_roles(roles.plan)) {
    if (!roles.has(role)) out.push_back(role);
  }
  return out;
}

}  // namespace sinew::cli
