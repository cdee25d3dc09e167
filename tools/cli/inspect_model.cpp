#include <fmt/format.h>

#include <sinew/import/import.hpp>

#include "clip_facts.hpp"
#include "inspect_parts.hpp"

namespace sinew::cli {

namespace {

std::string vec_text(Vec3 v) {
  return fmt::format("{:7.3f} {:7.3f} {:7.3f}", d(v.x), d(v.y), d(v.z));
}

// Branches drawn before the names; roots stand at the margin.
std::vector<std::string> tree_names(const Skeleton& skeleton) {
  const int count = skeleton.joint_count();
  std::vector<int> last_child(static_cast<std::size_t>(count), -1);
  for (int j = 0; j < count; ++j) {
    if (skeleton.parent(j) != kNoJoint)
      last_child[static_cast<std::size_t>(skeleton.parent(j))] = j;
  }
  std::vector<std::string> stems(static_cast<std::size_t>(count)),
      out(static_cast<std::size_t>(count));
  for (int j = 0; j < count; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const int parent = skeleton.parent(j);
    const std::string name = skeleton.name(j).empty() ? "(unnamed)" : skeleton.name(j);
    if (parent == kNoJoint) {
      out[i] = name;
      continue;
    }
    const auto p = static_cast<std::size_t>(parent);
    const bool last = last_child[p] == j;
    out[i] = stems[p] + (last ? "└ " : "├ ") + name;
    stems[i] = stems[p] + (last ? "  " : "│ ");
  }
  return out;
}

// Joints in the order of a walk through the tree, so that the branches join.
void walk(const Skeleton& skeleton, const std::vector<std::vector<int>>& children, int joint,
          std::vector<int>& order) {
  order.push_back(joint);
  for (int child : children[static_cast<std::size_t>(joint)])
    walk(skeleton, children, child, order);
}

void skeleton_table(Session& session, const Model& model, Json& out) {
  const Skeleton& skeleton = model.skeleton;
  std::vector<std::vector<int>> children(static_cast<std::size_t>(skeleton.joint_count()));
  std::vector<int> order;
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.parent(j) != kNoJoint)
      children[static_cast<std::size_t>(skeleton.parent(j))].push_back(j);
  }
  for (int j = 0; j < skeleton.joint_count(); ++j) {
    if (skeleton.parent(j) == kNoJoint) walk(skeleton, children, j, order);
  }
  const std::vector<std::string> names = tree_names(skeleton);
  Table table;
  table.column("joint");
  table.column("#", Table::Align::kRight);
  table.column("role");
  table.column("rest position (local, m)");
  Json& joints = out["joints"] = Json::array();
  for (int j : order) {
    const JointRole role = model.roles.role(j);
    const Vec3 p = skeleton.rest(j).translation;
    table.row({names[static_cast<std::size_t>(j)], std::to_string(j),
               role == JointRole::kNone ? "" : std::string(to_string(role)), vec_text(p)});
    joints.push_back({{"index", j},
                      {"name", skeleton.name(j)},
                      {"parent", skeleton.parent(j)},
                      {"role", role == JointRole::kNone ? "" : to_string(role)},
                      {"translation", {p.x, p.y, p.z}}});
  }
  std::string missing;
  Json& absent = out["missing_roles"] = Json::array();
  for (const JointRole role : missing_roles(model.roles)) {
    missing.append(missing.empty() ? "  without: " : ", ").append(to_string(role));
    absent.push_back(to_string(role));
  }
  out["body"] = to_string(model.roles.plan);
  session.print(fmt::format(
      "\nskeleton: {} joints, {:.2f} m high, {}, {} roles\n{}{}{}", skeleton.joint_count(),
      d(skeleton.height()),
      model.roles.plan == BodyPlan::kUnknown ? "no known body" : to_string(model.roles.plan),
      model.roles.count(), missing, missing.empty() ? "" : "\n", table.text(2)));
}

