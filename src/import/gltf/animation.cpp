// Animations: channels and samplers to key tracks of nodes.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <sinew/base/text.hpp>

#include "gltf/scene.hpp"

namespace sinew::gltf {
namespace {

// What is told once per animation, however many channels it concerns.
struct Remarks {
  std::size_t equal_times = 0;
  std::size_t unnormalized = 0;
  std::size_t unbounded = 0;
};

struct Sampler {
  Interpolation interpolation = Interpolation::kLinear;
  int input = -1, output = -1;
  Place place;
};

// Keys as they come: times, then `width` floats per key (three times as many for cubic splines).
struct Keys {
  Interpolation interpolation = Interpolation::kLinear;
  std::vector<float> times;
  std::vector<float> values;
  std::size_t width = 0;

  bool cubic() const { return interpolation == Interpolation::kCubicSpline; }
  std::size_t stride() const { return width * (cubic() ? 3 : 1); }
};

Sampler read_sampler(const Document& document, const Json& samplers, int index, const Place& up) {
  const Json& object = samplers[static_cast<std::size_t>(index)];
  Sampler sampler;
  sampler.place = {&up, "sampler", index, {}};
  require_object(object, sampler.place);
  const std::size_t accessors = document.list("accessors").size();
  sampler.input = required_index_of(object, "input", accessors, sampler.place);
  sampler.output = required_index_of(object, "output", accessors, sampler.place);
  const std::string name = string_of(object, "interpolation", sampler.place);
  if (name.empty() || name == "LINEAR") {
    sampler.interpolation = Interpolation::kLinear;
  } else if (name == "STEP") {
    sampler.interpolation = Interpolation::kStep;
  } else if (name == "CUBICSPLINE") {
    sampler.interpolation = Interpolation::kCubicSpline;
  } else {
    static constexpr std::array<std::string_view, 3> kNames = {"LINEAR", "STEP", "CUBICSPLINE"};
    fail(sampler.place,
         "interpolation '" + printable(name) + "' does not exist" + did_you_mean(name, kNames));
  }
  return sampler;
}

std::vector<float> read_times(Document& document, const Sampler& sampler, Remarks& remarks) {
  const Place place{&sampler.place, "input", -1, {}};
  std::vector<float> times = document.read_floats(sampler.input, "SCALAR", kFloat, place);
  if (!document.accessor_has_bounds(sampler.input)) ++remarks.unbounded;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < 0.0f) {
      fail(place,
           format_text("key %zu: its time, %g s, is negative", i, static_cast<double>(times[i])));
    }
    times[i] += 0.0f;  // no negative zero
    if (i > 0 && times[i] < times[i - 1]) {
      fail(place, format_text("key %zu: its time, %g s, comes before that of the key before, %g s",
                              i, static_cast<double>(times[i]), static_cast<double>(times[i - 1])));
    }
  }
  return times;
}

// Keys at one time mean a jump: the first is moved just before it, the last stays, those between
// go.
void separate_equal_times(Keys& keys, Remarks& remarks) {
  std::vector<std::size_t> kept;
  std::vector<float> times;
  const std::size_t n = keys.times.size();
  for (std::size_t i = 0; i < n;) {
    std::size_t last = i;
    while (last + 1 < n && keys.times[last + 1] == keys.times[i]) ++last;
    if (last > i) {
      ++remarks.equal_times;
      const float before = std::nextafter(keys.times[i], 0.0f);
      if (keys.times[i] > 0.0f && (times.empty() || before > times.back())) {
        kept.push_back(i);
        times.push_back(before);
      }
    }
    kept.push_back(last);
    times.push_back(keys.times[i]);
    i = last + 1;
  }
  if (kept.size() == n) return;
  std::vector<float> values;
  for (std::size_t i : kept) {
    const auto first = keys.values.begin() + static_cast<std::ptrdiff_t>(i * keys.stride());
    values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(keys.stride()));
  }
  keys.times = std::move(times);
  keys.values = std::move(values);
}

