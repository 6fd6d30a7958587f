// SPDX-License-Identifier: Apache-2.0
// Finds a node of a model and plans it.
#include "graph/plan_node.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "graph/origins.h"
#include "graph/small_inputs.h"
#include "graph/value_text.h"
#include "graph/walk.h"
#include "plan/resolve.h"
#include "types/suggestion.h"
#include "types/text.h"

namespace tesela {
namespace {

// Why a property of an input is unknown, and what to give.
std::string unknown_text(const GraphFacts& facts, ValueId origin, ValueId input) {
  const ValueId value = origin != kNoValue ? origin : input;
  const auto [what, why] = origin_text(facts, value);
  return fmt::format("{}: {}", what, why);
}

// The value whose shape would help: a graph's input, or what an operator without a rule makes.
std::string example_of(const GraphFacts& facts, ValueId origin, ValueId input) {
  const ValueId value = origin != kNoValue ? origin : input;
  return printable(shortened(std::string_view(facts.index.name(value)), 60));
}

Status check_known(const GraphVisit& visit, size_t n, std::span<const TensorInfo* const> inputs) {
  const GraphFacts& facts = visit.facts;
  const OpDesc& op = *facts.nodes[n].op;
  const auto values = facts.index.inputs(n);
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k] == nullptr) continue;
    const std::string_view port = op.schema->inputs[k].name;
    const Origins& origins = facts.origins[static_cast<size_t>(values[k])];
    if (all_known(inputs[k]->dims) && inputs[k]->type == DataType::kUndefined)
      return type_error("{}input '{}' has an unknown element type ({})", op.where(), port,
                        unknown_text(facts, origins.shape, values[k]));
    if (!all_known(inputs[k]->dims))
      return shape_error("{}input '{}' has an unknown shape ({}); give shapes, such as {}=1x3x224x224", op.where(),
                         port, unknown_text(facts, origins.shape, values[k]),
                         example_of(facts, origins.shape, values[k]));
    if (!is_data_input(op, k) && !inputs[k]->constant)
      return value_error("{}input '{}' has unknown elements ({})", op.where(), port,
                         unknown_text(facts, origins.elements, values[k]));
  }
  return {};
}

Result<Plan> plan_known(const GraphVisit& visit, size_t n, const Limits& limits) {
  const NodeFacts& facts = visit.facts.nodes[n];
  if (!facts.faults.empty()) return facts.faults.front();
  if (!facts.op)
    return unsupported_error("{}: the model imports no version of its operator", node_text(visit.graph.nodes[n]));
  const std::vector<const TensorInfo*> inputs = known_inputs(visit.facts, n);
  TESELA_RETURN_IF_ERROR(check_known(visit, n, inputs));
  return make_plan(*facts.op, inputs, limits);
}

class Search {
 public:
  Search(std::string_view wanted, const Limits& limits) : wanted_(wanted), limits_(limits) {
    if (!wanted.starts_with('#')) return;
    const char* const end = wanted.data() + wanted.size();
    const auto [rest, error] = std::from_chars(wanted.data() + 1, end, position_);
    if (error != std::errc() || rest != end) position_ = 0;
  }

  void visit(const GraphVisit& visit) {
    for (size_t n = 0; n < visit.graph.nodes.size(); ++n) {
      const Node& node = visit.graph.nodes[n];
      if (visit.facts.nodes[n].kind == NodeKind::kOperator)
        consider(visit, n);
      else if (!wanted_.empty() && wanted_ == node.name && foreign_.empty())
        foreign_ = node_text(node);
    }
  }

  Result<Plan> result() {
    if (found_ == 1) return std::move(*plan_);
    if (found_ == 0) return none();
    const std::string by = fmt::format("give one of #1 to #{}, or a path such as {}", count_, in_quotes(first_));
    if (wanted_.empty()) return value_error("the model has {} nodes of Tesela's operators; {}", found_, by);
    return value_error("{} names {} nodes of Tesela's operators; {}", in_quotes(wanted_), found_, by);
  }

 private:
  void consider(const GraphVisit& visit, size_t n) {
    const Node& node = visit.graph.nodes[n];
    ++count_;
    constexpr size_t kMaxNames = 1000;  // and bytes of one; a damaged file can have a million
    if (!node.name.empty() && node.name.size() <= kMaxNames && names_.size() < kMaxNames) names_.push_back(node.name);
    if (!matches(visit, node)) return;
    if (++found_ > 1) return;
    first_ = visit.path + (node.name.empty() ? fmt::format("#{}", count_) : node.name);
    plan_ = plan_known(visit, n, limits_);
    if (!plan_->ok() && !visit.path.empty()) plan_ = plan_->status().with_prefix(visit.path);
  }

  bool matches(const GraphVisit& visit, const Node& node) const {
    if (wanted_.empty() || (position_ > 0 && position_ == count_)) return true;
    if (node.name.empty()) return false;
    return wanted_ == node.name || (!visit.path.empty() && wanted_ == visit.path + node.name);
  }

  Status none() const {
    if (count_ == 0) return value_error("the model has no node of Tesela's operators");
    if (!foreign_.empty()) return unsupported_error("{} is not an operator of Tesela", foreign_);
    std::string near = suggestion(wanted_, names_);
    if (near.empty()) near = fmt::format("; expected a name, or #1 to #{}", count_);
    return value_error("no node of Tesela's operators is named {}{}", in_quotes(wanted_), near);
  }

  std::string_view wanted_;
  const Limits& limits_;
  size_t position_ = 0;  // of "#3"; 0: a name
  size_t count_ = 0;     // Tesela's nodes so far
  size_t found_ = 0;
  std::vector<std::string_view> names_;
  std::string foreign_;
  std::string first_;
  std::optional<Result<Plan>> plan_;
};

// Errors: value (no such value), and contradictions to the file.
Status check_given(const Model& model, const GivenValues& given, const Limits& limits) {
  const GraphIndex index(model.graph);
  for (const ValueDeclaration& value : given) {
    const ValueId id = index.find(value.name);
    if (id == kNoValue) {
      std::vector<std::string_view> names;
      constexpr size_t kMaxNames = 1000;
      for (const ValueDeclaration& input : model.graph.inputs)
        if (names.size() < kMaxNames && input.name.text().size() <= kMaxNames) names.emplace_back(input.name);
      return value_error("the model has no value {}{}", in_quotes(value.name), suggestion(value.name, names));
    }
    const ValueDeclaration* declared = index.input(id);
    if (declared == nullptr) continue;
    const Result<KnownInfo> both = join(declared_info(value, limits), *declared, limits);
    if (!both.ok()) return both.status().with_prefix(fmt::format("input {} ", in_quotes(value.name)));
  }
  return {};
}

}  // namespace

Result<Plan> plan_node(const Model& model, std::string_view node, const GivenValues& given, const Limits& limits) {
  TESELA_RETURN_IF_ERROR(check_given(model, given, limits));
  Search search(node, limits);
  TESELA_RETURN_IF_ERROR(walk_graphs(
      model, limits, [&search](const GraphVisit& visit) { search.visit(visit); }, &given));
  return search.result();
}

}  // namespace tesela
