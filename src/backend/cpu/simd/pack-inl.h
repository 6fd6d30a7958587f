// SPDX-License-Identifier: Apache-2.0
// Vectors of numbers packed to fewer bytes, saturated: several together take as many permutations as one alone. Included
// once for each instruction set.
#if defined(TESELA_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_PACK_INL_H_
#undef TESELA_PACK_INL_H_
#else
#define TESELA_PACK_INL_H_
#endif

#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Blocks of 128 bits of two vectors in turns, saturated to T; then the same in the vectors' order.
#if HWY_TARGET <= HWY_AVX3

template <class T>
HWY_INLINE __m512i PackBlocks(__m512i a, __m512i b) {
  if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? _mm512_packs_epi32(a, b) : _mm512_packus_epi32(a, b);
  return std::is_signed_v<T> ? _mm512_packs_epi16(a, b) : _mm512_packus_epi16(a, b);
}
HWY_INLINE __m512i OrderShorts(__m512i blocks) {
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), blocks);
}
HWY_INLINE __m512i OrderBytes(__m512i blocks) {
  const auto order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  return _mm512_permutexvar_epi32(order, blocks);
}

#elif HWY_TARGET == HWY_AVX2

template <class T>
HWY_INLINE __m256i PackBlocks(__m256i a, __m256i b) {
  if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? _mm256_packs_epi32(a, b) : _mm256_packus_epi32(a, b);
  return std::is_signed_v<T> ? _mm256_packs_epi16(a, b) : _mm256_packus_epi16(a, b);
}
HWY_INLINE __m256i OrderShorts(__m256i blocks) {
  return _mm256_permute4x64_epi64(blocks, 0xd8);
}
HWY_INLINE __m256i OrderBytes(__m256i blocks) {
  return _mm256_permutevar8x32_epi32(blocks, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

#endif

#if HWY_TARGET <= HWY_AVX2

// Vectors of 32-bit numbers, saturated to T, one after the other: two of 16 bits, or two or four of 8 bits in the lower half or all
// of the result. They take as many permutations together as one would take alone.
template <size_t U, class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> PackSaturated(const hn::Vec<hn::ScalableTag<int32_t>>* v) {
  using Line = hn::Vec<hn::ScalableTag<T>>;
  if constexpr (sizeof(T) == 2) return Line{OrderShorts(PackBlocks<T>(v[0].raw, v[1].raw))};
  const auto low = PackBlocks<int16_t>(v[0].raw, v[1].raw);
  const auto high = PackBlocks<int16_t>(v[U - 2].raw, v[U - 1].raw);
  return Line{OrderBytes(PackBlocks<T>(low, high))};
}

// Two vectors of 16-bit numbers, saturated to T, one after the other.
template <class T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> PackShorts(hn::Vec<hn::ScalableTag<int16_t>> a,
                                                  hn::Vec<hn::ScalableTag<int16_t>> b) {
  return hn::Vec<hn::ScalableTag<T>>{OrderShorts(PackBlocks<T>(a.raw, b.raw))};
}

#endif

// Stores U vectors of 32-bit numbers, saturated to T.
template <size_t U, class T, class V>
HWY_INLINE void StoreSaturated(const V* v, T* to) {
  using D = hn::DFromV<V>;
  constexpr size_t N = hn::MaxLanes(D());
#if HWY_TARGET <= HWY_AVX2
  constexpr size_t kMost = sizeof(T) == 1 ? 4 : 2;
  if constexpr (U > kMost) {
    StoreSaturated<kMost>(v, to);
    return StoreSaturated<U - kMost>(v + kMost, to + kMost * N);
  }
  if constexpr (N == hn::MaxLanes(hn::ScalableTag<int32_t>()) && (U == 2 || U == kMost)) {
    const hn::CappedTag<T, U * N> line;
    const auto packed = PackSaturated<U, T>(v);
    if constexpr (U == kMost)
      return hn::StoreU(packed, line, to);
    else
      return hn::StoreU(hn::LowerHalf(packed), line, to);
  }
#endif
  const hn::Rebind<T, D> narrow;
  for (size_t u = 0; u < U; ++u) hn::StoreU(hn::DemoteTo(narrow, v[u]), narrow, to + u * N);
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_PACK_INL_H_
