#include <cmath>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include <sinew/base/text.hpp>
#include <sinew/import/collada.hpp>

#include "joint_choice.hpp"
#include "mocap_model.hpp"
#include "text_scanner.hpp"
#include "worker_process.hpp"
#include "worker_scene.hpp"

namespace sinew {
namespace {

Affine64 to_affine(const Mat3x4& m) {
  Affine64 out;
  for (int r = 0; r < 3; ++r) {
    const float row[4] = {m.row[r].x, m.row[r].y, m.row[r].z, m.row[r].w};
    for (int c = 0; c < 4; ++c) out.m[r][c] = static_cast<double>(row[c]);
  }
  return out;
}

// Makes a model of what the worker found. As in FbxRig, what stands still above the joints is
// folded into the roots, and even scales of the rest pose into the lengths.
class SceneBuilder {
 public:
  SceneBuilder(const WorkerScene& scene, Model& out) : scene_(scene), out_(out) {}
  Status build(bool skip_meshes);

 private:
  void choose();
  Status build_skeleton();
  // A node's local transform, its parts replaced by keys or not, as the joint's.
  Transform64 joint_local(std::size_t node, const Transform64& local) const;
  Status add_clip(const WorkerClip& clip);
  JointTrack track_of(const WorkerChannel& channel) const;
  void add_mesh(const WorkerMesh& mesh);
  int add_skin(const WorkerMesh& mesh, std::vector<Influences>& influences);
  int joint_above(int node) const;
  int skeleton_joint(int node) const {
    return out_.skeleton.index_of_source(choice_.joint_of[static_cast<std::size_t>(node)]);
  }

