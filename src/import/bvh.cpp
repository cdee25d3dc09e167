#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include <sinew/base/text.hpp>
#include <sinew/import/bvh.hpp>

#include "mocap_model.hpp"
#include "text_scanner.hpp"

namespace sinew {
namespace {

constexpr std::size_t kMaxDepth = 1024;
constexpr std::int64_t kMaxChannelsOfJoint = 9;
constexpr std::uint64_t kDefaultMaxBytes = 512ull << 20;
constexpr double kShortestFrame = 1e-6, kLongestFrame = 3600;  // seconds

// 0 to 2: position along X, Y, Z; 3 to 5: rotation about them.
constexpr std::array<std::string_view, 6> kChannelNames = {"Xposition", "Yposition", "Zposition",
                                                           "Xrotation", "Yrotation", "Zrotation"};

class BvhReader {
 public:
  BvhReader(std::string_view text, const BvhOptions& options) : in_(text), options_(options) {}

  Result<Model> read(std::string_view name);

 private:
  // A block whose brace is open: a joint, or an end site.
  struct Block {
    int index;
    bool is_end;
    std::size_t opened_at;
    bool has_offset = false, has_child = false, has_channels = false;
  };

  Status read_hierarchy();
  Status read_item(Block& block, std::string_view keyword);
  Status open_joint(int parent);
  Status open_end(int joint);
  Status open_brace(std::size_t where, std::string_view what);
  void close_block();
  Status read_offset(Block& block);
  Status read_channels(Block& block);
  Status read_double(double& out);
  void note_duplicate_names();

  Status read_motion();
  Status read_motion_header(std::int64_t& frames, double& frame_time, std::size_t& frame_time_at);
  Status read_rows(std::int64_t announced);
  void add_row(std::span<const double> row);
  void warn(std::string code, std::string message, std::size_t offset) {
    add_warning(findings_, std::move(code), std::move(message), in_, offset);
  }

