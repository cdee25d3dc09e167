// Compiled twice: with the compilers' vectors (test_math) and with the portable twin of Float4
// (test_scalar_twin). Both must meet the same constant.
#include <gtest/gtest.h>

#include <sinew/base/hash.hpp>
#include <sinew/math/simd.hpp>

#include "generators.hpp"

namespace sinew {
namespace {

void add(Hasher& hash, Float4 a) {
  for (int lane = 0; lane < 4; ++lane) hash.f32(a[lane]);
}
void add(Hasher& hash, const SoaVec3& v) {
  add(hash, v.x);
  add(hash, v.y);
  add(hash, v.z);
}
void add(Hasher& hash, const SoaQuat& q) {
  add(hash, q.x);
  add(hash, q.y);
  add(hash, q.z);
  add(hash, q.w);
}

TEST(SimdBits, Golden) {
  testing::Random random(11);
  Hasher hash;
  for (int i = 0; i < 20000; ++i) {
    SoaTransform a, b;
    for (int lane = 0; lane < 4; ++lane) {
      set_lane(a, lane, random.transform(3, true));
      set_lane(b, lane, random.transform(3, true));
    }
    const Float4 t(random.real(0, 1));
    add(hash, a.rotation * b.rotation);
    add(hash, normalize(a.rotation * (Float4(1.0f) - t) + align(a.rotation, b.rotation) * t));
    add(hash, rotate(a.rotation, b.translation));
    add(hash, lerp(a.scale, b.scale, t));
    add(hash, cross(a.translation, b.translation));
    add(hash, conjugate(b.rotation));
    const Float4 d = dot(a.rotation, b.rotation);
    add(hash, select(d < t, sqrt(d * d + t), -d / (t + Float4(1.0f))));
    add(hash, select((d > Float4(0.0f)) & (d < t), a.scale.x, b.scale.y));
    add(hash, flip_sign(t, d));
    Float4 x = a.scale.x, y = a.scale.y, z = a.scale.z, w = d;
    transpose(x, y, z, w);
    add(hash, x + y * z - w);
  }
  EXPECT_EQ(hash.value(), 0x377573ce760b5af8ull);
}

}  // namespace
}  // namespace sinew
