// SPDX-License-Identifier: Apache-2.0
// Loads of elements as numbers, products, and stores of sums as elements, for each arithmetic: Highway 1.0.3 lacks
// these or rounds differently from the contract. Included once for each instruction set.
#if defined(TESELA_LOAD_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_LOAD_STORE_INL_H_
#undef TESELA_LOAD_STORE_INL_H_
#else
#define TESELA_LOAD_STORE_INL_H_
#endif

#include <algorithm>
#include <limits>

#include "backend/cpu/resize/arithmetic.h"
#include "backend/cpu/simd/pack-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR
inline constexpr bool kConvertsFloat16 = false;  // emulated: wrong for infinities, and does not round to nearest even
#else
inline constexpr bool kConvertsFloat16 = true;
#endif

// ---- Loads: exact ---------------------------------------------------------------------------------------------------

// For types without a vector conversion that is exact on every instruction set.
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadByLanes(D d, const T* from) {
  using C = hn::TFromD<D>;
  HWY_ALIGN C lanes[hn::MaxLanes(D())];
  for (size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = to_number<C>(from[i]);
  return hn::Load(d, lanes);
}

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadAs(D d, const T* from) {
  using C = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, C>) {
    return hn::LoadU(d, from);
  } else if constexpr (std::is_integral_v<C>) {
    const hn::RebindToSigned<D> wide;
    return hn::BitCast(d, hn::PromoteTo(wide, hn::LoadU(hn::Rebind<T, D>(), from)));
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

// Copies the first `count` elements of at most a vector's, and no byte behind them.
template <class D, class T>
HWY_INLINE void CopyFirst([[maybe_unused]] D d, const T* from, int64_t count, T* to) {
#if HWY_TARGET <= HWY_AVX3
  using Bits = hwy::UnsignedFromSize<sizeof(T)>;
  const hn::Rebind<Bits, D> bits;
  const auto is_first = hn::FirstN(bits, static_cast<size_t>(count));
  const auto elements = hn::MaskedLoad(is_first, bits, reinterpret_cast<const Bits*>(from));
  hn::BlendedStore(elements, is_first, bits, reinterpret_cast<Bits*>(to));
#else
  std::copy_n(from, count, to);
#endif
}

// The first `count` elements as numbers, and zeros.
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadFirst(D d, const T* from, int64_t count) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (std::is_same_v<T, hn::TFromD<D>>)
    return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
#endif
  HWY_ALIGN T elements[hn::MaxLanes(D())] = {};
  CopyFirst(d, from, count, elements);
  return LoadAs(d, elements);
}

// ---- Products -------------------------------------------------------------------------------------------------------

// Of lanes that are pairs of 16-bit numbers: x.low * w.low + x.high * w.high. x has bytes, w signed numbers.
template <class D>
HWY_INLINE hn::Vec<D> AddedProducts([[maybe_unused]] D d, hn::Vec<D> x, hn::Vec<D> w) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return hn::Vec<D>{_mm512_madd_epi16(x.raw, w.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2
  if constexpr (hn::MaxLanes(D()) == 8) return hn::Vec<D>{_mm256_madd_epi16(x.raw, w.raw)};
#endif
  if constexpr (hn::MaxLanes(D()) <= 4) return hn::Vec<D>{_mm_madd_epi16(x.raw, w.raw)};
#else
  const auto low = hn::Mul(hn::And(x, hn::Set(d, 0xffff)), hn::ShiftRight<16>(hn::ShiftLeft<16>(w)));
  return hn::Add(low, hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(w)));
#endif
}

// ---- Stores: one rounding to the element type -----------------------------------------------------------------------

template <class D, class T>
HWY_INLINE void StoreByLanes(D d, hn::Vec<D> v, T* to) {
  using C = hn::TFromD<D>;
  HWY_ALIGN C lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = to_element<T>(lanes[i], Rounding());
}

// Half to even, of numbers that int32 has: Highway's function takes four more instructions for others.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> NearestInt(D d, hn::Vec<D> v) {
  static_cast<void>(d);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  using V = hn::Vec<hn::Rebind<int32_t, D>>;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) return V{_mm512_cvtps_epi32(v.raw)};
#endif
#if HWY_TARGET <= HWY_AVX2
  if constexpr (hn::MaxLanes(D()) == 8) return V{_mm256_cvtps_epi32(v.raw)};
