// SPDX-License-Identifier: Apache-2.0
// The entry point of the reference backend: copies or interpolates.
#include "backend/reference/reference.h"

#include <algorithm>

#include "plan/axis_table.h"
#include "types/elements.h"

namespace tesela::reference {
namespace {

// Nothing is precomputed: each box reads the plan.
class ReferenceProgram : public Program {
 public:
  void run_box(const Plan& plan, const BoxRun& run, const BoxContext&) const override { reference::run_box(plan, run); }
  int64_t scratch_bytes(const Plan& plan, const Box& output) const override;
  void add_taps(const TapSums& sums) const override { reference::add_taps(sums); }
};

// Of the values before and after the largest step, and the input's.
int64_t emulation_bytes(const Plan& plan, const EmulatedPlan& work, const Box& output) {
  Box box = input_region(plan, output);
  int64_t most = product(box.n);
  for (const EmulatedStep& step : work.steps) {
    const int64_t before = product(box.n);
    for (const EmulatedAxis& axis : step.axes) box.n[axis.axis] = output.n[axis.axis];
    most = std::max(most, checked_add(before, product(box.n)).value_or(INT64_MAX));
  }
  return checked_mul(most, int64_t{sizeof(double)}).value_or(INT64_MAX);
}

int64_t ReferenceProgram::scratch_bytes(const Plan& plan, const Box& output) const {
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work)) return emulation_bytes(plan, *emulated, output);
  const ResizePlan* work = plan.interpolation();
  if (work == nullptr) {
    int64_t entries = 0;
    for (const int64_t n : output.n) entries += n;
    return plan.has_input() ? entries * int64_t{sizeof(int64_t)} : 0;
  }
  const int64_t element = (work->compute == ComputeType::kFloat ? 4 : 8) * parts_of(plan.type);
  Box box = input_region(plan, output);
  int64_t most = 0;
  for (const Pass& pass : work->passes) {
    const int64_t before = product(box.n);
    box.n[pass.axis] = output.n[pass.axis];
    const int64_t tables = axis_table_bytes(pass.window, output.n[pass.axis]);
    const auto blocks = checked_mul(before + product(box.n), element);
    const auto all = blocks ? checked_add(*blocks, tables) : std::nullopt;
    most = std::max(most, all.value_or(INT64_MAX));
  }
  return most;
}

}  // namespace

void run_box(const Plan& plan, const BoxRun& run) {
  if (std::holds_alternative<EmulatedPlan>(plan.work))
    emulate_box(plan, run);
  else if (plan.interpolation())
    interpolate_box(plan, run);
  else
    move_box(plan, run);
}

ProgramPtr bind(const Plan&) {
  return std::make_shared<ReferenceProgram>();
}

}  // namespace tesela::reference
