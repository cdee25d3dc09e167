// Powered ragdolls, cost, coverage, controller, surfaces.
#include <algorithm>
#include <cmath>
#include <ctime>

#include <sinew/base/text.hpp>
#include <sinew/physics/capsule_controller.hpp>
#include <sinew/physics/null_world.hpp>

#include "lines.hpp"

namespace sinew::trials {

namespace {

constexpr double kDegrees = 57.29577951308232;

// Processor time of this thread, seconds: other programs do not count.
double thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Root mean square over the joints of the angle between wanted and actual rotation of child in
// parent.
double joint_error(const Rig& rig, const Actor& actor) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 1; i < actor.now().size(); ++i) {
    const auto parent = static_cast<std::size_t>(rig.def.bodies()[i].parent);
    const Quat wanted = conjugate(actor.now()[parent].rotation) * actor.now()[i].rotation;
    const Quat is = conjugate(actor.states[parent].rotation) * actor.states[i].rotation;
    const double angle = static_cast<double>(angle_between(normalize(wanted), normalize(is)));
    sum += angle * angle;
    ++count;
  }
  return std::sqrt(sum / std::max(1, count));
}

}  // namespace

Lines line_22(const Rig& rig, const std::string& clip, const Counts&) {
  int index = rig.model->clips.empty() ? -1 : 0;
  if (!clip.empty()) {
    if (const Result<int> found = rig.model->find_clip(clip)) index = *found;
  }
  BulletWorld world;
  GroundDef ground;
  add_ground(world, ground);
  Actor actor(rig, world, 1000);
  actor.play(index, 0.1f);
  // In the air: what is measured is how the joints follow, not what the feet meet.
  actor.place({0, 3, 0}, 0);
  actor.animate(0);
  actor.animate(1 / 60.f);
  actor.ragdoll.release(world, rig.def.all(), actor.moving(1 / 60.f));
  const float strength = 1;
  double sum = 0;
  int count = 0;
  const auto tick = [&] {
    actor.animate(1 / 60.f);
    actor.ragdoll.drive(world, actor.now(), std::span(&strength, 1), 1);
    world.step(1 / 60.f);
    actor.read(world);
    return joint_error(rig, actor);
  };
  for (int i = 0; i < 300; ++i) {
    const double error = tick();
    sum += error * error;
    ++count;
  }
  const double rms = kDegrees * std::sqrt(sum / count);
  int head = 0;
  for (int i = 0; i < rig.def.body_count(); ++i) {
    const JointRole role = rig.model->roles.role(rig.def.body(i).joint);
    if (role == JointRole::kHead || (head == 0 && role == JointRole::kNeck)) head = i;
  }
  actor.ragdoll.hit(world, head, {0, 0, -20},
                    actor.states[static_cast<std::size_t>(head)].position);
  double back = 0;
  for (int i = 0; i < 120; ++i) {
    if (kDegrees * tick() > 2) back = (i + 1) / 60.0;
  }
  const std::string detail =
      rig.name + ", clip '" +
      (index >= 0 ? rig.model->clips[static_cast<std::size_t>(index)].name : "rest pose") + "'";
  return {{22, "powered: joints behind the clip, RMS", rms, 2, false, "deg", detail + ", 5 s"},
          {22, "powered: back after 20 N s to the head", back, 0.7, false, "s", detail}};
}

namespace {

struct Crowd {
  BulletWorld world;
  std::vector<Actor> actors;

  Crowd(const Rig& rig, int count, float apart) {
    add_ground(world, {});
    Random random(3);
    for (int i = 0; i < count; ++i) {
      actors.emplace_back(rig, world, static_cast<std::uint64_t>(1000 * (i + 1)));
      Actor& actor = actors.back();
      const int clips = static_cast<int>(rig.model->clips.size());
      actor.play(clips > 0 ? random.below(clips) : -1, random.in(0, 1));
      actor.place({apart * static_cast<float>(i % 10), 0.4f * rig.height,
                   apart * static_cast<float>(i / 10)},
                  random.in(-3, 3));
      actor.animate(0);
      actor.animate(1 / 60.f);
      actor.ragdoll.release(world, rig.def.all(), actor.moving(1 / 60.f));
    }
  }
  bool all_asleep() const {
    return std::all_of(actors.begin(), actors.end(),
                       [&](const Actor& a) { return world.asleep(a.ragdoll.bodies()[0]); });
  }
};

std::vector<float> timed(BulletWorld& world, int ticks) {
  std::vector<float> times;
  for (int i = 0; i < ticks; ++i) {
    const double start = thread_time();
    world.step(1 / 60.f);
    times.push_back(static_cast<float>(thread_time() - start));
  }
  return times;
}

}  // namespace