#endif
  if constexpr (hn::MaxLanes(D()) <= 4) return V{_mm_cvtps_epi32(v.raw)};
#else
  return hn::NearestInt(v);
#endif
}

// Half to even, NaN to zero; numbers beyond T become such that saturation to T is right.
template <class T, class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> RoundToInt32(D d, hn::Vec<D> v) {
  const auto high = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  // Min returns its second operand for a NaN. What int32 lacks, a NaN, too, is converted to its lowest number.
  const auto number = NearestInt(d, hn::Min(high, v));
  if constexpr (std::is_unsigned_v<T>) return number;
  return hn::IfThenElseZero(hn::RebindMask(hn::Rebind<int32_t, D>(), hn::Eq(v, v)), number);
#else
  const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
  const auto low = hn::Set(d, static_cast<float>(std::numeric_limits<T>::min()));
  return NearestInt(d, hn::Min(hn::Max(number, low), high));
#endif
}

// Rounds to nearest even in integers: adds just under half of the dropped part, plus the kept part's lowest bit. A NaN is quieted.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> RoundToBfloat16Bits(D /*d*/, hn::Vec<D> v) {
  const hn::Rebind<uint32_t, D> du;
  const hn::Rebind<int32_t, D> di;
  const auto bits = hn::BitCast(du, v);
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) == 16) {
    const auto is_odd = hn::TestBit(bits, hn::Set(du, 0x10000u));
    const auto sum = hn::Add(bits, hn::IfThenElse(is_odd, hn::Set(du, 0x8000u), hn::Set(du, 0x7fffu)));
    // Of quiet and signalling NaNs, the first two kinds of numbers, the quiet one of v; of others the sum.
    const auto fixed = _mm512_fixupimm_ps(_mm512_castsi512_ps(sum.raw), v.raw, _mm512_set1_epi32(0x22), 0);
    return hn::BitCast(di, hn::ShiftRight<16>(hn::Vec<decltype(du)>{_mm512_castps_si512(fixed)}));
  }
#endif
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
    const auto number = RoundToInt32<T>(d, v);
    StoreSaturated<1>(&number, to);
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
    const auto high = hn::Set(d, 2147483647.0);
#if HWY_TARGET <= HWY_AVX3
    // What int32 lacks, a NaN, too, is converted to its lowest number.
    if constexpr (hn::MaxLanes(D()) == 8)
      return hn::StoreU(hn::Vec<decltype(narrow)>{_mm512_maskz_cvtpd_epi32(hn::Eq(v, v).raw, hn::Min(high, v).raw)},
                        narrow, to);
#endif
    const auto number = hn::IfThenElseZero(hn::Eq(v, v), v);
    const auto clamped = hn::Min(hn::Max(number, hn::Set(d, -2147483648.0)), high);
    hn::StoreU(hn::DemoteTo(narrow, hn::Round(clamped)), narrow, to);
  } else {
    StoreByLanes(d, v, to);
  }
}

// Stores sums as elements of type T or as numbers, like to_element.
template <class T, class D, class C = hn::TFromD<D>>
struct Rounder {
  HWY_INLINE Rounder(D /*d*/, const Rounding& /*rounding*/) {}
  HWY_INLINE void store(D d, hn::Vec<D> sum, T* to) const { StoreAs(d, sum, to); }
  HWY_INLINE hn::Vec<D> number(D /*d*/, hn::Vec<D> sum) const requires(std::is_same_v<T, C>) { return sum; }
  HWY_INLINE auto round(D d, hn::Vec<D> sum) const
      requires(std::is_same_v<C, float>&& std::is_integral_v<T> && sizeof(T) <= 2) {
    return RoundToInt32<T>(d, sum);
  }
};

// With power-of-two weights, numbers are stored unchanged.
template <class D>
struct Rounder<uint16_t, D, uint16_t> {
  HWY_INLINE Rounder(D /*d*/, const Rounding& /*rounding*/) {}
  HWY_INLINE void store(D d, hn::Vec<D> sum, uint16_t* to) const { hn::StoreU(sum, d, to); }
  HWY_INLINE hn::Vec<D> number(D /*d*/, hn::Vec<D> sum) const { return sum; }
};

