// What the sums of a RowBlend read and write, as kernels hold it. Included once for each instruction set.
#if defined(TESELA_ROW_LISTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_ROW_LISTS_INL_H_
#undef TESELA_ROW_LISTS_INL_H_
#else
#define TESELA_ROW_LISTS_INL_H_
#endif

#include "backend/cpu/rows.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The weights of a few taps stay in registers; those of any number (kTaps 0) are loaded as they are used.
template <class D, int kTaps, size_t kOutputs>
struct Weights {
  Weights(D d, const RowBlend& b) : d_(d), at_(static_cast<const hn::TFromD<D>*>(b.weights)), pitch_(b.pitch) {
    for (size_t r = 0; r < kOutputs; ++r)
      for (size_t k = 0; k < static_cast<size_t>(kTaps); ++k) held_[r * kHeld + k] = load(r, k);
  }
  HWY_INLINE hn::Vec<D> operator()(size_t r, size_t k) const {
    if constexpr (kTaps > 0)
      return held_[r * kHeld + k];
    else
      return load(r, k);
  }

 private:
  HWY_INLINE hn::Vec<D> load(size_t r, size_t k) const {
    return hn::Set(d_, at_[static_cast<int64_t>(r) * pitch_ + static_cast<int64_t>(k)]);
  }
  static constexpr size_t kHeld = kTaps > 0 ? static_cast<size_t>(kTaps) : 1;
  D d_;
  const hn::TFromD<D>* at_;
  int64_t pitch_;
  hn::Vec<D> held_[kOutputs * kHeld];
};

// Pointers to the rows. Those of a few taps are copied: a store of bytes may change anything in memory, so that lists
// there would be read again for every column.
template <class In, int kTaps>
class Rows {
 public:
  explicit Rows(const RowBlend& b) : rows_(reinterpret_cast<const In* const*>(b.rows)) {
    for (size_t k = 0; k < static_cast<size_t>(kTaps); ++k) held_[k] = rows_[k];
  }
  HWY_INLINE const In* operator[](size_t k) const {
    if constexpr (kTaps > 0)
      return held_[k];
    else
      return rows_[k];
  }

 private:
  const In* const* rows_;
  const In* held_[kTaps > 0 ? static_cast<size_t>(kTaps) : 1];
};

template <class Out, size_t kOutputs>
struct Outputs {
  explicit Outputs(const RowBlend& b) {
    for (size_t r = 0; r < kOutputs; ++r) at[r] = static_cast<Out*>(b.outs[r]);
  }
  Out* at[kOutputs];
};

// The outputs can be cut into the same whole cache lines.
inline bool HasSameLines(const RowBlend& b) {
  for (int64_t r = 1; r < b.outputs; ++r)
    if ((reinterpret_cast<uintptr_t>(b.outs[r]) ^ reinterpret_cast<uintptr_t>(b.outs[0])) % 64 != 0) return false;
  return true;
}

// Sums by Sum::run<kTaps, kOutputs>; kTaps 0: any number. Loops of their own cost code: they are for what plans have most,
// sums to or from numbers (kIsCommon), of few taps, on vectors. The rest is done output by output.
template <class C, bool kIsCommon, class Sum>
void BlendBy(const RowBlend& b) {
  if constexpr (HWY_TARGET != HWY_SCALAR && kIsCommon) {
    // As outputs_together says.
    if (b.taps == 2 && b.outputs == 4) return Sum::template run<2, 4>(b);
    if (b.taps == 2 && b.outputs == 2) return Sum::template run<2, 2>(b);
    if (b.taps == 4 && b.outputs == 2) return Sum::template run<4, 2>(b);
    if (b.taps == 1) return Sum::template run<1, 1>(b);
    if (b.taps == 2) return Sum::template run<2, 1>(b);
    if (b.taps == 4) return Sum::template run<4, 1>(b);
  }
  RowBlend each = b;
  each.outputs = 1;
  for (int64_t r = 0; r < b.outputs; ++r) {
    each.outs = b.outs + r;
    each.weights = static_cast<const C*>(b.weights) + r * b.pitch;
    Sum::template run<0, 1>(each);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_ROW_LISTS_INL_H_
