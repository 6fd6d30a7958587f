// Shapes as OpenVINO's IR writes them.
#pragma once

#include <string_view>

#include "model/graph.h"

namespace tesela {

struct IrShape {
  std::optional<Dims> dims;          // empty: "...", any rank
  std::vector<ExtentBounds> bounds;  // of intervals
};

/// "2,3", "2, ?, 1..10, 5.., ..7", "-1,3", "..." and "" (a scalar).
/// Errors: parse (what is no number), shape (numbers that are no extents), limit (rank).
Result<IrShape> parse_ir_shape(std::string_view text, int64_t max_rank);

}  // namespace tesela
