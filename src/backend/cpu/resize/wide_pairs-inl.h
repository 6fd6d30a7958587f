// SPDX-License-Identifier: Apache-2.0
// Sums of two by two pixels of many channels: vectors hold channels of one output. Included once for each instruction
// set.
#if defined(TESELA_WIDE_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_WIDE_PAIRS_INL_H_
#undef TESELA_WIDE_PAIRS_INL_H_
#else
#define TESELA_WIDE_PAIRS_INL_H_
#endif

#include <algorithm>

#include "backend/cpu/resize/pixel_pairs.h"
#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

// The channels of an output with kPixels pixels. Vectors are not wider than the channels; the last one overlaps the one before it.
template <int kTaps, int kPixels, class D, class T, class Out>
HWY_INLINE void SumChannels(D d, const T* const (&rows)[2], const hn::Vec<D> (&row_weights)[2], const float* weights,
                            int64_t channels, Out* to) {
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<Out, D> rounder(d, Rounding());
  const auto first = hn::Set(d, weights[0]);
  const auto second = hn::Set(d, weights[kPixels - 1]);
  const auto pixel = [&](int64_t at) HWY_ATTR {
    auto x = LoadAs(d, rows[0] + at);
    if constexpr (kTaps > 0) x = hn::Mul(row_weights[0], x);
    if constexpr (kTaps == 2) x = hn::Add(x, hn::Mul(row_weights[1], LoadAs(d, rows[1] + at)));
    return x;
  };
  const auto sum = [&](int64_t c) HWY_ATTR {
    const auto x = hn::Mul(first, pixel(c));
    return kPixels == 1 ? x : hn::Add(x, hn::Mul(second, pixel(channels + c)));
  };
  int64_t c = 0;
  // Narrow elements of several vectors are stored together.
  constexpr size_t U = hn::MaxLanes(D()) == hn::MaxLanes(hn::ScalableTag<float>()) ? 4 / sizeof(Out) : 1;
  for (; U > 1 && c + static_cast<int64_t>(U) * N <= channels; c += static_cast<int64_t>(U) * N) {
    hn::Vec<D> sums[U];
    for (size_t u = 0; u < U; ++u) sums[u] = sum(c + static_cast<int64_t>(u) * N);
    StoreSums<U>(d, sums, rounder, to + c);
  }
  for (; c + N <= channels; c += N) rounder.store(d, sum(c), to + c);
  if (c < channels) rounder.store(d, sum(channels - N), to + channels - N);
}

// lanes: of a vector, at most the channels.
template <class T, class Out, int kTaps, size_t kLanes>
HWY_NOINLINE void SumWidePairs(const PairSum& s) {
  const hn::CappedTag<float, kLanes> d;
  const PixelPairs& pairs = *s.pairs;
  hn::Vec<decltype(d)> row_weights[2] = {hn::Zero(d), hn::Zero(d)};
  for (int k = 0; k < kTaps; ++k) row_weights[k] = hn::Set(d, s.weights[k]);
  const int32_t* const taps = pairs.taps.data();
  const int32_t* const place = pairs.place.data();
  const float* weights = pairs.weights.data();
  const int64_t channels = pairs.channels;
  const int64_t n = pairs.outputs();
  auto* to = static_cast<Out*>(s.out);
  for (int64_t i = 0; i < n; ++i, weights += pairs.pitch, to += channels) {
    const T* const rows[2] = {static_cast<const T*>(s.rows[0]) + place[i],
                              kTaps == 2 ? static_cast<const T*>(s.rows[1]) + place[i] : nullptr};
    if (taps[i] == 2)
      SumChannels<kTaps, 2>(d, rows, row_weights, weights, channels, to);
    else if (taps[i] == 1)
      SumChannels<kTaps, 1>(d, rows, row_weights, weights, channels, to);
  }
}

template <class T, class Out, int kTaps>
void SumWidePixels(const PairSum& s) {
  constexpr size_t kMost = hn::MaxLanes(hn::ScalableTag<float>());
  if (kMost >= 16 && s.pairs->channels >= 16) return SumWidePairs<T, Out, kTaps, std::min<size_t>(kMost, 16)>(s);
  if (kMost >= 8 && s.pairs->channels >= 8) return SumWidePairs<T, Out, kTaps, std::min<size_t>(kMost, 8)>(s);
  SumWidePairs<T, Out, kTaps, 4>(s);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_WIDE_PAIRS_INL_H_
