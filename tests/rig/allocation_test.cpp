// No allocation in an update.
#include <gtest/gtest.h>

#include <sinew/rig/constraints.hpp>

#include "every_constraint.hpp"

namespace sinew::rig {

extern thread_local long g_allocations;

namespace {

TEST(RigAllocation, NoneInEvaluate) {
  RigRun run(every_constraint(), body_skeleton());
  run.evaluate_here();
  const long before = g_allocations;
  for (int i = 0; i < 100; ++i) {
    run.key("two_bone_ik.weight", 0.01f * static_cast<float>(i));
    const long start = g_allocations;
    run.evaluate_here();
    EXPECT_EQ(g_allocations, start);
  }
  EXPECT_GE(g_allocations, before);  // the counter counts: key() above looks names up
}

}  // namespace
}  // namespace sinew::rig
