// SPDX-License-Identifier: Apache-2.0
// Resamples along rows of elements with many channels: a vector holds channels of one output, so that no lookups are
// needed, for each instruction set.
#include <algorithm>

#include "backend/cpu/resize/horizontal_kernels.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_channels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Rows that share the weights of an output while these are in registers. Vectors of few channels store lines in parts, of so many rows
// at a time: where these exceed the L1 cache, lines of outputs are prefetched, and other rows are computed one by one. Measured on a
// Xeon: without prefetches 1.4 for 2729 planes of 7x7 to 14x14, with them 1.13 for such planes of uint8, whose numbers stay in
// the L1 cache; four rows of 300x300x12 to 451x377x12 1.15.
constexpr int64_t kRowsAtOnce = 4;
constexpr int64_t kMaxBytesAtOnce = int64_t{16} << 10;

template <class C>
int64_t RowsAtOnce(const HorizontalTable<C>& table, const HorizontalRows<C>& rows) {
  const bool has_few = table.channels <= static_cast<int64_t>(hn::Lanes(hn::ScalableTag<C>()));
  const int64_t bytes = kRowsAtOnce * table.n * static_cast<int64_t>(sizeof(C));
  return has_few && !rows.to_output && bytes > kMaxBytesAtOnce ? 1 : kRowsAtOnce;
}

// The weights of an output. kTaps 0: any number, of which some may be absent.
template <int kTaps, class C>
class OutputTaps {
 public:
  using D = hn::ScalableTag<C>;
  HWY_INLINE OutputTaps(const C* weights, int32_t count, int64_t channels)
      : weights_(weights), count_(count), channels_(channels) {
    for (int k = 0; k < kTaps; ++k) weight_[k] = hn::Set(D(), weights[k]);
  }
  // The sum for a vector of channels, whose first tap is at x.
  HWY_INLINE hn::Vec<D> sum(const C* x) const {
    const D d;
    if constexpr (kTaps > 0) {
      auto sum = hn::Mul(weight_[0], hn::LoadU(d, x));
      for (int k = 1; k < kTaps; ++k) sum = hn::Add(sum, hn::Mul(weight_[k], hn::LoadU(d, x + k * channels_)));
      return sum;
    } else {
      auto sum = hn::Mul(hn::Set(d, count_ > 0 ? weights_[0] : C{0}), hn::LoadU(d, x));
      for (int32_t k = 1; k < count_; ++k)
        if (weights_[k] != 0) sum = hn::Add(sum, hn::Mul(hn::Set(d, weights_[k]), hn::LoadU(d, x + k * channels_)));
      return sum;
    }
  }

 private:
  const C* weights_;
  int32_t count_;
  int64_t channels_;
  hn::Vec<D> weight_[static_cast<size_t>(std::max(kTaps, 1))];
};

// Output i in some rows. Vectors may write beyond its channels, since the next outputs follow.
template <int kTaps, bool kStream, class C>
HWY_INLINE void StoreOutput(const HorizontalTable<C>& table, int64_t i, const C* const* in, C* const* out,
                            int64_t rows) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<C, hn::ScalableTag<C>> rounder(d, table.rounding);
  const int64_t channels = table.channels;
  const OutputTaps<kTaps, C> taps(table.weights.data() + i * table.pitch, table.count[static_cast<size_t>(i)],
                                  channels);
  const int64_t first = table.first[static_cast<size_t>(i)];
  for (int64_t r = 0; r < rows; ++r) {
    const C* const x = in[r] + first;
    C* const to = out[r] + i * channels;
    for (int64_t c = 0; c < channels; c += N) {
      if constexpr (kStream)
        hn::Stream(taps.sum(x + c), d, to + c);
      else
        rounder.store(d, taps.sum(x + c), to + c);
    }
  }
}

// An output at the row's end, beyond whose channels nothing may be written.
template <int kTaps, class C>
HWY_INLINE void StoreLast(const HorizontalTable<C>& table, int64_t i, const C* const* in, C* const* out, int64_t rows) {
  const hn::ScalableTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<C, hn::ScalableTag<C>> rounder(d, table.rounding);
  const OutputTaps<kTaps, C> taps(table.weights.data() + i * table.pitch, table.count[static_cast<size_t>(i)],
                                  table.channels);
  const int64_t whole = table.channels / N * N;
  for (int64_t r = 0; r < rows; ++r) {
    const C* const x = in[r] + table.first[static_cast<size_t>(i)];
    C* const to = out[r] + i * table.channels;
    for (int64_t c = 0; c < whole; c += N) rounder.store(d, taps.sum(x + c), to + c);
    if (whole < table.channels) StoreFirst(d, taps.sum(x + whole), table.channels - whole, rounder, to + whole);
  }
}

template <class C>
HWY_NOINLINE void StoreLastOutputs(const HorizontalTable<C>& table, int64_t i, const C* const* in, C* const* out,
                                   int64_t rows) {
  for (; i < table.n / table.channels; ++i) {
    switch (table.present[static_cast<size_t>(i)]) {
      case 2: StoreLast<2>(table, i, in, out, rows); break;
      case 3: StoreLast<3>(table, i, in, out, rows); break;
      case 4: StoreLast<4>(table, i, in, out, rows); break;
      default: StoreLast<0>(table, i, in, out, rows);
    }
  }
}

