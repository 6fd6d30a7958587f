// SPDX-License-Identifier: Apache-2.0
// AttributeProto: an attribute's value, of its declared kind or, in old models, of the kind that is present.
#pragma once

#include <string_view>

#include "model/onnx_graph.h"

namespace tesela {

/// Reads an attribute into node.attributes, or its graphs into node.subgraphs.
/// depth: of the node's graph. Throws the exceptions that parse_protobuf catches.
/// Errors: parse (no name, a value of another kind than declared), limit. An unreadable tensor is a fault of the node.
Status read_attribute(std::string_view message, int64_t depth, OnnxReading& reading, Node& node);

}  // namespace tesela
