// What the readers of motion capture share: a tree of joints in the file's unit, tracks that grow
// frame by frame, and the model that is made of both.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/import/bvh.hpp>
#include <sinew/import/length_unit.hpp>

#include "double_math.hpp"

namespace sinew {

class TextScanner;

struct MocapJoint {
  std::string name;
  int parent = -1;  // an earlier joint
  Double3 offset;   // in the parent, file units
};

struct MocapEnd {
  std::string name;
  int joint = 0;
  Double3 offset;
};

// Keys of one joint, one per frame. A channel that the file does not have stays empty.
class MocapTrack {
 public:
  void add_rotation(const Quat64& rotation);  // to the half sphere of the key before
  void add_translation(const Double3& metres);
  void turn(const Quat64& turn);  // all keys, seen from a turned parent
  std::span<const Quat> rotations() const { return rotations_; }
  std::span<const Vec3> translations() const { return translations_; }
  void reserve_rotations(std::size_t count) { rotations_.reserve(count); }
  void reserve_translations(std::size_t count) { translations_.reserve(count); }

 private:
  friend struct MocapMotion;
  std::vector<Quat> rotations_;
  std::vector<Vec3> translations_;
  bool rotation_changes_ = false,
       translation_changes_ = false;  // false: all keys are the same bits
};

struct MocapMotion {
  std::vector<MocapTrack> tracks;  // one per joint
  std::vector<float> times;        // seconds, rising
  double duration = 0;

  // The clip of it for a skeleton built from the joints in their order.
  RawClip to_clip(std::string name, const Skeleton& skeleton) &&;
};

struct MocapSkeleton {
  std::vector<MocapJoint> joints;
  std::vector<MocapEnd> ends;
  double metres_per_unit = 1;
  LengthSource::From unit_from = LengthSource::From::kCaller;
};

// Adds a warning, unless there are several of that code already: a hostile file has millions, and
// each place in a text costs a pass over it.
void add_warning(Findings& findings, std::string code, std::string message, std::string place,
                 std::string hint = {});
void add_warning(Findings& findings, std::string code, std::string message, const TextScanner& text,
                 std::size_t offset);

// The unit of a body by its size: the longest way along its bones from tip to tip (finger to toe)
// says a person's height whatever the pose. `preferred` (metres, 0: none) wins if it gives a height
// of 1.2 to 2.2 m. `code` is that of the finding which says what was chosen.
double guess_unit(const MocapSkeleton& skeleton, double preferred, std::string_view code,
                  Findings& findings);

// True if the body of the first frame is far taller along Z than along Y and stands on the plane
// z = 0: most likely a file whose Z axis points up.
bool stands_along_z(const MocapSkeleton& skeleton, const MocapMotion& motion);

// Skeleton, roles, sockets, clip. With UpAxis::kZ the roots are turned upright.
Result<Model> build_mocap_model(const MocapSkeleton& skeleton, MocapMotion motion, EndSites ends,
                                UpAxis up, std::string_view name, Findings findings);

}  // namespace sinew
