// SPDX-License-Identifier: Apache-2.0
// Draws layouts and elements.
#include "fuzz/tensor_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "types/elements.h"

namespace tesela::testing {
namespace {

uint64_t next(uint64_t& state) {  // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Extents draw_strides(Input& input, int64_t element_bytes, const Extents& extents, bool may_overlap) {
  std::vector<size_t> order(extents.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (input.chance(50) && !order.empty())
    std::swap(order.back(), order[static_cast<size_t>(input.pick(0, std::ssize(order) - 1))]);
  Extents strides(extents.size(), 0);
  int64_t stride = element_bytes;
  for (size_t k = order.size(); k-- > 0;) {
    if (input.chance(25)) stride += input.pick(1, 40);
    strides[order[k]] = input.chance(16) ? -stride : stride;
    if (may_overlap && input.chance(12)) strides[order[k]] = input.chance(50) ? 0 : strides[order[k]] / 2;
    stride *= std::max<int64_t>(extents[order[k]], 1);
  }
  return strides;
}

constexpr size_t kTable = 64;  // elements

struct ElementTable {
  std::array<std::array<std::byte, 16>, kTable> elements = {};
};

const ElementTable& table(DataType type, bool with_specials) {
  static std::map<std::pair<DataType, bool>, ElementTable> tables;
  const auto [found, is_new] = tables.try_emplace({type, with_specials});
  if (!is_new) return found->second;
  constexpr double kSpecials[] = {0.0, -0.0, 1e-42, -1e-310, 1e30, INFINITY, -INFINITY, NAN};
  static constexpr const char* kWords[] = {"", "a", "tesela", "\xe5\xb9\xb3", "a longer word than the others"};
  uint64_t state = 7;
  for (size_t k = 0; k < kTable; ++k) {
    std::byte* const element = found->second.elements[k].data();
    double value = static_cast<double>(next(state) % 60'000'000) / 1e5 - 300;
    if (with_specials && k % 8 == 0) value = kSpecials[k / 8];
    if (type == DataType::kString) {
      const StringRef word = {kWords[k % std::size(kWords)], std::strlen(kWords[k % std::size(kWords)])};
      std::memcpy(element, &word, sizeof word);
    } else {
      element_from_double(type, value, element);
      if (traits(type).kind == DataKind::kComplex)
        std::memcpy(element + element_bits(type) / 16, element, static_cast<size_t>(element_bits(type) / 16));
    }
  }
  return found->second;
}

}  // namespace

TensorLayout draw_layout(Input& input, DataType type, const Extents& extents, bool may_overlap) {
  TensorLayout layout;
  const int64_t bits = element_bits(type);
  const int64_t count = product(extents);
  if (input.chance(40)) layout.shift = input.pick(0, 63);
  layout.at_end = !input.chance(25);
  layout.bytes = (count * bits + 7) / 8;
  if (is_packed(type)) {
    layout.bit_offset = input.pick(0, 3) * bits;
    layout.bytes = count == 0 ? 0 : (count * bits + layout.bit_offset + 7) / 8;
    return layout;
  }
  if (!input.chance(40) || count == 0) return layout;
  const Extents strides = draw_strides(input, bits / 8, extents, may_overlap);
  int64_t before = 0;
  int64_t after = bits / 8;
  for (size_t d = 0; d < extents.size(); ++d)
    (strides[d] < 0 ? before : after) += std::abs(strides[d]) * (extents[d] - 1);
  if (before + after + layout.shift > GuardedArena::kBytes / 4) return layout;
  layout.strides = strides;
  layout.before = before;
  layout.bytes = before + after;
  return layout;
}

bool equal_or_nan(DataType type, const std::byte* a, const std::byte* b, int64_t bytes) {
  if (std::memcmp(a, b, static_cast<size_t>(bytes)) == 0) return true;
  const auto step = static_cast<size_t>(element_bits(type) / 8);
  const size_t part = step / static_cast<size_t>(parts_of(type));
  for (int64_t at = 0; at < bytes; at += static_cast<int64_t>(step)) {
    double left[2] = {};
    double right[2] = {};
    element_to_doubles(type, a + at, left);
    element_to_doubles(type, b + at, right);
    for (size_t k = 0; k * part < step; ++k) {
      const auto offset = at + static_cast<int64_t>(k * part);
      if (std::memcmp(a + offset, b + offset, part) != 0 && !(std::isnan(left[k]) && std::isnan(right[k])))
        return false;
    }
  }
  return true;
}

void fill_elements(DataType type, uint64_t seed, std::byte* data, int64_t bytes) {
  uint64_t state = seed;
  const bool is_raw = seed % 4 == 0 && type != DataType::kString;
  if (is_raw || is_packed(type)) {
    for (int64_t at = 0; at < bytes; at += 8) {
      const uint64_t bits = next(state);
      std::memcpy(data + at, &bits, static_cast<size_t>(std::min<int64_t>(8, bytes - at)));
    }
    return;
  }
  const ElementTable& elements = table(type, seed % 4 == 1);
  const auto step = static_cast<size_t>(element_bits(type) / 8);
  uint64_t bits = 0;
  for (int64_t at = 0, k = 0; at < bytes; at += static_cast<int64_t>(step), ++k) {
    if (k % 10 == 0) bits = next(state);
    std::memcpy(data + at, elements.elements[bits % kTable].data(), step);
    bits >>= 6;
  }
}

}  // namespace tesela::testing
