// Blend trees whose children lie badly, clips that are missing, loops of no length.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <sinew/base/text.hpp>

#include "lint_report.hpp"

namespace sinew::authoring_detail {
namespace {

using Visit = std::function<void(const MotionNodeSource&, const std::string& place)>;

void each_tree(const MotionNodeSource& node, const std::string& place, const Visit& visit) {
  if (node.kind != MotionNodeSource::Kind::kTree) return;
  const std::string here =
      place + ": blend tree" + (node.name.empty() ? "" : " '" + node.name + "'");
  visit(node, here);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    each_tree(node.children[i].node, here + format_text(": child %zu", i), visit);
  }
}

// Calls visit(node, place) with the root of what each state plays, synced layers included.
void each_motion(const Lint& lint, const Visit& visit) {
  for (const StateNode& state : lint.outline.states) visit(state.source->motion, state.place);
  for (const LayerNode& layer : lint.outline.layers) {
    for (const SyncedMotionSource& synced : layer.source->synced_motions) {
      visit(synced.motion,
            "layer '" + layer.source->name + "': motion of state '" + synced.state + "'");
    }
  }
}

std::string name_of(const TreeChildSource& child, std::size_t index) {
  if (child.node.kind == MotionNodeSource::Kind::kMotion)
    return format_text("child %zu '%s'", index, child.node.motion.c_str());
  return format_text("child %zu", index);
}

void same_thresholds(Lint& lint, const MotionNodeSource& tree, const std::string& place) {
  std::vector<std::size_t> order(tree.children.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tree.children[a].threshold < tree.children[b].threshold;
  });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const TreeChildSource &a = tree.children[order[i - 1]], &b = tree.children[order[i]];
    if (static_cast<float>(a.threshold) != static_cast<float>(b.threshold)) continue;
    lint.add(kCoincident, place,
             name_of(a, order[i - 1]) + " and " + name_of(b, order[i]) +
                 format_text(" both stand at %g: the first plays below it alone, the second above",
                             a.threshold),
             "move one, or remove it");
  }
}

// Within what a float of that size can tell apart.
bool one_point(const TreeChildSource& a, const TreeChildSource& b) {
  const double size = std::max({std::abs(a.x), std::abs(a.y), std::abs(b.x), std::abs(b.y), 1e-6});
  return std::hypot(a.x - b.x, a.y - b.y) <= 1e-6 * size;
}

bool one_direction(const TreeChildSource& a, const TreeChildSource& b) {
  const double la = std::hypot(a.x, a.y), lb = std::hypot(b.x, b.y);
  if (la < 1e-9 || lb < 1e-9) return false;
  const double cross = (a.x * b.y - a.y * b.x) / (la * lb);
  return std::abs(cross) < 1e-4 && a.x * b.x + a.y * b.y > 0;
}

void same_points(Lint& lint, const MotionNodeSource& tree, const std::string& place) {
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    for (std::size_t j = i + 1; j < tree.children.size(); ++j) {
      const TreeChildSource &a = tree.children[i], &b = tree.children[j];
      if (one_point(a, b)) {
        lint.add(kCoincident, place,
                 name_of(a, i) + " and " + name_of(b, j) +
                     format_text(" both lie at (%g, %g)", a.x, a.y),
                 "move one, or remove it");
      } else if (tree.type == TreeType::kSimpleDirectional && one_direction(a, b)) {
        lint.add(kOneRay, place,
                 name_of(a, i) + " and " + name_of(b, j) +
                     " lie in one direction, where this kind of tree knows only one",
                 "use \"freeform_directional\"");
      }
    }
  }
}

void missing(Lint& lint, const MotionNodeSource& node, const std::string& place) {
  if (node.kind == MotionNodeSource::Kind::kMotion) {
    const MotionFacts* known = lint.facts(node.motion);
    if (known && known->missing) {
      lint.add(kMissing, place, "the model has no clip for the motion '" + node.motion + "'",
               "it plays the rest pose for 1 s; add the clip, or map the motion to another");
    }
    return;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string child = place + format_text(": child %zu", i);
    if (node.children[i].node.kind == MotionNodeSource::Kind::kNone) {
      lint.add(kMissing, child, "has no motion",
               "it plays the default pose for 1 s; give it one, or remove it");
    } else {
      missing(lint, node.children[i].node, child);
    }
  }
}

// Whether the clip is a loop of no length; such a pose is ordinary, but it counts as 1 s long.
bool is_instant_loop(const Lint& lint, const std::string& motion) {
  const MotionFacts* known = lint.facts(motion);
  return known && !known->missing && known->loop && known->length < 1e-4;
}

void instant_loop(Lint& lint, const StateNode& state) {
  const StateSource& s = *state.source;
  std::vector<std::string> motions;
  collect_motions(s.motion, motions);
  const bool mixed = std::any_of(motions.begin(), motions.end(), [&](const std::string& m) {
    const MotionFacts* known = lint.facts(m);
    return known && !known->missing && known->length >= 1e-4;
  });
  const Edge* timed = nullptr;
  for (int e : state.edges) {
    const Edge& edge = lint.outline.edge(e);
    const bool depends =
        edge.source->exit_time || (!edge.source->fixed && edge.source->duration > 0);
    if (!timed && !edge.off && depends) timed = &edge;
  }
  for (const std::string& m : motions) {
    if (!is_instant_loop(lint, m) || (!mixed && !timed)) continue;
    lint.add(kZeroLoop, state.place,
             "'" + m + "' loops but has no length, and counts as 1 s: " +
                 (mixed ? std::string("the tree's other motions are mixed with that length")
                        : "the transition to '" + timed->source->to + "' waits by it"),
             "give the clip two keys, or the transition a condition in place of an exit time");
    return;
  }
}

}  // namespace

void lint_trees(Lint& lint) {
  each_motion(lint, [&](const MotionNodeSource& node, const std::string& place) {
    each_tree(node, place, [&](const MotionNodeSource& tree, const std::string& here) {
      if (tree.type == TreeType::k1D) {
        same_thresholds(lint, tree, here);
      } else if (tree.type != TreeType::kDirect) {
        same_points(lint, tree, here);
      }
    });
  });
}

void lint_clips(Lint& lint) {
  each_motion(lint, [&](const MotionNodeSource& node, const std::string& place) {
    missing(lint, node, place);
  });
  for (const StateNode& state : lint.outline.states) instant_loop(lint, state);
}

}  // namespace sinew::authoring_detail
