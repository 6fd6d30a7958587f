// SPDX-License-Identifier: Apache-2.0
// Sums of two by two pixels, for each instruction set.
#include "backend/cpu/resize/pixel_pairs.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/resize/column_gather.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/pixel_pairs.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// The numbers at one place, then those at the other.
template <class T, class D>
HWY_INLINE hn::Vec<D> LoadTwo(D d, const T* one, const T* other) {
  if constexpr (std::is_integral_v<T>) {
    const hn::Rebind<T, D> narrow;
    const hn::Half<decltype(narrow)> half;
    const hn::Rebind<int32_t, D> wide;
    return hn::ConvertTo(d, hn::PromoteTo(wide, hn::Combine(narrow, hn::LoadU(half, other), hn::LoadU(half, one))));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, LoadAs(half, other), LoadAs(half, one));
  }
}

template <int kTaps>
inline constexpr size_t kWeights = kTaps > 0 ? kTaps : 1;  // no array is empty

// The vertical sums of one or two rows at an output's pixels, or a row's numbers, then the sum of these. sum() has the channels of kOutputs
// outputs, one after the other, and numbers of no use.
#if HWY_TARGET <= HWY_AVX3

constexpr int64_t kOutputs = 2;
using Sum = hn::CappedTag<float, 8>;

template <int kTaps>
class PairOf {
  using D = hn::CappedTag<float, 16>;  // the pixels of both outputs
  using Indices = decltype(hn::SetTableIndices(D(), static_cast<const int32_t*>(nullptr)));

 public:
  explicit HWY_INLINE PairOf(const PairSum& s) : first_(indices(s, 0)), second_(indices(s, s.pairs->channels)) {
    for (int k = 0; k < kTaps; ++k) weight_[k] = hn::Set(D(), s.weights[k]);
  }
  template <class T>
  HWY_INLINE hn::Vec<Sum> sum(const T* const* rows, const int32_t* at, const float* weights) const {
    const D d;
    auto x = LoadTwo(d, rows[0] + at[0], rows[0] + at[1]);
    if constexpr (kTaps > 0) x = hn::Mul(weight_[0], x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(weight_[1], LoadTwo(d, rows[1] + at[0], rows[1] + at[1])));
    x = hn::Mul(x, hn::LoadU(d, weights));
    return hn::Add(hn::LowerHalf(Sum(), hn::TableLookupLanes(x, first_)),
                   hn::LowerHalf(Sum(), hn::TableLookupLanes(x, second_)));
  }

 private:
  static HWY_INLINE Indices indices(const PairSum& s, int64_t begin) {
    HWY_ALIGN int32_t lanes[16] = {};
    for (int64_t c = 0; c < s.pairs->channels; ++c) {
      lanes[c] = static_cast<int32_t>(begin + c);
      lanes[s.pairs->channels + c] = static_cast<int32_t>(kPairNumbers + begin + c);
    }
    return hn::SetTableIndices(D(), lanes);
  }
  hn::Vec<D> weight_[kWeights<kTaps>];
  Indices first_, second_;
};

#elif HWY_TARGET == HWY_AVX2

constexpr int64_t kOutputs = 2;
using Sum = hn::CappedTag<float, 8>;  // also the pixels of an output

template <int kTaps>
class PairOf {
  using Indices = decltype(hn::SetTableIndices(Sum(), static_cast<const int32_t*>(nullptr)));

 public:
  explicit HWY_INLINE PairOf(const PairSum& s)
      : apart_(indices(s, 4, s.pairs->channels)), together_(indices(s, s.pairs->channels, 4)) {
    for (int k = 0; k < kTaps; ++k) weight_[k] = hn::Set(Sum(), s.weights[k]);
  }
  template <class T>
  HWY_INLINE hn::Vec<Sum> sum(const T* const* rows, const int32_t* at, const float* weights) const {
    const Sum d;
    const auto one = pixels(rows, at[0], weights);
    const auto other = pixels(rows, at[1], weights + kPairNumbers);
    const auto sums = hn::Add(hn::ConcatLowerLower(d, other, one), hn::ConcatUpperUpper(d, other, one));
    return hn::TableLookupLanes(sums, together_);
  }