void clip_table(Session& session, const Model& model, Json& out) {
  Table table;
  table.column("clip");
  table.column("seconds", Table::Align::kRight);
  table.column("joints", Table::Align::kRight);
  table.column("keys", Table::Align::kRight);
  table.column("keys are");
  table.column("curves", Table::Align::kRight);
  table.column("events", Table::Align::kRight);
  table.column("travels (m)");
  table.column("feet (m/s)", Table::Align::kRight);
  Json& clips = out["clips"] = Json::array();
  for (const RawClip& clip : model.clips) {
    const ClipFacts facts = facts_of(clip, model);
    const double feet = d(length(facts.feet));
    const bool travels = length(facts.travel) > 0.001f;
    table.row({clip.name, fmt::format("{:.3f}", d(clip.duration)),
               std::to_string(clip.tracks.size()), std::to_string(facts.keys),
               interpolation_text(facts), std::to_string(clip.curves.size()),
               std::to_string(clip.annotations.events.size()),
               travels ? vec_text(facts.travel) : "in place",
               feet > 0.005 ? fmt::format("{:.2f}", feet) : ""});
    clips.push_back({{"name", clip.name},
                     {"seconds", clip.duration},
                     {"loop", clip.loop},
                     {"joints", clip.tracks.size()},
                     {"keys", facts.keys},
                     {"interpolation", interpolation_text(facts)},
                     {"curves", clip.curves.size()},
                     {"events", clip.annotations.events.size()},
                     {"travel", {facts.travel.x, facts.travel.y, facts.travel.z}},
                     {"feet_velocity", {facts.feet.x, facts.feet.y, facts.feet.z}},
                     {"planted", facts.planted}});
  }
  session.print(fmt::format("\nclips: {}\n{}", model.clips.size(), table.text(2)));
}

void skin_table(Session& session, const Model& model, Json& out) {
  Table table;
  table.column("skin");
  table.column("joints", Table::Align::kRight);
  Json& skins = out["skins"] = Json::array();
  for (const Skin& skin : model.skins) {
    table.row({skin.name.empty() ? "(unnamed)" : skin.name, std::to_string(skin.joints.size())});
    skins.push_back({{"name", skin.name}, {"joints", skin.joints.size()}});
  }
  session.print(
      fmt::format("\nskins: {}\n{}", model.skins.size(), table.empty() ? "" : table.text(2)));
}

void mesh_table(Session& session, const Model& model, Json& out) {
  Table table;
  table.column("mesh");
  table.column("vertices", Table::Align::kRight);
  table.column("triangles", Table::Align::kRight);
  table.column("bound to");
  table.column("material");
  table.column("morphs", Table::Align::kRight);
  Json& meshes = out["meshes"] = Json::array();
  for (const Mesh& mesh : model.meshes) {
    const std::string bound = mesh.skin >= 0           ? fmt::format("skin {}", mesh.skin)
                              : mesh.joint != kNoJoint ? "joint " + model.skeleton.name(mesh.joint)
                                                       : "-";
    const std::string material =
        mesh.material >= 0 && static_cast<std::size_t>(mesh.material) < model.materials.size()
            ? model.materials[static_cast<std::size_t>(mesh.material)].name
            : "-";
    table.row({mesh.name, std::to_string(mesh.positions.size()),
               std::to_string(mesh.indices.size() / 3), bound, material,
               std::to_string(mesh.morphs.size())});
    meshes.push_back({{"name", mesh.name},
                      {"vertices", mesh.positions.size()},
                      {"triangles", mesh.indices.size() / 3},
                      {"bound", bound},
                      {"material", material},
                      {"morphs", mesh.morphs.size()}});
  }
  session.print(fmt::format("\nmeshes: {}, images: {}\n{}", model.meshes.size(),
                            model.images.size(), table.empty() ? "" : table.text(2)));
}

void finding_table(Session& session, const Model& model) {
  if (model.findings.empty()) {
    session.print("\nfindings: none\n");
    return;
  }
  Table table;
  table.column("finding");
  table.column("place");
  table.column("");
  for (const Finding& finding : model.findings) {
    table.row({std::string(to_string(finding.severity)), finding.place, finding.message});
  }
  session.print(fmt::format("\nfindings: {}\n{}", model.findings.size(), table.text(2)));
}

}  // namespace

void inspect_model(Session& session, const std::string& file, const InspectOptions& options,
                   Json& out) {
  Result<Model> model = import_model(file);
  if (!model) return session.fail(model.error());
  session.print(fmt::format("{}  {} joints, {} clips, {} skins, {} meshes\n",
                            styled(file, Style::kBold, 1), model->skeleton.joint_count(),
                            model->clips.size(), model->skins.size(), model->meshes.size()));
  if (options.shows("skeleton")) skeleton_table(session, *model, out);
  if (options.shows("clips")) clip_table(session, *model, out);
  if (options.shows("skins")) skin_table(session, *model, out);
  if (options.shows("meshes")) mesh_table(session, *model, out);
  if (options.shows("findings")) finding_table(session, *model);
  // With --json they are in the envelope; as text they are the table above.
  if (session.json) {
    for (Finding finding : model->findings) {
      if (finding.file.empty()) finding.file = file;
      session.find(std::move(finding));
    }
  }
}

}  // namespace sinew::cli
