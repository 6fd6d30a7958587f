// SPDX-License-Identifier: Apache-2.0
// Order, liveness, and slots.
#include "session/schedule.h"

namespace tesela {
namespace {

class Scheduler {
 public:
  Scheduler(const GraphFacts& facts, const std::vector<ValueId>& roots)
      : facts_(facts), roots_(roots), slots_(facts.index.value_count(), kNoSlot) {}

  Schedule run(std::vector<ValueId> wanted) {
    for (const ValueId value : wanted) schedule_.results.push_back(slot_of(value));
    const size_t results = schedule_.slot_values.size();
    const std::vector<bool> needed = find_needed(wanted);
    for (size_t n = 0; n < needed.size(); ++n)
      if (needed[n]) add_step(n, results);
    add_releases(results);
    schedule_.wanted = std::move(wanted);
    return std::move(schedule_);
  }

 private:
  ValueId root(ValueId value) const { return roots_[static_cast<size_t>(value)]; }

  Slot slot_of(ValueId value) {
    Slot& slot = slots_[static_cast<size_t>(root(value))];
    if (slot == kNoSlot) {
      slot = static_cast<Slot>(schedule_.slot_values.size());
      schedule_.slot_values.push_back(root(value));
    }
    return slot;
  }

  // The operators that wanted outputs depend on, from the last node to the first.
  std::vector<bool> find_needed(const std::vector<ValueId>& wanted) const {
    const GraphIndex& index = facts_.index;
    std::vector<bool> is_read(index.value_count(), false);
    for (const ValueId value : wanted) is_read[static_cast<size_t>(root(value))] = true;
    std::vector<bool> needed(facts_.nodes.size(), false);
    for (size_t n = facts_.nodes.size(); n-- > 0;) {
      if (facts_.nodes[n].kind != NodeKind::kOperator) continue;
      if (!is_read[static_cast<size_t>(index.outputs(n)[0])]) continue;
      needed[n] = true;
      for (const ValueId input : index.inputs(n))
        if (input != kNoValue) is_read[static_cast<size_t>(root(input))] = true;
    }
    return needed;
  }

  void add_step(size_t n, size_t results) {
    Step step = {n, {}, kNoSlot, false, {}};
    for (const ValueId input : facts_.index.inputs(n))
      step.inputs.push_back(input == kNoValue ? kNoSlot : slot_of(input));
    step.output = slot_of(facts_.index.outputs(n)[0]);
    step.is_result = static_cast<size_t>(step.output) < results;
    schedule_.steps.push_back(std::move(step));
  }

  // The last step that reads a computed value releases it; results, inputs and constants are never released.
  void add_releases(size_t results) {
    std::vector<bool> is_open(schedule_.slot_values.size(), false);
    for (const Step& step : schedule_.steps) is_open[static_cast<size_t>(step.output)] = true;
    for (size_t r = 0; r < results; ++r) is_open[r] = false;
    for (size_t s = schedule_.steps.size(); s-- > 0;) {
      Step& step = schedule_.steps[s];
      for (const Slot input : step.inputs) {
        if (input == kNoSlot || !is_open[static_cast<size_t>(input)]) continue;
        is_open[static_cast<size_t>(input)] = false;
        step.released.push_back(input);
      }
    }
  }

  const GraphFacts& facts_;
  const std::vector<ValueId>& roots_;
  std::vector<Slot> slots_;  // by root
  Schedule schedule_;
};

}  // namespace

std::vector<ValueId> find_roots(const GraphFacts& facts) {
  std::vector<ValueId> roots(facts.index.value_count());
  for (size_t v = 0; v < roots.size(); ++v) roots[v] = static_cast<ValueId>(v);
  for (size_t n = 0; n < facts.nodes.size(); ++n)
    if (facts.nodes[n].kind == NodeKind::kIdentity)
      roots[static_cast<size_t>(facts.index.outputs(n)[0])] = roots[static_cast<size_t>(facts.index.inputs(n)[0])];
  return roots;
}

Schedule make_schedule(const GraphFacts& facts, const std::vector<ValueId>& roots, std::vector<ValueId> wanted) {
  return Scheduler(facts, roots).run(std::move(wanted));
}

}  // namespace tesela
