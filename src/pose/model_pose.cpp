#include <cassert>

#include <sinew/pose/model_pose.hpp>

#include "kernels.hpp"

namespace sinew {
namespace {

// The local matrices of four joints, one after another.
struct FourMatrices {
  Float4 row[4][3];  // [lane][row]
};

// Same formula, same order of operations as to_matrix().
void local_matrices(const SoaTransform& g, FourMatrices& out) {
  const SoaQuat& q = g.rotation;
  const Float4 one(1.0f), two(2.0f);
  const Float4 xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Float4 xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const Float4 wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const SoaVec3& s = g.scale;
  const auto store = [&](int row, Float4 a, Float4 b, Float4 c, Float4 d) {
    transpose(a, b, c, d);
    out.row[0][row] = a;
    out.row[1][row] = b;
    out.row[2][row] = c;
    out.row[3][row] = d;
  };
  store(0, (one - two * (yy + zz)) * s.x, two * (xy - wz) * s.y, two * (xz + wy) * s.z,
        g.translation.x);
  store(1, two * (xy + wz) * s.x, (one - two * (xx + zz)) * s.y, two * (yz - wx) * s.z,
        g.translation.y);
  store(2, two * (xz - wy) * s.x, two * (yz + wx) * s.y, (one - two * (xx + yy)) * s.z,
        g.translation.z);
}

// parent * local, rows of the product as four lanes.
void multiply_store(const Mat3x4& parent, const Float4* local, Mat3x4& out) {
  for (int i = 0; i < 3; ++i) {
    const Vec4 r = parent.row[i];
    const Float4 sum = Float4(r.x) * local[0] + Float4(r.y) * local[1] + Float4(r.z) * local[2];
    (sum + Float4(0.0f, 0.0f, 0.0f, r.w)).store(&out.row[i].x);
  }
}

}  // namespace

void local_to_model(const Skeleton& skeleton, ConstPoseSpan local, std::span<Mat3x4> out,
                    const Mat3x4& root) {
  assert(static_cast<int>(local.size()) == skeleton.group_count());
  assert(static_cast<int>(out.size()) == skeleton.joint_count());
#if defined(SINEW_HAS_AVX2)
  if (kernels::use_avx2())
    return kernels::local_to_model_avx2(skeleton, local.data(), out.data(), root);
#endif
  const auto joint_of_slot = skeleton.joint_of_slot();
  const auto parents = skeleton.parents();
  FourMatrices matrices;
  for (std::size_t g = 0; g < local.size(); ++g) {
    local_matrices(local[g], matrices);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const int joint = joint_of_slot[g * 4 + lane];
      if (joint == kNoJoint) continue;
      const int parent = parents[static_cast<std::size_t>(joint)];
      const Mat3x4& above = parent == kNoJoint ? root : out[static_cast<std::size_t>(parent)];
      multiply_store(above, matrices.row[lane], out[static_cast<std::size_t>(joint)]);
    }
  }
}

void local_to_model_from(const Skeleton& skeleton, ConstPoseSpan local, int first,
                         std::span<Mat3x4> out, const Mat3x4& root) {
  assert(static_cast<int>(out.size()) == skeleton.joint_count());
  for (int joint = first; joint < skeleton.joint_count(); ++joint) {
    if (!skeleton.is_ancestor(first, joint)) continue;
    const int parent = skeleton.parent(joint);
    const Mat3x4& above = parent == kNoJoint ? root : out[static_cast<std::size_t>(parent)];
    out[static_cast<std::size_t>(joint)] = above * to_matrix(get_joint(skeleton, local, joint));
  }
}

Transform model_transform(const Skeleton& skeleton, ConstPoseSpan local, int joint) {
  Transform t = get_joint(skeleton, local, joint);
  for (int at = skeleton.parent(joint); at != kNoJoint; at = skeleton.parent(at)) {
    t = get_joint(skeleton, local, at) * t;
  }
  return t;
}

void skinning_matrices(const Skin& skin, std::span<const Mat3x4> model, std::span<Mat3x4> out) {
  assert(skin.joints.size() == skin.inverse_bind.size() && out.size() == skin.joints.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Vec4* rows = skin.inverse_bind[i].row;
    const Float4 local[3] = {Float4::load(&rows[0].x), Float4::load(&rows[1].x),
                             Float4::load(&rows[2].x)};
    multiply_store(model[static_cast<std::size_t>(skin.joints[i])], local, out[i]);
  }
}

}  // namespace sinew
