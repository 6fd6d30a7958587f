// SPDX-License-Identifier: Apache-2.0
// Visits the nodes of a model, and puts the edits together.
#include "fix/fix.h"

#include <algorithm>
#include <functional>
#include <new>
#include <unordered_set>

#include "fix/node_fixer.h"
#include "fix/opset.h"
#include "fix/rewrite.h"
#include "graph/check.h"
#include "graph/value_text.h"
#include "model/onnx_reader.h"
#include "types/suggestion.h"

namespace tesela {
namespace {

using fix::Edit;

/// Makes names of values that no graph of the model has.
class NewNames {
 public:
  explicit NewNames(const Model& model) : model_(model) {}

  std::string make(std::string_view base, std::string_view purpose) {
    if (!std::exchange(is_read_, true)) {
      add(model_.graph);
      for (const LocalFunction& function : model_.functions) add(function.body);
    }
    constexpr size_t kMostBase = 200;
    const std::string stem = fmt::format("{}_{}", base.substr(0, base.size() > kMostBase ? 0 : base.size()), purpose);
    std::string name = stem;
    for (int k = 2; taken_.contains(name); ++k) name = fmt::format("{}_{}", stem, k);
    taken_.insert(name);
    return name;
  }

 private:
  // Recursive; the reader has limited the nesting.
  void add(const Graph& graph) {
    for (const auto* values : {&graph.inputs, &graph.outputs, &graph.values})
      for (const ValueDeclaration& value : *values) taken_.insert(value.name.text());
    for (const Initializer& initializer : graph.initializers) taken_.insert(initializer.name.text());
    for (const Node& node : graph.nodes) {
      taken_.insert(node.name);
      for (const auto* names : {&node.inputs, &node.outputs})
        for (const Name& name : *names) taken_.insert(name.text());
      for (const Subgraph& part : node.subgraphs)
        if (part.graph) add(*part.graph);
    }
  }

  const Model& model_;
  bool is_read_ = false;
  std::unordered_set<std::string> taken_;
};

class Fixer {
 public:
  Fixer(const Model& model, const Limits& limits, const FixOptions& options)
      : model_(model), limits_(limits), options_(options), names_(model) {}

  Result<Fixed> run(bool may_change_extents) {
    fix::Run run{model_, options_, limits_, fixed_.report, {}, {}, may_change_extents};
    TESELA_ASSIGN_OR_RETURN(fixed_.report.opset_before, fix::imported_opset(model_));
    fixed_.report.opset_after = fixed_.report.opset_before;
    if (options_.opset != 0) {
      TESELA_ASSIGN_OR_RETURN(edits_, fix::raise_opset(model_, limits_, options_.opset));
      fixed_.report.opset_after = options_.opset;
    }
    Status failed;
    const Status walked = walk_graphs(model_, limits_, [&](const GraphVisit& visit) {
      for (size_t n = 0; n < visit.graph.nodes.size() && failed.ok(); ++n)
        if (visit.facts.nodes[n].kind == NodeKind::kOperator) failed = visit_node(visit, n, run);
    });
    TESELA_RETURN_IF_ERROR(failed);
    TESELA_RETURN_IF_ERROR(walked);
    std::ranges::sort(edits_, std::less<>(), [](const Edit& edit) { return edit.value.data(); });
    fixed_.bytes = fix::edited(model_.bytes, edits_);
    return std::move(fixed_);
  }

 private:
  Status visit_node(const GraphVisit& visit, size_t n, fix::Run& run) {
    fix::NodeFixer fixer(visit, n, run);
    TESELA_RETURN_IF_ERROR(fixer.fix());
    const Node& node = visit.graph.nodes[n];
    if (!fixer.is_changed()) return options_.opset == 0 ? Status() : check_untouched(visit, n);
    const uint32_t field = visit.is_function && visit.outer == nullptr ? 7 : 1;  // of FunctionProto, or of GraphProto
    const auto new_name = [&](std::string_view purpose) { return names_.make(node.outputs.front().text(), purpose); };
    edits_.push_back({node.message, fix::changed_node(node, fixer.before(), fixer.after(), field, new_name)});
    return {};
  }

