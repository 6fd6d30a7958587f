// SPDX-License-Identifier: Apache-2.0
// Copies: every output element has the bits of one input element, or of one value.
#include <cstring>
#include <numeric>
#include <vector>

#include "backend/reference/reference.h"
#include "plan/axis_table.h"
#include "types/elements.h"
#include "types/packed.h"

namespace tesela::reference {
namespace {

constexpr int64_t kOutside = -1;  // an output with the plan's value instead of an input

// Strides in bits work for whole bytes and packed elements.
std::vector<int64_t> bit_strides(DataType type, const Extents& extents, const Extents& strides_bytes) {
  std::vector<int64_t> strides(extents.size());
  int64_t dense = element_bits(type);
  for (size_t d = extents.size(); d-- > 0;) {
    strides[d] = strides_bytes.empty() ? dense : strides_bytes[d] * 8;
    if (extents[d] > 0) dense *= extents[d];
  }
  return strides;
}

void copy_element(const std::byte* from, int64_t from_bit, std::byte* to, int64_t to_bit, int bits) {
  if (bits < 8)
    set_packed(to, to_bit, bits, get_packed(from, from_bit, bits));
  else
    std::memcpy(to + to_bit / 8, from + from_bit / 8, static_cast<size_t>(bits / 8));
}

// For each axis and each of its outputs in the box, the input index.
std::vector<std::vector<int64_t>> source_indices(const Plan& plan, const BoxRun& run) {
  std::vector<std::vector<int64_t>> sources(plan.out.size());
  const auto* tile = std::get_if<TilePlan>(&plan.work);
  for (size_t d = 0; d < plan.out.size(); ++d) {
    sources[d].resize(static_cast<size_t>(run.output.extents[d]));
    std::iota(sources[d].begin(), sources[d].end(), run.output_lo[d]);
    if (tile)
      for (int64_t& i : sources[d]) i %= plan.in[d];
  }
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (const Pass& pass : resize->passes)
      sources[pass.axis] = make_index_table(pass.map, {run.output_lo[pass.axis], run.output.extents[pass.axis]});
  return sources;
}

// The element for outputs without an input.
std::array<std::byte, 16> outside_element(const Plan& plan) {
  std::array<std::byte, 16> element = {};
  if (const auto* fill = std::get_if<FillPlan>(&plan.work)) return fill->value;
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    element_from_double(plan.type, static_cast<double>(resize->extrapolation_value), element.data());
  return element;
}

}  // namespace

void move_box(const Plan& plan, const BoxRun& run) {
  const Extents& n = run.output.extents;
  const int bits = element_bits(plan.type);
  const bool fills = !plan.has_input();
  const auto value = outside_element(plan);
  const auto sources = fills ? std::vector<std::vector<int64_t>>() : source_indices(plan, run);
  const auto from_strides = bit_strides(plan.type, run.input.extents, run.input.strides_bytes);
  const auto to_strides = bit_strides(plan.type, n, run.output.strides_bytes);

  Extents index(n.size(), 0);
  for (int64_t count = product(n); count > 0; --count) {
    bool outside = fills;
    int64_t from = run.input.bit_offset;
    int64_t to = run.output.bit_offset;
    for (size_t d = 0; d < n.size(); ++d) {
      to += index[d] * to_strides[d];
      if (fills) continue;
      const int64_t source = sources[d][static_cast<size_t>(index[d])];
      outside = outside || source == kOutside;
      from += (source - run.input_lo[d]) * from_strides[d];
    }
    if (outside)
      copy_element(value.data(), 0, run.output.data, to, bits);
    else
      copy_element(run.input.data, from, run.output.data, to, bits);
    for (size_t d = n.size(); d-- > 0;) {
      if (++index[d] < n[d]) break;
      index[d] = 0;
    }
  }
}

}  // namespace tesela::reference
