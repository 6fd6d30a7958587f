// SPDX-License-Identifier: Apache-2.0
// Weighted sums of whole rows, for each instruction set: one template over the arithmetics of arithmetic.h.
#include "backend/cpu/resize/vertical_kernels.h"

#include <algorithm>
#include <iterator>

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/vertical_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/resize/line_writer-inl.h"
#include "backend/cpu/resize/vertical_operands-inl.h"
#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Of elements of 4 and 8 bytes into the L2 cache only: there are more lines than the L1 cache waits for at a time. Measured on a Xeon
// with 3 planes of 2160x3840: into the L1 cache takes 1.15 for antialias of float to a half, 1.3 for linear of double to 1600x3000, but
// 0.96 for antialias of uint8.
template <class In>
HWY_INLINE void Prefetch(const In* from) {
  __builtin_prefetch(from, 0, sizeof(In) >= 4 ? 2 : 3);
}

// Sums for U vectors at column i, for each of kOutputs outputs: a column is loaded once for all. kRows: as kTaps, or one more if
// the outputs step.
template <int kTaps, size_t kOutputs, size_t U, int kRows, class D, class In>
HWY_INLINE void SumColumns(D d, const Rows<In, kRows>& rows, const Weights<D, kTaps, kOutputs>& weights, int64_t taps,
                           int64_t i, hn::Vec<D>* sum) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  if constexpr (kRows > kTaps) {
    static_assert(kTaps == 2 && kRows == 3);
    constexpr size_t kHalf = kOutputs / 2;  // of the outputs
    for (size_t u = 0; u < U; ++u) {
      hn::Vec<D> x[static_cast<size_t>(kRows)];
      for (size_t k = 0; k < std::size(x); ++k) x[k] = LoadAs(d, rows[k] + i + static_cast<int64_t>(u) * N);
      for (size_t r = 0; r < kOutputs; ++r)
        sum[r * U + u] = hn::Add(hn::Mul(weights(r, 0), x[r / kHalf]), hn::Mul(weights(r, 1), x[r / kHalf + 1]));
    }
    return;
  }
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

// Rows of fewer columns than a vector has lanes.
template <class C, class In, class Out>
HWY_NOINLINE void SumFewColumns(const VerticalSum& s) {
  const hn::ScalableTag<C> d;
  const Rounder<Out, hn::ScalableTag<C>> rounder(d, s.rounding);
  const auto* rows = reinterpret_cast<const In* const*>(s.rows);
  for (int64_t r = 0; r < s.outputs; ++r) {
    const C* weights = static_cast<const C*>(s.weights) + r * s.pitch;
    if (s.steps && r == s.outputs / 2) ++rows;
    auto sum = hn::Mul(hn::Set(d, weights[0]), LoadFirst(d, rows[0], s.n));
    for (int64_t k = 1; k < s.taps; ++k)
      sum = hn::Add(sum, hn::Mul(hn::Set(d, weights[k]), LoadFirst(d, rows[k], s.n)));
    StoreFirst(d, sum, s.n, rounder, static_cast<Out*>(s.outs[r]));
  }
}

template <size_t U, class In, class Out, class D, int kTaps, size_t kOutputs, int kRows>
HWY_INLINE void SumAndStore(D d, const Rows<In, kRows>& rows, const Outputs<Out, kOutputs>& outs, int64_t taps,
                            const Weights<D, kTaps, kOutputs>& weights, const Rounder<Out, D>& rounder, int64_t i,
                            bool leaves_l2 = false) {
  hn::Vec<D> sum[kOutputs * U];
  SumColumns<kTaps, kOutputs, U>(d, rows, weights, taps, i, sum);
  for (size_t r = 0; r < kOutputs; ++r) {
    if (leaves_l2) PrefetchStores<U * hn::MaxLanes(D()) * sizeof(Out)>(outs.at[r] + i);
    StoreSums<U>(d, sum + r * U, rounder, outs.at[r] + i);
  }
}