Lines line_24(const Rig& rig, const Counts& counts) {
  Lines out;
  {
    // Awake all the time: thrown up anew whenever they come to rest.
    Crowd crowd(rig, 10, 2.5f * rig.height);
    std::vector<float> times;
    Random random(5);
    const auto run = [&](int ticks, bool keep) {
      for (int i = 0; i < ticks; ++i) {
        if (i % 90 == 0) {
          for (Actor& actor : crowd.actors) {
            crowd.world.wake(actor.ragdoll.bodies()[0]);
            actor.read(crowd.world);
            Vec3 push = random.direction() * (6 * rig.def.body(0).mass);
            push.y = abs(push.y);
            actor.ragdoll.hit(crowd.world, 0, push, actor.states[0].position);
          }
        }
        const std::vector<float> one = timed(crowd.world, 1);
        if (keep) times.push_back(one[0]);
      }
    };
    run(counts.ticks, false);
    const std::size_t before = BulletWorld::pool_bytes();
    run(counts.ticks, true);
    const double grown = static_cast<double>(BulletWorld::pool_bytes() - before);
    const std::string detail = format_text("%s, %d bodies each, %d ticks", rig.name.c_str(),
                                           rig.def.body_count(), counts.ticks);
    out.push_back({24, "10 awake ragdolls, 99th percentile",
                   1000 * static_cast<double>(percentile(times, 0.99f)), 3, false, "ms", detail});
    out.push_back({24, "10 awake ragdolls, median",
                   1000 * static_cast<double>(percentile(times, 0.5f)), 3, false, "ms", detail});
    out.push_back({24, "memory taken after the warm-up", grown, 0, false, "bytes", detail});
  }
  Crowd crowd(rig, 100, 2.5f * rig.height);
  int waited = 0;
  while (!crowd.all_asleep() && waited < 60 * 60) {
    crowd.world.step(1 / 60.f);
    ++waited;
  }
  const std::string detail =
      format_text("%s, asleep after %.1f s", rig.name.c_str(), waited / 60.0);
  const std::vector<float> times = timed(crowd.world, counts.ticks);
  out.push_back({24, "100 asleep ragdolls, 99th percentile",
                 1000 * static_cast<double>(percentile(times, 0.99f)), 0.2, false, "ms", detail});
  return out;
}

Lines line_25(const Rig& rig, const Counts& counts) {
  Lines out{{25, "skin within 2 cm of its body's shape",
             100 * static_cast<double>(rig.coverage.share()), 90, true, "%",
             format_text("%s, %d vertices", rig.name.c_str(), rig.coverage.vertices)}};
  for (const Lines& more : {lines_15_16(rig, counts), line_17(rig, counts), line_18(rig, counts),
                            line_19(rig, counts)}) {
    for (Line line : more) {
      line.what = format_text("(%d) %s", line.number, line.what.c_str());
      line.number = 25;
      out.push_back(std::move(line));
    }
  }
  return out;
}

namespace {

BodyId add(PhysicsWorld& world, const Shape& shape, Vec3 position, Quat rotation = {},
           Motion motion = Motion::kStatic) {
  BodyDef def;
  def.shapes = std::span(&shape, 1);
  def.state.position = position;
  def.state.rotation = rotation;
  def.motion = motion;
  if (motion == Motion::kKinematic) def.layer = kLayerPlatform;
  const Result<BodyId> id = world.add_body(def);
  return id ? *id : BodyId{};
}

void drop(const PhysicsWorld& world, const CapsuleControllerDef& def,
          CapsuleControllerState& state) {
  for (int i = 0; i < 300 && !state.grounded; ++i) move_capsule(world, def, {}, 1 / 60.f, state);
}

double slope_jitter() {
  NullWorld world;
  const CapsuleControllerDef def;
  const float slope = 45 * kDegToRad;
  add(world, Shape::plane(), {}, from_axis_angle(kAxisX, -slope));
  CapsuleControllerState state;
  state.position = {0, 0.5f, 0};
  drop(world, def, state);
  const float hang = def.radius * (1 / cos(slope) - 1);
  float worst = 0;
  for (int i = 0; i < 240; ++i) {
    move_capsule(world, def, {{0.3f, 0, i < 120 ? 2.0f : -2.0f}, 0}, 1 / 60.f, state);
    worst = max(worst, abs(state.position.y - state.position.z * tan(slope) - hang));
  }
  return 1000 * static_cast<double>(worst);
}

// Residual to the nearest series that never falls.
double step_jitter() {
  NullWorld world;
  const CapsuleControllerDef def;
  add(world, Shape::plane(), {});
  for (int i = 0; i < 6; ++i) {
    const float height = 0.3f * static_cast<float>(i + 1);
    add(world, Shape::box({2, 0.5f * height, 0.15f}),
        {0, 0.5f * height, 1.15f + 0.3f * static_cast<float>(i)});
  }
  CapsuleControllerState state;
  drop(world, def, state);
  float top = 0, worst = 0;
  for (int i = 0; i < 120; ++i) {
    move_capsule(world, def, {{0, 0, 1.3f}, 0}, 1 / 60.f, state);
    top = max(top, state.position.y);
    worst = max(worst, 0.5f * (top - state.position.y));
  }
  return top < 1.5f ? 1e9 : 1000 * static_cast<double>(worst);
}

double platform_jitter() {
  NullWorld world;
  const CapsuleControllerDef def;
  const BodyId lift = add(world, Shape::box({2, 0.1f, 2}), {}, {}, Motion::kKinematic);
  CapsuleControllerState state;
  state.position = {0.4f, 0.15f, 0};
  drop(world, def, state);
  float worst = 0;
  for (int i = 1; i <= 360; ++i) {
    const float t = static_cast<float>(i) / 60;
    const Vec3 at{0.8f * sin(t), 1.5f * (1 - cos(1.5f * t)), 0};
    const Quat q = from_yaw(0.3f * t);
    world.move_kinematic(std::span(&lift, 1), std::span(&at, 1), std::span(&q, 1));
    move_capsule(world, def, {}, 1 / 60.f, state);
    world.step(1 / 60.f);
    worst = max(worst, abs(state.position.y - at.y - 0.1f));
  }
  return 1000 * static_cast<double>(worst);
}

}  // namespace

