#include "stb_png.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace sinew::render {
namespace {

void append(void* context, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(context);
  const auto* from = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), from, from + size);
}

}  // namespace

std::vector<std::uint8_t> encode_png(const Image& image) {
  std::vector<std::uint8_t> bytes;
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                             image.width * 4) == 0) {
    bytes.clear();
  }
  return bytes;
}

}  // namespace sinew::render