// Vectors of sums per cache line of outputs, if such lines may bypass the caches. 0: they may not.
template <class C, class Out>
constexpr size_t LineVectors() {
  constexpr size_t kVector = hn::MaxLanes(hn::ScalableTag<C>()) * sizeof(C);
  if (HWY_TARGET == HWY_SCALAR || std::is_same_v<Out, BoolByte>) return 0;
  if (kIs16Bit<C>) return kVector == 64 && sizeof(Out) == 1 ? 2 : 0;
  if (std::is_same_v<C, Out>) return std::is_integral_v<C> ? 0 : 64 / kVector;
  return kVector == 64 && sizeof(C) == 4 && sizeof(Out) <= 2 ? sizeof(C) / sizeof(Out) : 0;
}

#if HWY_TARGET != HWY_SCALAR
template <size_t kVectors, class D, class Out>
HWY_INLINE void StreamLine(D d, const hn::Vec<D>* sum, [[maybe_unused]] const Rounder<Out, D>& rounder, Out* to) {
  if constexpr (std::is_same_v<hn::TFromD<D>, Out>) {
    for (size_t u = 0; u < kVectors; ++u) hn::Stream(sum[u], d, to + u * hn::Lanes(d));
  } else {
    hn::Stream(LineOfSums(d, sum, rounder), hn::ScalableTag<uint16_t>(), reinterpret_cast<uint16_t*>(to));
  }
}
#endif

// Elements in a row from which writing whole lines gains: vectors across two lines take twice as long. Measured for
// floats and doubles on a Xeon with AVX-512. 0: it never does, unless an AVX-512 vector fills a line.
template <class C, class Out, int kTaps>
constexpr int64_t LeastInLines() {
  constexpr size_t kVectors = LineVectors<C, Out>();
  constexpr bool kFillsLine = kVectors > 0 && hn::MaxLanes(hn::ScalableTag<C>()) * kVectors * sizeof(Out) == 64;
  constexpr bool kIsLine = std::is_same_v<C, Out> ? kVectors == 1 : sizeof(Out) == 2;
  return kTaps > 0 && kFillsLine && kIsLine ? 6 * 64 / static_cast<int64_t>(sizeof(Out)) : 0;
}

// Elements of 16 bits take more instructions in lines, which gains only beyond the caches: beyond the L2 cache, or where stores bypass
// all if they are bfloat16, whose rounding takes longer. Measured: 1.2 for 3x201x301 of uint16, 1.1 for 3x600x600 of bfloat16.
template <class C, class Out>
bool GainsInLines(const VerticalSum& s) {
  return std::is_same_v<C, Out> || (std::is_same_v<Out, Bfloat16> ? s.stream : s.leaves_l2);
}

// A vector of the elements in a line: the sums themselves, or a vector of 16-bit elements.
template <class Out, class D>
HWY_INLINE auto LineVector(D d, const hn::Vec<D>* sums, const Rounder<Out, D>& rounder) {
  if constexpr (std::is_same_v<hn::TFromD<D>, Out>)
    return *sums;
  else
    return LineOfSums(d, sums, rounder);
}

