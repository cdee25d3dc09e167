// Animation stacks of an FBX file: curves, and how layers combine them.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "fbx_scene.hpp"

namespace sinew {

// A function of time in keys. Before the first key its value holds, after the last the last one's.
class FbxCurve {
 public:
  enum class Shape : std::uint8_t {
    kStep,      // this key's value
    kStepNext,  // the next key's value
    kLinear,
    kCubic,  // a Bezier piece whose inner points lie along the slopes
  };
  struct Key {
    double time = 0;  // seconds
    double value = 0;
    Shape shape = Shape::kLinear;  // of the piece behind the key
    // For kCubic: value per second at the piece's two ends, and how far the inner points lie as
    // shares of its length.
    double slope = 0, next_slope = 0;
    double weight = 1.0 / 3, next_weight = 1.0 / 3;
    bool automatic = false;  // slopes follow from the neighbours,
    bool clamped = false;    // and do not overshoot them
  };

  bool empty() const { return keys_.empty(); }
  const std::vector<Key>& keys() const { return keys_; }
  // Keys must rise in time; solves automatic slopes.
  void assign(std::vector<Key> keys);
  double value(double time) const;

 private:
  std::vector<Key> keys_;
};

// Three numbers (a translation, a rotation in degrees, a scale), each with a curve or constant.
struct FbxChannel {
  int model = -1;
  FbxTarget target = FbxTarget::kTranslation;
  std::array<FbxCurve, 3> curves;
  Double3 constant;
  Double3 value(double time) const;
};

struct FbxLayer {
  enum class Blend : std::uint8_t { kAdd, kReplace, kMix };
  Blend blend = Blend::kAdd;
  double weight = 1;
  FbxCurve weight_curve;                    // in percent, in place of `weight` where it has keys
  bool rotation_by_channel = false;         // false: whole rotations are combined
  bool scale_adds = false;                  // false: scales multiply
  std::unordered_map<int, int> channel_of;  // by slot(); what it does not touch is absent
  std::vector<FbxChannel> channels;

  static int slot(int model, FbxTarget target) { return 3 * model + static_cast<int>(target); }
};

struct FbxStack {
  std::string name;
  double start = 0, stop = 0;  // seconds
  std::vector<FbxLayer> layers;

  // The combined value; `rest` is that of the model's own property.
  Double3 value(int model, FbxTarget target, const Double3& rest, const std::array<int, 3>& order,
                double time) const;
};

Result<std::vector<FbxStack>> read_stacks(const FbxScene& scene,
                                          const std::vector<FbxModel>& models);

}  // namespace sinew
