// SPDX-License-Identifier: Apache-2.0
// Sums of overlapping windows, for each instruction set.
#include "backend/cpu/resize/overlapping.h"

#include <algorithm>

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/overlapping.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"
#include "backend/cpu/tuning.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Sums start at -0.0, so that the first addition is the same as a store: even a zero product keeps its sign.
template <size_t U, class In, class Out, class D>
HWY_INLINE void SumWindows(D d, const OverlappingSum& s, int64_t i) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr size_t R = static_cast<size_t>(kOverlapped);
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
    switch (s.active[k]) {
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
  const Rounder<Out, D> rounder(d, Rounding());
  for (size_t r = 0; r < R; ++r) StoreSums<U>(d, sum + r * U, rounder, static_cast<Out*>(s.outs[r]) + i);
}

// Adds a row to kOutputs sums in memory.
template <size_t kOutputs, class C>
HWY_NOINLINE void AddRow(const C* row, const C* weights, void* const* outs, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t kAhead = kPrefetchDistance / static_cast<int64_t>(sizeof(C));
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

// Row by row, so that each is read sequentially from memory. With more outputs at a time, loading and storing the sums
// would take longer than the rows.
template <class C>
void SumByRow(const OverlappingSum& s) {
  for (int64_t r = 0; r < kOverlapped; ++r) std::fill_n(static_cast<C*>(s.outs[r]), s.n, C{-0.0});
  const auto* weights = static_cast<const C*>(s.weights);
  for (int64_t k = 0; k < s.count; ++k, weights += kOverlapped) {
    const auto* row = static_cast<const C*>(s.rows[k]);
    const int64_t first = s.active[k] / kOverlapped;
    if (s.active[k] % kOverlapped == first)
      AddRow<1>(row, weights + first, s.outs + first, s.n);
    else
      AddRow<2>(row, weights + first, s.outs + first, s.n);
  }
}

// Prefetches the rows of the next outputs: in each step of kStep columns as many lines as the step takes of each row.
// kInOrder: one row after the other; otherwise the same columns of all.
template <class In, int64_t kStep, bool kInOrder>
class NextRows {
 public:
  explicit NextRows(const OverlappingSum& s)
      : row_(s.prefetched),
        end_(s.prefetched + s.prefetches),
        lines_((s.n + kPerLine - 1) / kPerLine),
        most_((kStep + kPerLine - 1) / kPerLine * s.prefetches) {}

  // i: the step's first column.
  HWY_INLINE void prefetch(int64_t i) {
    if constexpr (kInOrder) {
      for (int64_t k = 0; k < most_ && row_ != end_; ++k) {
        fetch(*row_, line_ * kPerLine);
        if (++line_ == lines_) ++row_, line_ = 0;
      }
    } else {
      for (const auto* row = row_; row != end_; ++row)
        for (int64_t x = 0; x < kStep; x += kPerLine) fetch(*row, i + x);
    }
  }

 private:
  static constexpr int64_t kPerLine = 64 / static_cast<int64_t>(sizeof(In));

  static void fetch(const void* row, int64_t i) { __builtin_prefetch(static_cast<const In*>(row) + i); }

  const void* const* row_;
  const void* const* end_;
  int64_t lines_;  // of a row
  int64_t most_;   // lines in a step
  int64_t line_ = 0;
};

template <class C, class In, class Out, bool kInOrder>
void SumAllColumns(const OverlappingSum& s) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  constexpr size_t U = HWY_TARGET <= HWY_AVX3 ? 4 : 2;  // as many sums as registers
  constexpr auto kStep = static_cast<int64_t>(U * hn::MaxLanes(hn::ScalableTag<C>()));
  NextRows<In, kStep, kInOrder> next(s);
  int64_t i = 0;
  for (; i + kStep <= s.n; i += kStep) {
    next.prefetch(i);
    SumWindows<U, In, Out>(d, s, i);
  }
  for (; i + N <= s.n; i += N) SumWindows<1, In, Out>(d, s, i);
  if (i < s.n) SumWindows<1, In, Out>(d, s, s.n - N);
}

// Memory is faster in order, unless rows are shorter than a page, as those of bytes are. Measured for cubic antialias of
// 2160x3840 to a half: the other order takes 1.4 for floats and 1.15 for bytes; with 1080x1920 from the cache 1.1.
template <class C, class In, class Out>
void SumOverlapping(const OverlappingSum& s) {
  if constexpr (std::is_same_v<In, C> && std::is_same_v<Out, C>)
    if (s.by_row) return SumByRow<C>(s);
  if constexpr (sizeof(In) >= sizeof(float))
    if (s.from_memory) return SumAllColumns<C, In, Out, true>(s);
  SumAllColumns<C, In, Out, false>(s);
}

// None for one lane, which gains nothing from shared loads, and for types that are converted separately.
OverlappingKernels GetOverlappingKernels(DataType type, ComputeType compute) {
  OverlappingKernels kernels = {};
#if HWY_TARGET != HWY_SCALAR
  visit_computed(type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int32_t>)
      kernels = {{SumOverlapping<double, T, double>, SumOverlapping<double, T, T>}};
    else if constexpr (!std::is_same_v<T, uint32_t> && !(std::is_integral_v<T> && sizeof(T) == 8))
      if (compute == ComputeType::kFloat) kernels = {{SumOverlapping<float, T, float>, SumOverlapping<float, T, T>}};
  });
#else
  static_cast<void>(type), static_cast<void>(compute);
#endif
  return kernels;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetOverlappingKernels);

OverlappingKernels overlapping_kernels(DataType type, ComputeType compute) {
  return HWY_DYNAMIC_DISPATCH(GetOverlappingKernels)(type, compute);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
