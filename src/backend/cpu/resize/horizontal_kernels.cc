// SPDX-License-Identifier: Apache-2.0
// Resamples along a row by lookups in registers or gathers, for each instruction set.
#include "backend/cpu/resize/horizontal_kernels.h"

#include <algorithm>

#include "backend/cpu/tuning.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/resize/horizontal_taps-inl.h"
#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Stores the sum at a base of inputs.
template <bool kStream, class C, class BlockTaps>
HWY_INLINE void StoreSum(const BlockTaps& taps, const C* base, const Rounder<C, LineTag<C>>& rounder, C* to) {
  const LineTag<C> d;
  if constexpr (kStream)
    hn::Stream(taps.sum(base), d, to);
  else
    rounder.store(d, taps.sum(base), to);
}

// Blocks with indices and weights of their own, which rows share. In local variables, since stores to rows may alias others.
template <Held kHeld, int kTaps, bool kFull, bool kStream, class C>
HWY_INLINE void RunBlocks(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& segment,
                          const HorizontalRows<C>& rows) {
  using BlockTaps = Taps<kHeld, kTaps, kFull, C>;
  const LineTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<C, LineTag<C>> rounder(d, table.rounding);
  const BlockRows<C> of_blocks(table);
  const C* const* const in = rows.in;
  C* const* const out = rows.out;
  const int64_t count = rows.count;
  const auto* block = table.blocks.data() + segment.block;
  int64_t at = static_cast<int64_t>(segment.block) * N;
  const int64_t left = std::min(table.n - at, segment.groups * N);
  const int64_t end = at + left / N * N;
  for (; at < end; at += N, ++block) {
    const BlockTaps taps(of_blocks, *block);
    const int64_t from = block->base;
    for (int64_t r = 0; r < count; ++r) StoreSum<kStream>(taps, in[r] + from, rounder, out[r] + at);
  }
  if (left % N == 0) return;
  const BlockTaps taps(of_blocks, *block);
  for (int64_t r = 0; r < count; ++r) StoreFirst(d, taps.sum(in[r] + block->base), left % N, rounder, out[r] + at);
}

// Blocks that differ only in their base.
template <Held kHeld, int kTaps, bool kFull, bool kStream, class C>
HWY_INLINE void RunAlike(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& segment,
                         const HorizontalRows<C>& rows) {
  const LineTag<C> d;
  const auto N = static_cast<int64_t>(hn::Lanes(d));
  const Rounder<C, LineTag<C>> rounder(d, table.rounding);
  const auto* const block = table.blocks.data() + segment.block;
  const Taps<kHeld, kTaps, kFull, C> taps(BlockRows<C>(table), *block);
  const int64_t from = block[0].base;
  const int64_t step = block[1].base - from;
  const int64_t begin = static_cast<int64_t>(segment.block) * N;
  const int64_t n = std::min(segment.alike * N, table.n - begin);
  const int64_t whole = n / N * N;
  for (int64_t r = 0; r < rows.count; ++r) {
    const C* base = rows.in[r] + from;
    C* to = rows.out[r] + begin;
    for (C* const end = to + whole; to != end; base += step, to += N) StoreSum<kStream>(taps, base, rounder, to);
    if (whole < n) StoreFirst(d, taps.sum(base), n - whole, rounder, to);
  }
}

template <Held kHeld, int kTaps, bool kFull, bool kStream, class C>
HWY_NOINLINE void RunSegment(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& segment,
                             const HorizontalRows<C>& rows) {
  if (segment.alike > 1) return RunAlike<kHeld, kTaps, kFull, kStream>(table, segment, rows);
  RunBlocks<kHeld, kTaps, kFull, kStream>(table, segment, rows);
}

template <Held kHeld, int kTaps, bool kStream, class C>
typename HorizontalKernels<C>::Run ChooseFull(const typename HorizontalTable<C>::Block& block) {
  // Of integers a zero weight adds nothing, so an absent tap needs no mask.
  if constexpr (!std::is_integral_v<C>)
    if (!block.full) return RunSegment<kHeld, kTaps, false, kStream, C>;
  return RunSegment<kHeld, kTaps, true, kStream, C>;
}

// Weights and indices of up to eight taps stay in registers where there are 32. Those of more in four vectors are loaded, but neither
// tested nor counted; see kMaxFourHeldTaps.
template <Held kHeld, bool kStream, class C>
typename HorizontalKernels<C>::Run ChooseLong([[maybe_unused]] const typename HorizontalTable<C>::Block& block) {
#if HWY_TARGET <= HWY_AVX3
  switch (block.taps) {
    case 5: return ChooseFull<kHeld, 5, kStream, C>(block);
    case 6: return ChooseFull<kHeld, 6, kStream, C>(block);
    case 7: return ChooseFull<kHeld, 7, kStream, C>(block);
    case 8: return ChooseFull<kHeld, 8, kStream, C>(block);
    default: break;
  }
  if constexpr (kHeld == Held::kFour && std::is_same_v<C, float>) switch (block.taps) {
      case 9: return ChooseFull<kHeld, 9, kStream, C>(block);
      case 10: return ChooseFull<kHeld, 10, kStream, C>(block);
      case 11: return ChooseFull<kHeld, 11, kStream, C>(block);
      case 12: return ChooseFull<kHeld, 12, kStream, C>(block);
      default: break;
    }
#endif
  return nullptr;
}