Lines line_26() {
  return {{26, "controller: height jitter on a slope of 45 degrees", slope_jitter(), 2, false, "mm",
           "2 m/s up and down"},
          {26, "controller: height jitter on steps of 0.3 m", step_jitter(), 2, false, "mm",
           "six steps"},
          {26, "controller: height jitter on a platform", platform_jitter(), 2, false, "mm",
           "up, aside and turning, 6 s"}};
}

Lines line_27() {
  HeightFieldDef def;
  def.columns = 50;
  def.rows = 40;
  def.cell = 0.7f;
  Random random(9);
  for (int i = 0; i < 50 * 40; ++i) def.heights.push_back(random.in(0, 0.6f));
  for (int i = 0; i < 49 * 39; ++i)
    def.materials.push_back(static_cast<std::uint8_t>(random.below(5)));
  def.surfaces = {4, 3, 2, 1};  // material 4 is not in the list
  const auto field = HeightField::build(def).value();
  TriangleMeshDef mesh_def;
  for (int i = 0; i < field->triangle_count(); ++i) {
    const Triangle t = field->triangle(i);
    for (const Vec3 p : {t.a, t.b, t.c}) {
      mesh_def.indices.push_back(static_cast<std::uint32_t>(mesh_def.positions.size()));
      mesh_def.positions.push_back(p);
    }
    mesh_def.materials.push_back(static_cast<std::uint16_t>(random.below(9)));
  }
  mesh_def.surfaces = {0, 7, 6, 5, 9, 8};
  const auto mesh = TriangleMesh::build(mesh_def).value();
  int wrong = 0, total = 0;
  const auto check = [&](const Shape& shape, auto&& triangle, auto&& expected, int count) {
    NullWorld world;
    const Quat q = from_yaw(0.4f);
    add(world, shape, {3, 1, -2}, q);
    for (int i = 0; i < count; ++i) {
      const Triangle t = triangle(i);
      const Vec3 centre = Vec3{3, 1, -2} + rotate(q, (t.a + t.b + t.c) / 3);
      const Vec3 n = rotate(q, normalize_or(cross(t.b - t.a, t.c - t.a), kAxisY));
      Hit hit;
      const bool met = world.cast(RayCast{centre + n * 0.05f, -n, 0.1f, {}}, hit);
      ++total;
      wrong += !(met && hit.triangle == i && hit.surface == expected(i));
    }
  };
  check(
      Shape::terrain(field), [&](int i) { return field->triangle(i); },
      [&](int i) {
        const std::uint8_t material = def.materials[static_cast<std::size_t>(i / 2)];
        return material < 4 ? def.surfaces[material] : kDefaultSurface;
      },
      field->triangle_count());
  check(
      Shape::terrain(mesh), [&](int i) { return mesh->triangle(i); },
      [&](int i) {
        const std::uint16_t material = mesh_def.materials[static_cast<std::size_t>(i)];
        return material < 6 ? mesh_def.surfaces[material] : kDefaultSurface;
      },
      mesh->triangle_count());
  return {{27, "surface right by triangle", 100.0 * (total - wrong) / total, 100, true, "%",
           format_text("%d triangles of a field and a mesh", total)}};
}

}  // namespace sinew::trials
