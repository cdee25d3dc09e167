#include "stb_read.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace sinew::render {

Image read_image(const std::filesystem::path& file) {
  Image image;
  int channels = 0;
  unsigned char* data = stbi_load(file.c_str(), &image.width, &image.height, &channels, 4);
  if (data == nullptr) return {};
  image.rgba.assign(data, data + static_cast<std::size_t>(image.width * image.height) * 4);
  stbi_image_free(data);
  return image;
}

}  // namespace sinew::render