 private:
  // The channels of a second pixel, which begin at lane `from`, go to lane `to`.
  static HWY_INLINE Indices indices(const PairSum& s, int64_t to, int64_t from) {
    HWY_ALIGN int32_t lanes[kPairNumbers] = {};
    for (int64_t c = 0; c < s.pairs->channels; ++c) {
      lanes[c] = static_cast<int32_t>(c);
      lanes[to + c] = static_cast<int32_t>(from + c);
    }
    return hn::SetTableIndices(Sum(), lanes);
  }
  template <class T>
  HWY_INLINE hn::Vec<Sum> pixels(const T* const* rows, int64_t at, const float* weights) const {
    const Sum d;
    auto x = LoadAs(d, rows[0] + at);
    if constexpr (kTaps > 0) x = hn::Mul(weight_[0], x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(weight_[1], LoadAs(d, rows[1] + at)));
    return hn::TableLookupLanes(hn::Mul(x, hn::LoadU(d, weights)), apart_);
  }
  hn::Vec<Sum> weight_[kWeights<kTaps>];
  Indices apart_, together_;
};

#else

constexpr int64_t kOutputs = 1;
using Sum = hn::CappedTag<float, 4>;  // also a pixel

template <int kTaps>
class PairOf {
 public:
  explicit HWY_INLINE PairOf(const PairSum& s) : channels_(s.pairs->channels) {
    for (int k = 0; k < kTaps; ++k) weight_[k] = hn::Set(Sum(), s.weights[k]);
  }
  template <class T>
  HWY_INLINE hn::Vec<Sum> sum(const T* const* rows, const int32_t* at, const float* weights) const {
    const Sum d;
    return hn::Add(hn::Mul(pixel(rows, *at), hn::Set(d, weights[0])),
                   hn::Mul(pixel(rows, *at + channels_), hn::Set(d, weights[channels_])));
  }

 private:
  template <class T>
  HWY_INLINE hn::Vec<Sum> pixel(const T* const* rows, int64_t at) const {
    const Sum d;
    auto x = LoadAs(d, rows[0] + at);
    if constexpr (kTaps > 0) x = hn::Mul(weight_[0], x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(weight_[1], LoadAs(d, rows[1] + at)));
    return x;
  }
  hn::Vec<Sum> weight_[kWeights<kTaps>];
  int64_t channels_;
};

#endif

// The vector that begins at a pixel; of one at the row's end, one that ends there, moved to the beginning.
template <class T>
HWY_INLINE hn::Vec<Sum> LoadPixel(const T* row, int64_t at, int64_t row_end) {
  const Sum d;
  const hn::RebindToSigned<Sum> di;
  constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Sum()));
  const int64_t from = std::min(at, row_end - kLanes);
  const auto x = LoadAs(d, row + from);
  if (from == at) return x;
  const auto lane = hn::Add(hn::Iota(di, 0), hn::Set(di, static_cast<int32_t>(at - from)));
  return hn::TableLookupLanes(x, hn::IndicesFromVec(d, hn::Min(lane, hn::Set(di, static_cast<int32_t>(kLanes - 1)))));
}

// An output pixel by pixel.
template <int kTaps, class T, class Out>
HWY_INLINE void SumSingle(const PairSum& s, const T* const* rows, size_t i, Out* to) {
  const Sum d;
  const PixelPairs& pairs = *s.pairs;
  const float* weight = pairs.weights.data() + i * static_cast<size_t>(kPairNumbers);
  auto all = hn::Zero(d);
  int64_t at = pairs.place[i];
  for (int32_t k = 0; k < pairs.taps[i]; ++k, at += pairs.channels, weight += pairs.channels) {
    auto x = LoadPixel(rows[0], at, pairs.row_end);
    if constexpr (kTaps > 0) x = hn::Mul(hn::Set(d, s.weights[0]), x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(hn::Set(d, s.weights[1]), LoadPixel(rows[1], at, pairs.row_end)));
    x = hn::Mul(x, hn::Set(d, *weight));
    all = k == 0 ? x : hn::Add(all, x);
  }
  HWY_ALIGN Out pixel[hn::MaxLanes(Sum())];
  Rounder<Out, Sum>(d, Rounding()).store(d, all, pixel);
  std::memcpy(to, pixel, static_cast<size_t>(pairs.channels) * sizeof(Out));
}

