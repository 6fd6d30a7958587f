// SPDX-License-Identifier: Apache-2.0
// The values of one graph as small numbers, with the name, producer and declarations of each.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/graph.h"

namespace tesela {

/// A value of a graph, counted from 0; kNoValue for an omitted input or output of a node.
using ValueId = int32_t;
inline constexpr ValueId kNoValue = -1;

// Producers of values other than nodes.
inline constexpr int32_t kNoProducer = -1;       // in this graph: a name of an outer graph, or an undefined one
inline constexpr int32_t kProducedByInput = -2;  // a graph input; an initializer may be its default
inline constexpr int32_t kProducedByInitializer = -3;

/// References the graph, which must outlive it and must not move.
class GraphIndex {
 public:
  /// A name with a second producer; the first one keeps it.
  struct Clash {
    ValueId value;
    int32_t producer;  // the second: a node or one of the constants above
  };

  explicit GraphIndex(const Graph& graph);

  const Graph& graph() const { return *graph_; }
  size_t value_count() const { return values_.size(); }
  ValueId find(std::string_view name) const;
  const Name& name(ValueId value) const { return at(value).name; }
  /// A node's position in the graph, or one of the constants above.
  int32_t producer(ValueId value) const { return at(value).producer; }
  std::span<const ValueId> inputs(size_t node) const {
    return {&ports_[starts_[2 * node]], &ports_[starts_[2 * node + 1]]};
  }
  std::span<const ValueId> outputs(size_t node) const {
    return {&ports_[starts_[2 * node + 1]], &ports_[starts_[2 * node + 2]]};
  }
  const std::vector<ValueId>& graph_outputs() const { return graph_outputs_; }
  const std::vector<Clash>& clashes() const { return clashes_; }

  // Null if there is none.
  const ValueDeclaration* input(ValueId value) const { return at(value).input; }
  const ValueDeclaration* output(ValueId value) const { return at(value).output; }
  const ValueDeclaration* value_info(ValueId value) const { return at(value).value_info; }
  const Initializer* initializer(ValueId value) const { return at(value).initializer; }

 private:
  struct Value {
    Name name;
    int32_t producer = kNoProducer;
    const ValueDeclaration* input = nullptr;
    const ValueDeclaration* output = nullptr;
    const ValueDeclaration* value_info = nullptr;
    const Initializer* initializer = nullptr;
  };

  const Value& at(ValueId value) const { return values_[static_cast<size_t>(value)]; }
  ValueId number(const Name& name);
  void claim(ValueId value, int32_t producer);
  void add_declarations();
  void add_nodes();

  const Graph* graph_;
  std::unordered_map<Name, ValueId, NameHash, std::equal_to<>> numbers_;
  std::vector<Value> values_;
  std::vector<ValueId> ports_;  // of all nodes: inputs, then outputs, node by node
  std::vector<size_t> starts_;  // the begin of each node's inputs and outputs in ports_
  std::vector<ValueId> graph_outputs_;
  std::vector<Clash> clashes_;
};

/// A node's operator for messages: quoted if it is long or not plain ASCII.
std::string operator_text(const Node& node);

/// "Tile node 'a'"; "Tile node that makes 'y'" if it has no name.
std::string node_text(const Node& node);

}  // namespace tesela
