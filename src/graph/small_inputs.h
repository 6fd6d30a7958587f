// SPDX-License-Identifier: Apache-2.0
// Limits of the inputs that parametrize an operator (repeats, shapes, scales, sizes).
#pragma once

#include <span>

#include "schema/infer.h"
#include "types/limits.h"

namespace tesela {

/// Inference and planning copy shapes and read the small inputs, so this check comes first: a model with many nodes
/// that share one huge `sizes` would take memory for each. The number of inputs must be valid. Errors: limit.
Status check_small_inputs(const OpDesc& op, std::span<const TensorInfo* const> inputs, const Limits& limits);

}  // namespace tesela
