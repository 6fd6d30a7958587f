// What Shape makes of a tensor: its extents as a tensor.
#pragma once

#include "session/known_info.h"

namespace tesela {

/// Symbols are kept, so that Shape -> ConstantOfShape keeps them. From version 15 on a node takes a range of
/// the extents by `start` and `end`. input: null where nothing is known.
KnownInfo shape_of(const Node& node, const KnownInfo& input, const Limits& limits);

}  // namespace tesela
