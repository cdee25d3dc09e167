// The meshes of the person: the body's surface by parts, and the face.
#include <algorithm>
#include <map>
#include <utility>

#include "person.hpp"
#include "shape.hpp"
#include "surface.hpp"

namespace sinew::make_assets {
namespace {

constexpr float kGridCell = 0.0075f;
constexpr std::size_t kHalfTriangles = 2600;

// The parts of BodyShape and what is added to them.
enum Look : int {
  kLookSkin,
  kLookShirt,
  kLookTrousers,
  kLookShoes,
  kLookHair,
  kLookSole,
  kLookEye,
  kLookPupil,
  kLookMouth,
  kLookCount,
};

Vec4 from_srgb(int r, int g, int b) {
  const auto linear = [](int c) {
    const float s = static_cast<float>(c) / 255.0f;
    return s <= 0.04045f ? s / 12.92f : pow((s + 0.055f) / 1.055f, 2.4f);
  };
  return {linear(r), linear(g), linear(b), 1};
}

std::vector<Material> make_materials() {
  std::vector<Material> list(kLookCount);
  const auto set = [&](Look look, const char* name, Vec4 color) {
    list[static_cast<std::size_t>(look)].name = name;
    list[static_cast<std::size_t>(look)].base_color = color;
  };
  set(kLookSkin, "skin", from_srgb(224, 172, 136));
  set(kLookShirt, "shirt", from_srgb(232, 118, 52));
  set(kLookTrousers, "trousers", from_srgb(52, 78, 122));
  set(kLookShoes, "shoes", from_srgb(70, 54, 48));
  set(kLookHair, "hair", from_srgb(66, 42, 30));
  set(kLookSole, "sole", from_srgb(225, 220, 208));
  set(kLookEye, "eye", from_srgb(245, 244, 240));
  set(kLookPupil, "pupil", from_srgb(38, 34, 40));
  set(kLookMouth, "mouth", from_srgb(150, 78, 66));
  return list;
}

struct Weights {
  std::array<std::uint16_t, 4> joints{};
  Vec4 weights;
};

// Each limb near the point has a say, the nearest most; then the four greatest are kept.
Weights skin_weights(const BodyShape& shape, Vec3 p) {
  constexpr float kReach = 0.012f;  // metres: a limb that much farther counts 1/e
  struct Near {
    const Limb* limb;
    float distance;
  };
  std::vector<Near> near;
  float least = 1e6f;
  for (int part = 0; part < kPartCount; ++part) {
    for (const Limb& limb : shape.limbs(static_cast<Part>(part))) {
      near.push_back({&limb, limb.distance(p)});
      least = min(least, near.back().distance);
    }
  }
  std::array<float, kBoneCount> total{};
  for (const Near& n : near) {
    const float share = exp(-(n.distance - least) / kReach);
    if (share < 1e-3f) continue;
    n.limb->weigh(
        p, [&](Bone bone, float w) { total[static_cast<std::size_t>(index(bone))] += share * w; });
  }
  std::vector<int> order;
  for (int i = 0; i < kBoneCount; ++i) order.push_back(i);
  const auto weight_of = [&](int i) { return total[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return weight_of(a) != weight_of(b) ? weight_of(a) > weight_of(b) : a < b;
  });
  float w[4] = {}, sum = 0;
  Weights out;
  for (std::size_t i = 0; i < 4; ++i) {
    w[i] = weight_of(order[i]);
    if (w[i] < 0.01f * weight_of(order[0])) w[i] = 0;
    sum += w[i];
    out.joints[i] = w[i] > 0 ? static_cast<std::uint16_t>(order[i]) : std::uint16_t{0};
  }
  out.weights = {w[0] / sum, w[1] / sum, w[2] / sum, w[3] / sum};
  return out;
}

class MeshBuilder {
 public:
  MeshBuilder(std::string name, Look look) {
    mesh_.name = std::move(name);
    mesh_.material = look;
    mesh_.skin = 0;
  }
  std::uint32_t add(Vec3 position, Vec3 normal, const Weights& weights) {
    mesh_.positions.push_back(position);
    mesh_.normals.push_back(normalize_or(normal, kAxisY));
    mesh_.joints.push_back(weights.joints);
    mesh_.weights.push_back(weights.weights);
    return static_cast<std::uint32_t>(mesh_.positions.size()) - 1;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh_.indices.insert(mesh_.indices.end(), {a, b, c});
  }
  Mesh take() { return std::move(mesh_); }

