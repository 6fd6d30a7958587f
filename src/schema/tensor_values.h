// SPDX-License-Identifier: Apache-2.0
// Reads an operator's small parameter tensors: repeats, shapes, scales, sizes.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// The input at an index; null if it was left out.
inline const TensorInfo* input_at(std::span<const TensorInfo* const> inputs, size_t index) {
  return index < inputs.size() ? inputs[index] : nullptr;
}

/// The elements of a tensor of any integer type. Errors: value (one does not fit int64), type (not integers).
Result<Extents> read_integers(const Tensor& tensor, std::string_view name);

/// The known entries of a 1-D integer tensor; empty if their number is unknown.
/// Errors: rank (known not to be 1-D), value (a negative entry). `name`: the input's, for the message.
Result<std::optional<Dims>> read_dims(const TensorInfo& info, std::string_view name,
                                      tesela_status if_negative = TESELA_ERROR_VALUE);

/// Whether the tensor has no elements; empty if unknown.
std::optional<bool> is_empty(const TensorInfo& info);

/// The elements of a tensor of a float type that interpolation supports, as doubles; empty for other types.
std::vector<double> read_floats(const Tensor& tensor);

}  // namespace tesela
