#include "worker_scene.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

namespace sinew {
namespace {

class Writer {
 public:
  template <class T>
  void put(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void text(std::string_view s) {
    put(static_cast<std::uint32_t>(s.size()));
    out += s;
  }
  template <class T>
  void list(const std::vector<T>& v) {
    put(static_cast<std::uint32_t>(v.size()));
    out.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(T));
  }
  std::string out;
};

// Reads until the first fault; `good` says whether there was one.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool good = true;

  template <class T>
  T get() {
    T v{};
    if (!good || bytes_.size() < sizeof v) {
      good = false;
      return v;
    }
    std::memcpy(&v, bytes_.data(), sizeof v);
    bytes_.remove_prefix(sizeof v);
    return v;
  }
  // A count of things that take at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const std::size_t n = get<std::uint32_t>();
    if (n > bytes_.size() / size) good = false;
    return good ? n : 0;
  }
  std::string text() {
    const std::size_t n = count(1);
    std::string out(bytes_.substr(0, n));
    bytes_.remove_prefix(n);
    return out;
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> out(count(sizeof(T)));
    if (!out.empty()) std::memcpy(out.data(), bytes_.data(), out.size() * sizeof(T));
    bytes_.remove_prefix(out.size() * sizeof(T));
    return out;
  }
  // An index into a list, or -1 where that is allowed.
  int index(std::size_t size, bool may_be_none) {
    const std::int32_t i = get<std::int32_t>();
    const bool none = i == -1 && may_be_none;
    if (!none && (i < 0 || static_cast<std::size_t>(i) >= size)) good = false;
    return good ? i : -1;
  }
  bool mark(std::string_view expected) {
    const bool fits = bytes_.starts_with(expected);
    if (fits) bytes_.remove_prefix(expected.size());
    return fits;
  }
  bool at_end() const { return bytes_.empty(); }
  void require(bool condition) { good = good && condition; }

 private:
  std::string_view bytes_;
};

// Any list of structs of floats or doubles.
template <class Number, class T>
bool all_finite(const std::vector<T>& list) {
  static_assert(sizeof(T) % sizeof(Number) == 0);
  for (const T& v : list) {
    std::array<Number, sizeof(T) / sizeof(Number)> parts;
    std::memcpy(parts.data(), &v, sizeof v);
    for (const Number part : parts) {
      if (!is_finite(part)) return false;
    }
  }
  return true;
}

WorkerMesh read_mesh(Reader& in, const WorkerScene& scene) {
  WorkerMesh mesh;
  mesh.name = in.text();
  mesh.node = in.index(scene.nodes.size(), false);
  mesh.material = in.index(scene.materials.size(), true);
  mesh.positions = in.list<Vec3>();
  mesh.normals = in.list<Vec3>();
  mesh.uvs = in.list<Vec2>();
  mesh.indices = in.list<std::uint32_t>();
  const std::size_t vertices = mesh.positions.size();
  in.require(mesh.normals.empty() || mesh.normals.size() == vertices);
  in.require(mesh.uvs.empty() || mesh.uvs.size() == vertices);
  in.require(mesh.indices.size() % 3 == 0);
  for (const std::uint32_t i : mesh.indices) in.require(i < vertices);
  in.require(all_finite<float>(mesh.positions) && all_finite<float>(mesh.normals) &&
             all_finite<float>(mesh.uvs));
  for (std::size_t n = in.count(4 + sizeof(Mat3x4) + 8); n > 0 && in.good; --n) {
    WorkerBone bone;
    bone.node = in.index(scene.nodes.size(), false);
    bone.inverse_bind = in.get<Mat3x4>();
    bone.vertices = in.list<std::uint32_t>();
    bone.weights = in.list<float>();
    in.require(bone.vertices.size() == bone.weights.size() && all_finite<float>(bone.weights));
    in.require(all_finite<float>(std::vector<Mat3x4>{bone.inverse_bind}));
    for (const std::uint32_t v : bone.vertices) in.require(v < vertices);
    mesh.bones.push_back(std::move(bone));
  }
  return mesh;
}

WorkerClip read_clip(Reader& in, const WorkerScene& scene) {
  WorkerClip clip;
  clip.name = in.text();
  clip.duration = in.get<double>();
  in.require(clip.duration >= 0 && clip.duration <= 1e6);
  for (std::size_t n = in.count(4 + 6 * 4); n > 0 && in.good; --n) {
    WorkerChannel c;
    c.node = in.index(scene.nodes.size(), false);
    c.translation_times = in.list<double>();
    c.translations = in.list<Vec3>();
    c.rotation_times = in.list<double>();
    c.rotations = in.list<Quat>();
    c.scale_times = in.list<double>();
    c.scales = in.list<Vec3>();
    in.require(c.translation_times.size() == c.translations.size() &&
               c.rotation_times.size() == c.rotations.size() &&
               c.scale_times.size() == c.scales.size());
    in.require(all_finite<double>(c.translation_times) && all_finite<double>(c.rotation_times) &&
               all_finite<double>(c.scale_times));
    in.require(all_finite<float>(c.translations) && all_finite<float>(c.rotations) &&
               all_finite<float>(c.scales));
    clip.channels.push_back(std::move(c));
  }
  return clip;
}

}  // namespace

