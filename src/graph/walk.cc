// SPDX-License-Identifier: Apache-2.0
// Visits a model's graphs.
#include "graph/walk.h"

#include <algorithm>

#include "graph/value_text.h"
#include "types/text.h"

namespace tesela {
namespace {

PropagateOptions options_for(const Model& model, const OpsetImports& imports, const FunctionNames& functions,
                             const Limits& limits) {
  PropagateOptions options;
  options.extents = model.extents;
  const Result<int64_t> opset = onnx_opset(imports);
  options.opset = opset.ok() ? *opset : 0;
  options.functions = &functions;
  options.limits = limits;
  return options;
}

class Walk {
 public:
  Walk(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit,
       const GivenValues* given)
      : model_(model), limits_(limits), functions_(function_names(model)), visit_(visit), given_(given) {}

  // Recursive; the nesting of graphs is limited.
  Status graph(const Graph& graph, const std::string& path, const Scope* outer, const OpsetImports& imports,
               bool is_function) {
    PropagateOptions options = options_for(model_, imports, functions_, limits_);
    options.outer = outer;
    options.given = outer == nullptr && !is_function ? given_ : nullptr;
    options.has_parameters = is_function;
    const GraphFacts facts = propagate(graph, options);
    visit_({path, graph, facts, outer, imports, is_function});
    const bool has_subgraphs =
        std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) { return !node.subgraphs.empty(); });
    if (!has_subgraphs) return {};
    Scope scope = {&facts, 0, outer, &names_};
    names_.enter(scope);
    const Status walked = subgraphs(scope, path, imports, is_function);
    names_.leave(scope);
    return walked;
  }

 private:
  Status subgraphs(Scope& scope, const std::string& path, const OpsetImports& imports, bool is_function) {
    const Graph& graph = scope.facts->index.graph();
    for (scope.node = 0; scope.node < graph.nodes.size(); ++scope.node) {
      for (const Subgraph& part : graph.nodes[scope.node].subgraphs) {
        if (!part.graph) continue;
        TESELA_RETURN_IF_ERROR(check_depth(scope.outer));
        const std::string inner = path_of(path, graph.nodes[scope.node], part);
        TESELA_RETURN_IF_ERROR(this->graph(*part.graph, inner, &scope, imports, is_function));
      }
    }
    return {};
  }

  // The prefix of findings, short enough to leave space for the message: with many levels only the innermost is named.
  static std::string path_of(std::string_view outer, const Node& node, const Subgraph& part) {
    constexpr size_t kMax = 160;
    const std::string own = fmt::format("{} {}: ", node_text(node), printable(shortened(part.attribute, 60)));
    return outer.size() + own.size() > kMax ? "... " + own : std::string(outer) + own;
  }

  Status check_depth(const Scope* scope) const {
    constexpr int64_t kMaxNesting = 256;  // protects the stack from any limit of the caller
    const int64_t limit = std::min(limits_.max_nesting, kMaxNesting);
    int64_t depth = 1;
    for (; scope != nullptr; scope = scope->outer) ++depth;
    if (depth > limit) return limit_error("graphs are nested more than {} deep", limit);
    return {};
  }

  const Model& model_;
  const Limits& limits_;
  FunctionNames functions_;
  OuterNames names_;
  const std::function<void(const GraphVisit&)>& visit_;
  const GivenValues* given_;
};

}  // namespace

GraphFacts main_graph_facts(const Model& model, const Limits& limits) {
  const FunctionNames functions = function_names(model);
  return propagate(model.graph, options_for(model, model.opsets, functions, limits));
}

FunctionNames function_names(const Model& model) {
  FunctionNames names;
  for (const LocalFunction& function : model.functions) names.emplace(function.domain, function.name);
  return names;
}

Status walk_graphs(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit,
                   const GivenValues* given) {
  Walk walk(model, limits, visit, given);
  TESELA_RETURN_IF_ERROR(walk.graph(model.graph, "", nullptr, model.opsets, false));
  for (const LocalFunction& function : model.functions) {
    const std::string path = fmt::format(
        "function {}: ", in_quotes(function.domain.empty() ? function.name : function.domain + "." + function.name));
    TESELA_RETURN_IF_ERROR(walk.graph(function.body, path, nullptr, function.opsets, true));
  }
  return {};
}

}  // namespace tesela
