// The encoder's model of a clip: what is quantized how, and what error that gives.
#pragma once

#include <array>
#include <vector>

#include <sinew/codec/compress.hpp>

#include "double_math.hpp"
#include "payload.hpp"

namespace sinew::codec {

// One channel of one joint that moves.
struct Track {
  int joint = 0;
  int kind = kRotation;
  float step[4] = {1, 1, 1, 1};    // kWholeRotation has one step for all
  double lever[4] = {1, 1, 1, 1};  // metres of error per unit of the component
  double share = 1;                // factor on the steps, found by the search
  std::int16_t mean_bits[3] = {0, 0, 0};
  Quat mean;
  std::vector<std::int32_t> q;  // quantized, [sample * components + component]
};

struct JointPlan {
  int rotation = -1, translation = -1, scale = -1;  // into tracks; -1: constant
  Transform constant;                               // the channels that do not move
  // The child with the longest constant offset. The joint is turned so that this child lands where
  // it belongs, whatever error the joint itself was given.
  int aim_child = kNoJoint;
};

class Encoder {
 public:
  Encoder(const Clip& clip, const Skeleton& skeleton, const CompressionSettings& settings);

  // Chooses the steps and encodes all samples. Fails where the error cannot be met.
  Status run();
  std::vector<std::byte> write(std::size_t segment_length) const;

  struct WorstError {
    double error = 0;
    int joint = kNoJoint;
    int sample = 0;
  };
  const WorstError& worst() const { return worst_; }
  int animated() const { return static_cast<int>(tracks_.size()); }

 private:
  struct Decoded {
    Quatd rotation;
    Affine model;
  };

  void plan();
  void plan_joint(int joint);
  void make_mean(Track& track);
  void find_levers();
  void choose_interpolation(Track& track, double lever);
  void apply_steps(Track& track, double scale);
  // The samples that the search looks at, or a stretch of all of them.
  void load(std::vector<int> samples);
  double encode_joint(int joint);
  double encode(const std::vector<int>& joints);
  bool search();
  void refine(double scale);
  Quatd quantize_rotation(Track& track, Quatd wanted, std::size_t row);
  Vec3d quantize_vector(Track& track, Vec3d wanted, std::size_t row);
  Transform source(int sample, int joint) const;

  const Clip& clip_;
  const Skeleton& skeleton_;
  CompressionSettings settings_;
  std::vector<JointPlan> plans_;
  std::vector<Track> tracks_;
  std::vector<std::vector<int>> subtree_;  // joints at and below each, parents first
  std::vector<double> joint_error_;        // largest, over the loaded samples
  std::vector<int> joint_error_sample_;
  std::vector<int> loaded_;
  std::vector<Affine> truth_;  // [row * joints + joint]
  std::vector<Quatd> truth_rotation_;
  std::vector<Decoded> decoded_;
  WorstError worst_;
};

}  // namespace sinew::codec
