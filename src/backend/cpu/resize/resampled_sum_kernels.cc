// SPDX-License-Identifier: Apache-2.0
// Sums of rows whose last one is resampled in the same loop, for each instruction set.
#include "backend/cpu/resize/resampled_sum.h"

#include <algorithm>

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/resampled_sum_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/resize/horizontal_taps-inl.h"
#include "backend/cpu/resize/vertical_operands-inl.h"
#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

// Stores vectors of the resampled row, and the outputs' sums with it.
template <bool kStream, int kTaps, size_t kOutputs, class C, class Out>
class Columns {
 public:
  using D = hn::ScalableTag<C>;
  using V = hn::Vec<D>;
  Columns(C* row, const VerticalSum& s) : row_(row), rows_(s), weights_(D(), s), outs_(s) {}
  HWY_INLINE void store(V x, int64_t i) const {
    const D d;
    const Rounder<Out, D> rounder(d, Rounding());
    V sums[kOutputs];
    sum(x, i, sums);
    for (size_t r = 0; r < kOutputs; ++r) {
      if constexpr (kStream) {
        hn::Stream(sums[r], d, outs_.at[r] + i);
      } else {
        PrefetchStores<hn::MaxLanes(D()) * sizeof(Out)>(outs_.at[r] + i);
        rounder.store(d, sums[r], outs_.at[r] + i);
      }
    }
  }
  // The first n columns of a vector: the row has room for all, outputs have not.
  HWY_INLINE void store_first(V x, int64_t i, int64_t n) const {
    const D d;
    const Rounder<Out, D> rounder(d, Rounding());
    V sums[kOutputs];
    sum(x, i, sums);
    for (size_t r = 0; r < kOutputs; ++r) StoreFirst(d, sums[r], n, rounder, outs_.at[r] + i);
  }

 private:
  static constexpr size_t kLast = static_cast<size_t>(kTaps) - 1;
  HWY_INLINE void sum(V x, int64_t i, V* sums) const {
    const D d;
    hn::Store(x, d, row_ + i);
    for (size_t k = 0; k < kLast; ++k) {
      const V kept = hn::LoadU(d, rows_[k] + i);
      for (size_t r = 0; r < kOutputs; ++r)
        sums[r] = k == 0 ? hn::Mul(weights_(r, 0), kept) : hn::Add(sums[r], hn::Mul(weights_(r, k), kept));
    }
    for (size_t r = 0; r < kOutputs; ++r) sums[r] = hn::Add(sums[r], hn::Mul(weights_(r, kLast), x));
  }

  C* const row_;
  const Rows<C, kTaps> rows_;
  const Weights<D, kTaps, kOutputs> weights_;
  const Outputs<Out, kOutputs> outs_;
};

// The blocks of a run, which share indices and weights.
template <bool kStream, int kTaps, size_t kOutputs, class C, class Out>
HWY_NOINLINE void SumRun(const AwaitedRow<C>& row, const VerticalSum& s,
                         const typename HorizontalTable<C>::Segment& segment) {
  const HorizontalTable<C>& table = *row.table;
  const auto& block = table.blocks[segment.block];
  const Columns<kStream, kTaps, kOutputs, C, Out> columns(row.to, s);
  const Taps<Held::kOne, kTaps, true, C> taps(BlockRows<C>(table), block);
  const int64_t N = table.lanes;
  const int64_t step = table.blocks[segment.block + 1].base - block.base;
  const C* base = row.in + block.base;
  int64_t i = static_cast<int64_t>(segment.block) * N;
  const int64_t end = std::min(i + segment.alike * N, table.n);
  for (const int64_t whole = end / N * N; i < whole; i += N, base += step) columns.store(taps.sum(base), i);
  if (i < end) columns.store_first(taps.sum(base), i, end - i);
}

