// Moves of 2- and 4-bit elements: as bytes where they fill bytes, else unpacked, moved and packed line by line.
#include <algorithm>
#include <cstring>

#include "backend/cpu/moves.h"
#include "types/packed.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kChunk = 8192;  // elements of a line that are moved at once

// Eight bytes of one element each, from the low bytes of `packed`, and back.
uint64_t spread_elements(uint64_t packed, int bits) {
  if (bits == 4) packed = (packed | packed << 16) & 0x0000ffff0000ffff;
  if (bits == 2) packed = (packed | packed << 24) & 0x000000ff000000ff;
  if (bits == 4) packed = (packed | packed << 8) & 0x00ff00ff00ff00ff;
  if (bits == 2) packed = (packed | packed << 12) & 0x000f000f000f000f;
  return bits == 4 ? (packed | packed << 4) & 0x0f0f0f0f0f0f0f0f : (packed | packed << 6) & 0x0303030303030303;
}

uint64_t join_elements(uint64_t elements, int bits) {
  if (bits == 4) {
    elements = (elements | elements >> 4) & 0x00ff00ff00ff00ff;
    elements = (elements | elements >> 8) & 0x0000ffff0000ffff;
    return elements | elements >> 16;
  }
  elements = (elements | elements >> 6) & 0x000f000f000f000f;
  elements = (elements | elements >> 12) & 0x000000ff000000ff;
  return elements | elements >> 24;
}

// The elements that begin at bit `bit`, a byte each.
void unpack(const std::byte* from, int64_t bit, int bits, uint8_t* to, int64_t count) {
  int64_t k = 0;
  for (; k < count && bit % 8 != 0; ++k, bit += bits) to[k] = get_packed(from, bit, bits);
  for (; k + 8 <= count; k += 8, bit += 8 * bits) {
    uint64_t eight = 0;
    std::memcpy(&eight, from + bit / 8, static_cast<size_t>(bits));
    eight = spread_elements(eight, bits);
    std::memcpy(to + k, &eight, 8);
  }
  for (; k < count; ++k, bit += bits) to[k] = get_packed(from, bit, bits);
}

// Bits outside [bit, bit + count * bits) stay as they are.
void pack(const uint8_t* from, std::byte* to, int64_t bit, int bits, int64_t count) {
  int64_t k = 0;
  for (; k < count && bit % 8 != 0; ++k, bit += bits) set_packed(to, bit, bits, from[k]);
  for (; k + 8 <= count; k += 8, bit += 8 * bits) {
    uint64_t eight = 0;
    std::memcpy(&eight, from + k, 8);
    eight = join_elements(eight, bits);
    std::memcpy(to + bit / 8, &eight, static_cast<size_t>(bits));
  }
  for (; k < count; ++k, bit += bits) set_packed(to, bit, bits, from[k]);
}

Element byte_of(const Element& element, int bits) {
  unsigned value = static_cast<unsigned>(element[0]) & ((1u << bits) - 1);
  for (int width = bits; width < 8; width *= 2) value |= value << width;
  return {static_cast<std::byte>(value)};
}

void fill_packed(Task& task, const MutableTensorView& output, const Element& element, int bits) {
  const auto value = static_cast<uint8_t>(element[0]);
  int64_t bit = output.bit_offset;
  const int64_t end = bit + product(output.extents) * bits;
  for (; bit < end && bit % 8 != 0; bit += bits) set_packed(output.data, bit, bits, value);
  const int64_t bytes = (end - bit) / 8;
  if (bytes > 0) fill_bytes(task, output.data + bit / 8, bytes, byte_of(element, bits), 1);
  for (bit += bytes * 8; bit < end; bit += bits) set_packed(output.data, bit, bits, value);
}

