#include <algorithm>

#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>
#include <sinew/graph/motion_table.hpp>
#include <sinew/math/scalar.hpp>

#include "sync_phase.hpp"

namespace sinew {
namespace {

using graph_detail::NamedMarker;

void add_event(MotionTable& table, MotionInfo& info, double time, const std::string& name) {
  const double length = info.length > 0 ? info.length : 1.0;
  const double share = time / length;
  table.event_times.push_back(share < 0 ? 0 : (share > 1 ? 1 : share));
  table.event_names.push_back(name);
  ++info.event_count;
}

void add_declared_events(MotionTable& table, MotionInfo& info, const MotionSource& motion) {
  std::vector<MotionEventSource> events = motion.events;
  std::stable_sort(events.begin(), events.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  for (const MotionEventSource& event : events) add_event(table, info, event.time, event.name);
}

void add_declared_markers(MotionTable& table, MotionInfo& info, const MotionSource& motion) {
  const double length = info.length > 0 ? info.length : 1.0;
  std::vector<NamedMarker> markers;
  for (const MotionEventSource& m : motion.markers) markers.push_back({m.time / length, m.name});
  graph_detail::add_markers(table, info, std::move(markers));
}

void add_curve(const ControllerDef& def, MotionTable& table, MotionInfo& info,
               const std::string& name, const KeyTrack<float>& keys) {
  const ParamId parameter = def.param(name);
  if (!parameter || keys.empty()) return;
  const auto index = static_cast<std::size_t>(parameter.index);
  if (def.tables().parameters[index].type != ParameterType::kFloat) return;
  if (info.curve_count == 0) info.first_curve = static_cast<std::uint32_t>(table.curves.size());
  ++info.curve_count;
  table.curves.push_back({parameter.index, keys});
  table.driven.resize(def.tables().parameters.size(), 0);
  table.driven[index] = 1;
}

void add_declared_curves(const ControllerDef& def, MotionTable& table, MotionInfo& info,
                         const MotionSource& motion) {
  for (const MotionCurveSource& curve : motion.curves) {
    KeyTrack<float> keys;
    for (const auto& [time, value] : curve.keys) {
      keys.times.push_back(static_cast<float>(time));
      keys.values.push_back(static_cast<float>(value));
    }
    add_curve(def, table, info, curve.parameter, keys);
  }
}

bool is_foot(JointRole role) {
  switch (role) {
    case JointRole::kNone:  // a contact that goes by a name of its own
    case JointRole::kLeftFoot:
    case JointRole::kRightFoot:
    case JointRole::kLeftToes:
    case JointRole::kRightToes:
    case JointRole::kFrontLeftFoot:
    case JointRole::kFrontRightFoot:
    case JointRole::kHindLeftFoot:
    case JointRole::kHindRightFoot:
      return true;
    default:
      return false;
  }
}

void add_clip_markers(MotionTable& table, MotionInfo& info, const Clip& clip) {
  const ClipAnnotations& notes = clip.annotations();
  const double length = info.length > 0 ? info.length : 1.0;
  std::vector<NamedMarker> markers;
  for (const SyncMarker& m : notes.sync_markers) {
    markers.push_back({static_cast<double>(m.time) / length, m.name});
  }
  for (const Contact& contact : notes.contacts) {
    if (!notes.sync_markers.empty() || !is_foot(contact.role)) continue;
    const std::string_view name =
        contact.role == JointRole::kNone ? std::string_view(contact.name) : to_string(contact.role);
    markers.push_back({static_cast<double>(contact.start) / length, name});
  }
  graph_detail::add_markers(table, info, std::move(markers));
}

// Looks clips up by name.
class ClipNames {
 public:
  explicit ClipNames(std::span<const Clip* const> clips) {
    constexpr std::size_t kMostClips = 32767;  // PoseTask::index has 16 bits
    for (const Clip* clip : clips.first(std::min(clips.size(), kMostClips))) {
      names_.push_back(clip ? std::string_view(clip->name()) : std::string_view());
    }
  }
  // -1: there is none.
  std::int32_t find(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() || name.empty()
               ? -1
               : static_cast<std::int32_t>(found - names_.begin());
  }
  std::string nearest(std::string_view name) const { return did_you_mean(name, names_); }

 private:
  std::vector<std::string_view> names_;
};

const MotionSource* find_motion(const ControllerDef& def, std::string_view name) {
  for (const MotionSource& motion : def.tables().motions) {
    if (motion.name == name) return &motion;
  }
  return nullptr;
}

void bind_clip(const ControllerDef& def, const MotionSource& motion, const Clip& clip,
               MotionTable& table, MotionInfo& info) {
  info.length = static_cast<double>(clip.duration());
  info.loop = motion.loop.value_or(clip.loop());
  info.cycle_offset += static_cast<double>(clip.annotations().cycle_offset);
  for (const ClipEvent& event : clip.annotations().events) {
    add_event(table, info, static_cast<double>(event.time), event.name);
  }
  add_clip_markers(table, info, clip);
  for (const FloatCurve& curve : clip.curves()) add_curve(def, table, info, curve.name, curve.keys);
}

// Which channels any of the clips in use animates; then who leaves some of them out.
void find_partial(std::span<const Clip* const> clips, MotionTable& table) {
  std::vector<std::uint8_t> all;
  for (const MotionInfo& info : table.motions) {
    if (info.clip < 0) continue;
    const auto channels = clips[static_cast<std::size_t>(info.clip)]->channels();
    if (all.size() < channels.size()) all.resize(channels.size(), 0);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      all[i] = static_cast<std::uint8_t>(all[i] | channels[i]);
    }
  }
  table.scales =
      std::any_of(all.begin(), all.end(), [](std::uint8_t c) { return (c & kScaleChannel) != 0; });
  for (MotionInfo& info : table.motions) {
    if (info.clip < 0) continue;
    const auto channels = clips[static_cast<std::size_t>(info.clip)]->channels();
    info.partial = !std::equal(channels.begin(), channels.end(), all.begin(), all.end());
    table.partial = table.partial || info.partial;
  }
}

void report_missing(const MotionSource& motion, std::string_view wanted, const ClipNames& names,
                    Findings* findings) {
  if (findings == nullptr) return;
  findings->push_back({Severity::kWarning,
                       "controller.missing_clip",
                       "there is no clip '" + std::string(wanted) + "'" + names.nearest(wanted),
                       "motion '" + motion.name + "'",
                       "it plays the rest pose for 1 s",
                       {}});
}

}  // namespace

PoseMemoryShape MotionTable::memory_shape(const ControllerDef& def) const {
  return {static_cast<int>(def.limits().stored_poses), static_cast<int>(def.limits().offsets),
          scales, partial};
}

std::uint64_t MotionTable::hash() const {
  Hasher hasher;
  for (const MotionInfo& m : motions) {
    hasher.f64(m.length);
    hasher.u64(static_cast<std::uint64_t>(m.clip));
    hasher.u64(static_cast<std::uint64_t>(m.reference_clip));
    hasher.f32(m.reference_time);
    hasher.f64(m.cycle_offset);
    for (std::uint32_t count : {m.event_count, m.marker_count, m.curve_count}) hasher.u64(count);
    for (bool flag : {m.loop, m.missing, m.mirror, m.partial}) hasher.u64(flag);
  }
  for (double time : event_times) hasher.f64(time);
  for (const std::string& name : event_names) hasher.text(name);
  for (double time : marker_times) hasher.f64(time);
  for (std::int32_t set : marker_sets) hasher.u64(static_cast<std::uint64_t>(set));
  for (const std::string& name : marker_names) hasher.text(name);
  for (const MotionCurve& curve : curves) {
    hasher.u64(static_cast<std::uint64_t>(curve.parameter));
    hasher.floats(curve.keys.times);
    hasher.floats(curve.keys.values);
  }
  return hasher.value();
}

MotionTable declared_motions(const ControllerDef& def) {
  MotionTable table;
  table.scales = false;
  for (const MotionSource& motion : def.tables().motions) {
    MotionInfo info;
    info.length = motion.length.value_or(1.0);
    info.loop = motion.loop.value_or(true);
    info.mirror = motion.mirror;
    info.cycle_offset = motion.cycle_offset;
    info.clip = static_cast<std::int32_t>(table.motions.size());
    info.partial = !motion.value.has_value();
    table.partial = table.partial || info.partial;
    info.first_event = static_cast<std::uint32_t>(table.event_times.size());
    add_declared_events(table, info, motion);
    add_declared_markers(table, info, motion);
    add_declared_curves(def, table, info, motion);
    if (motion.reference) {
      const MotionSource* reference = find_motion(def, *motion.reference);
      if (reference != nullptr) {
        info.reference_clip = static_cast<std::int32_t>(reference - def.tables().motions.data());
        info.reference_time = static_cast<float>(motion.reference_time);
      }
    }
    table.values.push_back(static_cast<float>(motion.value.value_or(0)));
    table.motions.push_back(info);
  }
  graph_detail::mirror_marker_sets(table);
  graph_detail::make_sync_tracks(def.tables(), table);
  return table;
}

MotionTable bind_motions(const ControllerDef& def, std::span<const Clip* const> clips,
                         Findings* findings) {
  MotionTable table;
  const ClipNames names(clips);
  for (const MotionSource& motion : def.tables().motions) {
    MotionInfo info;
    info.first_event = static_cast<std::uint32_t>(table.event_times.size());
    info.mirror = motion.mirror;
    info.cycle_offset = motion.cycle_offset;
    const std::string& wanted = motion.clip ? *motion.clip : motion.name;
    info.clip = names.find(wanted);
    info.missing = info.clip < 0;
    if (info.missing) {
      report_missing(motion, wanted, names, findings);
    } else {
      bind_clip(def, motion, *clips[static_cast<std::size_t>(info.clip)], table, info);
    }
    info.reference_clip = info.clip;
    info.reference_time = static_cast<float>(motion.reference_time);
    if (motion.reference) {
      const MotionSource* reference = find_motion(def, *motion.reference);
      const std::string& clip = reference && reference->clip ? *reference->clip : *motion.reference;
      info.reference_clip = names.find(clip);
      if (info.reference_clip < 0) report_missing(motion, clip, names, findings);
    }
    table.values.push_back(static_cast<float>(motion.value.value_or(0)));
    table.motions.push_back(info);
  }
  find_partial(clips, table);
  graph_detail::mirror_marker_sets(table);
  graph_detail::make_sync_tracks(def.tables(), table);
  return table;
}

}  // namespace sinew