// Shifts all lanes right by the same count. A count in another register takes a second operation, counts in lanes do not.
template <class D>
class RightShift {
 public:
  HWY_INLINE RightShift(D d, int32_t count) : count_(count), counts_(hn::Set(d, static_cast<hn::TFromD<D>>(count))) {}
  HWY_INLINE hn::Vec<D> operator()(hn::Vec<D> v) const {
    if constexpr (HWY_TARGET <= HWY_AVX3 || (HWY_TARGET == HWY_AVX2 && sizeof(hn::TFromD<D>) == 4))
      return hn::Shr(v, counts_);
    else
      return hn::ShiftRightSame(v, count_);
  }

 private:
  int32_t count_;
  hn::Vec<D> counts_;
};

template <class T, class D>
struct Rounder<T, D, uint16_t> {
 public:
  // In which shifts keep an element's sign.
  using Number = std::conditional_t<std::is_signed_v<T>, hn::RebindToSigned<D>, D>;
  HWY_INLINE Rounder(D /*d*/, const Rounding& rounding)
      : shift_(Number(), rounding.shift),
        lowest_(set(1 << rounding.shift)),
        below_half_(set(std::max(half_of(rounding.shift) - 1, 0))),
        half_(set(half_of(rounding.shift))),
        one_(set(rounding.shift > 0 ? 1 : 0)) {}
  // Elements in lanes of 16 bits. Adds just under half of the lowest kept bit, or half where that bit is set.
  HWY_INLINE hn::Vec<hn::RebindToSigned<D>> round(D /*d*/, hn::Vec<D> sum) const {
    const Number d;
    const auto number = hn::BitCast(d, sum);
#if HWY_TARGET <= HWY_AVX3
    const auto added = hn::IfThenElse(hn::TestBit(number, lowest_), half_, below_half_);
#else
    const auto added = hn::Add(below_half_, hn::And(shift_(number), one_));
#endif
    return hn::BitCast(hn::RebindToSigned<D>(), shift_(hn::Add(number, added)));
  }
  HWY_INLINE void store(D d, hn::Vec<D> sum, T* to) const {
    const hn::Rebind<T, D> narrow;
    hn::StoreU(hn::DemoteTo(narrow, round(d, sum)), narrow, to);
  }

 private:
  static HWY_INLINE hn::Vec<Number> set(int32_t number) {
    return hn::Set(Number(), static_cast<hn::TFromD<Number>>(number));
  }
  RightShift<Number> shift_;
  hn::Vec<Number> lowest_, below_half_, half_, one_;
};

template <class T, class D>
struct Rounder<T, D, int32_t> {
 public:
  HWY_INLINE Rounder(D d, const Rounding& rounding)
      : shift_(d, rounding.shift),
        half_(hn::Set(d, half_of(rounding.shift))),
        lowest_(hn::Set(d, rounding.lowest)),
        highest_(hn::Set(d, rounding.highest)) {}
  HWY_INLINE hn::Vec<D> round(D /*d*/, hn::Vec<D> sum) const { return shift_(hn::Add(sum, half_)); }
  HWY_INLINE hn::Vec<D> number(D d, hn::Vec<D> sum) const { return hn::Min(hn::Max(round(d, sum), lowest_), highest_); }
  HWY_INLINE void store(D d, hn::Vec<D> sum, T* to) const {
    if constexpr (std::is_same_v<T, int32_t>) {
      hn::StoreU(number(d, sum), d, to);
    } else {
      const auto rounded = round(d, sum);
      StoreSaturated<1>(&rounded, to);
    }
  }

 private:
  RightShift<D> shift_;
  hn::Vec<D> half_, lowest_, highest_;
};

#if HWY_TARGET <= HWY_AVX3

