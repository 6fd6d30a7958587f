// SPDX-License-Identifier: Apache-2.0
// Collects what the catalogue says about each node.
#include "graph/lint.h"

#include <algorithm>
#include <new>

#include "graph/check.h"
#include "graph/value_text.h"
#include "graph/walk.h"
#include "types/text.h"

namespace tesela {
namespace {

using Severity = LintFinding::Severity;

class Linter {
 public:
  Linter(const Model& model, const Limits& limits, const LintScope& scope)
      : model_(model), limits_(limits), scope_(scope) {}

  LintReport run() {
    // Faults of nodes, names and declarations; a limit that is exceeded is none.
    for (const Finding& finding : check_model(model_, limits_).findings) {
      if (finding.code == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();  // no fault of the model
      if (finding.severity == Finding::Severity::kFault) add_fault(finding);
    }
    // Limits of nesting are among the findings of check.
    (void)walk_graphs(model_, limits_, [this](const GraphVisit& visit) { lint_graph(visit); });
    report_.is_complete = effort_.left >= 0;
    return std::move(report_);
  }

 private:
  void add(LintFinding finding) {
    constexpr size_t kMaxFindings = 10'000;
    ++(finding.severity == Severity::kError ? report_.errors : report_.warnings);
    if (report_.findings.size() < kMaxFindings) report_.findings.push_back(std::move(finding));
  }

  void add_fault(const Finding& fault) {
    LintFinding finding;
    finding.severity = Severity::kError;
    finding.rule = fmt::format("standard/{}", status_text(fault.code));
    finding.kind = "fault";
    finding.runtime = "the standard";
    finding.node = fault.node;
    finding.effect = fault.text;
    add(std::move(finding));
  }

  void lint_graph(const GraphVisit& visit) {
    for (size_t n = 0; n < visit.graph.nodes.size(); ++n) {
      const NodeFacts& facts = visit.facts.nodes[n];
      if (facts.op == nullptr) continue;
      const std::vector<const TensorInfo*> inputs = known_inputs(visit.facts, n);
      // Some faults are found by check alone, after inference.
      const peers::FaultyNode node{*facts.op, inputs};
      for (peers::Hit& hit : peers::find_acceptances(node, scope_.runtimes)) add_hit(visit, *facts.op, std::move(hit));
      if (!facts.is_valid || !facts.faults.empty()) continue;
      const peers::NodeView view(*facts.op, inputs, limits_, effort_);
      for (peers::Hit& hit : peers::find_differences(view, scope_.runtimes)) add_hit(visit, *facts.op, std::move(hit));
    }
  }

  void add_hit(const GraphVisit& visit, const OpDesc& op, peers::Hit hit) {
    const bool refused = hit.row->kind == peers::Kind::kRefused || hit.row->kind == peers::Kind::kCrash;
    LintFinding finding;
    finding.severity = refused && scope_.are_named ? Severity::kError : Severity::kWarning;
    finding.rule = fmt::format("{}/{}", hit.peer->name, hit.row->id);
    finding.kind = peers::kind_text(hit.row->kind);
    finding.runtime = hit.peer->title;
    finding.node = shortened(op.node);
    const std::string where = op.where();
    finding.where = message_text(visit.path + where.substr(0, where.size() - 2));  // without ": "
    finding.condition = hit.row->condition;
    finding.effect = hit.row->effect;
    finding.numbers = std::move(hit.numbers);
    finding.cure = hit.row->cure;
    finding.source = hit.row->source;
    add(std::move(finding));
  }

  const Model& model_;
  const Limits& limits_;
  const LintScope& scope_;
  peers::Effort effort_;
  LintReport report_;
};

}  // namespace

Result<LintScope> make_scope(std::span<const std::string_view> names) {
  LintScope scope;
  const bool is_all = names.size() == 1 && names[0] == "all";
  scope.are_named = !names.empty() && !is_all;
  for (const std::string_view name : names) {
    if (is_all) break;
    TESELA_ASSIGN_OR_RETURN(const peers::Peer* peer, peers::find_peer(name));
    if (std::find(scope.runtimes.begin(), scope.runtimes.end(), peer) == scope.runtimes.end())
      scope.runtimes.push_back(peer);
  }
  if (scope.are_named) return scope;
  for (const peers::Peer& peer : peers::all_peers())
    if (is_all || peer.is_usual) scope.runtimes.push_back(&peer);
  return scope;
}

LintReport lint_model(const Model& model, const Limits& limits, const LintScope& scope) {
  return Linter(model, limits, scope).run();
}

}  // namespace tesela
