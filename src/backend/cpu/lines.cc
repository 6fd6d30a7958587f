// Line kernels, for each instruction set.
#include "backend/cpu/lines.h"

#include <algorithm>

#define TESELA_WITHOUT_AVX3_DL
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
  const auto more = hn::Add(sum, Product(weight, x));
  // Whole numbers have neither.
  if constexpr (kFull || sizeof(hn::TFromD<D>) == 2)
    return more;
  else
    return hn::IfThenElse(hn::Ne(weight, hn::Zero(d)), more, sum);
}

// The whole vector, or at the row's end its first lanes.
template <bool kStream, class D>
HWY_INLINE void StoreOutputs(D d, hn::Vec<D> v, hn::TFromD<D>* out, int64_t left) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  if (left >= N) {
    if constexpr (kStream)
      return hn::Stream(v, d, out);
    else
      return hn::StoreU(v, d, out);
  }
  HWY_ALIGN hn::TFromD<D> lanes[hn::MaxLanes(D())];
  hn::Store(v, d, lanes);
  for (int64_t i = 0; i < left; ++i) out[i] = lanes[i];
}

// ---- kWindow and kShifted -------------------------------------------------------------------------------------------

// The inputs of a block's taps. kWindow: one or two vectors hold them all. kShifted: two vectors hold those of a few
// taps, and are loaded again for the next.
enum class Held { kOne, kTwo, kShifting };

template <Held kHeld, class D>
class Window {
 public:
  using DI = hn::RebindToSigned<D>;
  HWY_INLINE Window(D d, const hn::TFromD<D>* base, hn::Vec<DI> index, int64_t channels, int32_t hold)
      : d_(d), base_(base), index_(index), at_(index), step_(hn::Set(DI(), static_cast<hn::TFromD<DI>>(channels))),
        low_(hn::LoadU(d, base)), high_(low_), channels_(channels), hold_(hold), left_(hold) {
    if constexpr (kHeld != Held::kOne) high_ = hn::LoadU(d, base + hn::Lanes(d));
  }
  HWY_INLINE hn::Vec<D> first() const { return look_up(); }
  HWY_INLINE hn::Vec<D> next() {
    if constexpr (kHeld == Held::kShifting) {
      base_ += channels_;
      if (--left_ == 0) {
        left_ = hold_;
        at_ = index_;
        low_ = hn::LoadU(d_, base_);
        high_ = hn::LoadU(d_, base_ + hn::Lanes(d_));
        return look_up();
      }
    }
    at_ = hn::Add(at_, step_);
    return look_up();
  }

 private:
  HWY_INLINE hn::Vec<D> look_up() const {
    // Absent taps may point beyond the vector; what they read is masked.
    if constexpr (kHeld == Held::kOne)
      return Lookup1(d_, low_, at_);
    else
      return Lookup2(d_, low_, high_, at_);
  }
  D d_;
  const hn::TFromD<D>* base_;
  hn::Vec<DI> index_, at_, step_;
  hn::Vec<D> low_, high_;
  int64_t channels_;
  int32_t hold_, left_;
};

template <Held kHeld, bool kFull, bool kStream, class C>
HWY_NOINLINE void AnyTapsOfRows(const LineTable<C>& table, size_t b, const C* const* in, C* const* out, int64_t rows) {
  const LineTag<C> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto& block = table.blocks[b];
  const auto index = hn::LoadU(di, table.index.data() + block.at);
  const C* weight = table.weight.data() + block.at;
  const int64_t e = static_cast<int64_t>(b) * table.lanes;
  for (int64_t r = 0; r < rows; ++r) {
    Window<kHeld, decltype(d)> window(d, in[r] + block.base, index, table.channels, block.hold);
    auto sum = Product(hn::LoadU(d, weight), window.first());
    for (int32_t k = 1; k < block.taps; ++k)
      sum = AddTap<kFull>(d, sum, hn::LoadU(d, weight + k * table.lanes), window.next());
    StoreOutputs<kStream>(d, sum, out[r] + e, table.n - e);
  }
}

constexpr int32_t kHoldOfHalves = 2;  // taps that two vectors serve where every output is two inputs further on

// What tap k of a run's blocks reads of the vectors held: worked out once for the whole run.
template <Held kHeld, class D>
class RunIndices {
 public:
  using DI = hn::RebindToSigned<D>;
  HWY_INLINE RunIndices(D /*d*/, hn::Vec<DI> index, int64_t tap, int64_t channels)
      : at_(hn::Add(index, hn::Set(DI(), static_cast<hn::TFromD<DI>>(tap * channels)))) {
  }
  HWY_INLINE hn::Vec<D> look_up(D d, hn::Vec<D> low, hn::Vec<D> high) const {
    if constexpr (kHeld == Held::kOne)
      return Lookup1(d, low, at_);
    else
      return Lookup2(d, low, high, at_);
  }

