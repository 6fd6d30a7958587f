// SPDX-License-Identifier: Apache-2.0
// The nodes that a run needs, their order, and the lifetime of each value.
#pragma once

#include <vector>

#include "graph/propagate.h"

namespace tesela {

using Slot = int32_t;
inline constexpr Slot kNoSlot = -1;

struct Step {
  size_t node;
  std::vector<Slot> inputs;  // kNoSlot for an omitted one
  Slot output;
  bool is_result;              // a wanted output: it gets separate memory
  std::vector<Slot> released;  // computed values that are not read after this step
};

/// Slots represent values: the output of an Identity node has the slot of its input.
struct Schedule {
  std::vector<ValueId> wanted;  // outputs, as asked for
  std::vector<Slot> results;    // the slot of each
  std::vector<Step> steps;
  std::vector<ValueId> slot_values;  // whose value each slot holds
};

/// The source of each value through Identity nodes, or the value itself. Nodes must be in topological
/// order.
std::vector<ValueId> find_roots(const GraphFacts& facts);

/// Omits nodes that no wanted output needs. The graph's nodes must be supported and in order.
Schedule make_schedule(const GraphFacts& facts, const std::vector<ValueId>& roots, std::vector<ValueId> wanted);

}  // namespace tesela
