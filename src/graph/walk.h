// Every graph of a model: its own, those in nodes' attributes, and the bodies of its functions.
#pragma once

#include <functional>
#include <string>

#include "graph/opset.h"
#include "graph/propagate.h"

namespace tesela {

struct GraphVisit {
  std::string path;  // "" for the model's own graph, "If node 'x' then_branch: " for one in an attribute
  const Graph& graph;
  const GraphFacts& facts;
  const Scope* outer;           // of a subgraph
  const OpsetImports& imports;  // of the model, or of the function
  bool is_function = false;
};

/// Visits a graph before the graphs in it, functions last.
/// Errors: limit where graphs are nested too deep; what lies above has been visited.
Status walk_graphs(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit);

/// What is known of the model's own graph.
GraphFacts know_graph(const Model& model, const Limits& limits);

/// The names of the model's functions, which live as long as it.
FunctionNames function_names(const Model& model);

}  // namespace tesela
