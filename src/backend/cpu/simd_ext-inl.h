// What Highway 1.0.3 lacks, or rounds otherwise than the contract: element loads and stores through the compute type,
// two-register lookups, transposition. Included once for each instruction set.
#if defined(TESELA_SIMD_EXT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_SIMD_EXT_INL_H_
#undef TESELA_SIMD_EXT_INL_H_
#else
#define TESELA_SIMD_EXT_INL_H_
#endif

#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "types/elements.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR
inline constexpr bool kConvertsFloat16 = false;  // emulated: not exact for infinities, nor to nearest even
#else
inline constexpr bool kConvertsFloat16 = true;
#endif

// ---- Loads: exact widening to the compute type ----------------------------------------------------------------------

// For types without a vector conversion that is exact on every instruction set.
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadByLanes(D d, const T* from) {
  using C = hn::TFromD<D>;
  HWY_ALIGN C lanes[hn::MaxLanes(D())];
  for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = load_as<C>(from[i]);
  return hn::Load(d, lanes);
}

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadAs(D d, const T* from) {
  using C = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, C>) {
    return hn::LoadU(d, from);
  } else if constexpr (sizeof(C) == 4 && std::is_integral_v<T>) {
    const hn::Rebind<T, D> narrow;
    const hn::Rebind<int32_t, D> wide;
    return hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, from)));
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, Float16> && kConvertsFloat16) {
    const hn::Rebind<hwy::float16_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(from)));
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, Bfloat16>) {
    const hn::Rebind<hwy::bfloat16_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, reinterpret_cast<const hwy::bfloat16_t*>(from)));
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, BoolByte>) {
    const hn::Rebind<uint8_t, D> narrow;
    const hn::Rebind<int32_t, D> wide;
    const auto byte = hn::PromoteTo(wide, hn::LoadU(narrow, reinterpret_cast<const uint8_t*>(from)));
    return hn::ConvertTo(d, hn::Min(byte, hn::Set(wide, 1)));
  } else if constexpr (sizeof(C) == 8 && std::is_same_v<T, int32_t>) {
    const hn::Rebind<int32_t, D> narrow;
    return hn::PromoteTo(d, hn::LoadU(narrow, from));
  } else {
    return LoadByLanes(d, from);
  }
}

// ---- Stores: one rounding to the element type -----------------------------------------------------------------------

template <class D, class T>
HWY_INLINE void StoreByLanes(D d, hn::Vec<D> v, T* to) {
  using C = hn::TFromD<D>;
  HWY_ALIGN C lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = store_as<T>(lanes[i]);
}

// Half to even, saturated, NaN to zero: clamped before it is rounded, since both bounds are whole numbers.
template <class T, class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> RoundToInt32(D d, hn::Vec<D> v) {
  const auto high = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
  // Max returns its second operand for a NaN, which is right where the lowest value is zero.
  if constexpr (std::is_unsigned_v<T>) return hn::NearestInt(hn::Min(hn::Max(v, hn::Zero(d)), high));
  const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
  const auto low = hn::Set(d, static_cast<float>(std::numeric_limits<T>::min()));
  return hn::NearestInt(hn::Min(hn::Max(number, low), high));
}

// Adding just under half of the dropped part, and its odd bit, rounds to nearest even within integer arithmetic.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> RoundToBfloat16Bits(D /*d*/, hn::Vec<D> v) {
  const hn::Rebind<uint32_t, D> du;
  const hn::Rebind<int32_t, D> di;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fffu))));
  const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(du, 0x40u));
  const auto is_number = hn::RebindMask(du, hn::Eq(v, v));
  return hn::BitCast(di, hn::IfThenElse(is_number, rounded, quiet));
}

template <class D, class T>
HWY_INLINE void StoreAs(D d, hn::Vec<D> v, T* to) {
  using C = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, C>) {
    hn::StoreU(v, d, to);
  } else if constexpr (sizeof(C) == 4 && std::is_integral_v<T> && sizeof(T) <= 2) {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, RoundToInt32<T>(d, v)), narrow, to);
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, Float16> && kConvertsFloat16) {
    const hn::Rebind<hwy::float16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, v), narrow, reinterpret_cast<hwy::float16_t*>(to));
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, Bfloat16>) {
    const hn::Rebind<uint16_t, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, RoundToBfloat16Bits(d, v)), narrow, reinterpret_cast<uint16_t*>(to));
  } else if constexpr (sizeof(C) == 4 && std::is_same_v<T, BoolByte>) {
    const hn::Rebind<uint8_t, D> narrow;
    const hn::Rebind<int32_t, D> wide;
    const auto is_true = hn::RebindMask(wide, hn::Gt(v, hn::Set(d, 0.5f)));
    hn::StoreU(hn::DemoteTo(narrow, hn::IfThenElseZero(is_true, hn::Set(wide, 1))), narrow,
               reinterpret_cast<uint8_t*>(to));
  } else if constexpr (sizeof(C) == 8 && std::is_same_v<T, int32_t>) {
    const hn::Rebind<int32_t, D> narrow;
    const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
    const auto clamped = hn::Min(hn::Max(number, hn::Set(d, -2147483648.0)), hn::Set(d, 2147483647.0));
    hn::StoreU(hn::DemoteTo(narrow, hn::Round(clamped)), narrow, to);
  } else {
    StoreByLanes(d, v, to);
  }
}

// ---- Numbers of 16 bits ---------------------------------------------------------------------------------------------

