// The names that a subgraph sees: those of the graphs around it.
#pragma once

#include <unordered_map>
#include <vector>

#include "graph/graph_index.h"
#include "graph/known_info.h"

namespace tesela {

struct GraphFacts;
class OuterNames;

/// The graphs around a subgraph: `node` of `facts` holds it.
struct Scope {
  const GraphFacts* facts = nullptr;
  size_t node = 0;
  const Scope* outer = nullptr;
  const OuterNames* names = nullptr;  // of this scope and all around it
};

/// Where a name of an outer graph leads.
struct OuterValue {
  bool exists = false;
  bool is_later = false;  // made by the node that holds the subgraph, or by one after it
  KnownInfo info;
};

/// Who makes each name, innermost graph last: however deep graphs are nested, a name is looked up once.
class OuterNames {
 public:
  /// scope: of a graph whose subgraphs are to be walked; it must stay where it is until leave().
  void enter(const Scope& scope);
  /// The scope that was entered last.
  void leave(const Scope& scope);

  OuterValue find(const Name& name) const;

 private:
  struct Maker {
    const Scope* scope;
    ValueId value;
  };
  std::unordered_map<Name, std::vector<Maker>, NameHash> makers_;
};

/// scope: null outside subgraphs.
inline OuterValue find_outer(const Scope* scope, const Name& name) {
  return scope == nullptr ? OuterValue() : scope->names->find(name);
}

}  // namespace tesela
