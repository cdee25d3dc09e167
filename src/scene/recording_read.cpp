#include <cstring>

#include <sinew/base/text.hpp>

#include "recording_format.hpp"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxRecordingBytes = std::size_t{4} << 30;

bool is_readable(std::uint32_t version) { return version >= 1 && version <= kRecordingVersion; }

bool get_header(ByteReader& in, RecordingHeader& header) {
  header.version = in.get<std::uint32_t>();
  if (!is_readable(header.version)) return true;  // the rest may mean something else
  header.program = in.text();
  header.scene_name = in.text();
  header.scene_file = in.text();
  header.dt = in.get<float>();
  header.seed = in.get<std::uint64_t>();
  header.max_characters = in.get<std::uint32_t>();
  header.pose_rate = in.get<double>();
  header.ground_height = in.get<float>();
  header.camera.mode = in.get<CameraDef::Mode>();
  header.camera.character = in.get<std::int32_t>();
  header.camera.yaw = in.get<float>();
  header.camera.pitch = in.get<float>();
  header.camera.distance = in.get<float>();
  const auto count = in.get<std::uint32_t>();
  if (!in.fits(count, 16)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    RecordedDefinition def;
    def.name = in.text();
    def.file = in.text();
    def.hash = in.get<std::uint64_t>();
    header.definitions.push_back(std::move(def));
  }
  return is_finite(header.dt) && header.dt > 0 && is_finite(header.pose_rate) &&
         is_finite(header.ground_height) && is_finite(header.camera.yaw) &&
         is_finite(header.camera.pitch) && is_finite(header.camera.distance) &&
         header.camera.mode <= CameraDef::Mode::kFrame;
}

WorldInput get_input(ByteReader& in) {
  WorldInput input;
  input.kind = in.get<WorldInput::Kind>();
  input.flag = in.get<std::uint8_t>() != 0;
  input.character = get_id(in);
  input.index = in.get<std::int32_t>();
  input.number = in.get<double>();
  input.extra = in.get<double>();
  input.vector = get_vec3(in);
  return input;
}

bool get_tick(ByteReader& in, RecordedTick& tick) {
  tick.index = in.get<std::uint64_t>();
  const auto inputs = in.get<std::uint32_t>();
  if (!in.fits(inputs, kInputSize)) return false;
  for (std::uint32_t i = 0; i < inputs; ++i) tick.inputs.push_back(get_input(in));
  tick.hash = in.get<std::uint64_t>();
  const auto characters = in.get<std::uint32_t>();
  if (!in.fits(characters, 24)) return false;
  for (std::uint32_t i = 0; i < characters; ++i) {
    CharacterCheck check;
    check.id = get_id(in);
    check.definition = in.get<std::int32_t>();
    check.hash = in.get<std::uint64_t>();
    const auto joints = in.get<std::uint32_t>();
    if (!in.fits(joints, 2)) return false;
    check.joints.resize(joints);
    in.raw(check.joints.data(), joints * sizeof(std::uint16_t));
    tick.characters.push_back(std::move(check));
  }
  return true;
}

bool get_frame(ByteReader& in, PoseFrame& frame) {
  frame.tick = in.get<std::uint64_t>();
  const auto characters = in.get<std::uint32_t>();
  if (!in.fits(characters, 33)) return false;
  for (std::uint32_t i = 0; i < characters; ++i) {
    RecordedPose pose;
    pose.id = get_id(in);
    pose.definition = in.get<std::int32_t>();
    pose.position = get_vec3(in);
    pose.yaw = in.get<float>();
    const auto joints = in.get<std::uint32_t>();
    const bool scaled = in.get<std::uint8_t>() != 0;
    if (!in.fits(joints, scaled ? 40 : 28)) return false;
    pose.local.resize(joints);
    bool finite = is_finite(pose.position) && is_finite(pose.yaw);
    for (Transform& t : pose.local) {
      t.translation = get_vec3(in);
      t.rotation.x = in.get<float>();
      t.rotation.y = in.get<float>();
      t.rotation.z = in.get<float>();
      t.rotation.w = in.get<float>();
      if (scaled) t.scale = get_vec3(in);
      finite = finite && is_finite(t);
    }
    if (!finite) return false;
    frame.characters.push_back(std::move(pose));
  }
  return true;
}

