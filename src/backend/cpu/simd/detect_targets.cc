// SPDX-License-Identifier: Apache-2.0
// Finds the processor's instruction sets in place of libhwy, whose initialiser measures the processor's timer in every
// process that loads it, for milliseconds. These are all the functions that Highway's headers need.
#include "backend/cpu/targets.h"

#include <hwy/targets.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#if HWY_ARCH_X86
#include <cpuid.h>
#endif

namespace hwy {
namespace {

#if HWY_ARCH_X86

struct Registers {
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t d = 0;
};

// All bits are 0 if the processor has no such leaf.
Registers cpuid(uint32_t leaf) {
  Registers found;
  if (__get_cpuid_count(leaf, 0, &found.a, &found.b, &found.c, &found.d) == 0) return {};
  return found;
}

constexpr bool has(uint32_t word, std::initializer_list<int> bits) {
  for (const int bit : bits)
    if ((word >> bit & 1) == 0) return false;
  return true;
}

// The registers that the system saves.
uint32_t saved_state() {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

int64_t detect() {
  const Registers basic = cpuid(1);
  const Registers more = cpuid(7);
  const Registers extended = cpuid(0x80000001);
  int64_t found = HWY_SCALAR | HWY_EMU128 | HWY_ENABLED_BASELINE;
  // PCLMULQDQ, SSSE3, SSE4.1, SSE4.2, AES
  if (!has(basic.c, {1, 9, 19, 20, 25})) return found;
  found |= HWY_SSSE3 | HWY_SSE4;
  const uint32_t saved = has(basic.c, {27}) ? saved_state() : 0;  // OSXSAVE
  // FMA, AVX, F16C; BMI1, AVX2, BMI2; LZCNT; the state of SSE and AVX
  if (!has(basic.c, {12, 28, 29}) || !has(more.b, {3, 5, 8}) || !has(extended.c, {5}) || !has(saved, {1, 2}))
    return found;
  found |= HWY_AVX2;
  // F, DQ, CD, BW, VL; the state of AVX-512
  if (!has(more.b, {16, 17, 28, 30, 31}) || !has(saved, {5, 6, 7})) return found;
  found |= HWY_AVX3;
  // VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNTDQ
  if (has(more.c, {1, 6, 8, 9, 10, 11, 12, 14})) found |= HWY_AVX3_DL;
  return found;
}

#else

int64_t detect() {
  return HWY_SCALAR | HWY_EMU128 | HWY_ENABLED_BASELINE;
}

#endif

int64_t targets_for_test = 0;  // 0: those of the processor
int64_t disabled_targets = 0;

}  // namespace

int64_t SupportedTargets() {
  const int64_t targets = (targets_for_test != 0 ? targets_for_test : detect()) & ~disabled_targets;
  return targets != 0 ? targets : HWY_STATIC_TARGET;
}

void SetSupportedTargetsForTest(int64_t targets) {
  targets_for_test = targets;
  GetChosenTarget().DeInit();
}

void DisableTargets(int64_t targets) {
  disabled_targets = targets & ~HWY_STATIC_TARGET;
  GetChosenTarget().DeInit();
}

// For the assertions in Highway's headers, which builds without NDEBUG have.
HWY_NORETURN void Abort(const char* file, int line, const char* format, ...) {
  std::fprintf(stderr, "%s:%d: ", file, line);
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  std::abort();
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;  // initialised before the program starts
  return chosen;
}

}  // namespace hwy
