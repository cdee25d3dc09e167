#include <algorithm>
#include <chrono>
#include <cmath>

#include <sinew/base/bytes.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/math/smooth.hpp>
#include <sinew/scene/scene_run.hpp>

namespace sinew {

PatrolStep step_patrol(const PatrolDef& patrol, float heading, Vec3 to_target, float target_speed,
                       float speed, float dt) {
  PatrolStep step;
  const float wanted = atan2(to_target.x, to_target.z);
  step.turn = wrap_angle(smooth_angle(heading, wanted, patrol.turn_half_life, dt) - heading);
  // The circle walked at speed v while turning at rate w has radius v / w. With the speed falling
  // to a tenth at right angles it stays well inside the reach of a way-point.
  const float off = abs(wrap_angle(wanted - heading));
  const float share = off >= kHalfPi ? 0.1f : 0.1f + 0.9f * cos(off);
  step.speed = smooth(speed, target_speed * share, patrol.speed_half_life, dt);
  return step;
}

SceneRun::SceneRun(const Scene& scene, JobSystem* jobs)
    : scene_(&scene),
      world_(
          {.max_characters = std::max(1, scene.max_characters), .seed = scene.seed, .jobs = jobs}),
      actors_(scene.characters.size()),
      counts_(scene.characters.size()),
      visit_of_state_(scene.characters.size()) {
  for (const LoadedCharacter& one : scene.definitions) world_.add_definition(one.def);
  for (std::size_t i = 0; i < scene.characters.size(); ++i) {
    const SceneCharacter& one = scene.characters[i];
    const CharacterDef& def = scene.definitions[static_cast<std::size_t>(one.definition)].def;
    counts_[i].name = one.name;
    counts_[i].definition = def.name();
    counts_[i].position = one.position;
    visit_of_state_[i].assign(static_cast<std::size_t>(def.controller().state_count()), -1);
  }
  costs_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(scene.tick_count(), 1u << 24)));
  inputs_.reserve(256);
}

int SceneRun::index_of(CharacterId id) const {
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    if (actors_[i].id == id) return static_cast<int>(i);
  }
  return -1;
}

void SceneRun::spawn(int character) {
  const auto i = static_cast<std::size_t>(character);
  const SceneCharacter& one = scene_->characters[i];
  Actor& actor = actors_[i];
  actor.spawned = true;
  actor.id = world_.spawn(scene_->definitions[static_cast<std::size_t>(one.definition)].def,
                          {one.position, one.yaw});
  for (WorldInput input : one.parameters) {
    input.character = actor.id;
    world_.apply(input);
  }
}

namespace {

// Whether some way-point lies out of reach of another: else a loop would circle one place.
bool leads_away(const PatrolDef& patrol) {
  const Vec3 first = patrol.points.front().position;
  return std::any_of(patrol.points.begin(), patrol.points.end(), [&](const WayPoint& point) {
    const Vec3 way = point.position - first;
    return length(Vec3{way.x, 0, way.z}) >= patrol.reach;
  });
}

}  // namespace

void SceneRun::patrol(int character) {
  const auto i = static_cast<std::size_t>(character);
  const PatrolDef& patrol = scene_->characters[i].patrol;
  Actor& actor = actors_[i];
  if (!patrol.active()) return;
  const WayPoint& point = patrol.points[actor.way_point];
  Vec3 to = point.position - world_.position(actor.id);
  to.y = 0;
  if (!actor.arrived && actor.wait <= 0 && length(to) < patrol.reach) {
    ++counts_[i].way_points;
    actor.wait = static_cast<double>(point.wait);
    if (actor.way_point + 1 < patrol.points.size()) {
      ++actor.way_point;
    } else if (patrol.loop && leads_away(patrol)) {
      actor.way_point = 0;
    } else {
      actor.arrived = true;
    }
    to = patrol.points[actor.way_point].position - world_.position(actor.id);
    to.y = 0;
  }
  const bool stands = actor.arrived || actor.wait > 0;
  PatrolStep step;
  if (stands) {
    actor.wait -= static_cast<double>(scene_->dt);
    step.speed = smooth(actor.speed, 0, patrol.speed_half_life, scene_->dt);
  } else {
    step = step_patrol(patrol, world_.yaw(actor.id), to, patrol.points[actor.way_point].speed,
                       actor.speed, scene_->dt);
  }
  actor.speed = step.speed;
  if (patrol.speed_parameter)
    world_.set(actor.id, patrol.speed_parameter, static_cast<double>(step.speed));
  MoveCommand move;
  move.turn = step.turn;
  if (patrol.move == PatrolDef::Move::kParameter) {
    move.velocity = rotate(from_yaw(world_.yaw(actor.id) + step.turn), {0, 0, step.speed});
    move.with_root_motion = false;
  }
  world_.move(actor.id, move);
}

