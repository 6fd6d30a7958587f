// Finds names in the graphs around a subgraph.
#include "graph/outer_names.h"

#include "graph/propagate.h"

namespace tesela {

void OuterNames::enter(const Scope& scope) {
  const GraphIndex& index = scope.facts->index;
  for (size_t v = 0; v < index.value_count(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (index.maker(value) != kMadeByNobody) makers_[index.name(value)].push_back({&scope, value});
  }
}

void OuterNames::leave(const Scope& scope) {
  const GraphIndex& index = scope.facts->index;
  for (size_t v = 0; v < index.value_count(); ++v) {
    const auto value = static_cast<ValueId>(v);
    if (index.maker(value) != kMadeByNobody) makers_[index.name(value)].pop_back();
  }
}

OuterValue OuterNames::find(const Name& name) const {
  const auto found = makers_.find(name);
  if (found == makers_.end() || found->second.empty()) return {};
  const auto& [scope, value] = found->second.back();
  const int32_t maker = scope->facts->index.maker(value);
  const bool is_later = maker >= 0 && static_cast<size_t>(maker) >= scope->node;
  return {true, is_later, scope->facts->values[static_cast<size_t>(value)]};
}

}  // namespace tesela
