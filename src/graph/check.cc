// SPDX-License-Identifier: Apache-2.0
// Collects the faults of a model.
#include "graph/check.h"

#include <unordered_set>

#include "graph/graph_faults.h"
#include "graph/small_inputs.h"
#include "graph/value_text.h"
#include "graph/walk.h"
#include "plan/resolve.h"
#include "schema/notes.h"
#include "types/text.h"

namespace tesela {
namespace {

class Checker {
 public:
  Checker(const Model& model, const Limits& limits) : model_(model), limits_(limits) {}

  CheckReport run() {
    check_versions();
    const Status walked = walk_graphs(model_, limits_, [this](const GraphVisit& visit) { check_graph(visit); });
    if (!walked.ok()) add(walked, "", "");
    return std::move(report_);
  }

 private:
  // ---- Findings

  void add(const Status& status, std::string_view path, std::string_view node) {
    const bool is_fault = status.code() != TESELA_ERROR_LIMIT;
    add({is_fault ? Finding::Severity::kFault : Finding::Severity::kNote, status.code(), shortened(node),
         std::string(path) + status.message()});
  }

  // A fault of the file that does not prevent a run.
  void add_computed(const Status& status, std::string_view path, std::string_view node) {
    add({Finding::Severity::kFault, status.code(), shortened(node), std::string(path) + status.message(), true});
  }

  void note(std::string text, std::string_view path, std::string_view node) {
    add({Finding::Severity::kNote, TESELA_OK, shortened(node), std::string(path) + text});
  }

  void add(Finding finding) {
    constexpr size_t kMaxFindings = 10'000;  // a damaged file can have a million, too many to read
    ++(finding.severity == Finding::Severity::kFault ? report_.faults : report_.notes);
    // The first fault that prevents a run is always kept: a session fails with it.
    const bool stops = finding.severity == Finding::Severity::kFault && !finding.is_computed;
    if (stops) ++report_.stopping_faults;
    if (report_.findings.size() >= kMaxFindings && !(stops && report_.stopping_faults == 1)) return;
    finding.text = message_text(finding.text);
    report_.findings.push_back(std::move(finding));
  }

  // ---- Versions

  void check_versions() {
    if (model_.format != ModelFormat::kOnnx) return;  // IRs of other versions are not read at all
    if (model_.ir_version < 1 || model_.ir_version > kNewestIrVersion)
      add(unsupported_error("ir_version {} is not supported; expected 1 to {}, the newest known one", model_.ir_version,
                            kNewestIrVersion),
          "", "");
    check_imports(model_.opsets, "");
    for (const LocalFunction& function : model_.functions)
      check_imports(function.opsets, fmt::format("function {}: ", in_quotes(function.name)));
  }

  void check_imports(const OpsetImports& imports, std::string_view path) {
    if (const Result<int64_t> opset = onnx_opset(imports); !opset.ok()) add(opset.status(), path, "");
  }

  // Each domain that nodes use must be imported; the first node that uses a missing one is named.
  void check_domains(const GraphVisit& visit) {
    if (model_.format != ModelFormat::kOnnx) return;  // an IR has the opset in each layer
    for (const Node& node : visit.graph.nodes) {
      if (is_imported(visit.imports, node.domain)) continue;
      if (!missing_.emplace(&visit.imports, domain_text(node.domain)).second) continue;
      add(unsupported_error("{}: is of domain {}, for which no opset is imported", node_text(node),
                            in_quotes(domain_text(node.domain))),
          visit.path, node.name);
    }
  }

  // ---- Graphs

  void check_graph(const GraphVisit& visit) {
    check_domains(visit);
    for (const Initializer& initializer : visit.graph.initializers)
      if (!initializer.fault.ok()) add(initializer.fault, visit.path, "");
    find_graph_faults(visit.facts.index, visit.outer,
                      [&](const Status& status, std::string_view node) { add(status, visit.path, node); });
    check_declarations(visit);
    note_repeated_nodes(visit);
    for (size_t n = 0; n < visit.graph.nodes.size(); ++n) check_node(visit, n);
  }

  // Declarations of values that no node computes; for outputs of nodes, contradictions are the nodes' faults.
  void check_declarations(const GraphVisit& visit) {
    const GraphIndex& index = visit.facts.index;
    for (size_t v = 0; v < index.value_count(); ++v) {
      const auto value = static_cast<ValueId>(v);
      if (index.producer(value) != kProducedByInput && index.producer(value) != kProducedByInitializer) continue;
      const KnownInfo& known = visit.facts.values[v];
      const auto check = [&](const ValueDeclaration* declared, std::string_view what) {
        if (declared == nullptr || known == nullptr) return;
        const Result<KnownInfo> both = join(known, *declared, limits_);
        if (!both.ok())
          add(both.status().with_prefix(fmt::format("{} {} ", what, in_quotes(declared->name))), visit.path, "");
      };
      if (index.initializer(value)) check(index.input(value), "initializer");
      check(index.value_info(value), "value");
      check(index.output(value), "graph output");
    }
  }

  // Legal, but messages and profiles name nodes.
  void note_repeated_nodes(const GraphVisit& visit) {
    std::unordered_set<std::string_view> names;
    std::unordered_set<std::string_view> repeated;
    for (const Node& node : visit.graph.nodes) {
      if (node.name.empty() || names.insert(node.name).second || !repeated.insert(node.name).second) continue;
      note(fmt::format("{} names more than one node", in_quotes(node.name)), visit.path, node.name);
    }
  }

  void check_node(const GraphVisit& visit, size_t n) {
    const Node& node = visit.graph.nodes[n];
    const NodeFacts& facts = visit.facts.nodes[n];
    for (const Status& fault : facts.faults) add(fault, visit.path, node.name);
    if (!facts.is_valid) return;
    const std::vector<const TensorInfo*> inputs = known_inputs(visit.facts, n);
    if (facts.faults.empty()) check_plan(visit, n, inputs);
    for (const Status& departure : departures(*facts.op)) add_computed(departure, visit.path, node.name);
    for (std::string& text : notes(*facts.op)) note(std::move(text), visit.path, node.name);
    const Tensor* value =
        facts.op->schema->op == Operator::kConstantOfShape ? facts.op->tensor_value("value") : nullptr;
    if (value != nullptr && value->extents().size() != 1)
      note(fmt::format("{}attribute 'value' has rank {}; ONNX requires rank 1", facts.op->where(),
                       value->extents().size()),
           visit.path, node.name);
  }

  // If all inputs of planning are known, planning finds errors that inference does not check (roi, positions).
  void check_plan(const GraphVisit& visit, size_t n, std::span<const TensorInfo* const> inputs) {
    const OpDesc& op = *visit.facts.nodes[n].op;
    if (!is_plannable(op, inputs)) return;
    const Result<Plan> plan = make_plan(op, inputs, limits_);
    if (!plan.ok()) add(plan.status(), visit.path, op.node);
  }

  const Model& model_;
  const Limits& limits_;
  CheckReport report_;
  std::set<std::pair<const OpsetImports*, std::string>> missing_;
};

}  // namespace

CheckReport check_model(const Model& model, const Limits& limits) {
  return Checker(model, limits).run();
}

}  // namespace tesela