 private:
  hn::Vec<DI> at_;
};

// Blocks that differ by their base alone: indices and weights stay in registers, which they do only in a function of
// their own.
template <Held kHeld, int kTaps, bool kStream, class C>
HWY_NOINLINE void RunOfBlocks(const LineTable<C>& table, size_t b, const C* in, C* out) {
  const LineTag<C> d;
  const hn::RebindToSigned<decltype(d)> di;
  constexpr int kHold = kHeld == Held::kShifting ? kHoldOfHalves : kTaps;  // taps that the same vectors serve
  const int64_t N = table.lanes;
  const auto& block = table.blocks[b];
  const int64_t step = table.blocks[b + 1].base - block.base;
  const int64_t shift = kHold * table.channels;
  const C* base = in + block.base;
  C* to = out + static_cast<int64_t>(b) * N;
  const C* const end = to + table.run[b] * N;
  const auto index = hn::LoadU(di, table.index.data() + block.at);
  hn::Vec<decltype(d)> weight[static_cast<size_t>(kTaps)];
  for (int k = 0; k < kTaps; ++k) weight[k] = hn::LoadU(d, table.weight.data() + block.at + k * N);
  const RunIndices<kHeld, decltype(d)> first(d, index, 0, table.channels);
  const RunIndices<kHeld, decltype(d)> second(d, index, 1, table.channels);
  const RunIndices<kHeld, decltype(d)> third(d, index, 2, table.channels);
  const RunIndices<kHeld, decltype(d)> fourth(d, index, 3, table.channels);
  for (; to != end; base += step, to += N) {
    auto sum = hn::Zero(d);
    auto low = hn::Zero(d);
    auto high = low;
    for (int k = 0; k < kTaps; ++k) {
      const int held = k % kHold;
      if (held == 0) {
        low = hn::LoadU(d, base + k / kHold * shift);
        if constexpr (kHeld != Held::kOne) high = hn::LoadU(d, base + k / kHold * shift + N);
      }
      const auto& indices = held == 0 ? first : held == 1 ? second : held == 2 ? third : fourth;
      const auto term = Product(weight[k], indices.look_up(d, low, high));
      sum = k == 0 ? term : hn::Add(sum, term);
    }
    if constexpr (kStream)
      hn::Stream(sum, d, to);
    else
      hn::StoreU(sum, d, to);
  }
}

template <Held kHeld, bool kStream, class C>
bool RunOfTaps(const LineTable<C>& table, size_t b, const C* in, C* out) {
  const auto& block = table.blocks[b];
  if constexpr (kHeld == Held::kShifting) {
    if (block.hold != kHoldOfHalves) return false;
    switch (block.taps) {
      case 4: RunOfBlocks<kHeld, 4, kStream>(table, b, in, out); return true;
      case 8: RunOfBlocks<kHeld, 8, kStream>(table, b, in, out); return true;
      default: return false;
    }
  }
  switch (block.taps) {
    case 1: RunOfBlocks<kHeld, 1, kStream>(table, b, in, out); return true;
    case 2: RunOfBlocks<kHeld, 2, kStream>(table, b, in, out); return true;
    case 3: RunOfBlocks<kHeld, 3, kStream>(table, b, in, out); return true;
    case 4: RunOfBlocks<kHeld, 4, kStream>(table, b, in, out); return true;
    default: return false;
  }
}

// Worth a loop of its own, and whole vectors all through.
template <class C>
bool IsLongRun(const LineTable<C>& table, size_t b) {
  return table.run[b] >= kLongRun && static_cast<int64_t>(b + static_cast<size_t>(table.run[b])) * table.lanes <= table.n;
}

