// SPDX-License-Identifier: Apache-2.0
// Infers the values of a graph node by node, in one pass.
#include "graph/propagate.h"

#include <algorithm>
#include <unordered_map>

#include "graph/constant.h"
#include "graph/origins.h"
#include "graph/small_inputs.h"
#include "graph/value_text.h"
#include "shapes/shape_rule.h"

namespace tesela {
namespace {

// An attribute that references one of the enclosing function has a kind and no value.
const Attribute* find_reference(const Node& node) {
  if (!node.fault.ok()) return nullptr;  // then the missing value is of an attribute that could not be read
  for (const Attribute& attribute : node.attributes) {
    const bool is_readable = attribute.kind <= AttributeKind::kStrings && attribute.kind != AttributeKind::kGraph;
    if (is_readable && std::holds_alternative<std::monostate>(attribute.value)) return &attribute;
  }
  return nullptr;
}

bool is_function(const Node& node, const FunctionNames* functions) {
  return functions && functions->contains({node.domain, node.type});
}

class Propagation {
 public:
  Propagation(const Graph& graph, const PropagateOptions& options)
      : graph_(graph), options_(options), facts_(graph), index_(facts_.index) {
    if (options.given != nullptr)
      for (const ValueDeclaration& value : *options.given) given_.emplace(index_.find(value.name), &value);
  }

  GraphFacts run() {
    for (size_t v = 0; v < facts_.values.size(); ++v) seed(static_cast<ValueId>(v));
    trace_seeds(facts_);
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      visit(n);
      trace_outputs(facts_, n);
    }
    return std::move(facts_);
  }

 private:
  KnownInfo& info(ValueId value) { return facts_.values[static_cast<size_t>(value)]; }

  void seed(ValueId value) {
    if (const Initializer* initializer = index_.initializer(value); initializer && initializer->fault.ok())
      info(value) = constant_info(initializer->value);
    else if (const ValueDeclaration* input = index_.input(value))
      info(value) = declared_info(*input, options_.limits);
    else if (index_.producer(value) == kNoProducer)
      info(value) = find_outer(options_.outer, index_.name(value)).info;
    if (const ValueDeclaration* given = find_given(value)) add_given(value, *given);
  }

  const ValueDeclaration* find_given(ValueId value) const {
    const auto found = given_.find(value);
    return found == given_.end() ? nullptr : found->second;
  }

  // A contradiction to the file leaves what the file says; plan_node reports it.
  void add_given(ValueId value, const ValueDeclaration& given) {
    const Result<KnownInfo> both = join(info(value), given, options_.limits);
    if (!both.ok()) return;
    info(value) = given.info.constant ? constant_info(*given.info.constant) : *both;
  }

  void visit(size_t n) {
    const Node& node = graph_.nodes[n];
    NodeFacts& facts = facts_.nodes[n];
    facts.kind = node_kind(node, options_.functions);
    switch (facts.kind) {
      case NodeKind::kOperator: return visit_operator(n);
      case NodeKind::kConstant: return visit_constant(n);
      case NodeKind::kIdentity:
        if (check_ports(n, 1)) set_output(n, 0, input_info(n, 0));
        return;
      case NodeKind::kForeign: return visit_foreign(n);
    }
  }

  void add_fault(size_t n, const Status& status) {
    const auto& op = facts_.nodes[n].op;
    facts_.nodes[n].faults.push_back(status.with_prefix(op ? op->where() : node_text(graph_.nodes[n]) + ": "));
  }

  // ---- Foreign nodes, Constant, Identity

  void visit_foreign(size_t n) {
    if (!graph_.nodes[n].fault.ok()) add_fault(n, graph_.nodes[n].fault);
    std::vector<KnownInfo> known = outputs_by_rule(n);
    known.resize(index_.outputs(n).size());
    for (size_t k = 0; k < known.size(); ++k) set_output(n, k, std::move(known[k]));
  }

