// SPDX-License-Identifier: Apache-2.0
// Finds names in the graphs around a subgraph.
#include "graph/outer_names.h"

#include "graph/propagate.h"

namespace tesela {

void OuterNames::enter(const Scope& scope) {
  const GraphIndex& index = scope.facts->index;
  for (size_t v = 0; v < index.value_count(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (index.producer(value) != kNoProducer) definitions_[index.name(value)].push_back({&scope, value});
  }
}

void OuterNames::leave(const Scope& scope) {
  const GraphIndex& index = scope.facts->index;
  for (size_t v = 0; v < index.value_count(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (index.producer(value) != kNoProducer) definitions_[index.name(value)].pop_back();
  }
}

OuterValue OuterNames::find(const Name& name) const {
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || found->second.empty()) return {};
  const auto& [scope, value] = found->second.back();
  const int32_t producer = scope->facts->index.producer(value);
  const bool is_later = producer >= 0 && static_cast<size_t>(producer) >= scope->node;
  return {true, is_later, scope->facts->values[static_cast<size_t>(value)]};
}

}  // namespace tesela
