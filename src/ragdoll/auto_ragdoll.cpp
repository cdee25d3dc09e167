#include <algorithm>

#include <sinew/pose/mass_centre.hpp>
#include <sinew/ragdoll/auto_ragdoll.hpp>
#include <sinew/ragdoll/capsule_skin.hpp>
#include <sinew/ragdoll/ragdoll_def.hpp>

#include "auto_parts.hpp"

namespace sinew {

namespace auto_ragdoll_detail {

float percentile(std::vector<float>& values, float share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const float at = share * static_cast<float>(values.size() - 1);
  return values[static_cast<std::size_t>(at + 0.5f)];
}

std::vector<SkinPoint> skin_points(const Model& model) {
  std::vector<SkinPoint> out;
  const std::span<const Mat3x4> rest = model.skeleton.rest_model();
  for (const Mesh& mesh : model.meshes) {
    if (mesh.skin < 0 || static_cast<std::size_t>(mesh.skin) >= model.skins.size()) continue;
    const Skin& skin = model.skins[static_cast<std::size_t>(mesh.skin)];
    if (mesh.joints.size() != mesh.positions.size() ||
        mesh.weights.size() != mesh.positions.size()) {
      continue;
    }
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const Vec4 w = mesh.weights[v];
      const float weights[4] = {w.x, w.y, w.z, w.w};
      const auto best = static_cast<std::size_t>(std::max_element(weights, weights + 4) - weights);
      const std::size_t slot = mesh.joints[v][best];
      if (slot >= skin.joints.size()) continue;
      const int joint = skin.joints[slot];
      const Vec3 place = transform_point(
          rest[static_cast<std::size_t>(joint)] * skin.inverse_bind[slot], mesh.positions[v]);
      if (is_finite(place)) out.push_back({place, joint});
    }
  }
  return out;
}

namespace {

using Role = JointRole;

// Roles that carry a body, parents first.
constexpr Role kBipedBodies[] = {Role::kHips,          Role::kSpine,     Role::kChest,
                                 Role::kNeck,          Role::kHead,      Role::kLeftUpperArm,
                                 Role::kLeftLowerArm,  Role::kLeftHand,  Role::kRightUpperArm,
                                 Role::kRightLowerArm, Role::kRightHand, Role::kLeftUpperLeg,
                                 Role::kLeftLowerLeg,  Role::kLeftFoot,  Role::kRightUpperLeg,
                                 Role::kRightLowerLeg, Role::kRightFoot};
constexpr Role kQuadrupedBodies[] = {Role::kHips,
                                     Role::kSpine,
                                     Role::kChest,
                                     Role::kNeck,
                                     Role::kHead,
                                     Role::kTail,
                                     Role::kFrontLeftUpper,
                                     Role::kFrontLeftLower,
                                     Role::kFrontLeftAnkle,
                                     Role::kFrontLeftFoot,
                                     Role::kFrontRightUpper,
                                     Role::kFrontRightLower,
                                     Role::kFrontRightAnkle,
                                     Role::kFrontRightFoot,
                                     Role::kHindLeftUpper,
                                     Role::kHindLeftLower,
                                     Role::kHindLeftAnkle,
                                     Role::kHindLeftFoot,
                                     Role::kHindRightUpper,
                                     Role::kHindRightLower,
                                     Role::kHindRightAnkle,
                                     Role::kHindRightFoot};
constexpr std::size_t kMostWithoutRoles = 20;

bool is_trunk(Role role) {
  return role == Role::kHips || role == Role::kSpine || role == Role::kChest;
}

struct Chooser {
  Body& body;
  const std::vector<SkinPoint>& points;
  const Skeleton& skeleton;
  std::vector<int> chosen;  // joints, parents first

  Chooser(Body& b, const std::vector<SkinPoint>& p)
      : body(b), points(p), skeleton(b.model->skeleton) {}

  int owner(int joint) const {
    for (int j = joint; j >= 0; j = skeleton.parent(j)) {
      if (std::find(chosen.begin(), chosen.end(), j) != chosen.end()) return j;
    }
    return kNoJoint;
  }
  Role role(int joint) const { return body.model->roles.role(joint); }

  void by_roles(std::span<const Role> roles) {
    const RoleMap& map = body.model->roles;
    const int hips = map.joint(Role::kHips);
    for (const Role one : roles) {
      int joint = map.joint(one);
      // Of two chest joints the upper one bears arms and neck.
      if (one == Role::kHead && map.has(Role::kNeck)) continue;
      if (joint < 0 || !skeleton.is_ancestor(hips, joint)) continue;
      if (std::find(chosen.begin(), chosen.end(), joint) == chosen.end()) chosen.push_back(joint);
    }
    // A head that turns apart from a long neck.
    const int neck = map.joint(Role::kNeck), head = map.joint(Role::kHead);
    if (neck >= 0 && head >= 0 && skeleton.is_ancestor(hips, head) &&
        distance(body.place(neck), body.place(head)) > 0.12f * body.height) {
      chosen.push_back(head);
    }
    std::sort(chosen.begin(), chosen.end());
  }