 private:
  Mesh mesh_;
};

Weights rigid(Bone bone) {
  Weights w;
  w.joints[0] = static_cast<std::uint16_t>(index(bone));
  w.weights = {1, 0, 0, 0};
  return w;
}

// Bending places get more triangles, and so do hands and face.
std::vector<DensePoint> dense_points() {
  const auto at = [](Bone bone, float radius) { return DensePoint{bind_position(bone), radius}; };
  return {at(Bone::kLeftUpperArm, 0.12f),       at(Bone::kLeftLowerArm, 0.09f),
          at(Bone::kLeftHand, 0.07f),           at(Bone::kLeftFingers, 0.08f),
          at(Bone::kLeftUpperLeg, 0.16f),       at(Bone::kLeftLowerLeg, 0.11f),
          at(Bone::kLeftFoot, 0.08f),           at(Bone::kNeck, 0.10f),
          DensePoint{{0, 1.60f, 0.09f}, 0.08f}, DensePoint{{0.02f, 1.66f, 0}, 0.16f}};
}

// The corners of the triangles of one part, with smooth normals except over sharp edges (hems).
class PartMesh {
 public:
  PartMesh(const BodyShape& shape, const Surface& body, int part, const char* name)
      : shape_(shape), body_(body), part_(part), builder_(name, static_cast<Look>(part)) {
    for (std::size_t t = 0; t < body.triangles.size(); ++t) {
      if (body.labels[t] != part) continue;
      for (std::uint32_t v : body.triangles[t]) around_[v].push_back(t);
    }
  }

  Mesh make() {
    for (std::size_t t = 0; t < body_.triangles.size(); ++t) {
      if (body_.labels[t] != part_) continue;
      std::uint32_t v[3];
      for (std::size_t i = 0; i < 3; ++i) v[i] = corner(body_.triangles[t][i], t);
      builder_.triangle(v[0], v[1], v[2]);
    }
    return builder_.take();
  }

 private:
  struct Made {
    Vec3 facing;  // of the first triangle that uses it
    std::uint32_t vertex = 0;
  };

  Vec3 face_normal(std::size_t t) const {
    const auto& p = body_.positions;
    const auto& v = body_.triangles[t];
    return cross(p[v[1]] - p[v[0]], p[v[2]] - p[v[0]]);  // weighs by area
  }

  std::uint32_t corner(std::uint32_t source, std::size_t t) {
    // Cosine of the sharpest angle that is shaded smoothly; skin has no hems.
    const float crease = part_ == static_cast<int>(Part::kSkin) ? -2.0f : 0.55f;
    const Vec3 facing = normalize_or(face_normal(t), kAxisY);
    std::vector<Made>& made = made_[source];
    for (const Made& m : made) {
      if (dot(m.facing, facing) > crease) return m.vertex;
    }
    const Vec3 p = body_.positions[source];
    const Vec3 smooth = normalize_or(shape_.part_gradient(static_cast<Part>(part_), p), kAxisY);
    bool even = true;  // the triangles follow the solid's own surface
    Vec3 sum;
    for (std::size_t other : around_[source]) {
      const Vec3 area = face_normal(other);
      const Vec3 normal = normalize_or(area, kAxisY);
      even = even && (crease < -1 || dot(normal, smooth) > 0.75f);
      if (dot(normal, facing) > crease) sum += area;
    }
    const std::uint32_t vertex = builder_.add(p, even ? smooth : sum, skin_weights(shape_, p));
    made.push_back({facing, vertex});
    return vertex;
  }