  // The outputs by the shape rule of a foreign operator; empty if there is no rule.
  std::vector<KnownInfo> outputs_by_rule(size_t n) {
    const Node& node = graph_.nodes[n];
    const bool is_onnx = is_onnx_domain(node.domain) && !is_function(node, options_.functions);
    const ShapeRule* rule = is_onnx ? find_shape_rule(node.type, options_.opset) : nullptr;
    constexpr size_t kMaxOutputs = 256;
    const size_t count = node.outputs.size();
    if (rule == nullptr || !node.fault.ok() || find_reference(node) || count == 0 || count > kMaxOutputs) return {};
    facts_.nodes[n].has_rule = true;
    std::vector<const KnownValue*> inputs;
    for (const ValueId input : index_.inputs(n)) inputs.push_back(input == kNoValue ? nullptr : known_or_empty(input));
    std::vector<KnownValue> made(count);
    if (budget_ > 0) rule->rule(RuleNode(node, inputs), made);
    std::vector<KnownInfo> known;
    for (KnownValue& value : made) known.push_back(within_limits(std::move(value)));
    return known;
  }

  const KnownValue* known_or_empty(ValueId value) {
    const KnownValue* known = info(value).get();
    return known ? known : &kUnknownValue;
  }

  // Limits memory: a damaged file can have a million nodes with many long shapes.
  KnownInfo within_limits(KnownValue value) {
    budget_ -= static_cast<int64_t>(bytes_of(value));
    if (value.dims && static_cast<int64_t>(value.dims->size()) > options_.limits.max_rank)
      value = {{value.type, {}, {}, {}}, {}};
    const bool has_information = value.type != DataType::kUndefined || value.dims;
    return has_information ? std::make_shared<KnownValue>(std::move(value)) : nullptr;
  }

  void visit_constant(size_t n) {
    const Node& node = graph_.nodes[n];
    if (!check_ports(n, 0)) return;
    if (options_.has_parameters && find_reference(node)) return set_output(n, 0, nullptr);
    Result<Tensor> value = constant_value(node, options_.opset == 0 ? kNewestOpset : options_.opset);
    if (!value.ok()) add_fault(n, value.status());
    set_output(n, 0, value.ok() ? constant_info(*value) : nullptr);
  }

  bool check_ports(size_t n, size_t inputs) {
    const Node& node = graph_.nodes[n];
    const bool has_inputs = node.inputs.size() == inputs && std::none_of(node.inputs.begin(), node.inputs.end(),
                                                                         [](const Name& name) { return name.empty(); });
    if (!has_inputs) add_fault(n, count_error("has {} inputs; expected {}", node.inputs.size(), inputs));
    return check_output(n) && has_inputs;
  }

  bool check_output(size_t n) {
    const Node& node = graph_.nodes[n];
    if (node.outputs.size() == 1 && !node.outputs.front().empty()) return true;
    if (node.outputs.size() == 1)
      add_fault(n, count_error("its output has no name; expected one"));
    else
      add_fault(n, count_error("has {} outputs; expected 1", node.outputs.size()));
    return false;
  }

  // ---- Our operators

  void visit_operator(size_t n) {
    const Node& node = graph_.nodes[n];
    const int64_t opset = node.opset != 0 ? node.opset : options_.opset;
    if (opset != 0) resolve(n, opset);
    if (!node.fault.ok()) add_fault(n, node.fault);
    const Attribute* reference = find_reference(node);
    if (reference && !options_.has_parameters)
      add_fault(n, attribute_error("attribute {} refers to a function's attribute, but the node is not in a function",
                                   in_quotes(reference->name)));
    const OpDesc* op = facts_.nodes[n].op.get();
    KnownInfo out;
    if (op != nullptr && node.fault.ok() && !reference) out = infer_output(n, *op);
    if (op != nullptr) check_output(n);
    if (!index_.outputs(n).empty()) set_output(n, 0, out);
  }

  void resolve(size_t n, int64_t opset) {
    const Node& node = graph_.nodes[n];
    // Attributes are compared with each other, so very many are an error before that.
    constexpr size_t kMaxAttributes = 256;
    if (node.attributes.size() > kMaxAttributes)
      return add_fault(n, attribute_error("has {} attributes; no operator has more than {}", node.attributes.size(),
                                          kMaxAttributes));
    const Result<const OpSchema*> schema = find_schema(node.domain, node.type, opset);
    if (!schema.ok()) {
      const std::string name = node.name.empty() ? "" : "node " + in_quotes(node.name) + ": ";
      facts_.nodes[n].faults.push_back(schema.status().with_prefix(name));
      return;
    }
    facts_.nodes[n].op = std::make_shared<OpDesc>(OpDesc{*schema, node.name, node.attributes, options_.extents});
  }

