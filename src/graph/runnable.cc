// SPDX-License-Identifier: Apache-2.0
// Reports why a model cannot be run.
#include <algorithm>

#include "graph/check.h"
#include "graph/value_text.h"
#include "graph/walk.h"

namespace tesela {
namespace {

// "Relu node 'a', Relu node 'b' and 7 more" for nodes that Tesela does not support; empty if there are none.
std::string foreign_nodes(const Model& model, size_t longest) {
  const FunctionNames functions = function_names(model);
  std::string names;
  size_t unnamed = 0;
  for (const Node& node : model.graph.nodes) {
    if (node_kind(node, &functions) != NodeKind::kForeign) continue;
    const std::string text = (names.empty() ? "" : ", ") + node_text(node);
    if (unnamed == 0 && names.size() + text.size() <= longest)
      names += text;
    else
      ++unnamed;
  }
  if (unnamed > 0) names += fmt::format(" and {} more", unnamed);
  return names;
}

}  // namespace

Status check_runnable(const Model& model, const CheckReport& report) {
  const std::string_view runs = model.format == ModelFormat::kOpenvino
                                    ? "; Tesela runs Tile, Interpolate, Parameter, Const and Result"
                                    : "; Tesela runs Resize, Upsample, Tile, ConstantOfShape, Constant and Identity";
  constexpr std::string_view kMore = " and 1000000 more";
  const std::string foreign = foreign_nodes(model, 300 - runs.size() - kMore.size());
  if (!foreign.empty()) return unsupported_error("{}{}", foreign, runs);
  for (const auto* ends : {&model.graph.inputs, &model.graph.outputs})
    for (const ValueDeclaration& end : *ends)
      if (!end.is_tensor)
        return unsupported_error("{} is not declared as a tensor; Tesela runs only tensors", in_quotes(end.name));
  const auto fault = std::find_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
    return finding.severity == Finding::Severity::kFault && !finding.is_computed;
  });
  if (fault == report.findings.end()) return {};
  const size_t others = report.stopping_faults - 1;
  if (others == 0) return Status(fault->code, fault->text);
  const std::string more = fmt::format(" (and {} more fault{})", others, others == 1 ? "" : "s");
  return Status(fault->code, message_text(fault->text + more));
}

}  // namespace tesela
