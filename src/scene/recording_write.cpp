#include <cmath>
#include <optional>

#include <sinew/import/output_file.hpp>
#include <sinew/pose/pose.hpp>

#include "recording_format.hpp"

namespace sinew {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t kBlock = std::size_t{1} << 18;  // bytes written at once
}  // namespace

struct RecordingWriter::Impl {
  fs::path file;
  std::optional<OutputFile> out;
  std::vector<std::byte> waiting;  // bytes that have not been handed to the system yet
  RecordingHeader header;
  std::vector<std::byte> payload;
  std::vector<Transform> local;
  std::uint64_t bytes = 0, ticks = 0, frames = 0;
  double next_frame = 0;  // seconds
  Hasher all;

  Status write(std::span<const std::byte> data) {
    waiting.insert(waiting.end(), data.begin(), data.end());
    bytes += data.size();
    return waiting.size() < kBlock ? Status{} : flush();
  }

  Status flush() {
    Status status =
        out->write({reinterpret_cast<const std::uint8_t*>(waiting.data()), waiting.size()});
    waiting.clear();
    return status;
  }

  // Writes `payload` as a chunk.
  Status chunk(Chunk type) {
    std::vector<std::byte> frame;
    ByteWriter head(frame);
    head.put(type);
    head.bytes(payload);
    head.put(chunk_checksum(type, payload));
    return write(frame);
  }

  void put_poses(ByteWriter& writer, const World& world, CharacterId id);
  Status add_frame(const World& world, const Tick& tick);
};

