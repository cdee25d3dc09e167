#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/base/text.hpp>

namespace sinew {
namespace {

struct Pair {
  const char* a;
  const char* b;
  int distance;
};

TEST(Text, EditDistance) {
  static const Pair kTable[] = {
      {"", "", 0},           {"", "abc", 3},        {"abc", "", 3},
      {"speed", "speed", 0}, {"sped", "speed", 1},  {"spede", "speed", 1},
      {"psede", "speed", 2}, {"Speed", "sPEED", 0}, {"kitten", "sitting", 3},
      {"flaw", "lawn", 2},   {"ab", "ba", 1},       {"abc", "ca", 3},
      {"walk", "run", 4},    {"a", "b", 1},         {"idle", "idle ", 1},
  };
  for (const Pair& row : kTable) {
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance) << row.a << " / " << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance) << row.b << " / " << row.a;
  }
}

TEST(Text, WordsBeyondTheLimitAreUnlike) {
  const std::string longest(64, 'x'), longer(65, 'x');
  EXPECT_EQ(edit_distance(longest, longest), 0);
  EXPECT_EQ(edit_distance(longer, longer), 65);
  EXPECT_EQ(edit_distance(longer, "x"), 65);
}

TEST(Text, NearestName) {
  const std::vector<std::string_view> names = {"speed", "turn", "grounded", "Speed2"};
  EXPECT_EQ(nearest_name("sped", names), "speed");
  EXPECT_EQ(nearest_name("SPEED", names), "speed");
  EXPECT_EQ(nearest_name("gruonded", names), "grounded");
  EXPECT_EQ(nearest_name("altitude", names), "");
  EXPECT_EQ(nearest_name("speed", {}), "");
  EXPECT_EQ(did_you_mean("sped", names), "; did you mean 'speed'?");
  EXPECT_EQ(did_you_mean("altitude", names), "");
}

TEST(Text, Format) {
  EXPECT_EQ(format_text("%s %d %.2f", "a", 3, 0.5), "a 3 0.50");
  EXPECT_EQ(format_text("%s", std::string(500, 'z').c_str()), std::string(500, 'z'));
  EXPECT_EQ(format_text("%s", ""), "");
}

}  // namespace
}  // namespace sinew
