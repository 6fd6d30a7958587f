// SPDX-License-Identifier: Apache-2.0
// Runs of a bound plan do not allocate memory.
#include <gtest/gtest.h>

#include "backend/backend.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/sample_plan.h"
#include "heap.h"

namespace tesela::testing {
namespace {

int64_t allocations_of_a_run(const Plan& plan) {
  const ProgramPtr program = cpu::bind(plan);
  const Executor executor;
  const Tensor x = plan.has_input() ? *Tensor::allocate(plan.type, plan.in) : Tensor();
  Tensor y = *Tensor::allocate(plan.type, plan.out);
  BoxRun run = {{}, Extents(plan.in.size(), 0), y.mutable_view(), Extents(plan.out.size(), 0)};
  if (plan.has_input()) run.input = x.view();
  int64_t before = 0;
  // The first run allocates scratch, which the second one reuses.
  for (int k = 0; k < 2; ++k) {
    before = allocations();
    EXPECT_TRUE(run_plan(plan, *program, run, executor, {}).ok());
  }
  return allocations() - before;
}

TEST(Heap, RunsOfEveryKernelTakeNothing) {
  for (const cpu::KernelRow& row : cpu::kKernelRows) {
    const Plan plan = sample_plan(row.sample);
    EXPECT_EQ(allocations_of_a_run(plan), 0) << row.name << ": " << row.sample;
  }
}

}  // namespace
}  // namespace tesela::testing
