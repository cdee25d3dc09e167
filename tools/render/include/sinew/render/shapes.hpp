// Solid shapes as models: floors, steps, crates, terrain, targets.
#pragma once

#include <functional>

#include <sinew/asset/model.hpp>

namespace sinew::render {

// Each function appends to a mesh (positions, normals, indices), in the
// space that `frame` maps from the shape's own.
void add_box(Mesh& mesh, const Mat3x4& frame, Vec3 half_extents);
void add_sphere(Mesh& mesh, Vec3 centre, float radius);
// Along the frame's Y axis; half_height: from the middle to the centre of a cap.
void add_capsule(Mesh& mesh, const Mat3x4& frame, float radius, float half_height);
// A height field over x, z in [-half_size, half_size], `cells` cells a side ([1, 1024]);
// height(x, z) in metres. Heights that are not finite count as 0.
void add_terrain(Mesh& mesh, float half_size, int cells,
                 const std::function<float(float, float)>& height);

// A model without a skeleton that holds this mesh. base_color: linear.
Model make_prop(Mesh mesh, Vec4 base_color);

}  // namespace sinew::render
