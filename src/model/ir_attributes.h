// SPDX-License-Identifier: Apache-2.0
// Converts the attributes of an IR's layers, which are text, to the types of the operator's schema row.
#pragma once

#include "model/graph.h"
#include "model/ir_layers.h"

namespace tesela {

/// Fills node.attributes from <data>, and node.fault with the first attribute that does not match its row. Attributes
/// without a row stay text. Errors: limit (memory).
Status read_ir_attributes(const IrLayer& layer, const XmlFile& file, BuildBudget& budget, Node& node);

}  // namespace tesela
