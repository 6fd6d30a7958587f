// SPDX-License-Identifier: Apache-2.0
// Resamples along rows with wide windows: several rows at once, transposed, for each instruction set.
#include <algorithm>

#include "backend/cpu/resize/horizontal_kernels.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_transposed.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"
#include "backend/cpu/simd/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// The sum of an output's window at lane-wide columns. kFull: no tap is absent.
template <bool kFull, class C, class D>
HWY_INLINE hn::Vec<D> SumWindow(D d, const C* weights, int32_t count, const C* x, int64_t step) {
  auto sum = hn::Mul(hn::Set(d, count > 0 ? weights[0] : C{0}), hn::LoadU(d, x));
  for (int32_t k = 1; k < count; ++k) {
    x += step;
    if (!kFull && weights[k] == 0) continue;
    sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[k]), hn::LoadU(d, x)));
  }
  return sum;
}

// Outputs [lo, hi) of a vector of rows. columns: [input number][lanes] from the chunk's first; to: the same of outputs.
template <class C>
void SumColumns(const HorizontalTable<C>& table, int64_t lo, int64_t hi, int64_t first, const C* columns, C* to) {
  const hn::ScalableTag<C> d;
  const Rounder<C, hn::ScalableTag<C>> rounder(d, table.rounding);
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const int64_t step = table.channels * N;
  for (int64_t i = lo; i < hi; ++i) {
    const C* weights = table.weights.data() + i * table.pitch;
    const int32_t count = table.count[static_cast<size_t>(i)];
    const C* x = columns + (table.first[static_cast<size_t>(i)] - first) * N;
    const bool full = table.present[static_cast<size_t>(i)] != 0;
    for (int64_t c = 0; c < table.channels; ++c, x += N, to += N)
      rounder.store(
          d, full ? SumWindow<true>(d, weights, count, x, step) : SumWindow<false>(d, weights, count, x, step), to);
  }
}

// Transposing columns of sums turns them into rows. from: the first column's place in a row.
template <class C>
void StoreRows(const C* sums, int64_t columns, int64_t from, C* const* rows, int64_t group) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const C* tile[hn::MaxLanes(hn::ScalableTag<C>())];
  HWY_ALIGN C turned[hn::MaxLanes(hn::ScalableTag<C>()) * hn::MaxLanes(hn::ScalableTag<C>())];
  for (int64_t e = 0; e < columns; e += N) {
    for (int64_t lane = 0; lane < N; ++lane) tile[lane] = sums + (e + lane) * N;
    TransposeTile(d, tile, 0, turned);
    for (int64_t lane = 0; lane < group; ++lane) {
      C* to = rows[lane] + from + e;
      if (columns - e >= N)
        hn::StoreU(hn::LoadU(d, turned + lane * N), d, to);
      else
        std::copy_n(turned + lane * N, columns - e, to);
    }
  }
}

// The columns of a chunk of outputs are transposed, then summed while they are in the L1 cache.
template <class C>
void RunTransposed(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& /*segment*/,
                   const HorizontalRows<C>& rows) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const int64_t outputs = table.n / table.channels;
  C* const sums = rows.scratch;
  C* const columns = sums + table.chunk * table.channels * N;
  for (int64_t r = 0; r < rows.count; r += N) {
    const C* from[hn::MaxLanes(hn::ScalableTag<C>())];
    const int64_t group = std::min(rows.count - r, N);
    // Lanes without a row repeat the last one and are not stored.
    for (int64_t lane = 0; lane < N; ++lane) from[lane] = rows.in[r + std::min(lane, group - 1)];
    IndexRange have;
    for (int64_t lo = 0; lo < outputs; lo += table.chunk) {
      const int64_t hi = std::min(lo + table.chunk, outputs);
      const IndexRange needed = table.chunks[static_cast<size_t>(lo / table.chunk)];
      int64_t end = needed.lo;
      if (have.lo <= needed.lo && needed.lo < have.lo + have.n) {
        end = have.lo + have.n;
        std::copy_n(columns + (needed.lo - have.lo) * N, (end - needed.lo) * N, columns);
      }
      for (; end < needed.lo + needed.n; end += N) TransposeTile(d, from, end, columns + (end - needed.lo) * N);
      have = {needed.lo, end - needed.lo};
      SumColumns(table, lo, hi, needed.lo, columns, sums);
      StoreRows(sums, (hi - lo) * table.channels, lo * table.channels, rows.out + r, group);
    }
  }
}

// Doubles are not transposed: a few rows are summed in parallel, so that their dependency chains overlap.
void RunDoubles(const HorizontalTable<double>& table, const HorizontalTable<double>::Segment& /*segment*/,
                const HorizontalRows<double>& rows) {
  constexpr int64_t kSideBySide = 8;
  const int64_t outputs = table.n / table.channels;
  for (int64_t r = 0; r < rows.count; r += kSideBySide) {
    const int64_t group = std::min(rows.count - r, kSideBySide);
    for (int64_t i = 0; i < outputs; ++i) {
      const double* weights = table.weights.data() + i * table.pitch;
      for (int64_t c = 0; c < table.channels; ++c) {
        const int64_t x = table.first[static_cast<size_t>(i)] + c;
        double sum[kSideBySide] = {};
        for (int64_t k = 0; k < table.count[static_cast<size_t>(i)]; ++k) {
          if (weights[k] == 0) continue;
          for (int64_t lane = 0; lane < group; ++lane) {
            const double term = weights[k] * rows.in[r + lane][x + k * table.channels];
            sum[lane] = k == 0 ? term : sum[lane] + term;
          }
        }
        for (int64_t lane = 0; lane < group; ++lane) rows.out[r + lane][i * table.channels + c] = sum[lane];
      }
    }
  }
}

HorizontalKernels<float>::Run GetFloats() {
  return RunTransposed<float>;
}
HorizontalKernels<int32_t>::Run GetIntegers() {
  return RunTransposed<int32_t>;
}
HorizontalKernels<double>::Run GetDoubles() {
  return RunDoubles;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetFloats);
HWY_EXPORT(GetDoubles);
HWY_EXPORT(GetIntegers);

template <>
HorizontalKernels<float>::Run transposed_kernel<float>() {
  return HWY_DYNAMIC_DISPATCH(GetFloats)();
}
template <>
HorizontalKernels<double>::Run transposed_kernel<double>() {
  return HWY_DYNAMIC_DISPATCH(GetDoubles)();
}
template <>
HorizontalKernels<uint16_t>::Run transposed_kernel<uint16_t>() {
  return nullptr;
}
template <>
HorizontalKernels<int32_t>::Run transposed_kernel<int32_t>() {
  return HWY_DYNAMIC_DISPATCH(GetIntegers)();
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
