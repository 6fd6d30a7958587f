// The attributes of an IR's layers, which are text, as the values that the operator's row asks for.
#pragma once

#include "model/graph.h"
#include "model/ir_layers.h"

namespace tesela {

/// Fills node.attributes from <data>, and node.fault with the first that is not what its row says. What no row knows
/// stays text. Errors: limit (memory).
Status read_ir_attributes(const IrLayer& layer, const XmlFile& file, BuildBudget& budget, Node& node);

}  // namespace tesela
