// SPDX-License-Identifier: Apache-2.0
// The properties of a graph's values that can be inferred before a run: types, shapes, constants.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph_index.h"
#include "graph/known_info.h"
#include "graph/outer_names.h"

namespace tesela {

enum class NodeKind : uint8_t {
  kForeign,   // not run and not checked
  kOperator,  // an operator of Tesela
  kConstant,
  kIdentity,  // ONNX's, and the second name of a value in an IR
};

struct NodeFacts {
  NodeKind kind = NodeKind::kForeign;
  std::shared_ptr<const OpDesc> op;  // of kOperator, if its schema row was found
  bool is_valid = false;             // of kOperator: its attributes and the known properties of its inputs are valid
  bool has_rule = false;             // of kForeign: it has a shape rule (src/shapes)
  std::vector<Status> faults;        // messages name the node
};

/// The value where a property was unknown first: it is declared so, comes from an operator without a rule, or depends
/// on the data of a run.
struct Origins {
  ValueId shape = kNoValue;     // of its type or extents; kNoValue: all are known
  ValueId elements = kNoValue;  // of its elements
};

struct GraphFacts {
  explicit GraphFacts(const Graph& graph)
      : index(graph), values(index.value_count()), origins(index.value_count()), nodes(graph.nodes.size()) {}

  GraphIndex index;
  std::vector<KnownInfo> values;  // by ValueId
  std::vector<Origins> origins;   // by ValueId
  std::vector<NodeFacts> nodes;   // as in the graph
};

/// The known properties of each input of a node; null for an omitted one.
std::vector<const TensorInfo*> known_inputs(const GraphFacts& facts, size_t node);

/// A model's own functions, as (domain, name): they take precedence over operators with the same name.
using FunctionNames = std::set<std::pair<std::string_view, std::string_view>>;

/// functions: may be null.
NodeKind node_kind(const Node& node, const FunctionNames* functions);

/// What a caller says about values of the model's own graph: shapes, and values of inputs. Like declarations, they may
/// complete what is known and must not contradict it.
using GivenValues = std::vector<ValueDeclaration>;

struct PropagateOptions {
  int64_t opset = 0;                         // of ONNX's domain; 0 if it is not imported
  const FunctionNames* functions = nullptr;  // may be null
  const GivenValues* given = nullptr;        // may be null
  const Scope* outer = nullptr;
  ExtentRule extents = ExtentRule::kStandard;
  bool has_parameters = false;  // of a function's body: attributes may reference the caller's
  Limits limits;                // of these, max_rank: dims of a higher rank are unknown
};

/// One pass over the nodes in the file's order. A default (the initializer of an input) counts as the input's value.
/// Declarations complete the results of inference; a contradiction is a fault of the node.
GraphFacts propagate(const Graph& graph, const PropagateOptions& options);

}  // namespace tesela
