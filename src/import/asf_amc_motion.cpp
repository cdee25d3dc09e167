// The .amc half: values of every degree of freedom, frame by frame.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include <sinew/base/text.hpp>

#include "asf_amc_parts.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr double kUsualRate = 120;
constexpr double kRadians = 180 / 3.14159265358979323846;

class AmcReader {
 public:
  AmcReader(std::string_view text, const AmcContext& context, Findings& findings)
      : in_(text),
        bones_(context.skeleton.bones),
        context_(context),
        findings_(findings),
        degrees_(context.skeleton.degrees) {}

  Result<MocapMotion> read();

 private:
  struct BoneState {
    std::vector<double> values;      // the last ones read, one per degree of freedom
    std::int64_t seen = -1;          // the frame's index
    std::size_t missing = 0;         // frames without it
    std::int64_t first_missing = 0;  // the number of the first
  };

  Status read_header(std::string_view key);
  Status read_frame_number(std::string_view number);
  Status read_bone(std::string_view name);
  void finish_frame();
  void add_key(std::size_t bone);
  void note_unknown(std::string_view name, std::string_view reason, std::size_t at);
  void report(std::int64_t first, std::int64_t last);

  TextScanner in_;
  const std::vector<AsfBone>& bones_;
  const AmcContext& context_;
  Findings& findings_;
  bool degrees_;
  double rate_ = kUsualRate;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::vector<BoneState> state_;
  std::vector<std::int64_t> numbers_;  // of the frames
  std::size_t lines_taken_ = 0;
  MocapMotion motion_;
};

Status AmcReader::read_header(std::string_view key) {
  if (same_word(key, ":DEGREES")) {
    degrees_ = true;
  } else if (same_word(key, ":RADIANS")) {
    degrees_ = false;
  } else if (same_word(key, ":SAMPLES-PER-SECOND") || same_word(key, ":FPS")) {
    const std::string_view number = in_.word_on_line();
    if (!parse_number(number, rate_)) return in_.error(number_fault(number));
    if (!(rate_ >= 1e-3 && rate_ <= 1e5))
      return in_.error("the rate must be from 0.001 to 100000 a second");
  } else if (!same_word(key, ":FULLY-SPECIFIED")) {
    add_warning(findings_, "amc.unknown_header", quoted(key) + " is not known and is left out", in_,
                in_.last_word());
  }
  in_.rest_of_line();
  return {};
}

Status AmcReader::read_frame_number(std::string_view number) {
  std::int64_t value = 0;
  const std::size_t at = in_.last_word();
  if (!parse_count(number, value))
    return in_.error("a frame number must be a whole number, not " + quoted(number));
  if (!in_.at_line_end())
    return in_.error_at(in_.offset(), "a frame number must stand alone on its line");
  if (!numbers_.empty()) {
    finish_frame();
    if (value <= numbers_.back()) {
      return in_.error_at(
          at, format_text("frame %lld stands behind frame %lld", static_cast<long long>(value),
                          static_cast<long long>(numbers_.back())));
    }
  }
  numbers_.push_back(value);
  return {};
}

void AmcReader::note_unknown(std::string_view name, std::string_view reason, std::size_t at) {
  std::string message = "the bone " + quoted(name) + std::string(reason);
  const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const Finding& f) {
    return f.code == "amc.unknown_bone" && f.message.starts_with(message);
  });
  const std::ptrdiff_t alike =
      std::count_if(findings_.begin(), findings_.end(),
                    [](const Finding& f) { return f.code == "amc.unknown_bone"; });
  if (known || alike >= 8) return;
  std::vector<std::string_view> names;
  for (const AsfBone& bone : bones_) names.push_back(bone.name);
  message += did_you_mean(name, names);
  add_warning(findings_, "amc.unknown_bone", std::move(message), in_, at);
}

Status AmcReader::read_bone(std::string_view name) {
  const std::size_t at = in_.last_word();
  if (numbers_.empty()) return in_.error_at(at, "expected a frame number, found " + quoted(name));
  const auto found = by_name_.find(name);
  if (found == by_name_.end() || bones_[found->second].freedoms.empty()) {
    note_unknown(name,
                 found == by_name_.end() ? " is not in the skeleton and is left out"
                                         : " has no degree of freedom and is left out",
                 at);
    in_.rest_of_line();
    return {};
  }
  const std::size_t index = found->second;
  BoneState& state = state_[index];
  const std::int64_t frame = static_cast<std::int64_t>(numbers_.size());
  if (state.seen == frame)
    return in_.error_at(at, "the bone " + quoted(name) + " stands twice in one frame");
  state.seen = frame;
  std::size_t count = 0;
  while (!in_.at_line_end()) {
    const std::string_view word = in_.word_on_line();
    double value = 0;
    if (!parse_number(word, value)) return in_.error(number_fault(word));
    if (count < state.values.size()) state.values[count] = value;
    ++count;
  }
  if (count != state.values.size()) {
    return in_.error_at(at, format_text("%s has %zu degrees of freedom, but %zu values",
                                        quoted(name).c_str(), state.values.size(), count));
  }
  ++lines_taken_;
  return {};
}

