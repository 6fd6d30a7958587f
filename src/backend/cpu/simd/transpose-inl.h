// SPDX-License-Identifier: Apache-2.0
// Transposition of 32-bit numbers. Included once for each instruction set.
#if defined(TESELA_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_TRANSPOSE_INL_H_
#undef TESELA_TRANSPOSE_INL_H_
#else
#define TESELA_TRANSPOSE_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns of `Lanes(d)` rows become vectors: to[c * Lanes + r] = rows[r][c] for c < Lanes.
#if HWY_TARGET <= HWY_AVX3

template <class D, class C = hn::TFromD<D>>
HWY_INLINE void TransposeTile(D d, const C* const* rows, int64_t column, C* to) {
  constexpr size_t N = hn::MaxLanes(D());
  const hn::Rebind<float, D> bits;
  hn::Vec<decltype(bits)> v[N];
  for (size_t r = 0; r < N; ++r) v[r] = hn::BitCast(bits, hn::LoadU(d, rows[r] + column));
  const auto store = [&](auto column_of_rows, size_t c) {
    hn::StoreU(hn::BitCast(d, hn::Vec<decltype(bits)>{column_of_rows}), d, to + c * N);
  };
  __m512 a[16];
  __m512 b[16];
  for (size_t r = 0; r < 16; r += 2) {
    a[r] = _mm512_unpacklo_ps(v[r].raw, v[r + 1].raw);
    a[r + 1] = _mm512_unpackhi_ps(v[r].raw, v[r + 1].raw);
  }
  for (size_t r = 0; r < 16; r += 4) {
    const auto pd = [&](size_t i) { return _mm512_castps_pd(a[r + i]); };
    b[r] = _mm512_castpd_ps(_mm512_unpacklo_pd(pd(0), pd(2)));
    b[r + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(pd(0), pd(2)));
    b[r + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(pd(1), pd(3)));
    b[r + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(pd(1), pd(3)));
  }
  // b[4q + c] holds columns c, c + 4, c + 8, c + 12 (one in each 128-bit block) of rows 4q .. 4q + 3.
  for (size_t c = 0; c < 4; ++c) {
    const __m512 low01 = _mm512_shuffle_f32x4(b[c], b[4 + c], 0x88);       // blocks 0, 2 of rows 0..7
    const __m512 low23 = _mm512_shuffle_f32x4(b[8 + c], b[12 + c], 0x88);  // of rows 8..15
    const __m512 high01 = _mm512_shuffle_f32x4(b[c], b[4 + c], 0xdd);      // blocks 1, 3
    const __m512 high23 = _mm512_shuffle_f32x4(b[8 + c], b[12 + c], 0xdd);
    store(_mm512_shuffle_f32x4(low01, low23, 0x88), c);
    store(_mm512_shuffle_f32x4(high01, high23, 0x88), 4 + c);
    store(_mm512_shuffle_f32x4(low01, low23, 0xdd), 8 + c);
    store(_mm512_shuffle_f32x4(high01, high23, 0xdd), 12 + c);
  }
}

#elif HWY_TARGET == HWY_AVX2

template <class D, class C = hn::TFromD<D>>
HWY_INLINE void TransposeTile(D d, const C* const* rows, int64_t column, C* to) {
  constexpr size_t N = hn::MaxLanes(D());
  const hn::Rebind<float, D> bits;
  hn::Vec<decltype(bits)> v[N];
  for (size_t r = 0; r < N; ++r) v[r] = hn::BitCast(bits, hn::LoadU(d, rows[r] + column));
  const auto store = [&](auto column_of_rows, size_t c) {
    hn::StoreU(hn::BitCast(d, hn::Vec<decltype(bits)>{column_of_rows}), d, to + c * N);
  };
  __m256 a[8];
  __m256 b[8];
  for (size_t r = 0; r < 8; r += 2) {
    a[r] = _mm256_unpacklo_ps(v[r].raw, v[r + 1].raw);
    a[r + 1] = _mm256_unpackhi_ps(v[r].raw, v[r + 1].raw);
  }
  for (size_t r = 0; r < 8; r += 4) {
    b[r] = _mm256_shuffle_ps(a[r], a[r + 2], 0x44);
    b[r + 1] = _mm256_shuffle_ps(a[r], a[r + 2], 0xee);
    b[r + 2] = _mm256_shuffle_ps(a[r + 1], a[r + 3], 0x44);
    b[r + 3] = _mm256_shuffle_ps(a[r + 1], a[r + 3], 0xee);
  }
  for (size_t c = 0; c < 4; ++c) {
    store(_mm256_permute2f128_ps(b[c], b[4 + c], 0x20), c);
    store(_mm256_permute2f128_ps(b[c], b[4 + c], 0x31), 4 + c);
  }
}

#else

template <class D, class C = hn::TFromD<D>>
HWY_INLINE void TransposeTile(D d, const C* const* rows, int64_t column, C* to) {
  for (size_t r = 0; r < hn::Lanes(d); ++r)
    for (size_t c = 0; c < hn::Lanes(d); ++c) to[c * hn::Lanes(d) + r] = rows[r][column + static_cast<int64_t>(c)];
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_TRANSPOSE_INL_H_
