// Line kernels, for each instruction set.
#include "backend/cpu/lines.h"

#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/lines.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd_ext-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// sum + weight * x where the weight is not zero: an absent tap must leave even a -0.0 as it is, and hide a NaN.
template <bool kFull, class D>
HWY_INLINE hn::Vec<D> AddTap(D d, hn::Vec<D> sum, hn::Vec<D> weight, hn::Vec<D> x) {
  const auto more = hn::Add(sum, hn::Mul(weight, x));
  if constexpr (kFull)
    return more;
  else
    return hn::IfThenElse(hn::Ne(weight, hn::Zero(d)), more, sum);
}

// The whole vector, or at the row's end its first lanes.
template <class D>
HWY_INLINE void StoreOutputs(D d, hn::Vec<D> v, hn::TFromD<D>* out, int64_t left) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  if (left >= N) return hn::StoreU(v, d, out);
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  for (int64_t i = 0; i < left; ++i) out[i] = lanes[i];
}

// ---- kWindow and kShifted -------------------------------------------------------------------------------------------

// One tap's inputs of a block. kWindow looks them up in the window's vectors, kShifted in vectors of the tap's own.
template <bool kShifted, bool kNarrow, class D, class VI>
HWY_INLINE hn::Vec<D> LookUp(D d, const hn::TFromD<D>* base, int64_t tap_offset, hn::Vec<D> low, hn::Vec<D> high,
                             VI index) {
  const hn::RebindToSigned<D> di;
  const auto N = hn::Lanes(d);
  if constexpr (kShifted)
    return Lookup2(d, hn::LoadU(d, base + tap_offset), hn::LoadU(d, base + tap_offset + N), index);
  const auto at = hn::Add(index, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(tap_offset)));
  if constexpr (kNarrow) {
    // Absent taps may point beyond the vector; what they read is masked.
    const auto within = hn::And(at, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(N - 1)));
    return hn::TableLookupLanes(low, hn::IndicesFromVec(d, within));
  } else {
    return Lookup2(d, low, high, at);
  }
}

template <bool kShifted, bool kNarrow, bool kFull, class D>
HWY_INLINE hn::Vec<D> SumBlock(D d, const hn::TFromD<D>* base, const hn::TFromD<D>* weight,
                               hn::Vec<hn::RebindToSigned<D>> index, int32_t taps, int64_t channels) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  auto low = hn::Zero(d);
  auto high = hn::Zero(d);
  if constexpr (!kShifted) low = hn::LoadU(d, base);
  if constexpr (!kShifted && !kNarrow) high = hn::LoadU(d, base + N);
  auto sum = hn::Mul(hn::LoadU(d, weight), LookUp<kShifted, kNarrow>(d, base, 0, low, high, index));
  for (int32_t k = 1; k < taps; ++k)
    sum = AddTap<kFull>(d, sum, hn::LoadU(d, weight + k * N),
                        LookUp<kShifted, kNarrow>(d, base, k * channels, low, high, index));
  return sum;
}

template <bool kShifted, bool kNarrow, bool kFull, class C>
void BlockOfRows(const LineTable<C>& table, size_t b, const C* const* in, C* const* out, int64_t rows) {
  const hn::ScalableTag<C> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto& block = table.blocks[b];
  const auto index = hn::LoadU(di, table.index.data() + block.at);
  const int64_t e = static_cast<int64_t>(b) * table.lanes;
  for (int64_t r = 0; r < rows; ++r) {
    const auto sum = SumBlock<kShifted, kNarrow, kFull>(d, in[r] + block.base, table.weight.data() + block.at, index,
                                                        block.taps, table.channels);
    StoreOutputs(d, sum, out[r] + e, table.n - e);
  }
}

// Blocks that differ by their base alone: indices and weights stay in registers.
template <int kTaps, bool kNarrow, class C>
void RunOfBlocks(const LineTable<C>& table, size_t b, const C* in, C* out) {
  const hn::ScalableTag<C> d;
  const hn::RebindToSigned<decltype(d)> di;
  const int64_t N = table.lanes;
  const auto& block = table.blocks[b];
  const int64_t step = table.blocks[b + 1].base - block.base;
  const C* base = in + block.base;
  C* to = out + static_cast<int64_t>(b) * N;
  const auto index = hn::LoadU(di, table.index.data() + block.at);
  hn::Vec<decltype(d)> weight[static_cast<size_t>(kTaps)];
  for (int k = 0; k < kTaps; ++k) weight[k] = hn::LoadU(d, table.weight.data() + block.at + k * N);
  for (int32_t i = 0; i < table.run[b]; ++i, base += step, to += N) {
    const auto low = hn::LoadU(d, base);
    const auto high = kNarrow ? low : hn::LoadU(d, base + N);
    auto sum = hn::Mul(weight[0], LookUp<false, kNarrow>(d, base, 0, low, high, index));
    for (int k = 1; k < kTaps; ++k)
      sum = hn::Add(sum, hn::Mul(weight[k], LookUp<false, kNarrow>(d, base, k * table.channels, low, high, index)));
    hn::StoreU(sum, d, to);
  }
}

