#include "fbx_scene.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <sinew/base/text.hpp>

#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::size_t kMaxObjects = 2'000'000;

// Frames a second of FBX's numbered time modes.
double rate_of_mode(std::int64_t mode) {
  constexpr std::array<double, 19> kRates = {30, 120, 100,  60,     50, 48, 30, 30,    29.97, 29.97,
                                             25, 24,  1000, 23.976, 0,  96, 72, 59.94, 119.88};
  return mode >= 0 && mode < static_cast<std::int64_t>(kRates.size())
             ? kRates[static_cast<std::size_t>(mode)]
             : 30;
}

// Sorts by one end of the links, keeping the file's order, and notes where each object's begin.
void index_links(std::vector<FbxLink>& links, std::vector<std::size_t>& first, std::size_t objects,
                 int FbxLink::* end) {
  first.assign(objects + 1, 0);
  for (const FbxLink& link : links) ++first[static_cast<std::size_t>(link.*end) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<FbxLink> sorted(links.size());
  std::vector<std::size_t> next(first.begin(), first.end());
  for (const FbxLink& link : links) sorted[next[static_cast<std::size_t>(link.*end)]++] = link;
  links = std::move(sorted);
}

}  // namespace

std::span<const FbxLink> FbxScene::by_parent(int object) const {
  const std::size_t i = static_cast<std::size_t>(object);
  return std::span(by_parent_)
      .subspan(first_of_parent_[i], first_of_parent_[i + 1] - first_of_parent_[i]);
}

std::span<const FbxLink> FbxScene::by_child(int object) const {
  const std::size_t i = static_cast<std::size_t>(object);
  return std::span(by_child_).subspan(first_of_child_[i],
                                      first_of_child_[i + 1] - first_of_child_[i]);
}

int FbxScene::child_of_kind(int object, std::string_view kind, std::string_view subtype) const {
  for (const FbxLink& link : by_parent(object)) {
    const FbxObject& child = this->object(link.child);
    if (child.kind == kind && (subtype.empty() || child.subtype == subtype)) return link.child;
  }
  return -1;
}

int FbxScene::find(std::string_view id_text) const {
  const auto found = by_text_.find(id_text);
  return found == by_text_.end() ? -1 : found->second;
}

Status FbxScene::read_objects() {
  const FbxDocument& d = *document_;
  for (int node = d.first_child(d.child(0, "Objects")); node != FbxDocument::kNone;
       node = d.next(node)) {
    if (objects_.size() >= kMaxObjects) {
      return make_error(ErrorCode::kLimit, "more than 2000000 objects", d.place(node));
    }
    FbxObject object;
    object.node = node;
    object.kind = d.name(node);
    const int index = static_cast<int>(objects_.size());
    // Version 7: id, name, subtype; before: name, subtype.
    const FbxValue first = d.value(node, 0);
    const std::size_t at = first.kind == FbxValue::Kind::kInteger ? 1 : 0;
    const std::string_view name = d.text(node, at);
    object.name = fbx_object_name(name);
    object.subtype = d.text(node, at + 1);
    if (at == 1) {
      by_id_.emplace(first.integer, index);
    } else if (!name.empty()) {
      by_text_.emplace(name, index);
    }
    objects_.push_back(std::move(object));
  }
  return {};
}

Status FbxScene::read_links() {
  const FbxDocument& d = *document_;
  const auto end = [&](const FbxValue& v) {
    if (v.kind == FbxValue::Kind::kInteger) {
      const auto found = by_id_.find(v.integer);
      return found == by_id_.end() ? -1 : found->second;
    }
    return v.kind == FbxValue::Kind::kText ? find(v.text) : -1;
  };
  for (int node = d.first_child(d.child(0, "Connections")); node != FbxDocument::kNone;
       node = d.next(node)) {
    const std::vector<FbxValue> values = d.values(node);
    if (values.size() < 3 || values[0].kind != FbxValue::Kind::kText || values[0].text.size() != 2)
      continue;
    FbxLink link{end(values[1]), end(values[2]), {}};
    if (values.size() > 3 && values[3].kind == FbxValue::Kind::kText)
      link.property = values[3].text;
    // Ends that are not in the file (the scene itself is one) connect nothing.
    if (link.child >= 0 && link.parent >= 0) by_parent_.push_back(link);
  }
  by_child_ = by_parent_;
  index_links(by_parent_, first_of_parent_, objects_.size(), &FbxLink::parent);
  index_links(by_child_, first_of_child_, objects_.size(), &FbxLink::child);
  return {};
}

int FbxScene::find_property(int node, std::string_view name) const {
  const FbxDocument& d = *document_;
  for (const char* name_of_list : {"Properties70", "Properties60"}) {
    const int list = d.child(node, name_of_list);
    if (list == FbxDocument::kNone) continue;
    for (int p = d.first_child(list); p != FbxDocument::kNone; p = d.next(p)) {
      if (d.text(p, 0) == name) return p;
    }
  }
  return FbxDocument::kNone;
}

