// SPDX-License-Identifier: Apache-2.0
// Checks the tensors of a run against the model's declarations.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/graph_index.h"
#include "types/tensor.h"

namespace tesela {

struct NamedView {
  std::string_view name;
  TensorView view;
};

/// The tensor of each graph input, in the graph's order; empty if its initializer is used.
/// Errors: value (an unknown or duplicate name), count (a missing input), type, rank, shape (an
/// extent other than the declared one, or a symbol with two values).
Result<std::vector<std::optional<TensorView>>> bind_inputs(const GraphIndex& index, std::span<const NamedView> given);

/// Errors: type, rank, shape if the tensor does not match its declaration; symbols match every extent.
/// The messages begin with "is".
Status check_declared(const ValueDeclaration& declared, DataType type, const Extents& extents);

}  // namespace tesela
