// SPDX-License-Identifier: Apache-2.0
// Faults of a graph that do not depend on its operators: names, definitions, order.
#pragma once

#include <functional>

#include "graph/propagate.h"

namespace tesela {

/// Calls add(fault, the node's name or "") for each fault. Their codes: parse.
using AddFault = std::function<void(const Status&, std::string_view node)>;

void find_graph_faults(const GraphIndex& index, const Scope* outer, const AddFault& add);

}  // namespace tesela
