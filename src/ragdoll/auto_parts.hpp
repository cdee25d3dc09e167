// The steps of the automatic builder.
#pragma once

#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/ragdoll/auto_ragdoll.hpp>

namespace sinew::auto_ragdoll_detail {

// One body while it is made. Points and directions are in the rest pose, model space, metres.
struct Part {
  int joint = kNoJoint;
  int parent = -1;  // part
  JointRole role = JointRole::kNone;
  std::vector<Vec3> points;  // of the skin that it carries
  Vec3 axis;                 // long axis, unit, away from the joint
  Shape shape;               // in the joint's axes
  float mass = 0;
};

struct Body {
  const Model* model = nullptr;
  AutoRagdollOptions options;
  float height = 1;      // metres
  float unit = 1;        // height / 1.75 m: what lengths are in proportion to
  float world_unit = 1;  // the same of the scaled body: for masses and forces
  Vec3 forward{0, 0, 1};
  std::vector<Transform> rest;  // joints in model space, scale dropped
  std::vector<int> part_of;     // per joint, -1 above the root
  std::vector<Part> parts;      // parents first

  Vec3 place(int joint) const { return rest[static_cast<std::size_t>(joint)].translation; }
  const Quat& turn(int joint) const { return rest[static_cast<std::size_t>(joint)].rotation; }
};

// Vertices of skinned meshes at the rest pose, with the joint of their greatest weight.
struct SkinPoint {
  Vec3 place;
  int joint;
};
std::vector<SkinPoint> skin_points(const Model& model);

// Which joints get a body, and the skin points of each.
bool choose_parts(Body& body, const std::vector<SkinPoint>& points);
void fit_shape(const Body& body, Part& part);
void set_masses(Body& body);
// Axes, neutral pose and limits of the joint to the parent, into `out`.
void set_limits(const Body& body, const Part& part, RagdollBodySource& out);

// Value at a share of the sorted list. The list is sorted.
float percentile(std::vector<float>& values, float share);

}  // namespace sinew::auto_ragdoll_detail