Keys read_keys(Document& document, const Sampler& sampler, std::string_view type, unsigned allowed,
               std::size_t components, std::size_t elements_per_key, Remarks& remarks) {
  Keys keys;
  keys.interpolation = sampler.interpolation;
  keys.width = components * elements_per_key;
  // Before decoding, so that a mismatch is told whatever the data is.
  const std::size_t times = document.accessor_count(sampler.input);
  const std::size_t values = document.accessor_count(sampler.output);
  keys.values =
      document.read_floats(sampler.output, type, allowed, Place{&sampler.place, "output", -1, {}});
  keys.times = read_times(document, sampler, remarks);
  if (values != times * elements_per_key * (keys.cubic() ? 3 : 1)) {
    fail(sampler.place, format_text("%zu keys need %zu output elements, but there are %zu", times,
                                    times * elements_per_key * (keys.cubic() ? 3 : 1), values));
  }
  if (keys.cubic() && times < 2) {
    fail(sampler.place, "CUBICSPLINE needs at least 2 keys, but there is 1");
  }
  separate_equal_times(keys, remarks);
  return keys;
}

void put(const float* v, float& out) { out = v[0]; }
void put(const float* v, Vec3& out) { out = {v[0], v[1], v[2]}; }
void put(const float* v, Quat& out) { out = {v[0], v[1], v[2], v[3]}; }

// Takes `components` floats of each key from `offset` on.
template <class T>
KeyTrack<T> make_track(const Keys& keys, std::size_t offset) {
  KeyTrack<T> track;
  track.interpolation = keys.interpolation;
  track.times = keys.times;
  const std::size_t n = keys.times.size();
  track.values.resize(n);
  if (keys.cubic()) {
    track.in_tangents.resize(n);
    track.out_tangents.resize(n);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const float* key = keys.values.data() + i * keys.stride() + offset;
    if (!keys.cubic()) {
      put(key, track.values[i]);
      continue;
    }
    put(key, track.in_tangents[i]);
    put(key + keys.width, track.values[i]);
    put(key + 2 * keys.width, track.out_tangents[i]);
  }
  return track;
}

void normalize_rotations(KeyTrack<Quat>& track, const Place& place, Remarks& remarks) {
  bool unnormalized = false;
  for (std::size_t i = 0; i < track.values.size(); ++i) {
    Quat& q = track.values[i];
    const float length2 = dot(q, q);
    if (!(length2 > 1e-12f) || !is_finite(length2)) {
      fail(place, format_text("key %zu: the rotation has no direction", i));
    }
    unnormalized = unnormalized || abs(length2 - 1.0f) > 1e-2f;
    // Values of a spline are left: with its tangents they make one curve, normalized after.
    if (track.interpolation != Interpolation::kCubicSpline) q = normalize(q);
  }
  if (unnormalized) ++remarks.unnormalized;
}

class AnimationReader {
 public:
  AnimationReader(Document& document, const std::vector<Node>& nodes, int index)
      : document_(document),
        nodes_(nodes),
        object_(document.list("animations")[at(index)]),
        place_{&document.place(), "animation", index, {}} {}

  AnimationDef read() {
    require_object(object_, place_);
    animation_.name = string_of(object_, "name", place_);
    place_.name = animation_.name;
    const Json& channels = array_of(object_, "channels", place_);
    if (channels.empty()) fail(place_, "'channels' is missing or empty");
    if (array_of(object_, "samplers", place_).empty()) {
      fail(place_, "'samplers' is missing or empty");
    }
    for (std::size_t i = 0; i < channels.size(); ++i) {
      read_channel(channels[i], {&place_, "channel", static_cast<long long>(i), {}});
    }
    tell_remarks();
    return std::move(animation_);
  }

 private:
  void read_channel(const Json& channel, const Place& place) {
    require_object(channel, place);
    const Json& samplers = array_of(object_, "samplers", place_);
    const int sampler_index = required_index_of(channel, "sampler", samplers.size(), place);
    const Json* target = object_of(channel, "target", place);
    if (target == nullptr) fail(place, "'target' is missing");
    const Place target_place{&place, "target", -1, {}};
    const std::string path = string_of(*target, "path", target_place);
    if (path.empty()) fail(target_place, "'path' is missing");
    const int node = index_of(*target, "node", nodes_.size(), target_place);
    if (node < 0) {
      document_.inform("gltf.channel_without_node", target_place,
                       "it moves no node; the channel is skipped");
      return;
    }
    const Sampler sampler = read_sampler(document_, samplers, sampler_index, place);
    if (path == "translation" || path == "rotation" || path == "scale") {
      read_transform(path, node, sampler, place);
    } else if (path == "weights") {
      read_weights(node, sampler, place);
    } else {
      document_.warn("gltf.unknown_path", target_place,
                     "path '" + printable(path) + "' is not known; the channel is skipped");
    }
  }

