// Makes a ragdoll of a skeleton and its skin: people, animals, anything whose roles are known.
#pragma once

#include <sinew/asset/model.hpp>
#include <sinew/ragdoll/ragdoll_source.hpp>

namespace sinew {

struct AutoRagdollOptions {
  float mass = 0;   // kg of the whole body; 0: 73 kg at 1.75 m, with the cube of the height
  float scale = 1;  // the character's: masses are those of the scaled body
  // Bones shorter than this share of the height become part of what they hang on (8 cm at 1.75 m).
  float shortest_bone = 0.0457f;
  float margin = 0.17453293f;  // radians around what the clips show: 10 degrees
  bool use_clips = true;       // false: limits of the template alone
};

// How well the bodies stand for the skin.
struct RagdollCoverage {
  int vertices = 0;  // that a body carries
  int covered = 0;   // within 2 cm of the shape of the body that carries them
  float share() const {
    return vertices > 0 ? static_cast<float>(covered) / static_cast<float>(vertices) : 0.0f;
  }
};

// Vertices are sorted to joints by their greatest weight; each body is a capsule or a box around
// those it carries. Masses are shares of the body (Winter 2009, table 4.1) for people, by volume
// for others, neighbours at most 4:1. Limits are the 1 to 99 % range of what the clips show and a
// margin, or a template's where there is too little motion. Errors: no skeleton, no joint that can
// carry a body.
Result<RagdollSource> auto_ragdoll(const Model& model, const AutoRagdollOptions& options = {});

// 2 cm at a height of 1.75 m, in proportion elsewhere.
RagdollCoverage measure_coverage(const Model& model, const RagdollSource& source);

}  // namespace sinew
