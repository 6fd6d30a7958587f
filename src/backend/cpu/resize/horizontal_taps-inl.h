// SPDX-License-Identifier: Apache-2.0
// The taps of a block of a horizontal pass in kernels: vectors of its outputs. Included once for each instruction set.
#if defined(TESELA_HORIZONTAL_TAPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_HORIZONTAL_TAPS_INL_H_
#undef TESELA_HORIZONTAL_TAPS_INL_H_
#else
#define TESELA_HORIZONTAL_TAPS_INL_H_
#endif

#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/simd/permute-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// What kernels read of a table, in local variables: their stores might change what the table points to.
template <class C>
struct BlockRows {
  using Block = typename HorizontalTable<C>::Block;
  using Index = typename HorizontalTable<C>::Index;
  HWY_INLINE explicit BlockRows(const HorizontalTable<C>& table)
      : index(table.index.data()),
        gathered(table.gathered.data()),
        weight(table.weight.data()),
        channels(table.channels) {}
  template <class DI>
  HWY_INLINE hn::Vec<DI> index_of(DI di, const Block& block) const {
    const auto bytes = hn::LoadU(hn::Rebind<uint8_t, DI>(), index + block.index_at);
    if constexpr (sizeof(C) == 8)
      return hn::PromoteTo(di, hn::PromoteTo(hn::Rebind<int32_t, DI>(), bytes));
    else
      return hn::PromoteTo(di, bytes);
  }
  HWY_INLINE const Index* gathered_of(const Block& block) const { return gathered + block.index_at; }
  HWY_INLINE const C* weight_of(const Block& block) const { return weight + block.weight_at; }

  const uint8_t* index;
  const Index* gathered;
  const C* weight;
  int64_t channels;
};

// The taps of a block; their sum at a base is a vector of outputs. For a few taps indices and weights stay in
// registers.
template <Held kHeld, int kTaps, bool kFull, class C>
class Taps {
 public:
  using D = LineTag<C>;
  using V = hn::Vec<D>;
  HWY_INLINE Taps(const BlockRows<C>& rows, const typename HorizontalTable<C>::Block& block)
      : shift_(kPerLoad * rows.channels) {
    const D d;
    const hn::RebindToSigned<D> di;
    const auto index = rows.index_of(di, block);
    for (int k = 0; k < kPerLoad; ++k)
      index_[k] = hn::Add(index, hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(k * rows.channels)));
    const C* const weights = rows.weight_of(block);
    for (int k = 0; k < kTaps; ++k) {
      weight_[k] = hn::LoadU(d, weights + k * N());
      present_[k] = hn::Ne(weight_[k], hn::Zero(d));
    }
  }
  HWY_INLINE V sum(const C* base) const {
    const D d;
    auto sum = hn::Zero(d);
    HeldInputs<kHeld, D> inputs;
    for (int k = 0; k < kTaps; ++k) {
      if (k % kPerLoad == 0) {
        inputs.load(d, base + k / kPerLoad * shift_, N());
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
  static HWY_INLINE int64_t N() { return static_cast<int64_t>(hn::Lanes(D())); }
  int64_t shift_;
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
  HWY_INLINE Taps(const BlockRows<C>& rows, const typename HorizontalTable<C>::Block& block)
      : step_(hn::Set(DI(), static_cast<hn::TFromD<DI>>(rows.channels))),
        weight_(rows.weight_of(block)),
        channels_(rows.channels),
        taps_(block.taps),
        per_load_(block.taps_per_load) {
    if constexpr (kHeld == Held::kGathered)
      gathered_ = rows.gathered_of(block);
    else
      index_ = rows.index_of(DI(), block);
  }
  HWY_INLINE V sum(const C* base) const {
    const D d;
    if constexpr (kHeld == Held::kGathered) {
      auto sum = hn::Mul(hn::LoadU(d, weight_), gathered(base, 0));
      for (int32_t k = 1; k < taps_; ++k) sum = add(sum, k, gathered(base, k));
      return sum;
    } else {
      auto at = index_;
      HeldInputs<kHeld, D> inputs;
      inputs.load(d, base, N());
      auto sum = hn::Mul(hn::LoadU(d, weight_), inputs.at(d, at));
      for (int32_t k = 1, left = per_load_; k < taps_; ++k) {
        at = hn::Add(at, step_);
        if constexpr (kHeld == Held::kShifting || kHeld == Held::kFour) {
          base += channels_;
          if (--left == 0) {
            left = per_load_;
            at = index_;
            inputs.load(d, base, N());
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
    const auto weight = hn::LoadU(d, weight_ + k * N());
    return AddTap<kFull, D>(sum, hn::Ne(weight, hn::Zero(d)), weight, x);
  }
  HWY_INLINE V gathered(const C* base, int32_t k) const {
    const D d;
    if constexpr (sizeof(C) == 2) {
      // There are no 16-bit gathers, so indices are the same as for windows.
      HWY_ALIGN C x[hn::MaxLanes(D())] = {};
      for (int64_t lane = 0; lane < N(); ++lane) x[lane] = base[gathered_[lane] + k * channels_];
      return hn::Load(d, x);
    } else {
      return hn::GatherIndex(d, base, hn::LoadU(DI(), gathered_ + k * N()));
    }
  }
  static HWY_INLINE int64_t N() { return static_cast<int64_t>(hn::Lanes(D())); }
  hn::Vec<DI> index_, step_;
  const typename HorizontalTable<C>::Index* gathered_ = nullptr;
  const C* weight_;
  int64_t channels_;
  int32_t taps_, per_load_;
};

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_HORIZONTAL_TAPS_INL_H_
