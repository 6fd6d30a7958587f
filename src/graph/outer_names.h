// SPDX-License-Identifier: Apache-2.0
// The names that a subgraph can use from the graphs around it.
#pragma once

#include <unordered_map>
#include <vector>

#include "graph/graph_index.h"
#include "graph/known_info.h"

namespace tesela {

struct GraphFacts;
class OuterNames;

/// The graphs around a subgraph, which is in an attribute of `node` of `facts`.
struct Scope {
  const GraphFacts* facts = nullptr;
  size_t node = 0;
  const Scope* outer = nullptr;
  const OuterNames* names = nullptr;  // of this scope and all outer ones
};

/// The value of a name from an outer graph.
struct OuterValue {
  bool exists = false;
  bool is_later = false;  // made by the node with the subgraph, or by a later one
  KnownInfo info;
};

/// The definitions of each name, innermost graph last: a lookup takes the same time at any depth of nesting.
class OuterNames {
 public:
  /// scope: of a graph whose subgraphs are visited next; it must not move until leave().
  void enter(const Scope& scope);
  /// scope: the last one entered.
  void leave(const Scope& scope);

  OuterValue find(const Name& name) const;

 private:
  struct Definition {
    const Scope* scope;
    ValueId value;
  };
  std::unordered_map<Name, std::vector<Definition>, NameHash> definitions_;
};

/// scope: null outside subgraphs.
inline OuterValue find_outer(const Scope* scope, const Name& name) {
  return scope == nullptr ? OuterValue() : scope->names->find(name);
}

}  // namespace tesela