  TextScanner in_;
  const BvhOptions& options_;
  MocapSkeleton skeleton_;
  std::vector<std::vector<std::uint8_t>> channels_;  // by joint, in the file's order
  std::size_t channel_count_ = 0;
  std::vector<Block> open_;
  MocapMotion motion_;
  std::size_t row_count_ = 0;
  Findings findings_;
};

Status BvhReader::read_double(double& out) {
  const std::string_view word = in_.word();
  if (!parse_number(word, out)) return in_.error(number_fault(word));
  return {};
}

Status BvhReader::open_brace(std::size_t where, std::string_view what) {
  const std::string_view brace = in_.word();
  if (brace != "{") {
    return in_.error("expected '{' after the " + std::string(what) + " of " + in_.place(where) +
                     ", found " + (brace.empty() ? "the end of the file" : quoted(brace)));
  }
  if (open_.size() >= kMaxDepth) {
    return make_error(ErrorCode::kLimit, "the hierarchy is more than 1024 levels deep",
                      in_.place(where));
  }
  return {};
}

Status BvhReader::open_joint(int parent) {
  const std::size_t where = in_.last_word();
  // The rest of the line is the name: some programs write blanks into it.
  const std::string_view name = in_.name_on_line();
  if (skeleton_.joints.size() >= static_cast<std::size_t>(kMaxJoints)) {
    return make_error(ErrorCode::kLimit, format_text("more than %d joints", kMaxJoints),
                      in_.place(where));
  }
  if (name.empty()) warn("bvh.no_name", "a joint has no name", where);
  if (const Status status = open_brace(where, "name"); !status) return status;
  open_.push_back({static_cast<int>(skeleton_.joints.size()), false, where});
  skeleton_.joints.push_back({std::string(name), parent, {}});
  channels_.emplace_back();
  return {};
}

Status BvhReader::open_end(int joint) {
  const std::size_t where = in_.last_word();
  std::string_view name = in_.name_on_line();
  if (name.size() >= 4 && same_word(name.substr(0, 4), "site")) {
    name.remove_prefix(4);
    while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
  }
  if (skeleton_.ends.size() >= static_cast<std::size_t>(kMaxJoints)) {
    return make_error(ErrorCode::kLimit, format_text("more than %d end sites", kMaxJoints),
                      in_.place(where));
  }
  if (const Status status = open_brace(where, "end site"); !status) return status;
  open_.push_back({static_cast<int>(skeleton_.ends.size()), true, where});
  const std::string& parent = skeleton_.joints[static_cast<std::size_t>(joint)].name;
  skeleton_.ends.push_back({name.empty() ? parent + "_End" : std::string(name), joint, {}});
  return {};
}

Status BvhReader::read_offset(Block& block) {
  const std::size_t where = in_.last_word();
  if (block.has_offset) return in_.error_at(where, "a second OFFSET in one block");
  block.has_offset = true;
  Double3 offset;
  for (double* value : {&offset.x, &offset.y, &offset.z}) {
    if (const Status status = read_double(*value); !status) return status;
  }
  const std::size_t index = static_cast<std::size_t>(block.index);
  (block.is_end ? skeleton_.ends[index].offset : skeleton_.joints[index].offset) = offset;
  return {};
}

Status BvhReader::read_channels(Block& block) {
  const std::size_t where = in_.last_word();
  // The rows hold the channels in the order of the joints, which is lost if a child comes first.
  if (block.has_child)
    return in_.error_at(where, "CHANNELS must stand before the joint's children");
  if (block.has_channels) return in_.error_at(where, "a second CHANNELS in one block");
  block.has_channels = true;
  std::int64_t count = 0;
  const std::string_view count_word = in_.word();
  if (!parse_count(count_word, count) || count > kMaxChannelsOfJoint) {
    return in_.error("the number of channels must be 0 to 9, not " + quoted(count_word));
  }
  std::vector<std::uint8_t>& channels = channels_[static_cast<std::size_t>(block.index)];
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string_view word = in_.word();
    const auto found = std::find_if(kChannelNames.begin(), kChannelNames.end(),
                                    [&](std::string_view name) { return same_word(name, word); });
    if (found == kChannelNames.end()) {
      return in_.error(quoted(word) + " is no channel (" + std::to_string(count) +
                       " are announced)" + did_you_mean(word, kChannelNames));
    }
    const std::uint8_t channel = static_cast<std::uint8_t>(found - kChannelNames.begin());
    if (channel < 3 && std::find(channels.begin(), channels.end(), channel) != channels.end()) {
      return in_.error("the channel " + std::string(*found) + " stands twice in one joint");
    }
    channels.push_back(channel);
  }
  channel_count_ += channels.size();
  return {};
}

void BvhReader::close_block() {
  const Block block = open_.back();
  open_.pop_back();
  if (block.has_offset) return;
  const std::size_t index = static_cast<std::size_t>(block.index);
  warn("bvh.no_offset",
       quoted(block.is_end ? skeleton_.ends[index].name : skeleton_.joints[index].name) +
           " has no OFFSET, so that it lies on its parent",
       block.opened_at);
}

Status BvhReader::read_item(Block& block, std::string_view keyword) {
  if (keyword == "}") {
    close_block();
    return {};
  }
  if (same_word(keyword, "OFFSET")) return read_offset(block);
  if (!block.is_end) {
    if (same_word(keyword, "CHANNELS")) return read_channels(block);
    const int joint = block.index;  // opening a block moves the list that `block` lies in
    if (same_word(keyword, "JOINT")) {
      block.has_child = true;
      return open_joint(joint);
    }
    if (same_word(keyword, "End") || same_word(keyword, "EndSite")) {
      block.has_child = true;
      return open_end(joint);
    }
  }
  const std::string opened = in_.place(block.opened_at);
  if (keyword.empty() || same_word(keyword, "MOTION")) {
    return in_.error("the block opened at " + opened + " is not closed: a '}' is missing");
  }
  static constexpr std::array<std::string_view, 5> kKeywords = {"OFFSET", "CHANNELS", "JOINT",
                                                                "End Site", "}"};
  return in_.error("unexpected " + quoted(keyword) + " in the block opened at " + opened +
                   did_you_mean(keyword, kKeywords));
}

Status BvhReader::read_hierarchy() {
  if (const std::string_view first = in_.word(); !same_word(first, "HIERARCHY")) {
    return in_.error("a BVH file begins with HIERARCHY, this one with " +
                     (first.empty() ? "nothing" : quoted(first)));
  }
  while (true) {
    const std::string_view keyword = in_.word();
    if (!open_.empty()) {
      if (const Status status = read_item(open_.back(), keyword); !status) return status;
    } else if (same_word(keyword, "ROOT")) {
      if (const Status status = open_joint(-1); !status) return status;
    } else if (same_word(keyword, "MOTION") && !skeleton_.joints.empty()) {
      return {};
    } else {
      static constexpr std::array<std::string_view, 2> kKeywords = {"ROOT", "MOTION"};
      return in_.error(
          std::string("expected ") + (skeleton_.joints.empty() ? "ROOT" : "ROOT or MOTION") +
          ", found " + (keyword.empty() ? "the end of the file" : quoted(keyword)) +
          (keyword == "}" ? ": there is one '}' too many" : did_you_mean(keyword, kKeywords)));
    }
  }
}

void BvhReader::note_duplicate_names() {
  std::vector<std::string_view> names;
  for (const MocapJoint& joint : skeleton_.joints) names.push_back(joint.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end() || twice->empty()) return;
  add_warning(findings_, "bvh.duplicate_name",
              "the joint name " + quoted(*twice) + " occurs more than once", "hierarchy",
              "refer to joints by index, or rename them");
}

Status BvhReader::read_motion_header(std::int64_t& frames, double& frame_time,
                                     std::size_t& frame_time_at) {
  bool has_frames = false, has_time = false;
  while (!has_frames || !has_time) {
    in_.at_end();
    const std::string_view line = in_.rest_of_line();
    const std::size_t where = in_.last_word();
    // "Frame Time: 0.0333": the value is behind the colon, or the last word where there is none.
    std::size_t split = line.find(':');
    split = split != std::string_view::npos ? split + 1 : line.find_last_of(" \t") + 1;
    std::string key;
    for (const char c : line.substr(0, split)) {
      if (c != ' ' && c != '\t' && c != ':') key += c;
    }
    TextScanner rest(line.substr(split));
    const std::string_view value = rest.word();
    const std::size_t value_at = where + split + rest.last_word();
    const bool is_frames = same_word(key, "Frames"), is_time = same_word(key, "FrameTime");
    if ((is_frames || is_time) && !rest.at_end()) {
      return in_.error_at(value_at, "one number must follow " + quoted(line.substr(0, split)));
    }
    if (is_frames && !has_frames) {
      has_frames = true;
      if (!parse_count(value, frames)) {
        return in_.error_at(value_at,
                            "the number of frames must be a whole number, not " + quoted(value));
      }
    } else if (is_time && !has_time) {
      has_time = true;
      frame_time_at = value_at;
      if (!parse_number(value, frame_time)) return in_.error_at(value_at, number_fault(value));
    } else {
      return in_.error(std::string("expected '") + (has_frames ? "Frame Time:" : "Frames:") +
                       "', found " + (line.empty() ? "the end of the file" : quoted(line)));
    }
  }
  return {};
}

void BvhReader::add_row(std::span<const double> row) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const MocapJoint& joint = skeleton_.joints[i];
    std::array<double, 3> place = {joint.offset.x, joint.offset.y, joint.offset.z};
    Quat64 rotation;
    bool moves = false, rotates = false;
    for (const std::uint8_t channel : channels_[i]) {
      const double value = row[at++];
      if (channel < 3) {
        place[channel] = options_.add_offset ? place[channel] + value : value;
        moves = true;
      } else {
        rotation = rotation * axis_rotation(channel - 3, value);
        rotates = true;
      }
    }
    const double scale = skeleton_.metres_per_unit;
    if (moves) {
      motion_.tracks[i].add_translation({place[0] * scale, place[1] * scale, place[2] * scale});
    }
    if (rotates) motion_.tracks[i].add_rotation(rotation);
  }
  ++row_count_;
}

