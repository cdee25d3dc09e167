// Any bytes as a BVH file: an error or a model whose clip is valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <sinew/import/bvh.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sinew::BvhOptions options;
  // The last byte chooses among the options, so that all ways are walked.
  const unsigned choice = size > 0 ? data[size - 1] : 0u;
  if ((choice & 1u) != 0) options.end_sites = sinew::EndSites::kJoints;
  if ((choice & 2u) != 0) options.up = sinew::UpAxis::kZ;
  if ((choice & 4u) != 0) options.add_offset = true;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const sinew::Result<sinew::Model> model = sinew::parse_bvh(text, "fuzz.bvh", options);
  if (model.ok() && !sinew::validate(model->clips.at(0), model->skeleton).ok()) std::abort();
  return 0;
}
