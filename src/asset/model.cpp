#include <sinew/asset/model.hpp>
#include <sinew/base/text.hpp>

namespace sinew {

Result<int> Model::find_clip(std::string_view clip_name) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (clips[i].name == clip_name) return static_cast<int>(i);
    names.emplace_back(clips[i].name);
  }
  std::string message = "there is no clip '" + std::string(clip_name) + "'";
  message += clips.empty() ? "; the model has no clips" : did_you_mean(clip_name, names);
  return make_error(ErrorCode::kNotFound, std::move(message), name);
}

}  // namespace sinew
