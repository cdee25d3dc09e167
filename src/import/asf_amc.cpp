#include <algorithm>
#include <filesystem>
#include <utility>

#include <sinew/base/text.hpp>
#include <sinew/import/asf_amc.hpp>

#include "asf_amc_parts.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::uint64_t kDefaultMaxBytes = 512ull << 20;

std::uint64_t byte_limit(const AsfAmcOptions& options) {
  return options.max_bytes > 0 ? options.max_bytes : kDefaultMaxBytes;
}

Status check(const AsfAmcOptions& options) {
  const bool unit_ok = options.metres_per_unit >= 0 && options.metres_per_unit <= 1e6;
  const bool rate_ok = options.frame_rate >= 0 && options.frame_rate <= 1e5;
  if (unit_ok && rate_ok) return {};
  return make_error(ErrorCode::kInvalidArgument, unit_ok ? "frame_rate must be from 0 to 100000"
                                                         : "metres_per_unit must be from 0 to 1e6");
}

// A joint at the near end of every bone; the far end of a bone without children is an end site.
MocapSkeleton to_joints(const AsfSkeleton& skeleton) {
  MocapSkeleton out;
  std::vector<bool> has_child(skeleton.bones.size(), false);
  const auto far_end = [&](std::size_t i) {
    const AsfBone& bone = skeleton.bones[i];
    return Double3{bone.direction.x * bone.length, bone.direction.y * bone.length,
                   bone.direction.z * bone.length};
  };
  for (const AsfBone& bone : skeleton.bones) {
    const std::size_t parent = static_cast<std::size_t>(bone.parent);
    if (bone.parent >= 0) has_child[parent] = true;
    out.joints.push_back(
        {bone.name, bone.parent, bone.parent < 0 ? bone.position : far_end(parent)});
  }
  for (std::size_t i = 1; i < skeleton.bones.size(); ++i) {
    if (has_child[i]) continue;
    out.ends.push_back({skeleton.bones[i].name + "_End", static_cast<int>(i), far_end(i)});
  }
  return out;
}

LengthSource unit_of(const MocapSkeleton& joints, const AsfSkeleton& skeleton,
                     const AsfAmcOptions& options, Findings& findings) {
  using enum LengthSource::From;
  if (options.metres_per_unit > 0) return {kCaller, options.metres_per_unit};
  if (options.unit != LengthUnit::kAuto) return {kCaller, metres_per(options.unit)};
  const double stated = metres_per(LengthUnit::kInch) / skeleton.length_unit;
  const double chosen = guess_unit(joints, stated, "asf.unit", findings);
  return {chosen == stated ? kFile : kGuess, chosen};
}

// With a null `amc_text`, the skeleton alone.
Result<Model> parse(std::string_view asf_text, std::string_view asf_name,
                    const std::string_view* amc_text, std::string_view amc_name,
                    const AsfAmcOptions& options) {
  if (const Status status = check(options); !status) return status.error();
  Findings findings;
  Result<AsfSkeleton> skeleton = parse_asf(asf_text, findings);
  if (!skeleton) return within(asf_name, std::move(skeleton).error());
  MocapSkeleton joints = to_joints(*skeleton);
  const LengthSource unit = unit_of(joints, *skeleton, options, findings);
  joints.metres_per_unit = unit.metres_per_unit;
  joints.unit_from = unit.from;
  for (Finding& finding : findings) finding.file = asf_name;
  if (amc_text == nullptr) {
    Result<Model> model =
        build_mocap_model(joints, {}, options.end_sites, UpAxis::kY, asf_name, std::move(findings));
    if (!model) return within(asf_name, std::move(model).error());
    model->clips.clear();
    return model;
  }
  Findings motion_findings;
  Result<MocapMotion> motion =
      parse_amc(*amc_text, {*skeleton, joints, options.frame_rate}, motion_findings);
  if (!motion) return within(amc_name, std::move(motion).error());
  for (Finding& finding : motion_findings) {
    finding.file = amc_name;
    findings.push_back(std::move(finding));
  }
  Result<Model> model = build_mocap_model(joints, std::move(motion).value(), options.end_sites,
                                          UpAxis::kY, amc_name, std::move(findings));
  if (!model) return within(amc_name, std::move(model).error());
  return model;
}

// "a/02_01.amc": "02_01", then "02"; shorter at every '_' and '-'.
std::vector<std::string> stems_of(const std::string& path) {
  std::vector<std::string> out = {file_stem_of(path)};
  for (std::size_t cut; (cut = out.back().find_last_of("_-")) != std::string::npos && cut > 0;) {
    out.push_back(out.back().substr(0, cut));
  }
  return out;
}

Result<std::string> find_asf(const std::string& amc_path) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::path(amc_path).has_parent_path() ? fs::path(amc_path).parent_path() : fs::path(".");
  std::vector<fs::path> skeletons;
  std::error_code fault;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    if (!same_word(it->path().extension().string(), ".asf")) continue;
    skeletons.push_back(it->path().lexically_normal());  // "02.asf", not "./02.asf"
  }
  std::sort(skeletons.begin(), skeletons.end());
  for (const std::string& stem : stems_of(amc_path)) {
    for (const fs::path& path : skeletons) {
      if (path.stem().string() == stem) return path.string();
    }
  }
  if (skeletons.size() == 1) return skeletons.front().string();
  std::string tried;
  for (const std::string& stem : stems_of(amc_path))
    tried += (tried.empty() ? "'" : ", '") + stem + ".asf'";
  return make_error(ErrorCode::kNotFound, "no skeleton lies beside it: tried " + tried, amc_path);
}

}  // namespace

Result<Model> parse_asf_amc(std::string_view asf_text, std::string_view asf_name,
                            std::string_view amc_text, std::string_view amc_name,
                            const AsfAmcOptions& options) {
  for (const auto& [text, name] : {std::pair{asf_text, asf_name}, std::pair{amc_text, amc_name}}) {
    if (text.size() > byte_limit(options)) {
      return make_error(ErrorCode::kLimit, "the text is larger than the limit", std::string(name));
    }
  }
  return parse(asf_text, asf_name, &amc_text, amc_name, options);
}

Result<Model> load_asf_amc(const std::string& asf_path, const std::string& amc_path,
                           const AsfAmcOptions& options) {
  Result<std::string> asf = read_text_file(asf_path, byte_limit(options));
  if (!asf) return std::move(asf).error();
  Result<std::string> amc = read_text_file(amc_path, byte_limit(options));
  if (!amc) return std::move(amc).error();
  return parse_asf_amc(*asf, asf_path, *amc, amc_path, options);
}

Result<Model> load_amc(const std::string& amc_path, const AsfAmcOptions& options) {
  Result<std::string> amc = read_text_file(amc_path, byte_limit(options));
  if (!amc) return std::move(amc).error();
  Result<std::string> asf_path = find_asf(amc_path);
  if (!asf_path) return std::move(asf_path).error();
  Result<std::string> asf = read_text_file(*asf_path, byte_limit(options));
  if (!asf) return std::move(asf).error();
  return parse_asf_amc(*asf, *asf_path, *amc, amc_path, options);
}

Result<Model> load_asf(const std::string& asf_path, const AsfAmcOptions& options) {
  Result<std::string> asf = read_text_file(asf_path, byte_limit(options));
  if (!asf) return std::move(asf).error();
  return parse(*asf, asf_path, nullptr, {}, options);
}

}  // namespace sinew
