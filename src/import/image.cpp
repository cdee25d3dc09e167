// The one place that compiles stb_image.
#include "image.hpp"

#include <climits>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

// No block that the decoder asks for may be larger: a few bytes can unpack to gigabytes, whatever
// size the header tells.
thread_local std::size_t largest_block = 0;

void* limited_malloc(std::size_t size) {
  return size <= largest_block ? std::malloc(size) : nullptr;
}
void* limited_realloc(void* block, std::size_t size) {
  return size <= largest_block ? std::realloc(block, size) : nullptr;
}

}  // namespace

#define STBI_MALLOC(size) limited_malloc(size)
#define STBI_REALLOC(block, size) limited_realloc(block, size)
#define STBI_FREE(block) std::free(block)
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

stbi_uc* load_pixels(std::span<const std::byte> bytes, Image& image) {
#ifdef __clang_analyzer__  // it would follow the call and report what it finds in stb_image
  (void)bytes;
  (void)image;
  return nullptr;
#else
  int channels = 0;
  return stbi_load_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &image.width,
                               &image.height, &channels, 4);
#endif
}

}  // namespace

Result<ImageSize> image_size(std::span<const std::byte> bytes) {
  if (bytes.size() > static_cast<std::size_t>(INT_MAX)) {
    return make_error(ErrorCode::kLimit, "has more than 2 GB");
  }
  largest_block = std::size_t{1} << 20;
  ImageSize size;
  int channels = 0;
  if (stbi_info_from_memory(data_of(bytes), static_cast<int>(bytes.size()), &size.width,
                            &size.height, &channels) == 0) {
    return decoder_error();
  }
  return size;
}

Result<Image> decode_image(std::span<const std::byte> bytes) {
  Result<ImageSize> size = image_size(bytes);
  if (!size) return std::move(size).error();
  // At most 16 bits a channel while decoding, and unpacking doubles its block as it goes.
  largest_block =
      (static_cast<std::size_t>(size->width) + 1) * static_cast<std::size_t>(size->height) * 16 +
      (std::size_t{1} << 20);
  Image image;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(load_pixels(bytes, image),
                                                         stbi_image_free);
  if (pixels == nullptr) return decoder_error();
  const std::size_t count =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  image.rgba.assign(pixels.get(), pixels.get() + count);
  return image;
}

}  // namespace sinew