// Outputs before `end`, whose channels are one vector, in kRows rows. to_output: as in HorizontalRows.
template <bool kStream, size_t kRows, class C>
HWY_NOINLINE void StoreVectors(const HorizontalTable<C>& table, int64_t end, const C* const* in, C* const* out,
                               bool to_output) {
  const hn::ScalableTag<C> d;
  const Rounder<C, hn::ScalableTag<C>> rounder(d, table.rounding);
  // In local variables, since stores might change what the table points to.
  const int64_t channels = table.channels, pitch = table.pitch;
  const uint8_t* const present = table.present.data();
  const int32_t* const count = table.count.data();
  const int64_t* const first = table.first.data();
  const C* weights = table.weights.data();
  const C* x[kRows];
  C* to[kRows];
  for (size_t r = 0; r < kRows; ++r) x[r] = in[r], to[r] = out[r];
  const auto store = [&](const auto& taps, int64_t at) HWY_ATTR {
    for (size_t r = 0; r < kRows; ++r) {
      if constexpr (kStream)
        hn::Stream(taps.sum(x[r] + at), d, to[r]);
      else
        rounder.store(d, taps.sum(x[r] + at), to[r]);
      if (!kStream && to_output) PrefetchStores<hn::MaxLanes(hn::ScalableTag<C>()) * sizeof(C)>(to[r]);
      to[r] += channels;
    }
  };
  int64_t i = 0;
  // Outputs with as many taps follow each other.
  const auto store_all = [&]<int kTaps>(std::integral_constant<int, kTaps>) HWY_ATTR {
    do {
      store(OutputTaps<kTaps, C>(weights, kTaps, channels), first[i]);
      weights += pitch;
    } while (++i < end && present[i] == kTaps);
  };
  while (i < end) {
    switch (present[i]) {
      case 1: store_all(std::integral_constant<int, 1>()); break;
      case 2: store_all(std::integral_constant<int, 2>()); break;
      case 3: store_all(std::integral_constant<int, 3>()); break;
      case 4: store_all(std::integral_constant<int, 4>()); break;
      default: store(OutputTaps<0, C>(weights, count[i], channels), first[i]); weights += pitch, ++i;
    }
  }
}

// Outputs before `end` in some rows.
template <bool kStream, class C>
HWY_NOINLINE void StoreOutputs(const HorizontalTable<C>& table, int64_t end, const C* const* in, C* const* out,
                               int64_t rows) {
  for (int64_t i = 0; i < end; ++i) {
    switch (table.present[static_cast<size_t>(i)]) {
      case 2: StoreOutput<2, kStream>(table, i, in, out, rows); break;
      case 3: StoreOutput<3, kStream>(table, i, in, out, rows); break;
      case 4: StoreOutput<4, kStream>(table, i, in, out, rows); break;
      default: StoreOutput<0, kStream>(table, i, in, out, rows);
    }
  }
}

template <bool kStream, class C>
void RunChannels(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& /*segment*/,
                 const HorizontalRows<C>& rows) {
  const auto N = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<C>()));
  const int64_t padded = (table.channels + N - 1) / N * N;
  const int64_t inner = table.n < padded ? 0 : (table.n - padded) / table.channels + 1;
  const int64_t at_once = RowsAtOnce(table, rows);
  for (int64_t r = 0; r < rows.count; r += at_once) {
    const int64_t group = std::min(rows.count - r, at_once);
    const C* const* const in = rows.in + r;
    C* const* const out = rows.out + r;
    if (table.channels <= N && group == kRowsAtOnce)
      StoreVectors<kStream, kRowsAtOnce>(table, inner, in, out, rows.to_output);
    else if (table.channels <= N && group == 1)
      StoreVectors<kStream, 1>(table, inner, in, out, rows.to_output);
    else
      StoreOutputs<kStream>(table, inner, in, out, group);
    StoreLastOutputs(table, inner, in, out, group);
  }
}

// Only vectors of whole cache lines are streamed.
template <class C>
typename HorizontalTable<C>::Segment::Run Choose(int64_t channels, bool stream) {
  constexpr int64_t kMost = hn::MaxLanes(hn::ScalableTag<C>());
  if constexpr (kMost * sizeof(C) == 64 && !std::is_integral_v<C>)
    if (stream && channels % kMost == 0) return RunChannels<true, C>;
  return RunChannels<false, C>;
}

HorizontalTable<float>::Segment::Run GetFloats(int64_t channels, bool stream) {
  return Choose<float>(channels, stream);
}
HorizontalTable<double>::Segment::Run GetDoubles(int64_t channels, bool stream) {
  return Choose<double>(channels, stream);
}
HorizontalTable<uint16_t>::Segment::Run GetShorts(int64_t channels, bool stream) {
  return Choose<uint16_t>(channels, stream);
}
HorizontalTable<int32_t>::Segment::Run GetIntegers(int64_t channels, bool stream) {
  return Choose<int32_t>(channels, stream);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetFloats);
HWY_EXPORT(GetDoubles);
HWY_EXPORT(GetShorts);
HWY_EXPORT(GetIntegers);

template <>
HorizontalKernels<float>::Run channels_kernel<float>(int64_t channels, bool stream) {
  return HWY_DYNAMIC_DISPATCH(GetFloats)(channels, stream);
}
template <>
HorizontalKernels<double>::Run channels_kernel<double>(int64_t channels, bool stream) {
  return HWY_DYNAMIC_DISPATCH(GetDoubles)(channels, stream);
}
template <>
HorizontalKernels<uint16_t>::Run channels_kernel<uint16_t>(int64_t channels, bool stream) {
  return HWY_DYNAMIC_DISPATCH(GetShorts)(channels, stream);
}
template <>
HorizontalKernels<int32_t>::Run channels_kernel<int32_t>(int64_t channels, bool stream) {
  return HWY_DYNAMIC_DISPATCH(GetIntegers)(channels, stream);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
