// Row kernels of plans that compute in 16 bits, for each instruction set.
#include "backend/cpu/rows.h"
#include "backend/cpu/shorts.h"
#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/short_rows.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/row_lists-inl.h"
#include "backend/cpu/simd_ext-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class T>
constexpr bool kIsElement = sizeof(T) == 1;

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadNumbers(D d, const T* from) {
  using C = hn::TFromD<D>;
  if constexpr (!kIsElement<T>) {
    return hn::LoadU(d, from);
  } else {
    const hn::RebindToSigned<D> di;
    const auto wide = hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), from));
    if constexpr (std::is_same_v<C, uint16_t>)
      return hn::BitCast(d, wide);
    else
      return hn::ShiftLeft<kFixedBits>(hn::Sub(wide, hn::Set(d, kFixedBias<T>)));
  }
}

// Sums into elements, as short_element does.
template <class D, class T>
class Rounder {
 public:
  using C = hn::TFromD<D>;
  Rounder(D d, int32_t shift)
      : shift_(shift), half_(hn::Set(d, static_cast<C>(shift > 0 ? (1 << (shift - 1)) - 1 : 0))),
        lowest_(hn::Set(d, static_cast<C>(shift > 0 ? 1 : 0))) {}
  HWY_INLINE hn::Vec<hn::Rebind<T, D>> operator()(D d, hn::Vec<D> sum) const {
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

 private:
  int32_t shift_;
  hn::Vec<D> half_, lowest_;
};

template <class Out, class D, class Round>
HWY_INLINE void StoreNumbers(D d, hn::Vec<D> sum, const Round& round, Out* to) {
  if constexpr (kIsElement<Out>)
    hn::StoreU(round(d, sum), hn::Rebind<Out, D>(), to);
  else
    hn::StoreU(sum, d, to);
}

template <int kTaps, size_t kOutputs, class D, class In>
HWY_INLINE void SumColumns(D d, const Rows<In, kTaps>& rows, const Weights<D, kTaps, kOutputs>& weights, int64_t taps,
                           int64_t i, hn::Vec<D>* sum) {
  const auto count = static_cast<size_t>(kTaps ? kTaps : taps);
  const auto first = LoadNumbers(d, rows[0] + i);
  for (size_t r = 0; r < kOutputs; ++r) sum[r] = Product(weights(r, 0), first);
  for (size_t k = 1; k < count; ++k) {
    const auto x = LoadNumbers(d, rows[k] + i);
    for (size_t r = 0; r < kOutputs; ++r) sum[r] = hn::Add(sum[r], Product(weights(r, k), x));
  }
}

// Two vectors are a cache line of elements.
template <int kTaps, size_t kOutputs, class D, class In, class Out, class Round>
HWY_INLINE void StreamLine(D d, const Rows<In, kTaps>& rows, const Outputs<Out, kOutputs>& outs,
                           const Weights<D, kTaps, kOutputs>& weights, int64_t taps, const Round& round, int64_t i) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (kIsElement<Out>) {
    const hn::ScalableTag<Out> line;
    hn::Vec<D> low[kOutputs];
    hn::Vec<D> high[kOutputs];
    SumColumns<kTaps, kOutputs>(d, rows, weights, taps, i, low);
    SumColumns<kTaps, kOutputs>(d, rows, weights, taps, i + 32, high);
    for (size_t r = 0; r < kOutputs; ++r)
      hn::Stream(hn::Combine(line, round(d, high[r]), round(d, low[r])), line, outs.at[r] + i);
  }
#else
  static_cast<void>(d), static_cast<void>(rows), static_cast<void>(outs), static_cast<void>(weights);
  static_cast<void>(taps), static_cast<void>(round), static_cast<void>(i);
#endif
}

template <class C, class In, class Out>
HWY_INLINE void SumOneColumn(const RowBlend& b, int64_t i) {
  for (int64_t r = 0; r < b.outputs; ++r) {
    const C* weights = static_cast<const C*>(b.weights) + r * b.pitch;
    C sum = 0;
    for (int64_t k = 0; k < b.taps; ++k)
      sum = static_cast<C>(sum + short_product(weights[k], short_number<C>(static_cast<const In*>(b.rows[k])[i])));
    if constexpr (kIsElement<Out>)
      static_cast<Out*>(b.outs[r])[i] = short_element<Out>(sum, b.shift);
    else
      static_cast<Out*>(b.outs[r])[i] = sum;
  }
}

