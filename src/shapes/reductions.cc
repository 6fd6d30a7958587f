// SPDX-License-Identifier: Apache-2.0
// Operators that sum over axes: reductions and matrix products.
#include <algorithm>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

// ---- Reductions

void reduce_over(const RuleNode& node, const Extents& axes, DataType type, KnownValue& out) {
  out.type = type;
  if (!node.input(0).dims) return;
  const Dims& from = *node.input(0).dims;
  const bool keeps = node.attribute("keepdims", 1) != 0;
  std::vector<bool> is_reduced(from.size(), axes.empty());
  for (const int64_t given : axes) {
    const std::optional<size_t> axis = normal_axis(given, from.size());
    if (!axis) return;
    is_reduced[*axis] = true;
  }
  Dims dims;
  for (size_t d = 0; d < from.size(); ++d)
    if (!is_reduced[d])
      dims.push_back(from[d]);
    else if (keeps)
      dims.push_back({1, ""});
  out.dims = dims;
}

void reduce_by_attribute(const RuleNode& node, Outputs out) {
  reduce_over(node, node.integers("axes").value_or(Extents()), node.input(0).type, out[0]);
}

void reduce(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const std::optional<Extents> axes = node.has_input(1) ? node.integers(1) : Extents();
  if (!axes) return;
  const bool keeps_all = axes->empty() && node.attribute("noop_with_empty_axes", 0) != 0;
  if (keeps_all)
    out[0].dims = node.input(0).dims;
  else
    reduce_over(node, *axes, node.input(0).type, out[0]);
}

void arg(const RuleNode& node, Outputs out) {
  reduce_over(node, {node.attribute("axis", 0)}, DataType::kInt64, out[0]);
}

// ---- Matrices

void gemm(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const auto &a = node.input(0).dims, &b = node.input(1).dims;
  const bool are_matrices = a && b && a->size() == 2 && b->size() == 2;
  if (!are_matrices) return;
  const size_t row = node.attribute("transA", 0) != 0 ? 1 : 0;
  const size_t column = node.attribute("transB", 0) != 0 ? 0 : 1;
  out[0].dims = Dims{(*a)[row], (*b)[column]};
}

void mat_mul(const RuleNode& node, Outputs out) {
  out[0].type = node.input(0).type;
  const auto &a = node.input(0).dims, &b = node.input(1).dims;
  if (!a || !b || a->empty() || b->empty()) return;
  // A vector is a row on the left and a column on the right; its axis of 1 is removed from the result.
  const Dims left = a->size() == 1 ? Dims{Dim{1, ""}, (*a)[0]} : *a;
  const Dims right = b->size() == 1 ? Dims{(*b)[0], Dim{1, ""}} : *b;
  Dims dims = broadcast_dims(Dims(left.data(), left.size() - 2), Dims(right.data(), right.size() - 2));
  if (a->size() > 1) dims.push_back(left[left.size() - 2]);
  if (b->size() > 1) dims.push_back(right.back());
  out[0].dims = dims;
}

constexpr ShapeRule kReductionRows[] = {
    {"ArgMax", 1, arg},
    {"ArgMin", 1, arg},
    {"Gemm", 1, gemm},
    {"MatMul", 1, mat_mul},
    {"ReduceL1", 1, reduce_by_attribute},
    {"ReduceL1", 18, reduce},
    {"ReduceL2", 1, reduce_by_attribute},
    {"ReduceL2", 18, reduce},
    {"ReduceLogSum", 1, reduce_by_attribute},
    {"ReduceLogSum", 18, reduce},
    {"ReduceLogSumExp", 1, reduce_by_attribute},
    {"ReduceLogSumExp", 18, reduce},
    {"ReduceMax", 1, reduce_by_attribute},
    {"ReduceMax", 18, reduce},
    {"ReduceMean", 1, reduce_by_attribute},
    {"ReduceMean", 18, reduce},
    {"ReduceMin", 1, reduce_by_attribute},
    {"ReduceMin", 18, reduce},
    {"ReduceProd", 1, reduce_by_attribute},
    {"ReduceProd", 18, reduce},
    {"ReduceSum", 1, reduce_by_attribute},
    {"ReduceSum", 13, reduce},
    {"ReduceSumSquare", 1, reduce_by_attribute},
    {"ReduceSumSquare", 18, reduce},
};

}  // namespace

constinit const std::span<const ShapeRule> kReductionRules = kReductionRows;

}  // namespace tesela
