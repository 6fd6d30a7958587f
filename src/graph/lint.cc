// Collects what the catalogue says about each node.
#include "graph/lint.h"

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
  Linter(const Model& model, const Limits& limits, const std::vector<const peers::Peer*>* runtimes)
      : model_(model), limits_(limits), are_named_(runtimes != nullptr) {
    if (are_named_) runtimes_ = *runtimes;
    for (const peers::Peer& peer : peers::all_peers())
      if (!are_named_) runtimes_.push_back(&peer);
  }

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
      if (!facts.is_valid || !facts.faults.empty()) continue;
      const std::vector<const TensorInfo*> inputs = known_inputs(visit.facts, n);
      const peers::NodeView view(*facts.op, inputs, limits_, effort_);
      for (peers::Hit& hit : peers::find_differences(view, runtimes_)) add_hit(visit, *facts.op, std::move(hit));
    }
  }

  void add_hit(const GraphVisit& visit, const OpDesc& op, peers::Hit hit) {
    const bool stops = hit.row->kind == peers::Kind::kRefused || hit.row->kind == peers::Kind::kCrash;
    LintFinding finding;
    finding.severity = stops && are_named_ ? Severity::kError : Severity::kWarning;
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
  bool are_named_;
  std::vector<const peers::Peer*> runtimes_;
  peers::Effort effort_;
  LintReport report_;
};

}  // namespace

LintReport lint_model(const Model& model, const Limits& limits, const std::vector<const peers::Peer*>* runtimes) {
  return Linter(model, limits, runtimes).run();
}

}  // namespace tesela