// Blocks of their own, as at the ends of a row.
template <bool kStream, int kTaps, size_t kOutputs, class C, class Out>
HWY_NOINLINE void SumBlocks(const AwaitedRow<C>& row, const VerticalSum& s,
                            const typename HorizontalTable<C>::Segment& segment) {
  const HorizontalTable<C>& table = *row.table;
  const Columns<kStream, kTaps, kOutputs, C, Out> columns(row.to, s);
  const int64_t N = table.lanes;
  for (size_t b = segment.block; b < segment.block + static_cast<size_t>(segment.groups); ++b) {
    const Taps<Held::kOne, 0, false, C> taps(BlockRows<C>(table), table.blocks[b]);
    const auto x = taps.sum(row.in + table.blocks[b].base);
    const int64_t i = static_cast<int64_t>(b) * N;
    if (i + N <= table.n)
      columns.store(x, i);
    else
      columns.store_first(x, i, table.n - i);
  }
}

template <bool kStream, int kTaps, size_t kOutputs, class C, class Out>
void SumSegments(const AwaitedRow<C>& row, const VerticalSum& s) {
  for (const auto& segment : row.table->segments)
    segment.alike > 1 ? SumRun<kStream, kTaps, kOutputs, C, Out>(row, s, segment)
                      : SumBlocks<kStream, kTaps, kOutputs, C, Out>(row, s, segment);
}

// Only outputs whose vectors are whole cache lines are streamed.
template <int kTaps, size_t kOutputs, class C, class Out>
void SumResampled(const AwaitedRow<C>& row, const VerticalSum& s) {
  if constexpr (std::is_same_v<C, Out>)
    if (s.stream && AddressBits(s) % 64 == 0) return SumSegments<true, kTaps, kOutputs, C, Out>(row, s);
  SumSegments<false, kTaps, kOutputs, C, Out>(row, s);
}

template <class C, class Out>
const ResampledSumFn<C>* SumsOf(int32_t taps) {
  // As VerticalShape.
  static constexpr ResampledSumFn<C> kTwo[kVerticalShapes] = {
      nullptr, nullptr, SumResampled<2, 1, C, Out>, nullptr, SumResampled<2, 2, C, Out>, SumResampled<2, 4, C, Out>};
  static constexpr ResampledSumFn<C> kFour[kVerticalShapes] = {nullptr, nullptr, nullptr, SumResampled<4, 1, C, Out>,
                                                               nullptr, nullptr, nullptr, SumResampled<4, 2, C, Out>};
  return taps == 2 ? kTwo : taps == 4 ? kFour : nullptr;
}

// For outputs that are numbers, and for float16. Other elements take more instructions to round, and gain little. Measured on a Xeon for
// 400 and more numbers: bfloat16 0.95 to 1.17, int16 0.85 to 1.05, int32 0.9 to 1.03, uint8 1.0 to 1.12.
template <class C>
const ResampledSumFn<C>* Sums(int32_t taps, DataType type) {
  const ResampledSumFn<C>* sums = nullptr;
  visit_computed(type, [&]<class T>(Stored<T>) {
    if constexpr (std::is_same_v<T, C> || (std::is_same_v<C, float> && std::is_same_v<T, Float16>))
      sums = SumsOf<C, T>(taps);
  });
  return sums;
}

#else

template <class C>
const ResampledSumFn<C>* Sums(int32_t, DataType) {
  return nullptr;
}

#endif

const ResampledSumFn<float>* SumsOfFloats(int32_t taps, DataType type) {
  return Sums<float>(taps, type);
}

const ResampledSumFn<double>* SumsOfDoubles(int32_t taps, DataType type) {
  return Sums<double>(taps, type);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(SumsOfFloats);
HWY_EXPORT(SumsOfDoubles);

template <class C>
const ResampledSumFn<C>* resampled_sums([[maybe_unused]] int32_t taps, [[maybe_unused]] DataType type) {
  if constexpr (std::is_same_v<C, float>) return HWY_DYNAMIC_DISPATCH(SumsOfFloats)(taps, type);
  if constexpr (std::is_same_v<C, double>) return HWY_DYNAMIC_DISPATCH(SumsOfDoubles)(taps, type);
  return nullptr;
}

#define TESELA_INSTANTIATE(C) template const ResampledSumFn<C>* resampled_sums(int32_t, DataType);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
#endif  // HWY_ONCE
