// Picks by lookups of bytes, where the instruction set has one over two vectors of 64.
#include "backend/cpu/picks.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/pick_lookup.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

bool LooksUpBytes() {
  return HWY_TARGET == HWY_AVX3_DL;
}

std::byte* LookUpPicks(const PickGroup* groups, size_t count, const std::byte* row, std::byte* to) {
#if HWY_TARGET == HWY_AVX3_DL
  for (size_t g = 0; g < count; ++g) {
    const std::byte* from = row + groups[g].base;
    const __m512i low = _mm512_loadu_si512(from);
    const __m512i high = _mm512_loadu_si512(from + kPickedVector);
    const __m512i index = _mm512_loadu_si512(groups[g].index);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi8(low, index, high));
    to += groups[g].bytes;
  }
#else
  static_cast<void>(groups), static_cast<void>(count), static_cast<void>(row);
#endif
  return to;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(LooksUpBytes);
HWY_EXPORT(LookUpPicks);

bool looks_up_bytes() {
  return HWY_DYNAMIC_DISPATCH(LooksUpBytes)();
}

std::byte* look_up_picks(std::span<const PickGroup> groups, const std::byte* row, std::byte* to) {
  return HWY_DYNAMIC_DISPATCH(LookUpPicks)(groups.data(), groups.size(), row, to);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
