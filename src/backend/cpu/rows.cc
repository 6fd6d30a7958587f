// Row kernels, for each instruction set.
#include "backend/cpu/rows.h"

#include <algorithm>

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rows.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/row_lists-inl.h"
#include "backend/cpu/simd_ext-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Sums for U vectors at column i, for each of kOutputs outputs: a column is loaded once for all.
template <int kTaps, size_t kOutputs, size_t U, class D, class In>
HWY_INLINE void SumColumns(D d, const Rows<In, kTaps>& rows, const Weights<D, kTaps, kOutputs>& weights, int64_t taps,
                           int64_t i, hn::Vec<D>* sum) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const size_t count = static_cast<size_t>(kTaps ? kTaps : taps);
  for (size_t u = 0; u < U; ++u) {
    const auto x = LoadAs(d, rows[0] + i + static_cast<int64_t>(u) * N);
    for (size_t r = 0; r < kOutputs; ++r) sum[r * U + u] = hn::Mul(weights(r, 0), x);
  }
  for (size_t k = 1; k < count; ++k)
    for (size_t u = 0; u < U; ++u) {
      const auto x = LoadAs(d, rows[k] + i + static_cast<int64_t>(u) * N);
      for (size_t r = 0; r < kOutputs; ++r) sum[r * U + u] = hn::Add(sum[r * U + u], hn::Mul(weights(r, k), x));
    }
}

// Columns that do not fill a vector, one by one.
template <class C, class In, class Out>
HWY_INLINE void SumOneColumn(const RowBlend& b, int64_t i) {
  const auto* rows = reinterpret_cast<const In* const*>(b.rows);
  for (int64_t r = 0; r < b.outputs; ++r) {
    const C* weights = static_cast<const C*>(b.weights) + r * b.pitch;
    C sum = weights[0] * load_as<C>(rows[0][i]);
    for (int64_t k = 1; k < b.taps; ++k) {
      const C term = weights[k] * load_as<C>(rows[k][i]);
      sum = sum + term;
    }
    static_cast<Out*>(b.outs[r])[i] = store_as<Out>(sum);
  }
}

// Vectors of C in a cache line; on every instruction set a line is a whole number of them.
template <class C>
constexpr size_t LineVectors() {
  constexpr size_t kVector = hn::MaxLanes(hn::ScalableTag<C>()) * sizeof(C);
  return kVector >= 16 ? 64 / kVector : 1;
}

template <size_t U, class In, class Out, class D, int kTaps, size_t kOutputs>
HWY_INLINE void BlendColumns(D d, const Rows<In, kTaps>& rows, const Outputs<Out, kOutputs>& outs, int64_t taps,
                             const Weights<D, kTaps, kOutputs>& weights, int64_t i) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<D> sum[kOutputs * U];
  SumColumns<kTaps, kOutputs, U>(d, rows, weights, taps, i, sum);
  for (size_t r = 0; r < kOutputs; ++r)
    for (size_t u = 0; u < U; ++u) StoreAs(d, sum[r * U + u], outs.at[r] + i + static_cast<int64_t>(u) * N);
}

