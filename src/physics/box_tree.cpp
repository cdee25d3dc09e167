#include "box_tree.hpp"

#include <algorithm>

namespace sinew::physics_detail {

namespace {

float area(const Aabb& box) {
  const Vec3 d = box.high - box.low;
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

}  // namespace

int BoxTree::make_node() {
  if (!free_.empty()) {
    const int i = free_.back();
    free_.pop_back();
    at(i) = Node{};
    return i;
  }
  nodes_.emplace_back();
  // So that giving nodes back never allocates.
  free_.reserve(nodes_.capacity());
  return static_cast<int>(nodes_.size()) - 1;
}

void BoxTree::replace_child(int parent, int from, int to) {
  if (parent < 0) {
    root_ = to;
  } else if (at(parent).left == from) {
    at(parent).left = to;
  } else {
    at(parent).right = to;
  }
  if (to >= 0) at(to).parent = parent;
}

void BoxTree::update(int i) {
  Node& node = at(i);
  node.box = join(at(node.left).box, at(node.right).box);
  node.height = 1 + std::max(at(node.left).height, at(node.right).height);
}

// Lifts the higher child where the sides differ by more than one level; the new top.
int BoxTree::balance(int i) {
  const int left = at(i).left, right = at(i).right;
  const int lean = at(right).height - at(left).height;
  if (lean >= -1 && lean <= 1) return i;
  const int high = lean > 0 ? right : left;
  const int a = at(high).left, b = at(high).right;
  const int up = at(a).height > at(b).height ? a : b, down = up == a ? b : a;
  replace_child(at(i).parent, i, high);
  // `high` takes i and its own higher child; i takes the lower one.
  at(high).left = i;
  at(high).right = up;
  at(up).parent = high;
  at(i).parent = high;
  (lean > 0 ? at(i).right : at(i).left) = down;
  at(down).parent = i;
  update(i);
  update(high);
  return high;
}

void BoxTree::refit_up(int i) {
  while (i >= 0) {
    update(i);
    i = balance(i);
    i = at(i).parent;
  }
}

int BoxTree::insert(const Aabb& box, std::uint32_t item) {
  const int leaf = make_node();
  at(leaf).box = grown(box, kMargin);
  at(leaf).item = item;
  if (root_ < 0) {
    root_ = leaf;
    return leaf;
  }
  const Aabb wide = at(leaf).box;
  int i = root_;
  while (at(i).left >= 0) {
    const Node& node = at(i);
    const float own = area(node.box), both = area(join(node.box, wide));
    const float here = 2 * both, below = 2 * (both - own);
    const auto cost = [&](int child) {
      const float whole = area(join(at(child).box, wide));
      return below + (at(child).left < 0 ? whole : whole - area(at(child).box));
    };
    const float left = cost(node.left), right = cost(node.right);
    if (here < left && here < right) break;
    i = left <= right ? node.left : node.right;
  }
  const int parent = at(i).parent;
  const int joint = make_node();
  replace_child(parent, i, joint);
  at(joint).left = i;
  at(joint).right = leaf;
  at(i).parent = joint;
  at(leaf).parent = joint;
  refit_up(joint);
  return leaf;
}

void BoxTree::remove(int leaf) {
  const int parent = at(leaf).parent;
  free_.push_back(leaf);
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const int other = at(parent).left == leaf ? at(parent).right : at(parent).left;
  const int above = at(parent).parent;
  replace_child(above, parent, other);
  free_.push_back(parent);
  refit_up(above);
}

int BoxTree::move(int leaf, const Aabb& box) {
  if (holds(at(leaf).box, box) && area(at(leaf).box) < 4 * area(grown(box, kMargin))) return leaf;
  const std::uint32_t item = at(leaf).item;
  remove(leaf);
  return insert(box, item);
}

}  // namespace sinew::physics_detail
