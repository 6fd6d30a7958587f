// SPDX-License-Identifier: Apache-2.0
// Resamples along a row by lookups in registers or gathers, for each instruction set.
#include "backend/cpu/resize/horizontal_kernels.h"

#include <algorithm>
#include <tuple>

#include "backend/cpu/tuning.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_kernels.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"
#include "backend/cpu/simd/permute-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// The inputs of a block's taps. kOne, kTwo: vectors that contain them all. kShifting: two vectors contain those of a
// few taps and are loaded again for the next; kShiftingByOne, kShiftingByTwo, kShiftingByFour: of so many. kFour: four
// vectors do. kGathered: gathers.
enum class Held { kOne, kTwo, kShifting, kShiftingByOne, kShiftingByTwo, kShiftingByFour, kFour, kGathered };

// sum + weight * x if the weight is not zero: an absent tap must keep a -0.0 and hide a NaN.
template <bool kFull, class D>
HWY_INLINE hn::Vec<D> AddTap(hn::Vec<D> sum, hn::Mask<D> present, hn::Vec<D> weight, hn::Vec<D> x) {
  const auto more = hn::Add(sum, hn::Mul(weight, x));
  if constexpr (kFull)
    return more;
  else
    return hn::IfThenElse(present, more, sum);
}

// Keeps a vector in a register: g++ would reload it for each lookup, across cache lines.
template <class V>
HWY_INLINE void KeepInRegister([[maybe_unused]] V& v) {
#if HWY_TARGET != HWY_SCALAR && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
#if HWY_ARCH_ARM
  asm("" : "+w"(v.raw));
#else
  asm("" : "+v"(v.raw));
#endif
#endif
}

// The vectors that contain the inputs of some taps.
template <Held kHeld, class D>
struct HeldInputs {
  using V = hn::Vec<D>;
  HWY_INLINE HeldInputs() {}  // written out: an implicit one is not compiled for the instruction set
  static constexpr size_t kVectors = kHeld == Held::kOne ? 1 : kHeld == Held::kFour ? 4 : 2;

  HWY_INLINE void load(D d, const hn::TFromD<D>* from, int64_t lanes) {
    for (V& v : vectors) {
      v = hn::LoadU(d, from);
      from += lanes;
    }
  }
  HWY_INLINE void keep_in_registers() {
    for (V& v : vectors) KeepInRegister(v);
  }
  template <class VI>
  HWY_INLINE V at(D d, VI index) const {
    if constexpr (kHeld == Held::kOne)
      return Lookup1(d, vectors[0], index);
    else if constexpr (kHeld == Held::kFour)
      return Lookup4(d, vectors, index);
    else
      return Lookup2(d, vectors[0], vectors[1], index);
  }

  V vectors[kVectors];
};

// The taps of a block; their sum at a base is a vector of outputs. For a few taps indices and weights stay in
// registers.
template <Held kHeld, int kTaps, bool kFull, class C>
class Taps {
 public:
  using D = LineTag<C>;
  using V = hn::Vec<D>;
  HWY_INLINE Taps(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Block& block)
      : N_(table.lanes), shift_(kPerLoad * table.channels) {
    const D d;
    const hn::RebindToSigned<D> di;
    const auto index = hn::LoadU(di, table.index.data() + block.at);
    for (int k = 0; k < kPerLoad; ++k)
      index_[k] = hn::Add(index, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(k * table.channels)));
    for (int k = 0; k < kTaps; ++k) {
      weight_[k] = hn::LoadU(d, table.weight.data() + block.at + k * N_);
      present_[k] = hn::Ne(weight_[k], hn::Zero(d));
    }
  }
  HWY_INLINE V sum(const C* base) const {
    const D d;
    auto sum = hn::Zero(d);
    HeldInputs<kHeld, D> inputs;
    for (int k = 0; k < kTaps; ++k) {
      if (k % kPerLoad == 0) {
        inputs.load(d, base + k / kPerLoad * shift_, N_);
        if constexpr (kTaps > 1) inputs.keep_in_registers();
      }
      const V x = inputs.at(d, index_[k % kPerLoad]);
      sum = k == 0 ? hn::Mul(weight_[0], x) : AddTap<kFull, D>(sum, present_[k], weight_[k], x);
    }
    return sum;
  }

 private:
  static constexpr int kPerLoad = kHeld == Held::kShiftingByOne    ? 1
                                  : kHeld == Held::kShiftingByTwo  ? 2
                                  : kHeld == Held::kShiftingByFour ? 4
                                                                   : kTaps;
  int64_t N_, shift_;
  hn::Vec<hn::RebindToSigned<D>> index_[static_cast<size_t>(kPerLoad)];
  V weight_[static_cast<size_t>(kTaps)];
  hn::Mask<D> present_[static_cast<size_t>(kTaps)];
};

