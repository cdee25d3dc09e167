// The acceptance lines at reduced counts. Times are left to `sinew bench ragdoll`.
#include "lines.hpp"

#include <gtest/gtest.h>

#include "../ragdoll/figure.hpp"

namespace sinew::trials {

namespace {

constexpr Counts kFew{.falls = 6, .settles = 8, .pairs = 4, .seconds = 10, .ticks = 120};

const Rig& figure() {
  static const Rig rig =
      make_rig(std::make_shared<const Model>(sinew::testing::make_figure())).value();
  return rig;
}

void expect_pass(const Lines& lines) {
  EXPECT_FALSE(lines.empty());
  for (const Line& line : lines) {
    EXPECT_TRUE(line.pass()) << line.number << " " << line.what << ": " << line.value << " "
                             << line.unit << ", limit " << line.limit << " (" << line.detail << ")";
  }
}

}  // namespace

TEST(RagdollLines, L14MomentumIn) { expect_pass(line_14(figure(), kFew)); }
TEST(LongRagdollLines, L15L16GapsAndLimits) { expect_pass(lines_15_16(figure(), kFew)); }
TEST(LongRagdollLines, L17Settles) { expect_pass(line_17(figure(), kFew)); }
TEST(RagdollLines, L18StrongBlow) { expect_pass(line_18(figure(), kFew)); }
TEST(RagdollLines, L19HalfBuried) { expect_pass(line_19(figure(), kFew)); }
TEST(RagdollLines, L20SameBitsAndRestore) { expect_pass(line_20(figure(), kFew)); }
TEST(LongRagdollLines, L21FrameRates) { expect_pass(line_21(figure(), kFew)); }
TEST(RagdollLines, L22Powered) { expect_pass(line_22(figure(), "", kFew)); }
TEST(RagdollLines, L24TakesNoMemory) {
  for (const Line& line : line_24(figure(), kFew)) {
    if (line.unit == "bytes") {
      EXPECT_TRUE(line.pass()) << line.what << ": " << line.value;
    }
  }
}
TEST(RagdollLines, L26Controller) { expect_pass(line_26()); }
TEST(RagdollLines, L27Surfaces) { expect_pass(line_27()); }

namespace {

// Real characters at the height of a person.
Rig real(const char* file) {
  const std::string path = std::string(SINEW_DATA_DIR) + "/" + file;
  const Rig own = load_rig(path).value();
  return load_rig(path, 1.75f / own.height).value();
}

constexpr Counts kFewer{.falls = 3, .settles = 4, .pairs = 2, .seconds = 10, .ticks = 60};

}  // namespace

#define SINEW_NEEDS_DATA() \
  if (std::string_view(SINEW_DATA_DIR).empty()) GTEST_SKIP() << "SINEW_DATA is not set"

TEST(DataRagdollLines, L25Barbarian) {
  SINEW_NEEDS_DATA();
  expect_pass(line_25(real("gltf_humanoid/kaykit_adventurers/Barbarian.glb"), kFewer));
}
TEST(DataRagdollLines, L25Mannequiny) {
  SINEW_NEEDS_DATA();
  expect_pass(line_25(real("gltf_humanoid/gdquest/mannequiny-0.3.0.glb"), kFewer));
}
TEST(DataRagdollLines, L25Character) {
  SINEW_NEEDS_DATA();
  expect_pass(line_25(real("gltf_humanoid/quaternius/Character.glb"), kFewer));
}
TEST(DataRagdollLines, L25Deer) {
  SINEW_NEEDS_DATA();
  expect_pass(line_25(real("gltf_animals/quaternius/Deer.glb"), kFewer));
}
TEST(DataRagdollLines, L25Cmu) {
  SINEW_NEEDS_DATA();
  expect_pass(line_25(real("asf_amc/cmu/02_01.amc"), kFewer));
}
TEST(DataRagdollLines, L22Walking) {
  SINEW_NEEDS_DATA();
  expect_pass(line_22(real("gltf_humanoid/kaykit_adventurers/Barbarian.glb"), "Walking_A", kFewer));
}

}  // namespace sinew::trials
