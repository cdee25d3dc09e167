// Saving and restoring.
#include <sinew/base/hash.hpp>
#include <sinew/physics/scene_state.hpp>

#include "bullet_impl.hpp"

namespace sinew {

namespace {

void put(ByteWriter& out, Vec3 v) {
  out.put(v.x);
  out.put(v.y);
  out.put(v.z);
}
void put(ByteWriter& out, Quat q) {
  put(out, Vec3{q.x, q.y, q.z});
  out.put(q.w);
}
Vec3 get_vec(ByteReader& in) {
  const auto x = in.get<float>(), y = in.get<float>(), z = in.get<float>();
  return {x, y, z};
}
Quat get_quat(ByteReader& in) {
  const Vec3 v = get_vec(in);
  return {v.x, v.y, v.z, in.get<float>()};
}

struct SavedPin {
  BodyPin pin;
  Vec3 anchor_position;
  Quat anchor_rotation;
};
struct SavedUnit {
  bool asleep;
  float still;
  LayerMask support;
};

}  // namespace

void BulletWorld::flush_caches() { impl_->rebuild(); }

void BulletWorld::save(std::vector<std::byte>& bytes) const {
  const Impl& m = *impl_;
  ByteWriter out(bytes);
  save_bodies(out, m.scene);
  out.put(m.left);
  for (const std::uint32_t index : by_order(m.scene)) {
    const BulletBody& b = m.bodies[index];
    put(out, b.pin.position);
    put(out, b.pin.rotation);
    out.put(b.pin.weight);
    put(out, b.anchor_position);
    put(out, b.anchor_rotation);
  }
  out.put(static_cast<std::uint32_t>(m.unit_order.size()));
  for (const int u : m.unit_order) {
    const SleepUnit& unit = m.units[static_cast<std::size_t>(u)];
    out.put(static_cast<std::uint8_t>(unit.asleep ? 1 : 0));
    out.put(unit.still);
    out.put(unit.support);
    out.put(static_cast<std::uint32_t>(unit.joints.size()));
    for (const std::uint32_t j : unit.joints) {
      put(out, m.joints[j].drive.target);
      out.put(m.joints[j].drive.max_torque);
      put(out, m.joints[j].from);
    }
  }
}

Status BulletWorld::restore(std::span<const std::byte> bytes) {
  Impl& m = *impl_;
  const Error damaged =
      make_error(ErrorCode::kMalformed, "the state of the physics world is damaged");
  ByteReader in(bytes);
  std::vector<SavedBody> saved;
  if (Status status = sinew::read_bodies(in, m.scene, saved); !status) return status;
  const auto left = in.get<double>();
  const std::vector<std::uint32_t> order = by_order(m.scene);
  std::vector<SavedPin> pins(order.size());
  bool good = is_finite(left) && left >= 0;
  for (SavedPin& one : pins) {
    one.pin.position = get_vec(in);
    one.pin.rotation = get_quat(in);
    one.pin.weight = in.get<float>();
    one.anchor_position = get_vec(in);
    one.anchor_rotation = get_quat(in);
    good = good && is_finite(one.pin.position) && is_finite(one.pin.rotation) &&
           is_finite(one.pin.weight) && is_finite(one.anchor_position) &&
           is_finite(one.anchor_rotation);
  }
  m.sort_units();
  if (in.get<std::uint32_t>() != m.unit_order.size()) return damaged;
  std::vector<SavedUnit> units;
  std::vector<std::pair<MotorDrive, Vec3>> drives;
  for (const int u : m.unit_order) {
    const auto asleep = in.get<std::uint8_t>();
    const auto still = in.get<float>();
    const auto support = in.get<LayerMask>();
    units.push_back({asleep != 0, still, support});
    good = good && is_finite(still) && asleep <= 1;
    const std::size_t joints = m.units[static_cast<std::size_t>(u)].joints.size();
    if (in.get<std::uint32_t>() != joints) return damaged;
    for (std::size_t i = 0; i < joints; ++i) {
      MotorDrive drive;
      drive.target = get_vec(in);
      drive.max_torque = in.get<float>();
      const Vec3 from = get_vec(in);
      good = good && is_finite(drive.target) && is_finite(drive.max_torque) && is_finite(from);
      drives.push_back({drive, from});
    }
  }
  if (in.failed() || !in.at_end() || !good) return damaged;

  m.clear_world();
  apply_bodies(saved, m.scene);
  m.left = left;
  for (std::size_t i = 0; i < order.size(); ++i) {
    BulletBody& b = m.bodies[order[i]];
    b.pin = pins[i].pin;
    b.anchor_position = pins[i].anchor_position;
    b.anchor_rotation = pins[i].anchor_rotation;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    SleepUnit& unit = m.units[static_cast<std::size_t>(m.unit_order[i])];
    unit.asleep = units[i].asleep;
    unit.still = units[i].still;
    unit.support = units[i].support;
    for (const std::uint32_t j : unit.joints) {
      m.joints[j].drive = drives[next].first;
      m.joints[j].from = drives[next].second;
      ++next;
    }
  }
  m.rebuild();
  return {};
}

std::uint64_t BulletWorld::state_hash() const {
  std::vector<std::byte> bytes;
  save(bytes);
  Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.value();
}

}  // namespace sinew
