#include "model_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr std::string_view kModelMark = "SWMODEL\n", kErrorMark = "SWERROR\n", kEnd = "END.";
constexpr std::uint32_t kVersion = 1;

// Writes and reads the same fields in the same order: `fields()` below say which these are.
class Out {
 public:
  template <class T>
  void number(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void flag(const bool& v) { number(static_cast<std::uint8_t>(v ? 1 : 0)); }
  template <class E>
  void choice(const E& v, E) {
    number(static_cast<std::uint8_t>(v));
  }
  void text(const std::string& v) {
    number(static_cast<std::uint32_t>(v.size()));
    bytes += v;
  }
  // Numbers, or structs that hold nothing else.
  template <class T>
  void plain(const std::vector<T>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    number(static_cast<std::uint32_t>(v.size()));
    if (!v.empty()) bytes.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
  template <class T, class Each>
  void list(const std::vector<T>& v, std::size_t, Each each) {
    number(static_cast<std::uint32_t>(v.size()));
    for (const T& one : v) each(one);
  }
  std::string bytes;
};

// Reads until the first fault; `good` says whether there was one. What is not there is left alone.
class In {
 public:
  explicit In(std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {}
  bool good = true;

  template <class T>
  void number(T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    good = good && bytes_.size() >= sizeof v;
    if (good) std::memcpy(&v, take(sizeof v).data(), sizeof v);
  }
  void flag(bool& v) {
    std::uint8_t byte = 0;
    number(byte);
    good = good && byte <= 1;
    v = byte == 1;
  }
  template <class E>
  void choice(E& v, E last) {
    std::uint8_t byte = 0;
    number(byte);
    good = good && byte <= static_cast<std::uint8_t>(last);
    if (good) v = static_cast<E>(byte);
  }
  void text(std::string& v) {
    const std::span<const char> text = take(count(1));
    v.assign(text.begin(), text.end());
  }
  template <class T>
  void plain(std::vector<T>& v) {
    v.resize(count(sizeof(T)));
    const std::span<const char> from = take(v.size() * sizeof(T));
    if (!v.empty()) std::memcpy(v.data(), from.data(), from.size());
  }
  // Things that take at least `least` bytes each.
  template <class T, class Each>
  void list(std::vector<T>& v, std::size_t least, Each each) {
    for (std::size_t n = count(least); n > 0 && good; --n) each(v.emplace_back());
  }
  bool mark(std::string_view expected) {
    const bool fits = bytes_.size() >= expected.size() &&
                      std::equal(expected.begin(), expected.end(), bytes_.begin());
    if (fits) take(expected.size());
    return fits;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  // No more than there are.
  std::span<const char> take(std::size_t count) {
    const std::span<const char> out = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return out;
  }
  std::size_t count(std::size_t size) {
    std::uint32_t n = 0;
    number(n);
    good = good && n <= bytes_.size() / size;
    return good ? n : 0;
  }
  std::span<const char> bytes_;
};

// ---- fields: T is const where the archive writes ----------------------------------------------

template <class A, class T>
void transform_fields(A& a, T& t) {
  a.number(t.translation);
  a.number(t.rotation);
  a.number(t.scale);
}

template <class A, class T>
void key_fields(A& a, T& track) {
  a.choice(track.interpolation, Interpolation::kCubicSpline);
  a.plain(track.times);
  a.plain(track.values);
  a.plain(track.in_tangents);
  a.plain(track.out_tangents);
}

template <class A, class T>
void annotation_fields(A& a, T& notes) {
  a.list(notes.events, 20, [&](auto& event) {
    a.number(event.time);
    a.text(event.name);
    a.number(event.number);
    a.number(event.integer);
    a.text(event.text);
  });
  a.list(notes.contacts, 13, [&](auto& contact) {
    a.choice(contact.role, JointRole::kHindRightFoot);
    a.text(contact.name);
    a.number(contact.start);
    a.number(contact.end);
  });
  a.list(notes.sync_markers, 8, [&](auto& marker) {
    a.number(marker.time);
    a.text(marker.name);
  });
  auto& root = notes.root_motion;
  using Basis = RootMotionSettings::Basis;
  a.number(root.joint);
  for (auto* flag : {&root.enabled, &root.bake_rotation, &root.bake_y, &root.bake_xz})
    a.flag(*flag);
  for (auto* basis : {&root.rotation_basis, &root.y_basis, &root.xz_basis})
    a.choice(*basis, Basis::kFeet);
  a.number(root.rotation_offset);
  a.number(root.y_offset);
  a.number(notes.cycle_offset);
  a.flag(notes.loop_pose);
}

template <class A, class T>
void clip_fields(A& a, T& clip) {
  a.text(clip.name);
  a.number(clip.duration);
  a.flag(clip.loop);
  a.list(clip.tracks, 55, [&](auto& track) {
    a.number(track.joint);
    key_fields(a, track.translation);
    key_fields(a, track.rotation);
    key_fields(a, track.scale);
  });
  a.list(clip.curves, 25, [&](auto& curve) {
    a.text(curve.name);
    key_fields(a, curve.keys);
    a.number(curve.default_value);
  });
  annotation_fields(a, clip.annotations);
}

template <class A, class T>
void mesh_fields(A& a, T& mesh) {
  a.text(mesh.name);
  a.plain(mesh.positions);
  a.plain(mesh.normals);
  a.plain(mesh.uvs);
  a.plain(mesh.colors);
  a.plain(mesh.joints);
  a.plain(mesh.weights);
  a.plain(mesh.indices);
  a.list(mesh.morphs, 12, [&](auto& morph) {
    a.text(morph.name);
    a.plain(morph.positions);
    a.plain(morph.normals);
  });
  a.plain(mesh.morph_weights);
  a.number(mesh.material);
  a.number(mesh.skin);
  a.number(mesh.joint);
  transform_fields(a, mesh.offset);
}

// All but skeleton and roles.
template <class A, class T>
void model_fields(A& a, T& model) {
  a.text(model.name);
  a.choice(model.unit.from, LengthSource::From::kCaller);
  a.number(model.unit.metres_per_unit);
  a.list(model.clips, 60, [&](auto& clip) { clip_fields(a, clip); });
  a.list(model.skins, 12, [&](auto& skin) {
    a.text(skin.name);
    a.plain(skin.joints);
    a.plain(skin.inverse_bind);
  });
  a.list(model.meshes, 90, [&](auto& mesh) { mesh_fields(a, mesh); });
  a.list(model.materials, 30, [&](auto& material) {
    a.text(material.name);
    a.number(material.base_color);
    a.number(material.base_color_image);
    a.flag(material.double_sided);
    a.choice(material.alpha, Material::Alpha::kBlend);
    a.number(material.alpha_cutoff);
  });
  a.list(model.images, 16, [&](auto& image) {
    a.text(image.name);
    a.number(image.width);
    a.number(image.height);
    a.plain(image.rgba);
  });
  a.list(model.sockets, 48, [&](auto& socket) {
    a.text(socket.name);
    a.number(socket.joint);
    transform_fields(a, socket.offset);
  });
  a.list(model.findings, 21, [&](auto& finding) {
    a.choice(finding.severity, Severity::kError);
    for (auto* text :
         {&finding.code, &finding.message, &finding.place, &finding.hint, &finding.file})
      a.text(*text);
  });
}

template <class A, class T>
void joint_fields(A& a, T& joints) {
  a.list(joints, 48, [&](auto& joint) {
    a.text(joint.name);
    a.number(joint.parent);
    transform_fields(a, joint.rest);
  });
}

// ---- checks -----------------------------------------------------------------------------------

// Any structs of floats.
template <class T>
bool finite(std::span<const T> list) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(float) == 0);
  const auto bytes = std::as_bytes(list);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
    float part = 0;
    std::memcpy(&part, bytes.data() + at, sizeof part);
    if (!is_finite(part)) return false;
  }
  return true;
}
template <class T>
bool finite(const std::vector<T>& list) {
  return finite(std::span<const T>(list));
}

template <class T>
bool one_each(const std::vector<T>& list, std::size_t count) {
  return list.empty() || list.size() == count;
}

bool in_list(int index, std::size_t count, int lowest = -1) {
  return index >= lowest && (index < 0 || static_cast<std::size_t>(index) < count);
}

bool sound(const Mesh& mesh, const Model& model) {
  const std::size_t n = mesh.positions.size();
  const auto joints = static_cast<std::size_t>(model.skeleton.joint_count());
  bool good = one_each(mesh.normals, n) && one_each(mesh.uvs, n) && one_each(mesh.colors, n) &&
              one_each(mesh.joints, n) && mesh.weights.size() == mesh.joints.size() &&
              one_each(mesh.morph_weights, mesh.morphs.size()) && mesh.indices.size() % 3 == 0 &&
              in_list(mesh.material, model.materials.size()) &&
              in_list(mesh.skin, model.skins.size()) && in_list(mesh.joint, joints) &&
              is_finite(mesh.offset) && finite(mesh.positions) && finite(mesh.normals) &&
              finite(mesh.uvs) && finite(mesh.colors) && finite(mesh.weights) &&
              finite(mesh.morph_weights);
  for (const std::uint32_t index : mesh.indices) good = good && index < n;
  for (const MorphTarget& morph : mesh.morphs) {
    good = good && morph.positions.size() == n && one_each(morph.normals, n) &&
           finite(morph.positions) && finite(morph.normals);
  }
  if (!good || mesh.skin < 0) return good;
  const std::size_t bones = model.skins[static_cast<std::size_t>(mesh.skin)].joints.size();
  good = mesh.joints.size() == n;
  for (const auto& of : mesh.joints) {
    for (const std::uint16_t bone : of) good = good && bone < bones;
  }
  return good;
}

bool sound(const ClipAnnotations& notes, std::size_t joints) {
  const RootMotionSettings& root = notes.root_motion;
  bool good = in_list(root.joint, joints) && is_finite(root.rotation_offset) &&
              is_finite(root.y_offset) && is_finite(notes.cycle_offset);
  for (const ClipEvent& event : notes.events)
    good = good && is_finite(event.time) && is_finite(event.number);
  for (const Contact& contact : notes.contacts)
    good = good && is_finite(contact.start) && is_finite(contact.end);
  for (const SyncMarker& marker : notes.sync_markers) good = good && is_finite(marker.time);
  return good;
}

bool sound(const Model& model) {
  const auto joints = static_cast<std::size_t>(model.skeleton.joint_count());
  const double unit = model.unit.metres_per_unit;
  bool good = unit > 0 && unit < 1e30;
  for (const RawClip& clip : model.clips)
    good = good && validate(clip, model.skeleton).ok() && sound(clip.annotations, joints);
  for (const Skin& skin : model.skins) {
    good = good && skin.joints.size() == skin.inverse_bind.size() && finite(skin.inverse_bind);
    for (const int joint : skin.joints) good = good && in_list(joint, joints, 0);
  }
  for (const Material& material : model.materials) {
    good = good && finite(std::span(&material.base_color, 1)) && is_finite(material.alpha_cutoff) &&
           in_list(material.base_color_image, model.images.size());
  }
  for (const Image& image : model.images) {
    good = good && image.width > 0 && image.height > 0 &&
           image.rgba.size() / 4 / static_cast<std::size_t>(image.width) ==
               static_cast<std::size_t>(image.height) &&
           image.rgba.size() % (4 * static_cast<std::size_t>(image.width)) == 0;
  }
  for (const Socket& socket : model.sockets)
    good = good && in_list(socket.joint, joints, 0) && is_finite(socket.offset);
  for (const Mesh& mesh : model.meshes) good = good && sound(mesh, model);
  return good;
}

Error damaged(std::string_view what = {}) {
  std::string message = "the import worker's answer is damaged";
  if (!what.empty()) message.append(": ").append(what);
  return make_error(ErrorCode::kInternal, std::move(message));
}

}  // namespace

