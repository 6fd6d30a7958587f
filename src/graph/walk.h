// SPDX-License-Identifier: Apache-2.0
// Visits every graph of a model: its own, those in attributes of nodes, and the bodies of its functions.
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

/// Visits a graph before its subgraphs, functions last.
/// given: what the caller says about values of the model's own graph; may be null.
/// Errors: limit if graphs are nested too deeply, after visiting the outer ones.
Status walk_graphs(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit,
                   const GivenValues* given = nullptr);

/// The facts of the model's own graph.
GraphFacts main_graph_facts(const Model& model, const Limits& limits);

/// The names of the model's functions; they live as long as the model.
FunctionNames function_names(const Model& model);

}  // namespace tesela
