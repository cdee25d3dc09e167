// What assimp leaves out of a Collada file: names beside ids, which nodes are joints, and the names
// of animation clips.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sinew {

struct ColladaFacts {
  struct Node {
    std::string name;
    bool is_joint = false;
  };
  struct Clip {
    std::string name;
    double seconds = 0;
  };
  double metres_per_unit = 1;                   // by <unit meter="...">
  std::unordered_map<std::string, Node> nodes;  // by id
  std::vector<Clip> clips;                      // in the file's order
};

// Looks at the tags alone; text that is no XML gives no facts.
ColladaFacts collada_facts(std::string_view text);

}  // namespace sinew
