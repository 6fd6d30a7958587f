// Output bytes looked up in registers: nearest up to any factor and down to a quarter, short repeats, short pixels.
#include "backend/cpu/move/lookup_loops.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/move/lookup_loops.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu::moves {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

const LookupLoops& GetLookupLoops() {
  static constexpr LookupLoops loops = {0, nullptr};
  return loops;
}

#else

#if HWY_TARGET == HWY_AVX3_DL

// One window of 64 bytes, two, or four: a byte of the index counts through all of them.
constexpr int64_t kBlock = 64;
using Bytes = hn::ScalableTag<uint8_t>;

template <int kWindows>
HWY_INLINE hn::Vec<Bytes> LookupBlock(Bytes d, const uint8_t* from, const uint8_t*, hn::Vec<Bytes> selected) {
  const auto window = [&](int k) HWY_ATTR { return hn::LoadU(d, from + k * kBlock).raw; };
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

// Windows of 16 bytes; a vector of 32 has two blocks, the other from windows of its own.
constexpr int64_t kBlock = 16;
using Bytes = hn::CappedTag<uint8_t, 32>;

template <class D>
HWY_INLINE hn::Vec<D> LoadWindows(D d, const uint8_t* from, const uint8_t* other) {
  if constexpr (hn::MaxLanes(D()) == 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, hn::LoadU(half, other), hn::LoadU(half, from));
  }
}

template <int kWindows, class D>
HWY_INLINE hn::Vec<D> LookupBlock(D d, const uint8_t* from, const uint8_t* other, hn::Vec<D> selected) {
  if constexpr (kWindows == 1) {
    return hn::TableLookupBytes(LoadWindows(d, from, other), selected);
  } else {
    // Indices outside a window get their top bit set, which looks up 0.
    const auto limit = hn::Set(d, 0x70);
    auto sum = hn::TableLookupBytesOr0(LoadWindows(d, from, other), hn::SaturatedAdd(selected, limit));
    for (int k = 1; k < kWindows; ++k) {
      const auto within = hn::Sub(selected, hn::Set(d, static_cast<uint8_t>(k * kBlock)));
      const auto window = LoadWindows(d, from + k * kBlock, other + k * kBlock);
      sum = hn::Or(sum, hn::TableLookupBytesOr0(window, hn::SaturatedAdd(within, limit)));
    }
    return sum;
  }
}

#endif

constexpr int64_t kVector = static_cast<int64_t>(hn::MaxLanes(Bytes()));
constexpr int64_t kBlocks = kVector / kBlock;
constexpr int64_t kLargestWindows = 4 * kBlock;
constexpr int64_t kRowsAhead = 2;

// What a row needs of its line, out of the way of the bytes that are stored.
struct Blocks {
  const int32_t* base;
  const uint8_t* index;
  int64_t bytes;
};

// Which stores, and whether the input of another row is fetched ahead.
enum class Way { kKept, kFar, kStreamed };

template <int kWindows, Way kWay>
HWY_INLINE void Fetch(const uint8_t* ahead) {
  if constexpr (kWay != Way::kKept)
    for (int64_t at = 0; at < kWindows * kVector; at += 64) hwy::Prefetch(ahead + at);
}

template <Way kWay>
HWY_INLINE void StoreVector(hn::Vec<Bytes> value, uint8_t* to) {
  if constexpr (kWay == Way::kStreamed)
    hn::Stream(value, Bytes(), to);
  else
    hn::StoreU(value, Bytes(), to);
}

// The blocks of a row from b on.
template <int kWindows, Way kWay>
HWY_INLINE void MakeRow(uint8_t* const to, const uint8_t* const from, const uint8_t* const ahead, const Blocks line,
                        int64_t b = 0) {
  const auto base = [&](int64_t block) HWY_ATTR { return from + line.base[block]; };
  const int64_t blocks = line.bytes / kBlock;
  for (; b + kBlocks <= blocks; b += kBlocks) {
    Fetch<kWindows, kWay>(ahead + line.base[b]);
    const auto index = hn::LoadU(Bytes(), line.index + b * kBlock);
    StoreVector<kWay>(LookupBlock<kWindows>(Bytes(), base(b), base(b + kBlocks - 1), index), to + b * kBlock);
  }
  const hn::CappedTag<uint8_t, kBlock> d;
  for (; b * kBlock < line.bytes; ++b) {
    const auto value = LookupBlock<kWindows>(d, base(b), base(b), hn::LoadU(d, line.index + b * kBlock));
    if (line.bytes >= kBlock) {
      hn::StoreU(value, d, to + std::min(b * kBlock, line.bytes - kBlock));
    } else {
      HWY_ALIGN uint8_t part[kBlock];
      hn::Store(value, d, part);
      std::memcpy(to, part, static_cast<size_t>(line.bytes));
    }
  }
}

HWY_INLINE void CopyRow(uint8_t* to, const uint8_t* from, int64_t bytes) {
  if (bytes < kVector) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
    return;
  }
  for (int64_t at = 0; at + kVector <= bytes; at += kVector)
    hn::StoreU(hn::LoadU(Bytes(), from + at), Bytes(), to + at);
  hn::StoreU(hn::LoadU(Bytes(), from + bytes - kVector), Bytes(), to + bytes - kVector);
}

