// SPDX-License-Identifier: Apache-2.0
// The operands of a VerticalSum in kernels. Included once for each instruction set.
#if defined(TESELA_VERTICAL_OPERANDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESELA_VERTICAL_OPERANDS_INL_H_
#undef TESELA_VERTICAL_OPERANDS_INL_H_
#else
#define TESELA_VERTICAL_OPERANDS_INL_H_
#endif

#include "backend/cpu/resize/vertical_kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The weights of a few taps stay in registers; for any number of taps (kTaps 0) they are loaded when used.
template <class D, int kTaps, size_t kOutputs>
struct Weights {
  Weights(D d, const VerticalSum& b) : d_(d), at_(static_cast<const hn::TFromD<D>*>(b.weights)), pitch_(b.pitch) {
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

// One pointer of a list that was just written pointer by pointer: a compiler loads two with one instruction, which waits for both
// stores to reach the cache.
template <class T>
HWY_INLINE T* LoadPointer(T* const* list, size_t i) {
  return *static_cast<T* const volatile*>(list + i);
}

// Pointers to the rows. Copied for a few taps: stores of bytes may alias the list, so it would be reloaded for every
// column.
template <class In, int kTaps>
class Rows {
 public:
  explicit Rows(const VerticalSum& b) : rows_(reinterpret_cast<const In* const*>(b.rows)) {
    for (size_t k = 0; k < static_cast<size_t>(kTaps); ++k) held_[k] = LoadPointer(rows_, k);
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
  explicit Outputs(const VerticalSum& b) {
    for (size_t r = 0; r < kOutputs; ++r) at[r] = static_cast<Out*>(LoadPointer(b.outs, r));
  }
  Out* at[kOutputs];
};

// Whether the outputs are equally aligned to cache lines.
inline bool HasSameLines(const VerticalSum& b) {
  for (int64_t r = 1; r < b.outputs; ++r)
    if ((reinterpret_cast<uintptr_t>(b.outs[r]) ^ reinterpret_cast<uintptr_t>(b.outs[0])) % 64 != 0) return false;
  return true;
}

inline uintptr_t AddressBits(const VerticalSum& b) {
  uintptr_t bits = 0;
  for (int64_t r = 0; r < b.outputs; ++r) bits |= reinterpret_cast<uintptr_t>(b.outs[r]);
  return bits;
}

// Whether each output begins with an element of its memory.
inline bool BeginsWithElement(const VerticalSum& b, size_t element_bytes) {
  return AddressBits(b) % element_bytes == 0;
}

// Whether an output begins within a cache line, and each with an element.
inline bool BeginsWithinLine(const VerticalSum& b, size_t element_bytes) {
  const uintptr_t bits = AddressBits(b);
  return bits % 64 != 0 && bits % element_bytes == 0;
}

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#endif  // TESELA_VERTICAL_OPERANDS_INL_H_
