// One glTF file in memory: its JSON, its buffers, and the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/import/gltf.hpp>

#include "files.hpp"
#include "gltf/json.hpp"

namespace sinew::gltf {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The types of numbers that a use of an accessor allows.
enum Allowed : unsigned {
  kFloat = 1,
  kNormalized = 2,    // 8 and 16 bits, signed and unsigned, "normalized": true
  kPlainSmall = 4,    // 8 and 16 bits, taken as they are (KHR_mesh_quantization)
  kUnsigned = 8,      // 8 and 16 bits without sign, as integers
  kUnsignedWide = 16  // 32 bits without sign
};

class Document {
 public:
  // Splits a GLB or takes the bytes as JSON, and checks version and required extensions. `bytes`
  // must outlive the document. Throws Failure.
  Document(std::span<const std::byte> bytes, std::string name, std::filesystem::path folder,
           const Options& options);

  const Options& options() const { return options_; }
  const Json& root() const { return json_; }
  const Place& place() const { return place_; }
  // The elements of a top-level array.
  const Json& list(const char* key) const { return array_of(json_, key, place_); }

  // `place`: of the thing that refers to the accessor. All throw Failure with the accessor's place
  // and the reason where it is broken, of another format, or larger than its data.
  std::size_t accessor_count(int accessor) const;
  bool accessor_has_bounds(int accessor) const;
  // count * components floats, all finite. `type`: "SCALAR", "VEC3", ...; "VEC3/VEC4" allows both.
  std::vector<float> read_floats(int accessor, std::string_view type, unsigned allowed,
                                 const Place& place, std::size_t* components = nullptr);
  std::vector<std::uint32_t> read_integers(int accessor, std::string_view type, unsigned allowed,
                                           const Place& place);
  // The bytes of a buffer view (images).
  std::span<const std::byte> view_bytes(int view, const Place& place);

  // A file beside this one. Errors have no place.
  Result<files::Bytes> read_beside(std::string_view uri) const;

  // Counts decoded bytes against Options::max_decoded_bytes; throws Failure beyond.
  void spend(std::size_t count, std::size_t bytes_each, const Place& place);

  // Collects a warning; of many of one kind the first ones are kept.
  void warn(std::string code, const Place& place, std::string message, std::string hint = {});
  void inform(std::string code, const Place& place, std::string message, std::string hint = {});
  Findings take_findings();

 private:
  struct Accessor;
  struct Numbers {                    // a run of elements in memory
    const std::byte* data = nullptr;  // null: all zero
    std::size_t stride = 0;
  };

  void split_glb(std::span<const std::byte> bytes, std::string_view& json_text);
  void check_asset();
  void add_finding(Severity severity, std::string code, const Place& place, std::string message,
                   std::string hint);
  std::span<const std::byte> buffer_bytes(int buffer, const Place& place);
  Accessor open(int accessor, std::string_view type, unsigned allowed, const Place& place);
  Numbers open_numbers(const Json& object, std::size_t element_size, std::size_t count,
                       bool may_stride, const Place& place);
  template <class T, class Convert>
  std::vector<T> read(const Accessor& accessor, Convert convert);

  std::string name_;
  Place place_;
  std::filesystem::path folder_;
  Options options_;
  Json json_;
  std::span<const std::byte> bin_;
  bool has_bin_ = false;
  std::map<int, std::span<const std::byte>> buffers_;
  std::vector<files::Bytes> owned_;
  std::size_t spent_ = 0;
  Findings findings_;
  std::map<std::string, std::size_t> finding_counts_;
};

}  // namespace sinew::gltf