bool fills_bytes(const Source& source, int64_t in_extent, int bits) {
  if (source.index != nullptr) return false;
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

int64_t input_of(const Source& source, int64_t i) {
  if (source.index != nullptr) return source.index[i];
  return source.tiles ? (source.lo + i) % source.in : source.lo + i;
}

// One chunk of the innermost axis, in every row.
class ChunkMover {
 public:
  ChunkMover(const Sources& sources, const BoxRun& run, uint8_t outside, int bits, int64_t begin, int64_t count);
  void run();

 private:
  void move_row(int64_t from, int64_t to);

  const Sources& sources_;
  const BoxRun& run_;
  uint8_t outside_;
  int bits_;
  int64_t begin_;  // of the chunk, in outputs of the innermost axis
  int64_t count_;
  int64_t first_ = 0;  // inputs of the innermost axis that it takes
  int64_t inputs_ = 0;
  int64_t row_ = -1;   // the bit of the input where the line that is ready begins
  Arena arena_;
  Line line_;
  uint8_t* elements_ = nullptr;  // of the input, and behind them the value for outputs that take none
  uint8_t* moved_ = nullptr;
};

ChunkMover::ChunkMover(const Sources& sources, const BoxRun& run, uint8_t outside, int bits, int64_t begin,
                       int64_t count)
    : sources_(sources), run_(run), outside_(outside), bits_(bits), begin_(begin), count_(count) {
  const Source& last = sources.back();
  int64_t end = 0;
  first_ = INT64_MAX;
  for (int64_t i = begin; i < begin + count; ++i) {
    const int64_t input = input_of(last, i);
    if (input < 0) continue;
    first_ = std::min(first_, input);
    end = std::max(end, input + 1);
  }
  inputs_ = std::max<int64_t>(end - first_, 0);
  auto* offset = arena_.take<int32_t>(count);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t input = input_of(last, begin + i);
    offset[i] = static_cast<int32_t>(input < 0 ? inputs_ : input - first_);
  }
  line_ = make_table_line(arena_, {offset, static_cast<size_t>(count)}, 1);
  elements_ = arena_.take<uint8_t>(inputs_ + 1);
  elements_[inputs_] = outside;
  moved_ = arena_.take<uint8_t>(count);
}

void ChunkMover::move_row(int64_t from, int64_t to) {
  constexpr int64_t kOutside = -2;
  if (from < 0) {
    if (row_ != kOutside) std::memset(moved_, outside_, static_cast<size_t>(count_));
    row_ = kOutside;
  } else if (from != row_) {
    if (inputs_ > 0) unpack(run_.input.data, from + (first_ - sources_.back().in_lo) * bits_, bits_, elements_, inputs_);
    Rows rows;
    rows.src = reinterpret_cast<const std::byte*>(elements_);
    rows.dst = reinterpret_cast<std::byte*>(moved_);
    if (line_.kind == Line::Kind::kLookup)
      lookup_kernels().rows(rows, line_);
    else
      gather_rows(rows, line_);
    row_ = from;
  }
  pack(moved_, run_.output.data, to + begin_ * bits_, bits_, count_);
}

void ChunkMover::run() {
  const size_t outer = sources_.size() - 1;
  Extents index(outer, 0);
  while (true) {
    int64_t from = run_.input.bit_offset;
    int64_t to = run_.output.bit_offset;
    for (size_t d = 0; d < outer; ++d) {
      const Source& source = sources_[d];
      const int64_t input = input_of(source, index[d]);
      to += index[d] * source.to;
      from = input < 0 || from < 0 ? -1 : from + (input - source.in_lo) * source.from;
    }
    move_row(from, to);
    size_t d = outer;
    while (d > 0 && ++index[d - 1] == sources_[d - 1].n) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace

void move_packed(Task& task, const Plan& plan, const BoxRun& run, const Element& outside) {
  const int bits = element_bits(plan.type);
  if (!plan.has_input()) return fill_packed(task, run.output, outside, bits);
  Sources sources = make_sources(task, plan, run, bits);
  if (move_as_bytes(task, sources, run, outside, bits)) return;
  task.use(Kernel::move_packed);
  if (sources.empty()) sources.push_back({.n = 1, .in = 1, .to = bits, .from = bits});
  const auto value = static_cast<uint8_t>(outside[0]);
  const int64_t n = sources.back().n;
  for (int64_t begin = 0; begin < n; begin += kChunk)
    ChunkMover(sources, run, value, bits, begin, std::min(kChunk, n - begin)).run();
}

}  // namespace tesela::cpu::moves