template <class C, class In, class Out, int kTaps, size_t kOutputs>
void BlendTaps(const RowBlend& b) {
  const hn::ScalableTag<C> d;
  using D = hn::ScalableTag<C>;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Weights<D, kTaps, kOutputs> weights(d, b);
  const Rows<In, kTaps> rows(b);
  const Outputs<Out, kOutputs> outs(b);
  const Rounder<D, std::conditional_t<kIsElement<Out>, Out, uint8_t>> round(d, b.shift);
  const int64_t taps = b.taps;
  const int64_t n = b.n;
  const auto columns = [&](int64_t i) HWY_ATTR {
    hn::Vec<D> sum[kOutputs];
    SumColumns<kTaps, kOutputs>(d, rows, weights, taps, i, sum);
    for (size_t r = 0; r < kOutputs; ++r) StoreNumbers(d, sum[r], round, outs.at[r] + i);
  };
  int64_t i = 0;
  if (b.stream && kIsElement<Out> && N == 32 && HasSameLines(b)) {
    while (i < n && (reinterpret_cast<uintptr_t>(outs.at[0]) + static_cast<uintptr_t>(i)) % 64 != 0)
      SumOneColumn<C, In, Out>(b, i++);
    for (; i + 64 <= n; i += 64) StreamLine(d, rows, outs, weights, taps, round, i);
  }
  constexpr int64_t kLine = 64;
  for (; b.aheads > 0 && i + kLine <= n; i += kLine) {
    for (int64_t r = 0; r < b.aheads; ++r) __builtin_prefetch(static_cast<const std::byte*>(b.ahead[r]) + i);
    for (int64_t x = 0; x < kLine; x += N) columns(i + x);
  }
  for (; i + N <= n; i += N) columns(i);
  if (i == n) return;
  // What is left is less than a vector: the last whole one again, where there is one.
  if (n >= N) return columns(n - N);
  for (; i < n; ++i) SumOneColumn<C, In, Out>(b, i);
}

template <class C, class In, class Out>
struct Sum {
  template <int kTaps, size_t kOutputs>
  static void run(const RowBlend& b) {
    BlendTaps<C, In, Out, kTaps, kOutputs>(b);
  }
};

template <class C, class In, class Out>
void BlendRows(const RowBlend& b) {
  constexpr bool kIsCommon = std::is_same_v<C, In> || std::is_same_v<C, Out>;
  BlendBy<C, kIsCommon, Sum<C, In, Out>>(b);
}

template <class C, class T>
void Widen(const void* from, void* to, int64_t n, int32_t /*shift*/) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const auto* in = static_cast<const T*>(from);
  auto* out = static_cast<C*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(LoadNumbers(d, in + i), d, out + i);
  for (; i < n; ++i) out[i] = short_number<C>(in[i]);
}

template <class C, class T>
void Round(const void* from, void* to, int64_t n, int32_t shift) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<hn::ScalableTag<C>, T> round(d, shift);
  const auto* in = static_cast<const C*>(from);
  auto* out = static_cast<T*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) StoreNumbers(d, hn::LoadU(d, in + i), round, out + i);
  for (; i < n; ++i) out[i] = short_element<T>(in[i], shift);
}

template <class C, class T>
RowKernels KernelsOf() {
  return {BlendRows<C, T, T>, BlendRows<C, T, C>, BlendRows<C, C, T>, BlendRows<C, C, C>,
          nullptr,            nullptr,            Widen<C, T>,        Round<C, T>};
}

RowKernels GetShortRowKernels(bool is_signed, bool is_fixed) {
  if (is_fixed) return is_signed ? KernelsOf<int16_t, int8_t>() : KernelsOf<int16_t, uint8_t>();
  return is_signed ? KernelsOf<uint16_t, int8_t>() : KernelsOf<uint16_t, uint8_t>();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetShortRowKernels);

RowKernels short_row_kernels(DataType type, bool is_fixed) {
  return HWY_DYNAMIC_DISPATCH(GetShortRowKernels)(type == DataType::kInt8, is_fixed);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