// For one, two or four outputs that begin within lines. In arrays, the compiler would keep writers in memory, whose
// stores compete with those of outputs.
template <class C, class In, class Out, int kTaps, size_t kOutputs, int kRows = kTaps>
HWY_NOINLINE void SumIntoLines(const VerticalSum& s) {
  using D = hn::ScalableTag<C>;
  using Line = hn::DFromV<decltype(LineVector<Out>(D(), nullptr, std::declval<Rounder<Out, D>>()))>;
  const D d;
  const Line line;
  constexpr size_t V = LineVectors<C, Out>();
  constexpr auto kLine = static_cast<int64_t>(V * hn::MaxLanes(D()));
  constexpr int64_t kPerLine = 64 / static_cast<int64_t>(sizeof(In));
  const Weights<D, kTaps, kOutputs> weights(d, s);
  const Rows<In, kRows> rows(s);
  const Rounder<Out, D> rounder(d, s.rounding);
  const int64_t n = s.n;
  const int64_t prefetches = s.prefetches;
  const bool stream = s.stream;
  // Lines that are shared with other outputs are written last: stores wait for each other in order.
  for (size_t r = 0; r < kOutputs; ++r) {
    __builtin_prefetch(s.outs[r], 1);
    __builtin_prefetch(static_cast<const Out*>(s.outs[r]) + n - 1, 1);
  }
  hn::Vec<D> sum[kOutputs * V];
  const auto line_of = [&](size_t r) HWY_ATTR { return LineVector(d, sum + r * V, rounder); };
  SumColumns<kTaps, kOutputs, V>(d, rows, weights, kTaps, 0, sum);
  constexpr size_t k1 = kOutputs > 1, k2 = kOutputs > 2 ? 2 : 0, k3 = kOutputs > 2 ? 3 : 0;
  LineWriter<Line> first(line, s.outs[0], line_of(0)), second(line, s.outs[k1], line_of(k1));
  LineWriter<Line> third(line, s.outs[k2], line_of(k2)), fourth(line, s.outs[k3], line_of(k3));
  int64_t i = kLine;
  for (; i + kLine <= n; i += kLine) {
    if (i % kPerLine == 0)
      for (int64_t r = 0; r < prefetches; ++r)
        for (int64_t x = 0; x < kLine; x += kPerLine)
          Prefetch(static_cast<const In*>(s.prefetched[r]) + i - kPerLine + x);
    SumColumns<kTaps, kOutputs, V>(d, rows, weights, kTaps, i, sum);
    first.put(line, line_of(0), i, stream);
    if constexpr (kOutputs > 1) second.put(line, line_of(1), i, stream);
    if constexpr (kOutputs > 2) third.put(line, line_of(2), i, stream), fourth.put(line, line_of(3), i, stream);
  }
  SumColumns<kTaps, kOutputs, V>(d, rows, weights, kTaps, n - kLine, sum);
  first.finish(line, line_of(0), i, n, stream);
  if constexpr (kOutputs > 1) second.finish(line, line_of(1), i, n, stream);
  if constexpr (kOutputs > 2)
    third.finish(line, line_of(2), i, n, stream), fourth.finish(line, line_of(3), i, n, stream);
  SumColumns<kTaps, kOutputs, V>(d, rows, weights, kTaps, 0, sum);
  first.begin(line, line_of(0));
  if constexpr (kOutputs > 1) second.begin(line, line_of(1));
  if constexpr (kOutputs > 2) third.begin(line, line_of(2)), fourth.begin(line, line_of(3));
}

// Vectors of sums for each output at a time: as many as registers hold or as are packed together.
template <class C, class Out, size_t kOutputs>
constexpr size_t VectorsTogether() {
  if (kIs16Bit<C>) return HWY_TARGET <= HWY_AVX3 || (HWY_TARGET == HWY_AVX2 && kOutputs <= 2) ? 2 : 1;
  return kOutputs == 1 || (HWY_TARGET <= HWY_AVX3 && sizeof(Out) == 1 && sizeof(C) == 4) ? 4 : 2;
}

