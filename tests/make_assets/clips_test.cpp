#include "clips.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <sinew/pose/root_motion.hpp>
#include <sinew/pose/sample.hpp>

#include "measure.hpp"

namespace sinew::make_assets {
namespace {

const Skeleton& skeleton() {
  static const Skeleton made = make_skeleton();
  return made;
}

class Clips : public testing::TestWithParam<RawClip> {
 public:
  const RawClip& clip() const { return GetParam(); }
  int key_count() const { return static_cast<int>(std::lround(clip().duration * kKeyRate)); }
};

INSTANTIATE_TEST_SUITE_P(All, Clips, testing::ValuesIn(make_clips()),
                         [](const auto& param_info) { return param_info.param.name; });

TEST_P(Clips, IsValid) {
  const Status status = validate(clip(), skeleton());
  EXPECT_TRUE(status.ok()) << (status ? "" : to_string(status.error()));
  EXPECT_FALSE(clip().annotations.contacts.empty());
}

TEST_P(Clips, BonesKeepTheirLengths) {
  for (const JointTrack& track : clip().tracks) {
    const bool moves = track.joint == index(Bone::kRoot) || track.joint == index(Bone::kHips);
    EXPECT_TRUE(moves || track.translation.empty()) << skeleton().name(track.joint);
    EXPECT_TRUE(track.scale.empty());
  }
}

TEST_P(Clips, PlantedSolesStayOnTheirPlace) {
  for (const Contact& contact : clip().annotations.contacts) {
    const ContactMeasure m = measure(skeleton(), clip(), contact);
    EXPECT_LT(m.slide, 0.002f) << to_string(contact.role) << " at " << contact.start;
    EXPECT_LT(m.height, 0.003f) << to_string(contact.role) << " at " << contact.start;
  }
}

TEST_P(Clips, SolesNeverCutIntoTheGround) { EXPECT_GT(lowest_sole(skeleton(), clip()), -0.003f); }

TEST_P(Clips, KneesBendTheRightWay) {
  for (int i = 0; i <= 4 * key_count(); ++i) {
    const float t = clip().duration * static_cast<float>(i) / static_cast<float>(4 * key_count());
    const ModelPose pose = model_pose_at(skeleton(), clip(), t);
    for (bool left : {true, false}) {
      const float degrees = knee_flexion(pose, left) * kRadToDeg;
      EXPECT_GT(degrees, 3) << t;
      EXPECT_LT(degrees, 145) << t;
    }
  }
}

// From one key to the next no joint changes its velocity by more than a quick muscle could, and
// over the seam of a loop by no more than elsewhere.
TEST_P(Clips, NoJointPops) {
  const int n = key_count();
  const int first = clip().loop ? 0 : 1;
  for (int j = 0; j < kBoneCount; ++j) {
    float turn_inside = 0, turn_seam = 0, move_inside = 0, move_seam = 0;
    for (int i = first; i < n; ++i) {
      const auto at = [&](int key) {
        // Just inside the key's interval, so that a seam is met from its own side.
        return unrolled_pose(
            skeleton(), clip(),
            (static_cast<float>(key) + 1e-3f) / kKeyRate)[static_cast<std::size_t>(j)];
      };
      const Transform a = at(i - 1), b = at(i), c = at(i + 1);
      const Vec3 before = to_rotation_vector(b.rotation * conjugate(a.rotation)) * kKeyRate;
      const Vec3 after = to_rotation_vector(c.rotation * conjugate(b.rotation)) * kKeyRate;
      const float turn = length(after - before);
      const float move = length(c.translation - 2.0f * b.translation + a.translation) * kKeyRate;
      (i == 0 ? turn_seam : turn_inside) = max(i == 0 ? turn_seam : turn_inside, turn);
      (i == 0 ? move_seam : move_inside) = max(i == 0 ? move_seam : move_inside, move);
    }
    EXPECT_LT(turn_inside, 12.0f) << skeleton().name(j);  // radians per second, per key
    // Metres per second, per key; a jump swings arms and stops feet hard.
    EXPECT_LT(move_inside, clip().name == "jump" ? 3.0f : 2.0f) << skeleton().name(j);
    EXPECT_LE(turn_seam, turn_inside + 0.05f) << skeleton().name(j);
    EXPECT_LE(move_seam, move_inside + 0.005f) << skeleton().name(j);
  }
}

TEST_P(Clips, LoopsCloseAndActionsReturnToStanding) {
  const ModelPose a = model_pose_at(skeleton(), clip(), 0);
  const ModelPose b = model_pose_at(skeleton(), clip(), clip().duration);
  const ModelPose standing = model_pose_at(skeleton(), make_idle(), 0);
  const auto in_root = [](const ModelPose& pose, int j) {
    return inverse(pose[0]) * pose[static_cast<std::size_t>(j)];
  };
  for (int j = 0; j < kBoneCount; ++j) {
    EXPECT_LT(distance(in_root(a, j).translation, in_root(b, j).translation), 1e-4f);
    EXPECT_LT(angle_between(in_root(a, j).rotation, in_root(b, j).rotation), 1e-3f);
    if (clip().loop) continue;
    EXPECT_LT(distance(in_root(a, j).translation, in_root(standing, j).translation), 1e-4f);
  }
}

TEST_P(Clips, FootstepsSoundWhereAFootComesDown) {
  for (const ClipEvent& event : clip().annotations.events) {
    if (event.name != "footstep") continue;
    const bool left = event.text == "left";
    const SolePoints sole = sole_points(left);
    const auto height = [&](float t) {
      const ModelPose pose =
          unrolled_pose(skeleton(), clip(), t + (clip().loop ? clip().duration : 0));
      return min(carried(pose, on_side(left, Bone::kLeftFoot), sole.heel).y,
                 carried(pose, on_side(left, Bone::kLeftToes), sole.toe).y);
    };
    EXPECT_LT(abs(height(event.time)), 0.005f) << event.time;
    EXPECT_GT(height(event.time - 0.08f), 0.005f) << event.time;
  }
}

struct GaitFacts {
  std::function<RawClip()> make;
  float speed;
  bool flies;
};
const GaitFacts kGaits[] = {{make_walk, kWalkSpeed, false}, {make_run, kRunSpeed, true}};

TEST(Gaits, RootCarriesTheTravel) {
  for (const GaitFacts& facts : kGaits) {
    const RawClip raw = facts.make();
    SCOPED_TRACE(raw.name);
    EXPECT_NEAR(loop_travel(raw).z / raw.duration, facts.speed, 1e-4f);
    const Clip clip = Clip::build(raw, skeleton()).value();
    const RootPath path = RootPath::build(clip, skeleton(), raw.annotations.root_motion);
    EXPECT_NEAR(path.average_speed(), facts.speed, 1e-3f);
    EXPECT_NEAR(path.average_turn(), 0, 1e-4f);
    // Three and a half loops in one update.
    EXPECT_NEAR(path.delta(0.25, 3.75, true).translation.z, 3.5f * raw.duration * facts.speed,
                1e-3f);
    // Without its travel the pose stays over the origin.
    Pose pose(skeleton());
    for (float share : {0.0f, 0.3f, 0.99f}) {
      sample_clip(clip, skeleton(), share * raw.duration, pose);
      remove_root_motion(path, share * raw.duration, skeleton(), pose);
      EXPECT_LT(length(get_joint(skeleton(), pose, index(Bone::kRoot)).translation), 1e-4f);
    }
  }
}

TEST(Gaits, RunFliesAndWalkDoesNot) {
  for (const GaitFacts& facts : kGaits) {
    const RawClip clip = facts.make();
    SCOPED_TRACE(clip.name);
    float flight = 0, highest = 0;
    constexpr int kSteps = 420;
    for (int i = 0; i < kSteps; ++i) {
      const ModelPose pose =
          model_pose_at(skeleton(), clip, clip.duration * static_cast<float>(i) / kSteps);
      float lowest = 1;
      for (JointRole role : {JointRole::kLeftFoot, JointRole::kRightFoot}) {
        for (const SolePoint& p : points_of(role)) {
          lowest = min(lowest, carried(pose, p.bone, p.bind).y);
        }
      }
      highest = max(highest, lowest);
      if (lowest > 0.004f) flight += 1.0f / kSteps;
    }
    EXPECT_EQ(flight > 0.15f, facts.flies) << flight;
    if (!facts.flies) {
      EXPECT_LT(highest, 0.004f);
    }
  }
}

// In flight nothing but gravity acts on the hips.
TEST(Gaits, RunFallsFreely) {
  const RawClip clip = make_run();
  const auto height = [&](int key) {
    return model_pose_at(skeleton(), clip, static_cast<float>(key) / kKeyRate)[1].translation.y;
  };
  // The left foot leaves the ground at key 14, the right one lands at 21.
  for (int key = 15; key < 21; ++key) {
    const float acceleration =
        (height(key + 1) - 2 * height(key) + height(key - 1)) * kKeyRate * kKeyRate;
    EXPECT_NEAR(acceleration, -9.81f, 0.3f) << key;
  }
}

TEST(Gaits, ArmsSwingAgainstLegs) {
  for (const GaitFacts& facts : kGaits) {
    const RawClip clip = facts.make();
    SCOPED_TRACE(clip.name);
    float product = 0;
    for (int i = 0; i < 60; ++i) {
      const ModelPose pose =
          model_pose_at(skeleton(), clip, clip.duration * static_cast<float>(i) / 60.0f);
      const auto z = [&](Bone b) { return pose[static_cast<std::size_t>(index(b))].translation.z; };
      product +=
          (z(Bone::kLeftHand) - z(Bone::kRightHand)) * (z(Bone::kLeftFoot) - z(Bone::kRightFoot));
    }
    EXPECT_LT(product, -1);
  }
}

TEST(Gaits, HeadStaysSteady) {
  for (const GaitFacts& facts : kGaits) {
    const RawClip clip = facts.make();
    for (int i = 0; i < 60; ++i) {
      const ModelPose pose =
          model_pose_at(skeleton(), clip, clip.duration * static_cast<float>(i) / 60.0f);
      const Quat head = pose[static_cast<std::size_t>(index(Bone::kHead))].rotation;
      EXPECT_LT(angle_of(head) * kRadToDeg, 5) << clip.name;
    }
  }
}

// Distance of a point on the ground to the border of a convex polygon, positive inside.
float margin_inside(std::vector<Vec3> points, Vec3 p) {
  // Gift wrapping.
  std::vector<Vec3> hull;
  std::size_t at = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].x < points[at].x) at = i;
  }
  const std::size_t start = at;
  do {
    hull.push_back(points[at]);
    std::size_t next = at == 0 ? 1 : 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 a = points[next] - points[at], b = points[i] - points[at];
      if (a.x * b.z - a.z * b.x < 0) next = i;
    }
    at = next;
  } while (at != start && hull.size() <= points.size());
  float least = 1;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec3 a = hull[i], e = hull[(i + 1) % hull.size()] - a;
    least = min(least, (e.x * (p.z - a.z) - e.z * (p.x - a.x)) / length(Vec3{e.x, 0, e.z}));
  }
  return least;
}

