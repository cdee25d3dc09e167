#include <algorithm>

#include <sinew/base/hash.hpp>
#include <sinew/base/text.hpp>
#include <sinew/graph/motion_table.hpp>
#include <sinew/math/scalar.hpp>

namespace sinew {
namespace {

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

}  // namespace

std::uint64_t MotionTable::hash() const {
  Hasher hasher;
  for (const MotionInfo& m : motions) {
    hasher.f64(m.length);
    hasher.u64(static_cast<std::uint64_t>(m.clip));
    hasher.u64(static_cast<std::uint64_t>(m.reference_clip));
    hasher.f32(m.reference_time);
    hasher.f64(m.cycle_offset);
    hasher.u64(m.event_count);
    for (bool flag : {m.loop, m.missing, m.mirror}) hasher.u64(flag);
  }
  for (double time : event_times) hasher.f64(time);
  for (const std::string& name : event_names) hasher.text(name);
  return hasher.value();
}

MotionTable declared_motions(const ControllerDef& def) {
  MotionTable table;
  for (const MotionSource& motion : def.tables().motions) {
    MotionInfo info;
    info.length = motion.length.value_or(1.0);
    info.loop = motion.loop.value_or(true);
    info.clip = static_cast<std::int32_t>(table.motions.size());
    info.first_event = static_cast<std::uint32_t>(table.event_times.size());
    add_declared_events(table, info, motion);
    table.values.push_back(static_cast<float>(motion.value.value_or(0)));
    table.motions.push_back(info);
  }
  return table;
}

MotionTable bind_motions(const ControllerDef& def, std::span<const Clip* const> clips,
                         Findings* findings) {
  MotionTable table;
  std::vector<std::string_view> names;
  for (const Clip* clip : clips)
    names.push_back(clip ? std::string_view(clip->name()) : std::string_view());
  constexpr std::size_t kMostClips = 32767;  // PoseTask::index has 16 bits
  for (const MotionSource& motion : def.tables().motions) {
    MotionInfo info;
    info.first_event = static_cast<std::uint32_t>(table.event_times.size());
    const std::string_view wanted = motion.clip ? *motion.clip : motion.name;
    std::size_t found = 0;
    while (found < names.size() && (clips[found] == nullptr || names[found] != wanted)) ++found;
    if (found == names.size() || found > kMostClips) {
      info.missing = true;
      if (findings != nullptr) {
        findings->push_back(
            {Severity::kWarning,
             "controller.missing_clip",
             "there is no clip '" + std::string(wanted) + "'" + did_you_mean(wanted, names),
             "motion '" + motion.name + "'",
             "it plays the rest pose for 1 s",
             {}});
      }
    } else {
      const Clip& clip = *clips[found];
      info.clip = static_cast<std::int32_t>(found);
      info.reference_clip = info.clip;
      info.length = static_cast<double>(clip.duration());
      info.loop = motion.loop.value_or(clip.loop());
      info.cycle_offset = static_cast<double>(clip.annotations().cycle_offset);
      for (const ClipEvent& event : clip.annotations().events) {
        add_event(table, info, static_cast<double>(event.time), event.name);
      }
    }
    table.values.push_back(static_cast<float>(motion.value.value_or(0)));
    table.motions.push_back(info);
  }
  return table;
}

}  // namespace sinew
