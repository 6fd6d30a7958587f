// What can be known of a graph's values before it runs: types, shapes, constants.
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
  kForeign,   // not run, and nothing claimed about it
  kOperator,  // one of Tesela's
  kConstant,
  kIdentity,  // ONNX's, and what gives an IR's value a second name
};

struct NodeFacts {
  NodeKind kind = NodeKind::kForeign;
  std::shared_ptr<const OpDesc> op;  // of kOperator, where its row was found
  bool is_valid = false;             // of kOperator: nothing is wrong with its attributes and inputs as far as known
  bool has_rule = false;             // of kForeign: what it does to shapes is known (src/shapes)
  std::vector<Status> faults;        // texts name the node
};

/// The value where it begins that something of a value is unknown: one that is declared so, that an operator
/// without a rule makes, or that is known only in a run.
struct Origins {
  ValueId shape = kNoValue;     // of its type or an extent; kNoValue: all are known
  ValueId elements = kNoValue;  // of what it holds
};

struct GraphFacts {
  explicit GraphFacts(const Graph& graph)
      : index(graph), values(index.value_count()), origins(index.value_count()), nodes(graph.nodes.size()) {}

  GraphIndex index;
  std::vector<KnownInfo> values;  // by ValueId
  std::vector<Origins> origins;   // by ValueId
  std::vector<NodeFacts> nodes;   // as in the graph
};

/// What is known of each input of a node; null for an omitted one.
std::vector<const TensorInfo*> known_inputs(const GraphFacts& facts, size_t node);

/// The functions that a model brings with it, as (domain, name): they go before operators of the same name.
using FunctionNames = std::set<std::pair<std::string_view, std::string_view>>;

/// What the walk takes a node for. functions: may be null.
NodeKind node_kind(const Node& node, const FunctionNames* functions);

struct PropagateOptions {
  int64_t opset = 0;                         // of ONNX's domain; 0 where there is none to look operators up by
  const FunctionNames* functions = nullptr;  // may be null
  const Scope* outer = nullptr;
  ExtentRule extents = ExtentRule::kStandard;
  bool has_parameters = false;  // of a function's body: attributes may stand for the caller's
  Limits limits;                // ranks above the limit are not followed
};

/// One pass over the nodes in the file's order. A default (an input's initializer) counts as its value.
/// Declarations fill what inference leaves open; where they contradict it, that is a fault of the node.
GraphFacts propagate(const Graph& graph, const PropagateOptions& options);

}  // namespace tesela
