// A tree of boxes that bodies enter, leave and move in. Which bodies a walk meets does not depend
// on the tree's form, so that answers do not depend on its history.
#pragma once

#include <vector>

#include <sinew/physics/aabb.hpp>

namespace sinew::physics_detail {

class BoxTree {
 public:
  // Boxes are kept a little larger, so that small motion changes nothing.
  static constexpr float kMargin = 0.05f;

  int insert(const Aabb& box, std::uint32_t item);
  void remove(int leaf);
  // The leaf's new number after its box has changed.
  int move(int leaf, const Aabb& box);

  // visit(item) for every leaf whose box passes test(box).
  template <class Test, class Visit>
  void walk(Test&& test, Visit&& visit) const {
    if (root_ < 0) return;
    int stack[kMaxDepth];
    int depth = 0;
    stack[depth++] = root_;
    while (depth > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--depth])];
      if (!test(node.box)) continue;
      if (node.left < 0) {
        visit(node.item);
      } else if (depth + 2 <= kMaxDepth) {
        stack[depth++] = node.right;
        stack[depth++] = node.left;
      }
    }
  }

 private:
  // Far above the depth that rotations keep, 1.44 log2(count).
  static constexpr int kMaxDepth = 128;
  struct Node {
    Aabb box;
    int parent = -1, left = -1, right = -1;  // left < 0: a leaf
    int height = 0;
    std::uint32_t item = 0;
  };
  Node& at(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  int make_node();
  void replace_child(int parent, int from, int to);
  void refit_up(int i);
  int balance(int i);
  void update(int i);

  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = -1;
};

}  // namespace sinew::physics_detail
