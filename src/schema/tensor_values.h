// Reading the small tensors that tell an operator what to do: repeats, shapes, scales, sizes.
#pragma once

#include <optional>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// The elements of a tensor of any integer type. Errors: value where one does not fit int64; type where it has none.
Result<Extents> read_integers(const Tensor& tensor, std::string_view name);

/// The entries of a 1-D integer tensor as far as they are known; empty where not even their number is.
/// Errors: rank if it is known not to be 1-D; value for a negative entry. `name` is the input's, for the message.
Result<std::optional<Dims>> read_dims(const TensorInfo& info, std::string_view name,
                                      tesela_status if_negative = TESELA_ERROR_VALUE);

/// True, false, or empty where it is not known whether the tensor has no elements.
std::optional<bool> is_empty(const TensorInfo& info);

/// The elements of a tensor of a float type that is computed with, widened; none of another type.
std::vector<double> read_floats(const Tensor& tensor);

}  // namespace tesela
