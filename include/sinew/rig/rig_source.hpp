// A rig as an author writes it: names, not indices. Compiled by RigDef::compile().
#pragma once

#include <string>
#include <vector>

#include <sinew/rig/constraint.hpp>

namespace sinew {

// A node outside the skeleton: a target, hint or helper.
struct RigNodeSource {
  enum class Space {
    kModel,  // relative to the character's root: it moves along
    kWorld,  // relative to the world: it stays while the character moves
  };
  std::string name;
  std::string parent;           // a joint, "@role" or another node of the rig; empty: none
  Space space = Space::kWorld;  // only for nodes without a parent
  // Relative to the parent; the bind pose, and the value until the host or a clip sets another.
  // In the bind pose the character's root is the world's origin.
  Transform bind;
};

struct RigConstraintSource {
  std::string name;     // unique in the rig: channels are called after it
  float weight = 1;     // [0, 1]
  bool compat = false;  // behave as the well-known package does, its faults included
  rig::ConstraintBox constraint;
};

struct RigLayerSource {
  std::string name;
  float weight = 1;
  bool active = true;
  std::vector<RigConstraintSource> constraints;  // run in this order

  // Appends a constraint: layer.add("left_arm", TwoBoneIk{.root = "UpperArm.L", ...}).
  RigConstraintSource& add(std::string constraint_name, rig::ConstraintBox constraint,
                           float constraint_weight = 1) {
    constraints.push_back(
        {std::move(constraint_name), constraint_weight, false, std::move(constraint)});
    return constraints.back();
  }
};

// A parameter that drives a channel: channel = parameter * scale + offset.
struct RigDriveSource {
  std::string parameter;  // name of a parameter of the controller or of the host
  std::string channel;    // "left_arm.weight"
  float scale = 1;
  float offset = 0;
};

struct RigSource {
  std::string name;
  std::vector<RigNodeSource> nodes;
  std::vector<RigLayerSource> layers;  // run in this order
  std::vector<RigDriveSource> drives;

  RigLayerSource& add_layer(std::string layer_name) {
    layers.push_back({std::move(layer_name), 1, true, {}});
    return layers.back();
  }
  RigNodeSource& add_node(std::string node_name, const Transform& bind = {},
                          std::string parent = {}) {
    nodes.push_back({std::move(node_name), std::move(parent), RigNodeSource::Space::kWorld, bind});
    return nodes.back();
  }
};

}  // namespace sinew
