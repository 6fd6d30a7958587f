// What can be wrong with a graph whatever its operators are: names, makers, order.
#pragma once

#include <functional>

#include "graph/propagate.h"

namespace tesela {

/// Calls add(fault, node's name or "") for each fault. Errors in it: parse.
using AddFault = std::function<void(const Status&, std::string_view node)>;

void find_graph_faults(const GraphIndex& index, const Scope* outer, const AddFault& add);

}  // namespace tesela
