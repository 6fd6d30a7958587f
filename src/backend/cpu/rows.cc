// Row kernels, for each instruction set.
#include "backend/cpu/rows.h"

#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rows.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd_ext-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Sums `taps` products for U vectors at column i. taps 0 of the template: any number, known at run time only.
template <int kTaps, size_t U, class D, class In>
HWY_INLINE void SumColumns(D d, const In* const* rows, const hn::TFromD<D>* weights, int64_t taps, int64_t i,
                           hn::Vec<D>* sum) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const int64_t count = kTaps ? kTaps : taps;
  const auto first = hn::Set(d, weights[0]);
  for (size_t u = 0; u < U; ++u)
    sum[u] = hn::Mul(first, LoadAs(d, rows[0] + i + static_cast<int64_t>(u) * N));
  for (int64_t k = 1; k < count; ++k) {
    const auto weight = hn::Set(d, weights[k]);
    for (size_t u = 0; u < U; ++u)
      sum[u] = hn::Add(sum[u], hn::Mul(weight, LoadAs(d, rows[k] + i + static_cast<int64_t>(u) * N)));
  }
}

// The columns that do not fill a vector, one by one.
template <class C, class In, class Out>
HWY_INLINE void SumOneColumn(const In* const* rows, const C* weights, int64_t taps, int64_t i, Out* out) {
  C sum = weights[0] * load_as<C>(rows[0][i]);
  for (int64_t k = 1; k < taps; ++k) {
    const C term = weights[k] * load_as<C>(rows[k][i]);
    sum = sum + term;
  }
  out[i] = store_as<Out>(sum);
}

// Vectors of C in a cache line; on every instruction set a line is a whole number of them.
template <class C>
constexpr size_t LineVectors() {
  constexpr size_t kVector = hn::MaxLanes(hn::ScalableTag<C>()) * sizeof(C);
  return kVector >= 16 ? 64 / kVector : 1;
}

template <class C, class In, class Out, int kTaps>
void BlendTaps(const RowBlend& b) {
  const hn::ScalableTag<C> d;
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(Out));  // elements of a cache line
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const auto* rows = reinterpret_cast<const In* const*>(b.rows);
  const auto* weights = static_cast<const C*>(b.weights);
  auto* out = static_cast<Out*>(b.out);
  int64_t i = 0;
  hn::Vec<hn::ScalableTag<C>> sum[4];
  if (std::is_same_v<C, Out> && b.stream && N > 1) {
    // Up to the first whole line, then a whole line an iteration, so that it leaves the core as one.
    while (i < b.n && reinterpret_cast<uintptr_t>(out + i) % 64 != 0)
      SumOneColumn<C>(rows, weights, b.taps, i++, out);
    constexpr size_t kVectors = LineVectors<C>();
    for (; i + kLine <= b.n; i += kLine) {
      SumColumns<kTaps, kVectors>(d, rows, weights, b.taps, i, sum);
      for (size_t u = 0; u < kVectors; ++u)
        hn::Stream(sum[u], d, reinterpret_cast<C*>(out) + i + static_cast<int64_t>(u) * N);
    }
  }
  for (; i + 4 * N <= b.n; i += 4 * N) {
    SumColumns<kTaps, 4>(d, rows, weights, b.taps, i, sum);
    for (size_t u = 0; u < 4; ++u) StoreAs(d, sum[u], out + i + static_cast<int64_t>(u) * N);
  }
  for (; i + N <= b.n; i += N) {
    SumColumns<kTaps, 1>(d, rows, weights, b.taps, i, sum);
    StoreAs(d, sum[0], out + i);
  }
  for (; i < b.n; ++i) SumOneColumn<C>(rows, weights, b.taps, i, out);
}

template <class C, class In, class Out>
void BlendRows(const RowBlend& b) {
  switch (b.taps) {
    case 1: return BlendTaps<C, In, Out, 1>(b);
    case 2: return BlendTaps<C, In, Out, 2>(b);
    case 4: return BlendTaps<C, In, Out, 4>(b);
    default: return BlendTaps<C, In, Out, 0>(b);
  }
}

template <class C, class T>
void Widen(const void* from, void* to, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const auto* in = static_cast<const T*>(from);
  auto* out = static_cast<C*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(LoadAs(d, in + i), d, out + i);
  for (; i < n; ++i) out[i] = load_as<C>(in[i]);
}

template <class C, class T>
void Round(const void* from, void* to, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const auto* in = static_cast<const C*>(from);
  auto* out = static_cast<T*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) StoreAs(d, hn::LoadU(d, in + i), out + i);
  for (; i < n; ++i) out[i] = store_as<T>(in[i]);
}

template <class C, class T>
RowKernels KernelsOf() {
  return {BlendRows<C, T, T>, BlendRows<C, T, C>, BlendRows<C, C, T>, BlendRows<C, C, C>, Widen<C, T>, Round<C, T>};
}

// A plan of a narrow type may compute in double, for its long windows: its rows are converted apart.
template <class T>
RowKernels ConvertedKernels() {
  return {nullptr, nullptr, nullptr, BlendRows<double, double, double>, Widen<double, T>, Round<double, T>};
}

RowKernels GetRowKernels(DataType type, ComputeType compute) {
  RowKernels kernels = {};
  visit_computed(type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    constexpr bool is_wide = std::is_same_v<T, double> || std::is_same_v<T, int32_t> ||
                             std::is_same_v<T, uint32_t> || std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>;
    if constexpr (is_wide)
      kernels = KernelsOf<double, T>();
    else
      kernels = compute == ComputeType::kDouble ? ConvertedKernels<T>() : KernelsOf<float, T>();
  });
  return kernels;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetRowKernels);

RowKernels row_kernels(DataType type, ComputeType compute) {
  return HWY_DYNAMIC_DISPATCH(GetRowKernels)(type, compute);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
