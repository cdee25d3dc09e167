#include "gltf/vrm.hpp"

#include <string>
#include <string_view>

namespace sinew::gltf {
namespace {

// "leftUpperArm" -> "left_upper_arm".
std::string to_role_name(std::string_view bone) {
  std::string out;
  for (const char c : bone) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper) out.push_back('_');
    out.push_back(upper ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return out;
}

// VRM 0.x counts the joints of a thumb from one further out.
std::string old_thumb_name(std::string name) {
  const std::size_t at = name.find("_thumb_");
  if (at == std::string::npos) return name;
  const std::string side = name.substr(0, at);
  if (name.ends_with("_proximal")) return side + "_thumb_metacarpal";
  if (name.ends_with("_intermediate")) return side + "_thumb_proximal";
  return name;
}

class VrmReader {
 public:
  VrmReader(Document& document, const Rig& rig) : document_(document), rig_(rig) {}

  // False where the file is no VRM.
  bool read(RoleMap& roles) {
    const Json* extensions = object_of(document_.root(), "extensions", document_.place());
    if (extensions == nullptr) return false;
    const Place one{&document_.place(), "VRMC_vrm", -1, {}};
    const Place old{&document_.place(), "VRM", -1, {}};
    if (const Json* vrm = object_of(*extensions, "VRMC_vrm", document_.place())) {
      const Json* humanoid = object_of(*vrm, "humanoid", one);
      const Json* bones = humanoid == nullptr ? nullptr : object_of(*humanoid, "humanBones", one);
      if (bones == nullptr) return false;
      for (const auto& [bone, value] : bones->items()) {
        set(to_role_name(bone), value, Place{&one, "humanBones", -1, bone}, roles);
      }
      return true;
    }
    if (const Json* vrm = object_of(*extensions, "VRM", document_.place())) {
      const Json* humanoid = object_of(*vrm, "humanoid", old);
      if (humanoid == nullptr) return false;
      for (const Json& value : array_of(*humanoid, "humanBones", old)) {
        require_object(value, old);
        const std::string bone = string_of(value, "bone", old);
        set(old_thumb_name(to_role_name(bone)), value, Place{&old, "humanBones", -1, bone}, roles);
      }
      return true;
    }
    return false;
  }

 private:
  void set(const std::string& name, const Json& value, const Place& place, RoleMap& roles) {
    require_object(value, place);
    const int node = index_of(value, "node", rig_.joint_of_node.size(), place);
    const auto role = joint_role_from_string(name);
    if (node < 0 || !role || *role == JointRole::kNone) return;
    const int joint = rig_.joint_of_node[static_cast<std::size_t>(node)];
    if (joint != kNoJoint) roles.set(*role, joint);
  }

  Document& document_;
  const Rig& rig_;
};

}  // namespace

RoleMap read_roles(Document& document, const Rig& rig) {
  RoleMap roles;
  if (!VrmReader(document, rig).read(roles) || roles.count() == 0) {
    return find_roles(rig.skeleton);
  }
  roles.plan = BodyPlan::kBiped;
  return roles;
}

}  // namespace sinew::gltf
