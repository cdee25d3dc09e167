// What an importer makes of one file: skeleton, clips, skins, and the meshes for pictures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/asset/raw_clip.hpp>
#include <sinew/asset/roles.hpp>
#include <sinew/base/finding.hpp>

namespace sinew {

// A named place on a joint (a hand's grip, a muzzle).
struct Socket {
  std::string name;
  int joint = kNoJoint;
  Transform offset;  // joint <- socket
};

// Binds vertices to joints: skinning matrix i = model(joints[i]) * inverse_bind[i].
struct Skin {
  std::string name;
  std::vector<int> joints;
  std::vector<Mat3x4> inverse_bind;  // joint <- mesh, one per joint
};

struct Image {
  std::string name;
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // sRGB, rows from the top
};

struct Material {
  std::string name;
  Vec4 base_color{1, 1, 1, 1};  // linear
  int base_color_image = -1;    // into Model::images
  bool double_sided = false;
  enum class Alpha : std::uint8_t { kOpaque, kMask, kBlend } alpha = Alpha::kOpaque;
  float alpha_cutoff = 0.5f;
};

struct MorphTarget {
  std::string name;
  std::vector<Vec3> positions;  // displacements, one per vertex
  std::vector<Vec3> normals;    // may be empty
};

// Triangles of one material. Per-vertex lists are empty or as long as `positions`.
struct Mesh {
  std::string name;
  std::vector<Vec3> positions;                       // mesh space, metres
  std::vector<Vec3> normals;                         // unit
  std::vector<Vec2> uvs;                             // v down, as glTF
  std::vector<Vec4> colors;                          // linear
  std::vector<std::array<std::uint16_t, 4>> joints;  // into Skin::joints
  std::vector<Vec4> weights;                         // sum 1
  std::vector<std::uint32_t> indices;                // three per triangle
  std::vector<MorphTarget> morphs;
  std::vector<float> morph_weights;  // defaults, one per target
  int material = -1;
  int skin = -1;         // into Model::skins; -1: rigid
  int joint = kNoJoint;  // rigid: carried by this joint (kNoJoint: by the model's origin)
  Transform offset;      // rigid: joint <- mesh
};

// How the lengths of a file became metres.
struct LengthSource {
  enum class From : std::uint8_t {
    kFormat,  // the format says what a number means
    kFile,    // the file says it
    kGuess,   // nobody says it: chosen so that the body is as tall as a person
    kCaller,  // an option of the reader
  };
  From from = From::kFormat;
  double metres_per_unit = 1;
};

struct Model {
  std::string name;  // the file's name without folders
  LengthSource unit;
  Skeleton skeleton;
  RoleMap roles;
  std::vector<RawClip> clips;
  std::vector<Skin> skins;
  std::vector<Mesh> meshes;
  std::vector<Material> materials;
  std::vector<Image> images;
  std::vector<Socket> sockets;
  Findings findings;  // warnings met while reading

  // The first clip of exactly that name; else the only one whose name ends in '|' and that name, as
  // exporters write "Armature|Walk". Errors: several names end so (kInvalidArgument, lists them);
  // no clip (kNotFound, names the nearest one).
  Result<int> find_clip(std::string_view clip_name) const;
};

}  // namespace sinew
