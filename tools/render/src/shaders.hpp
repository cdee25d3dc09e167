// The GLSL of all passes.
#pragma once

namespace sinew::render::shaders {

// Goes in front of the fragment shaders of surfaces and ground.
extern const char* const kShadowCode;

// World positions in, seen by u_view_proj. Defines: none.
extern const char* const kMeshVertex;
// The same for passes that need no more than places. MASK: as below. HEIGHT: for kContactFragment.
extern const char* const kDepthVertex;
// Lit, textured surface. MASK: texels below u_cutoff are cut out.
extern const char* const kMeshFragment;
// The ground plane, whose shadows are in a map of it. With kMeshVertex and TERRAIN: uneven ground,
// which needs kShadowCode in front.
extern const char* const kGroundVertex;
extern const char* const kGroundFragment;
// Depth only. MASK as above.
extern const char* const kDepthFragment;

// A triangle over the whole picture.
extern const char* const kScreenVertex;
// The gradient behind everything.
extern const char* const kBackdropFragment;
// White: the shadow on the ground plane.
extern const char* const kFlatFragment;
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
