// The windows of lines that are looked up in registers.
#include "backend/cpu/move/lookup.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/move/lookup_loops.h"

namespace tesela::cpu::moves {
namespace {

// The bytes of the window that an element at `at` is made of.
template <class T>
void store_index(uint8_t* index, uint8_t at) {
  T bytes;
  uint8_t counting[sizeof(T)];
  for (size_t k = 0; k < sizeof(T); ++k) counting[k] = static_cast<uint8_t>(k);
  std::memcpy(&bytes, counting, sizeof(T));
  bytes = static_cast<T>(bytes + static_cast<T>(T(~T{0}) / 255) * at);  // at most 255 each: nothing is carried
  std::memcpy(index, &bytes, sizeof(T));
}

struct WindowRange {
  int64_t lo = 0;  // bytes of the input that the line spans
  int64_t hi = 0;
  int64_t span = 0;  // of the block that spans most
};

// bases: gets the first byte that each block takes. Stops where a block spans more than four windows.
WindowRange find_range(const Line& line, int64_t per_block, int64_t blocks, int32_t* bases) {
  const int64_t last = std::max<int64_t>(line.count - per_block, 0);
  WindowRange range = {INT32_MAX, INT32_MIN};
  for (int64_t b = 0; b < blocks && range.span <= 4 * line.lookup.block; ++b) {
    const int32_t* const offset = line.offset + std::min(b * per_block, last);
    int32_t lo = offset[0];
    int32_t hi = offset[0];
    for (int64_t k = 1; k < std::min(per_block, line.count); ++k) {
      lo = std::min(lo, offset[k]);
      hi = std::max(hi, offset[k]);
    }
    bases[b] = lo;
    range.lo = std::min<int64_t>(range.lo, lo);
    range.hi = std::max<int64_t>(range.hi, hi + line.width);
    range.span = std::max<int64_t>(range.span, hi + line.width - lo);
  }
  return range;
}

// whole: blocks but the last, if it overlaps one, which is not in step.
void find_alike(Lookup& lookup, int64_t whole) {
  const int32_t* const bases = lookup.base;
  const auto bytes = static_cast<size_t>(lookup.block);
  lookup.alike = std::min<int64_t>(whole, 1);
  lookup.step = whole > 1 ? bases[1] - bases[0] : 0;
  while (lookup.alike < whole && bases[lookup.alike] - bases[lookup.alike - 1] == lookup.step &&
         std::memcmp(lookup.index + lookup.alike * lookup.block, lookup.index, bytes) == 0)
    ++lookup.alike;
}

// The windows of every block, once their number is known. bases: on entry the first byte that each block takes.
template <class T, int kParts>
void store_indices(const Line& line, int64_t per_block, WindowRange range, int32_t* bases, uint8_t* indices) {
  const Lookup& lookup = line.lookup;
  const int64_t window = lookup.windows * lookup.block;
  const int64_t last = std::max<int64_t>(line.count - per_block, 0);
  for (int64_t b = 0; b * per_block < line.count; ++b) {
    const int32_t* const offset = line.offset + std::min(b * per_block, last);
    const int64_t base = lookup.staged > 0 ? range.lo : std::min<int64_t>(bases[b], range.hi - window);
    bases[b] = static_cast<int32_t>(lookup.staged > 0 ? 0 : base);
    uint8_t* index = indices + b * lookup.block;
    const int64_t count = std::min(per_block, line.count);
    for (int64_t k = 0; k < count; ++k)
      for (int part = 0; part < kParts; ++part, index += sizeof(T))
        store_index<T>(index, static_cast<uint8_t>(offset[k] - base + part * static_cast<int64_t>(sizeof(T))));
    std::fill(index, indices + (b + 1) * lookup.block, uint8_t{0});
  }
}

}  // namespace

// Finds the windows of each block; false where one would take more than four.
bool make_lookup(Scratch& scratch, Line& line) {
  Lookup& lookup = line.lookup;
  const LookupLoops& loops = lookup_loops();
  lookup.block = loops.block;
  lookup.rows = loops.rows;
  if (lookup.block == 0) return false;
  const int64_t per_block = lookup.block / line.width;
  const int64_t blocks = (line.count + per_block - 1) / per_block;
  auto* bases = scratch.take<int32_t>(blocks);
  const WindowRange range = find_range(line, per_block, blocks, bases);
  if (range.span > 4 * lookup.block) return false;
  lookup.windows = range.span <= lookup.block ? 1 : range.span <= 2 * lookup.block ? 2 : 4;
  if (range.hi - range.lo < lookup.windows * lookup.block) {
    lookup.staged = range.hi - range.lo;
    lookup.stage_lo = range.lo;
  }
  auto* indices = scratch.take<uint8_t>(blocks * lookup.block);
  lookup.base = bases;
  lookup.index = indices;
  switch (line.width) {
    case 1: store_indices<uint8_t, 1>(line, per_block, range, bases, indices); break;
    case 2: store_indices<uint16_t, 1>(line, per_block, range, bases, indices); break;
    case 4: store_indices<uint32_t, 1>(line, per_block, range, bases, indices); break;
    case 8: store_indices<uint64_t, 1>(line, per_block, range, bases, indices); break;
    default: store_indices<uint64_t, 2>(line, per_block, range, bases, indices); break;
  }
  find_alike(lookup, line.count / per_block);
  return true;
}

Line make_table_line(Scratch& scratch, std::span<const int32_t> offsets, int64_t width) {
  Line line = {.kind = Line::Kind::kLookup};
  line.count = static_cast<int64_t>(offsets.size());
  line.bytes = line.count * width;
  line.width = width;
  line.offset = offsets.data();
  if (!make_lookup(scratch, line)) line.kind = Line::Kind::kGather;
  return line;
}

}  // namespace tesela::cpu::moves
