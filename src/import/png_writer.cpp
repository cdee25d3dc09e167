#include "png_writer.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sinew {
namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    table[n] = c;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

void put_u32(std::vector<std::uint8_t>& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

void put_chunk(std::vector<std::uint8_t>& out, std::string_view kind,
               std::span<const std::uint8_t> data) {
  put_u32(out, static_cast<std::uint32_t>(data.size()));
  std::uint32_t crc = 0xffffffffu;
  const auto put = [&](std::uint8_t byte) {
    out.push_back(byte);
    crc = kCrcTable[(crc ^ byte) & 0xffu] ^ (crc >> 8);
  };
  for (char c : kind) put(static_cast<std::uint8_t>(c));
  for (std::uint8_t byte : data) put(byte);
  put_u32(out, crc ^ 0xffffffffu);
}

// A zlib stream of stored blocks.
std::vector<std::uint8_t> store(std::span<const std::uint8_t> data) {
  std::vector<std::uint8_t> out{0x78, 0x01};
  std::size_t at = 0;
  do {
    const std::size_t size = std::min<std::size_t>(data.size() - at, 65535);
    out.push_back(at + size == data.size() ? 1 : 0);
    const auto length = static_cast<std::uint16_t>(size);
    const auto inverted = static_cast<std::uint16_t>(~length);
    for (std::uint16_t value : {length, inverted}) {
      out.push_back(static_cast<std::uint8_t>(value & 0xff));
      out.push_back(static_cast<std::uint8_t>(value >> 8));
    }
    const auto part = data.subspan(at, size);
    out.insert(out.end(), part.begin(), part.end());
    at += size;
  } while (at < data.size());
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (std::uint8_t byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  put_u32(out, (b << 16) | a);
  return out;
}

}  // namespace

std::vector<std::byte> write_png(int width, int height, std::span<const std::uint8_t> rgba) {
  const std::size_t row = 4 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> lines;
  lines.reserve((row + 1) * static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    lines.push_back(0);  // no filter
    const auto line = rgba.subspan(y * row, row);
    lines.insert(lines.end(), line.begin(), line.end());
  }
  std::vector<std::uint8_t> out{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::vector<std::uint8_t> header;
  put_u32(header, static_cast<std::uint32_t>(width));
  put_u32(header, static_cast<std::uint32_t>(height));
  header.insert(header.end(), {8, 6, 0, 0, 0});  // 8 bits, RGBA, no interlacing
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", store(lines));
  put_chunk(out, "IEND", {});
  std::vector<std::byte> bytes(out.size());
  std::transform(out.begin(), out.end(), bytes.begin(),
                 [](std::uint8_t b) { return std::byte{b}; });
  return bytes;
}

}  // namespace sinew
