// The GLSL of all passes.
#pragma once

namespace sinew::render::shaders {

// Goes in front of the fragment shaders of surfaces and ground.
extern const char* const kShadowCode;

// World positions in, seen by u_view_proj. Defines: none.
extern const char* const kMeshVertex;
// Lit, textured surface. MASK: texels below u_cutoff are cut out.
extern const char* const kMeshFragment;
// The ground plane, and terrain that is to look like it. TERRAIN: uneven, no contact shadow.
extern const char* const kGroundFragment;
// Depth only. MASK as above.
extern const char* const kDepthFragment;

// A triangle over the whole picture.
extern const char* const kScreenVertex;
// The gradient behind everything.
extern const char* const kBackdropFragment;
// One direction of a Gaussian blur.
extern const char* const kBlurFragment;
// How near above the ground a surface is, for the contact shadow.
extern const char* const kContactFragment;

// Bones: world positions with normals and colours.
extern const char* const kSolidVertex;
extern const char* const kSolidFragment;
// Marks: clip-space positions with colours and a place inside the mark.
extern const char* const kMarkVertex;
extern const char* const kMarkFragment;

}  // namespace sinew::render::shaders
