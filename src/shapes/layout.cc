// SPDX-License-Identifier: Apache-2.0
// Operators that rearrange elements: axes of 1, transposition, blocks, padding.
#include <algorithm>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

// Sets the shape, and the elements if the node keeps their number and order.
void set_moved(const RuleNode& node, const Dims& dims, KnownValue& out) {
  out.dims = dims;
  std::optional<Entries> entries = entries_of(node.input(0));
  if (entries && count_of(dims) == static_cast<int64_t>(entries->size()))
    set_entries(out, out.type, dims, std::move(*entries));
}

// ---- Axes of extent 1

void unsqueeze_at(const RuleNode& node, const std::optional<Extents>& axes, KnownValue& out) {
  out.type = node.input(0).type;
  if (!axes || !node.input(0).dims) return;
  const size_t rank = node.input(0).dims->size() + axes->size();
  const auto added = normal_axes(*axes, rank);
  if (!added) return;
  Dims dims;
  size_t from = 0;
  for (size_t d = 0; d < rank; ++d) {
    const bool is_new = std::find(added->begin(), added->end(), d) != added->end();
    dims.push_back(is_new ? Dim{1, ""} : (*node.input(0).dims)[from]);
    from += is_new ? 0 : 1;
  }
  set_moved(node, dims, out);
}

void squeeze_at(const RuleNode& node, const std::optional<Extents>& axes, KnownValue& out) {
  out.type = node.input(0).type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  const bool all_known = std::all_of(from.begin(), from.end(), [](const Dim& dim) { return dim.known(); });
  if (!axes && !all_known) return;
  const auto removed = axes ? normal_axes(*axes, from.size()) : std::vector<size_t>();
  if (!removed) return;
  Dims dims;
  for (size_t d = 0; d < from.size(); ++d) {
    const bool is_named = std::find(removed->begin(), removed->end(), d) != removed->end();
    if (axes ? !is_named : from[d].value != 1) dims.push_back(from[d]);
  }
  set_moved(node, dims, out);
}

void unsqueeze_by_attribute(const RuleNode& node, Outputs out) {
  unsqueeze_at(node, node.integers("axes"), out[0]);
}

void unsqueeze(const RuleNode& node, Outputs out) {
  unsqueeze_at(node, node.integers(1), out[0]);
}

void squeeze_by_attribute(const RuleNode& node, Outputs out) {
  squeeze_at(node, node.integers("axes"), out[0]);
}

void squeeze(const RuleNode& node, Outputs out) {
  const std::optional<Extents> axes = node.integers(1);
  out[0].type = node.input(0).type;
  if (axes || !node.has_input(1)) squeeze_at(node, axes, out[0]);
}

// ---- Orders and blocks

void transpose(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  Extents order = first_axes(from.size());
  std::reverse(order.begin(), order.end());
  if (const std::optional<Extents> given = node.integers("perm")) order = *given;
  const auto axes = normal_axes(order, from.size());
  if (!axes || axes->size() != from.size()) return;
  Dims dims;
  for (const size_t axis : *axes) dims.push_back(from[axis]);
  out[0].dims = dims;
  if (dims.size() < 2) set_moved(node, dims, out[0]);
}

// The product of several extents; a symbol is kept if all others are 1.
Dim product_of(const Dim* dims, size_t count) {
  Dim product{1, ""};
  for (size_t d = 0; d < count; ++d) {
    if (dims[d].value == 1) continue;
    if (product.value == 1) {
      product = dims[d];
      continue;
    }
    const auto both = product.known() && dims[d].known() ? checked_mul(product.value, dims[d].value) : std::nullopt;
    product = both ? Dim{*both, ""} : Dim();
    if (!both) return product;
  }
  return product;
}

void flatten(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  out[0].dims = Dims(2);
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  const auto rank = static_cast<int64_t>(from.size());
  int64_t axis = node.attribute("axis", 1);
  if (axis < -rank || axis > rank) return;
  axis += axis < 0 ? rank : 0;
  const auto first = static_cast<size_t>(axis);
  out[0].dims = Dims{product_of(from.data(), first), product_of(from.data() + first, from.size() - first)};
}

Dim scaled(const Dim& dim, int64_t times, int64_t parts) {
  if (times == parts) return dim;
  if (!dim.known() || times <= 0 || parts <= 0 || dim.value % parts != 0) return {};
  const std::optional<int64_t> product = checked_mul(dim.value / parts, times);
  return product ? Dim{*product, ""} : Dim();
}

template <bool to_space>
void move_blocks(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const int64_t block = node.attribute("blocksize", 0);
  if (!node.input(0).dims || node.input(0).dims->size() != 4 || block <= 0 || block > INT32_MAX) return;
  Dims dims = *node.input(0).dims;
  dims[1] = to_space ? scaled(dims[1], 1, block * block) : scaled(dims[1], block * block, 1);
  for (size_t d = 2; d < 4; ++d) dims[d] = to_space ? scaled(dims[d], block, 1) : scaled(dims[d], 1, block);
  out[0].dims = dims;
}

// ---- Padding

void pad_by(const RuleNode& node, const std::optional<Extents>& pads, const std::optional<Extents>& axes,
            KnownValue& out) {
  out.type = node.input(0).type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  out.dims = Dims(from.size());
  const auto normal = axes ? normal_axes(*axes, from.size()) : std::nullopt;
  if (!normal || !pads || pads->size() != 2 * normal->size()) return;
  out.dims = from;
  for (size_t k = 0; k < normal->size(); ++k) {
    const std::optional<int64_t> both = checked_add((*pads)[k], (*pads)[k + normal->size()]);
    Dim& dim = (*out.dims)[(*normal)[k]];
    if (both == 0) continue;
    const std::optional<int64_t> sum = both && dim.known() ? checked_add(dim.value, *both) : std::nullopt;
    dim = sum && *sum >= 0 ? Dim{*sum, ""} : Dim();
  }
}

Extents axes_of(const KnownValue& value) {
  return first_axes(value.dims ? value.dims->size() : 0);
}

void pad_by_paddings(const RuleNode& node, Outputs out) {
  pad_by(node, node.integers("paddings"), axes_of(node.input(0)), out[0]);
}

void pad_by_attribute(const RuleNode& node, Outputs out) {
  pad_by(node, node.integers("pads"), axes_of(node.input(0)), out[0]);
}

void pad(const RuleNode& node, Outputs out) {
  pad_by(node, node.integers(1), node.has_input(3) ? node.integers(3) : axes_of(node.input(0)), out[0]);
}

constexpr ShapeRule kLayoutRows[] = {
    {"DepthToSpace", 1, move_blocks<true>},
    {"Flatten", 1, flatten},
    {"Pad", 1, pad_by_paddings},
    {"Pad", 2, pad_by_attribute},
    {"Pad", 11, pad},
    {"SpaceToDepth", 1, move_blocks<false>},
    {"Squeeze", 1, squeeze_by_attribute},
    {"Squeeze", 13, squeeze},
    {"Transpose", 1, transpose},
    {"Unsqueeze", 1, unsqueeze_by_attribute},
    {"Unsqueeze", 13, unsqueeze},
};

}  // namespace

constinit const std::span<const ShapeRule> kLayoutRules = kLayoutRows;

}  // namespace tesela
