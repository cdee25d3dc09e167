#include "fbx_animation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <sinew/base/text.hpp>

#include "joint_choice.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr double kLongest = 1e6;  // seconds

// Bits of a key's attribute flags.
constexpr std::int64_t kConstant = 0x2, kLinear = 0x4, kCubic = 0x8;
constexpr std::int64_t kConstantNext = 0x100, kTcb = 0x200, kUser = 0x400, kBroken = 0x800;
constexpr std::int64_t kClamped = 0x1000 | 0x4000;
constexpr std::int64_t kWeightedRight = 0x1000000, kWeightedNextLeft = 0x2000000;

// Keys must rise; of keys at one time the last counts.
FbxCurve to_curve(const std::vector<FbxCurve::Key>& keys) {
  std::vector<FbxCurve::Key> rising;
  for (const std::size_t i :
       stable_order(keys.size(), [&](std::size_t k) { return keys[k].time; })) {
    const FbxCurve::Key& key = keys[i];
    if (!(std::abs(key.time) <= kLongest) || !(std::abs(key.value) <= 1e15)) continue;
    if (!rising.empty() && key.time - rising.back().time < 1e-9) rising.pop_back();
    rising.push_back(key);
  }
  FbxCurve out;
  out.assign(std::move(rising));
  return out;
}

double weight_of(std::int64_t packed) {
  return std::clamp(static_cast<double>(packed) / 9999, 0.0001, 1.0);
}

// Version 7: lists of times and values; flags and four numbers, each for a run of keys.
Result<FbxCurve> read_curve(const FbxScene& scene, int object) {
  const FbxDocument& d = scene.document();
  const int node = scene.object(object).node;
  const auto times = d.integers(d.child(node, "KeyTime"));
  if (!times) return times.error();
  const auto values = d.doubles(d.child(node, "KeyValueFloat"));
  if (!values) return values.error();
  const auto flags = d.integers(d.child(node, "KeyAttrFlags"));
  if (!flags) return flags.error();
  // The numbers hold packed integers too, whose bits may look like no number at all: read as is.
  const auto runs = d.integers(d.child(node, "KeyAttrRefCount"));
  if (!runs) return runs.error();
  const auto data = d.attributes(d.child(node, "KeyAttrDataFloat"));
  if (!data) return data.error();
  if (times->size() != values->size()) {
    return make_error(
        ErrorCode::kMalformed,
        format_text("a curve has %zu times, but %zu values", times->size(), values->size()),
        d.place(node));
  }
  std::vector<FbxCurve::Key> keys(times->size());
  std::size_t run = 0;
  std::int64_t left = runs->empty() ? 0 : runs->front();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    while (left <= 0 && run + 1 < runs->size()) left = (*runs)[++run];
    --left;
    FbxCurve::Key& key = keys[i];
    key.time = static_cast<double>((*times)[i]) / scene.ticks();
    key.value = (*values)[i];
    const std::int64_t flag = run < flags->size() ? (*flags)[run] : kLinear;
    if ((flag & kConstant) != 0) {
      key.shape = (flag & kConstantNext) != 0 ? FbxCurve::Shape::kStepNext : FbxCurve::Shape::kStep;
    } else if ((flag & kCubic) != 0) {
      key.shape = FbxCurve::Shape::kCubic;
      const bool given = 4 * run + 3 < data->size();
      // Tension, continuity and bias are left at their default, which is the automatic slope.
      key.automatic = !given || (flag & (kUser | kBroken)) == 0 || (flag & kTcb) != 0;
      key.clamped = (flag & kClamped) != 0;
      if (given && !key.automatic) {
        key.slope = (*data)[4 * run].number;
        key.next_slope = (*data)[4 * run + 1].number;
      }
      if (given) {
        const std::uint32_t packed = (*data)[4 * run + 2].bits;
        if ((flag & kWeightedRight) != 0) key.weight = weight_of(packed & 0xffff);
        if ((flag & kWeightedNextLeft) != 0) key.next_weight = weight_of(packed >> 16);
      }
    }
  }
  return to_curve(keys);
}

