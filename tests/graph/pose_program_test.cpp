// Controllers over real clips: binding, running the program, moving the root.
#include <cmath>
#include <memory>

#include <sinew/pose/pose_task.hpp>
#include <sinew/pose/root_motion.hpp>

#include "bodies.hpp"
#include "count_new.hpp"
#include "graph_run.hpp"

namespace sinew {
namespace {

using namespace sinew::build;

// A clip of 1 s in which the second joint stands `value` metres to the side of its place and the
// root walks forward at `speed` metres a second, turning left at `turn` radians a second.
Clip make_clip(const Skeleton& skeleton, const char* name, float value, float speed,
               float turn = 0) {
  RawClip raw;
  raw.name = name;
  raw.duration = 1;
  raw.loop = true;
  raw.annotations.root_motion.enabled = true;
  raw.annotations.events.push_back({0.25f, "foot", 0, 0, ""});
  JointTrack root;
  root.joint = 0;
  const Transform rest = skeleton.rest(0);
  for (int i = 0; i <= 20; ++i) {
    const float t = static_cast<float>(i) / 20;
    root.translation.times.push_back(t);
    root.translation.values.push_back(rest.translation + Vec3{0, 0, speed * t});
    root.rotation.times.push_back(t);
    root.rotation.values.push_back(Quat{0, std::sin(turn * t / 2), 0, std::cos(turn * t / 2)} *
                                   rest.rotation);
  }
  JointTrack side;
  side.joint = 1;
  side.translation.times = {0};
  side.translation.values = {skeleton.rest(1).translation + Vec3{value, 0, 0}};
  raw.tracks = {root, side};
  Result<Clip> clip = Clip::build(raw, skeleton, {.sample_rate = 20});
  EXPECT_TRUE(clip.ok());
  return std::move(*clip);
}

class PoseProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    body_ =
        testing::make_body(testing::person_parts(), testing::role_names(testing::person_parts()));
    const Skeleton& s = body_.skeleton;
    clips_.push_back(make_clip(s, "A", 0, 1));
    clips_.push_back(make_clip(s, "B", 0.1f, 2));
    clips_.push_back(make_clip(s, "C", 0.3f, 0, 1));
    for (const Clip& clip : clips_) {
      paths_.push_back(RootPath::build(clip, s, clip.annotations().root_motion));
    }
    for (std::size_t i = 0; i < clips_.size(); ++i) {
      clip_pointers_.push_back(&clips_[i]);
      path_pointers_.push_back(&paths_[i]);
    }
    mask_ = JointMask::uniform(s, 0.5f);
    mask_pointers_ = {&mask_};
    context_.skeleton = &s;
    context_.clips = clip_pointers_;
    context_.root_paths = path_pointers_;
    context_.masks = mask_pointers_;
  }

  // Starts to run `builder` over the clips.
  void begin(const ControllerBuilder& builder) {
    def_ = compiled(builder);
    motions_ = bind_motions(def_, clip_pointers_, &findings_);
    instance_ = std::make_unique<ControllerInstance>(def_);
    buffers_ = std::make_unique<ControllerBuffers>(def_);
    const auto groups = static_cast<std::size_t>(body_.skeleton.group_count());
    stack_ = std::make_unique<PoseStack>(
        static_cast<int>(groups), static_cast<int>(def_.limits().stack_depth), motions_.partial);
    make_channels();
    context_.memory = motions_.memory_shape(def_);
    stored_.resize(pose_memory_size(body_.skeleton, context_.memory));
    PoseMemory(body_.skeleton, context_.memory, stored_).reset(context_.defaults());
    pose_ = Pose(body_.skeleton);
  }
  void make_channels() {
    channels_.clear();
    channel_spans_.clear();
    for (const MotionInfo& info : motions_.motions) {
      if (!info.partial) continue;
      channels_.resize(clips_.size());
      const auto i = static_cast<std::size_t>(info.clip);
      channels_[i] = channel_weights(clips_[i], body_.skeleton);
    }
    channel_spans_.assign(channels_.begin(), channels_.end());
    context_.channels = channel_spans_;
  }
  ControllerState live() { return instance_->state(); }

  // How far to the side the second joint stands.
  float step(double dt) {
    start_counting_new();
    update_controller(def_, motions_, live(), dt, buffers_->output());
    EXPECT_EQ(stop_counting_new(), 0);
    const ControllerOutput& out = buffers_->output();
    EXPECT_LE(stack_depth(out.program()), static_cast<int>(def_.limits().stack_depth));
    run_pose_tasks(context_, out.program(), out.program_weights(), stored_, *stack_, pose_);
    root_ = reduce_root_motion(def_, live(), out.root_motions.first(out.root_motion_count),
                               path_pointers_);
    const float rest = body_.skeleton.rest(1).translation.x;
    return get_joint(body_.skeleton, pose_, 1).translation.x - rest;
  }

