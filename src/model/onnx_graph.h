// GraphProto and what is in it: nodes, attributes, declared values, initializers.
#pragma once

#include <string_view>

#include "model/build_budget.h"
#include "model/graph.h"
#include "model/onnx_tensor.h"

namespace tesela {

/// What all parts of one model's reading share.
struct OnnxReading {
  const Limits& limits;
  TensorSource source;
  PbPosition position = nullptr;
  BuildBudget budget;
  NamePool names = {};
  int64_t nodes = 0;  // met so far, subgraphs and functions included

  Status charge(size_t bytes) { return budget.charge(bytes); }
};

// Each reads a message into what stands there already, so that a message in pieces is their merger, as
// protobuf has it. They throw what parse_protobuf catches.

/// depth: of the graph among subgraphs, 0 for the model's own. Errors: limit, parse.
/// A tensor that cannot be read is the fault of its initializer or node.
Status read_graph(std::string_view message, int64_t depth, OnnxReading& reading, Graph& graph);

/// Errors: as read_graph.
Status read_node(std::string_view message, int64_t depth, OnnxReading& reading, Node& node);

/// A ValueInfoProto. Errors: limit.
Status read_declaration(std::string_view message, OnnxReading& reading, ValueDeclaration& value);

/// Counts a message's nodes (fields of that number) before any is read. Errors: limit.
Status count_nodes(std::string_view message, uint32_t field, OnnxReading& reading);

/// ONNX's own domain has two names.
inline std::string normal_domain(std::string_view domain) {
  return std::string(domain == "ai.onnx" ? std::string_view() : domain);
}

}  // namespace tesela
