// The binary chunk of a GLB while it is written: one buffer, a view and an accessor per list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

namespace sinew {

class GltfBuffer {
 public:
  enum Target { kNone = 0, kVertices = 34962, kElements = 34963 };

  // Each adds one list and returns its accessor. `type`: "SCALAR", "VEC3", ...; `bounds` adds the
  // least and greatest value per component.
  int add_floats(std::span<const float> values, const char* type, Target target = kNone,
                 bool bounds = false);
  int add_shorts(std::span<const std::uint16_t> values, const char* type, Target target);
  // Sixteen bits each where the number of vertices allows.
  int add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count);
  // Key times; equal lists are stored once.
  int add_times(const std::vector<float>& times);
  // Bytes without an accessor; returns the view.
  int add_bytes(std::span<const std::byte> data);

  // Puts "accessors", "bufferViews" and "buffers" into the document.
  void write_views(nlohmann::ordered_json& gltf) const;
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  int add_view(const void* data, std::size_t size, Target target);
  int add_accessor(int view, int component_type, std::size_t count, const char* type);

  std::vector<std::byte> bytes_;
  nlohmann::ordered_json views_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json accessors_ = nlohmann::ordered_json::array();
  std::map<std::vector<float>, int> times_;
};

}  // namespace sinew
