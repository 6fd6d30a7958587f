// SPDX-License-Identifier: Apache-2.0
// Sums of two by two pixels, for each instruction set.
#include "backend/cpu/resize/pixel_pairs.h"

#include <algorithm>
#include <cstring>

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/pixel_pair_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/resize/wide_pairs-inl.h"
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

// Unaligned lanes of the width of two elements at several places, one after the other.
template <class DL, class T>
HWY_INLINE hn::Vec<DL> LoadLanes(DL d, const T* row, const int32_t* at) {
  if constexpr (hn::MaxLanes(DL()) == 1) {
    HWY_ALIGN hn::TFromD<DL> lane;  // Highway loads a single lane as an aligned number
    std::memcpy(&lane, row + *at, sizeof lane);
    return hn::Load(d, &lane);
  } else {
    const hn::Half<DL> half;
    return hn::Combine(d, LoadLanes(half, row, at + hn::MaxLanes(half)), LoadLanes(half, row, at));
  }
}

// The numbers of two neighbouring elements at each place.
template <class D, class T>
HWY_INLINE hn::Vec<D> LoadPairs(D d, const T* row, const int32_t* at) {
  using Lane = std::conditional_t<sizeof(T) == 4, double, std::conditional_t<sizeof(T) == 2, uint32_t, uint16_t>>;
  const auto lanes = LoadLanes(hn::CappedTag<Lane, hn::MaxLanes(D()) / 2>(), row, at);
  if constexpr (std::is_same_v<T, float>) {
    return hn::BitCast(d, lanes);
  } else if constexpr (std::is_integral_v<T>) {
    return hn::ConvertTo(d, hn::PromoteTo(hn::Rebind<int32_t, D>(), hn::BitCast(hn::Rebind<T, D>(), lanes)));
  } else if constexpr (std::is_same_v<T, Float16>) {
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), lanes));
  } else {
    return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::bfloat16_t, D>(), lanes));
  }
}

template <int kTaps>
inline constexpr size_t kWeights = kTaps > 0 ? kTaps : 1;  // no array is empty

// The vertical sums of one or two rows at an output's pixels, or a row's numbers, then the sum of these. sum() has the
// channels of kOutputs outputs, one after the other, and numbers of no use.
#if HWY_TARGET <= HWY_AVX3

using Sum = hn::CappedTag<float, 8>;

template <int kTaps>
class PairOf {
  using D = hn::CappedTag<float, 16>;  // the pixels of both outputs
  using Indices = decltype(hn::SetTableIndices(D(), static_cast<const int32_t*>(nullptr)));

 public:
  static constexpr int64_t kOutputs = 2;
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

using Sum = hn::CappedTag<float, 8>;  // also the pixels of an output

template <int kTaps>
class PairOf {
  using Indices = decltype(hn::SetTableIndices(Sum(), static_cast<const int32_t*>(nullptr)));

 public:
  static constexpr int64_t kOutputs = 2;
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

using Sum = hn::CappedTag<float, 4>;  // also a pixel

template <int kTaps>
class PairOf {
 public:
  static constexpr int64_t kOutputs = 1;
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

// The same of one channel: a vector has the two numbers of each of several outputs.
template <int kTaps>
class PlanePairOf {
  using D = hn::CappedTag<float, 16>;
  using PlaneSum = hn::Half<D>;
  using Indices = decltype(hn::SetTableIndices(D(), static_cast<const int32_t*>(nullptr)));

 public:
  static constexpr auto kOutputs = static_cast<int64_t>(hn::MaxLanes(PlaneSum()));

  explicit HWY_INLINE PlanePairOf(const PairSum& s) : first_(indices(0)), second_(indices(1)) {
    for (int k = 0; k < kTaps; ++k) weight_[k] = hn::Set(D(), s.weights[k]);
  }
  template <class T>
  HWY_INLINE hn::Vec<PlaneSum> sum(const T* const* rows, const int32_t* at, const float* weights) const {
    const D d;
    const PlaneSum half;
    auto x = LoadPairs(d, rows[0], at);
    if constexpr (kTaps > 0) x = hn::Mul(weight_[0], x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(weight_[1], LoadPairs(d, rows[1], at)));
    x = hn::Mul(x, hn::LoadU(d, weights));
    return hn::Add(hn::LowerHalf(half, hn::TableLookupLanes(x, first_)),
                   hn::LowerHalf(half, hn::TableLookupLanes(x, second_)));
  }

 private:
  static HWY_INLINE Indices indices(int32_t begin) {
    HWY_ALIGN int32_t lanes[hn::MaxLanes(D())] = {};
    for (int32_t k = 0; k < static_cast<int32_t>(kOutputs); ++k) lanes[k] = 2 * k + begin;
    return hn::SetTableIndices(D(), lanes);
  }
  hn::Vec<D> weight_[kWeights<kTaps>];
  Indices first_, second_;
};

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
  const float* weight = pairs.weights.data() + static_cast<int64_t>(i) * pairs.pitch;
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

template <class T, class Out, int kTaps, class Pair>
HWY_NOINLINE void SumPairs(const PairSum& s) {
  using DSum = hn::DFromV<decltype(std::declval<Pair>().sum(static_cast<const T* const*>(nullptr), nullptr, nullptr))>;
  constexpr auto kStored = static_cast<int64_t>(hn::MaxLanes(DSum()));
  constexpr int64_t kOutputs = Pair::kOutputs;
  const PixelPairs& pairs = *s.pairs;
  const DSum d;
  const Pair pair(s);
  const Rounder<Out, DSum> rounder(d, Rounding());
  const T* const rows[2] = {static_cast<const T*>(s.rows[0]), static_cast<const T*>(s.rows[1])};
  const int32_t* first = pairs.first.data();
  const float* weights = pairs.weights.data();
  const int64_t channels = pairs.channels;
  const int64_t n = pairs.outputs();
  auto* to = static_cast<Out*>(s.out);
  int64_t i = 0;
  const auto advance = [&]() HWY_ATTR {
    first += kOutputs;
    weights += kOutputs * pairs.pitch;
    to += kOutputs * channels;
  };
  // Stores reach into the next outputs.
  for (; i * channels + kStored <= n * channels; i += kOutputs, advance())
    rounder.store(d, pair.sum(rows, first, weights), to);
  for (; i < n; i += kOutputs, advance()) {
    HWY_ALIGN Out last[hn::MaxLanes(DSum())];
    rounder.store(d, pair.sum(rows, first, weights), last);
    std::memcpy(to, last, static_cast<size_t>(std::min(kOutputs, n - i) * channels) * sizeof(Out));
  }
  auto* const out = static_cast<Out*>(s.out);
  for (const int32_t k : pairs.single) SumSingle<kTaps>(s, rows, static_cast<size_t>(k), out + k * channels);
}

template <class T, class Out, int kTaps>
void SumPixels(const PairSum& s) {
  if (s.pairs->is_wide()) return SumWidePixels<T, Out, kTaps>(s);
  s.pairs->channels == 1 ? SumPairs<T, Out, kTaps, PlanePairOf<kTaps>>(s) : SumPairs<T, Out, kTaps, PairOf<kTaps>>(s);
}

template <class T>
void SumBoth(const PairSum& s) {
  s.taps == 2 ? SumPixels<T, T, 2>(s) : SumPixels<T, T, 1>(s);
}

template <class T>
PairKernels KernelsOf() {
  return {SumBoth<T>, SumPixels<T, float, 0>};
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

}  // namespace tesela::cpu
#endif  // HWY_ONCE