  const WorkerScene& scene_;
  Model& out_;
  JointChoice choice_;
  std::vector<Transform64> rest_;  // by node, local
  std::vector<Affine64> world_;    // by node, at rest
  std::vector<Affine64> above_;    // by node
  std::vector<double> shrink_;     // by node: joint space <- node space
};

void SceneBuilder::choose() {
  const std::size_t count = scene_.nodes.size();
  std::vector<int> parents;
  std::vector<bool> bones(count, false), moving(count, false), meshes(count, false);
  for (const WorkerNode& node : scene_.nodes) {
    bones[parents.size()] = node.is_joint;
    parents.push_back(node.parent);
    rest_.push_back(decompose(to_affine(node.local)));
  }
  for (const WorkerMesh& mesh : scene_.meshes) {
    meshes[static_cast<std::size_t>(mesh.node)] = true;
    for (const WorkerBone& bone : mesh.bones) bones[static_cast<std::size_t>(bone.node)] = true;
  }
  for (const WorkerClip& clip : scene_.clips) {
    for (const WorkerChannel& c : clip.channels) {
      const std::size_t node = static_cast<std::size_t>(c.node);
      const auto leaves = [](const auto& values, const auto& rest, auto near) {
        return std::any_of(values.begin(), values.end(),
                           [&](const auto& v) { return !near(v, rest); });
      };
      const Transform64& rest = rest_[node];
      if (leaves(c.translations, to_float(rest.translation), near_vectors) ||
          leaves(c.rotations, to_float(rest.rotation), near_rotations) ||
          leaves(c.scales, to_float(rest.scale), near_scales)) {
        moving[node] = true;
      }
    }
  }
  choice_ = choose_joints(parents, bones, moving, meshes);
}

Status SceneBuilder::build_skeleton() {
  const std::size_t count = scene_.nodes.size();
  shrink_.assign(count, 1.0);
  std::vector<JointDef> defs;
  bool sheared = false;
  for (std::size_t i = 0; i < count; ++i) {
    const int parent = scene_.nodes[i].parent;
    above_.push_back(parent < 0 ? Affine64{} : world_[static_cast<std::size_t>(parent)]);
    world_.push_back(above_[i] * to_affine(scene_.nodes[i].local));
    if (choice_.joint_of[i] < 0) continue;
    const bool has_parent = parent >= 0 && choice_.joint_of[static_cast<std::size_t>(parent)] >= 0;
    const Transform64 local = has_parent ? rest_[i] : decompose(above_[i] * to_affine(rest_[i]));
    const double parent_shrink = has_parent ? shrink_[static_cast<std::size_t>(parent)] : 1.0;
    sheared = sheared || (!has_parent && !is_uniform(decompose(above_[i]).scale));
    shrink_[i] = is_uniform(local.scale) ? parent_shrink / std::abs(local.scale.x) : parent_shrink;
    const Transform64 joint = joint_local(i, rest_[i]);
    JointDef def;
    def.name = scene_.nodes[i].name;
    def.parent = has_parent ? choice_.joint_of[static_cast<std::size_t>(parent)] : kNoJoint;
    def.rest = {to_float(joint.translation), to_float(joint.rotation), to_float(joint.scale)};
    defs.push_back(std::move(def));
  }
  if (sheared) {
    add_warning(out_.findings, "collada.shear",
                "a node above the joints is scaled unevenly: its shear is lost", "skeleton");
  }
  Result<Skeleton> skeleton = Skeleton::build(defs);
  if (!skeleton) return skeleton.error();
  out_.skeleton = std::move(skeleton).value();
  out_.roles = find_roles(out_.skeleton);
  return {};
}

Transform64 SceneBuilder::joint_local(std::size_t node, const Transform64& local) const {
  const int parent = scene_.nodes[node].parent;
  const bool has_parent = parent >= 0 && choice_.joint_of[static_cast<std::size_t>(parent)] >= 0;
  Transform64 out = has_parent ? local : decompose(above_[node] * to_affine(local));
  const double above = has_parent ? shrink_[static_cast<std::size_t>(parent)] : 1.0;
  out.translation = out.translation * (1 / above);
  out.scale = out.scale * (shrink_[node] / above);
  return out;
}

// Rising times from 0 on; of keys at one time the last counts.
template <class T>
std::vector<std::pair<float, T>> sorted_keys(const std::vector<double>& times,
                                             const std::vector<T>& values) {
  std::vector<std::pair<float, T>> out;
  for (const std::size_t i : stable_order(times.size(), [&](std::size_t k) { return times[k]; })) {
    if (!(times[i] >= 0 && times[i] <= 1e6)) continue;
    const float t = static_cast<float>(times[i]);
    if (!out.empty() && out.back().first == t) out.pop_back();
    out.emplace_back(t, values[i]);
  }
  return out;
}

JointTrack SceneBuilder::track_of(const WorkerChannel& c) const {
  const std::size_t node = static_cast<std::size_t>(c.node);
  JointTrack out;
  out.joint = skeleton_joint(c.node);
  const Transform& rest = out_.skeleton.rest(out.joint);
  std::vector<float> times;
  std::vector<Vec3> vectors;
  for (const auto& [t, v] : sorted_keys(c.translation_times, c.translations)) {
    Transform64 local = rest_[node];
    local.translation = to_double(v);
    times.push_back(t);
    vectors.push_back(to_float(joint_local(node, local).translation));
  }
  out.translation =
      reduced(std::exchange(times, {}), std::exchange(vectors, {}), rest.translation, near_vectors);
  for (const auto& [t, v] : sorted_keys(c.scale_times, c.scales)) {
    Transform64 local = rest_[node];
    local.scale = to_double(v);
    times.push_back(t);
    vectors.push_back(to_float(joint_local(node, local).scale));
  }
  out.scale =
      reduced(std::exchange(times, {}), std::exchange(vectors, {}), rest.scale, near_scales);
  std::vector<Quat> rotations;
  for (const auto& [t, q] : sorted_keys(c.rotation_times, c.rotations)) {
    Transform64 local = rest_[node];
    local.rotation = to_double(normalize(q));
    const Quat turned = to_float(joint_local(node, local).rotation);
    times.push_back(t);
    rotations.push_back(rotations.empty() ? turned : align(rotations.back(), turned));
  }
  out.rotation = reduced(std::move(times), std::move(rotations), rest.rotation, near_rotations);
  return out;
}

Status SceneBuilder::add_clip(const WorkerClip& clip) {
  RawClip out;
  out.name = clip.name;
  out.duration = static_cast<float>(clip.duration);
  std::vector<bool> seen(scene_.nodes.size(), false);
  for (const WorkerChannel& c : clip.channels) {
    const std::size_t node = static_cast<std::size_t>(c.node);
    if (choice_.joint_of[node] < 0 || seen[node]) continue;
    seen[node] = true;
    JointTrack track = track_of(c);
    for (const std::vector<float>* times :
         {&track.translation.times, &track.rotation.times, &track.scale.times}) {
      if (!times->empty()) out.duration = max(out.duration, times->back());
    }
    const bool empty = track.translation.empty() && track.rotation.empty() && track.scale.empty();
    if (!empty) out.tracks.push_back(std::move(track));
  }
  std::sort(out.tracks.begin(), out.tracks.end(),
            [](const JointTrack& a, const JointTrack& b) { return a.joint < b.joint; });
  if (const Status status = validate(out, out_.skeleton); !status) return status;
  out_.clips.push_back(std::move(out));
  return {};
}

int SceneBuilder::joint_above(int node) const {
  while (node >= 0 && choice_.joint_of[static_cast<std::size_t>(node)] < 0)
    node = scene_.nodes[static_cast<std::size_t>(node)].parent;
  return node < 0 ? kNoJoint : skeleton_joint(node);
}

int SceneBuilder::add_skin(const WorkerMesh& mesh, std::vector<Influences>& influences) {
  if (mesh.bones.empty() || mesh.bones.size() > 65535) return -1;
  influences.assign(mesh.positions.size(), {});
  Skin skin;
  skin.name = mesh.name;
  for (const WorkerBone& bone : mesh.bones) {
    Transform64 grow;
    const double factor = 1 / shrink_[static_cast<std::size_t>(bone.node)];
    grow.scale = {factor, factor, factor};
    const std::uint16_t index = static_cast<std::uint16_t>(skin.joints.size());
    skin.joints.push_back(skeleton_joint(bone.node));
    skin.inverse_bind.push_back(to_float(sinew::to_affine(grow) * to_affine(bone.inverse_bind)));
    for (std::size_t i = 0; i < bone.vertices.size(); ++i) {
      if (bone.weights[i] > 0)
        influences[bone.vertices[i]].add(index, static_cast<double>(bone.weights[i]));
    }
  }
  for (Influences& one : influences) one.normalize();
  out_.skins.push_back(std::move(skin));
  return static_cast<int>(out_.skins.size()) - 1;
}

void SceneBuilder::add_mesh(const WorkerMesh& mesh) {
  if (mesh.indices.empty()) return;
  Mesh out;
  out.name = mesh.name;
  out.material = mesh.material;
  out.uvs = mesh.uvs;
  out.indices = mesh.indices;
  std::vector<Influences> influences;
  out.skin = add_skin(mesh, influences);
  for (const Influences& one : influences) {
    out.joints.push_back(one.joints);
    out.weights.push_back(one.as_floats());
  }
  Affine64 map;
  if (out.skin < 0) {
    out.joint = joint_above(mesh.node);
    map = world_[static_cast<std::size_t>(mesh.node)];
    Affine64 inverse;
    if (out.joint != kNoJoint &&
        invert(to_affine(out_.skeleton.rest_model()[static_cast<std::size_t>(out.joint)]),
               inverse)) {
      map = inverse * map;
    }
  }
  Affine64 normal_map;
  const bool has_normals = !mesh.normals.empty() && invert(map, normal_map);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    out.positions.push_back(to_float(transform_point(map, to_double(mesh.positions[i]))));
    if (!has_normals) continue;
    const Vec3 n = mesh.normals[i];
    const Mat3x4 m = to_float(normal_map);  // transposed below
    const Vec3 turned{m.row[0].x * n.x + m.row[1].x * n.y + m.row[2].x * n.z,
                      m.row[0].y * n.x + m.row[1].y * n.y + m.row[2].y * n.z,
                      m.row[0].z * n.x + m.row[1].z * n.y + m.row[2].z * n.z};
    out.normals.push_back(normalize_or(turned, kAxisY));
  }
  if (determinant(map) < 0) {
    for (std::size_t i = 0; i + 2 < out.indices.size(); i += 3)
      std::swap(out.indices[i + 1], out.indices[i + 2]);
  }
  out_.meshes.push_back(std::move(out));
}

Status SceneBuilder::build(bool skip_meshes) {
  choose();
  if (const Status status = build_skeleton(); !status) return status;
  for (const WorkerClip& clip : scene_.clips) {
    if (const Status status = add_clip(clip); !status) return status;
  }
  if (skip_meshes) return {};
  for (const WorkerMaterial& material : scene_.materials) {
    Material m;
    m.name = material.name;
    m.base_color = {clamp01(material.color.x), clamp01(material.color.y), clamp01(material.color.z),
                    clamp01(material.color.w)};
    out_.materials.push_back(std::move(m));
  }
  for (const WorkerMesh& mesh : scene_.meshes) add_mesh(mesh);
  return {};
}

Result<Model> load(const std::string& path, const ColladaOptions& options) {
  const Result<std::string> worker = find_worker(options.worker);
  if (!worker) return worker.error();
  WorkerLimits limits;
  if (options.seconds > 0) limits.seconds = options.seconds;
  if (options.memory_bytes > 0) limits.memory_bytes = options.memory_bytes;
  const Result<std::string> answer = run_worker(*worker, {"collada", path}, limits);
  if (!answer) return answer.error();
  const Result<WorkerScene> scene = decode_worker_scene(*answer);
  if (!scene) return scene.error();
  Model out;
  out.name = file_name_of(path);
  out.unit = {LengthSource::From::kFile, scene->metres_per_unit};
  if (const Status status = SceneBuilder(*scene, out).build(options.skip_meshes); !status)
    return status.error();
  return out;
}

}  // namespace

Result<Model> load_collada(const std::string& path, const ColladaOptions& options) {
  if (!(options.seconds >= 0 && options.seconds <= 86400)) {
    return make_error(ErrorCode::kInvalidArgument, "seconds must be from 0 to 86400");
  }
  // Says in the usual words what is wrong with the path, before a process is started for it.
  const std::uint64_t limit = options.max_bytes > 0 ? options.max_bytes : 512ull << 20;
  if (const Result<std::string> text = read_text_file(path, limit); !text) return text.error();
  Result<Model> model = load(path, options);
  if (!model) return within(path, std::move(model).error());
  return model;
}

}  // namespace sinew