namespace {

// Name, type, a label in version 7 only, flags; then the values.
std::size_t values_begin(const FbxDocument& d, int property) {
  return d.name(property) == "P" ? 4 : 3;
}

}  // namespace

Double3 FbxScene::property(int object, std::string_view name, const Double3& otherwise) const {
  const int p = find_property(this->object(object).node, name);
  if (p == FbxDocument::kNone) return otherwise;
  const std::size_t at = values_begin(*document_, p);
  return {document_->number(p, at, otherwise.x), document_->number(p, at + 1, otherwise.y),
          document_->number(p, at + 2, otherwise.z)};
}

double FbxScene::property(int object, std::string_view name, double otherwise) const {
  const int p = find_property(this->object(object).node, name);
  return p == FbxDocument::kNone ? otherwise
                                 : document_->number(p, values_begin(*document_, p), otherwise);
}

bool FbxScene::has_property(int object, std::string_view name) const {
  return find_property(this->object(object).node, name) != FbxDocument::kNone;
}

void FbxScene::read_settings(Findings& findings) {
  const FbxDocument& d = *document_;
  int settings = d.child(0, "GlobalSettings");
  if (settings == FbxDocument::kNone) settings = d.child(d.child(0, "Objects"), "GlobalSettings");
  const auto setting = [&](std::string_view name, double otherwise) {
    const int p =
        settings == FbxDocument::kNone ? FbxDocument::kNone : find_property(settings, name);
    return p == FbxDocument::kNone ? otherwise : d.number(p, values_begin(d, p), otherwise);
  };
  const double centimetres = setting("UnitScaleFactor", 1);
  if (centimetres >= 1e-6 && centimetres <= 1e9) metres_per_unit_ = centimetres * 0.01;
  const std::int64_t mode =
      static_cast<std::int64_t>(std::clamp(setting("TimeMode", 0), 0.0, 100.0));
  frame_rate_ = mode == 14 ? setting("CustomFrameRate", 30) : rate_of_mode(mode);
  if (!(frame_rate_ >= 1 && frame_rate_ <= 1000)) frame_rate_ = 30;
  if (d.version() >= 8000) ticks_ = 141120000.0;

  // Row i of the map: which axis of the file becomes our axis i, and its sign.
  const std::array<double, 3> axis = {setting("CoordAxis", 0), setting("UpAxis", 1),
                                      setting("FrontAxis", 2)};
  const std::array<double, 3> sign = {setting("CoordAxisSign", 1), setting("UpAxisSign", 1),
                                      setting("FrontAxisSign", 1)};
  Affine64 map;
  int used = 0;
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const int column = axis[k] >= 0 && axis[k] < 3 ? static_cast<int>(axis[k]) : i;
    used |= 1 << column;
    for (int c = 0; c < 3; ++c) map.m[i][c] = c == column ? (sign[k] < 0 ? -1 : 1) : 0;
  }
  if (used != 7) {
    findings.push_back({Severity::kWarning,
                        "fbx.axes",
                        "the file names one axis twice: Y is taken as up",
                        "GlobalSettings",
                        {},
                        {}});
    return;
  }
  if (determinant(map) < 0) {
    // Files of version 6 leave out signs; a map that mirrors is never meant.
    for (double& v : map.m[2]) v = -v;
  }
  to_y_up_ = decompose(map).rotation;
}

Result<FbxScene> FbxScene::build(const FbxDocument& document, Findings& findings) {
  FbxScene out;
  out.document_ = &document;
  if (const Status status = out.read_objects(); !status) return status.error();
  if (const Status status = out.read_links(); !status) return status.error();
  out.read_settings(findings);
  return out;
}

// ---------------------------------------------------------------------------------------- models

Quat64 euler_rotation(const Double3& degrees, const std::array<int, 3>& order) {
  Quat64 q;
  for (const int axis : order) q = axis_rotation(axis, degrees[axis]) * q;
  return q;
}

namespace {

FbxModel read_model(const FbxScene& scene, int index) {
  constexpr std::array<std::array<int, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}};
  const FbxObject& object = scene.object(index);
  FbxModel out;
  out.object = index;
  out.name = object.name;
  out.is_bone =
      object.subtype == "LimbNode" || object.subtype == "Limb" || object.subtype == "Root";
  out.is_mesh = object.subtype == "Mesh";
  out.translation = scene.property(index, "Lcl Translation", Double3{});
  out.rotation = scene.property(index, "Lcl Rotation", Double3{});
  out.scale = scene.property(index, "Lcl Scaling", Double3{1, 1, 1});
  // Without RotationActive the program that wrote the file ignored these three.
  if (scene.property(index, "RotationActive", 0.0) != 0) {
    out.before = euler_rotation(scene.property(index, "PreRotation", Double3{}), kOrders[0]);
    out.after =
        conjugate(euler_rotation(scene.property(index, "PostRotation", Double3{}), kOrders[0]));
    const double order = scene.property(index, "RotationOrder", 0.0);
    if (order >= 0 && order < 6) out.order = kOrders[static_cast<std::size_t>(order)];
  }
  out.rotation_offset = scene.property(index, "RotationOffset", Double3{});
  out.rotation_pivot = scene.property(index, "RotationPivot", Double3{});
  out.scaling_offset = scene.property(index, "ScalingOffset", Double3{});
  out.scaling_pivot = scene.property(index, "ScalingPivot", Double3{});
  const double inherit = scene.property(index, "InheritType", 1.0);
  out.inherit = inherit == 0   ? FbxInherit::kScaleAfter
                : inherit == 2 ? FbxInherit::kCompensated
                               : FbxInherit::kPlain;
  return out;
}

}  // namespace