template <bool kNarrow, class C>
bool RunOfTaps(const LineTable<C>& table, size_t b, const C* in, C* out) {
  switch (table.blocks[b].taps) {
    case 1: RunOfBlocks<1, kNarrow>(table, b, in, out); return true;
    case 2: RunOfBlocks<2, kNarrow>(table, b, in, out); return true;
    case 3: RunOfBlocks<3, kNarrow>(table, b, in, out); return true;
    case 4: RunOfBlocks<4, kNarrow>(table, b, in, out); return true;
    default: return false;
  }
}

// Worth a loop of its own, and whole vectors all through.
template <class C>
bool IsLongRun(const LineTable<C>& table, size_t b) {
  constexpr int32_t kLongRun = 4;
  return table.kind == LineKind::kWindow && table.run[b] >= kLongRun &&
         static_cast<int64_t>(b + static_cast<size_t>(table.run[b])) * table.lanes <= table.n;
}

template <bool kShifted, class C>
void LookUpRows(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows) {
  for (size_t b = 0; b < table.blocks.size();) {
    const auto& block = table.blocks[b];
    if (!kShifted && IsLongRun(table, b)) {
      bool done = false;
      for (int64_t r = 0; r < rows; ++r)
        done = block.narrow ? RunOfTaps<true>(table, b, in[r], out[r]) : RunOfTaps<false>(table, b, in[r], out[r]);
      if (done) {
        b += static_cast<size_t>(table.run[b]);
        continue;
      }
    }
    if (block.full)
      !kShifted && block.narrow ? BlockOfRows<kShifted, !kShifted, true>(table, b, in, out, rows)
                                : BlockOfRows<kShifted, false, true>(table, b, in, out, rows);
    else
      !kShifted && block.narrow ? BlockOfRows<kShifted, !kShifted, false>(table, b, in, out, rows)
                                : BlockOfRows<kShifted, false, false>(table, b, in, out, rows);
    ++b;
  }
}

// ---- kGather --------------------------------------------------------------------------------------------------------

template <bool kFull, class C>
void GatherBlock(const LineTable<C>& table, size_t b, const C* in, C* out) {
  const hn::ScalableTag<C> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto& block = table.blocks[b];
  const int64_t N = table.lanes;
  const C* weight = table.weight.data() + block.at;
  const auto* index = table.index.data() + block.at;
  auto sum = hn::Mul(hn::LoadU(d, weight), hn::GatherIndex(d, in, hn::LoadU(di, index)));
  for (int32_t k = 1; k < block.taps; ++k)
    sum = AddTap<kFull>(d, sum, hn::LoadU(d, weight + k * N), hn::GatherIndex(d, in, hn::LoadU(di, index + k * N)));
  const int64_t e = static_cast<int64_t>(b) * N;
  StoreOutputs(d, sum, out + e, table.n - e);
}

template <class C>
void GatherRows(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows) {
  for (size_t b = 0; b < table.blocks.size(); ++b)
    for (int64_t r = 0; r < rows; ++r)
      table.blocks[b].full ? GatherBlock<true>(table, b, in[r], out[r]) : GatherBlock<false>(table, b, in[r], out[r]);
}

// ---- kBlock ---------------------------------------------------------------------------------------------------------

// columns: [input number][lanes] of rows; to: the same of outputs.
void SumColumns(const LineTable<float>& table, const float* columns, float* to) {
  const hn::ScalableTag<float> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const int64_t outputs = table.n / table.channels;
  for (int64_t i = 0; i < outputs; ++i) {
    const float* weights = table.weights.data() + i * table.pitch;
    const int32_t count = table.count[static_cast<size_t>(i)];
    for (int64_t c = 0; c < table.channels; ++c) {
      const float* x = columns + (table.first[static_cast<size_t>(i)] + c) * N;
      auto sum = hn::Mul(hn::Set(d, count > 0 ? weights[0] : 0.0f), hn::LoadU(d, x));
      for (int32_t k = 1; k < count; ++k) {
        if (weights[k] == 0) continue;
        sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[k]), hn::LoadU(d, x + k * table.channels * N)));
      }
      hn::StoreU(sum, d, to + (i * table.channels + c) * N);
    }
  }
}

