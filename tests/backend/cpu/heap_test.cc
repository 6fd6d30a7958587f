// Runs of a bound plan do not allocate memory.
#include <gtest/gtest.h>

#include "backend/backend.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/sample_plan.h"
<<<<<<< HEAD

    namespace {
  thread_local int64_t allocations = 0;
}

// After inlining, g++ reports free() in the deletes below as a mismatch.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

// Counts allocations of the whole test program, except over-aligned ones.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
  return operator new(size, tag);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
=======
#include "heap.h"
>>>>>>> f78cf14 (wip)

    namespace tesela::testing {
  namespace {

  int64_t allocations_of_a_run(const Plan& plan) {
    const ProgramPtr program = cpu::bind(plan);
    const ExecutorPtr executor = make_inline_executor();
    const Tensor x = plan.has_input() ? *Tensor::allocate(plan.type, plan.in) : Tensor();
    Tensor y = *Tensor::allocate(plan.type, plan.out);
    BoxRun run = {{}, Extents(plan.in.size(), 0), y.mutable_view(), Extents(plan.out.size(), 0)};
    if (plan.has_input()) run.input = x.view();
    int64_t before = 0;
    // The first run allocates scratch, which the second one reuses.
    for (int k = 0; k < 2; ++k) {
      before = allocations();
      EXPECT_TRUE(run_plan(plan, *program, run, *executor, {}).ok());
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
