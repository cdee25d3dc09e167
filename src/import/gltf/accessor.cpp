// Typed numbers out of buffers: accessors, strides, sparse values, normalized integers.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include <sinew/base/text.hpp>

#include "gltf/document.hpp"

namespace sinew::gltf {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF numbers are little-endian");

enum ComponentType { kI8 = 5120, kU8 = 5121, kI16 = 5122, kU16 = 5123, kU32 = 5125, kF32 = 5126 };

struct TypeName {
  std::string_view name;
  std::size_t components;
};
constexpr std::array<TypeName, 7> kTypes = {
    {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}}};

std::size_t component_size(std::size_t type) {
  switch (type) {
    case kI8:
    case kU8:
      return 1;
    case kI16:
    case kU16:
      return 2;
    case kU32:
    case kF32:
      return 4;
    default:
      return 0;
  }
}

const char* component_name(std::size_t type) {
  switch (type) {
    case kI8:
      return "BYTE";
    case kU8:
      return "UNSIGNED_BYTE";
    case kI16:
      return "SHORT";
    case kU16:
      return "UNSIGNED_SHORT";
    case kU32:
      return "UNSIGNED_INT";
    default:
      return "FLOAT";
  }
}

bool is_allowed(std::size_t type, bool normalized, unsigned allowed) {
  const bool is_small = type == kI8 || type == kU8 || type == kI16 || type == kU16;
  if (type == kF32) return (allowed & kFloat) != 0;
  if (type == kU32) return (allowed & kUnsignedWide) != 0;
  if (normalized) return is_small && (allowed & kNormalized) != 0;
  if ((type == kU8 || type == kU16) && (allowed & kUnsigned) != 0) return true;
  return is_small && (allowed & kPlainSmall) != 0;
}

std::string allowed_names(unsigned allowed) {
  std::string out;
  const auto add = [&](unsigned bit, const char* text) {
    if ((allowed & bit) == 0) return;
    out += out.empty() ? text : std::string(" or ") + text;
  };
  add(kFloat, "FLOAT");
  add(kNormalized, "normalized BYTE or SHORT");
  add(kPlainSmall, "BYTE or SHORT");
  add(kUnsigned, "UNSIGNED_BYTE or UNSIGNED_SHORT");
  add(kUnsignedWide, "UNSIGNED_INT");
  return out;
}

// `type` is one of those that `wanted` lists, "VEC3/VEC4".
bool matches_type(std::string_view type, std::string_view wanted) {
  while (!wanted.empty()) {
    const std::size_t slash = std::min(wanted.find('/'), wanted.size());
    if (wanted.substr(0, slash) == type) return true;
    wanted.remove_prefix(std::min(slash + 1, wanted.size()));
  }
  return false;
}

template <class T>
T load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

// glTF 2.0, section 3.11: how normalized integers become floats.
float to_float(const std::byte* data, std::size_t type, bool normalized) {
  switch (type) {
    case kI8: {
      const float v = load<std::int8_t>(data);
      return normalized ? std::max(v / 127.0f, -1.0f) : v;
    }
    case kU8: {
      const float v = load<std::uint8_t>(data);
      return normalized ? v / 255.0f : v;
    }
    case kI16: {
      const float v = load<std::int16_t>(data);
      return normalized ? std::max(v / 32767.0f, -1.0f) : v;
    }
    case kU16: {
      const float v = load<std::uint16_t>(data);
      return normalized ? v / 65535.0f : v;
    }
    default:
      return load<float>(data);
  }
}

std::uint32_t to_integer(const std::byte* data, std::size_t type) {
  switch (type) {
    case kU8:
      return load<std::uint8_t>(data);
    case kU16:
      return load<std::uint16_t>(data);
    default:
      return load<std::uint32_t>(data);
  }
}

}  // namespace

struct Document::Accessor {
  Place place;
  std::size_t component_type = 0, size = 0;  // of one component
  std::size_t components = 0, count = 0;
  bool normalized = false;
  Numbers values;
  std::size_t sparse_count = 0, sparse_index_type = 0;
  Numbers sparse_indices, sparse_values;

  std::size_t element_size() const { return size * components; }
};

Document::Numbers Document::open_numbers(const Json& object, std::size_t element_size,
                                         std::size_t count, bool may_stride, const Place& place) {
  const int view = required_index_of(object, "bufferView", list("bufferViews").size(), place);
  const std::span<const std::byte> bytes = view_bytes(view, place);
  const std::size_t offset = size_of(object, "byteOffset", 0, place);
  const Json& view_object = list("bufferViews")[static_cast<std::size_t>(view)];
  std::size_t stride = may_stride ? size_of(view_object, "byteStride", 0, place) : 0;
  if (stride == 0) stride = element_size;
  if (stride < element_size || stride > 65536) {
    fail(place, format_text("'byteStride' of bufferView %d is %zu; an element takes %zu", view,
                            stride, element_size));
  }
  if (offset > bytes.size() || bytes.size() - offset < element_size ||
      count - 1 > (bytes.size() - offset - element_size) / stride) {
    fail(place, format_text("%zu elements of %zu bytes from byte %zu on do not fit into the %zu "
                            "bytes of bufferView %d",
                            count, element_size, offset, bytes.size(), view));
  }
  return {bytes.data() + offset, stride};
}