// For any number of taps: loads weights when they are used.
template <Held kHeld, bool kFull, class C>
class Taps<kHeld, 0, kFull, C> {
 public:
  using D = LineTag<C>;
  using V = hn::Vec<D>;
  using DI = hn::RebindToSigned<D>;
  HWY_INLINE Taps(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Block& block)
      : index_(hn::LoadU(DI(), table.index.data() + block.at)),
        step_(hn::Set(DI(), static_cast<hn::TFromD<DI>>(table.channels))),
        index_at_(table.index.data() + block.at),
        weight_(table.weight.data() + block.at),
        N_(table.lanes),
        channels_(table.channels),
        taps_(block.taps),
        per_load_(block.taps_per_load) {}
  HWY_INLINE V sum(const C* base) const {
    const D d;
    if constexpr (kHeld == Held::kGathered) {
      auto sum = hn::Mul(hn::LoadU(d, weight_), gathered(base, 0));
      for (int32_t k = 1; k < taps_; ++k) sum = add(sum, k, gathered(base, k));
      return sum;
    } else {
      auto at = index_;
      HeldInputs<kHeld, D> inputs;
      inputs.load(d, base, N_);
      auto sum = hn::Mul(hn::LoadU(d, weight_), inputs.at(d, at));
      for (int32_t k = 1, left = per_load_; k < taps_; ++k) {
        at = hn::Add(at, step_);
        if constexpr (kHeld == Held::kShifting || kHeld == Held::kFour) {
          base += channels_;
          if (--left == 0) {
            left = per_load_;
            at = index_;
            inputs.load(d, base, N_);
          }
        }
        sum = add(sum, k, inputs.at(d, at));
      }
      return sum;
    }
  }

 private:
  HWY_INLINE V add(V sum, int32_t k, V x) const {
    const D d;
    const auto weight = hn::LoadU(d, weight_ + k * N_);
    return AddTap<kFull, D>(sum, hn::Ne(weight, hn::Zero(d)), weight, x);
  }
  HWY_INLINE V gathered(const C* base, int32_t k) const {
    const D d;
    if constexpr (sizeof(C) == 2) {
      // There are no 16-bit gathers, so indices are the same as for windows.
      HWY_ALIGN C x[hn::MaxLanes(D())] = {};
      for (int64_t lane = 0; lane < N_; ++lane) x[lane] = base[index_at_[lane] + k * channels_];
      return hn::Load(d, x);
    } else {
      return hn::GatherIndex(d, base, hn::LoadU(DI(), index_at_ + k * N_));
    }
  }
  hn::Vec<DI> index_, step_;
  const typename HorizontalTable<C>::Index* index_at_;
  const C* weight_;
  int64_t N_, channels_;
  int32_t taps_, per_load_;
};

// The loop of every kernel. Rows share a block's indices and weights, and so do blocks that differ only in their base.
template <Held kHeld, int kTaps, bool kFull, bool kStream, class C>
HWY_NOINLINE void RunSegment(const HorizontalTable<C>& table, const typename HorizontalTable<C>::Segment& segment,
                             const HorizontalRows<C>& rows) {
  const LineTag<C> d;
  const int64_t N = table.lanes;
  const Rounder<C, LineTag<C>> rounder(d, table.rounding);
  for (int64_t g = 0; g < segment.groups; ++g) {
    const size_t b = segment.block + static_cast<size_t>(g);
    const auto& block = table.blocks[b];
    const Taps<kHeld, kTaps, kFull, C> taps(table, block);
    const int64_t step = segment.alike > 1 ? table.blocks[b + 1].base - block.base : 0;
    const int64_t begin = static_cast<int64_t>(b) * N;
    const int64_t n = std::min(segment.alike * N, table.n - begin);
    const int64_t whole = n / N * N;
    // In local variables, since stores to rows may alias others.
    const C* const* const in = rows.in;
    C* const* const out = rows.out;
    const int64_t count = rows.count;
    const int64_t from = block.base;
    const auto store = [&](const C* base, C* to) HWY_ATTR {
      if constexpr (kStream)
        hn::Stream(taps.sum(base), d, to);
      else
        rounder.store(d, taps.sum(base), to);
    };
    if (n == N) {
      for (int64_t r = 0; r < count; ++r) store(in[r] + from, out[r] + begin);
      continue;
    }
    for (int64_t r = 0; r < count; ++r) {
      const C* base = in[r] + from;
      C* to = out[r] + begin;
      for (C* const end = to + whole; to != end; base += step, to += N) store(base, to);
      if (whole < n) StoreFirst(d, taps.sum(base), n - whole, rounder, to);
    }
  }
}

template <Held kHeld, int kTaps, bool kStream, class C>
typename HorizontalKernels<C>::Run ChooseFull(const typename HorizontalTable<C>::Block& block) {
  // Of integers a zero weight adds nothing, so an absent tap needs no mask.
  if constexpr (!std::is_integral_v<C>)
    if (!block.full) return RunSegment<kHeld, kTaps, false, kStream, C>;
  return RunSegment<kHeld, kTaps, true, kStream, C>;
}

// Weights and indices of up to eight taps stay in registers where there are 32.
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
HorizontalKernels<C> KernelsOf() {
  constexpr int32_t kFourTaps = HWY_TARGET <= HWY_AVX3 ? kMaxFourTaps : kMaxFourTapsBelow512;
  return {static_cast<int64_t>(hn::Lanes(LineTag<C>())), sizeof(C) == 4 ? kFourTaps : INT32_MAX, Choose<C>};
}

using AllKernels = std::tuple<HorizontalKernels<float>, HorizontalKernels<double>, HorizontalKernels<uint16_t>,
                              HorizontalKernels<int32_t>>;

AllKernels GetHorizontalKernels() {
  return {KernelsOf<float>(), KernelsOf<double>(), KernelsOf<uint16_t>(), KernelsOf<int32_t>()};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetHorizontalKernels);

template <class C>
HorizontalKernels<C> horizontal_kernels() {
  return std::get<HorizontalKernels<C>>(HWY_DYNAMIC_DISPATCH(GetHorizontalKernels)());
}

#define TESELA_INSTANTIATE(C) template HorizontalKernels<C> horizontal_kernels();
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
#endif  // HWY_ONCE
