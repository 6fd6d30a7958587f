// Which nodes of a graph wait for each other.
#pragma once

#include <vector>

#include "graph/graph_index.h"

namespace tesela {

/// The group of each node: nodes of one group wait for each other's outputs, and so for their own.
/// A node that waits for nobody's is a group alone. Linear in nodes and inputs, without recursion.
std::vector<int32_t> find_cycles(const GraphIndex& index);

}  // namespace tesela
