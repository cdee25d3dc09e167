// Triangles of what lies over a picture: bones in world space, marks in clip space.
#pragma once

#include <span>
#include <vector>

#include <sinew/render/debug_draw.hpp>

#include "mat4.hpp"
#include "prepared_model.hpp"

namespace sinew::render {

struct SolidVertex {
  Vec3 position, normal;
  Color color;
};

// Appends octahedral bones from each joint to its children and a ball at each joint. `joints`:
// model space. A root joint far from its child (a root on the ground below the hips) gets a thin
// bone.
void add_bones(const PreparedModel& model, std::span<const Mat3x4> joints, const Mat3x4& root,
               Color color, std::vector<SolidVertex>& out);

struct MarkVertex {
  Vec4 clip;
  Color color;
  Vec2 inside;  // place in a disc of radius 1; zero for lines
};

// What marks are seen by.
struct MarkView {
  Mat4 view_proj;
  float width = 1, height = 1;  // pixels
};

// Appends quads for the lines, then for the points, of one kind of depth.
void add_marks(const DebugDraw& draw, DebugDraw::Depth depth, const MarkView& view,
               std::vector<MarkVertex>& out);

// Pixel from the upper left corner; false if behind the viewer.
bool project(const MarkView& view, Vec3 world, Vec2& pixel);

}  // namespace sinew::render
