// Inputs that tell an operator what to do (repeats, shapes, scales, sizes) stay small.
#pragma once

#include <span>

#include "schema/infer.h"
#include "types/limits.h"

namespace tesela {

/// True for the input that is resized or tiled; the others are read while planning.
inline bool is_data_input(const OpDesc& op, size_t position) {
  return position == 0 && op.schema->op != Operator::kConstantOfShape;
}

/// Inference and planning copy shapes and read the small inputs, so what is over the limits is refused before
/// them: a model of many nodes on one giant `sizes` would take their product in memory. The inputs' number
/// must be valid. Errors: limit.
Status check_small_inputs(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits);

}  // namespace tesela
