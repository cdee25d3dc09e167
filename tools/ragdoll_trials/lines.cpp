#include "lines.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/base/text.hpp>

namespace sinew::trials {

namespace {

constexpr double kMillimetres = 1000;
constexpr double kDegrees = 57.29577951308232;

std::string label(const char* ground, int falls, const Rig& rig) {
  return format_text("%s, %d falls on %s", rig.name.c_str(), falls, ground);
}

Line line(int number, std::string what, double value, double limit, std::string unit,
          std::string detail, bool at_least = false) {
  return {number, std::move(what), value, limit, at_least, std::move(unit), std::move(detail)};
}

struct GroundName {
  Ground kind;
  const char* name;
};
constexpr GroundName kBoth[] = {{Ground::kPlane, "plane"}, {Ground::kStairs, "stairs"}};

FallDef on(Ground kind, int seed, const Counts& counts) {
  FallDef def;
  def.ground.kind = kind;
  def.seed = static_cast<std::uint64_t>(seed + 1);
  def.seconds = counts.seconds;
  return def;
}

// Hills that a body can lie on: 64 cells of 0.5 m, up to 1 m high.
std::shared_ptr<const HeightField> hills() {
  HeightFieldDef def;
  def.columns = def.rows = 65;
  def.cell = 0.5f;
  def.origin = {-16, 0, -16};
  for (int z = 0; z < 65; ++z) {
    for (int x = 0; x < 65; ++x) {
      def.heights.push_back(0.5f * sin(0.4f * static_cast<float>(x)) *
                                cos(0.33f * static_cast<float>(z)) +
                            0.05f * sin(1.7f * static_cast<float>(x + z)));
    }
  }
  return HeightField::build(std::move(def)).value();
}

}  // namespace

Lines line_14(const Rig& rig, const Counts& counts) {
  float worst = 0;
  for (int i = 0; i < counts.falls; ++i) {
    FallDef def = on(Ground::kPlane, i, counts);
    def.seconds = 0;
    worst = max(worst, fall(rig, def).momentum_error);
  }
  return {line(14, "momentum error at the hand-over", 100 * static_cast<double>(worst), 5, "%",
               label("plane", counts.falls, rig))};
}

Lines lines_15_16(const Rig& rig, const Counts& counts) {
  Lines out;
  for (const auto& [kind, name] : kBoth) {
    std::vector<float> gaps, overshoots;
    float largest = 0;
    for (int i = 0; i < counts.falls; ++i) {
      const FallResult r = fall(rig, on(kind, i, counts));
      gaps.insert(gaps.end(), r.gaps.begin(), r.gaps.end());
      overshoots.insert(overshoots.end(), r.overshoots.begin(), r.overshoots.end());
      largest = max(largest, r.largest_gap);
    }
    const std::string detail = label(name, counts.falls, rig);
    out.push_back(line(15, "anchor gap, 99th percentile",
                       kMillimetres * static_cast<double>(percentile(gaps, 0.99f)), 5, "mm",
                       detail));
    out.push_back(line(15, "anchor gap, largest", kMillimetres * static_cast<double>(largest), 50,
                       "mm", detail));
    out.push_back(line(16, "limit overshoot, 99th percentile",
                       kDegrees * static_cast<double>(percentile(overshoots, 0.99f)), 3, "deg",
                       detail));
  }
  return out;
}

Lines line_17(const Rig& rig, const Counts& counts) {
  Lines out;
  for (const auto& [kind, name] : kBoth) {
    int settled = 0;
    for (int i = 0; i < counts.settles; ++i) {
      settled += fall(rig, on(kind, i, counts)).settled_at >= 0;
    }
    out.push_back(line(17, "settled within 10 s", 100.0 * settled / counts.settles, 98, "%",
                       label(name, counts.settles, rig), true));
  }
  return out;
}

Lines line_18(const Rig& rig, const Counts& counts) {
  float largest = 0, later = 0;
  for (int i = 0; i < counts.falls; ++i) {
    FallDef def = on(Ground::kPlane, i, counts);
    def.impulse = 1000;
    def.cap = false;
    def.seconds = 2.1f;
    const FallResult r = fall(rig, def);
    largest = max(largest, r.largest_gap);
    later = max(later, r.gap_at_2s);
  }
  const std::string detail = label("plane", counts.falls, rig);
  return {line(18, "gap after 1,000 N s", kMillimetres * static_cast<double>(largest), 150, "mm",
               detail),
          line(18, "gap 2 s later", kMillimetres * static_cast<double>(later), 20, "mm", detail)};
}

Lines line_19(const Rig& rig, const Counts& counts) {
  Lines out;
  const auto field = hills();
  for (const auto& [kind, name] :
       {GroundName{Ground::kPlane, "plane"}, {Ground::kField, "hills"}}) {
    float rise = 0, speed = 0;
    for (int i = 0; i < counts.falls; ++i) {
      FallDef def = on(kind, i, counts);
      def.ground.field = field;
      def.impulse = 0;
      def.moving = false;
      def.sunk = 0.5f * rig.height;
      def.seconds = 5;
      const FallResult r = fall(rig, def);
      rise = max(rise, r.rise);
      speed = max(speed, r.top_speed);
    }
    const std::string detail = label(name, counts.falls, rig);
    out.push_back(line(19, "half buried: rise", static_cast<double>(rise), 1, "m", detail));
    out.push_back(
        line(19, "half buried: top speed", static_cast<double>(speed), 10, "m/s", detail));
  }
  return out;
}

namespace {

// A fall whose world is flushed every half second, with the state after each tick.
struct Replay {
  BulletWorld world;
  Actor actor;
  std::vector<std::uint64_t> hashes;
  static constexpr int kEvery = 30;