  // A node that could not be read or checked, such as one with attributes of its function, keeps its bytes: then its version
  // must not change.
  Status check_untouched(const GraphVisit& visit, size_t n) const {
    const Node& node = visit.graph.nodes[n];
    TESELA_ASSIGN_OR_RETURN(const int64_t from, onnx_opset(visit.imports));
    if (!is_onnx_domain(node.domain)) return {};
    const Result<const OpSchema*> before = find_schema("", node.type, from);
    const Result<const OpSchema*> after = find_schema("", node.type, options_.opset);
    if (before.ok() && after.ok() && *before == *after) return {};
    return unsupported_error("{}{} cannot be upgraded to opset {}: it has faults, or attributes of its function",
                             visit.path, node_text(node), options_.opset);
  }

  const Model& model_;
  const Limits& limits_;
  const FixOptions& options_;
  NewNames names_;
  std::vector<Edit> edits_;
  Fixed fixed_;
};

Status check_options(const Model& model, const FixOptions& options) {
  if (model.format != ModelFormat::kOnnx)
    return unsupported_error("fix changes ONNX files; an OpenVINO IR is made again from its source instead");
  std::vector<std::string_view> names;
  for (const fix::Meaning& meaning : fix::all_meanings()) names.push_back(meaning.name);
  if (options.meaning.empty() || std::ranges::find(names, options.meaning) != names.end()) return {};
  return value_error("meaning {} is unknown{}; expected {}", in_quotes(options.meaning),
                     suggestion(options.meaning, names), fmt::join(names, ", "));
}

std::vector<Finding> faults_of(const Model& model, const Limits& limits) {
  std::vector<Finding> faults;
  for (Finding& finding : check_model(model, limits).findings) {
    if (finding.code == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (finding.severity == Finding::Severity::kFault) faults.push_back(std::move(finding));
  }
  return faults;
}

// Reads the new file again: it must not have more faults than the old one. They can become visible, where a cured node lets
// shapes be inferred that contradict what the file declares. Errors: unsupported; io (of external data).
Status check_result(const Model& model, const Limits& limits, const std::string& bytes) {
  const auto span = std::as_bytes(std::span(bytes));
  TESELA_ASSIGN_OR_RETURN(Model made, read_onnx(span, nullptr, {limits, 0, model.folder}));
  made.extents = model.extents;
  const std::vector<Finding> old = faults_of(model, limits);
  const std::vector<Finding> now = faults_of(made, limits);
  if (now.size() <= old.size()) return {};
  for (const Finding& fault : now) {
    if (std::ranges::find(old, fault.text, &Finding::text) != old.end()) continue;
    if (fault.code == TESELA_ERROR_IO) return {fault.code, fault.text};
    return unsupported_error("the fixed model would have a fault that the model does not have: {}", fault.text);
  }
  return unsupported_error("the fixed model would have {} faults instead of {}", now.size(), old.size());
}

}  // namespace

Result<Fixed> fix_model(const Model& model, const Limits& limits, const FixOptions& options) {
  TESELA_RETURN_IF_ERROR(check_options(model, options));
  Status status;
  // Shapes that the file declares for later values can contradict a new extent: then no extent is changed.
  for (const bool may_change_extents : {true, false}) {
    TESELA_ASSIGN_OR_RETURN(Fixed fixed, Fixer(model, limits, options).run(may_change_extents));
    if (fixed.bytes == model.bytes) return fixed;
    status = check_result(model, limits, fixed.bytes);
    if (status.ok()) return fixed;
    if (status.code() == TESELA_ERROR_IO) return status;
  }
  return status;
}

}  // namespace tesela
