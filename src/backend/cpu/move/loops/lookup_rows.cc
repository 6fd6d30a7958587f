// SPDX-License-Identifier: Apache-2.0
// Looks output bytes up in registers: nearest with any upscale and downscale to a quarter, short repeats, short pixels.
#include "backend/cpu/move/loops/lookup_rows.h"
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/move/loops/lookup_rows.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu::moves {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

const LookupRows& GetLookupRows() {
  static constexpr LookupRows rows = {0, nullptr};
  return rows;
}

#else

#if HWY_TARGET <= HWY_AVX3_DL

// One, two or four windows of 64 bytes: a byte of the index addresses all of them.
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

// Windows of 16 bytes; a vector of 32 has two blocks, each with its own windows.
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

// The bytes of a window, and 0 for indices outside of it.
template <class D>
HWY_INLINE hn::Vec<D> LookupOr0(D d, hn::Vec<D> window, hn::Vec<D> index) {
#if HWY_ARCH_ARM
  static_cast<void>(d);
  return hn::TableLookupBytesOr0(window, index);
#else
  // A lookup of x86 gives 0 where the top bit is set, and ignores the bits below it that a window has no use for.
  return hn::TableLookupBytesOr0(window, hn::SaturatedAdd(index, hn::Set(d, 0x70)));
#endif
}

template <int kWindows, class D>
HWY_INLINE hn::Vec<D> LookupBlock(D d, const uint8_t* from, const uint8_t* other, hn::Vec<D> selected) {
  if constexpr (kWindows == 1) {
    return hn::TableLookupBytes(LoadWindows(d, from, other), selected);
  } else {
    auto sum = LookupOr0(d, LoadWindows(d, from, other), selected);
    for (int k = 1; k < kWindows; ++k) {
      const auto within = hn::Sub(selected, hn::Set(d, static_cast<uint8_t>(k * kBlock)));
      const auto window = LoadWindows(d, from + k * kBlock, other + k * kBlock);
      sum = hn::Or(sum, LookupOr0(d, window, within));
    }
    return sum;
  }
}

#endif

constexpr int64_t kVector = static_cast<int64_t>(hn::MaxLanes(Bytes()));
constexpr int64_t kBlocks = kVector / kBlock;
constexpr int64_t kRowsAhead = 2;

// A row's parameters for the loops, copied so that stores of bytes cannot alias them.
struct Blocks {
  const int32_t* base;
  const uint8_t* index;
  int64_t bytes;
};

// How rows are made.
enum class Way {
  kKept,
  kFar,       // another row's input is prefetched
  kStreamed,  // so is it, and stores bypass the caches
  kStaged,    // the input of a row is shorter than its windows: where they exceed all rows', a padded copy is looked up
};

template <int kWindows, Way kWay>
HWY_INLINE void Fetch(const uint8_t* ahead) {
  if constexpr (kWay == Way::kFar || kWay == Way::kStreamed)
    for (int64_t at = 0; at < kWindows * kVector; at += 64) hwy::Prefetch(ahead + at);
}

template <Way kWay>
HWY_INLINE void StoreVector(hn::Vec<Bytes> value, uint8_t* to) {
  if constexpr (kWay == Way::kStreamed)
    hn::Stream(value, Bytes(), to);
  else
    hn::StoreU(value, Bytes(), to);
}

// The blocks of a row, starting at b.
template <int kWindows, Way kWay>
HWY_INLINE void MakeRow(uint8_t* const to, const uint8_t* const from, const uint8_t* const ahead, const Blocks row,
                        int64_t b = 0) {
  const auto base = [&](int64_t block) HWY_ATTR { return from + row.base[block]; };
  const int64_t blocks = row.bytes / kBlock;
  for (; b + kBlocks <= blocks; b += kBlocks) {
    Fetch<kWindows, kWay>(ahead + row.base[b]);
    const auto index = hn::LoadU(Bytes(), row.index + b * kBlock);
    StoreVector<kWay>(LookupBlock<kWindows>(Bytes(), base(b), base(b + kBlocks - 1), index), to + b * kBlock);
  }
  const hn::CappedTag<uint8_t, kBlock> d;
  for (; b * kBlock < row.bytes; ++b) {
    const auto value = LookupBlock<kWindows>(d, base(b), base(b), hn::LoadU(d, row.index + b * kBlock));
    if (row.bytes >= kBlock) {
      hn::StoreU(value, d, to + std::min(b * kBlock, row.bytes - kBlock));
    } else {
      HWY_ALIGN uint8_t part[kBlock];
      hn::Store(value, d, part);
      std::memcpy(to, part, static_cast<size_t>(row.bytes));
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

// The largest offset of rows that may load so many bytes of input: those at an end are known to be input, and between
// rows that are at most a page apart there is memory.
HWY_INLINE int64_t LastWhole(const Rows& rows, const Row& row, int64_t loaded) {
  constexpr int64_t kPage = 4096;
  if (std::abs(rows.from) > kPage) return INT64_MIN;
  return std::max(rows.offset(0), rows.offset(rows.n - 1)) + row.lookup.staged - loaded;
}

// A row equal to the one before it is copied from there, in the L1 cache: stores in memory order gain more than storing
// each vector to both rows would save. Streamed rows are recomputed.
template <int kWindows, Way kWay>
HWY_NOINLINE void MakeRows(const Rows rows, const Row& row) {
  const Blocks blocks = {row.lookup.base, row.lookup.index, row.bytes};
  const auto* const from = reinterpret_cast<const uint8_t*>(rows.src);
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  constexpr int64_t kLoaded = kWindows * kBlock;
  const int64_t last = LastWhole(rows, row, kLoaded);
  int64_t before = 0;
  for (int64_t i = 0; i < rows.n; ++i, to += rows.to) {
    const int64_t offset = rows.offset(i);
    if (kWay != Way::kStreamed && i > 0 && offset == before) {
      CopyRow(to, to - rows.to, blocks.bytes);
      continue;
    }
    before = offset;
    if constexpr (kWay == Way::kStaged) {
      const auto* const input = from + offset + row.lookup.stage_lo;
      if (offset <= last) {
        MakeRow<kWindows, kWay>(to, input, nullptr, blocks);
        continue;
      }
      HWY_ALIGN uint8_t stage[static_cast<size_t>(kLoaded)];
      std::memcpy(stage, input, static_cast<size_t>(row.lookup.staged));
      MakeRow<kWindows, kWay>(to, stage, nullptr, blocks);
    } else {
      const uint8_t* const ahead = from + rows.offset(std::min(i + kRowsAhead, rows.n - 1));
      MakeRow<kWindows, kWay>(to, from + offset, ahead, blocks);
    }
  }
}

// Most blocks share their index, which stays in a register, so recomputing a row is as fast as copying it.
template <int kWindows, Way kWay>
HWY_NOINLINE void MakeEvenRows(const Rows rows, const Row& row) {
  const Blocks blocks = {row.lookup.base, row.lookup.index, row.bytes};
  const auto index = hn::LoadU(Bytes(), blocks.index);
  const auto* const first = reinterpret_cast<const uint8_t*>(rows.src) + blocks.base[0];
  const int64_t step = row.lookup.step;
  const int64_t alike = row.lookup.alike;
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

template <int kWindows, Way kWay>
void MakeRowsBy(const Rows& rows, const Row& row) {
  if (2 * row.lookup.alike * kBlock > row.bytes) return MakeEvenRows<kWindows, kWay>(rows, row);
  MakeRows<kWindows, kWay>(rows, row);
}

template <class D>
HWY_INLINE hn::Vec<D> LookupWindow(D d, const uint8_t* from, hn::Vec<D> index) {
  if constexpr (hn::MaxLanes(D()) == 16)
    return hn::TableLookupBytes(hn::LoadU(d, from), index);
  else
    return LookupBlock<1>(d, from, from, index);
}

// Adjacent rows shorter than a vector, whose inputs are, too: each is stored as a whole vector, of which the next rows
// overwrite the rest. Inputs are copied only where a vector would exceed those of all rows.
template <class D>
HWY_NOINLINE void MakeTinyRows(const Rows rows, const Row& row, D d) {
  constexpr auto kSize = static_cast<int64_t>(hn::MaxLanes(D()));
  const int64_t bytes = row.bytes;
  const int64_t staged = row.lookup.staged;
  const auto index = hn::LoadU(d, row.lookup.index);
  const auto* const from = reinterpret_cast<const uint8_t*>(rows.src) + row.lookup.stage_lo;
  const int64_t last = LastWhole(rows, row, kSize);
  const auto lookup = [&](int64_t offset) HWY_ATTR {
    if (offset <= last) return LookupWindow(d, from + offset, index);
    HWY_ALIGN uint8_t stage[hn::MaxLanes(D())];
    std::memcpy(stage, from + offset, static_cast<size_t>(staged));
    return LookupWindow(d, stage, index);
  };
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  const uint8_t* const end = to + rows.n * bytes;
  int64_t i = 0;
  for (; to + kSize <= end; ++i, to += bytes) hn::StoreU(lookup(rows.offset(i)), d, to);
  for (; i < rows.n; ++i, to += bytes) {
    HWY_ALIGN uint8_t part[hn::MaxLanes(D())];
    hn::Store(lookup(rows.offset(i)), d, part);
    std::memcpy(to, part, static_cast<size_t>(bytes));
  }
}

void MakeStagedRows(const Rows& rows, const Row& row) {
  const hn::CappedTag<uint8_t, 16> d;
  const int64_t longest = std::max(row.bytes, row.lookup.staged);
  if (rows.to != row.bytes || longest > kBlock) return MakeRows<1, Way::kStaged>(rows, row);
  return longest <= 16 ? MakeTinyRows(rows, row, d) : MakeTinyRows(rows, row, hn::CappedTag<uint8_t, kBlock>());
}

template <int kWindows>
void MakeAnyRows(const Rows& rows, const Row& row) {
  if (kWindows == 1 && row.lookup.staged > 0) return MakeStagedRows(rows, row);
  if (row.lookup.staged > 0) return MakeRows<kWindows, Way::kStaged>(rows, row);
  if (rows.stream) return MakeRowsBy<kWindows, Way::kStreamed>(rows, row);
  return rows.far ? MakeRowsBy<kWindows, Way::kFar>(rows, row) : MakeRowsBy<kWindows, Way::kKept>(rows, row);
}

// Rows of a few vectors: their indices stay in registers, and so do the values of equal rows.
template <int kVectors>
void MakeShortRows(const Rows& all, const Row& row) {
  if (all.stream) return MakeAnyRows<1>(all, row);
  const Rows rows = all;  // stores cannot alias a copy
  constexpr auto kCount = static_cast<size_t>(kVectors);
  hn::Vec<Bytes> index[kCount];
  const uint8_t* first[kCount];  // windows of a vector's first and last block
  const uint8_t* last[kCount];
  for (int v = 0; v < kVectors; ++v) {
    const auto* const from = reinterpret_cast<const uint8_t*>(rows.src);
    index[v] = hn::LoadU(Bytes(), row.lookup.index + v * kVector);
    first[v] = from + row.lookup.base[v * kBlocks];
    last[v] = from + row.lookup.base[(v + 1) * kBlocks - 1];
  }
  auto* to = reinterpret_cast<uint8_t*>(rows.dst);
  for (int64_t i = 0; i < rows.n;) {
    const int64_t offset = rows.offset(i);
    hn::Vec<Bytes> value[kCount];
    for (int v = 0; v < kVectors; ++v)
      value[v] = LookupBlock<1>(Bytes(), first[v] + offset, last[v] + offset, index[v]);
    do {
      for (int v = 0; v < kVectors; ++v) hn::StoreU(value[v], Bytes(), to + v * kVector);
      to += rows.to;
      ++i;
    } while (i < rows.n && rows.offset(i) == offset);
  }
}

RowKernel FindShort(const Row& row) {
  switch (row.bytes) {
    case kVector: return MakeShortRows<1>;
    case 2 * kVector: return MakeShortRows<2>;
    case 4 * kVector: return MakeShortRows<4>;
    default: return MakeAnyRows<1>;
  }
}

RowKernel Find(const Row& row) {
  if (row.lookup.windows == 1 && row.lookup.staged == 0) return FindShort(row);
  return row.lookup.windows == 1 ? MakeAnyRows<1> : row.lookup.windows == 2 ? MakeAnyRows<2> : MakeAnyRows<4>;
}

const LookupRows& GetLookupRows() {
  static constexpr LookupRows rows = {kBlock, Find};
  return rows;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu::moves
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu::moves {

HWY_EXPORT(GetLookupRows);

const LookupRows& lookup_rows() {
  return HWY_DYNAMIC_DISPATCH(GetLookupRows)();
}

}  // namespace tesela::cpu::moves
#endif
