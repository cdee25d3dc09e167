#include <sinew/base/text.hpp>
#include <sinew/codec/compress.hpp>

#include "encoder.hpp"
#include "tables.hpp"

namespace sinew {

Result<Clip> compress(const RawClip& raw, const Skeleton& skeleton,
                      const CompressionSettings& settings, CompressionReport* report) {
  if (!(settings.max_error > 0.0f) || !is_finite(settings.max_error) ||
      !(settings.shell_distance > 0.0f) || !is_finite(settings.shell_distance)) {
    return make_error(ErrorCode::kInvalidArgument,
                      "the largest error and the shell distance must be positive",
                      "clip '" + raw.name + "'");
  }
  Result<Clip> clip = Clip::build(raw, skeleton, ClipSettings{settings.sample_rate});
  if (!clip) return clip;
  codec::Encoder encoder(*clip, skeleton, settings);
  if (Status s = encoder.run(); !s) return std::move(s).error();

  std::vector<std::byte> best;
  for (std::size_t length : {std::size_t{16}, std::size_t{32}, std::size_t{64}}) {
    std::vector<std::byte> payload = encoder.write(length);
    if (best.empty() || payload.size() < best.size()) best = std::move(payload);
  }
  if (report) {
    *report = {};
    report->raw_bytes = static_cast<std::size_t>(clip->sample_count()) *
                        static_cast<std::size_t>(clip->joint_count()) * 40;
    report->compressed_bytes = best.size();
    report->max_error = static_cast<float>(encoder.worst().error);
    report->worst_joint = encoder.worst().joint;
    report->worst_time = static_cast<float>(encoder.worst().sample) * clip->interval();
    report->animated_tracks = encoder.animated();
    report->constant_tracks = clip->joint_count() * 3 - encoder.animated();
  }
  std::vector<std::byte> tables = codec::make_tables(best, skeleton.rest_groups());
  return clip->with_payload(std::move(best), std::move(tables));
}

}  // namespace sinew
