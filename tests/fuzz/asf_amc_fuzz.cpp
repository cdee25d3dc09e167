// Any bytes as an ASF file, a line "%%" and an AMC file: an error or a model whose clip is valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <sinew/import/asf_amc.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find("\n%%\n");
  const std::string_view asf = text.substr(0, split);
  const std::string_view amc =
      split == std::string_view::npos ? std::string_view() : text.substr(split + 4);
  const sinew::Result<sinew::Model> model = sinew::parse_asf_amc(asf, "fuzz.asf", amc, "fuzz.amc");
  if (model.ok() && !sinew::validate(model->clips.at(0), model->skeleton).ok()) std::abort();
  return 0;
}
