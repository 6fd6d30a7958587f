// SPDX-License-Identifier: Apache-2.0
// GraphProto and its parts: nodes, attributes, declared values, initializers.
#pragma once

#include <string_view>

#include "model/build_budget.h"
#include "model/graph.h"
#include "model/onnx_tensor.h"

namespace tesela {

/// The state of reading one model.
struct OnnxReading {
  const Limits& limits;
  TensorSource source;
  PbPosition position = nullptr;
  BuildBudget budget;
  NamePool names = {};
  int64_t nodes = 0;  // read so far, including subgraphs and functions

  Status charge(size_t bytes) { return budget.charge(bytes); }
};

// Each function merges a message into the existing contents, as protobuf specifies for messages in pieces. They throw
// the exceptions that parse_protobuf catches.

/// depth: the nesting of the graph, 0 for the model's own. Errors: limit, parse.
/// An unreadable tensor is a fault of its initializer or node.
Status read_graph(std::string_view message, int64_t depth, OnnxReading& reading, Graph& graph);

/// Errors: as read_graph.
Status read_node(std::string_view message, int64_t depth, OnnxReading& reading, Node& node);

/// A ValueInfoProto. Errors: limit.
Status read_declaration(std::string_view message, OnnxReading& reading, ValueDeclaration& value);

/// Counts a message's nodes (fields with that number) before reading them. Errors: limit.
Status count_nodes(std::string_view message, uint32_t field, OnnxReading& reading);

/// ONNX's own domain has two names.
inline std::string normal_domain(std::string_view domain) {
  return std::string(domain == "ai.onnx" ? std::string_view() : domain);
}

}  // namespace tesela
