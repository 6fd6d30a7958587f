// SPDX-License-Identifier: Apache-2.0
// Lookups of lanes in one and two vectors. Included once for each instruction set.
#if defined(TESELA_PERMUTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_PERMUTE_INL_H_
#undef TESELA_PERMUTE_INL_H_
#else
#define TESELA_PERMUTE_INL_H_
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Kernels of 16-bit numbers use full vectors only if the instruction set can permute them across all lanes.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_SCALAR
template <class C>
using LineTag = hn::ScalableTag<C>;
#else
template <class C>
using LineTag = std::conditional_t<sizeof(C) == 2, hn::CappedTag<C, 8>, hn::ScalableTag<C> >;
#endif

// Lane i of the result is lane index[i] of v. Indices of absent taps may be beyond v: they are taken modulo its lanes.
template <class D, class VI>
HWY_INLINE hn::Vec<D> Lookup1(D d, hn::Vec<D> v, VI index) {
  using TI = hn::TFromV<VI>;
  if constexpr (sizeof(hn::TFromD<D>) == 2) {
#if HWY_TARGET <= HWY_AVX3
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
#if HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(hn::TFromD<D>) == 8) return hn::Vec<D>{_mm512_permutexvar_pd(index.raw, v.raw)};
    if constexpr (std::is_same_v<hn::TFromD<D>, float>) return hn::Vec<D>{_mm512_permutexvar_ps(index.raw, v.raw)};
#endif
    const hn::RebindToSigned<D> di;
    const auto within = hn::And(index, hn::Set(di, static_cast<TI>(hn::Lanes(d) - 1)));
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, within));
  }
}

// Lane i of the result is lane index[i] of the pair (low, high); indices are taken modulo both vectors' lanes.
template <class D, class VI>
HWY_INLINE hn::Vec<D> Lookup2(D d, hn::Vec<D> low, hn::Vec<D> high, VI index) {
#if HWY_TARGET <= HWY_AVX3
  static_cast<void>(d);
  if constexpr (sizeof(hn::TFromD<D>) == 2)
    return hn::Vec<D>{_mm512_permutex2var_epi16(low.raw, index.raw, high.raw)};
  else if constexpr (std::is_same_v<hn::TFromD<D>, int32_t>)
    return hn::Vec<D>{_mm512_permutex2var_epi32(low.raw, index.raw, high.raw)};
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

// Lane i of the result is lane index[i] of four vectors, one after the other.
template <class D, class VI>
HWY_INLINE hn::Vec<D> Lookup4(D d, const hn::Vec<D> (&v)[4], VI index) {
  const hn::RebindToSigned<D> di;
  using TI = hn::TFromV<VI>;
  const auto upper = hn::RebindMask(d, hn::Gt(index, hn::Set(di, static_cast<TI>(2 * hn::Lanes(d) - 1))));
  return hn::IfThenElse(upper, Lookup2(d, v[2], v[3], index), Lookup2(d, v[0], v[1], index));
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_PERMUTE_INL_H_