template <class C, class In, class Out, int kTaps, size_t kOutputs, int kRows = kTaps>
void SumRows(const VerticalSum& s) {
  if (s.n < static_cast<int64_t>(hn::Lanes(hn::ScalableTag<C>()))) return SumFewColumns<C, In, Out>(s);
  constexpr int64_t kLeastInLines = LeastInLines<C, Out, kTaps>();
  if constexpr (kLeastInLines > 0)
    if (s.n >= kLeastInLines && GainsInLines<C, Out>(s) && BeginsWithinLine(s, sizeof(Out)))
      return SumIntoLines<C, In, Out, kTaps, kOutputs, kRows>(s);
  const hn::ScalableTag<C> d;
  using D = hn::ScalableTag<C>;
  constexpr int64_t kLine = 64 / static_cast<int64_t>(sizeof(Out));  // elements of a cache line
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const Weights<D, kTaps, kOutputs> weights(d, s);
  const Rows<In, kRows> rows(s);
  const Outputs<Out, kOutputs> outs(s);
  const Rounder<Out, D> rounder(d, s.rounding);
  const int64_t taps = s.taps;
  const int64_t n = s.n;
  int64_t i = 0;
  constexpr size_t kVectors = LineVectors<C, Out>();
  if constexpr (kVectors > 0)
    if (s.stream && s.n >= kLine && HasSameLines(s) && BeginsWithElement(s, sizeof(Out))) {
      // The part before the first whole line, then one line per iteration, so that it is written as a whole.
      const auto head = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(outs.at[0]) % 64 / sizeof(Out));
      hn::Vec<D> sum[kOutputs * kVectors];
      if (head > 0) {
        SumColumns<kTaps, kOutputs, kVectors>(d, rows, weights, taps, 0, sum);
        for (size_t r = 0; r < kOutputs; ++r) {
          HWY_ALIGN Out begin[static_cast<size_t>(kLine)];
          StoreSums<kVectors>(d, sum + r * kVectors, rounder, begin);
          std::copy_n(begin, head, outs.at[r]);
        }
      }
      for (i = head; i + kLine <= n; i += kLine) {
        SumColumns<kTaps, kOutputs, kVectors>(d, rows, weights, taps, i, sum);
        for (size_t r = 0; r < kOutputs; ++r) StreamLine<kVectors>(d, sum + r * kVectors, rounder, outs.at[r] + i);
      }
    }
  constexpr size_t U = VectorsTogether<C, Out, kOutputs>();
  constexpr int64_t kPerLine = 64 / static_cast<int64_t>(sizeof(In));
  const int64_t step = static_cast<int64_t>(U) * N;
  const int64_t group = std::max(step, kPerLine);  // each line is prefetched once
  const int64_t prefetches = s.prefetches;
  const bool leaves_l2 = s.leaves_l2;
  for (; i + group <= n; i += group) {
    for (int64_t r = 0; r < prefetches; ++r)
      for (int64_t x = 0; x < group; x += kPerLine) Prefetch(static_cast<const In*>(s.prefetched[r]) + i + x);
    for (int64_t x = 0; x < group; x += step) SumAndStore<U>(d, rows, outs, taps, weights, rounder, i + x, leaves_l2);
  }
  if constexpr (U > 2)
    for (; i + 2 * N <= n; i += 2 * N) SumAndStore<2>(d, rows, outs, taps, weights, rounder, i);
  for (; i + N <= n; i += N) SumAndStore<1>(d, rows, outs, taps, weights, rounder, i);
  if (i == n) return;
  // The rest is less than a vector: recomputes the last whole one.
  SumAndStore<1>(d, rows, outs, taps, weights, rounder, n - N);
}

// One output at a time, with any number of taps.
template <class C, class In, class Out>
void SumEach(const VerticalSum& s) {
  VerticalSum each = s;
  each.outputs = 1;
  for (int64_t r = 0; r < s.outputs; ++r) {
    each.outs = s.outs + r;
    each.weights = static_cast<const C*>(s.weights) + r * s.pitch;
    SumRows<C, In, Out, 0, 1>(each);
  }
}

// Specialised kernels increase code size, so they exist only for common cases: sums to or from numbers, of few taps, on
// vectors.
template <class C, class In, class Out>
constexpr bool IsCommon() {
  const bool has_numbers = std::is_same_v<C, In> || std::is_same_v<C, Out>;
  const bool has_bools = std::is_same_v<In, BoolByte> || std::is_same_v<Out, BoolByte>;
  return HWY_TARGET != HWY_SCALAR && has_numbers && !has_bools;
}

template <class C, class In, class Out>
constexpr void SetSums(VerticalSumFn (&sums)[kVerticalShapes]) {
  using enum VerticalShape;
  const auto set = [&sums](VerticalShape shape, VerticalSumFn sum) { sums[static_cast<size_t>(shape)] = sum; };
  std::fill(std::begin(sums), std::end(sums), SumEach<C, In, Out>);
  set(kTwoTapsTwiceTwice, nullptr);
  if constexpr (IsCommon<C, In, Out>()) {
    set(kOneTap, SumRows<C, In, Out, 1, 1>);
    set(kTwoTaps, SumRows<C, In, Out, 2, 1>);
    set(kFourTaps, SumRows<C, In, Out, 4, 1>);
    set(kTwoTapsTwice, SumRows<C, In, Out, 2, 2>);
    set(kTwoTapsFourTimes, SumRows<C, In, Out, 2, 4>);
    set(kFourTapsTwice, SumRows<C, In, Out, 4, 2>);
    if constexpr (HWY_TARGET <= HWY_AVX3) set(kTwoTapsTwiceTwice, SumRows<C, In, Out, 2, 4, 3>);
  }
}