void SceneRun::give_inputs(int character) {
  const auto i = static_cast<std::size_t>(character);
  const SceneCharacter& one = scene_->characters[i];
  Actor& actor = actors_[i];
  const double dt = static_cast<double>(scene_->dt);
  // A time counts for the first tick that begins at or after it; the small share forgives times
  // that are a multiple of dt but for rounding.
  const auto due = [&](double at) { return at <= (static_cast<double>(next_) + 1e-6) * dt; };
  if (!actor.spawned && due(one.spawn_at)) spawn(character);
  if (!world_.alive(actor.id)) return;
  while (actor.script < one.script.size() && due(one.script[actor.script].at)) {
    WorldInput input = one.script[actor.script++].input;
    input.character = actor.id;
    world_.apply(input);
    if (!world_.alive(actor.id)) return;
  }
  patrol(character);
}

void SceneRun::count(int character) {
  const auto i = static_cast<std::size_t>(character);
  CharacterSummary& out = counts_[i];
  const Actor& actor = actors_[i];
  out.alive = world_.alive(actor.id);
  if (!out.alive) return;
  const Vec3 position = world_.position(actor.id);
  const Vec3 step = position - out.position;
  const double moved = static_cast<double>(length(Vec3{step.x, 0, step.z}));
  // A jump by a "place" is no walk.
  const bool placed = std::any_of(inputs_.begin(), inputs_.end(), [&](const WorldInput& input) {
    return input.character == actor.id &&
           (input.kind == WorldInput::Kind::kPlace || input.kind == WorldInput::Kind::kSpawn);
  });
  if (!placed) {
    out.distance += moved;
    out.top_speed = std::max(out.top_speed, moved / static_cast<double>(scene_->dt));
  }
  out.position = position;
  const CharacterDef& def = *world_.definition(actor.id);
  for (int layer = 0; layer < def.controller().layer_count(); ++layer) {
    const StateId state = world_.layer(actor.id, layer).current;
    if (!state) continue;
    int& visit = visit_of_state_[i][static_cast<std::size_t>(state.index)];
    if (visit < 0) {
      visit = static_cast<int>(out.states.size());
      out.states.push_back({def.controller().state_path(state), 0, 0});
    }
    out.states[static_cast<std::size_t>(visit)].seconds += static_cast<double>(scene_->dt);
  }
}

void SceneRun::step() {
  for (int i = 0; i < static_cast<int>(actors_.size()); ++i) give_inputs(i);
  const std::span<const WorldInput> given = world_.inputs();
  inputs_.assign(given.begin(), given.end());

  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  world_.update({next_, scene_->dt});
  costs_.push_back(std::chrono::duration<float>(Clock::now() - start).count());
  ++next_;

  hash_ = world_.state_hash();
  Hasher chain;
  chain.u64(run_hash_);
  chain.u64(hash_);
  run_hash_ = chain.value();

  for (int i = 0; i < static_cast<int>(actors_.size()); ++i) count(i);
  for (const StateEvent& event : world_.events<StateEvent>()) {
    const int who = index_of(event.character);
    if (who < 0) continue;
    CharacterSummary& out = counts_[static_cast<std::size_t>(who)];
    if (event.kind == StateEventOut::Kind::kTransitionStarted) ++out.transitions;
    if (event.kind == StateEventOut::Kind::kEntered) {
      int& visit = visit_of_state_[static_cast<std::size_t>(who)]
                                  [static_cast<std::size_t>(event.state.index)];
      if (visit < 0) {
        visit = static_cast<int>(out.states.size());
        out.states.push_back(
            {world_.definition(event.character)->controller().state_path(event.state), 0, 0});
      }
      ++out.states[static_cast<std::size_t>(visit)].entries;
    }
  }
  for (const ClipEventFired& event : world_.events<ClipEventFired>()) {
    const int who = index_of(event.character);
    if (who < 0) continue;
    ++counts_[static_cast<std::size_t>(who)]
          .events[std::string(world_.definition(event.character)->event_name(event.event))];
  }
}

