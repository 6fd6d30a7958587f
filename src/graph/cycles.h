// SPDX-License-Identifier: Apache-2.0
// Finds cycles of nodes.
#pragma once

#include <vector>

#include "graph/graph_index.h"

namespace tesela {

/// The group of each node: nodes of one group depend on each other's outputs, so they form cycles. A node outside all
/// cycles is alone in its group. Linear in nodes and inputs, without recursion.
std::vector<int32_t> find_cycles(const GraphIndex& index);

}  // namespace tesela
