// Moves of 2- and 4-bit elements: as bytes where they fill bytes, else unpacked, moved and packed line by line.
#include "backend/cpu/move/packed.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/kernels.h"
#include "backend/cpu/move/boxes.h"
#include "backend/cpu/move/copies.h"
#include "backend/cpu/move/element_loops.h"
#include "backend/cpu/move/lookup.h"
#include "backend/cpu/move/nearest_index.h"
#include "types/packed.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kChunk = 8192;  // elements of a line that are moved at once

// Eight bytes of one element each, from the low bytes of `packed`, and back.
template <int kBits>
uint64_t spread_elements(uint64_t packed) {
  if constexpr (kBits == 4) {
    packed = (packed | packed << 16) & 0x0000ffff0000ffff;
    packed = (packed | packed << 8) & 0x00ff00ff00ff00ff;
    return (packed | packed << 4) & 0x0f0f0f0f0f0f0f0f;
  }
  packed = (packed | packed << 24) & 0x000000ff000000ff;
  packed = (packed | packed << 12) & 0x000f000f000f000f;
  return (packed | packed << 6) & 0x0303030303030303;
}

template <int kBits>
uint64_t join_elements(uint64_t elements) {
  if constexpr (kBits == 4) {
    elements = (elements | elements >> 4) & 0x00ff00ff00ff00ff;
    elements = (elements | elements >> 8) & 0x0000ffff0000ffff;
    return elements | elements >> 16;
  }
  elements = (elements | elements >> 6) & 0x000f000f000f000f;
  elements = (elements | elements >> 12) & 0x000000ff000000ff;
  return elements | elements >> 24;
}

// The elements that begin at bit `bit`, a byte each.
template <int kBits>
void unpack(const std::byte* from, int64_t bit, uint8_t* to, int64_t count) {
  int64_t k = 0;
  for (; k < count && bit % 8 != 0; ++k, bit += kBits) to[k] = get_packed(from, bit, kBits);
  for (; k + 8 <= count; k += 8, bit += 8 * kBits) {
    uint64_t eight = 0;
    std::memcpy(&eight, from + bit / 8, kBits);
    eight = spread_elements<kBits>(eight);
    std::memcpy(to + k, &eight, 8);
  }
  for (; k < count; ++k, bit += kBits) to[k] = get_packed(from, bit, kBits);
}

// Bits outside those of the elements stay as they are.
template <int kBits>
void pack(const uint8_t* from, std::byte* to, int64_t bit, int64_t count) {
  int64_t k = 0;
  for (; k < count && bit % 8 != 0; ++k, bit += kBits) set_packed(to, bit, kBits, from[k]);
  for (; k + 8 <= count; k += 8, bit += 8 * kBits) {
    uint64_t eight = 0;
    std::memcpy(&eight, from + k, 8);
    eight = join_elements<kBits>(eight);
    std::memcpy(to + bit / 8, &eight, kBits);
  }
  for (; k < count; ++k, bit += kBits) set_packed(to, bit, kBits, from[k]);
}

Element byte_of(const Element& element, int bits) {
  unsigned value = static_cast<unsigned>(element[0]) & ((1u << bits) - 1);
  for (int width = bits; width < 8; width *= 2) value |= value << width;
  return {static_cast<std::byte>(value)};
}

void fill_packed(bool stream, const MutableTensorView& output, const Element& element, int bits) {
  const auto value = static_cast<uint8_t>(element[0]);
  int64_t bit = output.bit_offset;
  const int64_t end = bit + product(output.extents) * bits;
  for (; bit < end && bit % 8 != 0; bit += bits) set_packed(output.data, bit, bits, value);
  const int64_t bytes = (end - bit) / 8;
  if (bytes > 0) fill_bytes(stream, output.data + bit / 8, bytes, byte_of(element, bits), 1);
  for (bit += bytes * 8; bit < end; bit += bits) set_packed(output.data, bit, bits, value);
}

bool fills_bytes(const Source& source, int64_t in_extent, int bits) {
  if (source.table != nullptr) return false;
  const int64_t each = 8 / bits;
  return source.n % each == 0 && source.lo % each == 0 && source.in_lo % each == 0 && in_extent % each == 0 &&
         (!source.tiles || source.in % each == 0);
}

// True where the innermost axis holds whole bytes everywhere and could be moved as such.
bool move_as_bytes(Task& task, Sources sources, const BoxRun& run, const Element& outside, int bits) {
  if (sources.empty() || run.input.bit_offset % 8 != 0 || run.output.bit_offset % 8 != 0) return false;
  Source& last = sources.back();
  if (!fills_bytes(last, run.input.extents[sources.size() - 1], bits)) return false;
  for (int64_t* elements : {&last.n, &last.lo, &last.in_lo, &last.in}) *elements /= 8 / bits;
  last.to = last.from = 8;
  for (Source& source : sources) {
    source.to /= 8;
    source.from /= 8;
  }
  BoxMover(task, sources, 1, byte_of(outside, bits))
      .run(run.input.data + run.input.bit_offset / 8, run.output.data + run.output.bit_offset / 8);
  return true;
}