std::string encode(const WorkerScene& scene) {
  Writer w;
  w.out += kWorkerScene;
  w.put(kWorkerVersion);
  w.put(scene.metres_per_unit);
  w.put(static_cast<std::uint32_t>(scene.nodes.size()));
  for (const WorkerNode& node : scene.nodes) {
    w.text(node.name);
    w.put(static_cast<std::int32_t>(node.parent));
    w.put(static_cast<std::uint8_t>(node.is_joint ? 1 : 0));
    w.put(node.local);
  }
  w.put(static_cast<std::uint32_t>(scene.materials.size()));
  for (const WorkerMaterial& material : scene.materials) {
    w.text(material.name);
    w.put(material.color);
  }
  w.put(static_cast<std::uint32_t>(scene.meshes.size()));
  for (const WorkerMesh& mesh : scene.meshes) {
    w.text(mesh.name);
    w.put(static_cast<std::int32_t>(mesh.node));
    w.put(static_cast<std::int32_t>(mesh.material));
    w.list(mesh.positions);
    w.list(mesh.normals);
    w.list(mesh.uvs);
    w.list(mesh.indices);
    w.put(static_cast<std::uint32_t>(mesh.bones.size()));
    for (const WorkerBone& bone : mesh.bones) {
      w.put(static_cast<std::int32_t>(bone.node));
      w.put(bone.inverse_bind);
      w.list(bone.vertices);
      w.list(bone.weights);
    }
  }
  w.put(static_cast<std::uint32_t>(scene.clips.size()));
  for (const WorkerClip& clip : scene.clips) {
    w.text(clip.name);
    w.put(clip.duration);
    w.put(static_cast<std::uint32_t>(clip.channels.size()));
    for (const WorkerChannel& c : clip.channels) {
      w.put(static_cast<std::int32_t>(c.node));
      w.list(c.translation_times);
      w.list(c.translations);
      w.list(c.rotation_times);
      w.list(c.rotations);
      w.list(c.scale_times);
      w.list(c.scales);
    }
  }
  w.out += kWorkerEnd;
  return std::move(w.out);
}

std::string encode_worker_error(std::string_view message, std::string_view place) {
  Writer w;
  w.out += kWorkerError;
  w.put(kWorkerVersion);
  w.text(message);
  w.text(place);
  w.out += kWorkerEnd;
  return std::move(w.out);
}

Result<WorkerScene> decode_worker_scene(std::string_view bytes) {
  Reader in(bytes);
  const bool is_error = in.mark(kWorkerError);
  if (!is_error && !in.mark(kWorkerScene)) {
    return make_error(ErrorCode::kInternal, "the import worker gave no answer");
  }
  if (in.get<std::uint32_t>() != kWorkerVersion) {
    return make_error(ErrorCode::kInternal, "the import worker is of another version");
  }
  if (is_error) {
    std::string message = in.text(), place = in.text();
    for (std::string* text : {&message, &place}) {
      for (char& c : *text) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return make_error(ErrorCode::kMalformed,
                      message.empty() ? "cannot be read" : message.substr(0, 400),
                      place.substr(0, 100));
  }
  WorkerScene out;
  out.metres_per_unit = in.get<double>();
  in.require(out.metres_per_unit > 0 && out.metres_per_unit <= 1e9);
  for (std::size_t n = in.count(4 + 4 + 1 + sizeof(Mat3x4)); n > 0 && in.good; --n) {
    WorkerNode node;
    node.name = in.text();
    node.parent = in.index(out.nodes.size(), true);
    node.is_joint = in.get<std::uint8_t>() != 0;
    node.local = in.get<Mat3x4>();
    in.require(all_finite<float>(std::vector<Mat3x4>{node.local}));
    out.nodes.push_back(std::move(node));
  }
  for (std::size_t n = in.count(4 + sizeof(Vec4)); n > 0 && in.good; --n) {
    WorkerMaterial material;
    material.name = in.text();
    material.color = in.get<Vec4>();
    in.require(all_finite<float>(std::vector<Vec4>{material.color}));
    out.materials.push_back(std::move(material));
  }
  for (std::size_t n = in.count(7 * 4); n > 0 && in.good; --n)
    out.meshes.push_back(read_mesh(in, out));
  for (std::size_t n = in.count(4 + 8 + 4); n > 0 && in.good; --n)
    out.clips.push_back(read_clip(in, out));
  if (!in.good || !in.mark(kWorkerEnd) || !in.at_end()) {
    return make_error(ErrorCode::kInternal, "the import worker's answer is damaged");
  }
  return out;
}

}  // namespace sinew
