// Vectors of numbers from elements, their products, and elements from sums: what Highway 1.0.3 lacks, or rounds otherwise
// than the contract, in each arithmetic. Included once for each instruction set.
#if defined(TESELA_LOAD_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_LOAD_STORE_INL_H_
#undef TESELA_LOAD_STORE_INL_H_
#else
#define TESELA_LOAD_STORE_INL_H_
#endif

#include <limits>

#include "backend/cpu/resize/arithmetic.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR
inline constexpr bool kConvertsFloat16 = false;  // emulated: not exact for infinities, nor to nearest even
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
HWY_INLINE hn::Vec<D> Load16(D d, const T* from) {
  const hn::RebindToSigned<D> di;
  const auto wide = hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), from));
  if constexpr (std::is_same_v<hn::TFromD<D>, uint16_t>)
    return hn::BitCast(d, wide);
  else
    return hn::ShiftLeft<kFixedBits>(hn::Sub(wide, hn::Set(d, kFixedBias<T>)));
}

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadAs(D d, const T* from) {
  using C = hn::TFromD<D>;
  if constexpr (std::is_same_v<T, C>) {
    return hn::LoadU(d, from);
  } else if constexpr (kIs16Bit<C>) {
    return Load16(d, from);
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
  for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = to_element<T>(lanes[i], 0);
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

// Sums into elements of type T, or into numbers as they are.
template <class T, class D, bool kIsShort = kIs16Bit<hn::TFromD<D>> && !std::is_same_v<T, hn::TFromD<D>>>
struct Rounder {
  HWY_INLINE Rounder(D /*d*/, int32_t /*shift*/) {}
  HWY_INLINE void store(D d, hn::Vec<D> sum, T* to) const { StoreAs(d, sum, to); }
};

// As to_element does.
template <class T, class D>
struct Rounder<T, D, true> {
 public:
  using C = hn::TFromD<D>;
  using Narrow = hn::Vec<hn::Rebind<T, D>>;
  HWY_INLINE Rounder(D d, int32_t shift)
      : shift_(shift),
        half_(hn::Set(d, static_cast<C>(shift > 0 ? (1 << (shift - 1)) - 1 : 0))),
        lowest_(hn::Set(d, static_cast<C>(shift > 0 ? 1 : 0))) {}
  HWY_INLINE Narrow round(D d, hn::Vec<D> sum) const {
    const hn::Rebind<T, D> narrow;
    if constexpr (std::is_same_v<C, int16_t>) {
      const auto rounded = hn::ShiftRight<kFixedBits>(hn::SaturatedAdd(sum, hn::Set(d, C{1 << (kFixedBits - 1)})));
      return hn::DemoteTo(narrow, hn::Add(rounded, hn::Set(d, kFixedBias<T>)));
    } else {
      const hn::RebindToSigned<D> di;
      using Signed = std::conditional_t<std::is_signed_v<T>, decltype(di), D>;
      const Signed ds;
      const auto number = hn::BitCast(ds, sum);
      const auto odd = hn::And(hn::ShiftRightSame(number, shift_), hn::BitCast(ds, lowest_));
      const auto rounded = hn::ShiftRightSame(hn::Add(number, hn::Add(odd, hn::BitCast(ds, half_))), shift_);
      return hn::DemoteTo(narrow, hn::BitCast(di, rounded));
    }
  }
  HWY_INLINE void store(D d, hn::Vec<D> sum, T* to) const { hn::StoreU(round(d, sum), hn::Rebind<T, D>(), to); }

 private:
  int32_t shift_;
  hn::Vec<D> half_, lowest_;
};

// ---- Products -------------------------------------------------------------------------------------------------------

// weight * x, rounded as the arithmetic does.
template <class V>
HWY_INLINE V Product(V weight, V x) {
  if constexpr (std::is_same_v<hn::TFromV<V>, int16_t>)
    return hn::MulFixedPoint15(weight, x);
  else
    return hn::Mul(weight, x);
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_LOAD_STORE_INL_H_
