// SPDX-License-Identifier: Apache-2.0
// Rows of a table whose outputs take their two neighbours: in one loop, because small plans are made for every call.
#pragma once

#include "plan/axis_table.h"

namespace tesela {

/// Whether weights are those of the two neighbours, only rounded, and 1 beyond the border.
bool has_linear_rows(const AxisMap& map);

/// Computes the rows [k, end) of a table that has its first k rows.
void fill_linear_rows(const AxisMap& map, ComputeType compute, AxisTable& table, size_t k, size_t end);

}  // namespace tesela