  const BodyShape& shape_;
  const Surface& body_;
  int part_;
  MeshBuilder builder_;
  std::map<std::uint32_t, std::vector<std::size_t>> around_;
  std::map<std::uint32_t, std::vector<Made>> made_;
};

std::vector<Mesh> body_meshes(const BodyShape& shape) {
  Surface half = half_surface(shape, kGridCell);
  simplify(half, kHalfTriangles, dense_points());
  const Surface body = mirror_join(half);
  const char* names[kPartCount] = {"skin", "shirt", "trousers", "shoes", "hair", "sole"};
  std::vector<Mesh> meshes;
  for (int part = 0; part < kPartCount; ++part) {
    meshes.push_back(PartMesh(shape, body, part, names[part]).make());
  }
  return meshes;
}

// The front of the head before a point.
Vec3 on_face(const BodyShape& shape, Vec3 p) {
  p.z = 0.17f;
  for (int i = 0; i < 60; ++i) p.z -= 0.7f * shape.part_distance(Part::kSkin, p);
  return p;
}

// A cap of an eyeball about its line of sight, between two angles from it.
Mesh sphere_cap(const char* name, Look look, Bone bone, Vec3 centre, Vec3 radii, float from,
                float to) {
  // The eyes sit on a round face: without a turn outward they would seem to squint.
  const Quat outward = from_yaw(centre.x > 0 ? 0.14f : -0.14f);
  constexpr int kSegments = 14, kRings = 3;
  MeshBuilder builder(name, look);
  std::uint32_t ring_start[kRings + 1] = {};
  for (int ring = 0; ring <= kRings; ++ring) {
    const SinCos polar = sincos(lerp(from, to, static_cast<float>(ring) / kRings));
    for (int i = 0; i < kSegments; ++i) {
      const SinCos around = sincos(kTwoPi * static_cast<float>(i) / kSegments);
      const Vec3 n =
          rotate(outward, Vec3{polar.sin * around.cos, polar.sin * around.sin, polar.cos});
      const std::uint32_t v = builder.add(
          centre + n * radii, {n.x / radii.x, n.y / radii.y, n.z / radii.z}, rigid(bone));
      if (i == 0) ring_start[ring] = v;
    }
  }
  for (int ring = 0; ring < kRings; ++ring) {
    for (std::uint32_t i = 0; i < kSegments; ++i) {
      const std::uint32_t j = (i + 1) % kSegments;
      const std::uint32_t a = ring_start[ring] + i, b = ring_start[ring] + j;
      const std::uint32_t c = ring_start[ring + 1] + i, d = ring_start[ring + 1] + j;
      if (ring > 0 || from > 0) builder.triangle(a, d, b);
      builder.triangle(a, c, d);
    }
  }
  return builder.take();
}

// A thin round stroke along points on the face: brows and mouth.
Mesh stroke(const char* name, Look look, const std::vector<Vec3>& points, float thickness) {
  constexpr int kAround = 6;
  MeshBuilder builder(name, look);
  const Weights weights = rigid(Bone::kHead);
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 along =
        normalize_or(points[std::min(i + 1, n - 1)] - points[i > 0 ? i - 1 : 0], kAxisX);
    const Vec3 out = normalize_or(kAxisZ - along * dot(kAxisZ, along), kAxisZ);
    const Vec3 up = cross(out, along);
    const float t = static_cast<float>(i) / static_cast<float>(n - 1);
    const float r = thickness * sqrt(max(0.06f, 4 * t * (1 - t)));
    for (int k = 0; k < kAround; ++k) {
      const SinCos a = sincos(kTwoPi * static_cast<float>(k) / kAround);
      const Vec3 dir = out * a.sin + up * a.cos;
      builder.add(points[i] + out * (0.5f * r * a.sin) + up * (r * a.cos), dir, weights);
    }
  }
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    for (std::uint32_t k = 0; k < kAround; ++k) {
      const std::uint32_t l = (k + 1) % kAround;
      const std::uint32_t a = i * kAround + k, b = i * kAround + l;
      builder.triangle(a, b, a + kAround);
      builder.triangle(b, b + kAround, a + kAround);
    }
  }
  return builder.take();
}

void add_face(const BodyShape& shape, std::vector<Mesh>& meshes) {
  for (bool left : {true, false}) {
    const Bone eye = on_side(left, Bone::kLeftEye);
    const Vec3 centre = bind_position(eye);
    const Vec3 white{0.0170f, 0.0185f, 0.0165f};
    meshes.push_back(
        sphere_cap(left ? "eye_left" : "eye_right", kLookEye, eye, centre, white, 0.62f, 1.75f));
    meshes.push_back(sphere_cap(left ? "pupil_left" : "pupil_right", kLookPupil, eye, centre,
                                white * 1.004f, 0, 0.64f));
    std::vector<Vec3> brow;
    for (int i = 0; i <= 6; ++i) {
      const float t = static_cast<float>(i) / 6.0f;
      const float x = lerp(0.016f, 0.054f, t);
      const float y = 1.6525f + 0.010f * (1 - square(2 * t - 0.9f)) - 0.006f;
      brow.push_back(on_face(shape, on_head({left ? x : -x, y, 0})));
    }
    meshes.push_back(stroke(left ? "brow_left" : "brow_right", kLookHair, brow, 0.0042f));
  }
  std::vector<Vec3> mouth;
  for (int i = 0; i <= 8; ++i) {
    const float x = lerp(-0.024f, 0.024f, static_cast<float>(i) / 8.0f);
    mouth.push_back(on_face(shape, on_head({x, 1.5685f + 12.0f * x * x, 0})));
  }
  meshes.push_back(stroke("mouth", kLookMouth, mouth, 0.0036f));
}

}  // namespace

Model make_body() {
  Model model;
  model.name = "person";
  model.skeleton = make_skeleton();
  model.roles = make_roles();
  model.materials = make_materials();
  Skin skin;
  skin.name = "body";
  for (const BoneInfo& info : bones()) {
    skin.joints.push_back(index(info.bone));
    Mat3x4 inverse_bind;
    for (int axis = 0; axis < 3; ++axis) inverse_bind.row[axis].w = -info.position[axis];
    skin.inverse_bind.push_back(inverse_bind);
  }
  model.skins.push_back(std::move(skin));
  const BodyShape shape;
  model.meshes = body_meshes(shape);
  add_face(shape, model.meshes);
  model.sockets = {
      {"grip_left", index(Bone::kLeftHand), {{0.05f, -0.05f, 0.01f}, {}, {1, 1, 1}}},
      {"grip_right", index(Bone::kRightHand), {{-0.05f, -0.05f, 0.01f}, {}, {1, 1, 1}}},
      {"eyes", index(Bone::kHead), {{0, 0.090f, 0.090f}, {}, {1, 1, 1}}}};
  return model;
}

}  // namespace sinew::make_assets