// A row may span lines, but ends at a line end: so that a line which is too short or too long is
// found where it stands and does not shift all that follows.
Status BvhReader::read_rows(std::int64_t announced) {
  std::vector<double> row(channel_count_);
  std::size_t filled = 0;
  while (!in_.at_end()) {
    const std::string_view word = in_.word_on_line();
    if (channel_count_ == 0) return in_.error("no joint has channels, but there are rows");
    if (!parse_number(word, row[filled])) {
      return in_.error(format_text("frame %zu, value %zu: ", row_count_ + 1, filled + 1) +
                       number_fault(word));
    }
    if (++filled < channel_count_) continue;
    if (!in_.at_line_end()) {
      return in_.error_at(
          in_.offset(), format_text("frame %zu: the channels take %zu values, but the line goes on",
                                    row_count_ + 1, channel_count_));
    }
    add_row(row);
    filled = 0;
  }
  if (filled != 0) {
    warn("bvh.row_cut_off",
         format_text("the last row has %zu of %zu values and is left out", filled, channel_count_),
         in_.offset());
  }
  if (static_cast<std::int64_t>(row_count_) != announced) {
    add_warning(findings_, "bvh.frame_count",
                format_text("%lld frames are announced, %zu are there: those are taken",
                            static_cast<long long>(announced), row_count_),
                "motion");
  }
  return {};
}

