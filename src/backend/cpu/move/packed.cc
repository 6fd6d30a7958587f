// SPDX-License-Identifier: Apache-2.0
// Moves of 2- and 4-bit elements: as bytes if they fill bytes, else unpacked, moved and packed row by row.
#include "backend/cpu/move/packed.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/kernels.h"
#include "backend/cpu/move/layout/box.h"
#include "backend/cpu/move/layout/lookup.h"
#include "backend/cpu/move/layout/nearest_index.h"
#include "backend/cpu/move/loops/run_nest.h"
#include "backend/cpu/move/loops/store_rows.h"
#include "types/packed.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kChunk = 8192;  // elements of a row to move at once

// Unpacks the low bytes of `packed` to eight bytes of one element each; the function after it packs them.
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

// Unpacks the elements that begin at bit `bit` to bytes.
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

// Keeps the bits outside of the elements.
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

void fill_packed(const MutableTensorView& output, const Element& element, int bits, bool stream) {
  const auto value = static_cast<uint8_t>(element[0]);
  int64_t bit = output.bit_offset;
  const int64_t end = bit + product(output.extents) * bits;
  for (; bit < end && bit % 8 != 0; bit += bits) set_packed(output.data, bit, bits, value);
  const int64_t bytes = (end - bit) / 8;
  if (bytes > 0) fill_bytes(output.data + bit / 8, bytes, byte_of(element, bits).data(), 1, stream);
  for (bit += bytes * 8; bit < end; bit += bits) set_packed(output.data, bit, bits, value);
}

// Whether the innermost axis always has whole bytes.
bool fills_bytes(const BoxAxes& box, const BoxRun& run, int bits) {
  if (box.empty() || box.back().table != nullptr) return false;
  const BoxAxis& axis = box.back();
  int64_t elements = axis.n | axis.lo | axis.in_lo | run.input.extents[box.size() - 1];
  if (axis.tiles) elements |= axis.in;
  return elements % (8 / bits) == 0 && (run.input.bit_offset | run.output.bit_offset) % 8 == 0;
}

void move_as_bytes(BoxAxes box, const BoxRun& run, const Element& outside, int bits, bool stream) {
  for (BoxAxis& axis : box) {
    axis.to /= 8;
    axis.from /= 8;
  }
  BoxAxis& last = box.back();
  for (int64_t* elements : {&last.n, &last.lo, &last.in_lo, &last.in}) *elements /= 8 / bits;
  last.to = last.from = 1;
  std::byte* const dst = run.output.data + run.output.bit_offset / 8;
  const Element value = byte_of(outside, bits);
  NestRunner runner(run.input.data + run.input.bit_offset / 8, dst, value);
  Scratch scratch;
  Layout layout = {scratch, runner, 1, stream, reinterpret_cast<uintptr_t>(dst)};
  lay_out_box(layout, box, true);
}

constexpr int64_t kNowhere = INT64_MIN;  // the place of an extrapolated output's input

// The offset in bits in the input box, or kNowhere.
int64_t offset_of(const BoxAxis& axis, int64_t i) {
  if (axis.table != nullptr) return axis.table[i] == kOutside ? kNowhere : (axis.table[i] - axis.in_lo) * axis.from;
  return ((axis.tiles ? (axis.lo + i) % axis.in : axis.lo + i) - axis.in_lo) * axis.from;
}

// Moves one chunk of the innermost axis in every row.
template <int kBits>
class ChunkMover {
 public:
  ChunkMover(const BoxAxes& box, const BoxRun& run, uint8_t outside, int64_t begin, int64_t count);

  // Loops over axis d and inner ones. from, to: offsets in bits; from may be kNowhere.
  void descend(size_t d, int64_t from, int64_t to) {
    if (d + 1 == box_.size()) return move_row(from, to + begin_ * kBits);
    for (int64_t i = 0; i < box_[d].n; ++i) {
      const int64_t offset = offset_of(box_[d], i);
      descend(d + 1, offset == kNowhere || from == kNowhere ? kNowhere : from + offset, to + i * box_[d].to);
    }
  }

 private:
  void move_row(int64_t from, int64_t to);

  const BoxAxes& box_;
  const BoxRun& run_;
  const uint8_t outside_;
  const int64_t begin_;  // of the chunk, as an output index of the innermost axis
  const int64_t count_;
  int64_t first_ = INT64_MAX;  // offset in bits from a row's beginning to the chunk's inputs
  int64_t inputs_ = 0;
  int64_t made_ = -1;  // the input bit at which the row in moved_ begins, or kNowhere
  Scratch scratch_;
  Row row_;
  uint8_t* elements_ = nullptr;  // of the input, followed by the value for outputs without an input
  uint8_t* moved_ = nullptr;
};

template <int kBits>
ChunkMover<kBits>::ChunkMover(const BoxAxes& box, const BoxRun& run, uint8_t outside, int64_t begin, int64_t count)
    : box_(box), run_(run), outside_(outside), begin_(begin), count_(count) {
  auto* bit = scratch_.take<int64_t>(count);
  int64_t end = INT64_MIN;
  for (int64_t i = 0; i < count; ++i) {
    bit[i] = offset_of(box.back(), begin + i);
    if (bit[i] == kNowhere) continue;
    first_ = std::min(first_, bit[i]);
    end = std::max(end, bit[i] + kBits);
  }
  inputs_ = end > first_ ? (end - first_) / kBits : 0;
  auto* offset = scratch_.take<int32_t>(count);
  for (int64_t i = 0; i < count; ++i)
    offset[i] = static_cast<int32_t>(bit[i] == kNowhere ? inputs_ : (bit[i] - first_) / kBits);
  row_ = make_element_row(scratch_, {offset, static_cast<size_t>(count)}, 1);
  elements_ = scratch_.take<uint8_t>(inputs_ + 1);
  elements_[inputs_] = outside;
  moved_ = scratch_.take<uint8_t>(count);
}

template <int kBits>
void ChunkMover<kBits>::move_row(int64_t from, int64_t to) {
  if (from == kNowhere) {
    std::memset(moved_, outside_, static_cast<size_t>(count_));
  } else if (from != made_) {
    if (inputs_ > 0) unpack<kBits>(run_.input.data, from + first_, elements_, inputs_);
    row_.make({{}, reinterpret_cast<const std::byte*>(elements_), reinterpret_cast<std::byte*>(moved_)}, row_);
  }
  made_ = from;
  pack<kBits>(moved_, run_.output.data, to, count_);
}

template <int kBits>
void move_chunks(const BoxAxes& box, const BoxRun& run, uint8_t outside) {
  const int64_t n = box.back().n;
  for (int64_t begin = 0; begin < n; begin += kChunk)
    ChunkMover<kBits>(box, run, outside, begin, std::min(kChunk, n - begin))
        .descend(0, run.input.bit_offset, run.output.bit_offset);
}

}  // namespace

void move_packed(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  const int bits = element_bits(plan.type);
  if (!plan.has_input()) return fill_packed(run.output, program.outside, bits, stream);
  Scratch scratch;
  BoxAxes box = make_box_axes(plan, program, scratch, run, bits);
  if (fills_bytes(box, run, bits)) return move_as_bytes(std::move(box), run, program.outside, bits, stream);
  count_task(Kernel::move_packed);
  if (box.empty()) box.push_back({.n = 1, .in = 1, .to = bits, .from = bits});
  const auto value = static_cast<uint8_t>(program.outside[0]);
  if (bits == 4)
    move_chunks<4>(box, run, value);
  else
    move_chunks<2>(box, run, value);
}

}  // namespace tesela::cpu::moves