void AmcReader::add_key(std::size_t index) {
  const AsfBone& bone = bones_[index];
  std::array<double, 3> turn{}, move{};
  bool rotates = false, moves = false;
  for (std::size_t i = 0; i < bone.freedoms.size(); ++i) {
    const Freedom freedom = bone.freedoms[i];
    const double value = state_[index].values[i];
    if (freedom < kFreedomTranslation) {
      turn[freedom] = degrees_ ? value : value * kRadians;
      rotates = true;
    } else if (freedom < kFreedomLength) {
      move[freedom - kFreedomTranslation] = value;
      moves = true;
    }
  }
  if (rotates) {
    Quat64 m;
    for (const int axis : bone.order)
      m = axis_rotation(axis, turn[static_cast<std::size_t>(axis)]) * m;
    motion_.tracks[index].add_rotation(bone.axis * m * conjugate(bone.axis));
  }
  if (moves) {
    const double scale = context_.joints.metres_per_unit;
    const Double3& offset = context_.joints.joints[index].offset;
    const Double3 moved = {move[0], move[1], move[2]};
    // The root moves along the axes of the world, a bone along its own.
    const Double3 t = index == 0 ? moved : rotate(bone.axis, moved);
    motion_.tracks[index].add_translation(
        {(offset.x + t.x) * scale, (offset.y + t.y) * scale, (offset.z + t.z) * scale});
  }
}

void AmcReader::finish_frame() {
  const std::int64_t frame = static_cast<std::int64_t>(numbers_.size());
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    if (bones_[i].freedoms.empty()) continue;
    BoneState& state = state_[i];
    if (state.seen != frame && state.missing++ == 0) state.first_missing = numbers_.back();
    add_key(i);
  }
}

void AmcReader::report(std::int64_t first, std::int64_t last) {
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    const BoneState& state = state_[i];
    if (state.missing == 0) continue;
    add_warning(findings_, "amc.missing_bone",
                format_text("%zu of %zu frames lack the bone %s, which holds its pose",
                            state.missing, numbers_.size(), quoted(bones_[i].name).c_str()),
                "frame " + std::to_string(state.first_missing));
  }
  const std::int64_t gaps = last - first + 1 - static_cast<std::int64_t>(numbers_.size());
  if (gaps == 0) return;
  std::size_t i = 1;
  while (numbers_[i] == numbers_[i - 1] + 1) ++i;
  add_warning(findings_, "amc.frame_gap",
              format_text("%lld frame numbers are missing: the motion is interpolated there",
                          static_cast<long long>(gaps)),
              "frame " + std::to_string(numbers_[i - 1]));
}

Result<MocapMotion> AmcReader::read() {
  for (std::size_t i = 0; i < bones_.size(); ++i) {
    by_name_.emplace(bones_[i].name, i);
    state_.push_back({std::vector<double>(bones_[i].freedoms.size(), 0.0), -1, 0, 0});
  }
  motion_.tracks.resize(bones_.size());
  while (!in_.at_end()) {
    const std::string_view word = in_.word_on_line();
    Status status;
    if (word.starts_with('#')) {
      in_.rest_of_line();
    } else if (word.starts_with(':')) {
      status = read_header(word);
    } else if (word.front() >= '0' && word.front() <= '9') {
      status = read_frame_number(word);
    } else {
      status = read_bone(word);
    }
    if (!status) return status.error();
  }
  if (numbers_.empty()) return std::move(motion_);
  finish_frame();
  if (lines_taken_ == 0) {
    return make_error(ErrorCode::kMismatch,
                      "no bone of the motion is in the skeleton: they do not belong together");
  }
  const std::int64_t first = numbers_.front(), last = numbers_.back();
  // A far number is a damaged file, and would make a clip of hours out of few keys.
  if (last - first > 10000 + 16 * static_cast<std::int64_t>(numbers_.size())) {
    return make_error(
        ErrorCode::kLimit,
        format_text("the frame numbers reach from %lld to %lld, but there are only %zu frames",
                    static_cast<long long>(first), static_cast<long long>(last), numbers_.size()));
  }
  if (context_.frame_rate > 0) rate_ = context_.frame_rate;
  for (const std::int64_t number : numbers_) {
    motion_.times.push_back(static_cast<float>(static_cast<double>(number - first) / rate_));
  }
  motion_.duration = static_cast<double>(last - first) / rate_;
  report(first, last);
  return std::move(motion_);
}

}  // namespace

Result<MocapMotion> parse_amc(std::string_view text, const AmcContext& context,
                              Findings& findings) {
  return AmcReader(text, context, findings).read();
}

}  // namespace sinew
