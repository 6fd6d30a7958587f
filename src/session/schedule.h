// Which nodes a run needs, in which order, and until when each value is.
#pragma once

#include <vector>

#include "session/propagate.h"

namespace tesela {

using Slot = int32_t;
inline constexpr Slot kNoSlot = -1;

struct Step {
  size_t node;
  std::vector<Slot> inputs;  // kNoSlot for an omitted one
  Slot output;
  bool is_result;              // a wanted output: it gets memory of its own
  std::vector<Slot> released;  // computed values that nobody reads after this step
};

/// Slots stand for values: what Identity nodes pass on has the slot of where it came from.
struct Schedule {
  std::vector<ValueId> wanted;  // outputs, as asked for
  std::vector<Slot> results;    // the slot of each
  std::vector<Step> steps;
  std::vector<ValueId> slot_values;  // whose value each slot holds
};

/// The value that each value is by way of Identity nodes; itself where no Identity makes it. Nodes must stand
/// in order.
std::vector<ValueId> find_roots(const GraphFacts& facts);

/// Leaves out what no wanted output needs. The graph's nodes must be ours and in order.
Schedule make_schedule(const GraphFacts& facts, const std::vector<ValueId>& roots, std::vector<ValueId> wanted);

}  // namespace tesela
