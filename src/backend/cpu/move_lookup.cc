// Output bytes looked up in registers: nearest up to any factor and down to a quarter, short repeats, short pixels.
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/move_lookup.cc"
#include "hwy/foreach_target.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/move_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu::moves {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

const LookupKernels& LookupsOfTarget() {
  static constexpr LookupKernels kernels = {0, nullptr};
  return kernels;
}

#else

#if HWY_TARGET == HWY_AVX3_DL

// One window of 64 bytes, two, or four: a byte of the index counts through all of them.
constexpr int64_t kBlock = 64;
using Bytes = hn::ScalableTag<uint8_t>;

template <int kWindows>
HWY_INLINE hn::Vec<Bytes> LookupBlock(Bytes d, const uint8_t* from, const int32_t* base, const uint8_t* index) {
  const uint8_t* const at = from + base[0];
  const auto selected = hn::LoadU(d, index);
  const auto window = [&](int k) HWY_ATTR { return hn::LoadU(d, at + k * kBlock).raw; };
  if constexpr (kWindows == 1) {
    return hn::Vec<Bytes>{_mm512_permutexvar_epi8(selected.raw, window(0))};
  } else if constexpr (kWindows == 2) {
    return hn::Vec<Bytes>{_mm512_permutex2var_epi8(window(0), selected.raw, window(1))};
  } else {
    const __m512i low = _mm512_permutex2var_epi8(window(0), selected.raw, window(1));
    const __m512i high = _mm512_permutex2var_epi8(window(2), selected.raw, window(3));
    return hn::Vec<Bytes>{_mm512_mask_blend_epi8(_mm512_movepi8_mask(selected.raw), low, high)};
  }
}

#else

// Windows of 16 bytes, a block to each half of a vector of 32.
constexpr int64_t kBlock = 16;
using Bytes = hn::CappedTag<uint8_t, 32>;

template <class D>
HWY_INLINE hn::Vec<D> LoadWindows(D d, const uint8_t* from, const int32_t* base) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::LoadU(d, from + base[0]);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, from + base[1]), hn::LoadU(half, from + base[0]));
  }
}

template <int kWindows, class D>
HWY_INLINE hn::Vec<D> LookupBlock(D d, const uint8_t* from, const int32_t* base, const uint8_t* index) {
  const auto selected = hn::LoadU(d, index);
  if constexpr (kWindows == 1) {
    return hn::TableLookupBytes(LoadWindows(d, from, base), selected);
  } else {
    // Indices outside a window get their top bit set, which looks up 0.
    const auto limit = hn::Set(d, 0x70);
    auto sum = hn::TableLookupBytesOr0(LoadWindows(d, from, base), hn::SaturatedAdd(selected, limit));
    for (int k = 1; k < kWindows; ++k) {
      const auto within = hn::Sub(selected, hn::Set(d, static_cast<uint8_t>(k * kBlock)));
      sum = hn::Or(sum, hn::TableLookupBytesOr0(LoadWindows(d, from + k * kBlock, base), hn::SaturatedAdd(within, limit)));
    }
    return sum;
  }
}

#endif

constexpr int64_t kVector = static_cast<int64_t>(hn::MaxLanes(Bytes()));
constexpr int64_t kLargestWindows = 4 * kBlock;

// Output rows that are made at once, each vector stored to all of them.
struct Target {
  uint8_t* to;
  int64_t stride;
  int64_t copies;
};

template <bool kStream, class D>
HWY_INLINE void StoreTo(const Target& target, hn::Vec<D> value, D d, int64_t at) {
  uint8_t* to = target.to + at;
  for (int64_t copy = 0; copy < target.copies; ++copy, to += target.stride) {
    if constexpr (kStream)
      hn::Stream(value, d, to);
    else
      hn::StoreU(value, d, to);
  }
}

// Less than a vector, or what is left behind the last: through the stack.
HWY_INLINE void StorePart(const Target& target, const uint8_t* bytes, int64_t at, int64_t count) {
  for (int64_t copy = 0; copy < target.copies; ++copy)
    std::memcpy(target.to + copy * target.stride + at, bytes, static_cast<size_t>(count));
}

template <int kWindows, bool kStream>
HWY_INLINE void MakeRow(const Target& target, const uint8_t* from, const uint8_t* ahead, const Line& line) {
  const Bytes d;
  const Lookup& lookup = line.lookup;
  constexpr int64_t kBlocks = kVector / kBlock;
  const int64_t blocks = line.bytes / kBlock;
  int64_t b = 0;
  for (; b + kBlocks <= blocks; b += kBlocks) {
    if (ahead)
      for (int64_t at = 0; at < kWindows * kVector; at += 64) hwy::Prefetch(ahead + lookup.base[b] + at);
    StoreTo<kStream>(target, LookupBlock<kWindows>(d, from, lookup.base + b, lookup.index + b * kBlock), d,
                     b * kBlock);
  }
#if HWY_TARGET != HWY_AVX3_DL
  const hn::CappedTag<uint8_t, 16> d16;
  for (; b < blocks; ++b)
    StoreTo<false>(target, LookupBlock<kWindows>(d16, from, lookup.base + b, lookup.index + b * kBlock), d16,
                   b * kBlock);
#else
  const Bytes d16;
#endif
  if (line.bytes % kBlock == 0) return;
  const auto last = LookupBlock<kWindows>(d16, from, lookup.base + b, lookup.index + b * kBlock);
  if (line.bytes > kBlock) return StoreTo<false>(target, last, d16, line.bytes - kBlock);
  HWY_ALIGN uint8_t part[kBlock];
  hn::Store(last, d16, part);
  StorePart(target, part, 0, line.bytes);
}

template <int kWindows>
void MakeRows(const Rows& rows, const Line& line) {
  HWY_ALIGN uint8_t stage[kLargestWindows];
  const Lookup& lookup = line.lookup;
  for (int64_t i = 0; i < rows.n;) {
    const int64_t alike = rows.alike(i);
    const auto* from = reinterpret_cast<const uint8_t*>(rows.src + rows.offset(i));
    const uint8_t* ahead = nullptr;
    if (lookup.staged > 0) {
      std::memcpy(stage, from + lookup.stage_lo, static_cast<size_t>(lookup.staged));
      from = stage;
    } else if (rows.far && i + alike < rows.n) {
      ahead = reinterpret_cast<const uint8_t*>(rows.src + rows.offset(i + alike));
    }
    const Target target = {reinterpret_cast<uint8_t*>(rows.dst + i * rows.to), rows.to, alike};
    if (rows.stream)
      MakeRow<kWindows, true>(target, from, ahead, line);
    else
      MakeRow<kWindows, false>(target, from, ahead, line);
    i += alike;
  }
}

void LookupRows(const Rows& rows, const Line& line) {
  switch (line.lookup.windows) {
    case 1: return MakeRows<1>(rows, line);
    case 2: return MakeRows<2>(rows, line);
    default: return MakeRows<4>(rows, line);
  }
}

const LookupKernels& LookupsOfTarget() {
  static constexpr LookupKernels kernels = {kBlock, LookupRows};
  return kernels;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu::moves
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu::moves {

HWY_EXPORT(LookupsOfTarget);

const LookupKernels& lookup_kernels() {
  return HWY_DYNAMIC_DISPATCH(LookupsOfTarget)();
}

}  // namespace tesela::cpu::moves
#endif
