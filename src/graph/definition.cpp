#include <sinew/base/text.hpp>
#include <sinew/graph/definition.hpp>

namespace sinew {

ParamId ControllerDef::param(std::string_view name) const {
  for (std::size_t i = 0; i < tables_.parameter_names.size(); ++i) {
    if (tables_.parameter_names[i] == name) return {static_cast<std::int32_t>(i)};
  }
  return {};
}

Result<ParamId> ControllerDef::find_param(std::string_view name) const {
  if (const ParamId id = param(name)) return id;
  const std::vector<std::string_view> names(tables_.parameter_names.begin(),
                                            tables_.parameter_names.end());
  return make_error(ErrorCode::kNotFound,
                    "there is no parameter '" + std::string(name) + "'" + did_you_mean(name, names),
                    tables_.name);
}

StateId ControllerDef::state(std::string_view name) const {
  for (std::size_t i = 0; i < tables_.state_paths.size(); ++i) {
    const std::string_view path = tables_.state_paths[i];
    const auto layer = static_cast<std::size_t>(tables_.states[i].layer);
    if (path == name || path.substr(tables_.layer_names[layer].size() + 1) == name) {
      return {static_cast<std::int32_t>(i)};
    }
  }
  for (std::size_t i = 0; i < tables_.state_names.size(); ++i) {
    if (tables_.state_names[i] == name) return {static_cast<std::int32_t>(i)};
  }
  return {};
}

Result<StateId> ControllerDef::find_state(std::string_view name) const {
  if (const StateId id = state(name)) return id;
  std::vector<std::string_view> names(tables_.state_names.begin(), tables_.state_names.end());
  names.insert(names.end(), tables_.state_paths.begin(), tables_.state_paths.end());
  return make_error(ErrorCode::kNotFound,
                    "there is no state '" + std::string(name) + "'" + did_you_mean(name, names),
                    tables_.name);
}

int ControllerDef::layer(std::string_view name) const {
  for (std::size_t i = 0; i < tables_.layer_names.size(); ++i) {
    if (tables_.layer_names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace sinew
