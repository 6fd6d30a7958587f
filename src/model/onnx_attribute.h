// AttributeProto: an attribute's value, by its declared kind or, in old models, by what it carries.
#pragma once

#include <string_view>

#include "model/onnx_graph.h"

namespace tesela {

/// Reads an attribute into `node`: among its attributes, and its graphs among the subgraphs.
/// depth: of the node's graph. Throws what parse_protobuf catches.
/// Errors: parse (no name, a value of another kind than declared), limit. An unreadable tensor is the node's
/// fault.
Status read_attribute(std::string_view message, int64_t depth, OnnxReading& reading, Node& node);

}  // namespace tesela