template <class T, class Out, int kTaps>
HWY_NOINLINE void SumPairs(const PairSum& s) {
  constexpr auto kStored = static_cast<int64_t>(hn::MaxLanes(Sum()));
  const PixelPairs& pairs = *s.pairs;
  const Sum d;
  const PairOf<kTaps> pair(s);
  const Rounder<Out, Sum> rounder(d, Rounding());
  const T* const rows[2] = {static_cast<const T*>(s.rows[0]), static_cast<const T*>(s.rows[1])};
  const int32_t* first = pairs.first.data();
  const float* weights = pairs.weights.data();
  const int64_t channels = pairs.channels;
  const int64_t n = pairs.outputs();
  auto* to = static_cast<Out*>(s.out);
  int64_t i = 0;
  const auto advance = [&]() HWY_ATTR {
    first += kOutputs;
    weights += kOutputs * kPairNumbers;
    to += kOutputs * channels;
    i += kOutputs;
  };
  // Stores reach into the next outputs.
  for (; i * channels + kStored <= n * channels; advance()) rounder.store(d, pair.sum(rows, first, weights), to);
  for (; i < n; advance()) {
    HWY_ALIGN Out last[kStored];
    rounder.store(d, pair.sum(rows, first, weights), last);
    std::memcpy(to, last, static_cast<size_t>(std::min(kOutputs, n - i) * channels) * sizeof(Out));
  }
  auto* const out = static_cast<Out*>(s.out);
  for (const int32_t k : pairs.single) SumSingle<kTaps>(s, rows, static_cast<size_t>(k), out + k * channels);
}

template <class T>
void SumAnyPairs(const PairSum& s) {
  return s.taps == 2 ? SumPairs<T, T, 2>(s) : SumPairs<T, T, 1>(s);
}

template <class T>
PairKernels KernelsOf() {
  return {SumAnyPairs<T>, SumPairs<T, float, 0>};
}

#endif

PairKernels GetPairKernels([[maybe_unused]] DataType type) {
#if HWY_TARGET != HWY_SCALAR
  switch (type) {
    case DataType::kFloat: return KernelsOf<float>();
    case DataType::kUint16: return KernelsOf<uint16_t>();
    case DataType::kInt16: return KernelsOf<int16_t>();
    case DataType::kUint8: return KernelsOf<uint8_t>();
    case DataType::kInt8: return KernelsOf<int8_t>();
    case DataType::kFloat16:
      if (kConvertsFloat16) return KernelsOf<Float16>();
      break;
    case DataType::kBfloat16: return KernelsOf<Bfloat16>();
    default: break;
  }
#endif
  return {};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetPairKernels);

PairKernels pair_kernels(DataType type) {
  return HWY_DYNAMIC_DISPATCH(GetPairKernels)(type);
}

void sum_pair_rows(PairSumFn sum, const PixelPairs& pairs, const PairRows& rows) {
  PairSum s;
  s.pairs = &pairs;
  for (int64_t i = 0; i < rows.n; ++i) {
    const auto entry = static_cast<size_t>(rows.lo + i - rows.table_lo);
    s.taps = rows.table.count[entry];
    if (s.taps == 0) continue;  // extrapolated: filled at the end
    const std::byte* const source = rows.source + (rows.table.first[entry] - rows.in_lo) * rows.in_stride;
    for (int64_t k = 0; k < s.taps; ++k) {
      s.rows[k] = source + k * rows.in_stride;
      s.weights[k] = rows.table.weights_of(entry)[k];
    }
    s.out = rows.out + i * rows.out_stride;
    if (rows.watch != nullptr) rows.watch->spend(4 * pairs.outputs() * pairs.channels);
    sum(s);
  }
}

PixelPairs::PixelPairs(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t pixel_channels) {
  constexpr int64_t kMostSingle = 16;  // of so many outputs one
  const auto n = static_cast<int64_t>(table.first.size());
  row_end = (in_lo + in_n) * pixel_channels;
  const int64_t last = row_end - kPairNumbers;  // where a vector may begin
  if (pixel_channels < 3 || pixel_channels > kPairNumbers / 2 || last > INT32_MAX / 2 || !gathering_pays(2, n, in_n))
    return;
  int64_t lowest = INT64_MAX;
  for (size_t i = 0; i < table.first.size(); ++i) {
    if (table.count[i] > 2) return;
    if (table.count[i] > 0) lowest = std::min(lowest, table.first[i] * pixel_channels);
  }
  if (lowest > last) return;
  channels = pixel_channels;
  weights.resize(static_cast<size_t>((n + 1) * kPairNumbers));
  for (int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t at = table.first[k] * channels;
    const int32_t count = table.count[k];
    for (int64_t c = 0; c < count * channels; ++c)
      weights[static_cast<size_t>(i * kPairNumbers + c)] = static_cast<float>(table.row(i)[c / channels]);
    taps.push_back(count);
    place.push_back(static_cast<int32_t>(at));
    first.push_back(static_cast<int32_t>(count == 0 || at > last ? lowest : at));
    if (count == 1 || (count == 2 && at > last)) single.push_back(static_cast<int32_t>(i));
  }
  first.push_back(static_cast<int32_t>(lowest));  // two outputs are computed at once
  if (std::ssize(single) > n / kMostSingle + 2) *this = {};
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