  KnownInfo infer_output(size_t n, const OpDesc& op) {
    const std::vector<const TensorInfo*> inputs = known_inputs(facts_, n);
    std::vector<Status>& faults = facts_.nodes[n].faults;
    const size_t before = faults.size();
    for (Status& fault : validate_attributes(op)) faults.push_back(std::move(fault));
    for (Status& fault : validate_inputs(op, inputs)) faults.push_back(std::move(fault));
    if (faults.size() > before) return nullptr;
    if (const Status status = check_small_inputs(op, inputs, options_.limits); !status.ok()) {
      add_fault(n, status);
      return nullptr;
    }
    Result<TensorInfo> inferred = infer(op, inputs);
    if (!inferred.ok()) {
      add_fault(n, inferred.status());
      return nullptr;
    }
    facts_.nodes[n].is_valid = true;
    auto known = std::make_shared<KnownValue>(KnownValue{std::move(*inferred)});
    keep_symbols_within_budget(*known);
    if (op.schema->op == Operator::kConstantOfShape) set_filled(*known, op.tensor_value("value"));
    return known;
  }

  // Each node's shape has its own symbols, and a small file can have many nodes: beyond the budget extents are unknown.
  void keep_symbols_within_budget(KnownValue& value) {
    for (auto* dims : {&value.dims, &value.shape_value}) {
      if (!*dims) continue;
      for (const Dim& dim : **dims) symbol_budget_ -= static_cast<int64_t>(dim.symbol.size());
      if (symbol_budget_ >= 0) continue;
      for (Dim& dim : **dims) dim.symbol = {};
    }
  }

  // ---- Ports

  KnownInfo input_info(size_t n, size_t k) {
    const ValueId value = index_.inputs(n)[k];
    return value == kNoValue ? nullptr : info(value);
  }

  void set_output(size_t n, size_t k, KnownInfo known) {
    const ValueId value = index_.outputs(n)[k];
    // If another producer claimed the name first, this node does not define it.
    if (value == kNoValue || index_.producer(value) != static_cast<int32_t>(n)) return;
    for (const ValueDeclaration* declared : {index_.value_info(value), index_.output(value), find_given(value)}) {
      if (declared == nullptr) continue;
      Result<KnownInfo> both = join(known, *declared, options_.limits);
      if (both.ok())
        known = *both;
      else if (facts_.nodes[n].kind == NodeKind::kForeign)
        known = declared_info(*declared, options_.limits);  // a foreign operator is not checked against its file
      else
        add_fault(n, both.status().with_prefix(fmt::format("output {} ", in_quotes(index_.name(value)))));
    }
    info(value) = std::move(known);
  }

  const Graph& graph_;
  const PropagateOptions& options_;
  GraphFacts facts_;
  const GraphIndex& index_;
  std::unordered_map<ValueId, const ValueDeclaration*> given_;
  int64_t budget_ = int64_t{1} << 27;         // bytes of values that rules may infer
  int64_t symbol_budget_ = int64_t{1} << 23;  // bytes of symbols that supported operators may pass on
};

}  // namespace

NodeKind node_kind(const Node& node, const FunctionNames* functions) {
  if (is_function(node, functions)) return NodeKind::kForeign;
  if (is_known_operator(node.domain, node.type)) return NodeKind::kOperator;
  if (node.domain == kOpenvinoDomain && node.type == "Result") return NodeKind::kIdentity;
  if (!is_onnx_domain(node.domain)) return NodeKind::kForeign;
  if (node.type == "Constant") return NodeKind::kConstant;
  return node.type == "Identity" ? NodeKind::kIdentity : NodeKind::kForeign;
}

std::vector<const TensorInfo*> known_inputs(const GraphFacts& facts, size_t node) {
  std::vector<const TensorInfo*> inputs;
  for (const ValueId input : facts.index.inputs(node)) {
    const TensorInfo* known = input == kNoValue ? nullptr : facts.values[static_cast<size_t>(input)].get();
    inputs.push_back(input != kNoValue && known == nullptr ? &kUnknownValue : known);
  }
  return inputs;
}

GraphFacts propagate(const Graph& graph, const PropagateOptions& options) {
  return Propagation(graph, options).run();
}

}  // namespace tesela