// weight * x, rounded as the numbers are.
template <class V>
HWY_INLINE V Product(V weight, V x) {
  if constexpr (std::is_same_v<hn::TFromV<V>, int16_t>)
    return hn::MulFixedPoint15(weight, x);
  else
    return hn::Mul(weight, x);
}

// ---- Lookups --------------------------------------------------------------------------------------------------------

// Lines of 16-bit numbers work on whole vectors only where these can be permuted whole.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_TARGET == HWY_SCALAR
template <class C>
using LineTag = hn::ScalableTag<C>;
#else
template <class C>
using LineTag = std::conditional_t<sizeof(C) == 2, hn::CappedTag<C, 8>, hn::ScalableTag<C>>;
#endif

// Lane i of the result is lane index[i] of v. Indices are within v; those of absent taps, which may be beyond, are not
// for 16 bits, and count modulo its lanes.
template <class D, class VI>
HWY_INLINE hn::Vec<D> Lookup1(D d, hn::Vec<D> v, VI index) {
  using TI = hn::TFromV<VI>;
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
    return hn::Vec<D>{_mm512_permutexvar_epi16(index.raw, v.raw)};
#elif HWY_TARGET == HWY_SCALAR
    return v;
#else
    const hn::RebindToSigned<D> di;
    const hn::Repartition<uint8_t, D> bytes;
    const auto within = hn::And(index, hn::Set(di, TI{7}));
    const auto at = hn::Add(hn::Mul(within, hn::Set(di, TI{0x0202})), hn::Set(di, TI{0x0100}));
    return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::BitCast(bytes, at)));
#endif
  } else {
    const hn::RebindToSigned<D> di;
    const auto within = hn::And(index, hn::Set(di, static_cast<TI>(hn::Lanes(d) - 1)));
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, within));
  }
}

// Lane i of the result is lane index[i] of the pair (low, high); indices are taken modulo both vectors' lanes.
template <class D, class VI>
HWY_INLINE hn::Vec<D> Lookup2(D d, hn::Vec<D> low, hn::Vec<D> high, VI index) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  static_cast<void>(d);
  if constexpr (sizeof(hn::TFromD<D>) == 2)
    return hn::Vec<D>{_mm512_permutex2var_epi16(low.raw, index.raw, high.raw)};
  else if constexpr (sizeof(hn::TFromD<D>) == 4)
    return hn::Vec<D>{_mm512_permutex2var_ps(low.raw, index.raw, high.raw)};
  else
    return hn::Vec<D>{_mm512_permutex2var_pd(low.raw, index.raw, high.raw)};
#else
  const hn::RebindToSigned<D> di;
  using TI = hn::TFromD<decltype(di)>;
  const auto lanes = hn::Set(di, static_cast<TI>(hn::Lanes(d)));
  const auto in_high = hn::RebindMask(d, hn::Ne(hn::And(index, lanes), hn::Zero(di)));
  return hn::IfThenElse(in_high, Lookup1(d, high, index), Lookup1(d, low, index));
#endif
}

// ---- Transposition --------------------------------------------------------------------------------------------------

// Columns of `Lanes(d)` rows become vectors: to[c * Lanes + r] = rows[r][c] for c < Lanes. Floats only.
template <class D>
HWY_INLINE void TransposeTile(D d, const float* const* rows, int64_t column, float* to) {
  constexpr size_t N = hn::MaxLanes(D());
  hn::Vec<D> v[N];
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  for (size_t r = 0; r < N; ++r) v[r] = hn::LoadU(d, rows[r] + column);
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
    const __m512 low01 = _mm512_shuffle_f32x4(b[c], b[4 + c], 0x88);        // blocks 0, 2 of rows 0..7
    const __m512 low23 = _mm512_shuffle_f32x4(b[8 + c], b[12 + c], 0x88);   // of rows 8..15
    const __m512 high01 = _mm512_shuffle_f32x4(b[c], b[4 + c], 0xdd);       // blocks 1, 3
    const __m512 high23 = _mm512_shuffle_f32x4(b[8 + c], b[12 + c], 0xdd);
    hn::StoreU(hn::Vec<D>{_mm512_shuffle_f32x4(low01, low23, 0x88)}, d, to + c * N);
    hn::StoreU(hn::Vec<D>{_mm512_shuffle_f32x4(high01, high23, 0x88)}, d, to + (4 + c) * N);
    hn::StoreU(hn::Vec<D>{_mm512_shuffle_f32x4(low01, low23, 0xdd)}, d, to + (8 + c) * N);
    hn::StoreU(hn::Vec<D>{_mm512_shuffle_f32x4(high01, high23, 0xdd)}, d, to + (12 + c) * N);
  }
#elif HWY_TARGET == HWY_AVX2
  for (size_t r = 0; r < N; ++r) v[r] = hn::LoadU(d, rows[r] + column);
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
    hn::StoreU(hn::Vec<D>{_mm256_permute2f128_ps(b[c], b[4 + c], 0x20)}, d, to + c * N);
    hn::StoreU(hn::Vec<D>{_mm256_permute2f128_ps(b[c], b[4 + c], 0x31)}, d, to + (4 + c) * N);
  }
#else
  static_cast<void>(v);
  for (size_t r = 0; r < hn::Lanes(d); ++r)
    for (size_t c = 0; c < hn::Lanes(d); ++c) to[c * hn::Lanes(d) + r] = rows[r][column + static_cast<int64_t>(c)];
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_SIMD_EXT_INL_H_
