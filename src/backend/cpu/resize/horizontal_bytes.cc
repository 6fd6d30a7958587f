// SPDX-License-Identifier: Apache-2.0
// Resamples along rows of bytes in fixed point, without converting or transposing them: the products of an output's
// window with weights of 16 bits are added in pairs, for each instruction set.
#include <algorithm>

#include "backend/cpu/resize/horizontal_kernels.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_bytes.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

constexpr auto kPerLoad = static_cast<int64_t>(hn::MaxLanes(hn::CappedTag<int16_t, kBytesWindow>()));

using Sums = hn::CappedTag<int32_t, kBytesWindow / 2>;
using VSums = hn::Vec<Sums>;

// The products of a window, added within each lane.
template <int64_t kLoads>
HWY_INLINE VSums AddProducts(const uint8_t* x, const int16_t* weights, int64_t loads) {
  const hn::CappedTag<int16_t, kBytesWindow> d;
  const hn::Rebind<uint8_t, decltype(d)> bytes;
  const Sums sums;
  auto sum = hn::Zero(sums);
  auto more = hn::Zero(sums);
  for (int64_t k = 0; k < (kLoads > 0 ? kLoads : loads); ++k)
    sum = hn::ReorderWidenMulAccumulate(sums, hn::PromoteTo(d, hn::LoadU(bytes, x + k * kPerLoad)),
                                        hn::LoadU(d, weights + k * kPerLoad), sum, more);
  return hn::Add(sum, more);
}

// Lane i of each block becomes the sum of vector i's block.
HWY_INLINE VSums AddLanes(const VSums (&v)[4]) {
  const Sums d;
  const hn::RepartitionToWide<Sums> pairs;
  const auto low = hn::Add(hn::InterleaveLower(d, v[0], v[1]), hn::InterleaveUpper(d, v[0], v[1]));
  const auto high = hn::Add(hn::InterleaveLower(d, v[2], v[3]), hn::InterleaveUpper(d, v[2], v[3]));
  const auto a = hn::BitCast(pairs, low);
  const auto b = hn::BitCast(pairs, high);
  return hn::Add(hn::BitCast(d, hn::InterleaveLower(pairs, a, b)), hn::BitCast(d, hn::InterleaveUpper(pairs, a, b)));
}

template <int64_t kLoads>
void RunBytes(const HorizontalTable<int32_t>& table, const HorizontalTable<int32_t>::Segment& /*segment*/,
              const HorizontalRows<int32_t>& rows) {
  const Sums d;
  constexpr auto N = static_cast<int64_t>(hn::MaxLanes(Sums()));
  const Rounder<int32_t, Sums> rounder(d, table.rounding);
  const int64_t pitch = kLoads > 0 ? kLoads * kPerLoad : table.pitch;
  const int64_t* const first = table.first.data();
  const int16_t* const weights = table.short_weights.data();
  for (int64_t r = 0; r < rows.count; ++r) {
    const auto* const row = reinterpret_cast<const uint8_t*>(rows.in[r]);
    const auto sums = [&](int64_t i) HWY_ATTR {
      VSums sum[4];
      for (int64_t k = 0; k < 4; ++k)
        sum[k] = AddProducts<kLoads>(row + first[i + k], weights + (i + k) * pitch, pitch / kPerLoad);
      return AddLanes(sum);
    };
    const auto outputs = [&](int64_t i) HWY_ATTR {
      if constexpr (N == 4) {
        return sums(i);
      } else {
        const auto low = sums(i);
        const auto high = sums(i + 4);
        return hn::Add(hn::ConcatLowerLower(d, high, low), hn::ConcatUpperUpper(d, high, low));
      }
    };
    int64_t i = 0;
    for (; i + N <= table.n; i += N) rounder.store(d, outputs(i), rows.out[r] + i);
    if (i < table.n) StoreFirst(d, outputs(i), table.n - i, rounder, rows.out[r] + i);
  }
}

HorizontalKernels<int32_t>::Run GetBytes(int64_t pitch) {
  switch (pitch / kPerLoad) {
    case 1: return RunBytes<1>;
    case 2: return RunBytes<2>;
    default: return RunBytes<0>;
  }
}

#else

HorizontalKernels<int32_t>::Run GetBytes(int64_t /*pitch*/) {
  return nullptr;
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetBytes);

HorizontalKernels<int32_t>::Run bytes_kernel(int64_t pitch) {
  return HWY_DYNAMIC_DISPATCH(GetBytes)(pitch);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
