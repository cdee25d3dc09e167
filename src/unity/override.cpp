#include <algorithm>

#include <sinew/base/text.hpp>
#include <sinew/unity/controller.hpp>

#include "controller_reader.hpp"

namespace sinew::unity {

namespace fs = std::filesystem;

namespace {

bool is_override(int class_id) { return class_id == kOverrideController; }

// Every name of a motion in a source.
template <class Visit>
void visit_motions(MotionNodeSource& node, Visit visit) {
  if (node.kind == MotionNodeSource::Kind::kMotion) visit(node.motion);
  for (TreeChildSource& child : node.children) visit_motions(child.node, visit);
}

template <class Visit>
void visit_motions(MachineSource& machine, Visit visit) {
  for (StateSource& state : machine.states) visit_motions(state.motion, visit);
  for (MachineSource& child : machine.machines) visit_motions(child, visit);
}

// Drops what no state plays any longer.
void drop_unused(Controller& controller) {
  std::set<std::string> used;
  const auto note = [&](std::string& name) { used.insert(name); };
  for (LayerSource& layer : controller.source.layers) {
    visit_motions(layer.root, note);
    for (SyncedMotionSource& synced : layer.synced_motions) visit_motions(synced.motion, note);
  }
  std::erase_if(controller.motions, [&](const NamedAsset& m) { return !used.contains(m.name); });
  std::erase_if(controller.source.motions,
                [&](const MotionSource& m) { return !used.contains(m.name); });
}

struct Loader {
  const LoadOptions& options;
  AssetMap assets;
  Findings findings;

  Result<Controller> load(const fs::path& file, int depth) {
    if (depth > 16) {
      return make_error(ErrorCode::kLimit, "override controllers lead to each other without end",
                        file.string());
    }
    const Result<std::string> text = read_file(file);
    if (!text) return text.error();
    const ReadOptions read{&assets, true};
    if (file.extension() != ".overrideController") {
      return read_controller(*text, file.string(), read);
    }
    Result<Override> changes = read_override(*text, file.string());
    if (!changes) return changes.error();
    const AssetInfo* base = assets.find(changes->controller);
    if (base == nullptr || base->file.empty()) {
      return make_error(
          ErrorCode::kNotFound,
          "the controller that it changes, '" + changes->controller.guid + "', is in no .meta file",
          file.string());
    }
    Result<Controller> controller = load(base->file, depth + 1);
    if (!controller) return controller;
    apply_override(*controller, *changes, read);
    if (!changes->name.empty()) controller->source.name = changes->name;
    return controller;
  }
};

}  // namespace

Result<Override> read_override(std::string_view text, const std::string& file) {
  Result<std::vector<Document>> documents = parse_documents(text, file, is_override);
  if (!documents) return documents.error();
  for (const Document& document : *documents) {
    if (document.class_id != kOverrideController) continue;
    const Node& body = document.body;
    Override out;
    out.name = text_or(body, "m_Name");
    out.controller = reference_of(body.find("m_Controller"));
    for (const Node& item : elements(body, "m_Clips")) {
      Override::Entry entry;
      entry.line = item.line;
      entry.original = reference_of(item.find("m_OriginalClip"));
      entry.replacement = reference_of(item.find("m_OverrideClip"));
      if (entry.original.null()) {
        out.findings.push_back({Severity::kWarning,
                                "unity.override",
                                "an entry's original clip is null; it is left out",
                                line_place(item.line),
                                {},
                                file});
        continue;
      }
      out.entries.push_back(std::move(entry));
    }
    if (out.controller.null()) {
      out.findings.push_back({Severity::kWarning,
                              "unity.override",
                              "the controller that it changes is null",
                              line_place(document.line),
                              {},
                              file});
    }
    return out;
  }
  return make_error(ErrorCode::kMismatch, "holds no override controller (a document '!u!221')",
                    file);
}

void apply_override(Controller& controller, const Override& changes, const ReadOptions& options) {
  controller.findings.insert(controller.findings.end(), changes.findings.begin(),
                             changes.findings.end());
  AssetNames names(controller, options);
  names.take_known();
  std::map<std::string, std::string> renamed;
  const std::vector<NamedAsset> before = controller.motions;
  for (const Override::Entry& entry : changes.entries) {
    if (entry.replacement.null()) continue;
    const auto original = std::find_if(before.begin(), before.end(), [&](const NamedAsset& motion) {
      return motion.ref == entry.original;
    });
    const std::string place = line_place(entry.line) + ": override '" + changes.name + "'";
    if (original == before.end()) {
      controller.findings.push_back({Severity::kInfo,
                                     "unity.override",
                                     "the controller does not use '" + key_of(entry.original) + "'",
                                     place,
                                     {},
                                     {}});
      continue;
    }
    renamed[original->name] = names.motion(entry.replacement, place);
  }
  const auto rename = [&](std::string& name) {
    if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
  };
  for (LayerSource& layer : controller.source.layers) {
    visit_motions(layer.root, rename);
    for (SyncedMotionSource& synced : layer.synced_motions) visit_motions(synced.motion, rename);
  }
  if (!renamed.empty()) drop_unused(controller);
}

Result<Controller> load_controller(const fs::path& file, const LoadOptions& options) {
  Loader loader{options, {}, {}};
  if (options.assets != nullptr) loader.assets = *options.assets;
  std::error_code error;
  if (options.scan && fs::is_regular_file(file, error)) {
    if (Status s = loader.assets.scan_folder(asset_folder(file), &loader.findings); !s) {
      return s.error();
    }
  }
  fs::path map = options.motion_map;
  if (map.empty()) {
    fs::path beside = file;
    beside.replace_extension(".motions.json");
    if (fs::is_regular_file(beside, error)) map = beside;
  }
  if (!map.empty()) {
    if (Status s = loader.assets.load_json(map); !s) return s.error();
  }
  Result<Controller> controller = loader.load(file, 0);
  if (!controller) return controller;
  for (Finding& finding : loader.findings) controller->findings.push_back(std::move(finding));
  for (Finding& finding : controller->findings) {
    if (finding.file.empty()) finding.file = file.string();
  }
  return controller;
}

}  // namespace sinew::unity
