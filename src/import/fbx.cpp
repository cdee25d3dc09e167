#include <utility>

#include <sinew/base/text.hpp>
#include <sinew/import/fbx.hpp>

#include "fbx_mesh.hpp"
#include "fbx_rig.hpp"
#include "mocap_model.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::uint64_t kDefaultMaxBytes = 512ull << 20;
// An hour of 100 joints at 60 keys a second, twice over; a hostile file can ask for centuries.
constexpr double kMostEvaluations = 4.5e7;

Status check(const FbxOptions& options) {
  if (!(options.sample_rate >= 0 && options.sample_rate <= 1000)) {
    return make_error(ErrorCode::kInvalidArgument, "sample_rate must be from 0 to 1000");
  }
  if (!(options.metres_per_unit >= 0 && options.metres_per_unit <= 1e6)) {
    return make_error(ErrorCode::kInvalidArgument, "metres_per_unit must be from 0 to 1e6");
  }
  return {};
}

Result<Model> read(std::string_view bytes, std::string_view name, const FbxOptions& options) {
  Result<FbxDocument> document = FbxDocument::parse(bytes);
  if (!document) return std::move(document).error();
  Model out;
  out.name = file_name_of(name);
  Result<FbxScene> scene = FbxScene::build(*document, out.findings);
  if (!scene) return std::move(scene).error();
  const std::vector<FbxModel> models = read_models(*scene);
  Result<std::vector<FbxStack>> stacks = read_stacks(*scene, models);
  if (!stacks) return std::move(stacks).error();
  const bool given = options.metres_per_unit > 0;
  out.unit = {given ? LengthSource::From::kCaller : LengthSource::From::kFile,
              given ? options.metres_per_unit : scene->metres_per_unit()};
  const FbxRig rig(*scene, models, *stacks, out.unit.metres_per_unit);
  Result<Skeleton> skeleton = Skeleton::build(rig.joint_defs());
  if (!skeleton) return std::move(skeleton).error();
  out.skeleton = std::move(skeleton).value();
  out.roles = find_roles(out.skeleton);
  const double rate = options.sample_rate > 0 ? options.sample_rate : scene->frame_rate();
  double budget = kMostEvaluations;
  for (const FbxStack& stack : *stacks) {
    Result<RawClip> clip = rig.clip(stack, out.skeleton, rate, budget);
    if (!clip) return std::move(clip).error();
    if (const Status status = validate(*clip, out.skeleton); !status) return status.error();
    out.clips.push_back(std::move(clip).value());
  }
  if (!options.skip_meshes) {
    if (const Status status = read_meshes(*scene, models, rig, out); !status) return status.error();
  }
  const float height = out.skeleton.height();
  if (out.skeleton.joint_count() > 4 && (height > 6 || height < 0.1f)) {
    add_warning(out.findings, "fbx.size",
                format_text("the rest pose is %.3g m tall by the file's own unit",
                            static_cast<double>(height)),
                "skeleton", "give metres_per_unit if that is wrong");
  }
  return out;
}

}  // namespace

Result<Model> parse_fbx(std::string_view bytes, std::string_view name, const FbxOptions& options) {
  if (const Status status = check(options); !status) return status.error();
  const std::uint64_t limit = options.max_bytes > 0 ? options.max_bytes : kDefaultMaxBytes;
  if (bytes.size() > limit)
    return make_error(ErrorCode::kLimit, "the file is larger than the limit", std::string(name));
  Result<Model> model = read(bytes, name, options);
  if (!model) return within(name, std::move(model).error());
  return model;
}

Result<Model> load_fbx(const std::string& path, const FbxOptions& options) {
  Result<std::string> bytes =
      read_text_file(path, options.max_bytes > 0 ? options.max_bytes : kDefaultMaxBytes);
  if (!bytes) return std::move(bytes).error();
  return parse_fbx(*bytes, path, options);
}

}  // namespace sinew
