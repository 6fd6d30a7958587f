// SPDX-License-Identifier: Apache-2.0
// Checks of a run's tensors against what its plan was made for.
#pragma once

#include "types/tensor.h"

namespace tesela {

/// what: "input". Errors: type.
Status check_type(DataType type, DataType expected, std::string_view what);

/// Errors: usage (strides of packed elements), rank.
Status check_strides(DataType type, const Extents& extents, const Extents& strides, std::string_view what);

}  // namespace tesela