SceneSummary SceneRun::summary() const {
  SceneSummary out;
  out.scene = scene_->name;
  out.ticks = next_;
  out.seconds = static_cast<double>(next_) * static_cast<double>(scene_->dt);
  out.hash = hash_;
  out.run_hash = run_hash_;
  out.dropped_events = world_.dropped_events();
  out.cost = tick_cost(costs_);
  out.characters = counts_;
  for (const CharacterSummary& one : counts_) {
    out.transitions += one.transitions;
    for (const auto& [name, times] : one.events) out.events += times;
  }
  return out;
}

TickCost tick_cost(std::vector<float> seconds) {
  TickCost cost;
  if (seconds.empty()) return cost;
  std::sort(seconds.begin(), seconds.end());
  const std::size_t count = seconds.size();
  const auto rank = [&](double share) {
    const auto r = static_cast<std::size_t>(std::ceil(share * static_cast<double>(count)));
    return static_cast<double>(seconds[std::clamp<std::size_t>(r, 1, count) - 1]);
  };
  cost = {count, static_cast<double>(seconds.front()), rank(0.5), rank(0.99),
          static_cast<double>(seconds.back())};
  return cost;
}

// ---- snapshots of a run

namespace {
constexpr std::uint32_t kRunMagic = 0x4e525753;  // "SWRN"
}

void SceneRun::save(std::vector<std::byte>& bytes) const {
  std::vector<std::byte> world;
  world_.save(world);
  ByteWriter out(bytes);
  out.put(kRunMagic);
  out.put(next_);
  out.put(hash_);
  out.put(run_hash_);
  out.put(static_cast<std::uint32_t>(actors_.size()));
  for (const Actor& actor : actors_) {
    out.put(actor.id.index);
    out.put(actor.id.generation);
    out.put(static_cast<std::uint8_t>(actor.spawned ? 1 : 0));
    out.put(actor.way_point);
    out.put(actor.speed);
    out.put(actor.wait);
    out.put(static_cast<std::uint8_t>(actor.arrived ? 1 : 0));
    out.put(actor.script);
  }
  out.bytes(world);
}

Status SceneRun::restore(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.get<std::uint32_t>() != kRunMagic) {
    return make_error(ErrorCode::kMalformed, "these bytes are no snapshot of a scene");
  }
  const auto next = in.get<std::uint64_t>();
  const auto hash = in.get<std::uint64_t>();
  const auto run_hash = in.get<std::uint64_t>();
  if (in.get<std::uint32_t>() != actors_.size()) {
    return make_error(ErrorCode::kMismatch,
                      "the snapshot belongs to a scene with other characters");
  }
  std::vector<Actor> actors(actors_.size());
  bool good = true;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    Actor& actor = actors[i];
    actor.id.index = in.get<std::uint32_t>();
    actor.id.generation = in.get<std::uint32_t>();
    actor.spawned = in.get<std::uint8_t>() != 0;
    actor.way_point = in.get<std::uint32_t>();
    actor.speed = in.get<float>();
    actor.wait = in.get<double>();
    actor.arrived = in.get<std::uint8_t>() != 0;
    actor.script = in.get<std::uint32_t>();
    const SceneCharacter& one = scene_->characters[i];
    good = good && is_finite(actor.speed) && is_finite(actor.wait) &&
           (actor.way_point < one.patrol.points.size() || !one.patrol.active()) &&
           actor.script <= one.script.size();
  }
  const std::span<const std::byte> world = in.bytes();
  if (in.failed() || !in.at_end() || !good) {
    return make_error(ErrorCode::kMalformed, "the snapshot is damaged or cut short");
  }
  if (Status status = world_.restore(world); !status) return status;
  actors_ = std::move(actors);
  next_ = next;
  hash_ = hash;
  run_hash_ = run_hash;
  for (std::size_t i = 0; i < actors_.size(); ++i)
    counts_[i].position = world_.position(actors_[i].id);
  return {};
}

}  // namespace sinew
