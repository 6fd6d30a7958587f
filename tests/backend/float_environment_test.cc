// SPDX-License-Identifier: Apache-2.0
// The floating-point environment of computations, and its restoration.
#include "backend/float_environment.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>

namespace tesela {
namespace {

// Not optimized, because the optimizer computes in its own environment, and not sanitized, because division by zero is
// intended.
__attribute__((no_sanitize("float-divide-by-zero"))) double divided(double a, double b) {
  volatile double x = a;
  volatile double y = b;
  return x / y;
}

TEST(FloatEnvironmentTest, RoundsToNearestInAnyCallerMode) {
  const double nearest = divided(1, 3);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    {
      const FloatEnvironment environment;
      EXPECT_EQ(divided(1, 3), nearest);
    }
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
  }
}

#if defined(__x86_64__)

constexpr unsigned kFlush = 0x8040;  // flush-to-zero and denormals-are-zero

TEST(FloatEnvironmentTest, KeepsDenormalsInAnyCallerMode) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | kFlush);
  const double flushed = divided(std::numeric_limits<double>::min(), 2);
  double kept = 0;
  {
    const FloatEnvironment environment;
    kept = divided(std::numeric_limits<double>::min(), 2);
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(flushed, 0);
  EXPECT_EQ(kept, std::numeric_limits<double>::min() / 2);
  EXPECT_EQ(after & kFlush, kFlush);
}

TEST(FloatEnvironmentTest, MasksExceptionsThatTheCallerUnmasked) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before & ~0x0200u);  // division by zero traps
  double infinite = 0;
  {
    const FloatEnvironment environment;
    infinite = divided(1, 0);
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(infinite, std::numeric_limits<double>::infinity());
  EXPECT_EQ(after & 0x0200u, 0u);
}

#endif

TEST(FloatEnvironmentTest, Nests) {
  const double nearest = divided(1, 3);
  std::fesetround(FE_UPWARD);
  const double upward = divided(1, 3);
  double between = 0;
  {
    const FloatEnvironment outer;
    { const FloatEnvironment inner; }
    between = divided(1, 3);
  }
  const double after = divided(1, 3);
  std::fesetround(FE_TONEAREST);
  EXPECT_NE(upward, nearest);
  EXPECT_EQ(between, nearest);
  EXPECT_EQ(after, upward);
}

}  // namespace
}  // namespace tesela