// A block of few taps: what rows share is loaded once for all of them.
template <Held kHeld, int kTaps, bool kStream, class C>
HWY_NOINLINE void FewTapsOfRows(const LineTable<C>& table, size_t b, const C* const* in, C* const* out, int64_t rows) {
  const LineTag<C> d;
  using D = LineTag<C>;
  const hn::RebindToSigned<D> di;
  const int64_t N = table.lanes;
  const auto& block = table.blocks[b];
  const auto index = hn::LoadU(di, table.index.data() + block.at);
  const RunIndices<kHeld, D> indices[4] = {{d, index, 0, table.channels}, {d, index, 1, table.channels},
                                           {d, index, 2, table.channels}, {d, index, 3, table.channels}};
  hn::Vec<D> weight[static_cast<size_t>(kTaps)];
  hn::Mask<D> present[static_cast<size_t>(kTaps)];
  for (int k = 0; k < kTaps; ++k) {
    weight[k] = hn::LoadU(d, table.weight.data() + block.at + k * N);
    present[k] = hn::Ne(weight[k], hn::Zero(d));
  }
  const int64_t e = static_cast<int64_t>(b) * N;
  for (int64_t r = 0; r < rows; ++r) {
    const C* base = in[r] + block.base;
    const auto low = hn::LoadU(d, base);
    auto high = low;
    if constexpr (kHeld == Held::kTwo) high = hn::LoadU(d, base + N);
    auto sum = Product(weight[0], indices[0].look_up(d, low, high));
    for (int k = 1; k < kTaps; ++k) {
      const auto more = hn::Add(sum, Product(weight[k], indices[k].look_up(d, low, high)));
      // As AddTap.
      if constexpr (sizeof(C) == 2)
        sum = more;
      else
        sum = hn::IfThenElse(present[k], more, sum);
    }
    StoreOutputs<kStream>(d, sum, out[r] + e, table.n - e);
  }
}

template <Held kHeld, bool kStream, class C>
void BlockOfRows(const LineTable<C>& table, size_t b, const C* const* in, C* const* out, int64_t rows) {
  if constexpr (kHeld != Held::kShifting) {
    switch (table.blocks[b].taps) {
      case 2: return FewTapsOfRows<kHeld, 2, kStream>(table, b, in, out, rows);
      case 3: return FewTapsOfRows<kHeld, 3, kStream>(table, b, in, out, rows);
      case 4: return FewTapsOfRows<kHeld, 4, kStream>(table, b, in, out, rows);
      default: break;
    }
  }
  table.blocks[b].full ? AnyTapsOfRows<kHeld, true, kStream>(table, b, in, out, rows)
                       : AnyTapsOfRows<kHeld, false, kStream>(table, b, in, out, rows);
}

// Block b and those behind it that are done alike, in all rows; returns how many blocks.
template <Held kHeld, bool kStream, class C>
size_t DoBlocks(const LineTable<C>& table, size_t b, const C* const* in, C* const* out, int64_t rows) {
  if (IsLongRun(table, b)) {
    bool done = false;
    for (int64_t r = 0; r < rows; ++r) done = RunOfTaps<kHeld, kStream>(table, b, in[r], out[r]);
    if (done) return static_cast<size_t>(table.run[b]);
  }
  BlockOfRows<kHeld, kStream>(table, b, in, out, rows);
  return 1;
}

template <bool kStream, class C>
void LookUpRows(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows) {
  for (size_t b = 0; b < table.blocks.size();) {
    if (table.kind == LineKind::kShifted)
      b += DoBlocks<Held::kShifting, kStream>(table, b, in, out, rows);
    else if (table.blocks[b].narrow)
      b += DoBlocks<Held::kOne, kStream>(table, b, in, out, rows);
    else
      b += DoBlocks<Held::kTwo, kStream>(table, b, in, out, rows);
  }
}

// Vectors that are whole cache lines leave the core as such.
template <class C>
bool CanStream(C* const* out, int64_t rows) {
  return std::all_of(out, out + rows, [](const C* row) { return reinterpret_cast<uintptr_t>(row) % 64 == 0; });
}

template <class C>
void LookUpRows(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows, bool stream) {
  if constexpr (hn::MaxLanes(LineTag<C>()) * sizeof(C) == 64 && sizeof(C) > 2)
    if (stream && CanStream(out, rows)) return LookUpRows<true>(table, in, out, rows);
  LookUpRows<false>(table, in, out, rows);
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
  StoreOutputs<false>(d, sum, out + e, table.n - e);
}

// Nothing gathers 16 bits, so that their indices are as for windows.
template <class C>
void GatherBlockOfShorts(const LineTable<C>& table, size_t b, const C* in, C* out) {
  const LineTag<C> d;
  const auto& block = table.blocks[b];
  const int64_t N = table.lanes;
  const C* weight = table.weight.data() + block.at;
  const auto* index = table.index.data() + block.at;
  auto sum = hn::Zero(d);
  for (int32_t k = 0; k < block.taps; ++k) {
    HWY_ALIGN C x[hn::MaxLanes(LineTag<C>())] = {};
    for (int64_t lane = 0; lane < N; ++lane) x[lane] = in[block.base + index[lane] + k * table.channels];
    sum = hn::Add(sum, Product(hn::LoadU(d, weight + k * N), hn::Load(d, x)));
  }
  const int64_t e = static_cast<int64_t>(b) * N;
  StoreOutputs<false>(d, sum, out + e, table.n - e);
}

