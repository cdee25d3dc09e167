// Any bytes as the model that an import worker found: an error, or a model that comes out as the
// same bytes again and whose clips are valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "../../src/import/model_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const sinew::Result<sinew::Model> model = sinew::decode_model(bytes);
  if (!model.ok()) return 0;
  for (const sinew::RawClip& clip : model->clips) {
    if (!sinew::validate(clip, model->skeleton).ok()) std::abort();
  }
  // Roles that share a joint are one role after the way, so that the second way is compared.
  const std::string once = sinew::encode_model(*model);
  const sinew::Result<sinew::Model> again = sinew::decode_model(once);
  if (!again.ok() || sinew::encode_model(*again) != once) std::abort();
  return 0;
}
