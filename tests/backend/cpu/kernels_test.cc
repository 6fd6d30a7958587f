// SPDX-License-Identifier: Apache-2.0
// The list of kernels is correct: each row's sample reaches its kernel, and its file exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "backend/by_parts.h"
#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/move/move_cases.h"
#include "backend/cpu/resize/resize_cases.h"
#include "backend/cpu/sample_plan.h"

namespace tesela::testing {
namespace {

void expect_sample_equal(const cpu::KernelRow& row) {
  const cli::CaseWords words = cli::parse_case(row.sample);
  const Plan plan = plan_of(words);
  if (row.is_partial) {
    Random random(1);
    return expect_equal_by_parts(plan, kDefaultBackend, random);
  }
  if (plan.interpolation() != nullptr) {
    Random random(1);
    EXPECT_TRUE(equals_the_reference(plan, random, 0xa5, false));
    return;
  }
  Case c = whole(plan);
  c.run_bytes = product(plan.out) * element_bits(plan.type) / 8;
  if (words.gap > 0) {
    c.output_strides = dense_strides(plan.type, plan.out);
    for (int64_t& stride : c.output_strides) stride *= words.gap + 1;
  }
  expect_equal_to_reference(c);
}

TEST(Kernels, EachKernelRunsItsSampleOnEveryInstructionSet) {
  for_each_instruction_set([](int64_t target) {
    for (size_t row = 0; row < std::size(cpu::kKernelRows); ++row) {
      const cpu::KernelRow& kernel = cpu::kKernelRows[row];
      SCOPED_TRACE(kernel.name);
      const uint64_t before = cpu::kernel_tasks[row];
      expect_sample_equal(kernel);
      EXPECT_TRUE(cpu::kernel_tasks[row] > before || !has_kernel(kernel, target));
    }
  });
}

TEST(Kernels, SourceFilesExist) {
  for (const cpu::KernelRow& kernel : cpu::kKernelRows)
    EXPECT_TRUE(std::filesystem::exists(TESELA_SOURCE_DIR "/src/backend/cpu/" + std::string(kernel.file)))
        << kernel.name;
}

}  // namespace
}  // namespace tesela::testing
