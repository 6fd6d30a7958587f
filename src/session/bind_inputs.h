// A run's tensors against the model's declarations.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "session/graph_index.h"
#include "types/tensor.h"

namespace tesela {

struct NamedView {
  std::string_view name;
  TensorView view;
};

/// The tensor of each graph input, in the graph's order; empty where its initializer stands in.
/// Errors: value (a name that is no input, or given twice), count (a missing input), type, rank, shape (an
/// extent that is not the declared one, or a symbol that would have two values).
Result<std::vector<std::optional<TensorView>>> bind_inputs(const GraphIndex& index, std::span<const NamedView> given);

/// Errors: type, rank, shape where the tensor is not what is declared; symbols may be anything.
/// The texts begin with "is".
Status check_declared(const ValueDeclaration& declared, DataType type, const Extents& extents);

}  // namespace tesela