// Version 6: one list "time, value, shape letter, what the shape needs, ...".
FbxCurve read_old_curve(const FbxScene& scene, int channel) {
  const FbxDocument& d = scene.document();
  const std::vector<FbxValue> list = d.values(d.child(channel, "Key"));
  std::vector<FbxCurve::Key> keys;
  std::size_t i = 0;
  const auto number = [&] {
    return i < list.size() && is_finite(list[i].real) ? list[i++].real : (++i, 0.0);
  };
  const auto letter = [&] {
    const char c = i < list.size() && list[i].kind == FbxValue::Kind::kText && !list[i].text.empty()
                       ? list[i].text.front()
                       : '\0';
    ++i;
    return c;
  };
  while (i + 2 < list.size()) {
    FbxCurve::Key key;
    key.time = number() / scene.ticks();
    key.value = number();
    switch (letter()) {
      case 'C':
        key.shape = letter() == 'n' ? FbxCurve::Shape::kStepNext : FbxCurve::Shape::kStep;
        break;
      case 'U': {
        key.shape = FbxCurve::Shape::kCubic;
        switch (letter()) {
          case 's':
          case 'b':
            key.slope = number();
            key.next_slope = number();
            break;
          case 't':
            i += 3;
            key.automatic = true;
            break;
          default:
            key.automatic = true;
            break;
        }
        switch (letter()) {
          case 'a':
            key.weight = std::clamp(number(), 0.0001, 1.0);
            key.next_weight = std::clamp(number(), 0.0001, 1.0);
            break;
          case 'r':
            key.weight = std::clamp(number(), 0.0001, 1.0);
            break;
          case 'l':
            key.next_weight = std::clamp(number(), 0.0001, 1.0);
            break;
          default:
            break;
        }
        break;
      }
      case 'L':
        break;
      default:
        i = list.size();
        continue;  // a shape that is not known: what follows cannot be read
    }
    keys.push_back(key);
  }
  return to_curve(keys);
}

class StackReader {
 public:
  StackReader(const FbxScene& scene, const std::vector<FbxModel>& models)
      : scene_(scene), models_(models) {
    model_of_.assign(scene.objects().size(), -1);
    for (std::size_t i = 0; i < models.size(); ++i) {
      model_of_[static_cast<std::size_t>(models[i].object)] = static_cast<int>(i);
    }
  }
  Result<FbxStack> read(int object);
  Result<FbxStack> read_take(int take);

 private:
  Result<FbxLayer> read_layer(int object);
  Status read_curve_node(int object, FbxLayer& layer);
  Status read_weight(int object, FbxLayer& layer);
  FbxChannel& channel(FbxLayer& layer, int model, FbxTarget target);
  void read_old_transform(int transform, int model, FbxLayer& layer);
  // Where the file gives no range, that of the keys.
  static void fit_range(FbxStack& stack);

  const FbxScene& scene_;
  const std::vector<FbxModel>& models_;
  std::vector<int> model_of_;  // by object
};

FbxChannel& StackReader::channel(FbxLayer& layer, int model, FbxTarget target) {
  const auto [found, is_new] = layer.channel_of.emplace(FbxLayer::slot(model, target),
                                                        static_cast<int>(layer.channels.size()));
  if (is_new) {
    const FbxModel& m = models_[static_cast<std::size_t>(model)];
    FbxChannel added;
    added.model = model;
    added.target = target;
    added.constant = m.rest(target);
    layer.channels.push_back(std::move(added));
  }
  return layer.channels[static_cast<std::size_t>(found->second)];
}

