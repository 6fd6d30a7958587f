// SPDX-License-Identifier: Apache-2.0
// Shapes in OpenVINO's IR.
#pragma once

#include <string_view>

#include "model/graph.h"

namespace tesela {

struct IrShape {
  std::optional<Dims> dims;          // empty: "...", any rank
  std::vector<ExtentBounds> bounds;  // of intervals
};

/// Parses "2,3", "2, ?, 1..10, 5.., ..7", "-1,3", "..." and "" (a scalar).
/// Errors: parse (not a number), shape (a number that is not an extent), limit (rank).
Result<IrShape> parse_ir_shape(std::string_view text, int64_t max_rank);

}  // namespace tesela
