// Which nodes of an FBX scene become joints, and where they are at any time.
#pragma once

#include <vector>

#include <sinew/asset/model.hpp>

#include "fbx_animation.hpp"

namespace sinew {

class FbxRig {
 public:
  // `metres_per_unit` and the axes of the scene are applied to the roots.
  FbxRig(const FbxScene& scene, const std::vector<FbxModel>& models,
         const std::vector<FbxStack>& stacks, double metres_per_unit);

  // Joint of a model, or kNoJoint; joints are numbered in the order of the models.
  int joint_of(int model) const { return joint_of_[static_cast<std::size_t>(model)]; }
  // The joint of the model or of the nearest one above it that has one.
  int joint_above(int model) const;
  std::vector<JointDef> joint_defs() const;

  // A clip of the stack for the skeleton built of joint_defs(). `budget` is what the whole file may
  // still ask for, in evaluations of a joint; beyond it the clip is an error.
  Result<RawClip> clip(const FbxStack& stack, const Skeleton& skeleton, double rate,
                       double& budget) const;

  // Model space of Sinew <- node, at rest, the node's scale included.
  Affine64 rest_of_model(int model) const { return rest_world_[static_cast<std::size_t>(model)]; }
  // Model space of Sinew <- world of the file.
  const Affine64& from_file() const { return from_file_; }

 private:
  void choose(const std::vector<FbxStack>& stacks);
  // Local transforms of all models that matter at a time (null: the rest pose), as an ordinary
  // product of matrices needs them.
  void evaluate(const FbxStack* stack, double time, std::vector<Transform64>& locals) const;
  // Local transform of a joint as the skeleton has it.
  Transform64 joint_local(int model, const std::vector<Transform64>& locals) const;

  const FbxScene& scene_;
  const std::vector<FbxModel>& models_;
  Affine64 from_file_;
  std::vector<int> joint_of_;  // by model
  std::vector<int> model_of_joint_;
  std::vector<bool> needed_;  // joints and what is above them
  std::vector<double>
      shrink_;  // by model: joint space <- node space, so that the rest pose has no scale
  std::vector<Affine64> rest_world_;
  std::vector<Affine64> above_;  // by model: of a root joint, all that stands still above it
};

}  // namespace sinew