Status StackReader::read_curve_node(int object, FbxLayer& layer) {
  for (const FbxLink& link : scene_.parents(object)) {
    const int model = model_of_[static_cast<std::size_t>(link.parent)];
    const bool is_translation = link.property == "Lcl Translation",
               is_rotation = link.property == "Lcl Rotation";
    if (model < 0 || !(is_translation || is_rotation || link.property == "Lcl Scaling")) continue;
    FbxChannel& out = channel(layer, model,
                              is_translation ? FbxTarget::kTranslation
                              : is_rotation  ? FbxTarget::kRotation
                                             : FbxTarget::kScale);
    out.constant = {scene_.property(object, "d|X", out.constant.x),
                    scene_.property(object, "d|Y", out.constant.y),
                    scene_.property(object, "d|Z", out.constant.z)};
    for (const FbxLink& part : scene_.children(object)) {
      if (scene_.object(part.child).kind != "AnimationCurve" || part.property.size() != 3) continue;
      const std::size_t axis = static_cast<std::size_t>(part.property[2] - 'X');
      if (axis > 2) continue;
      Result<FbxCurve> curve = read_curve(scene_, part.child);
      if (!curve) return curve.error();
      out.curves[axis] = std::move(curve).value();
    }
    return {};
  }
  return {};
}

Status StackReader::read_weight(int object, FbxLayer& layer) {
  for (const FbxLink& link : scene_.children(object)) {
    if (scene_.object(link.child).kind != "AnimationCurveNode" || link.property != "Weight")
      continue;
    const int curve_object = scene_.child_of_kind(link.child, "AnimationCurve");
    if (curve_object < 0) continue;
    Result<FbxCurve> curve = read_curve(scene_, curve_object);
    if (!curve) return curve.error();
    layer.weight_curve = std::move(curve).value();
  }
  return {};
}

Result<FbxLayer> StackReader::read_layer(int object) {
  FbxLayer layer;
  layer.weight = scene_.property(object, "Weight", 100.0) / 100;
  const double blend = scene_.property(object, "BlendMode", 0.0);
  layer.blend = blend == 1   ? FbxLayer::Blend::kReplace
                : blend == 2 ? FbxLayer::Blend::kMix
                             : FbxLayer::Blend::kAdd;
  layer.rotation_by_channel = scene_.property(object, "RotationAccumulationMode", 0.0) == 1;
  layer.scale_adds = scene_.property(object, "ScaleAccumulationMode", 0.0) == 1;
  if (const Status status = read_weight(object, layer); !status) return status.error();
  for (const FbxLink& link : scene_.children(object)) {
    if (scene_.object(link.child).kind != "AnimationCurveNode" || !link.property.empty()) continue;
    if (const Status status = read_curve_node(link.child, layer); !status) return status.error();
  }
  return layer;
}

void StackReader::fit_range(FbxStack& stack) {
  if (stack.stop > stack.start && stack.stop - stack.start <= kLongest) return;
  double first = HUGE_VAL, last = -HUGE_VAL;
  for (const FbxLayer& layer : stack.layers) {
    for (const FbxChannel& one : layer.channels) {
      for (const FbxCurve& curve : one.curves) {
        if (curve.empty()) continue;
        first = std::min(first, curve.keys().front().time);
        last = std::max(last, curve.keys().back().time);
      }
    }
  }
  stack.start = first <= last ? first : 0;
  stack.stop = first <= last ? last : 0;
}

Result<FbxStack> StackReader::read(int object) {
  FbxStack stack;
  stack.name = scene_.object(object).name;
  const double ticks = scene_.ticks();
  stack.start = scene_.property(object, "LocalStart", 0.0) / ticks;
  stack.stop = scene_.property(object, "LocalStop", 0.0) / ticks;
  bool any_solo = false;
  std::vector<int> layers;
  for (const FbxLink& link : scene_.children(object)) {
    if (scene_.object(link.child).kind != "AnimationLayer") continue;
    layers.push_back(link.child);
    any_solo = any_solo || scene_.property(link.child, "Solo", 0.0) != 0;
  }
  for (const int layer_object : layers) {
    const bool silent = scene_.property(layer_object, "Mute", 0.0) != 0 ||
                        (any_solo && scene_.property(layer_object, "Solo", 0.0) == 0);
    if (silent) continue;
    Result<FbxLayer> layer = read_layer(layer_object);
    if (!layer) return layer.error();
    stack.layers.push_back(std::move(layer).value());
  }
  fit_range(stack);
  return stack;
}