template <Held kHeld, bool kStream, class C>
typename HorizontalKernels<C>::Run ChooseHeld(const typename HorizontalTable<C>::Block& block) {
  typename HorizontalKernels<C>::Run run = nullptr;
  if constexpr (kHeld == Held::kShifting) {
    if (block.full && block.taps == 2) return RunSegment<Held::kShiftingByOne, 2, true, kStream, C>;
    // If each output is two inputs after the one before, two vectors contain those of two taps.
    if (block.full && block.taps_per_load == 2 && block.taps == 4)
      run = RunSegment<Held::kShiftingByTwo, 4, true, kStream, C>;
    else if (block.full && block.taps_per_load == 2 && block.taps == 8)
      run = RunSegment<Held::kShiftingByTwo, 8, true, kStream, C>;
    else if (block.taps_per_load >= 4)
      run = ChooseLong<Held::kShiftingByFour, kStream, C>(block);
    else if (block.taps_per_load >= 2)
      run = ChooseLong<Held::kShiftingByTwo, kStream, C>(block);
  } else if constexpr (kHeld == Held::kFour && !kStream) {
    // Four vectors contain those of all taps.
    if (block.taps_per_load < block.taps) return ChooseFull<kHeld, 0, kStream, C>(block);
    switch (block.taps) {
      case 2: return ChooseFull<kHeld, 2, kStream, C>(block);
      case 3: return ChooseFull<kHeld, 3, kStream, C>(block);
      case 4: return ChooseFull<kHeld, 4, kStream, C>(block);
      default: run = ChooseLong<kHeld, kStream, C>(block);
    }
  } else if constexpr (kHeld == Held::kOne || kHeld == Held::kTwo) {
    switch (block.taps) {
      case 1: return RunSegment<kHeld, 1, true, kStream, C>;
      case 2: return ChooseFull<kHeld, 2, kStream, C>(block);
      case 3: return ChooseFull<kHeld, 3, kStream, C>(block);
      case 4: return ChooseFull<kHeld, 4, kStream, C>(block);
      default: run = ChooseLong<kHeld, kStream, C>(block);
    }
  }
  return run != nullptr ? run : ChooseFull<kHeld, 0, kStream, C>(block);
}

template <bool kStream, class C>
typename HorizontalKernels<C>::Run ChooseBy(const HorizontalTable<C>& table, size_t b) {
  const auto& block = table.blocks[b];
  if (table.kind == HorizontalKind::kGather) return ChooseHeld<Held::kGathered, false, C>(block);
  if (table.kind == HorizontalKind::kFour) return ChooseHeld<Held::kFour, kStream, C>(block);
  // For some blocks two vectors contain the inputs of all taps.
  if (table.kind == HorizontalKind::kShifted && block.taps > block.taps_per_load)
    return ChooseHeld<Held::kShifting, kStream, C>(block);
  return block.narrow ? ChooseHeld<Held::kOne, kStream, C>(block) : ChooseHeld<Held::kTwo, kStream, C>(block);
}

// Only vectors of whole cache lines are streamed.
template <class C>
typename HorizontalKernels<C>::Run Choose(const HorizontalTable<C>& table, size_t b, bool stream) {
  if constexpr (hn::MaxLanes(LineTag<C>()) * sizeof(C) == 64 && !std::is_integral_v<C>)
    if (stream) return ChooseBy<true>(table, b);
  return ChooseBy<false>(table, b);
}

template <class C>
HorizontalKernels<C> GetKernels() {
  constexpr bool kHas512 = HWY_TARGET <= HWY_AVX3;
  constexpr bool kTransposes = sizeof(C) == 4;
  constexpr int32_t kFourTaps = kHas512 ? kMaxFourTaps : kMaxFourTapsBelow512;
  constexpr int32_t kFourHeldTaps = kHas512 ? kMaxFourHeldTaps : kMaxFourTapsBelow512;
  return {static_cast<int64_t>(hn::Lanes(LineTag<C>())), kTransposes ? kFourTaps : INT32_MAX,
          kTransposes ? kFourHeldTaps : INT32_MAX, Choose<C>};
}

HorizontalKernels<float> GetFloats() {
  return GetKernels<float>();
}
HorizontalKernels<double> GetDoubles() {
  return GetKernels<double>();
}
HorizontalKernels<uint16_t> GetShorts() {
  return GetKernels<uint16_t>();
}
HorizontalKernels<int32_t> GetIntegers() {
  return GetKernels<int32_t>();
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
HorizontalKernels<float> horizontal_kernels() {
  return HWY_DYNAMIC_DISPATCH(GetFloats)();
}
template <>
HorizontalKernels<double> horizontal_kernels() {
  return HWY_DYNAMIC_DISPATCH(GetDoubles)();
}
template <>
HorizontalKernels<uint16_t> horizontal_kernels() {
  return HWY_DYNAMIC_DISPATCH(GetShorts)();
}
template <>
HorizontalKernels<int32_t> horizontal_kernels() {
  return HWY_DYNAMIC_DISPATCH(GetIntegers)();
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