namespace {

void put_header(ByteWriter& out, const RecordingHeader& header) {
  out.put(header.version);
  out.text(header.program);
  out.text(header.scene_name);
  out.text(header.scene_file);
  out.put(header.dt);
  out.put(header.seed);
  out.put(header.max_characters);
  out.put(header.pose_rate);
  out.put(header.ground_height);
  out.put(header.camera.mode);
  out.put(static_cast<std::int32_t>(header.camera.character));
  out.put(header.camera.yaw);
  out.put(header.camera.pitch);
  out.put(header.camera.distance);
  out.put(static_cast<std::uint32_t>(header.definitions.size()));
  for (const RecordedDefinition& def : header.definitions) {
    out.text(def.name);
    out.text(def.file);
    out.put(def.hash);
  }
}

void put_input(ByteWriter& out, const WorldInput& input) {
  out.put(input.kind);
  out.put(static_cast<std::uint8_t>(input.flag ? 1 : 0));
  put_id(out, input.character);
  out.put(input.index);
  out.put(input.number);
  out.put(input.extra);
  put_vec3(out, input.vector);
}

std::int32_t definition_of(const World& world, CharacterId id) {
  const CharacterDef* def = world.definition(id);
  const auto known = world.definitions();
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (def && known[i] == *def) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace

RecordingHeader make_recording_header(const Scene& scene) {
  RecordingHeader header;
  header.program = "sinew " SINEW_VERSION;
  header.scene_name = scene.name;
  header.scene_file = scene.file_name;
  header.dt = scene.dt;
  header.seed = scene.seed;
  header.max_characters = static_cast<std::uint32_t>(scene.max_characters);
  header.pose_rate = scene.pose_rate;
  header.ground_height = scene.ground.height;
  header.camera = scene.camera;
  for (const LoadedCharacter& one : scene.definitions) {
    header.definitions.push_back({one.def.name(), one.file_name, one.def.hash()});
  }
  return header;
}

RecordingWriter::RecordingWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordingWriter::~RecordingWriter() = default;
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

Result<RecordingWriter> RecordingWriter::open(const fs::path& file, const RecordingHeader& header) {
  auto impl = std::make_unique<Impl>();
  impl->file = file;
  impl->header = header;
  Result<OutputFile> out = OutputFile::create(file);
  if (!out) return std::move(out).error();
  impl->out.emplace(std::move(out).value());
  if (Status status = impl->write(std::as_bytes(std::span(kRecordingMagic))); !status) {
    return status.error();
  }
  ByteWriter writer(impl->payload);
  put_header(writer, header);
  if (Status status = impl->chunk(Chunk::kHeader); !status) return status.error();
  return RecordingWriter(std::move(impl));
}

Status RecordingWriter::add_name(CharacterId id, std::string_view name) {
  impl_->payload.clear();
  ByteWriter out(impl_->payload);
  put_id(out, id);
  out.text(name);
  return impl_->chunk(Chunk::kName);
}

Status RecordingWriter::add_tick(const World& world, const Tick& tick,
                                 std::span<const WorldInput> inputs) {
  Impl& impl = *impl_;
  impl.payload.clear();
  ByteWriter out(impl.payload);
  const std::uint64_t hash = world.state_hash();
  out.put(tick.index);
  out.put(static_cast<std::uint32_t>(inputs.size()));
  for (const WorldInput& input : inputs) put_input(out, input);
  out.put(hash);
  out.put(static_cast<std::uint32_t>(world.characters().size()));
  for (const CharacterId id : world.characters()) {
    put_id(out, id);
    out.put(definition_of(world, id));
    out.put(world.character_hash(id));
    const std::span<const Mat3x4> model = world.model_matrices(id);
    out.put(static_cast<std::uint32_t>(model.size()));
    for (const Mat3x4& m : model) out.put(joint_check(m));
  }
  impl.all.u64(hash);
  ++impl.ticks;
  if (Status status = impl.chunk(Chunk::kTick); !status) return status;
  if (!(impl.header.pose_rate > 0)) return {};
  const double now = static_cast<double>(tick.index) * static_cast<double>(tick.dt);
  if (now + 1e-9 < impl.next_frame) return {};
  impl.next_frame = std::floor(now * impl.header.pose_rate + 1 + 1e-6) / impl.header.pose_rate;
  return impl.add_frame(world, tick);
}

void RecordingWriter::Impl::put_poses(ByteWriter& writer, const World& world, CharacterId id) {
  const Skeleton& skeleton = world.definition(id)->skeleton();
  put_id(writer, id);
  writer.put(definition_of(world, id));
  put_vec3(writer, world.position(id));
  writer.put(world.yaw(id));
  local.resize(static_cast<std::size_t>(skeleton.joint_count()));
  from_pose(skeleton, world.local_pose(id), local);
  bool scaled = false;
  for (const Transform& t : local) scaled = scaled || !(t.scale == Vec3{1, 1, 1});
  writer.put(static_cast<std::uint32_t>(local.size()));
  writer.put(static_cast<std::uint8_t>(scaled ? 1 : 0));
  for (const Transform& t : local) {
    put_vec3(writer, t.translation);
    writer.put(t.rotation.x);
    writer.put(t.rotation.y);
    writer.put(t.rotation.z);
    writer.put(t.rotation.w);
    if (scaled) put_vec3(writer, t.scale);
  }
}

Status RecordingWriter::Impl::add_frame(const World& world, const Tick& tick) {
  payload.clear();
  ByteWriter writer(payload);
  writer.put(tick.index);
  writer.put(static_cast<std::uint32_t>(world.characters().size()));
  for (const CharacterId id : world.characters()) put_poses(writer, world, id);
  ++frames;
  return chunk(Chunk::kPose);
}

Status RecordingWriter::finish() {
  Impl& impl = *impl_;
  impl.payload.clear();
  ByteWriter out(impl.payload);
  out.put(impl.ticks);
  out.put(impl.frames);
  out.put(impl.all.value());
  if (Status status = impl.chunk(Chunk::kEnd); !status) return status;
  if (Status status = impl.flush(); !status) return status;
  return impl.out->commit();
}

std::uint64_t RecordingWriter::bytes() const { return impl_->bytes; }

}  // namespace sinew