std::string encode_model(const Model& model) {
  Out out;
  out.bytes += kModelMark;
  out.number(kVersion);
  std::vector<JointDef> joints;
  joints.reserve(static_cast<std::size_t>(model.skeleton.joint_count()));
  for (int j = 0; j < model.skeleton.joint_count(); ++j)
    joints.push_back({model.skeleton.name(j), model.skeleton.parent(j), model.skeleton.rest(j)});
  joint_fields(out, std::as_const(joints));
  out.choice(model.roles.plan, BodyPlan::kQuadruped);
  for (int role = 1; role < kJointRoleCount; ++role)
    out.number(static_cast<std::int16_t>(model.roles.joint(static_cast<JointRole>(role))));
  model_fields(out, model);
  out.bytes += kEnd;
  return std::move(out.bytes);
}

std::string encode_model_error(const Error& error) {
  Out out;
  out.bytes += kErrorMark;
  out.number(kVersion);
  out.choice(error.code, ErrorCode::kInternal);
  out.text(error.message);
  out.text(error.where);
  out.bytes += kEnd;
  return std::move(out.bytes);
}

Result<Model> decode_model(std::string_view bytes) {
  In in(bytes);
  const bool is_error = in.mark(kErrorMark);
  if (!is_error && !in.mark(kModelMark))
    return make_error(ErrorCode::kInternal, "the import worker gave no answer");
  std::uint32_t version = 0;
  in.number(version);
  if (!in.good || version != kVersion)
    return make_error(ErrorCode::kInternal, "the import worker is of another version");
  if (is_error) {
    Error error;
    in.choice(error.code, ErrorCode::kInternal);
    in.text(error.message);
    in.text(error.where);
    if (!in.good || !in.mark(kEnd) || !in.at_end() || error.message.empty()) return damaged();
    return error;
  }
  Model model;
  std::vector<JointDef> joints;
  joint_fields(in, joints);
  if (!in.good) return damaged();
  Result<Skeleton> skeleton = Skeleton::rebuild(joints);
  if (!skeleton) return damaged(to_string(skeleton.error()));
  model.skeleton = std::move(skeleton).value();
  in.choice(model.roles.plan, BodyPlan::kQuadruped);
  for (int role = 1; role < kJointRoleCount; ++role) {
    std::int16_t joint = kNoJoint;
    in.number(joint);
    in.good = in.good && in_list(joint, joints.size());
    if (in.good && joint >= 0) model.roles.set(static_cast<JointRole>(role), joint);
  }
  model_fields(in, model);
  if (!in.good || !in.mark(kEnd) || !in.at_end() || !sound(model)) return damaged();
  return model;
}

}  // namespace sinew
