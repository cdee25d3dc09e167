// The one place that compiles stb_image.
#include "image.hpp"

#include <climits>
#include <memory>
#include <string>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>

namespace sinew {
namespace {

const stbi_uc* data_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const stbi_uc*>(bytes.data());
}

Error decoder_error() {
  const char* reason = stbi_failure_reason();
  return make_error(ErrorCode::kMalformed, std::string("is not a readable PNG or JPEG: ") +
                                               (reason != nullptr ? reason : "unknown reason"));
}

}  // namespace

Result<ImageSize> image_size(std::span<const std::byte> bytes) {
  if (bytes.size() > static_cast<std::size_t>(INT_MAX)) {
    return make_error(ErrorCode::kLimit, "has more than 2 GB");
  }
  ImageSize size;
  int channels = 0;
  if (stbi_info_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &size.width,
                            &size.height, &channels) == 0) {
    return decoder_error();
  }
  return size;
}

Result<Image> decode_image(std::span<const std::byte> bytes) {
  if (Result<ImageSize> size = image_size(bytes); !size) return std::move(size).error();
  Image image;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &image.width,
                            &image.height, &channels, 4),
      stbi_image_free);
  if (pixels == nullptr) return decoder_error();
  const std::size_t size =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  image.rgba.assign(pixels.get(), pixels.get() + size);
  return image;
}

}  // namespace sinew