Status BvhReader::read_motion() {
  std::int64_t announced = 0;
  double frame_time = 0;
  std::size_t frame_time_at = 0;
  if (const Status status = read_motion_header(announced, frame_time, frame_time_at); !status) {
    return status;
  }
  motion_.tracks.resize(skeleton_.joints.size());
  if (const Status status = read_rows(announced); !status) return status;
  if (options_.frame_time > 0) frame_time = options_.frame_time;
  const bool usable = frame_time >= kShortestFrame && frame_time <= kLongestFrame;
  if (row_count_ > 1 && !usable) {
    return in_.error_at(frame_time_at, "the frame time must be from 1e-6 s to 3600 s");
  }
  motion_.times.reserve(row_count_);
  for (std::size_t i = 0; i < row_count_; ++i) {
    motion_.times.push_back(static_cast<float>(static_cast<double>(i) * frame_time));
  }
  if (row_count_ > 0) motion_.duration = static_cast<double>(row_count_ - 1) * frame_time;
  return {};
}

Result<Model> BvhReader::read(std::string_view name) {
  if (const Status status = read_hierarchy(); !status) return status.error();
  note_duplicate_names();
  if (options_.metres_per_unit > 0) {
    skeleton_.metres_per_unit = options_.metres_per_unit;
  } else if (options_.unit != LengthUnit::kAuto) {
    skeleton_.metres_per_unit = metres_per(options_.unit);
  } else {
    skeleton_.metres_per_unit = guess_unit(skeleton_, 0, "bvh.unit", findings_);
    skeleton_.unit_from = LengthSource::From::kGuess;
  }
  if (const Status status = read_motion(); !status) return status.error();
  if (options_.up == UpAxis::kY && stands_along_z(skeleton_, motion_)) {
    add_warning(findings_, "bvh.up_axis",
                "the body stands along Z in the first frame, but Y is taken as up", "motion",
                "read it with Z up");
  }
  return build_mocap_model(skeleton_, std::move(motion_), options_.end_sites, options_.up, name,
                           std::move(findings_));
}

Status check(const BvhOptions& options) {
  const bool unit_ok = options.metres_per_unit >= 0 && options.metres_per_unit <= 1e6;
  const bool time_ok = options.frame_time >= 0 && options.frame_time <= kLongestFrame;
  if (unit_ok && time_ok) return {};
  return make_error(ErrorCode::kInvalidArgument, unit_ok ? "frame_time must be from 0 to 3600 s"
                                                         : "metres_per_unit must be from 0 to 1e6");
}

std::uint64_t byte_limit(const BvhOptions& options) {
  return options.max_bytes > 0 ? options.max_bytes : kDefaultMaxBytes;
}

}  // namespace

Result<Model> parse_bvh(std::string_view text, std::string_view name, const BvhOptions& options) {
  if (const Status status = check(options); !status) return status.error();
  if (text.size() > byte_limit(options)) {
    return make_error(ErrorCode::kLimit, "the text is larger than the limit", std::string(name));
  }
  Result<Model> model = BvhReader(text, options).read(name);
  if (!model) return within(name, std::move(model).error());
  return model;
}

Result<Model> load_bvh(const std::string& path, const BvhOptions& options) {
  Result<std::string> text = read_text_file(path, byte_limit(options));
  if (!text) return std::move(text).error();
  return parse_bvh(*text, path, options);
}

}  // namespace sinew