template <class C, class In, class Out, int kTaps, size_t kOutputs>
void BlendTaps(const RowBlend& b) {
  const hn::ScalableTag<C> d;
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(Out));  // elements of a cache line
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const Weights<hn::ScalableTag<C>, kTaps, kOutputs> weights(d, b);
  const Rows<In, kTaps> rows(b);
  const Outputs<Out, kOutputs> outs(b);
  const int64_t taps = b.taps;
  const int64_t n = b.n;
  int64_t i = 0;
  if (std::is_same_v<C, Out> && b.stream && N > 1 && HasSameLines(b)) {
    // Up to the first whole line, then a whole line an iteration, so that it leaves the core as one.
    while (i < n && (reinterpret_cast<uintptr_t>(outs.at[0]) + static_cast<uintptr_t>(i) * sizeof(Out)) % 64 != 0)
      SumOneColumn<C, In, Out>(b, i++);
    constexpr size_t kVectors = LineVectors<C>();
    hn::Vec<hn::ScalableTag<C>> sum[kOutputs * kVectors];
    for (; i + kLine <= n; i += kLine) {
      SumColumns<kTaps, kOutputs, kVectors>(d, rows, weights, taps, i, sum);
      for (size_t r = 0; r < kOutputs; ++r)
        for (size_t u = 0; u < kVectors; ++u)
          hn::Stream(sum[r * kVectors + u], d, reinterpret_cast<C*>(outs.at[r]) + i + static_cast<int64_t>(u) * N);
    }
  }
  constexpr size_t U = kOutputs == 1 ? 4 : 2;
  constexpr int64_t kPerLine = 64 / static_cast<int64_t>(sizeof(In));
  const int64_t step = static_cast<int64_t>(U) * N;
  const int64_t aheads = b.aheads;
  for (; i + step <= n; i += step) {
    for (int64_t r = 0; r < aheads; ++r)
      for (int64_t x = 0; x < step; x += kPerLine) __builtin_prefetch(static_cast<const In*>(b.ahead[r]) + i + x);
    BlendColumns<U>(d, rows, outs, taps, weights, i);
  }
  for (; i + N <= n; i += N) BlendColumns<1>(d, rows, outs, taps, weights, i);
  if (i == n) return;
  // What is left is less than a vector: the last whole one again, where there is one.
  if (n >= N) return BlendColumns<1>(d, rows, outs, taps, weights, n - N);
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
  constexpr bool kIsCommon = (std::is_same_v<C, In> || std::is_same_v<C, Out>) &&
                             !std::is_same_v<In, BoolByte> && !std::is_same_v<Out, BoolByte>;
  BlendBy<C, kIsCommon, Sum<C, In, Out>>(b);
}

// Sums start at -0.0, to which adding is the same as storing: a first product keeps its sign even where it is zero.
template <size_t U, class In, class Out, class D>
HWY_INLINE void SweepColumns(D d, const RowSweep& s, int64_t i) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr size_t R = static_cast<size_t>(kSwept);
  hn::Vec<D> sum[R * U];
  for (auto& each : sum) each = hn::Neg(hn::Zero(d));
  const auto* const* rows = reinterpret_cast<const In* const*>(s.rows);
  const auto* weights = static_cast<const hn::TFromD<D>*>(s.weights);
  for (int64_t k = 0; k < s.count; ++k, weights += R) {
    hn::Vec<D> x[U];
    for (size_t u = 0; u < U; ++u) x[u] = LoadAs(d, rows[k] + i + static_cast<int64_t>(u) * N);
    const auto add = [&](size_t r) HWY_ATTR {
      const auto weight = hn::Set(d, weights[r]);
      for (size_t u = 0; u < U; ++u) sum[r * U + u] = hn::Add(sum[r * U + u], hn::Mul(weight, x[u]));
    };
    switch (s.open[k]) {
      case 0: add(0); break;
      case 1: add(0), add(1); break;
      case 2: add(0), add(1), add(2); break;
      case 3: add(0), add(1), add(2), add(3); break;
      case 5: add(1); break;
      case 6: add(1), add(2); break;
      case 7: add(1), add(2), add(3); break;
      case 10: add(2); break;
      case 11: add(2), add(3); break;
      default: add(3); break;
    }
  }
  for (size_t r = 0; r < R; ++r)
    for (size_t u = 0; u < U; ++u)
      StoreAs(d, sum[r * U + u], static_cast<Out*>(s.outs[r]) + i + static_cast<int64_t>(u) * N);
}

// Adds a row to kOutputs sums that lie in memory.
template <size_t kOutputs, class C>
HWY_NOINLINE void AddRow(const C* row, const C* weights, void* const* outs, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t kAhead = 2048 / static_cast<int64_t>(sizeof(C));
  hn::Vec<decltype(d)> weight[kOutputs];
  C* sum[kOutputs];
  for (size_t r = 0; r < kOutputs; ++r) {
    weight[r] = hn::Set(d, weights[r]);
    sum[r] = static_cast<C*>(outs[r]);
  }
  int64_t i = 0;
  for (; i + N <= n; i += N) {
    __builtin_prefetch(row + i + kAhead);
    const auto x = hn::LoadU(d, row + i);
    for (size_t r = 0; r < kOutputs; ++r)
      hn::StoreU(hn::Add(hn::LoadU(d, sum[r] + i), hn::Mul(weight[r], x)), d, sum[r] + i);
  }
  for (; i < n; ++i)
    for (size_t r = 0; r < kOutputs; ++r) {
      const C term = weights[r] * row[i];
      sum[r][i] = sum[r][i] + term;
    }
}

