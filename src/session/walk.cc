// The walk over a model's graphs.
#include "session/walk.h"

#include <algorithm>

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
  Walk(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit)
      : model_(model), limits_(limits), functions_(function_names(model)), visit_(visit) {}

  // Goes as deep as graphs are nested, which is bounded.
  Status graph(const Graph& graph, const std::string& path, const Scope* outer, const OpsetImports& imports,
               bool is_function) {
    PropagateOptions options = options_for(model_, imports, functions_, limits_);
    options.outer = outer;
    options.has_parameters = is_function;
    const GraphFacts facts = propagate(graph, options);
    visit_({path, graph, facts, outer, imports, is_function});
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const Node& node = graph.nodes[n];
      const Scope scope = {&facts, n, outer};
      for (const Subgraph& part : node.subgraphs) {
        if (!part.graph) continue;
        TESELA_RETURN_IF_ERROR(check_depth(outer));
        const std::string inner = fmt::format("{}{} {}: ", path, node_text(node), part.attribute);
        TESELA_RETURN_IF_ERROR(this->graph(*part.graph, inner, &scope, imports, is_function));
      }
    }
    return {};
  }

 private:
  Status check_depth(const Scope* scope) const {
    constexpr int64_t kDeepest = 256;  // the stack ends, whatever the limit
    const int64_t limit = std::min(limits_.max_nesting, kDeepest);
    int64_t depth = 1;
    for (; scope != nullptr; scope = scope->outer) ++depth;
    if (depth > limit) return limit_error("graphs are nested more than {} deep", limit);
    return {};
  }

  const Model& model_;
  const Limits& limits_;
  FunctionNames functions_;
  const std::function<void(const GraphVisit&)>& visit_;
};

}  // namespace

GraphFacts know_graph(const Model& model, const Limits& limits) {
  const FunctionNames functions = function_names(model);
  return propagate(model.graph, options_for(model, model.opsets, functions, limits));
}

FunctionNames function_names(const Model& model) {
  FunctionNames names;
  for (const LocalFunction& function : model.functions) names.emplace(function.domain, function.name);
  return names;
}

Status walk_graphs(const Model& model, const Limits& limits, const std::function<void(const GraphVisit&)>& visit) {
  Walk walk(model, limits, visit);
  TESELA_RETURN_IF_ERROR(walk.graph(model.graph, "", nullptr, model.opsets, false));
  for (const LocalFunction& function : model.functions) {
    const std::string path = fmt::format(
        "function {}: ", quoted(function.domain.empty() ? function.name : function.domain + "." + function.name));
    TESELA_RETURN_IF_ERROR(walk.graph(function.body, path, nullptr, function.opsets, true));
  }
  return {};
}

}  // namespace tesela
