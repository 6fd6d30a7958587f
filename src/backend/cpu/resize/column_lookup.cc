// SPDX-License-Identifier: Apache-2.0
// Column gather by byte lookups, on instruction sets that have them for two vectors of 64 bytes.
#include "backend/cpu/resize/column_gather.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/column_lookup.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET <= HWY_AVX3_DL
std::byte* LookUpGroups(const LookupGroup* groups, size_t count, const std::byte* row, std::byte* to) {
  for (size_t g = 0; g < count; ++g) {
    const std::byte* from = row + groups[g].base;
    const __m512i low = _mm512_loadu_si512(from);
    const __m512i high = _mm512_loadu_si512(from + kGatheredVector);
    const __m512i index = _mm512_loadu_si512(groups[g].index);
    _mm512_storeu_si512(to, _mm512_permutex2var_epi8(low, index, high));
    to += groups[g].bytes;
  }
  return to;
}
#endif

LookUpGroupsFn GetLookupOfGroups() {
#if HWY_TARGET <= HWY_AVX3_DL
  return LookUpGroups;
#else
  return nullptr;
#endif
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetLookupOfGroups);

LookUpGroupsFn lookup_of_groups() {
  return HWY_DYNAMIC_DISPATCH(GetLookupOfGroups)();
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