template <class C>
void GatherRowsOfShorts(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows) {
  for (size_t b = 0; b < table.blocks.size(); ++b)
    for (int64_t r = 0; r < rows; ++r) GatherBlockOfShorts(table, b, in[r], out[r]);
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
        StoreOutputs<false>(d, hn::LoadU(d, turned + lane * N), out[r + lane] + e, table.n - e);
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
                   float* scratch, bool stream) {
  switch (table.kind) {
    case LineKind::kWindow:
    case LineKind::kShifted: return LookUpRows(table, in, out, rows, stream);
    case LineKind::kBlock: return BlockRows(table, in, out, rows, scratch);
    case LineKind::kGather: return GatherRows(table, in, out, rows);
  }
}

void RunDoubleLines(const LineTable<double>& table, const double* const* in, double* const* out, int64_t rows,
                    bool stream) {
  switch (table.kind) {
    case LineKind::kWindow:
    case LineKind::kShifted: return LookUpRows(table, in, out, rows, stream);
    case LineKind::kBlock: return BlockRowsOfDoubles(table, in, out, rows);
    case LineKind::kGather: return GatherRows(table, in, out, rows);
  }
}

template <class C>
void RunShortLines(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows) {
  if (table.kind == LineKind::kGather) return GatherRowsOfShorts(table, in, out, rows);
  LookUpRows(table, in, out, rows, false);
}

void RunDyadicLines(const LineTable<uint16_t>& table, const uint16_t* const* in, uint16_t* const* out, int64_t rows) {
  RunShortLines(table, in, out, rows);
}

void RunFixedLines(const LineTable<int16_t>& table, const int16_t* const* in, int16_t* const* out, int64_t rows) {
  RunShortLines(table, in, out, rows);
}

int64_t FloatLanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
}

int64_t DoubleLanes() {
  return static_cast<int64_t>(hn::Lanes(hn::ScalableTag<double>()));
}

int64_t ShortLanes() {
  return static_cast<int64_t>(hn::Lanes(LineTag<uint16_t>()));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(RunFloatLines);
HWY_EXPORT(RunDoubleLines);
HWY_EXPORT(RunDyadicLines);
HWY_EXPORT(RunFixedLines);
HWY_EXPORT(FloatLanes);
HWY_EXPORT(DoubleLanes);
HWY_EXPORT(ShortLanes);

template <class C>
int64_t line_lanes() {
  if constexpr (sizeof(C) == 2) return HWY_DYNAMIC_DISPATCH(ShortLanes)();
  return sizeof(C) == 4 ? HWY_DYNAMIC_DISPATCH(FloatLanes)() : HWY_DYNAMIC_DISPATCH(DoubleLanes)();
}

template int64_t line_lanes<float>();
template int64_t line_lanes<double>();
template int64_t line_lanes<uint16_t>();
template int64_t line_lanes<int16_t>();

template <>
void run_lines(const LineTable<float>& table, const float* const* in, float* const* out, int64_t rows,
               float* scratch, bool stream) {
  HWY_DYNAMIC_DISPATCH(RunFloatLines)(table, in, out, rows, scratch, stream);
}

template <>
void run_lines(const LineTable<double>& table, const double* const* in, double* const* out, int64_t rows,
               double* /*scratch*/, bool stream) {
  HWY_DYNAMIC_DISPATCH(RunDoubleLines)(table, in, out, rows, stream);
}

template <>
void run_lines(const LineTable<uint16_t>& table, const uint16_t* const* in, uint16_t* const* out, int64_t rows,
               uint16_t* /*scratch*/, bool /*stream*/) {
  HWY_DYNAMIC_DISPATCH(RunDyadicLines)(table, in, out, rows);
}

template <>
void run_lines(const LineTable<int16_t>& table, const int16_t* const* in, int16_t* const* out, int64_t rows,
               int16_t* /*scratch*/, bool /*stream*/) {
  HWY_DYNAMIC_DISPATCH(RunFixedLines)(table, in, out, rows);
  for (const auto& wide : table.wide)
    for (int64_t r = 0; r < rows; ++r) {
      int32_t sum = 0;
      for (int32_t k = 0; k < wide.count; ++k)
        sum += short_product(table.wide_weights[wide.at + static_cast<size_t>(k)], in[r][wide.first + k * table.channels]);
      out[r][wide.e] = static_cast<int16_t>(sum);
    }
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