constexpr int64_t kNowhere = INT64_MIN;  // the place of an extrapolated output's input

// Bits from the begin of the input box, or kNowhere.
int64_t offset_of(const Source& source, int64_t i) {
  if (source.table != nullptr)
    return source.table[i] == kOutside ? kNowhere : (source.table[i] - source.in_lo) * source.from;
  return ((source.tiles ? (source.lo + i) % source.in : source.lo + i) - source.in_lo) * source.from;
}

// One chunk of the innermost axis, in every row.
template <int kBits>
class ChunkMover {
 public:
  ChunkMover(const Sources& sources, const BoxRun& run, uint8_t outside, int64_t begin, int64_t count);
  void run();

 private:
  void make_line(int64_t from);

  const Sources& sources_;
  const BoxRun& run_;
  const uint8_t outside_;
  const int64_t begin_;  // of the chunk, in outputs of the innermost axis
  const int64_t count_;
  int64_t first_ = 0;  // bits from a row's begin to the inputs that the chunk takes
  int64_t inputs_ = 0;
  int64_t made_ = -1;  // the bit of the input where the row of the line that is ready begins, or kNowhere
  Scratch scratch_;
  Line line_;
  uint8_t* elements_ = nullptr;  // of the input, and behind them the value for outputs that take none
  uint8_t* moved_ = nullptr;
};

template <int kBits>
ChunkMover<kBits>::ChunkMover(const Sources& sources, const BoxRun& run, uint8_t outside, int64_t begin, int64_t count)
    : sources_(sources), run_(run), outside_(outside), begin_(begin), count_(count) {
  auto* bit = scratch_.take<int64_t>(count);
  int64_t end = INT64_MIN;
  first_ = INT64_MAX;
  for (int64_t i = 0; i < count; ++i) {
    bit[i] = offset_of(sources.back(), begin + i);
    if (bit[i] == kNowhere) continue;
    first_ = std::min(first_, bit[i]);
    end = std::max(end, bit[i] + kBits);
  }
  inputs_ = end > first_ ? (end - first_) / kBits : 0;
  auto* offset = scratch_.take<int32_t>(count);
  for (int64_t i = 0; i < count; ++i)
    offset[i] = static_cast<int32_t>(bit[i] == kNowhere ? inputs_ : (bit[i] - first_) / kBits);
  line_ = make_table_line(scratch_, {offset, static_cast<size_t>(count)}, 1);
  elements_ = scratch_.take<uint8_t>(inputs_ + 1);
  elements_[inputs_] = outside;
  moved_ = scratch_.take<uint8_t>(count);
}

template <int kBits>
void ChunkMover<kBits>::make_line(int64_t from) {
  made_ = from;
  if (from == kNowhere) {
    std::memset(moved_, outside_, static_cast<size_t>(count_));
    return;
  }
  if (inputs_ > 0) unpack<kBits>(run_.input.data, from + first_, elements_, inputs_);
  Rows rows;
  rows.src = reinterpret_cast<const std::byte*>(elements_);
  rows.dst = reinterpret_cast<std::byte*>(moved_);
  if (line_.kind == Line::Kind::kLookup)
    line_.lookup.rows(rows, line_);
  else
    gather_rows(rows, line_);
}

template <int kBits>
void ChunkMover<kBits>::run() {
  const size_t outer = sources_.size() - 1;
  Extents index(outer, 0);
  while (true) {
    int64_t from = run_.input.bit_offset;
    int64_t to = run_.output.bit_offset + begin_ * kBits;
    for (size_t d = 0; d < outer; ++d) {
      const int64_t offset = offset_of(sources_[d], index[d]);
      to += index[d] * sources_[d].to;
      from = offset == kNowhere || from == kNowhere ? kNowhere : from + offset;
    }
    if (from != made_) make_line(from);
    pack<kBits>(moved_, run_.output.data, to, count_);
    size_t d = outer;
    while (d > 0 && ++index[d - 1] == sources_[d - 1].n) index[--d] = 0;
    if (d == 0) return;
  }
}

template <int kBits>
void move_chunks(const Sources& sources, const BoxRun& run, uint8_t outside) {
  const int64_t n = sources.back().n;
  for (int64_t begin = 0; begin < n; begin += kChunk)
    ChunkMover<kBits>(sources, run, outside, begin, std::min(kChunk, n - begin)).run();
}

}  // namespace

void move_packed(bool stream, const Plan& plan, const MoveProgram& program, const BoxRun& run, const Element& outside) {
  const int bits = element_bits(plan.type);
  if (!plan.has_input()) return fill_packed(stream, run.output, outside, bits);
  Scratch scratch;
  Task task = {stream, scratch};
  Sources sources = make_sources(plan, program, scratch, run, bits);
  if (move_as_bytes(task, sources, run, outside, bits)) return;
  count_task(Kernel::move_packed);
  if (sources.empty()) sources.push_back({.n = 1, .in = 1, .to = bits, .from = bits});
  const auto value = static_cast<uint8_t>(outside[0]);
  if (bits == 4)
    move_chunks<4>(sources, run, value);
  else
    move_chunks<2>(sources, run, value);
}

}  // namespace tesela::cpu::moves
