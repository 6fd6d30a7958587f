// SPDX-License-Identifier: Apache-2.0
#include "digests/memory.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "types/packed.h"
#include "types/tensor.h"

namespace tesela::digests {
namespace {

// Bytes before and after the elements, which runs must not touch.
constexpr size_t kAround = 128;
constexpr std::byte kUnset{0xa5};

int64_t product_of(const std::vector<int64_t>& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

// Axes from the innermost in memory outwards.
std::vector<size_t> memory_order(size_t rank, Layout layout, Random& random) {
  std::vector<size_t> order;
  for (size_t d = rank; d-- > 0;) order.push_back(d);
  if (layout == Layout::kTransposed) random.shuffle(order);
  return order;
}

// Bytes between the rows of a layout.
int64_t gap_of(Layout layout, int64_t element, bool text, Random& random) {
  if (layout == Layout::kPadded || layout == Layout::kTransposed) return random.pick(0, 2) * element;
  if (layout == Layout::kUnaligned && !text) return random.pick(0, 3);
  return 0;
}

}  // namespace

Memory::Memory(DataType type, std::vector<int64_t> extents, Layout layout, int alignment, int64_t bit_offset,
               uint64_t seed)
    : type_(type), extents_(std::move(extents)), dense_(layout == Layout::kDense || is_packed(type)) {
  Random random(seed);
  const bool text = type == DataType::kString;
  element_bytes_ = is_packed(type) ? 1 : static_cast<size_t>(element_bits(type)) / 8;
  int64_t begin = 0;
  int64_t bytes = 0;
  if (is_packed(type)) {
    bit_offset_ = bit_offset * element_bits(type) % 8;
    bytes = (product_of(extents_) * element_bits(type) + bit_offset_ + 7) / 8;
  } else {
    strides_.resize(extents_.size());
    bytes = static_cast<int64_t>(element_bytes_);
    for (const size_t d : memory_order(extents_.size(), layout, random)) {
      bytes += gap_of(layout, static_cast<int64_t>(element_bytes_), text, random);
      strides_[d] = bytes;
      const bool backwards = layout == Layout::kReversed && random.one_in(2);
      const bool repeats = layout == Layout::kRepeated && random.one_in(2);
      if (repeats) {
        strides_[d] = 0;
        continue;
      }
      bytes *= extents_[d];
      if (!backwards || extents_[d] == 0) continue;
      begin += strides_[d] * (extents_[d] - 1);
      strides_[d] = -strides_[d];
    }
  }
  bytes_.assign(static_cast<size_t>(bytes) + 2 * kAround + 128, kUnset);
  const size_t misalignment = static_cast<size_t>(text ? alignment / 8 * 8 : alignment);
  const uintptr_t first = reinterpret_cast<uintptr_t>(bytes_.data()) + kAround;
  data_ = bytes_.data() + kAround + (64 - first % 64) % 64 + misalignment + begin;
}

template <class F>
void Memory::for_each(F&& f) const {
  std::vector<int64_t> index(extents_.size(), 0);
  for (int64_t left = product_of(extents_); left > 0; --left) {
    f(index);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < extents_[d]) break;
      index[d] = 0;
    }
  }
}

int64_t Memory::offset_of(const std::vector<int64_t>& index) const {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * strides_[d];
  return offset;
}

int64_t Memory::position_of(const std::vector<int64_t>& index) const {
  int64_t position = 0;
  for (size_t d = 0; d < index.size(); ++d) position = position * extents_[d] + index[d];
  return position;
}

void Memory::get(const std::vector<int64_t>& index, std::byte* element) const {
  const int bits = element_bits(type_);
  if (is_packed(type_))
    *element = std::byte{get_packed(data_, bit_offset_ + position_of(index) * bits, bits)};
  else
    std::memcpy(element, data_ + offset_of(index), element_bytes_);
}

void Memory::set(const std::vector<int64_t>& index, const std::byte* element) {
  const int bits = element_bits(type_);
  if (is_packed(type_))
    set_packed(data_, bit_offset_ + position_of(index) * bits, bits, static_cast<uint8_t>(*element));
  else
    std::memcpy(data_ + offset_of(index), element, element_bytes_);
}

void Memory::fill(const std::vector<std::byte>& elements) {
  const std::byte* from = elements.data();
  for_each([&](const std::vector<int64_t>& index) {
    set(index, from);
    from += element_bytes_;
  });
}

std::vector<std::byte> Memory::elements() const {
  std::vector<std::byte> elements(static_cast<size_t>(product_of(extents_)) * element_bytes_);
  std::byte* to = elements.data();
  for_each([&](const std::vector<int64_t>& index) {
    get(index, to);
    to += element_bytes_;
  });
  return elements;
}

tesela_tensor Memory::view() {
  return {data_,           static_cast<tesela_dtype>(type_),   static_cast<int32_t>(extents_.size()),
          extents_.data(), dense_ ? nullptr : strides_.data(), bit_offset_};
}

tesela_tensor Memory::view_of(const std::vector<int64_t>& lo, const std::vector<int64_t>& extents,
                              std::vector<int64_t>& strides) {
  strides = strides_;
  return {data_ + offset_of(lo),
          static_cast<tesela_dtype>(type_),
          static_cast<int32_t>(extents.size()),
          extents.data(),
          strides.data(),
          0};
}

void Memory::read_box(const Memory& whole, const std::vector<int64_t>& lo) {
  std::byte element[16];
  for_each([&](std::vector<int64_t> index) {
    std::vector<int64_t> there = index;
    for (size_t d = 0; d < lo.size(); ++d) there[d] += lo[d];
    whole.get(there, element);
    set(index, element);
  });
}

void Memory::write_box(Memory& whole, const std::vector<int64_t>& lo) const {
  std::byte element[16];
  for_each([&](std::vector<int64_t> index) {
    get(index, element);
    for (size_t d = 0; d < lo.size(); ++d) index[d] += lo[d];
    whole.set(index, element);
  });
}

}  // namespace tesela::digests
