// SPDX-License-Identifier: Apache-2.0
// Traces unknown properties to their origins.
#include "graph/origins.h"

#include <algorithm>

#include "graph/small_inputs.h"
#include "graph/value_text.h"
#include "types/text.h"

namespace tesela {
namespace {

Origins& origins_of(GraphFacts& facts, ValueId value) {
  return facts.origins[static_cast<size_t>(value)];
}

const KnownValue* known_of(const GraphFacts& facts, ValueId value) {
  return facts.values[static_cast<size_t>(value)].get();
}

bool has_whole_shape(const KnownValue* known) {
  return known && known->type != DataType::kUndefined && all_known(known->dims);
}

ValueId first_of(ValueId a, ValueId b) {
  return a != kNoValue ? a : b;
}

// The origins of the unknown properties of a node's inputs; the first input that has one counts.
struct InputOrigins {
  ValueId shape = kNoValue;
  ValueId first_elements = kNoValue;  // of input 0
  ValueId later_elements = kNoValue;
};

InputOrigins input_origins(const GraphFacts& facts, size_t node) {
  InputOrigins found;
  const auto inputs = facts.index.inputs(node);
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k] == kNoValue) continue;
    const Origins& input = facts.origins[static_cast<size_t>(inputs[k])];
    found.shape = first_of(found.shape, input.shape);
    ValueId& elements = k == 0 ? found.first_elements : found.later_elements;
    elements = first_of(elements, input.elements);
  }
  return found;
}

// True if an output is unknown only because of unknown inputs.
bool depends_on_inputs(const GraphFacts& facts, size_t node) {
  const NodeFacts& node_facts = facts.nodes[node];
  return node_facts.kind == NodeKind::kForeign ? node_facts.has_rule
                                               : node_facts.kind != NodeKind::kOperator || node_facts.is_valid;
}

std::string unknown_extents(const Dims& dims) {
  constexpr size_t kMax = 60;
  std::string text;
  for (const Dim& dim : dims) {
    if (dim.known()) continue;
    if (text.size() > kMax) return text + ", ...";
    text += (text.empty() ? "" : ", ") + (dim.symbol.empty() ? "?" : printable(dim.symbol));
  }
  return text;
}

std::string unknown_input_reason(const KnownValue* known) {
  if (known == nullptr || !known->dims) return "no shape is declared";
  const std::string extents = unknown_extents(*known->dims);
  return extents.empty() ? "its elements are given in a run" : "extents that are not numbers: " + extents;
}

}  // namespace

void trace_seeds(GraphFacts& facts) {
  for (size_t v = 0; v < facts.values.size(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (facts.index.producer(value) >= 0) continue;
    const KnownValue* known = known_of(facts, value);
    if (!has_whole_shape(known)) facts.origins[v].shape = value;
    if (known == nullptr || !known->constant) facts.origins[v].elements = value;
  }
}

void trace_outputs(GraphFacts& facts, size_t node) {
  const InputOrigins inputs = depends_on_inputs(facts, node) ? input_origins(facts, node) : InputOrigins();
  for (const ValueId output : facts.index.outputs(node)) {
    if (output == kNoValue || facts.index.producer(output) != static_cast<int32_t>(node)) continue;
    const KnownValue* known = known_of(facts, output);
    Origins& origins = origins_of(facts, output);
    const ValueId elements = first_of(inputs.first_elements, inputs.later_elements);
    if (!has_whole_shape(known))
      origins.shape = first_of(first_of(inputs.shape, inputs.later_elements), first_of(inputs.first_elements, output));
    if (known == nullptr || !known->constant) origins.elements = first_of(first_of(inputs.shape, elements), output);
  }
}

OriginText origin_text(const GraphFacts& facts, ValueId value) {
  const std::string name = in_quotes(facts.index.name(value));
  const int32_t producer = facts.index.producer(value);
  if (producer == kProducedByInput) return {"input " + name, unknown_input_reason(known_of(facts, value))};
  if (producer < 0) return {"value " + name, "it is made outside this graph"};
  const Node& node = facts.index.graph().nodes[static_cast<size_t>(producer)];
  const NodeFacts& node_facts = facts.nodes[static_cast<size_t>(producer)];
  if (!node_facts.faults.empty()) return {node_text(node), "see its faults"};
  if (node_facts.has_rule || node_facts.kind != NodeKind::kForeign)
    return {node_text(node), "its output depends on elements that are known only in a run"};
  return {node_text(node), "Tesela does not infer shapes through this operator"};
}

std::vector<ValueId> origins_of_output(const GraphFacts& facts, size_t node) {
  std::vector<ValueId> found;
  const auto outputs = facts.index.outputs(node);
  if (outputs.empty() || outputs[0] == kNoValue || has_whole_shape(known_of(facts, outputs[0]))) return found;
  const auto add = [&](ValueId value) {
    if (value != kNoValue && std::find(found.begin(), found.end(), value) == found.end()) found.push_back(value);
  };
  const NodeFacts& node_facts = facts.nodes[node];
  const auto inputs = facts.index.inputs(node);
  for (size_t k = 0; node_facts.op && k < inputs.size(); ++k) {
    if (inputs[k] == kNoValue) continue;
    const Origins& input = facts.origins[static_cast<size_t>(inputs[k])];
    add(is_data_input(*node_facts.op, k) ? input.shape : input.elements);
  }
  return found;
}

}  // namespace tesela
