// SPDX-License-Identifier: Apache-2.0
// Elementwise operators.
#include <algorithm>

#include "shapes/entry_arithmetic.h"
#include "shapes/shape_rule.h"

namespace tesela {
namespace {

// ---- One input

void same_shape(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  out[0].dims = node.input(0).dims;
}

void same_shape_with_mask(const RuleNode& node, Outputs out) {
  same_shape(node, out);
  if (out.size() < 2) return;
  out[1].type = DataType::kBool;
  out[1].dims = node.input(0).dims;
}

template <DataType type>
void same_shape_of_type(const RuleNode& node, Outputs out) {
  out[0].type = type;
  out[0].dims = node.input(0).dims;
}

void of_the_zero_point(const RuleNode& node, Outputs out) {
  out[0].type = node.has_input(2) ? node.input(2).type : DataType::kUint8;
  out[0].dims = node.input(0).dims;
}

void of_the_scale(const RuleNode& node, Outputs out) {
  out[0].type = node.input(1).type;
  out[0].dims = node.input(0).dims;
}

void cast(const RuleNode& node, Outputs out) {
  const int64_t code = node.attribute("to", 0);
  const auto type = static_cast<DataType>(std::clamp<int64_t>(code, INT32_MIN, INT32_MAX));
  if (find_traits(type) == nullptr) return;
  out[0].type = type;
  out[0].dims = node.input(0).dims;
  std::optional<Entries> entries = entries_of(node.input(0));
  if (!entries || !out[0].dims || !has_entries(type)) return;
  for (Entry& entry : *entries) entry = cast_entry(entry, node.input(0).type, type);
  set_entries(out[0], type, *node.input(0).dims, std::move(*entries));
}

template <UnaryEntry compute>
void unary(const RuleNode& node, Outputs out) {
  same_shape(node, out);
  std::optional<Entries> entries = entries_of(node.input(0));
  if (!entries || !out[0].dims) return;
  for (Entry& entry : *entries) entry = compute(node.input(0).type, entry);
  set_entries(out[0], out[0].type, *node.input(0).dims, std::move(*entries));
}

// ---- Several inputs

// The broadcast dims of all inputs from `first` on; empty if one is unknown.
std::optional<Dims> broadcast_inputs(const RuleNode& node, size_t first = 0) {
  std::optional<Dims> dims;
  for (size_t k = first; k < node.input_count(); ++k) {
    const std::optional<Dims>& input = node.input(k).dims;
    if (!input) return std::nullopt;
    dims = dims ? broadcast_dims(*dims, *input) : *input;
  }
  return dims;
}

DataType first_type(const RuleNode& node, size_t first = 0) {
  for (size_t k = first; k < node.input_count(); ++k)
    if (node.input(k).type != DataType::kUndefined) return node.input(k).type;
  return DataType::kUndefined;
}

// The elements of an input, repeated `count` times if it has one; empty for other kinds of broadcasting.
std::optional<Entries> broadcast_entries(const KnownValue& value, size_t count) {
  std::optional<Entries> entries = entries_of(value);
  if (!entries || (entries->size() != count && entries->size() != 1)) return std::nullopt;
  if (entries->size() != count) entries = Entries(count, entries->front());
  return entries;
}

void fold_entries(const RuleNode& node, KnownValue& out, BinaryEntry compute) {
  const std::optional<int64_t> count = out.dims ? count_of(*out.dims) : std::nullopt;
  if (!count || *count > static_cast<int64_t>(kMaxEntries)) return;
  std::optional<Entries> sum;
  for (size_t k = 0; k < node.input_count(); ++k) {
    const std::optional<Entries> entries = broadcast_entries(node.input(k), static_cast<size_t>(*count));
    if (!entries) return;
    if (!sum) {
      sum = *entries;
      continue;
    }
    for (size_t i = 0; i < sum->size(); ++i) (*sum)[i] = compute(node.input(k).type, (*sum)[i], (*entries)[i]);
  }
  if (sum) set_entries(out, out.type, Dims(*out.dims), std::move(*sum));
}

template <BinaryEntry compute>
void broadcast(const RuleNode& node, Outputs out) {
  out[0].type = first_type(node);
  out[0].dims = broadcast_inputs(node);
  fold_entries(node, out[0], compute);
}

template <BinaryEntry compute>
void compare(const RuleNode& node, Outputs out) {
  out[0].type = DataType::kBool;
  out[0].dims = broadcast_inputs(node);
  if (node.input_count() == 2) fold_entries(node, out[0], compute);
}

void where(const RuleNode& node, Outputs out) {
  out[0].type = first_type(node, 1);
  out[0].dims = broadcast_inputs(node);
  const std::optional<int64_t> count = out[0].dims ? count_of(*out[0].dims) : std::nullopt;
  if (!count || *count > static_cast<int64_t>(kMaxEntries)) return;
  const auto size = static_cast<size_t>(*count);
  const auto which = broadcast_entries(node.input(0), size), yes = broadcast_entries(node.input(1), size),
             no = broadcast_entries(node.input(2), size);
  if (!which || !yes || !no) return;
  Entries chosen;
  for (size_t i = 0; i < size; ++i)
    chosen.push_back(!(*which)[i].known ? Entry() : (*which)[i].integer != 0 ? (*yes)[i] : (*no)[i]);
  set_entries(out[0], out[0].type, Dims(*out[0].dims), std::move(chosen));
}

constexpr ShapeRule kElementwiseRows[] = {
    // One input, or one that determines the others.
    {"Abs", 1, same_shape},
    {"Acos", 7, same_shape},
    {"Asin", 7, same_shape},
    {"Atan", 7, same_shape},
    {"BatchNormalization", 1, same_shape},
    {"BitwiseNot", 18, same_shape},
    {"Celu", 12, same_shape},
    {"Clip", 1, same_shape},
    {"Cos", 7, same_shape},
    {"CumSum", 11, same_shape},
    {"Dropout", 1, same_shape_with_mask},
    {"Elu", 1, same_shape},
    {"Erf", 9, same_shape},
    {"Exp", 1, same_shape},
    {"Gelu", 20, same_shape},
    {"GroupNormalization", 18, same_shape},
    {"HardSigmoid", 1, same_shape},
    {"HardSwish", 14, same_shape},
    {"Hardmax", 1, same_shape},
    {"InstanceNormalization", 1, same_shape},
    {"IsInf", 10, same_shape_of_type<DataType::kBool>},
    {"IsNaN", 9, same_shape_of_type<DataType::kBool>},
    {"LRN", 1, same_shape},
    {"LayerNormalization", 17, same_shape},
    {"LeakyRelu", 1, same_shape},
    {"Log", 1, same_shape},
    {"LogSoftmax", 1, same_shape},
    {"LpNormalization", 1, same_shape},
    {"MeanVarianceNormalization", 9, same_shape},
    {"Mish", 18, same_shape},
    {"Not", 1, same_shape},
    {"PRelu", 1, same_shape},
    {"RMSNormalization", 23, same_shape},
    {"Reciprocal", 1, same_shape},
    {"Relu", 1, same_shape},
    {"ScatterElements", 11, same_shape},
    {"ScatterND", 11, same_shape},
    {"Selu", 1, same_shape},
    {"Shrink", 9, same_shape},
    {"Sigmoid", 1, same_shape},
    {"Sign", 9, same_shape},
    {"Sin", 7, same_shape},
    {"Softmax", 1, same_shape},
    {"Softplus", 1, same_shape},
    {"Softsign", 1, same_shape},
    {"Sqrt", 1, same_shape},
    {"Swish", 24, same_shape},
    {"Tan", 7, same_shape},
    {"Tanh", 1, same_shape},
    {"ThresholdedRelu", 10, same_shape},
    {"Trilu", 14, same_shape},
    {"QuantizeLinear", 10, of_the_zero_point},
    {"DequantizeLinear", 10, of_the_scale},
    // One input, with values.
    {"Cast", 6, cast},
    {"Ceil", 1, unary<ceil_entry>},
    {"Floor", 1, unary<floor_entry>},
    {"Neg", 1, unary<negate_entry>},
    {"Round", 11, unary<round_entry>},
    // Two and more inputs. Before version 7 the second has the shape of the first.
    {"Add", 1, same_shape},
    {"Add", 7, broadcast<add_entries>},
    {"And", 7, broadcast<unknown_entry>},
    {"Div", 1, same_shape},
    {"Div", 7, broadcast<divide_entries>},
    {"Equal", 7, compare<equal_entries>},
    {"Greater", 7, compare<greater_entries>},
    {"GreaterOrEqual", 12, compare<unknown_entry>},
    {"Less", 7, compare<less_entries>},
    {"LessOrEqual", 12, compare<unknown_entry>},
    {"Max", 8, broadcast<larger_entry>},
    {"Mean", 8, broadcast<unknown_entry>},
    {"Min", 8, broadcast<smaller_entry>},
    {"Mod", 10, broadcast<unknown_entry>},
    {"Mul", 1, same_shape},
    {"Mul", 7, broadcast<multiply_entries>},
    {"Or", 7, broadcast<unknown_entry>},
    {"Pow", 7, broadcast<unknown_entry>},
    {"Sub", 1, same_shape},
    {"Sub", 7, broadcast<subtract_entries>},
    {"Sum", 8, broadcast<add_entries>},
    {"Where", 9, where},
    {"Xor", 7, broadcast<unknown_entry>},
};

}  // namespace

constinit const std::span<const ShapeRule> kElementwiseRules = kElementwiseRows;

}  // namespace tesela