void StackReader::read_old_transform(int transform, int model, FbxLayer& layer) {
  const FbxDocument& d = scene_.document();
  for (int part = d.first_child(transform); part != FbxDocument::kNone; part = d.next(part)) {
    const std::string_view which = d.text(part, 0);
    if (d.name(part) != "Channel" || (which != "T" && which != "R" && which != "S")) continue;
    FbxChannel& out = channel(layer, model,
                              which == "T"   ? FbxTarget::kTranslation
                              : which == "R" ? FbxTarget::kRotation
                                             : FbxTarget::kScale);
    for (int axis = d.first_child(part); axis != FbxDocument::kNone; axis = d.next(axis)) {
      const std::string_view letter = d.text(axis, 0);
      if (d.name(axis) != "Channel" || letter.size() != 1 || letter[0] < 'X' || letter[0] > 'Z')
        continue;
      const int i = letter[0] - 'X';
      out.constant[i] = d.number(d.child(axis, "Default"), 0, out.constant[i]);
      out.curves[static_cast<std::size_t>(i)] = read_old_curve(scene_, axis);
    }
  }
}

Result<FbxStack> StackReader::read_take(int take) {
  const FbxDocument& d = scene_.document();
  FbxStack stack;
  stack.name = std::string(d.text(take, 0));
  const int range = d.child(take, "LocalTime");
  stack.start = d.number(range, 0, 0) / scene_.ticks();
  stack.stop = d.number(range, 1, 0) / scene_.ticks();
  FbxLayer layer;
  for (int node = d.first_child(take); node != FbxDocument::kNone; node = d.next(node)) {
    const int object = d.name(node) == "Model" ? scene_.find(d.text(node, 0)) : -1;
    const int model = object >= 0 ? model_of_[static_cast<std::size_t>(object)] : -1;
    if (model < 0) continue;
    for (int one = d.first_child(node); one != FbxDocument::kNone; one = d.next(one)) {
      if (d.name(one) == "Channel" && d.text(one, 0) == "Transform")
        read_old_transform(one, model, layer);
    }
  }
  stack.layers.push_back(std::move(layer));
  fit_range(stack);
  return stack;
}

}  // namespace

Result<std::vector<FbxStack>> read_stacks(const FbxScene& scene,
                                          const std::vector<FbxModel>& models) {
  constexpr std::size_t kMaxStacks = 4096;
  std::vector<FbxStack> out;
  StackReader reader(scene, models);
  const FbxDocument& d = scene.document();
  const auto add = [&](Result<FbxStack> stack) -> Status {
    if (!stack) return within("animation", std::move(stack).error());
    if (out.size() >= kMaxStacks) return make_error(ErrorCode::kLimit, "more than 4096 animations");
    out.push_back(std::move(stack).value());
    return {};
  };
  for (std::size_t i = 0; i < scene.objects().size(); ++i) {
    if (scene.objects()[i].kind != "AnimationStack") continue;
    if (const Status status = add(reader.read(static_cast<int>(i))); !status) return status.error();
  }
  if (!out.empty() || d.version() >= 7000) return out;
  for (int take = d.first_child(d.child(0, "Takes")); take != FbxDocument::kNone;
       take = d.next(take)) {
    if (d.name(take) != "Take") continue;
    if (const Status status = add(reader.read_take(take)); !status) return status.error();
  }
  return out;
}

}  // namespace sinew