  testing::Body body_;
  std::vector<Clip> clips_;
  std::vector<RootPath> paths_;
  std::vector<const Clip*> clip_pointers_;
  std::vector<const RootPath*> path_pointers_;
  JointMask mask_;
  std::vector<const JointMask*> mask_pointers_;
  std::vector<std::vector<ChannelWeights>> channels_;
  std::vector<std::span<const ChannelWeights>> channel_spans_;
  PoseContext context_;
  ControllerDef def_;
  MotionTable motions_;
  Findings findings_;
  std::unique_ptr<ControllerInstance> instance_;
  std::unique_ptr<ControllerBuffers> buffers_;
  std::unique_ptr<PoseStack> stack_;
  std::vector<float> stored_;
  Pose pose_;
  RootDelta root_;
};

constexpr float kNear = 1e-5f;

TEST_F(PoseProgram, FreezesThePoseOfAnInterruption) {
  begin(ControllerBuilder().trigger("b").trigger("c").layer(
      "base", machine("")
                  .add(state("A")
                           .plays("A")
                           .to(transition("B").when("b").seconds(1).interrupted_by(
                               Interruption::kCurrent, false))
                           .to(transition("C").when("c").seconds(1)))
                  .add(state("B").plays("B"))
                  .add(state("C").plays("C"))));
  EXPECT_TRUE(findings_.empty());
  EXPECT_NEAR(step(0), 0, kNear);
  live().set_trigger(def_.param("b"));
  EXPECT_NEAR(step(0.25), 0, kNear);
  EXPECT_NEAR(root_.translation.z, 0.25f, kNear);
  EXPECT_NEAR(step(0.25), 0.025f, kNear);
  EXPECT_NEAR(root_.translation.z, 0.25f * (0.75f + 0.5f), kNear);
  live().set_trigger(def_.param("c"));
  EXPECT_NEAR(step(0.25), 0.05f, kNear);
  EXPECT_NEAR(root_.translation.z, 0.25f * 1.5f, kNear);
  EXPECT_TRUE(buffers_->output().stores);
  // Half way to C, whose clip turns 0.25 radians in this step; the frozen pose stands still.
  EXPECT_NEAR(step(0.25), 0.05f + (0.3f - 0.05f) * 0.25f, kNear);
  EXPECT_NEAR(root_.translation.z, 0, kNear);
  const double half = 0.125, w = 0.25 * std::cos(half) + 0.75, y = 0.25 * std::sin(half);
  EXPECT_NEAR(root_.rotation.y, y / std::sqrt(w * w + y * y), 1e-4);
  EXPECT_NEAR(step(0.75), 0.3f, kNear);
  EXPECT_NEAR(root_.rotation.y, std::sin(0.375), 1e-3);
}

TEST_F(PoseProgram, MasksLayersAndBlendsTheirTravel) {
  LayerSource upper;
  upper.name = "upper";
  upper.mask = "half";
  upper.weight = 0.5;
  upper.root_motion = true;
  upper.root.add(state("B").plays("B"));
  LayerSource extra;
  extra.name = "extra";
  extra.blending = LayerBlending::kAdditive;
  extra.root.add(state("C").plays("C"));
  begin(ControllerBuilder()
            .layer("base", machine("").add(state("A").plays("A")))
            .layer(upper)
            .layer(extra));
  EXPECT_EQ(def_.tables().mask_names, std::vector<std::string>{"half"});
  // C less its own first frame is no difference at the second joint.
  EXPECT_NEAR(step(0), 0.1f * 0.25f, kNear);
  step(0.1);
  EXPECT_NEAR(root_.translation.z, 0.15f, kNear);
}

TEST_F(PoseProgram, AMissingClipPlaysTheRestPose) {
  begin(ControllerBuilder().float_parameter("x", 0.5f).layer(
      "base", machine("").add(state("S").plays(
                  tree_1d("x", {child(motion("B"), 0), child(motion("Bb"), 1)})))));
  ASSERT_EQ(findings_.size(), 1u);
  EXPECT_EQ(findings_[0].severity, Severity::kWarning);
  EXPECT_NE(findings_[0].message.find("did you mean 'B'?"), std::string::npos);
  EXPECT_NEAR(step(0), 0.05f, kNear);
  EXPECT_NEAR(step(0.3), 0.05f, kNear);
  ASSERT_EQ(buffers_->output().clip_event_count, 1u);
  const ClipEventOut& event = buffers_->output().clip_events[0];
  EXPECT_NEAR(event.time, 0.25, 1e-6);
  EXPECT_EQ(event.event - static_cast<int>(motions_.motions[0].first_event), 0);
  // The missing half stands still.
  EXPECT_NEAR(root_.translation.z, 0.3f, kNear);
}

}  // namespace
}  // namespace sinew
