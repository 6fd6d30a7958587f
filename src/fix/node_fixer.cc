// SPDX-License-Identifier: Apache-2.0
// Cures of one node.
#include "fix/node_fixer.h"

#include <algorithm>
#include <new>

#include "fix/upgrade.h"
#include "graph/value_text.h"
#include "types/text.h"

namespace tesela::fix {
namespace {

constexpr size_t kMostEntries = 10'000;  // of a report's lists

// Versions after 9 have only Resize, and files still contain Upsample.
std::shared_ptr<const OpDesc> old_upsample(const GraphVisit& visit, size_t n) {
  const Node& node = visit.graph.nodes[n];
  if (node.type != "Upsample" || !is_onnx_domain(node.domain)) return nullptr;
  const Result<int64_t> opset = onnx_opset(visit.imports);
  if (!opset.ok() || *opset < 10) return nullptr;
  const Result<const OpSchema*> row = find_schema("", "Upsample", node.inputs.size() == 1 ? 7 : 9);
  if (!row.ok()) return nullptr;
  auto op = std::make_shared<OpDesc>(OpDesc{*row, node.name, node.attributes, ExtentRule::kStandard});
  const std::vector<const TensorInfo*> inputs = known_inputs(visit.facts, n);
  const Result<TensorInfo> output = infer_checked(*op, inputs);
  if (!output.ok() && output.status().code() == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();
  return output.ok() ? op : nullptr;
}

}  // namespace

std::shared_ptr<const OpDesc> fixable(const GraphVisit& visit, size_t n) {
  const Node& node = visit.graph.nodes[n];
  const NodeFacts& facts = visit.facts.nodes[n];
  if (facts.kind != NodeKind::kOperator || node.message.empty() || !node.subgraphs.empty() || !node.fault.ok() ||
      node.outputs.size() != 1)
    return nullptr;
  if (facts.op == nullptr) return old_upsample(visit, n);
  return facts.is_valid ? facts.op : nullptr;
}

NodeFixer::NodeFixer(const GraphVisit& visit, size_t node, Run& run)
    : visit_(visit), node_(node), run_(run), known_(known_inputs(visit.facts, node)) {
  forget_defaults();
}

// Since version 4 of the format an initializer that is an input, too, is a default, and callers may give another value.
void NodeFixer::forget_defaults() {
  if (run_.model.ir_version < 4) return;
  const GraphIndex& index = visit_.facts.index;
  for (size_t k = 0; k < known_.size(); ++k) {
    const ValueId value = index.inputs(node_)[k];
    if (value == kNoValue || index.producer(value) != kProducedByInput || index.initializer(value) == nullptr) continue;
    TensorInfo& info = without_default_.emplace_back(*known_[k]);
    info.constant.reset();
    info.shape_value.reset();
    known_[k] = &info;
  }
}

Status NodeFixer::fix() {
  const std::shared_ptr<const OpDesc> op = fixable(visit_, node_);
  if (op == nullptr) return {};
  before_ = current_ = unchanged(*op, known_);
  TESELA_RETURN_IF_ERROR(upgrade());
  for (const Cure& each : all_cures()) {
    if (!look_) look_.emplace(current_, known_, run_);
    cure(each, *look_);
  }
  run_.report.nodes += is_changed_ ? 1 : 0;
  return {};
}

Status NodeFixer::upgrade() {
  TESELA_ASSIGN_OR_RETURN(const int64_t imported, onnx_opset(visit_.imports));
  const int64_t opset = std::max(imported, run_.options.opset);
  const bool is_withdrawn = visit_.facts.nodes[node_].op == nullptr;
  if (run_.options.opset == 0 && !is_withdrawn) return {};
  const std::string name = where(current_.op);
  Result<Call> after = upgraded(current_, opset, known_);
  Status status = after.ok() ? Status() : after.status();
  if (after.ok() && after->op.schema == current_.op.schema) return {};
  if (after.ok()) status = apply("standard/upgrade", std::move(*after), Kind::kKeepsNumbers);
  if (status.ok()) return {};
  if (!is_withdrawn) return status.with_prefix(fmt::format("{} cannot be upgraded to opset {}: ", name, opset));
  leave("standard/upgrade", status);
  return {};
}

void NodeFixer::cure(const Cure& cure, const Look& look) {
  const Situation situation{current_, look.view};
  if (!cure.applies(situation, cure.rule)) return;
  if (!is_meant(cure)) {
    // Where the caller says what is meant, nothing else is.
    if (run_.options.meaning.empty())
      leave(cure.rule, value_error("the cure changes numbers; --meant {} asks for it", cure.meaning));
    return;
  }
  Result<Call> after = cure.change(situation);
  if (!after.ok()) return leave(cure.rule, after.status());
  const bool is_optional = cure.meaning.empty() && !cure.rule.starts_with("standard/");
  if (is_optional && !lessens_findings(*after)) return;
  const Kind kind = cure.meaning.empty() ? Kind::kKeepsNumbers : Kind::kIsMeant;
  const Status status = apply(cure.rule, std::move(*after), kind);
  if (!status.ok() && !is_optional) leave(cure.rule, status);
}

bool NodeFixer::is_meant(const Cure& cure) const {
  return cure.meaning.empty() || cure.meaning == "extents" || cure.meaning == run_.options.meaning;
}

size_t NodeFixer::findings_of(const Call& call) {
  const Look look(call, known_, run_);
  std::vector<const peers::Peer*> peers;
  for (const peers::Peer& peer : peers::all_peers()) peers.push_back(&peer);
  return peers::find_differences(look.view, peers).size();
}

bool NodeFixer::lessens_findings(const Call& after) {
  return --run_.looks >= 0 && run_.effects.left > 0 && findings_of(after) < findings_of(current_);
}

Status NodeFixer::apply(std::string_view rule, Call after, Kind kind) {
  TESELA_RETURN_IF_ERROR(check_declared(after));
  TESELA_ASSIGN_OR_RETURN(const Comparison proof, compare(current_, after, known_, run_.limits, run_.proofs));
  if (kind == Kind::kKeepsNumbers && !proof.is_equal())
    return value_error("{} of {} outputs would differ, by up to {:.2g}", proof.different, proof.outputs,
                       proof.difference);
  if (proof.has_other_extents && !run_.may_change_extents)
    return shape_error("shapes that the file declares after it would be wrong");
  FixChange change;
  change.node = shortened(current_.op.node);
  change.where = where(current_.op);
  change.rule = rule;
  change.text = message_text(change_text(current_, after));
  change.keeps_numbers = proof.is_equal();
  change.proof = proof;
  if (run_.report.changes.size() < kMostEntries) run_.report.changes.push_back(std::move(change));
  current_ = std::move(after);
  look_.reset();
  is_changed_ = true;
  return {};
}

// A declaration of the output's shape that the change contradicts. Errors: shape.
Status NodeFixer::check_declared(const Call& after) const {
  const GraphIndex& index = visit_.facts.index;
  const ValueId output = index.outputs(node_)[0];
  const CallInfos infos(after, known_);
  const Result<TensorInfo> made = infer_checked(after.op, infos.view());
  if (!made.ok()) return made.status();
  // Where the extents stay, the file is as right or wrong about them as before.
  const CallInfos old(current_, known_);
  const Result<TensorInfo> was = infer_checked(current_.op, old.view());
  if (output == kNoValue || (was.ok() && was->dims == made->dims)) return {};
  const KnownInfo info = std::make_shared<KnownValue>(KnownValue{*made});
  for (const ValueDeclaration* declared : {index.value_info(output), index.output(output)}) {
    if (declared == nullptr) continue;
    const Result<KnownInfo> both = join(info, *declared, run_.limits);
    if (!both.ok()) return both.status().with_prefix(fmt::format("output {} ", in_quotes(index.name(output))));
  }
  return {};
}

void NodeFixer::leave(std::string_view rule, const Status& why) {
  if (why.code() == TESELA_ERROR_NO_MEMORY) throw std::bad_alloc();  // no property of the node
  if (run_.report.left.size() >= kMostEntries) return;
  run_.report.left.push_back({shortened(current_.op.node), where(current_.op), std::string(rule), why.message()});
}

std::string NodeFixer::where(const OpDesc& op) const {
  const std::string text = op.where();
  return message_text(visit_.path + text.substr(0, text.size() - 2));  // without ": "
}

}  // namespace tesela::fix