class RecordingParser {
 public:
  RecordingParser(std::span<const std::byte> bytes, std::string name)
      : bytes_(bytes), name_(std::move(name)), in_(bytes) {}

  Result<Recording> parse() {
    std::array<char, 8> magic{};
    in_.raw(magic.data(), magic.size());
    if (in_.failed() || magic != kRecordingMagic) {
      return make_error(ErrorCode::kMalformed, "is no recording of sinew", name_);
    }
    out_.bytes = bytes_.size();
    while (!ended_) {
      if (in_.at_end()) return cut_short();
      if (Status status = chunk(); !status) return status.error();
    }
    if (!in_.at_end()) return damaged("there is something behind its end", offset());
    return std::move(out_);
  }

 private:
  std::size_t offset() const { return bytes_.size() - in_.left(); }

  Error cut_short() const {
    return make_error(
        ErrorCode::kMalformed,
        format_text("is cut short: it has no end, %zu ticks are whole; record it again",
                    out_.ticks.size()),
        name_);
  }
  Error damaged(const char* what, std::size_t at) const {
    return make_error(
        ErrorCode::kMalformed,
        format_text("is damaged: %s at byte %zu, after %zu whole ticks; copy or record it again",
                    what, at, out_.ticks.size()),
        name_);
  }

  Status chunk() {
    const std::size_t start = offset();
    const auto type = in_.get<Chunk>();
    const auto payload = in_.bytes();
    const auto checksum = in_.get<std::uint64_t>();
    if (in_.failed()) return cut_short();
    if (checksum != chunk_checksum(type, payload))
      return damaged("a checksum does not match", start);
    ByteReader in(payload);
    const bool header_due = !has_header_;
    if (header_due != (type == Chunk::kHeader)) return damaged("the header is out of place", start);
    bool good = true;
    switch (type) {
      case Chunk::kHeader:
        good = get_header(in, out_.header);
        if (good && !in.failed() && !is_readable(out_.header.version)) {
          return make_error(ErrorCode::kUnsupported,
                            format_text("has version %u, this program reads %u",
                                        out_.header.version, kRecordingVersion),
                            name_);
        }
        has_header_ = true;
        break;
      case Chunk::kName: {
        RecordedName name{get_id(in), in.text()};
        out_.names.push_back(std::move(name));
        break;
      }
      case Chunk::kTick: {
        RecordedTick tick;
        good = get_tick(in, tick) && !in.failed();
        all_.u64(tick.hash);
        if (good) out_.ticks.push_back(std::move(tick));
        break;
      }
      case Chunk::kPose: {
        PoseFrame frame;
        good = get_frame(in, frame);
        out_.frames.push_back(std::move(frame));
        break;
      }
      case Chunk::kEnd: {
        const auto ticks = in.get<std::uint64_t>();
        const auto frames = in.get<std::uint64_t>();
        const auto all = in.get<std::uint64_t>();
        if (ticks != out_.ticks.size() || frames != out_.frames.size() || all != all_.value()) {
          return damaged("the end does not fit the ticks", start);
        }
        ended_ = true;
        break;
      }
      default:
        good = false;
    }
    if (!good || in.failed() || !in.at_end())
      return damaged("a part is not as it should be", start);
    return {};
  }

  std::span<const std::byte> bytes_;
  std::string name_;
  ByteReader in_;
  Recording out_;
  Hasher all_;
  bool has_header_ = false, ended_ = false;
};

}  // namespace

std::string Recording::name_of(CharacterId id) const {
  for (const RecordedName& one : names) {
    if (one.id == id) return one.name;
  }
  return format_text("character %u", id.index);
}

Result<Recording> parse_recording(std::span<const std::byte> bytes, const std::string& name) {
  return RecordingParser(bytes, name).parse();
}

Result<Recording> read_recording(const fs::path& file) {
  Result<std::string> text = read_text_file(file, kMaxRecordingBytes);
  if (!text) return std::move(text).error();
  return parse_recording(std::as_bytes(std::span(text->data(), text->size())), file.string());
}

}  // namespace sinew
