// What the import worker found in a file, and the bytes in which it tells it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/result.hpp>
#include <sinew/math/transform.hpp>

namespace sinew {

// The stream begins with one of these, then the version, and ends with kWorkerEnd.
inline constexpr std::string_view kWorkerScene = "SWIS", kWorkerError = "SWIE", kWorkerEnd = "END.";
inline constexpr std::uint32_t kWorkerVersion = 2;

struct WorkerNode {
  std::string name;
  int parent = -1;  // an earlier node
  bool is_joint = false;
  Mat3x4 local;  // parent <- node
};

struct WorkerMaterial {
  std::string name;
  Vec4 color{1, 1, 1, 1};
};

struct WorkerBone {
  int node = -1;
  Mat3x4 inverse_bind;  // node <- mesh
  std::vector<std::uint32_t> vertices;
  std::vector<float> weights;
};

struct WorkerMesh {
  std::string name;
  int node = -1;
  int material = -1;
  std::vector<Vec3> positions, normals;  // normals and uvs may be empty
  std::vector<Vec2> uvs;
  std::vector<std::uint32_t> indices;
  std::vector<WorkerBone> bones;
};

// Times in seconds, rising or not: nothing about a stream is taken on trust but what decode() says.
struct WorkerChannel {
  int node = -1;
  std::vector<double> translation_times, rotation_times, scale_times;
  std::vector<Vec3> translations, scales;
  std::vector<Quat> rotations;
};

struct WorkerClip {
  std::string name;
  double duration = 0;
  std::vector<WorkerChannel> channels;
};

struct WorkerScene {
  double metres_per_unit = 1;  // of the file; the scene itself is in metres
  std::vector<WorkerNode> nodes;
  std::vector<WorkerMaterial> materials;
  std::vector<WorkerMesh> meshes;
  std::vector<WorkerClip> clips;
};

std::string encode(const WorkerScene& scene);
// `place` in the file, such as "line 3, column 7"; may be empty.
std::string encode_worker_error(std::string_view message, std::string_view place = {});

// Every count is checked against the bytes that are there, every index against its list, every
// number for being finite. An error of the worker itself comes back as kMalformed with its message.
Result<WorkerScene> decode_worker_scene(std::string_view bytes);

}  // namespace sinew
