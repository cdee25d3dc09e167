#include "gltf_write_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

namespace sinew {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian");

constexpr int kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;

std::size_t components_of(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4") return 4;
  return 16;
}

}  // namespace

int GltfBuffer::add_view(const void* data, std::size_t size, Target target) {
  const std::size_t offset = bytes_.size();
  bytes_.resize(offset + size);
  if (size > 0) std::memcpy(bytes_.data() + offset, data, size);
  while (bytes_.size() % 4 != 0) bytes_.push_back(std::byte{0});
  nlohmann::ordered_json view;
  view["buffer"] = 0;
  view["byteOffset"] = offset;
  view["byteLength"] = size;
  if (target != kNone) view["target"] = static_cast<int>(target);
  views_.push_back(std::move(view));
  return static_cast<int>(views_.size()) - 1;
}

int GltfBuffer::add_accessor(int view, int component_type, std::size_t count, const char* type) {
  nlohmann::ordered_json accessor;
  accessor["bufferView"] = view;
  accessor["componentType"] = component_type;
  accessor["count"] = count;
  accessor["type"] = type;
  accessors_.push_back(std::move(accessor));
  return static_cast<int>(accessors_.size()) - 1;
}

int GltfBuffer::add_floats(std::span<const float> values, const char* type, Target target,
                           bool bounds) {
  const std::size_t components = components_of(type);
  const int view = add_view(values.data(), values.size_bytes(), target);
  const int accessor = add_accessor(view, kFloat, values.size() / components, type);
  if (bounds) {
    std::vector<float> least(values.begin(),
                             values.begin() + static_cast<std::ptrdiff_t>(components));
    std::vector<float> greatest = least;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t c = i % components;
      least[c] = std::min(least[c], values[i]);
      greatest[c] = std::max(greatest[c], values[i]);
    }
    accessors_.back()["min"] = least;
    accessors_.back()["max"] = greatest;
  }
  return accessor;
}

int GltfBuffer::add_shorts(std::span<const std::uint16_t> values, const char* type, Target target) {
  const int view = add_view(values.data(), values.size_bytes(), target);
  return add_accessor(view, kUnsignedShort, values.size() / components_of(type), type);
}

int GltfBuffer::add_indices(std::span<const std::uint32_t> indices, std::size_t vertex_count) {
  // 65535 itself is reserved.
  if (vertex_count <= 65535) {
    std::vector<std::uint16_t> shorts;
    shorts.reserve(indices.size());
    for (std::uint32_t i : indices) shorts.push_back(static_cast<std::uint16_t>(i));
    return add_shorts(shorts, "SCALAR", kElements);
  }
  const int view = add_view(indices.data(), indices.size_bytes(), kElements);
  return add_accessor(view, kUnsignedInt, indices.size(), "SCALAR");
}

int GltfBuffer::add_times(const std::vector<float>& times) {
  const auto known = times_.find(times);
  if (known != times_.end()) return known->second;
  const int accessor = add_floats(times, "SCALAR", kNone, true);
  times_.emplace(times, accessor);
  return accessor;
}

int GltfBuffer::add_bytes(std::span<const std::byte> data) {
  return add_view(data.data(), data.size(), kNone);
}

void GltfBuffer::write_views(nlohmann::ordered_json& gltf) const {
  if (!accessors_.empty()) gltf["accessors"] = accessors_;
  if (!views_.empty()) gltf["bufferViews"] = views_;
  if (!bytes_.empty()) {
    nlohmann::ordered_json buffer;
    buffer["byteLength"] = bytes_.size();
    gltf["buffers"].push_back(std::move(buffer));
  }
}

}  // namespace sinew