void BlockRows(const LineTable<float>& table, const float* const* in, float* const* out, int64_t rows,
               float* scratch) {
  const hn::ScalableTag<float> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  float* columns = scratch;
  float* sums = scratch + table.reach * N;
  for (int64_t r = 0; r < rows; r += N) {
    const float* from[hn::MaxLanes(hn::ScalableTag<float>())];
    const int64_t group = rows - r < N ? rows - r : N;
    // Lanes without a row repeat the last one and are not stored.
    for (int64_t lane = 0; lane < N; ++lane) from[lane] = in[r + (lane < group ? lane : group - 1)];
    for (int64_t x = 0; x < table.reach; x += N) TransposeTile(d, from, x, columns + x * N);
    SumColumns(table, columns, sums);
    // Transposing again turns columns of outputs into rows.
    const float* tile[hn::MaxLanes(hn::ScalableTag<float>())];
    HWY_ALIGN float turned[hn::MaxLanes(hn::ScalableTag<float>()) * hn::MaxLanes(hn::ScalableTag<float>())];
    for (int64_t e = 0; e < table.n; e += N) {
      for (int64_t lane = 0; lane < N; ++lane) tile[lane] = sums + (e + lane) * N;
      TransposeTile(d, tile, 0, turned);
      for (int64_t lane = 0; lane < group; ++lane)
        StoreOutputs(d, hn::LoadU(d, turned + lane * N), out[r + lane] + e, table.n - e);
    }
  }
}

// Doubles are not transposed: a few rows go side by side, so that their sums do not wait for each other.
void BlockRowsOfDoubles(const LineTable<double>& table, const double* const* in, double* const* out, int64_t rows) {
  constexpr int64_t kSideBySide = 8;
  const int64_t outputs = table.n / table.channels;
  for (int64_t r = 0; r < rows; r += kSideBySide) {
    const int64_t group = rows - r < kSideBySide ? rows - r : kSideBySide;
    for (int64_t i = 0; i < outputs; ++i) {
      const double* weights = table.weights.data() + i * table.pitch;
      for (int64_t c = 0; c < table.channels; ++c) {
        const int64_t x = table.first[static_cast<size_t>(i)] + c;
        double sum[kSideBySide] = {};
        for (int64_t k = 0; k < table.count[static_cast<size_t>(i)]; ++k) {
          if (weights[k] == 0) continue;
          for (int64_t lane = 0; lane < group; ++lane) {
            const double term = weights[k] * in[r + lane][x + k * table.channels];
            sum[lane] = k == 0 ? term : sum[lane] + term;
          }
        }
        for (int64_t lane = 0; lane < group; ++lane) out[r + lane][i * table.channels + c] = sum[lane];
      }
    }
  }
}

void RunFloatLines(const LineTable<float>& table, const float* const* in, float* const* out, int64_t rows,
                   float* scratch) {
  switch (table.kind) {
    case LineKind::kWindow: return LookUpRows<false>(table, in, out, rows);
    case LineKind::kShifted: return LookUpRows<true>(table, in, out, rows);
    case LineKind::kBlock: return BlockRows(table, in, out, rows, scratch);
    case LineKind::kGather: return GatherRows(table, in, out, rows);
  }
}

void RunDoubleLines(const LineTable<double>& table, const double* const* in, double* const* out, int64_t rows) {
  switch (table.kind) {
    case LineKind::kWindow: return LookUpRows<false>(table, in, out, rows);
    case LineKind::kShifted: return LookUpRows<true>(table, in, out, rows);
    case LineKind::kBlock: return BlockRowsOfDoubles(table, in, out, rows);
    case LineKind::kGather: return GatherRows(table, in, out, rows);
  }
}

int64_t FloatLanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
}

int64_t DoubleLanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<double>()));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(RunFloatLines);
HWY_EXPORT(RunDoubleLines);
HWY_EXPORT(FloatLanes);
HWY_EXPORT(DoubleLanes);

int64_t line_lanes(ComputeType compute) {
  return compute == ComputeType::kFloat ? HWY_DYNAMIC_DISPATCH(FloatLanes)() : HWY_DYNAMIC_DISPATCH(DoubleLanes)();
}

template <>
void run_lines(const LineTable<float>& table, const float* const* in, float* const* out, int64_t rows,
               float* scratch) {
  HWY_DYNAMIC_DISPATCH(RunFloatLines)(table, in, out, rows, scratch);
}

template <>
void run_lines(const LineTable<double>& table, const double* const* in, double* const* out, int64_t rows,
               double* /*scratch*/) {
  HWY_DYNAMIC_DISPATCH(RunDoubleLines)(table, in, out, rows);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
