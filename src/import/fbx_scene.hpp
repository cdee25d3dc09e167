// The objects of an FBX file, what is connected to what, the nodes and their local transforms.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <sinew/base/finding.hpp>
#include <sinew/base/result.hpp>

#include "double_math.hpp"
#include "fbx_document.hpp"

namespace sinew {

struct FbxObject {
  int node = FbxDocument::kNone;  // in the document
  std::string_view kind;          // "Model", "Geometry", "Deformer", ...
  std::string_view subtype;       // "LimbNode", "Mesh", "Cluster", ...
  std::string name;
};

// `child` belongs to `parent`: as a whole, or to one of its properties.
struct FbxLink {
  int child = -1;  // into objects
  int parent = -1;
  std::string_view property;
};

class FbxScene {
 public:
  static Result<FbxScene> build(const FbxDocument& document, Findings& findings);

  const FbxDocument& document() const { return *document_; }
  const std::vector<FbxObject>& objects() const { return objects_; }
  const FbxObject& object(int i) const { return objects_[static_cast<std::size_t>(i)]; }
  // In the file's order.
  std::span<const FbxLink> children(int object) const { return by_parent(object); }
  std::span<const FbxLink> parents(int object) const { return by_child(object); }
  // The first object of that kind (and subtype, if not empty) among the children, or -1.
  int child_of_kind(int object, std::string_view kind, std::string_view subtype = {}) const;
  int find(std::string_view id_text) const;  // version 6: by the full name

  // A property of an object, or the given value.
  Double3 property(int object, std::string_view name, const Double3& otherwise) const;
  double property(int object, std::string_view name, double otherwise) const;
  bool has_property(int object, std::string_view name) const;

  // Global settings.
  double metres_per_unit() const { return metres_per_unit_; }
  double frame_rate() const { return frame_rate_; }
  const Quat64& to_y_up() const { return to_y_up_; }
  // Ticks of the file's times per second.
  double ticks() const { return ticks_; }

 private:
  std::span<const FbxLink> by_parent(int object) const;
  std::span<const FbxLink> by_child(int object) const;
  Status read_objects();
  Status read_links();
  void read_settings(Findings& findings);
  int find_property(int node, std::string_view name) const;

  const FbxDocument* document_ = nullptr;
  std::vector<FbxObject> objects_;
  std::unordered_map<std::int64_t, int> by_id_;
  std::unordered_map<std::string_view, int> by_text_;
  std::vector<FbxLink> by_parent_, by_child_;  // sorted, stable
  std::vector<std::size_t> first_of_parent_, first_of_child_;
  double metres_per_unit_ = 0.01, frame_rate_ = 30, ticks_ = 46186158000.0;
  Quat64 to_y_up_;
};

// How a child takes part in its parent's scale.
enum class FbxInherit : std::uint8_t {
  kScaleAfter,   // RrSs: the parent's scale acts along the child's turned axes
  kPlain,        // RSrs: ordinary product of matrices
  kCompensated,  // Rrs: without the parent's own scale
};

enum class FbxTarget : std::uint8_t { kTranslation, kRotation, kScale };

// A node ("Model") of the scene with everything that makes its local transform:
//   T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1
// Source: the transformation formula of the FBX SDK's documentation.
struct FbxModel {
  int object = -1;
  int parent = -1;  // an earlier model
  std::string name;
  bool is_bone = false;  // LimbNode, Limb or Root
  bool is_mesh = false;
  Double3 translation, rotation, scale{1, 1, 1};  // rotation: degrees about X, Y, Z
  Quat64 before, after;                           // Rpre, Rpost^-1
  std::array<int, 3> order = {0, 1, 2};           // the axis that turns first comes first
  Double3 rotation_offset, rotation_pivot, scaling_offset, scaling_pivot;
  FbxInherit inherit = FbxInherit::kPlain;

  const Double3& rest(FbxTarget target) const {
    return target == FbxTarget::kTranslation ? translation
           : target == FbxTarget::kRotation  ? rotation
                                             : scale;
  }
};

// Parents before children; models that hang in a circle are left out.
std::vector<FbxModel> read_models(const FbxScene& scene);

// Degrees in the given order of turning.
Quat64 euler_rotation(const Double3& degrees, const std::array<int, 3>& order);
// The local transform for given values of its three animated parts (inheritance of scale aside).
Transform64 local_transform(const FbxModel& model, const Double3& translation,
                            const Double3& rotation, const Double3& scale);
// Applies the inheritance: `parent_scale` is the product of scales that reaches the parent
// (space of the parent), `own_parent_scale` that of the parent alone. Returns the transform that an
// ordinary product needs and sets `reaching` to the product for the children.
Transform64 with_inheritance(const FbxModel& model, Transform64 local, const Double3& parent_scale,
                             const Double3& own_parent_scale, Double3& reaching);

}  // namespace sinew