// A cache line of elements of 8 or 16 bits, from vectors of sums.
template <class T, class D>
HWY_INLINE hn::Vec<hn::ScalableTag<uint16_t>> LineOfSums(D d, const hn::Vec<D>* sums, const Rounder<T, D>& rounder) {
  if constexpr (std::is_same_v<T, Float16>) {
    const hn::Rebind<hwy::float16_t, D> half;
    const hn::Rebind<uint16_t, D> bits;
    return hn::Combine(hn::ScalableTag<uint16_t>(), hn::BitCast(bits, hn::DemoteTo(half, sums[1])),
                       hn::BitCast(bits, hn::DemoteTo(half, sums[0])));
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    const hn::Vec<hn::ScalableTag<int32_t>> bits[2] = {RoundToBfloat16Bits(d, sums[0]),
                                                       RoundToBfloat16Bits(d, sums[1])};
    return PackSaturated<2, uint16_t>(bits);
  } else if constexpr (kIs16Bit<hn::TFromD<D>>) {
    return hn::BitCast(hn::ScalableTag<uint16_t>(),
                       PackShorts<T>(rounder.round(d, sums[0]), rounder.round(d, sums[1])));
  } else {
    constexpr size_t U = 4 / sizeof(T);
    hn::Vec<hn::ScalableTag<int32_t>> numbers[U];
    for (size_t u = 0; u < U; ++u) numbers[u] = rounder.round(d, sums[u]);
    return hn::BitCast(hn::ScalableTag<uint16_t>(), PackSaturated<U, T>(numbers));
  }
}

#endif

// Prefetches lines of an output that are stored next: stores wait for their lines one after the other, and arithmetic for the
// stores. Measured on a Xeon for floats that are resampled in the loop that sums them: 0.8, in the L2 cache and beyond; for sums of 8 and
// 16 bits beyond it 0.87 to 1 on one thread, 0.95 to 1.06 on two; of 16 bits in it 1.05.
template <size_t kBytes>
HWY_INLINE void PrefetchStores(const void* to) {
  constexpr size_t kAhead = 256;
  for (size_t line = 0; line < kBytes; line += 64)
    __builtin_prefetch(static_cast<const std::byte*>(to) + kAhead + line, 1);
}

// Stores the first `count` of a vector of sums.
template <class T, class D>
HWY_INLINE void StoreFirst(D d, hn::Vec<D> sum, int64_t count, const Rounder<T, D>& rounder, T* to) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (std::is_same_v<T, hn::TFromD<D>>)
    return hn::BlendedStore(rounder.number(d, sum), hn::FirstN(d, static_cast<size_t>(count)), d, to);
#endif
  HWY_ALIGN T elements[hn::MaxLanes(D())];
  rounder.store(d, sum, elements);
  CopyFirst(d, elements, count, to);
}

// Stores U vectors of sums, one after the other.
template <size_t U, class T, class D>
HWY_INLINE void StoreSums(D d, const hn::Vec<D>* sums, const Rounder<T, D>& rounder, T* to) {
  using C = hn::TFromD<D>;
  constexpr size_t N = hn::MaxLanes(D());
  constexpr bool kNarrows = sizeof(T) < sizeof(C) && sizeof(T) <= 2 && !std::is_same_v<T, BoolByte>;
  [[maybe_unused]] const auto store_halves = [&]() HWY_ATTR {
    StoreSums<U / 2>(d, sums, rounder, to);
    StoreSums<U - U / 2>(d, sums + U / 2, rounder, to + U / 2 * N);
  };
#if HWY_TARGET <= HWY_AVX2
  if constexpr (kIs16Bit<C> && kNarrows && U > 1 && N == hn::MaxLanes(hn::ScalableTag<C>())) {
    if constexpr (U > 2) return store_halves();
    const auto packed = PackShorts<T>(rounder.round(d, sums[0]), rounder.round(d, sums[U - 1]));
    return hn::StoreU(packed, hn::ScalableTag<T>(), to);
  }
#endif
#if HWY_TARGET <= HWY_AVX3
  if constexpr (kNarrows && sizeof(C) == 4 && U * N * sizeof(T) == 64) {
    return hn::StoreU(LineOfSums(d, sums, rounder), hn::ScalableTag<uint16_t>(), reinterpret_cast<uint16_t*>(to));
  } else if constexpr (kNarrows && U > 1 && std::is_same_v<C, float> && !std::is_integral_v<T>) {
    return store_halves();
  }
#endif
  if constexpr (kNarrows && sizeof(C) == 4 && std::is_integral_v<T>) {
    hn::Vec<hn::Rebind<int32_t, D>> numbers[U];
    for (size_t u = 0; u < U; ++u) numbers[u] = rounder.round(d, sums[u]);
    StoreSaturated<U>(numbers, to);
  } else {
    for (size_t u = 0; u < U; ++u) rounder.store(d, sums[u], to + u * N);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_LOAD_STORE_INL_H_
