#include <algorithm>

#include <sinew/asset/model.hpp>
#include <sinew/base/text.hpp>

namespace sinew {
namespace {

// "Walk" of "Armature|Walk": exporters put the name of the armature or of the take in front.
std::string_view short_name(std::string_view name) {
  const std::size_t bar = name.rfind('|');
  return bar == std::string_view::npos ? name : name.substr(bar + 1);
}

// "'A|Walk', 'B|Walk' or 'C|Walk'".
std::string list_of(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + std::string(names[i]) + "'";
  }
  return text;
}

}  // namespace

Result<int> Model::find_clip(std::string_view clip_name) const {
  std::vector<std::string_view> names, fitting;
  int found = -1;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const std::string_view full = clips[i].name;
    if (full == clip_name) return static_cast<int>(i);
    names.push_back(full);
    if (short_name(full) != full) names.push_back(short_name(full));
    // The whole end behind a bar, so that "Walk|Base" finds "Armature|Walk|Base".
    const bool fits = !clip_name.empty() && full.size() > clip_name.size() &&
                      full.ends_with(clip_name) && full[full.size() - clip_name.size() - 1] == '|';
    if (!fits) continue;
    if (found < 0) found = static_cast<int>(i);
    if (std::find(fitting.begin(), fitting.end(), full) == fitting.end()) fitting.push_back(full);
  }
  if (fitting.size() == 1) return found;
  if (fitting.size() > 1) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "'" + std::string(clip_name) + "' may be " + list_of(fitting) + "; write the whole name",
        name);
  }
  std::string message = "there is no clip '" + std::string(clip_name) + "'";
  message += clips.empty() ? "; the model has no clips" : did_you_mean(clip_name, names);
  return make_error(ErrorCode::kNotFound, std::move(message), name);
}

}  // namespace sinew
