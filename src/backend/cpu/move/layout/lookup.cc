// SPDX-License-Identifier: Apache-2.0
// Computes the windows and indices of rows that are looked up in registers.
#include "backend/cpu/move/layout/lookup.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/move/loops/element_rows.h"
#include "backend/cpu/move/loops/lookup_rows.h"

namespace tesela::cpu::moves {
namespace {

// The indices of an element's bytes, which begin at byte `at` of the window.
template <class T>
void store_index(uint8_t* index, uint8_t at) {
  T bytes;
  uint8_t counting[sizeof(T)];
  for (size_t k = 0; k < sizeof(T); ++k) counting[k] = static_cast<uint8_t>(k);
  std::memcpy(&bytes, counting, sizeof(T));
  bytes = static_cast<T>(bytes + static_cast<T>(T(~T{0}) / 255) * at);  // at most 255 each, so there is no carry
  std::memcpy(index, &bytes, sizeof(T));
}

// The blocks of a row. The last one overlaps the one before it if elements are missing.
struct Blocks {
  int64_t bytes = 0;     // of a block and of a window
  int64_t elements = 0;  // of a block
  int64_t n = 0;

  Blocks(const Row& row, int64_t block)
      : bytes(block),
        elements(std::min(block / row.width, row.count)),
        n((row.count + block / row.width - 1) / (block / row.width)) {}
  const int32_t* offsets(const Row& row, int64_t b) const {
    return row.offset + std::min(b * elements, row.count - elements);
  }
};

struct WindowRange {
  int64_t lo = INT32_MAX;  // first byte of the input that the row uses
  int64_t hi = INT32_MIN;
  int64_t span = 0;  // of the block with the largest span
};

// bases: receives the first byte that each block uses. Stops at a block that spans more than four windows.
WindowRange find_range(const Row& row, const Blocks& blocks, int32_t* bases) {
  WindowRange range;
  for (int64_t b = 0; b < blocks.n && range.span <= 4 * blocks.bytes; ++b) {
    const int32_t* const offset = blocks.offsets(row, b);
    int32_t lo = offset[0];
    int32_t hi = offset[0];
    for (int64_t k = 1; k < blocks.elements; ++k) {
      lo = std::min(lo, offset[k]);
      hi = std::max(hi, offset[k]);
    }
    bases[b] = lo;
    range.lo = std::min<int64_t>(range.lo, lo);
    range.hi = std::max<int64_t>(range.hi, hi + row.width);
    range.span = std::max<int64_t>(range.span, hi + row.width - lo);
  }
  return range;
}

// Sets the windows of every block for a known number of windows. bases: on entry the first byte that each block uses.
template <class T, int kParts = 1>
void store_indices(const Row& row, const Blocks& blocks, WindowRange range, int32_t* bases, uint8_t* indices) {
  const Lookup& lookup = row.lookup;
  const int64_t last = range.hi - lookup.windows * blocks.bytes;
  for (int64_t b = 0; b < blocks.n; ++b) {
    const int32_t* const offset = blocks.offsets(row, b);
    const int64_t base = lookup.staged > 0 ? range.lo : std::min<int64_t>(bases[b], last);
    bases[b] = static_cast<int32_t>(lookup.staged > 0 ? 0 : base);
    uint8_t* index = indices + b * blocks.bytes;
    for (int64_t k = 0; k < blocks.elements; ++k)
      for (int part = 0; part < kParts; ++part, index += sizeof(T))
        store_index<T>(index, static_cast<uint8_t>(offset[k] - base + part * static_cast<int64_t>(sizeof(T))));
    std::fill(index, indices + (b + 1) * blocks.bytes, uint8_t{0});
  }
}

void store_indices(const Row& row, const Blocks& blocks, WindowRange range, int32_t* bases, uint8_t* indices) {
  switch (row.width) {
    case 1: return store_indices<uint8_t>(row, blocks, range, bases, indices);
    case 2: return store_indices<uint16_t>(row, blocks, range, bases, indices);
    case 4: return store_indices<uint32_t>(row, blocks, range, bases, indices);
    case 8: return store_indices<uint64_t>(row, blocks, range, bases, indices);
    default: return store_indices<uint64_t, 2>(row, blocks, range, bases, indices);
  }
}

// whole: the number of blocks without the last if that overlaps another, since its step differs.
void find_alike(Lookup& lookup, int64_t whole, int64_t block) {
  const int32_t* const bases = lookup.base;
  lookup.alike = std::min<int64_t>(whole, 1);
  lookup.step = whole > 1 ? bases[1] - bases[0] : 0;
  while (lookup.alike < whole && bases[lookup.alike] - bases[lookup.alike - 1] == lookup.step &&
         std::memcmp(lookup.index + lookup.alike * block, lookup.index, static_cast<size_t>(block)) == 0)
    ++lookup.alike;
}

bool make_lookup(Arena& arena, Row& row, int64_t block) {
  if (block == 0) return false;
  const Blocks blocks(row, block);
  auto* bases = arena.take<int32_t>(blocks.n);
  const WindowRange range = find_range(row, blocks, bases);
  if (range.span > 4 * block) return false;
  Lookup& lookup = row.lookup;
  lookup.windows = range.span <= block ? 1 : range.span <= 2 * block ? 2 : 4;
  if (range.hi - range.lo < lookup.windows * block) {
    lookup.staged = range.hi - range.lo;
    lookup.stage_lo = range.lo;
  }
  auto* indices = arena.take<uint8_t>(blocks.n * block);
  lookup.base = bases;
  lookup.index = indices;
  store_indices(row, blocks, range, bases, indices);
  find_alike(lookup, row.count / (block / row.width), block);
  return true;
}

}  // namespace

void choose_element_kernel(Arena& arena, Row& row) {
  const bool found = make_lookup(arena, row, lookup_rows().block);
  row.kernel = found ? Kernel::move_lookup : Kernel::move_gather;
  row.make = found ? lookup_rows().find(row) : gather_rows;
}

Row make_element_row(Arena& arena, std::span<const int32_t> offsets, int64_t width) {
  const auto count = static_cast<int64_t>(offsets.size());
  Row row = {.bytes = count * width, .width = width, .count = count, .offset = offsets.data()};
  choose_element_kernel(arena, row);
  return row;
}

}  // namespace tesela::cpu::moves
