#include <algorithm>
#include <array>
#include <map>

#include <sinew/base/text.hpp>

#include "gltf/meshes.hpp"
#include "image.hpp"

namespace sinew::gltf {
namespace {

class MaterialReader {
 public:
  MaterialReader(Document& document, Model& model) : document_(document), model_(model) {}

  std::vector<UvUse> read() {
    const Json& list = document_.list("materials");
    std::vector<UvUse> uses;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Place place{&document_.place(), "material", static_cast<long long>(i), {}};
      require_object(list[i], place);
      uses.push_back(read_material(list[i], place));
    }
    return uses;
  }

 private:
  UvUse read_material(const Json& object, const Place& place) {
    Material material;
    material.name = string_of(object, "name", place);
    material.double_sided = bool_of(object, "doubleSided", false, place);
    material.alpha_cutoff = number_of(object, "alphaCutoff", 0.5f, place);
    const std::string alpha = string_of(object, "alphaMode", place);
    if (alpha == "MASK") material.alpha = Material::Alpha::kMask;
    if (alpha == "BLEND") material.alpha = Material::Alpha::kBlend;

    const Json* base = object_of(object, "pbrMetallicRoughness", place);
    const char* factor_key = "baseColorFactor";
    const char* texture_key = "baseColorTexture";
    if (const Json* extensions = object_of(object, "extensions", place)) {
      if (const Json* old = object_of(*extensions, "KHR_materials_pbrSpecularGlossiness", place)) {
        base = old;
        factor_key = "diffuseFactor";
        texture_key = "diffuseTexture";
      }
    }
    UvUse use;
    if (base != nullptr) {
      const Place inner{&place, factor_key, -1, {}};
      float color[4] = {1, 1, 1, 1};
      floats_of(*base, factor_key, 4, color, inner);
      material.base_color = {color[0], color[1], color[2], color[3]};
      if (const Json* texture = object_of(*base, texture_key, inner)) {
        const Place texture_place{&place, texture_key, -1, {}};
        use = read_uv_use(*texture, texture_place);
        material.base_color_image = read_texture(*texture, texture_place);
      }
    }
    model_.materials.push_back(std::move(material));
    return use;
  }

  UvUse read_uv_use(const Json& texture, const Place& place) {
    UvUse use;
    std::size_t set = size_of(texture, "texCoord", 0, place);
    const Json* extensions = object_of(texture, "extensions", place);
    const Json* moved =
        extensions == nullptr ? nullptr : object_of(*extensions, "KHR_texture_transform", place);
    if (moved != nullptr) {
      const Place inner{&place, "KHR_texture_transform", -1, {}};
      float offset[2] = {0, 0}, scale[2] = {1, 1};
      floats_of(*moved, "offset", 2, offset, inner);
      floats_of(*moved, "scale", 2, scale, inner);
      use.offset = {offset[0], offset[1]};
      use.scale = {scale[0], scale[1]};
      use.rotation = number_of(*moved, "rotation", 0, inner);
      set = size_of(*moved, "texCoord", set, inner);
    }
    use.set = static_cast<int>(std::min<std::size_t>(set, 1000));
    return use;
  }

  // Into model_.images, or -1. A picture that cannot be had is only a warning: the motion is whole.
  int read_texture(const Json& reference, const Place& place) {
    const Json& textures = document_.list("textures");
    const int index = required_index_of(reference, "index", textures.size(), place);
    const Json& texture = textures[static_cast<std::size_t>(index)];
    const Place texture_place{&document_.place(), "texture", index, {}};
    require_object(texture, texture_place);
    const int image = index_of(texture, "source", document_.list("images").size(), texture_place);
    if (image < 0 || !document_.options().images) return -1;
    if (const auto found = image_of_source_.find(image); found != image_of_source_.end()) {
      return found->second;
    }
    const int loaded = read_image(image);
    image_of_source_.emplace(image, loaded);
    return loaded;
  }

  int read_image(int index) {
    const Json& object = document_.list("images")[static_cast<std::size_t>(index)];
    Place place{&document_.place(), "image", index, {}};
    require_object(object, place);
    const std::string name = string_of(object, "name", place);
    place.name = name;
    Result<Image> image = decode(object, place);
    if (!image) {
      document_.warn("gltf.image", place, image.error().message + "; the image is left out");
      return -1;
    }
    image->name = name;
    model_.images.push_back(std::move(*image));
    return static_cast<int>(model_.images.size()) - 1;
  }

  Result<Image> decode(const Json& object, const Place& place) {
    const std::string uri = string_of(object, "uri", place);
    if (!uri.empty()) {
      Result<files::Bytes> bytes =
          files::is_data_uri(uri) ? files::decode_data_uri(uri) : document_.read_beside(uri);
      if (!bytes) {
        Error error = std::move(bytes).error();
        if (!files::is_data_uri(uri)) error.message = "'" + printable(uri) + "' " + error.message;
        return error;
      }
      return decode_bytes(*bytes, place);
    }
    const int view =
        required_index_of(object, "bufferView", document_.list("bufferViews").size(), place);
    return decode_bytes(document_.view_bytes(view, place), place);
  }

  Result<Image> decode_bytes(std::span<const std::byte> bytes, const Place& place) {
    const Result<ImageSize> size = image_size(bytes);
    if (!size) return size.error();
    const int limit = document_.options().max_image_side;
    if (size->width > limit || size->height > limit) {
      return make_error(ErrorCode::kLimit, format_text("it has %d x %d pixels; the limit is %d",
                                                       size->width, size->height, limit));
    }
    document_.spend(static_cast<std::size_t>(size->width),
                    static_cast<std::size_t>(size->height) * 4, place);
    return decode_image(bytes);
  }

  Document& document_;
  Model& model_;
  std::map<int, int> image_of_source_;
};

}  // namespace

std::vector<UvUse> read_materials(Document& document, Model& model) {
  return MaterialReader(document, model).read();
}

}  // namespace sinew::gltf
