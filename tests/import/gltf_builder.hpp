// Small glTF files made in code.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <sinew/import/gltf.hpp>

namespace sinew::testing {

using Json = nlohmann::json;

inline std::string to_base64(std::string_view bytes) {
  static constexpr char kLetters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8) | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out.push_back(i + j <= bytes.size() ? kLetters[(bits >> (18 - 6 * j)) & 63u] : '=');
    }
  }
  return out;
}

class GltfBuilder {
 public:
  Json json = {{"asset", {{"version", "2.0"}}}};
  std::string bytes;

  // Returns the index of a bufferView of these values.
  template <class T>
  int view(const std::vector<T>& values) {
    while (bytes.size() % 4 != 0) bytes.push_back('\0');
    const std::size_t offset = bytes.size();
    bytes.resize(offset + values.size() * sizeof(T));
    std::memcpy(bytes.data() + offset, values.data(), values.size() * sizeof(T));
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", values.size() * sizeof(T)}});
    return static_cast<int>(json["bufferViews"].size()) - 1;
  }

  // Returns the index of an accessor of these values. `type`: "VEC3"; the number of elements
  // follows.
  template <class T>
  int accessor(const std::string& type, const std::vector<T>& values, bool normalized = false) {
    static const std::vector<std::pair<std::string, std::size_t>> kSizes = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    std::size_t components = 1;
    for (const auto& [name, size] : kSizes) {
      if (name == type) components = size;
    }
    Json a = {{"bufferView", view(values)},
              {"componentType", component_type<T>()},
              {"count", values.size() / components},
              {"type", type}};
    if (normalized) a["normalized"] = true;
    if (type == "SCALAR" && component_type<T>() == 5126 && !values.empty()) {
      a["min"] = {values.front()};
      a["max"] = {values.back()};
    }
    json["accessors"].push_back(a);
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  int node(Json node) {
    json["nodes"].push_back(std::move(node));
    return static_cast<int>(json["nodes"].size()) - 1;
  }

  // Adds a channel to animation `animation` (made where it is the next one).
  void channel(std::size_t animation, int node, const std::string& path, int input, int output,
               const std::string& interpolation = "LINEAR") {
    Json& animations = json["animations"];
    if (animations.size() <= animation) {
      animations.push_back(
          {{"name", "clip"}, {"samplers", Json::array()}, {"channels", Json::array()}});
    }
    Json& a = animations[animation];
    a["samplers"].push_back(
        {{"input", input}, {"output", output}, {"interpolation", interpolation}});
    a["channels"].push_back(
        {{"sampler", a["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  std::string text() const {
    Json whole = json;
    if (!bytes.empty() && !whole.contains("buffers")) {
      whole["buffers"] = {{{"byteLength", bytes.size()},
                           {"uri", "data:application/octet-stream;base64," + to_base64(bytes)}}};
    }
    return whole.dump();
  }

  // JSON and BIN chunk.
  std::string glb() const {
    Json whole = json;
    if (!bytes.empty()) whole["buffers"] = {{{"byteLength", bytes.size()}}};
    std::string text = whole.dump(), bin = bytes;
    while (text.size() % 4 != 0) text.push_back(' ');
    while (bin.size() % 4 != 0) bin.push_back('\0');
    std::string out = "glTF";
    const auto u32 = [&](std::size_t value) {
      for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 255u));
    };
    u32(2);
    u32(12 + 8 + text.size() + (bin.empty() ? 0 : 8 + bin.size()));
    u32(text.size());
    out += "JSON" + text;
    if (!bin.empty()) {
      u32(bin.size());
      out += std::string("BIN\0", 4) + bin;
    }
    return out;
  }

  Result<Model> parse(const gltf::Options& options = {}) const {
    return parse_text(text(), options);
  }
  Result<Model> parse(gltf::Source& source) const {
    const std::string file = text();
    return gltf::parse(std::as_bytes(std::span(file)), "test.gltf", "", {}, source);
  }
  static Result<Model> parse_text(const std::string& file, const gltf::Options& options = {},
                                  const std::string& folder = "",
                                  const std::string& name = "test.gltf") {
    return gltf::parse(std::as_bytes(std::span(file)), name, folder, options);
  }

 private:
  template <class T>
  static int component_type() {
    if constexpr (std::is_same_v<T, float>) return 5126;
    if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
    if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
    if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
    if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
    if constexpr (std::is_same_v<T, std::uint32_t>) return 5125;
    return 0;
  }
};

// The message of a failed read, or "" where it succeeded.
inline std::string error_of(const Result<Model>& result) {
  return result.ok() ? std::string() : to_string(result.error());
}

inline bool has_finding(const Model& model, std::string_view code) {
  for (const Finding& finding : model.findings) {
    if (finding.code == code) return true;
  }
  return false;
}

}  // namespace sinew::testing
