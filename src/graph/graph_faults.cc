// SPDX-License-Identifier: Apache-2.0
// Finds faults of graphs: undefined and duplicate names, cycles, uses before the definition.
#include "graph/graph_faults.h"

#include <algorithm>

#include "graph/cycles.h"

namespace tesela {
namespace {

std::string producer_text(const GraphIndex& index, int32_t producer) {
  if (producer == kProducedByInput) return "a graph input";
  if (producer == kProducedByInitializer) return "an initializer";
  return "the output of " + node_text(index.graph().nodes[static_cast<size_t>(producer)]);
}

class FaultFinder {
 public:
  FaultFinder(const GraphIndex& index, const Scope* outer, const AddFault& add)
      : index_(index), graph_(index.graph()), outer_(outer), add_(add) {}

  void run() {
    find_empty_names();
    find_clashes();
    find_undefined_inputs();
    find_order_faults();
    find_missing_outputs();
    find_repeated_names();
  }

 private:
  void find_empty_names() {
    for (const ValueDeclaration& input : graph_.inputs)
      if (input.name.empty()) add_(parse_error("a graph input has no name"), "");
    for (const Initializer& initializer : graph_.initializers)
      if (initializer.name.empty()) add_(parse_error("an initializer has no name"), "");
    for (const ValueDeclaration& output : graph_.outputs)
      if (output.name.empty()) add_(parse_error("a graph output has no name"), "");
  }

  void find_clashes() {
    for (const GraphIndex::Clash& clash : index_.clashes()) {
      const std::string second = producer_text(index_, clash.producer);
      std::string first = producer_text(index_, index_.producer(clash.value));
      // If the name is an input, too, the clash is with another initializer: an input and one initializer may share it.
      if (clash.producer == kProducedByInitializer) first = "an initializer";
      const std::string_view node =
          clash.producer >= 0 ? std::string_view(graph_.nodes[static_cast<size_t>(clash.producer)].name) : "";
      add_(parse_error("{} names two values: {} and {}", in_quotes(index_.name(clash.value)), first, second), node);
    }
  }

  void find_undefined_inputs() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (const ValueId input : index_.inputs(n)) {
        if (input == kNoValue || index_.producer(input) != kNoProducer) continue;
        const OuterValue outer = find_outer(outer_, index_.name(input));
        const Node& node = graph_.nodes[n];
        if (!outer.exists)
          add_(parse_error("{}: input {} is not defined", node_text(node), in_quotes(index_.name(input))), node.name);
        else if (outer.is_later)
          add_(parse_error("{}: input {} is computed later, in the outer graph", node_text(node),
                           in_quotes(index_.name(input))),
               node.name);
      }
    }
  }

  bool is_used_too_early(size_t n, ValueId input) const {
    return input != kNoValue && index_.producer(input) >= static_cast<int32_t>(n);
  }

  void find_order_faults() {
    std::vector<std::pair<size_t, ValueId>> early;
    for (size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const ValueId input : index_.inputs(n))
        if (is_used_too_early(n, input)) early.emplace_back(n, input);
    if (early.empty()) return;
    const std::vector<int32_t> groups = find_cycles(index_);
    std::vector<int32_t> cyclic;
    for (const auto& [n, input] : early) {
      const auto producer = static_cast<size_t>(index_.producer(input));
      if (groups[n] == groups[producer])
        cyclic.push_back(groups[n]);
      else
        add_(parse_error("{}: input {} is made by {}, which comes later; nodes must be in topological order",
                         node_text(graph_.nodes[n]), in_quotes(index_.name(input)), node_text(graph_.nodes[producer])),
             graph_.nodes[n].name);
    }
    add_cycles(groups, std::move(cyclic));
  }

  // One fault for each cycle; it names a few of its nodes.
  void add_cycles(const std::vector<int32_t>& groups, std::vector<int32_t> cyclic) {
    constexpr size_t kNamed = 3;
    std::sort(cyclic.begin(), cyclic.end());
    cyclic.erase(std::unique(cyclic.begin(), cyclic.end()), cyclic.end());
    if (cyclic.empty()) return;
    std::vector<std::vector<size_t>> members(cyclic.size());
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const auto found = std::lower_bound(cyclic.begin(), cyclic.end(), groups[n]);
      if (found != cyclic.end() && *found == groups[n])
        members[static_cast<size_t>(found - cyclic.begin())].push_back(n);
    }
    for (const auto& nodes : members) {
      std::string text;
      for (size_t k = 0; k < std::min(nodes.size(), kNamed); ++k)
        text += (k == 0 ? "" : ", ") + node_text(graph_.nodes[nodes[k]]);
      if (nodes.size() > kNamed) text += fmt::format(" and {} more", nodes.size() - kNamed);
      add_(parse_error("a cycle: {} {} on {} own output", text, nodes.size() == 1 ? "depends" : "depend",
                       nodes.size() == 1 ? "its" : "their"),
           graph_.nodes[nodes.front()].name);
    }
  }

  void find_missing_outputs() {
    for (const ValueId output : index_.graph_outputs()) {
      if (output == kNoValue || index_.producer(output) != kNoProducer) continue;
      if (!find_outer(outer_, index_.name(output)).exists)
        add_(parse_error("graph output {} is never made", in_quotes(index_.name(output))), "");
    }
  }

  void find_repeated_names() {
    std::vector<ValueId> outputs = index_.graph_outputs();
    std::sort(outputs.begin(), outputs.end());
    for (size_t k = 1; k < outputs.size(); ++k)
      if (outputs[k] == outputs[k - 1] && outputs[k] != kNoValue)
        add_(parse_error("graph output {} is listed twice", in_quotes(index_.name(outputs[k]))), "");
  }

  const GraphIndex& index_;
  const Graph& graph_;
  const Scope* outer_;
  const AddFault& add_;
};

}  // namespace

void find_graph_faults(const GraphIndex& index, const Scope* outer, const AddFault& add) {
  FaultFinder(index, outer, add).run();
}

}  // namespace tesela