template <class C, class T>
HWY_INLINE void WidenRow(const T* in, int64_t n, C* out, int64_t padded) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  // From the end, so that numbers overwrite zeros before it.
  for (int64_t i = padded; i > n; i -= N) {
    if (i < N) {
      std::fill(out + n, out + i, C{});
      break;
    }
    hn::StoreU(hn::Zero(d), d, out + i - N);
  }
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(LoadAs(d, in + i), d, out + i);
  if (i == n) return;
  if (n >= N) return hn::StoreU(LoadAs(d, in + n - N), d, out + n - N);
  HWY_ALIGN C numbers[hn::MaxLanes(hn::ScalableTag<C>())];
  hn::Store(LoadFirst(d, in, n), d, numbers);
  CopyFirst(d, numbers, n, out);
}

template <class C, class T>
void Widen(const Widening& w) {
  const std::byte* from = w.from;
  auto* to = static_cast<C*>(w.to);
  for (int64_t r = 0; r < w.count; ++r, from += w.stride, to += w.pitch)
    WidenRow(reinterpret_cast<const T*>(from), w.n, to, w.padded);
}

template <class C, class T>
void Round(const void* from, void* to, int64_t n, const Rounding& rounding) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<T, hn::ScalableTag<C>> rounder(d, rounding);
  const auto* in = static_cast<const C*>(from);
  auto* out = static_cast<T*>(to);
  int64_t i = 0;
  constexpr size_t U = 4;
  for (; i + static_cast<int64_t>(U) * N <= n; i += static_cast<int64_t>(U) * N) {
    hn::Vec<decltype(d)> numbers[U];
    for (size_t u = 0; u < U; ++u) numbers[u] = hn::LoadU(d, in + i + static_cast<int64_t>(u) * N);
    StoreSums<U>(d, numbers, rounder, out + i);
  }
  for (; i + N <= n; i += N) rounder.store(d, hn::LoadU(d, in + i), out + i);
  if (i < n && n >= N) return rounder.store(d, hn::LoadU(d, in + n - N), out + n - N);
  if (i < n) StoreFirst(d, LoadFirst(d, in, n), n, rounder, out);
}

template <class C, class T>
constexpr VerticalKernels kKernels = [] {
  VerticalKernels kernels = {{}, Widen<C, T>, Round<C, T>};
  SetSums<C, T, C>(kernels.sum[0][0]);
  SetSums<C, T, T>(kernels.sum[0][1]);
  SetSums<C, C, C>(kernels.sum[1][0]);
  SetSums<C, C, T>(kernels.sum[1][1]);
  return kernels;
}();

// A plan of a narrow type with long windows computes in double: its rows are converted separately, as are those of
// types that take longer to convert than to sum.
template <class T>
constexpr VerticalKernels kConvertedKernels = [] {
  VerticalKernels kernels = {{}, Widen<double, T>, Round<double, T>};
  SetSums<double, double, double>(kernels.sum[1][0]);
  return kernels;
}();

const VerticalKernels* GetVerticalKernels(DataType type, ComputeType compute) {
  const VerticalKernels* kernels = nullptr;
  visit_computed(type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int32_t>)
      kernels = &kKernels<double, T>;
    else if constexpr (std::is_same_v<T, uint32_t> || (std::is_integral_v<T> && sizeof(T) == 8))
      kernels = &kConvertedKernels<T>;  // no vector conversion
    else
      kernels = compute == ComputeType::kDouble ? &kConvertedKernels<T> : &kKernels<float, T>;
  });
  return kernels;
}

const VerticalKernels* GetVerticalKernelsOfIntegers(bool is_signed, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kFixedPoint)
    return is_signed ? &kKernels<int32_t, int8_t> : &kKernels<int32_t, uint8_t>;
  return is_signed ? &kKernels<uint16_t, int8_t> : &kKernels<uint16_t, uint8_t>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetVerticalKernels);
HWY_EXPORT(GetVerticalKernelsOfIntegers);

const VerticalKernels& vertical_kernels(DataType type, ComputeType compute) {
  return *HWY_DYNAMIC_DISPATCH(GetVerticalKernels)(type, compute);
}

const VerticalKernels& vertical_kernels_of_integers(DataType type, Arithmetic arithmetic) {
  return *HWY_DYNAMIC_DISPATCH(GetVerticalKernelsOfIntegers)(type == DataType::kInt8, arithmetic);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