// A row like the one before it is copied from there, out of the L1 cache: stores in the order of memory are worth more
// than what storing a vector to both rows would save. What was streamed is made again.
template <int kWindows, Way kWay>
HWY_NOINLINE void MakeRows(const Rows rows, const Line& line) {
  const Blocks blocks = {line.lookup.base, line.lookup.index, line.bytes};
  const auto* const from = reinterpret_cast<const uint8_t*>(rows.src);
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  int64_t before = 0;
  for (int64_t i = 0; i < rows.n; ++i, to += rows.to) {
    const int64_t offset = rows.offset(i);
    if (kWay != Way::kStreamed && i > 0 && offset == before) {
      CopyRow(to, to - rows.to, blocks.bytes);
      continue;
    }
    before = offset;
    const uint8_t* const ahead = from + rows.offset(std::min(i + kRowsAhead, rows.n - 1));
    MakeRow<kWindows, kWay>(to, from + offset, ahead, blocks);
  }
}

// Most blocks share their index, which stays in a register: a row is made again as fast as it would be copied.
template <int kWindows, Way kWay>
HWY_NOINLINE void MakeEvenRows(const Rows rows, const Line& line) {
  const Blocks blocks = {line.lookup.base, line.lookup.index, line.bytes};
  const auto index = hn::LoadU(Bytes(), blocks.index);
  const auto* const first = reinterpret_cast<const uint8_t*>(rows.src) + blocks.base[0];
  const int64_t step = line.lookup.step;
  const int64_t alike = line.lookup.alike;
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  for (int64_t i = 0; i < rows.n; ++i, to += rows.to) {
    const uint8_t* from = first + rows.offset(i);
    const uint8_t* ahead = first + rows.offset(std::min(i + kRowsAhead, rows.n - 1));
    int64_t b = 0;
    for (; b + kBlocks <= alike; b += kBlocks, from += kBlocks * step, ahead += kBlocks * step) {
      Fetch<kWindows, kWay>(ahead);
      StoreVector<kWay>(LookupBlock<kWindows>(Bytes(), from, from + step, index), to + b * kBlock);
    }
    const int64_t back = b * step + blocks.base[0];
    MakeRow<kWindows, kWay>(to, from - back, ahead - back, blocks, b);
  }
}

// The input of a row is shorter than its windows: it is looked up in a copy with room behind it.
template <int kWindows>
HWY_NOINLINE void MakeStagedRows(const Rows rows, const Line& line) {
  HWY_ALIGN uint8_t stage[kLargestWindows];
  const Blocks blocks = {line.lookup.base, line.lookup.index, line.bytes};
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  for (int64_t i = 0; i < rows.n; ++i, to += rows.to) {
    std::memcpy(stage, rows.src + rows.offset(i) + line.lookup.stage_lo, static_cast<size_t>(line.lookup.staged));
    MakeRow<kWindows, Way::kKept>(to, stage, nullptr, blocks);
  }
}

// Lines of a few vectors: their indices stay in registers, and a row is made again rather than compared with the one
// before it.
template <int kVectors>
HWY_NOINLINE void MakeShortRows(const Rows rows, const Line& line) {
  hn::Vec<Bytes> index[kVectors];
  int64_t base[kVectors];
  int64_t other[kVectors];
  for (int v = 0; v < kVectors; ++v) {
    index[v] = hn::LoadU(Bytes(), line.lookup.index + v * kVector);
    base[v] = line.lookup.base[v * kBlocks];
    other[v] = line.lookup.base[(v + 1) * kBlocks - 1];
  }
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  for (int64_t i = 0; i < rows.n; ++i, to += rows.to) {
    const auto* const from = reinterpret_cast<const uint8_t*>(rows.src + rows.offset(i));
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(LookupBlock<1>(Bytes(), from + base[v], from + other[v], index[v]), Bytes(), to + v * kVector);
  }
}

template <int kWindows, Way kWay>
void LookupRowsBy(const Rows& rows, const Line& line) {
  if (2 * line.lookup.alike * kBlock > line.bytes) return MakeEvenRows<kWindows, kWay>(rows, line);
  MakeRows<kWindows, kWay>(rows, line);
}

template <int kWindows>
void LookupRowsBy(const Rows& rows, const Line& line) {
  if (line.lookup.staged > 0) return MakeStagedRows<kWindows>(rows, line);
  if (kWindows == 1 && !rows.stream && line.bytes == kVector) return MakeShortRows<1>(rows, line);
  if (kWindows == 1 && !rows.stream && line.bytes == 2 * kVector) return MakeShortRows<2>(rows, line);
  if (kWindows == 1 && !rows.stream && line.bytes == 4 * kVector) return MakeShortRows<4>(rows, line);
  if (rows.stream) return LookupRowsBy<kWindows, Way::kStreamed>(rows, line);
  return rows.far ? LookupRowsBy<kWindows, Way::kFar>(rows, line) : LookupRowsBy<kWindows, Way::kKept>(rows, line);
}

void LookupRows(const Rows& rows, const Line& line) {
  switch (line.lookup.windows) {
    case 1: return LookupRowsBy<1>(rows, line);
    case 2: return LookupRowsBy<2>(rows, line);
    default: return LookupRowsBy<4>(rows, line);
  }
}

const LookupLoops& GetLookupLoops() {
  static constexpr LookupLoops loops = {kBlock, LookupRows};
  return loops;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu::moves
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu::moves {

HWY_EXPORT(GetLookupLoops);

const LookupLoops& lookup_loops() {
  return HWY_DYNAMIC_DISPATCH(GetLookupLoops)();
}

}  // namespace tesela::cpu::moves
#endif
