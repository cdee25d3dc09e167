// Works on the canonical JSON of both, so that a key that the format gains takes part by itself;
// the structure around it is walked by name.
#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include <sinew/authoring/diff.hpp>
#include <sinew/scene/controller_json.hpp>

#include "outline.hpp"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
using authoring_detail::Outline;
using Op = Difference::Op;

std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string text(const Json& json) {
  return json.is_string() ? json.get<std::string>()
                          : json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const Json& list_of(const Json& json, const char* key) {
  static const Json none = Json::array();
  const auto found = json.find(key);
  return found == json.end() || !found->is_array() ? none : *found;
}

// One of the two controllers.
struct Side {
  explicit Side(const ControllerSource& source)
      : outline(source), json(Json::parse(write_controller(source))) {}
  Outline outline;
  Json json;
};

// A transition or a route with its target written as a path from the layer's root.
Json with_path(Json item, const Outline& outline, int machine) {
  const std::string to = item.value("to", "");
  item["to"] = outline.target_name(outline.resolve(to, machine), to);
  const auto when = item.find("when");
  if (when != item.end() && when->is_array()) {
    std::vector<Json> sorted(when->begin(), when->end());
    std::sort(sorted.begin(), sorted.end(),
              [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
    *when = sorted;
  }
  return item;
}

std::vector<Json> with_paths(const Json& list, const Outline& outline, int machine) {
  std::vector<Json> out;
  for (const Json& item : list) out.push_back(with_path(item, outline, machine));
  return out;
}

// How much two items of one target have in common, for pairing them.
int likeness(const Json& a, const Json& b) {
  if (a == b) return 1 << 20;
  int score = a.contains("name") && a.value("name", "") == b.value("name", "") ? 1000 : 0;
  if (a.value("when", Json()) == b.value("when", Json())) score += 100;
  for (const auto& [key, value] : a.items()) {
    const auto found = b.find(key);
    if (found != b.end() && *found == value) ++score;
  }
  return score;
}

// Places of one item in both lists.
struct Pair {
  std::size_t before, after;
};

class Differ {
 public:
  Differ(const ControllerSource& before, const ControllerSource& after) : a_(before), b_(after) {}

  std::vector<Difference> run() {
    fields(a_.json, b_.json, "controller", "",
           {"sinew", "parameters", "motions", "layers", "policy"});
    fields(a_.json.value("policy", Json::object()), b_.json.value("policy", Json::object()),
           "policy", "", {});
    named(list_of(a_.json, "parameters"), list_of(b_.json, "parameters"), "parameter");
    named(list_of(a_.json, "motions"), list_of(b_.json, "motions"), "motion");
    layers();
    return std::move(out_);
  }

 private:
  void add(Op op, std::string kind, std::string path, std::string field = {},
           std::string before = {}, std::string after = {}) {
    out_.push_back({op, std::move(kind), std::move(path), std::move(field), std::move(before),
                    std::move(after)});
  }

  // Members that differ, but for those named, which have a comparison of their own.
  void fields(const Json& a, const Json& b, const std::string& kind, const std::string& path,
              const std::set<std::string>& besides) {
    const auto compared = [&](const std::string& key) {
      return key != "name" && key != "position" && !besides.count(key);
    };
    for (const auto& [key, value] : a.items()) {
      if (!compared(key)) continue;
      const auto other = b.find(key);
      if (other == b.end()) {
        add(Op::kChanged, kind, path, key, text(value), "");
      } else if (*other != value) {
        add(Op::kChanged, kind, path, key, text(value), text(*other));
      }
    }
    for (const auto& [key, value] : b.items()) {
      if (compared(key) && !a.contains(key)) add(Op::kChanged, kind, path, key, "", text(value));
    }
  }

  // Flat lists whose items are told apart by their names.
  void named(const Json& a, const Json& b, const std::string& kind) {
    const auto by_name = [](const Json& list) {
      std::map<std::string, const Json*> names;
      for (const Json& item : list) names.emplace(item.value("name", ""), &item);
      return names;
    };
    const auto in_a = by_name(a), in_b = by_name(b);
    for (const Json& item : a) {
      const std::string name = item.value("name", "");
      const auto other = in_b.find(name);
      if (other == in_b.end()) {
        add(Op::kRemoved, kind, name, "", text(item));
      } else {
        fields(item, *other->second, kind, name, {});
      }
    }
    for (const Json& item : b) {
      const std::string name = item.value("name", "");
      if (!in_a.count(name)) add(Op::kAdded, kind, name, "", "", text(item));
    }
  }

  void layers() {
    const Json &a = list_of(a_.json, "layers"), &b = list_of(b_.json, "layers");
    const auto place = [](const Json& list, const std::string& name) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].value("name", "") == name) return static_cast<int>(i);
      }
      return -1;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::string name = a[i].value("name", "");
      const int other = place(b, name);
      if (other < 0) {
        add(Op::kRemoved, "layer", name);
        continue;
      }
      pairs.push_back({i, static_cast<std::size_t>(other)});
      layer(static_cast<int>(i), other, name);
    }
    moved(pairs, "layer", [&](std::size_t i) { return b[i].value("name", ""); });
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::string name = b[i].value("name", "");
      if (place(a, name) < 0) add(Op::kAdded, "layer", name);
    }
  }

  void layer(int in_a, int in_b, const std::string& name) {
    const auto &la = a_.outline.layers[static_cast<std::size_t>(in_a)],
               &lb = b_.outline.layers[static_cast<std::size_t>(in_b)];
    const Json &a = a_.json["layers"][static_cast<std::size_t>(in_a)],
               &b = b_.json["layers"][static_cast<std::size_t>(in_b)];
    fields(
        a, b, "layer", name,
        {"motions", "default", "entry", "any", "states", "machines", "after_exit", "behaviours"});
    synced(list_of(a, "motions"), list_of(b, "motions"), name);
    machine(a, b, la.root, lb.root, name, "layer");
  }

  void synced(const Json& a, const Json& b, const std::string& layer_name) {
    const auto find = [](const Json& list, const std::string& state) -> const Json* {
      for (const Json& item : list) {
        if (item.value("state", "") == state) return &item;
      }
      return nullptr;
    };
    for (const Json& item : a) {
      const std::string state = item.value("state", ""), path = join(layer_name, state);
      if (const Json* other = find(b, state)) {
        motion(item, *other, "synced_motion", path);
      } else {
        add(Op::kRemoved, "synced_motion", path, "", text(item.value("motion", Json())));
      }
    }
    for (const Json& item : b) {
      const std::string state = item.value("state", "");
      if (!find(a, state))
        add(Op::kAdded, "synced_motion", join(layer_name, state), "", "",
            text(item.value("motion", Json())));
    }
  }

  void machine(const Json& a, const Json& b, int in_a, int in_b, const std::string& path,
               const std::string& kind) {
    const auto &ma = a_.outline.machine(in_a), &mb = b_.outline.machine(in_b);
    if (kind == "machine")
      fields(a, b, kind, path,
             {"default", "entry", "any", "states", "machines", "after_exit", "behaviours"});
    const std::string da = a_.outline.target_name(ma.default_target, ma.source->default_state),
                      db = b_.outline.target_name(mb.default_target, mb.source->default_state);
    if (da != db) add(Op::kChanged, kind, path, "default", da, db);
    const Json none;
    const auto value = [&](const Json& j, const char* key) -> const Json& {
      const auto found = j.find(key);
      return found == j.end() ? none : *found;
    };
    if (value(a, "behaviours") != value(b, "behaviours"))
      add(Op::kChanged, kind, path, "behaviours", text(value(a, "behaviours")),
          text(value(b, "behaviours")));
    edges(list_of(a, "entry"), list_of(b, "entry"), in_a, in_b, "route", path + ".(entry)");
    edges(list_of(a, "any"), list_of(b, "any"), in_a, in_b, "transition", path + ".(any)");
    if (ma.parent >= 0 && mb.parent >= 0)
      edges(list_of(a, "after_exit"), list_of(b, "after_exit"), ma.parent, mb.parent, "route",
            path + ".(exit)");
    members(a, b, in_a, in_b, path, "states", "state");
    members(a, b, in_a, in_b, path, "machines", "machine");
  }

  // States and machines of one machine.
  void members(const Json& a, const Json& b, int in_a, int in_b, const std::string& path,
               const char* key, const std::string& kind) {
    const Json &la = list_of(a, key), &lb = list_of(b, key);
    const auto find = [](const Json& list, const std::string& name) {
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].value("name", "") == name) return static_cast<int>(i);
      }
      return -1;
    };
    for (std::size_t i = 0; i < la.size(); ++i) {
      const std::string name = la[i].value("name", ""), here = join(path, name);
      const int other = find(lb, name);
      if (other < 0) {
        add(Op::kRemoved, kind, here);
      } else if (kind == "state") {
        state(la[i], lb[static_cast<std::size_t>(other)], in_a, in_b, here);
      } else {
        const auto &ca = a_.outline.machine(in_a).machines, &cb = b_.outline.machine(in_b).machines;
        // The outline stops at a depth that the reader refuses anyway.
        if (i < ca.size() && static_cast<std::size_t>(other) < cb.size()) {
          machine(la[i], lb[static_cast<std::size_t>(other)], ca[i],
                  cb[static_cast<std::size_t>(other)], here, "machine");
        }
      }
    }
    for (const Json& item : lb) {
      const std::string name = item.value("name", "");
      if (find(la, name) < 0) add(Op::kAdded, kind, join(path, name));
    }
  }

  void state(const Json& a, const Json& b, int in_a, int in_b, const std::string& path) {
    fields(a, b, "state", path, {"motion", "transitions"});
    motion(a, b, "state", path);
    edges(list_of(a, "transitions"), list_of(b, "transitions"), in_a, in_b, "transition", path);
  }

  // The member "motion" of two states, or of two children of a tree.
  void motion(const Json& a, const Json& b, const std::string& kind, const std::string& path) {
    const Json ma = a.value("motion", Json()), mb = b.value("motion", Json());
    if (ma == mb) return;
    if (!ma.is_object() || !mb.is_object()) {
      add(Op::kChanged, kind, path, "motion", text(ma), text(mb));
      return;
    }
    fields(ma, mb, "tree", path, {"children"});
    if (ma.value("name", "") != mb.value("name", ""))
      add(Op::kChanged, "tree", path, "name", ma.value("name", ""), mb.value("name", ""));
    children(list_of(ma, "children"), list_of(mb, "children"), path);
  }

  static std::string child_label(const Json& child) {
    const Json m = child.value("motion", Json());
    if (m.is_string()) return m.get<std::string>();
    return m.is_object() ? "(tree" + (m.contains("name") ? " " + m.value("name", "") : "") + ")"
                         : "(none)";
  }

  // Paired by what they play, those that play the same in their order.
  void children(const Json& a, const Json& b, const std::string& path) {
    std::vector<bool> taken(b.size(), false);
    for (const Json& child : a) {
      const std::string label = child_label(child);
      std::size_t other = 0;
      while (other < b.size() && (taken[other] || child_label(b[other]) != label)) ++other;
      if (other == b.size()) {
        add(Op::kRemoved, "child", join(path, label), "", text(child));
        continue;
      }
      taken[other] = true;
      fields(child, b[other], "child", join(path, label), {"motion"});
      motion(child, b[other], "child", join(path, label));
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!taken[i]) add(Op::kAdded, "child", join(path, child_label(b[i])), "", "", text(b[i]));
    }
  }

  // Lists of transitions or routes: a machine in whose scope their targets are names.
  void edges(const Json& list_a, const Json& list_b, int scope_a, int scope_b,
             const std::string& kind, const std::string& path) {
    const std::vector<Json> a = with_paths(list_a, a_.outline, scope_a),
                            b = with_paths(list_b, b_.outline, scope_b);
    const std::vector<int> partner = pair_up(a, b);
    const auto label = [&](const Json& item) { return path + " -> " + item.value("to", "?"); };
    std::vector<Pair> pairs;
    std::vector<bool> taken(b.size(), false);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (partner[i] < 0) {
        add(Op::kRemoved, kind, label(a[i]), "", summary(a[i]));
        continue;
      }
      const auto j = static_cast<std::size_t>(partner[i]);
      const Json& other = b[j];
      taken[j] = true;
      pairs.push_back({i, j});
      fields(a[i], other, kind, label(a[i]), {});
      if (a[i].value("name", "") != other.value("name", ""))
        add(Op::kChanged, kind, label(a[i]), "name", a[i].value("name", ""),
            other.value("name", ""));
    }
    moved(pairs, kind, [&](std::size_t i) { return label(b[i]); });
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!taken[i]) add(Op::kAdded, kind, label(b[i]), "", "", summary(b[i]));
    }
  }

  static std::string summary(Json item) {
    item.erase("to");
    return item.empty() ? "" : text(item);
  }

  // For each of `a` the one of `b` with the same target that is most like it, or -1.
  static std::vector<int> pair_up(const std::vector<Json>& a, const std::vector<Json>& b) {
    struct Candidate {
      int score;
      std::size_t i, j;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        if (a[i].value("to", "") == b[j].value("to", ""))
          candidates.push_back({likeness(a[i], b[j]), i, j});
      }
    }
    std::stable_sort(
        candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
          const auto apart = [](const Candidate& c) { return c.i < c.j ? c.j - c.i : c.i - c.j; };
          return x.score != y.score ? x.score > y.score : apart(x) < apart(y);
        });
    std::vector<int> partner(a.size(), -1);
    std::vector<bool> taken(b.size(), false);
    for (const Candidate& c : candidates) {
      if (partner[c.i] >= 0 || taken[c.j]) continue;
      partner[c.i] = static_cast<int>(c.j);
      taken[c.j] = true;
    }
    return partner;
  }

  // Of what both lists hold, in the first one's order: what lies outside of the longest run whose
  // places rise in the second one, too, has moved.
  template <class Label>
  void moved(const std::vector<Pair>& pairs, const std::string& kind, Label label) {
    std::vector<std::size_t> best(pairs.size(), 1);
    std::vector<int> before(pairs.size(), -1);
    std::size_t last = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (pairs[k].after < pairs[i].after && best[k] + 1 > best[i]) {
          best[i] = best[k] + 1;
          before[i] = static_cast<int>(k);
        }
      }
      if (best[i] > best[last]) last = i;
    }
    std::vector<bool> stays(pairs.size(), false);
    for (int i = pairs.empty() ? -1 : static_cast<int>(last); i >= 0;
         i = before[static_cast<std::size_t>(i)]) {
      stays[static_cast<std::size_t>(i)] = true;
    }
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (stays[i]) continue;
      add(Op::kMoved, kind, label(pairs[i].after), "place", std::to_string(pairs[i].before + 1),
          std::to_string(pairs[i].after + 1));
    }
  }

  Side a_, b_;
  std::vector<Difference> out_;
};

}  // namespace

std::vector<Difference> diff_controllers(const ControllerSource& before,
                                         const ControllerSource& after) {
  return Differ(before, after).run();
}

std::string to_string(const Difference& d) {
  const auto name = [&] { return d.path.empty() ? d.kind : d.kind + " " + d.path; };
  switch (d.op) {
    case Op::kAdded:
      return "+ " + name() + (d.after.empty() ? "" : "  " + d.after);
    case Op::kRemoved:
      return "- " + name() + (d.before.empty() ? "" : "  " + d.before);
    case Op::kMoved:
      return "> " + name() + ": from place " + d.before + " to " + d.after;
    case Op::kChanged:
      break;
  }
  const auto shown = [](const std::string& value) { return value.empty() ? "(default)" : value; };
  return "~ " + name() + ": " + d.field + " " + shown(d.before) + " -> " + shown(d.after);
}

}  // namespace sinew
