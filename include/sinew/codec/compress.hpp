// Lossy compression of clips with an error that the user states and the encoder proves.
#pragma once

#include <cstddef>
#include <string>

#include <sinew/asset/clip.hpp>

namespace sinew {

struct CompressionSettings {
  // Largest distance, in metres, between where a point on a joint's shell should be and where the
  // decoded pose puts it, in model space, over all joints and samples.
  float max_error = 1e-4f;
  // Radius of that shell around each joint, metres: about where its skin lies.
  float shell_distance = 0.03f;
  // Samples a second, as ClipSettings::sample_rate.
  float sample_rate = 0;
};

// What the encoder found, measured after encoding against the samples in double precision.
struct CompressionReport {
  std::size_t raw_bytes = 0;         // 40 bytes a joint and sample
  std::size_t compressed_bytes = 0;  // of the payload
  float max_error = 0;               // metres
  int worst_joint = kNoJoint;
  float worst_time = 0;  // seconds
  int animated_tracks = 0, constant_tracks = 0;
  double ratio() const {
    return compressed_bytes ? static_cast<double>(raw_bytes) / static_cast<double>(compressed_bytes)
                            : 0.0;
  }
};

// The run-time clip with a compressed payload instead of samples. Float curves, events, contacts
// and STEP channels are kept exactly. Errors: those of Clip::build, and kLimit where the error
// asked for is finer than single precision allows at the clip's extent.
//
// Format (after ideas of Frechette's ACL: error at a shell distance; and of Giesen: vertical bit
// streams): segments of 32 intervals; per track one quantization step for the whole clip; per
// segment and component an integer base and, shared by four tracks, a bit width; rotations without
// their largest component, chosen per segment. Each joint is quantized against its already
// quantized parent, so that errors do not add up along a limb.
Result<Clip> compress(const RawClip& raw, const Skeleton& skeleton,
                      const CompressionSettings& settings = {},
                      CompressionReport* report = nullptr);

}  // namespace sinew
