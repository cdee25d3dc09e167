// PNG and JPEG to pixels.
#pragma once

#include <cstddef>
#include <span>

#include <sinew/asset/model.hpp>
#include <sinew/base/result.hpp>

namespace sinew {

struct ImageSize {
  int width = 0, height = 0;
};

// The size that the header tells. An error where it is neither PNG nor JPEG.
Result<ImageSize> image_size(std::span<const std::byte> bytes);

// Eight bits a channel, RGBA. Ask image_size() first: the pixels take width * height * 4 bytes.
Result<Image> decode_image(std::span<const std::byte> bytes);

}  // namespace sinew
