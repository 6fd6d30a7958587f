// SPDX-License-Identifier: Apache-2.0
// The instruction sets that are found are those that the system reports.
#include <gtest/gtest.h>

#include "backend/cpu/targets.h"

#include <hwy/targets.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace tesela {
namespace {

#if HWY_ARCH_X86

std::set<std::string> reported_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(Targets, AreThoseThatTheSystemReports) {
  const std::set<std::string> flags = reported_flags();
  ASSERT_FALSE(flags.empty());
  const int64_t found = hwy::SupportedTargets();
  bool all = true;
  const auto expect = [&](int64_t target, std::initializer_list<const char*> needed) {
    for (const char* flag : needed) all = all && flags.contains(flag);
    EXPECT_EQ((found & target) != 0, all) << hwy::TargetName(target);
  };
  expect(HWY_SSE4, {"ssse3", "sse4_1", "sse4_2", "pclmulqdq", "aes"});
  expect(HWY_AVX2, {"avx", "avx2", "abm", "bmi1", "bmi2", "fma", "f16c"});
  expect(HWY_AVX3, {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"});
  expect(HWY_AVX3_DL, {"avx512vbmi", "avx512_vbmi2", "gfni", "vaes", "vpclmulqdq", "avx512_vnni", "avx512_bitalg",
                       "avx512_vpopcntdq"});
}

#endif

TEST(Targets, CanBeChosenAndDisabled) {
  const int64_t all = hwy::SupportedTargets();
  hwy::SetSupportedTargetsForTest(HWY_SCALAR);
  EXPECT_EQ(hwy::SupportedTargets(), HWY_SCALAR);
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_EQ(hwy::SupportedTargets(), all);
  const int64_t best = all & -all;
  hwy::DisableTargets(best);
  EXPECT_EQ(hwy::SupportedTargets() & best & ~HWY_STATIC_TARGET, 0);
  hwy::DisableTargets(0);
  EXPECT_EQ(hwy::SupportedTargets(), all);
}

// Builds without NDEBUG need it.
TEST(TargetsDeathTest, AssertionsOfHighwayEndTheProcess) {
  EXPECT_DEATH(HWY_ABORT("lane %d", 3), "targets_test.cc:[0-9]+: lane 3");
}

}  // namespace
}  // namespace tesela
