// From local to model space, and on to skinning.
#pragma once

#include <span>

#include <sinew/asset/model.hpp>
#include <sinew/pose/pose.hpp>

namespace sinew {

// model[j] = root * local[ancestors] * ... * local[j] for every joint. out: joint_count() matrices
// in joint order. Affine, so that non-uniform scale under rotation is exact (shear).
void local_to_model(const Skeleton& skeleton, ConstPoseSpan local, std::span<Mat3x4> out,
                    const Mat3x4& root = {});

// The same for the joints at or below `first`, where the ones above are already right.
void local_to_model_from(const Skeleton& skeleton, ConstPoseSpan local, int first,
                         std::span<Mat3x4> out, const Mat3x4& root = {});

// Model-space rotation and translation of one joint (scale from the matrix is dropped).
// Cost: O(depth).
Transform model_transform(const Skeleton& skeleton, ConstPoseSpan local, int joint);

// out[i] = model[skin.joints[i]] * skin.inverse_bind[i]: what the vertex shader takes.
void skinning_matrices(const Skin& skin, std::span<const Mat3x4> model, std::span<Mat3x4> out);

}  // namespace sinew