Document::Accessor Document::open(int index, std::string_view type, unsigned allowed,
                                  const Place& up) {
  const Json& object = list("accessors")[static_cast<std::size_t>(index)];
  Accessor a;
  a.place = {&up, "accessor", index, {}};
  require_object(object, a.place);
  a.component_type = size_of(object, "componentType", 0, a.place);
  a.size = component_size(a.component_type);
  if (a.size == 0) fail(a.place, format_text("componentType %zu does not exist", a.component_type));
  const std::string name = string_of(object, "type", a.place);
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.name == name; });
  if (found == kTypes.end()) fail(a.place, "type '" + printable(name) + "' does not exist");
  a.components = found->components;
  a.normalized = bool_of(object, "normalized", false, a.place);
  if (!matches_type(name, type) || !is_allowed(a.component_type, a.normalized, allowed)) {
    fail(a.place, "it is " + name + " of " + (a.normalized ? "normalized " : "") +
                      component_name(a.component_type) + ", but " + std::string(type) + " of " +
                      allowed_names(allowed) + " is needed");
  }
  a.count = size_of(object, "count", 0, a.place);
  if (a.count == 0) fail(a.place, "'count' is missing or 0");
  if (member(object, "bufferView") != nullptr) {
    a.values = open_numbers(object, a.element_size(), a.count, true, a.place);
  }
  const Json* sparse = object_of(object, "sparse", a.place);
  if (sparse == nullptr) return a;

  const Place place{&a.place, "sparse", -1, {}};
  a.sparse_count = size_of(*sparse, "count", 0, place);
  if (a.sparse_count == 0 || a.sparse_count > a.count) {
    fail(place,
         format_text("'count' is %zu; the accessor has %zu elements", a.sparse_count, a.count));
  }
  const Json* indices = object_of(*sparse, "indices", place);
  const Json* values = object_of(*sparse, "values", place);
  if (indices == nullptr || values == nullptr) fail(place, "'indices' or 'values' is missing");
  a.sparse_index_type = size_of(*indices, "componentType", 0, place);
  if (a.sparse_index_type != kU8 && a.sparse_index_type != kU16 && a.sparse_index_type != kU32) {
    fail(place, format_text("indices of componentType %zu", a.sparse_index_type));
  }
  a.sparse_indices =
      open_numbers(*indices, component_size(a.sparse_index_type), a.sparse_count, false, place);
  a.sparse_values = open_numbers(*values, a.element_size(), a.sparse_count, false, place);
  return a;
}

template <class T, class Convert>
std::vector<T> Document::read(const Accessor& a, Convert convert) {
  spend(a.count, a.components * sizeof(T), a.place);
  std::vector<T> out(a.count * a.components, T{});
  const auto copy = [&](const std::byte* element, std::size_t to) {
    for (std::size_t c = 0; c < a.components; ++c) {
      out[to * a.components + c] = convert(element + c * a.size);
    }
  };
  if (a.values.data != nullptr) {
    for (std::size_t i = 0; i < a.count; ++i) copy(a.values.data + i * a.values.stride, i);
  }
  for (std::size_t i = 0; i < a.sparse_count; ++i) {
    const std::size_t to =
        to_integer(a.sparse_indices.data + i * a.sparse_indices.stride, a.sparse_index_type);
    if (to >= a.count) {
      fail(a.place,
           format_text("sparse: index %zu is %zu; the accessor has %zu elements", i, to, a.count));
    }
    copy(a.sparse_values.data + i * a.sparse_values.stride, to);
  }
  return out;
}

std::size_t Document::accessor_count(int accessor) const {
  const Json& object = list("accessors")[static_cast<std::size_t>(accessor)];
  const Place place{&place_, "accessor", accessor, {}};
  require_object(object, place);
  return size_of(object, "count", 0, place);
}

bool Document::accessor_has_bounds(int accessor) const {
  const Json& object = list("accessors")[static_cast<std::size_t>(accessor)];
  return member(object, "min") != nullptr && member(object, "max") != nullptr;
}

std::vector<float> Document::read_floats(int accessor, std::string_view type, unsigned allowed,
                                         const Place& place, std::size_t* components) {
  const Accessor a = open(accessor, type, allowed, place);
  if (components != nullptr) *components = a.components;
  std::vector<float> out = read<float>(
      a, [&](const std::byte* data) { return to_float(data, a.component_type, a.normalized); });
  const auto bad = std::find_if(out.begin(), out.end(), [](float x) { return !std::isfinite(x); });
  if (bad != out.end()) {
    fail(a.place, format_text("element %td is not a finite number",
                              (bad - out.begin()) / static_cast<std::ptrdiff_t>(a.components)));
  }
  return out;
}

std::vector<std::uint32_t> Document::read_integers(int accessor, std::string_view type,
                                                   unsigned allowed, const Place& place) {
  const Accessor a = open(accessor, type, allowed, place);
  return read<std::uint32_t>(
      a, [&](const std::byte* data) { return to_integer(data, a.component_type); });
}

}  // namespace sinew::gltf
