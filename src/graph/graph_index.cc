// SPDX-License-Identifier: Apache-2.0
// Numbers the values of a graph.
#include "graph/graph_index.h"

#include <algorithm>

namespace tesela {

GraphIndex::GraphIndex(const Graph& graph) : graph_(&graph) {
  numbers_.reserve(graph.nodes.size() + graph.inputs.size() + graph.initializers.size());
  add_declarations();
  add_nodes();
  for (const ValueDeclaration& output : graph.outputs) {
    const ValueId value = number(output.name);
    graph_outputs_.push_back(value);
    if (value != kNoValue) values_[static_cast<size_t>(value)].output = &output;
  }
  for (const ValueDeclaration& info : graph.values) {
    // A declaration of a value that does not exist is ignored.
    const ValueId value = find(info.name);
    if (value != kNoValue) values_[static_cast<size_t>(value)].value_info = &info;
  }
}

ValueId GraphIndex::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? kNoValue : found->second;
}

ValueId GraphIndex::number(const Name& name) {
  if (name.empty()) return kNoValue;
  const auto [found, is_new] = numbers_.try_emplace(name, static_cast<ValueId>(values_.size()));
  if (is_new) values_.push_back({name});
  return found->second;
}

void GraphIndex::claim(ValueId value, int32_t producer) {
  if (value == kNoValue) return;
  int32_t& first = values_[static_cast<size_t>(value)].producer;
  // An input and an initializer with the same name are one value with a default.
  if (first == kProducedByInput && producer == kProducedByInitializer) return;
  if (first == kNoProducer)
    first = producer;
  else
    clashes_.push_back({value, producer});
}

void GraphIndex::add_declarations() {
  for (const ValueDeclaration& input : graph_->inputs) {
    const ValueId value = number(input.name);
    claim(value, kProducedByInput);
    if (value == kNoValue) continue;
    const ValueDeclaration*& declared = values_[static_cast<size_t>(value)].input;
    if (declared == nullptr) declared = &input;
  }
  for (const Initializer& initializer : graph_->initializers) {
    const ValueId value = number(initializer.name);
    if (value == kNoValue) continue;
    const Initializer*& known = values_[static_cast<size_t>(value)].initializer;
    if (known != nullptr) {
      clashes_.push_back({value, kProducedByInitializer});
      continue;
    }
    known = &initializer;
    claim(value, kProducedByInitializer);
  }
}

void GraphIndex::add_nodes() {
  starts_.reserve(2 * graph_->nodes.size() + 1);
  int32_t position = 0;
  for (const Node& node : graph_->nodes) {
    starts_.push_back(ports_.size());
    for (const Name& input : node.inputs) ports_.push_back(number(input));
    starts_.push_back(ports_.size());
    for (const Name& output : node.outputs) {
      const ValueId value = number(output);
      ports_.push_back(value);
      claim(value, position);
    }
    ++position;
  }
  starts_.push_back(ports_.size());
  ports_.push_back(kNoValue);  // so that the end of the last span has an address
}

std::string operator_text(const Node& node) {
  const bool is_plain = !node.type.empty() && node.type.size() <= 40 &&
                        std::all_of(node.type.begin(), node.type.end(), [](char c) { return c > ' ' && c < 0x7f; });
  return is_plain ? node.type : in_quotes(node.type);
}

std::string node_text(const Node& node) {
  if (!node.name.empty()) return fmt::format("{} node {}", operator_text(node), in_quotes(node.name));
  for (const Name& output : node.outputs)
    if (!output.empty()) return fmt::format("{} node that makes {}", operator_text(node), in_quotes(output));
  return operator_text(node) + " node without a name";
}

}  // namespace tesela
