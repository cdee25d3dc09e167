// The part of a model that pictures need, checked once, and its skinning on the CPU.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <sinew/asset/model.hpp>
#include <sinew/render/camera.hpp>

namespace sinew::render {

struct SkinnedVertex {
  Vec3 position, normal;  // the normal need not be unit
};

struct PreparedMesh {
  std::vector<Vec3> positions, normals;
  std::vector<std::array<std::uint16_t, 4>> joints;
  std::vector<Vec4> weights;
  std::vector<MorphTarget> morphs;
  std::vector<float> morph_defaults;
  int morph_first = 0;  // into the instance's morph weights
  int skin = -1, joint = kNoJoint;
  Mat3x4 offset;  // joint <- mesh
  Bounds bounds;  // of the positions
  // Carried by the model's origin and never reshaped: its vertices can stay on the GPU.
  bool is_static() const { return skin < 0 && joint == kNoJoint && morphs.empty(); }
};

struct PreparedModel {
  std::vector<std::int16_t> parents;
  std::vector<Mat3x4> rest;  // model space
  std::vector<Skin> skins;
  std::vector<PreparedMesh> meshes;  // one per mesh of the model, in order
  int morph_count = 0;
  float height = 0;  // of the skeleton, or what its bones are drawn as if it had: never tiny
};

// Why on the CPU: each vertex is drawn three times (picture, shadow, contact shadow), the boxes of
// posed meshes are needed for framing and shadows anyway, and with Mesa's rasterizer a vertex
// shader runs on the CPU as well.
Result<PreparedModel> prepare_model(const Model& model);

// World-space vertices of one mesh. `joints`: model space, one per joint; `morphs`: weights of this
// mesh's targets; `out`: one per position; `box` grows by what was written. `palette` is scratch.
void skin_mesh(const PreparedModel& model, const PreparedMesh& mesh, std::span<const Mat3x4> joints,
               const Mat3x4& root, std::span<const float> morphs, std::vector<Mat3x4>& palette,
               std::span<SkinnedVertex> out, Bounds& box);

// The map of normals (linear part only): the cofactors, which are the inverse transpose times the
// determinant. They exist for flat maps too; a mirroring map does not turn normals inside out.
Mat3x4 normal_map(const Mat3x4& m);

// The box that contains `box` after the map.
Bounds transform_bounds(const Mat3x4& map, const Bounds& box);

// Normals from the triangles, weighted by area; zero where a vertex has no triangle.
std::vector<Vec3> make_normals(std::span<const Vec3> positions,
                               std::span<const std::uint32_t> indices);

}  // namespace sinew::render