  Replay(const Rig& rig, int seed) : world(), actor(prepare(rig, world, seed)) {}
  static Actor prepare(const Rig& rig, BulletWorld& world, int seed) {
    GroundDef ground;
    ground.kind = Ground::kStairs;
    ground.unit = rig.height / 1.75f;
    add_ground(world, ground);
    Actor actor(rig, world, 1000);
    Random random(static_cast<std::uint64_t>(seed));
    actor.play(
        rig.model->clips.empty() ? -1 : random.below(static_cast<int>(rig.model->clips.size())),
        random.in(0, 1));
    actor.place({0, 0.5f * rig.height, 0}, random.in(-3, 3));
    actor.animate(0);
    actor.animate(1 / 60.f);
    actor.ragdoll.release(world, rig.def.all(), actor.moving(1 / 60.f));
    actor.ragdoll.hit(world, random.below(rig.def.body_count()), random.direction() * 50,
                      {0, 0.5f * rig.height, 0});
    return actor;
  }
  void tick(int i) {
    world.step(1 / 60.f);
    if (i % kEvery == kEvery - 1) world.flush_caches();
    hashes.push_back(world.state_hash());
  }
};

}  // namespace

Lines line_20(const Rig& rig, const Counts& counts) {
  const int ticks = static_cast<int>(60 * min(counts.seconds, 5));
  const int snapshots[] = {Replay::kEvery - 1, 2 * Replay::kEvery - 1, 4 * Replay::kEvery - 1};
  int different = 0, restored_different = 0;
  Replay first(rig, 7), again(rig, 7);
  std::vector<std::vector<std::byte>> saved(std::size(snapshots));
  for (int i = 0; i < ticks; ++i) {
    first.tick(i);
    again.tick(i);
    different += first.hashes.back() != again.hashes.back();
    for (std::size_t k = 0; k < saved.size(); ++k) {
      if (i == snapshots[k]) first.world.save(saved[k]);
    }
  }
  for (std::size_t k = 0; k < saved.size(); ++k) {
    Replay restored(rig, 8);  // another fall, which is replaced
    for (int i = 0; i < 11; ++i) restored.tick(i);
    if (!restored.world.restore(saved[k])) ++restored_different;
    for (int i = snapshots[k] + 1; i < ticks; ++i) {
      restored.tick(i);
      restored_different += restored.hashes.back() != first.hashes[static_cast<std::size_t>(i)];
    }
  }
  const std::string detail = format_text("%s, %d ticks on stairs", rig.name.c_str(), ticks);
  return {line(20, "ticks that differ in a replay", different, 0, "ticks", detail),
          line(20, "ticks that differ after a restore", restored_different, 0, "ticks",
               detail + ", 3 snapshots")};
}

Lines line_21(const Rig& rig, const Counts& counts) {
  Lines out;
  std::vector<float> apart;
  for (int i = 0; i < counts.pairs; ++i) {
    FallDef def = on(Ground::kPlane, i, counts);
    const Vec3 at_60 = fall(rig, def).rest;
    for (const float rate : {30.0f, 144.0f}) {
      def.rate = rate;
      apart.push_back(distance(fall(rig, def).rest, at_60));
    }
  }
  out.push_back(line(21, "resting places at 30, 60 and 144 frames, 95th percentile",
                     100 * static_cast<double>(percentile(apart, 0.95f)), 5, "cm",
                     label("plane", counts.pairs, rig)));
  return out;
}

}  // namespace sinew::trials
