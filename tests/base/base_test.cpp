#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sinew/base/finding.hpp>
#include <sinew/base/hash.hpp>
#include <sinew/base/id.hpp>
#include <sinew/base/jobs.hpp>
#include <sinew/base/log.hpp>
#include <sinew/base/result.hpp>

namespace sinew {
namespace {

// Source: Fowler, Noll, Vo: published test vectors of 64-bit FNV-1a.
TEST(Hash, GoldenValues) {
  static_assert(hash_name("") == 0xcbf29ce484222325ull);
  static_assert(hash_name("a") == 0xaf63dc4c8601ec8cull);
  static_assert(hash_name("foobar") == 0x85944171f73967e8ull);
  Hasher h;
  h.bytes("foobar", 6);
  EXPECT_EQ(h.value(), hash_name("foobar"));
}

TEST(Hash, DoesNotDependOnHowBytesAreCut) {
  const std::string text = "a skeleton, a clip, a pose";
  Hasher whole;
  whole.bytes(text.data(), text.size());
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Hasher parts;
    parts.bytes(text.data(), cut);
    parts.bytes(text.data() + cut, text.size() - cut);
    EXPECT_EQ(parts.value(), whole.value()) << cut;
  }
}

TEST(Hash, NumbersHaveAFixedByteOrder) {
  Hasher a, b;
  a.u64(0x0102030405060708ull);
  const unsigned char bytes[] = {8, 7, 6, 5, 4, 3, 2, 1};
  b.bytes(bytes, sizeof bytes);
  EXPECT_EQ(a.value(), b.value());
  Hasher c, d;
  c.f32(1.0f);
  const unsigned char one[] = {0, 0, 0x80, 0x3f};
  d.bytes(one, sizeof one);
  EXPECT_EQ(c.value(), d.value());
}

TEST(Hash, NegativeZeroIsZero) {
  Hasher a, b, c;
  a.f32(0.0f);
  a.f64(0.0);
  b.f32(-0.0f);
  b.f64(-0.0);
  c.f32(1e-45f);
  c.f64(0.0);
  EXPECT_EQ(a.value(), b.value());
  EXPECT_NE(a.value(), c.value());
}

TEST(Hash, TextIsCutByItsLength) {
  Hasher a, b;
  a.text("ab");
  a.text("c");
  b.text("a");
  b.text("bc");
  EXPECT_NE(a.value(), b.value());
}

TEST(Result, HoldsAValueOrAnError) {
  Result<std::unique_ptr<int>> good = std::make_unique<int>(5);
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(**good, 5);
  EXPECT_EQ(*std::move(good).value(), 5);
  const Result<int> bad = make_error(ErrorCode::kNotFound, "there is no joint 'hed'", "a.glb");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(to_string(bad.error()), "a.glb: there is no joint 'hed'");
}

TEST(Result, StatusIsSuccessByDefault) {
  EXPECT_TRUE(Status());
  const Status bad = make_error(ErrorCode::kLimit, "too many");
  EXPECT_FALSE(bad);
  EXPECT_EQ(to_string(bad.error()), "too many");
}

TEST(Result, PlacesNestOutermostFirst) {
  Error error = make_error(ErrorCode::kMalformed, "key 3 is not finite");
  error = within("clip 'Walk'", error);
  error = within("walk.glb", error);
  EXPECT_EQ(to_string(error), "walk.glb: clip 'Walk': key 3 is not finite");
}

TEST(Result, CodesHaveNames) {
  EXPECT_EQ(to_string(ErrorCode::kMalformed), "malformed");
  EXPECT_EQ(to_string(ErrorCode::kInvalidArgument), "invalid_argument");
  EXPECT_EQ(to_string(ErrorCode::kInternal), "internal");
}

TEST(Findings, OnlyErrorsCount) {
  Findings findings;
  EXPECT_FALSE(has_errors(findings));
  findings.push_back({Severity::kWarning, "gltf.unnamed", "a joint has no name", "", "", ""});
  EXPECT_FALSE(has_errors(findings));
  findings.push_back({Severity::kError, "gltf.cycle", "nodes form a cycle", "", "", ""});
  EXPECT_TRUE(has_errors(findings));
  EXPECT_EQ(to_string(findings[1].severity), "error");
}

TEST(Log, GoesToTheHook) {
  std::vector<std::string> lines;
  const auto hook = [](void* user, Severity severity, std::string_view message) {
    static_cast<std::vector<std::string>*>(user)->push_back(std::string(to_string(severity)) + " " +
                                                            std::string(message));
  };
  log(Severity::kError, "nobody listens");
  set_log(hook, &lines);
  log(Severity::kWarning, "one");
  set_log(nullptr, nullptr);
  log(Severity::kWarning, "two");
  EXPECT_EQ(lines, std::vector<std::string>{"warning one"});
}

TEST(Jobs, SerialRunsEachIndexOnceInOrder) {
  SerialJobs serial;
  JobSystem& jobs = serial;
  std::vector<int> seen;
  jobs.parallel_for(
      5, [](void* context, int i) { static_cast<std::vector<int>*>(context)->push_back(i); },
      &seen);
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4}));
  jobs.parallel_for(0, [](void*, int) { FAIL(); }, nullptr);
}

TEST(Id, NullUnlessItHasAGeneration) {
  struct Tag;
  Id<Tag> null, a{3, 1}, b{3, 2};
  EXPECT_FALSE(null);
  EXPECT_TRUE(a);
  EXPECT_NE(a, b);
  EXPECT_EQ(a, (Id<Tag>{3, 1}));
}

}  // namespace
}  // namespace sinew
