// The joints of real files, for tests below the importers: names, parents and rest transforms.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <sinew/asset/skeleton.hpp>

namespace sinew::testing {

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Every node of a GLB (or of glTF text), as they stand in the file. Empty if it cannot be read.
inline std::vector<JointDef> gltf_joints(const std::string& path) {
  std::string text = read_file(path);
  if (text.size() > 20 && text.compare(0, 4, "glTF") == 0) {
    std::uint32_t size = 0;
    std::memcpy(&size, text.data() + 12, 4);
    text = text.substr(20, size);
  }
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  std::vector<JointDef> joints;
  if (json.is_discarded() || !json.contains("nodes")) return joints;
  const auto& nodes = json["nodes"];
  joints.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& node = nodes[i];
    joints[i].name = node.value("name", "");
    for (int child : node.value("children", std::vector<int>{})) {
      joints[static_cast<std::size_t>(child)].parent = static_cast<int>(i);
    }
    Transform& rest = joints[i].rest;
    if (node.contains("matrix")) {
      const auto m = node["matrix"].get<std::vector<float>>();
      Mat3x4 matrix;
      for (std::size_t r = 0; r < 3; ++r) matrix.row[r] = {m[r], m[4 + r], m[8 + r], m[12 + r]};
      rest = decompose(matrix);
    }
    const auto t = node.value("translation", std::vector<float>{});
    const auto q = node.value("rotation", std::vector<float>{});
    const auto s = node.value("scale", std::vector<float>{});
    if (t.size() == 3) rest.translation = {t[0], t[1], t[2]};
    if (q.size() == 4) rest.rotation = {q[0], q[1], q[2], q[3]};
    if (s.size() == 3) rest.scale = {s[0], s[1], s[2]};
  }
  return joints;
}

// The hierarchy of a BVH file, end sites left out.
inline std::vector<JointDef> bvh_joints(const std::string& path) {
  std::istringstream in(read_file(path));
  std::vector<JointDef> joints;
  std::vector<int> open;
  std::string word;
  int next = kNoJoint;
  while (in >> word && word != "MOTION") {
    if (word == "ROOT" || word == "JOINT") {
      JointDef joint;
      in >> joint.name;
      joint.parent = open.empty() ? kNoJoint : open.back();
      next = static_cast<int>(joints.size());
      joints.push_back(joint);
    } else if (word == "End") {
      in >> word;
      next = kNoJoint;
    } else if (word == "{") {
      open.push_back(next);
    } else if (word == "}") {
      open.pop_back();
    } else if (word == "OFFSET") {
      Vec3 offset;
      in >> offset.x >> offset.y >> offset.z;
      if (open.back() != kNoJoint) {
        joints[static_cast<std::size_t>(open.back())].rest.translation = offset;
      }
    }
  }
  return joints;
}

}  // namespace sinew::testing