  void read_transform(const std::string& path, int node, const Sampler& sampler,
                      const Place& place) {
    if (nodes_[at(node)].has_matrix) {
      document_.warn("gltf.animated_matrix", place,
                     format_text("node %d has a 'matrix' and should not be animated; the parts of "
                                 "the matrix are its rest pose",
                                 node));
    }
    NodeTrack& track = animation_.tracks[node];
    if (path == "rotation") {
      Keys keys = read_keys(document_, sampler, "VEC4", kFloat | kNormalized, 4, 1, remarks_);
      KeyTrack<Quat> rotation = make_track<Quat>(keys, 0);
      normalize_rotations(rotation, Place{&sampler.place, "output", -1, {}}, remarks_);
      store(std::move(rotation), track.rotation, path, node, place);
      return;
    }
    Keys keys = read_keys(document_, sampler, "VEC3", kFloat, 3, 1, remarks_);
    store(make_track<Vec3>(keys, 0), path == "scale" ? track.scale : track.translation, path, node,
          place);
  }

  void read_weights(int node, const Sampler& sampler, const Place& place) {
    const int mesh = nodes_[at(node)].mesh;
    const std::size_t targets = mesh < 0 ? 0 : morph_target_count(document_, mesh);
    if (targets == 0) {
      document_.warn("gltf.weights_without_targets", place,
                     format_text("node %d has no morph targets; the channel is skipped", node));
      return;
    }
    Keys keys = read_keys(document_, sampler, "SCALAR", kFloat | kNormalized, 1, targets, remarks_);
    NodeTrack& track = animation_.tracks[node];
    if (!track.weights.empty()) duplicate("weights", node, place);
    for (std::size_t i = 0; i < targets; ++i) {
      track.weights.push_back(make_track<float>(keys, i));
    }
    extend(keys.times);
  }

  template <class T>
  void store(KeyTrack<T> from, KeyTrack<T>& to, const std::string& path, int node,
             const Place& place) {
    if (!to.empty()) duplicate(path, node, place);
    to = std::move(from);
    extend(to.times);
  }

  [[noreturn]] void duplicate(const std::string& path, int node, const Place& place) {
    fail(place, format_text("a second channel for '%s' of node %d", path.c_str(), node));
  }

  void extend(const std::vector<float>& times) {
    animation_.duration = std::max(animation_.duration, times.back());
  }

  void tell_remarks() {
    if (remarks_.equal_times > 0) {
      document_.warn("gltf.equal_times", place_,
                     format_text("keys share one time in %zu places; each is read as a jump",
                                 remarks_.equal_times));
    }
    if (remarks_.unnormalized > 0) {
      document_.warn(
          "gltf.unnormalized_rotation", place_,
          format_text("rotations of %zu channels are not of unit length", remarks_.unnormalized));
    }
    if (remarks_.unbounded > 0) {
      document_.warn(
          "gltf.missing_bounds", place_,
          format_text("the key times of %zu channels have no 'min' and 'max'", remarks_.unbounded));
    }
  }

  Document& document_;
  const std::vector<Node>& nodes_;
  const Json& object_;
  Place place_;
  Remarks remarks_;
  AnimationDef animation_;
};

}  // namespace

std::size_t morph_target_count(const Document& document, int mesh) {
  const Json& object = document.list("meshes")[static_cast<std::size_t>(mesh)];
  const Place place{&document.place(), "mesh", mesh, {}};
  require_object(object, place);
  const Json& primitives = array_of(object, "primitives", place);
  if (primitives.empty()) return 0;
  require_object(primitives[0], place);
  return array_of(primitives[0], "targets", place).size();
}

std::vector<AnimationDef> read_animations(Document& document, const std::vector<Node>& nodes) {
  const int count = static_cast<int>(document.list("animations").size());
  std::vector<AnimationDef> animations;
  animations.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) animations.push_back(AnimationReader(document, nodes, i).read());
  return animations;
}

}  // namespace sinew::gltf