// Row by row, so that each is read from end to end: memory likes that best. Sums of more outputs at a time would take
// longer to load and store than the rows.
template <class C>
void SweepByRow(const RowSweep& s) {
  for (int64_t r = 0; r < kSwept; ++r) std::fill_n(static_cast<C*>(s.outs[r]), s.n, C{-0.0});
  const auto* weights = static_cast<const C*>(s.weights);
  for (int64_t k = 0; k < s.count; ++k, weights += kSwept) {
    const auto* row = static_cast<const C*>(s.rows[k]);
    const int64_t first = s.open[k] / kSwept;
    if (s.open[k] % kSwept == first)
      AddRow<1>(row, weights + first, s.outs + first, s.n);
    else
      AddRow<2>(row, weights + first, s.outs + first, s.n);
  }
}

template <class C, class In, class Out>
void SweepRows(const RowSweep& s) {
  if constexpr (std::is_same_v<In, C> && std::is_same_v<Out, C>)
    if (s.by_row) return SweepByRow<C>(s);
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr size_t U = HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // as many sums as there are registers for
  constexpr auto kStep = static_cast<int64_t>(U * hn::MaxLanes(hn::ScalableTag<C>()));
  constexpr int64_t kPerLine = 64 / static_cast<int64_t>(sizeof(In));
  int64_t i = 0;
  for (; i + kStep <= s.n; i += kStep) {
    for (int64_t r = 0; r < s.aheads; ++r)
      for (int64_t x = 0; x < kStep; x += kPerLine) __builtin_prefetch(static_cast<const In*>(s.ahead[r]) + i + x);
    SweepColumns<U, In, Out>(d, s, i);
  }
  for (; i + N <= s.n; i += N) SweepColumns<1, In, Out>(d, s, i);
  if (i < s.n) SweepColumns<1, In, Out>(d, s, s.n - N);
}

template <class C, class T>
void Widen(const void* from, void* to, int64_t n, int32_t /*shift*/) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const auto* in = static_cast<const T*>(from);
  auto* out = static_cast<C*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(LoadAs(d, in + i), d, out + i);
  if (i < n && n >= N) return hn::StoreU(LoadAs(d, in + n - N), d, out + n - N);
  for (; i < n; ++i) out[i] = load_as<C>(in[i]);
}

template <class C, class T>
void Round(const void* from, void* to, int64_t n, int32_t /*shift*/) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const auto* in = static_cast<const C*>(from);
  auto* out = static_cast<T*>(to);
  int64_t i = 0;
  for (; i + N <= n; i += N) StoreAs(d, hn::LoadU(d, in + i), out + i);
  if (i < n && n >= N) return StoreAs(d, hn::LoadU(d, in + n - N), out + n - N);
  for (; i < n; ++i) out[i] = store_as<T>(in[i]);
}

template <class C, class T>
RowKernels KernelsOf() {
  RowKernels kernels = {BlendRows<C, T, T>, BlendRows<C, T, C>, BlendRows<C, C, T>, BlendRows<C, C, C>,
                        nullptr,            nullptr,            Widen<C, T>,        Round<C, T>};
  // One lane gains nothing from sums that share a load.
  if constexpr (HWY_TARGET != HWY_SCALAR) {
    kernels.sweep_to_compute = SweepRows<C, T, C>;
    kernels.sweep_to_element = SweepRows<C, T, T>;
  }
  return kernels;
}

// A plan of a narrow type may compute in double, for its long windows: its rows are converted apart, as are those of
// types that take longer to convert than to sum.
template <class T>
RowKernels ConvertedKernels() {
  return {nullptr, nullptr, nullptr, BlendRows<double, double, double>, nullptr, nullptr, Widen<double, T>,
          Round<double, T>};
}

RowKernels GetRowKernels(DataType type, ComputeType compute) {
  RowKernels kernels = {};
  visit_computed(type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    constexpr bool is_wide = std::is_same_v<T, double> || std::is_same_v<T, int32_t> ||
                             std::is_same_v<T, uint32_t> || std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int32_t>)
      kernels = KernelsOf<double, T>();
    else if constexpr (is_wide)
      kernels = ConvertedKernels<T>();  // no vector converts them
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