// The middle lines of the soles alone: the true support is wider.
TEST(Standing, MassCentreStaysOverTheFeet) {
  for (const RawClip& clip : {make_idle(), make_wave()}) {
    for (int i = 0; i <= 120; ++i) {
      const ModelPose pose =
          model_pose_at(skeleton(), clip, clip.duration * static_cast<float>(i) / 120.0f);
      std::vector<Vec3> support;
      for (JointRole role : {JointRole::kLeftFoot, JointRole::kRightFoot}) {
        for (const SolePoint& p : points_of(role)) support.push_back(carried(pose, p.bone, p.bind));
      }
      const Vec3 centre = mass_centre(pose);
      EXPECT_GT(margin_inside(support, centre), 0.05f) << clip.name;
      EXPECT_GT(centre.y, 0.85f);
      EXPECT_LT(centre.y, 1.05f);
    }
  }
}

TEST(Standing, BreathesAndShiftsItsWeight) {
  const RawClip clip = make_idle();
  float low = 9, high = -9, left = 9, right = -9;
  for (int i = 0; i <= 120; ++i) {
    const ModelPose pose =
        model_pose_at(skeleton(), clip, clip.duration * static_cast<float>(i) / 120.0f);
    const float chest = angle_of(pose[static_cast<std::size_t>(index(Bone::kUpperChest))].rotation);
    low = min(low, chest);
    high = max(high, chest);
    const float x = pose[static_cast<std::size_t>(index(Bone::kHips))].translation.x;
    left = min(left, x);
    right = max(right, x);
  }
  EXPECT_GT((high - low) * kRadToDeg, 0.8f);
  EXPECT_GT(right - left, 0.03f);
}

TEST(Turns, EndAQuarterTurnAside) {
  for (bool left : {true, false}) {
    const RawClip raw = make_turn(left);
    const Clip clip = Clip::build(raw, skeleton()).value();
    const RootPath path = RootPath::build(clip, skeleton(), raw.annotations.root_motion);
    EXPECT_NEAR(yaw_of(path.delta(0, 1, false).rotation), left ? kHalfPi : -kHalfPi, 1e-3f);
    EXPECT_LT(length(path.delta(0, 1, false).translation), 1e-3f);
  }
}

}  // namespace
}  // namespace sinew::make_assets
