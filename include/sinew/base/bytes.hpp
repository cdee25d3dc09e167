// Writing and reading binary data: little-endian on every machine, every read checked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sinew {

static_assert(std::endian::native == std::endian::little,
              "saved bytes are little-endian; a big-endian machine needs swaps here");

class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& out) : out_(&out) {}

  // The bytes of a number or an enum. Not for structs: their padding has no fixed value.
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    raw(&value, sizeof value);
  }
  void text(std::string_view value) {
    put(static_cast<std::uint32_t>(value.size()));
    raw(value.data(), value.size());
  }
  void bytes(std::span<const std::byte> value) {
    put(static_cast<std::uint32_t>(value.size()));
    raw(value.data(), value.size());
  }
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t at = out_->size();
    out_->resize(at + size);
    std::memcpy(out_->data() + at, data, size);
  }
  std::size_t size() const { return out_->size(); }

 private:
  std::vector<std::byte>* out_;
};

// Reading past the end gives zeros and sets failed(); ask once at the end of a record.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> data) : data_(data) {}

  template <class T>
  T get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value{};
    raw(&value, sizeof value);
    return value;
  }
  std::string text() {
    const std::span<const std::byte> view = bytes();
    return std::string(reinterpret_cast<const char*>(view.data()), view.size());
  }
  // A view into the data.
  std::span<const std::byte> bytes() {
    const auto size = get<std::uint32_t>();
    return view(size);
  }
  std::span<const std::byte> view(std::size_t size) {
    if (size > data_.size() - at_) {
      failed_ = true;
      at_ = data_.size();
      return {};
    }
    const std::span<const std::byte> out = data_.subspan(at_, size);
    at_ += size;
    return out;
  }
  void raw(void* out, std::size_t size) {
    const std::span<const std::byte> from = view(size);
    if (from.size() == size && size > 0) std::memcpy(out, from.data(), size);
  }
  // For lists: false (and failed()) unless at least count * size bytes are left, so that a damaged
  // count never becomes an allocation.
  bool fits(std::size_t count, std::size_t size) {
    if (size == 0 || count <= (data_.size() - at_) / size) return true;
    failed_ = true;
    return false;
  }
  bool failed() const { return failed_; }
  bool at_end() const { return at_ == data_.size(); }
  std::size_t left() const { return data_.size() - at_; }

 private:
  std::span<const std::byte> data_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace sinew