  // Without roles: joints that carry much skin, at most so many.
  void by_skin() {
    std::vector<std::pair<std::size_t, int>> counts;
    for (int j = 0; j < skeleton.joint_count(); ++j) {
      std::size_t count = 0;
      for (const SkinPoint& p : points) count += p.joint == j;
      if (count > points.size() / 200) counts.push_back({count, j});
    }
    std::stable_sort(counts.begin(), counts.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (counts.size() > kMostWithoutRoles) counts.resize(kMostWithoutRoles);
    for (const auto& [count, j] : counts) chosen.push_back(j);
    std::sort(chosen.begin(), chosen.end());
    // One root: the joint above all others, or the common ancestor of all.
    if (chosen.empty()) return;
    int root = chosen.front();
    for (const int j : chosen) {
      while (root >= 0 && !skeleton.is_ancestor(root, j)) root = skeleton.parent(root);
    }
    if (root < 0) {
      // Several trees: keep the one with most skin.
      const int top = counts.front().second;
      int first = top;
      while (skeleton.parent(first) >= 0) first = skeleton.parent(first);
      std::erase_if(chosen, [&](int j) { return !skeleton.is_ancestor(first, j); });
      root = first;
    }
    if (std::find(chosen.begin(), chosen.end(), root) == chosen.end()) {
      chosen.insert(chosen.begin(), root);
    }
  }

  // How far the bone reaches: to the next body or to the end of its skin.
  float reach(int joint) const {
    float far = 0;
    for (const int other : chosen) {
      if (other == joint || owner(skeleton.parent(other)) != joint) continue;
      far = max(far, distance(body.place(joint), body.place(other)));
    }
    if (is_trunk(role(joint)) && far > 0) return far;
    std::vector<float> reaches;
    for (const SkinPoint& p : points) {
      if (owner(p.joint) == joint) reaches.push_back(distance(p.place, body.place(joint)));
    }
    return max(far, percentile(reaches, 0.95f));
  }

  void merge_short() {
    for (std::size_t i = chosen.size(); i-- > 1;) {
      if (reach(chosen[i]) < body.options.shortest_bone * body.height) {
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
};

float height_of(const Model& model, const std::vector<SkinPoint>& points) {
  if (points.empty()) return model.skeleton.height();
  Vec3 low = points[0].place, high = low;
  for (const SkinPoint& p : points) {
    low = min(low, p.place);
    high = max(high, p.place);
  }
  const Vec3 size = high - low;
  // Animals are longer than high.
  return model.roles.plan == BodyPlan::kQuadruped ? max(size.y, size.z) : size.y;
}

// Away from the joint, along the bone.
Vec3 axis_of(const Body& body, const Part& part, std::size_t index) {
  Vec3 to;
  int children = 0;
  for (std::size_t i = index + 1; i < body.parts.size(); ++i) {
    if (body.parts[i].parent != static_cast<int>(index)) continue;
    const bool spine = is_trunk(body.parts[i].role) || body.parts[i].role == Role::kNeck;
    if (is_trunk(part.role) && !spine) continue;
    to += body.place(body.parts[i].joint);
    ++children;
  }
  const Vec3 from = body.place(part.joint);
  if (children == 0) {
    for (const Vec3 p : part.points) to += p;
    children = static_cast<int>(part.points.size());
  }
  const Vec3 way = children > 0 ? to / static_cast<float>(children) - from : Vec3{};
  if (length(way) > 0.01f * body.height) return normalize_or(way, kAxisY);
  const int above = body.model->skeleton.parent(part.joint);
  return normalize_or(above >= 0 ? from - body.place(above) : kAxisY, kAxisY);
}

}  // namespace

bool choose_parts(Body& body, const std::vector<SkinPoint>& points) {
  const RoleMap& roles = body.model->roles;
  Chooser chooser(body, points);
  if (roles.has(Role::kHips) && roles.plan == BodyPlan::kQuadruped) {
    chooser.by_roles(kQuadrupedBodies);
  } else if (roles.has(Role::kHips) && roles.count() >= 6) {
    chooser.by_roles(kBipedBodies);
  } else {
    chooser.by_skin();
  }
  if (chooser.chosen.empty()) return false;
  chooser.merge_short();
  const Skeleton& skeleton = body.model->skeleton;
  for (const int joint : chooser.chosen) {
    Part part;
    part.joint = joint;
    part.role = roles.role(joint);
    const int above = chooser.owner(skeleton.parent(joint));
    for (std::size_t i = 0; i < body.parts.size(); ++i) {
      if (body.parts[i].joint == above) part.parent = static_cast<int>(i);
    }
    body.parts.push_back(std::move(part));
  }
  body.part_of.assign(static_cast<std::size_t>(skeleton.joint_count()), -1);
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    const int owner = chooser.owner(j);
    for (std::size_t i = 0; i < body.parts.size(); ++i) {
      if (body.parts[i].joint == owner)
        body.part_of[static_cast<std::size_t>(j)] = static_cast<int>(i);
    }
  }
  for (const SkinPoint& p : points) {
    const int part = body.part_of[static_cast<std::size_t>(p.joint)];
    if (part >= 0) body.parts[static_cast<std::size_t>(part)].points.push_back(p.place);
  }
  for (std::size_t i = 0; i < body.parts.size(); ++i) {
    body.parts[i].axis = axis_of(body, body.parts[i], i);
  }
  return true;
}

}  // namespace auto_ragdoll_detail

using namespace auto_ragdoll_detail;

Result<RagdollSource> auto_ragdoll(const Model& model, const AutoRagdollOptions& options) {
  if (model.skeleton.joint_count() == 0) {
    return make_error(ErrorCode::kInvalidArgument, "has no skeleton", "automatic ragdoll");
  }
  std::vector<SkinPoint> points = skin_points(model);
  if (points.empty()) {
    Model bare;
    bare.skeleton = model.skeleton;
    bare.roles = model.roles;
    add_capsule_skin(bare);
    points = skin_points(bare);
  }
  Body body;
  body.model = &model;
  body.options = options;
  body.height = height_of(model, points);
  if (!(body.height > 1e-5f) || !is_finite(body.height)) {
    return make_error(ErrorCode::kInvalidArgument, "its skin has no height", "automatic ragdoll");
  }
  if (!is_finite(options.scale) || !(options.scale > 0)) {
    return make_error(ErrorCode::kInvalidArgument, "the scale is not above 0", "automatic ragdoll");
  }
  body.unit = body.height / 1.75f;
  body.world_unit = body.unit * options.scale;
  for (const Mat3x4& m : model.skeleton.rest_model()) {
    Transform t = decompose(m);
    t.scale = {1, 1, 1};
    body.rest.push_back(t);
  }
  if (const auto heading = body_heading(model.roles, model.skeleton.rest_model())) {
    body.forward = rotate(from_yaw(*heading), kAxisZ);
  }
  if (!choose_parts(body, points)) {
    return make_error(ErrorCode::kInvalidArgument, "no joint carries enough of a body",
                      "automatic ragdoll");
  }
  for (Part& part : body.parts) fit_shape(body, part);
  set_masses(body);

  RagdollSource source;
  for (const Part& part : body.parts) {
    RagdollBodySource out;
    out.joint = model.skeleton.name(part.joint);
    out.shape = part.shape.kind;
    out.radius = part.shape.radius;
    out.half_height = part.shape.half_height;
    out.half_extents = part.shape.half_extents;
    out.position = part.shape.position;
    out.rotation = part.shape.rotation;
    out.mass = part.mass;
    float total = 0;
    for (const Part& one : body.parts) total += one.mass;
    const bool end = part.role == JointRole::kLeftHand || part.role == JointRole::kRightHand ||
                     part.role == JointRole::kLeftFoot || part.role == JointRole::kRightFoot;
    out.friction = (end ? 0.9f : 3.0f) * (total / 73) * body.world_unit;
    set_limits(body, part, out);
    source.bodies.push_back(std::move(out));
  }
  return source;
}

RagdollCoverage measure_coverage(const Model& model, const RagdollSource& source) {
  RagdollCoverage out;
  const Result<RagdollDef> def = RagdollDef::build(source, model.skeleton);
  if (!def) return out;
  std::vector<SkinPoint> points = skin_points(model);
  const float near = 0.02f * height_of(model, points) / 1.75f;
  for (const SkinPoint& p : points) {
    const int body = def->body_of_joint(p.joint);
    if (body < 0) continue;
    const RagdollBody& b = def->body(body);
    const Transform joint =
        decompose(model.skeleton.rest_model()[static_cast<std::size_t>(b.joint)]);
    Shape shape = b.shape;
    shape.position = joint.translation + rotate(joint.rotation, b.position);
    shape.rotation = joint.rotation * b.rotation;
    ++out.vertices;
    out.covered += distance_to(shape, p.place) <= near;
  }
  return out;
}

}  // namespace sinew