std::vector<FbxModel> read_models(const FbxScene& scene) {
  const std::vector<FbxObject>& objects = scene.objects();
  std::vector<int> parent_of(objects.size(), -1);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (const FbxLink& link : scene.parents(static_cast<int>(i))) {
      const bool is_parent = link.property.empty() && link.parent != link.child &&
                             scene.object(link.parent).kind == "Model";
      if (is_parent && parent_of[i] < 0) parent_of[i] = link.parent;
    }
  }
  std::vector<FbxModel> out;
  std::vector<int> open;
  const auto open_children = [&](int object) {
    const std::span<const FbxLink> links = scene.children(object);
    for (std::size_t i = links.size(); i-- > 0;) {
      const int child = links[i].child;
      if (links[i].property.empty() && scene.object(child).kind == "Model" &&
          parent_of[static_cast<std::size_t>(child)] == object) {
        open.push_back(child);
      }
    }
  };
  std::vector<int> place(objects.size(), -1);
  for (int root = 0; root < static_cast<int>(objects.size()); ++root) {
    if (objects[static_cast<std::size_t>(root)].kind != "Model" ||
        parent_of[static_cast<std::size_t>(root)] >= 0)
      continue;
    open = {root};
    while (!open.empty()) {
      const int object = open.back();
      open.pop_back();
      if (place[static_cast<std::size_t>(object)] >= 0) continue;
      place[static_cast<std::size_t>(object)] = static_cast<int>(out.size());
      out.push_back(read_model(scene, object));
      const int parent = parent_of[static_cast<std::size_t>(object)];
      out.back().parent = parent < 0 ? -1 : place[static_cast<std::size_t>(parent)];
      open_children(object);
    }
  }
  return out;
}

Transform64 local_transform(const FbxModel& model, const Double3& translation,
                            const Double3& rotation, const Double3& scale) {
  Transform64 out;
  out.rotation = model.before * euler_rotation(rotation, model.order) * model.after;
  out.scale = scale;
  // What the factors behind R do to the origin: Rp^-1 Soff Sp S Sp^-1.
  const Double3& sp = model.scaling_pivot;
  const Double3 scaled = {sp.x - scale.x * sp.x, sp.y - scale.y * sp.y, sp.z - scale.z * sp.z};
  const Double3 inner = scaled + model.scaling_offset - model.rotation_pivot;
  out.translation =
      translation + model.rotation_offset + model.rotation_pivot + rotate(out.rotation, inner);
  return out;
}

Transform64 with_inheritance(const FbxModel& model, Transform64 local, const Double3& parent_scale,
                             const Double3& own_parent_scale, Double3& reaching) {
  const auto is_uniform = [](const Double3& s) {
    const double most = std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)});
    return std::abs(s.x - s.y) <= 1e-9 * most && std::abs(s.x - s.z) <= 1e-9 * most;
  };
  const auto divide = [](double a, double b) { return std::abs(b) > 1e-12 ? a / b : a; };
  // The scale that acts behind the child's rotation, in place of the parent's before it.
  Double3 acting = parent_scale;
  if (model.inherit == FbxInherit::kCompensated) {
    for (int i = 0; i < 3; ++i) acting[i] = divide(parent_scale[i], own_parent_scale[i]);
  }
  const Double3 own = local.scale;
  for (int i = 0; i < 3; ++i)
    reaching[i] = (model.inherit == FbxInherit::kPlain ? parent_scale : acting)[i] * own[i];
  if (model.inherit == FbxInherit::kPlain) return local;
  if (is_uniform(parent_scale)) {
    for (int i = 0; i < 3; ++i) local.scale[i] = divide(acting[i], parent_scale[i]) * own[i];
    return local;
  }
  // Parent^-1 R acting S: its shear cannot be kept.
  Affine64 undo;
  for (int i = 0; i < 3; ++i) undo.m[i][i] = divide(1, parent_scale[i]);
  Transform64 inner{{}, local.rotation, {}};
  for (int i = 0; i < 3; ++i) inner.scale[i] = acting[i] * own[i];
  const Double3 translation = local.translation;
  local = decompose(undo * to_affine(inner));
  local.translation = translation;
  return local;
}

}  // namespace sinew
