// SPDX-License-Identifier: Apache-2.0
// Rows of every length and width.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/move/move_cases.h"
#include "backend/cpu/sample_plan.h"
#include "backend/reference/reference.h"

namespace tesela::testing {
namespace {

// One-dimensional plans of every width, with every length up to several vectors.
using LinePlan = std::function<Plan(DataType, int64_t)>;

void expect_lines(const LinePlan& plan, int64_t longest, int64_t step = 1) {
  for (const DataType type : kWidths)
    for (int64_t n = 0; n <= longest; n += step) {
      Case c = whole(plan(type, n));
      c.at_end = n % 2 == 0;
      c.stream = n % 3 == 0;
      c.input_shift = n % 5 == 0 ? 1 : 0;
      c.output_shift = n % 7 == 0 ? 3 : 0;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
    }
}

TEST(MoveRows, FillsOfEveryLength) {
  Random random(1);
  for_each_instruction_set([&](int64_t) {
    expect_lines([&](DataType type, int64_t n) { return fill_plan(type, {n}, random); }, 4 * 64 + 1);
  });
}

// As the boxes of a run that leaves the L2 cache.
TEST(MoveRows, FillsOfLargeRunsOfEveryLengthAndAlignment) {
  Random random(1);
  for (const DataType type : kWidths)
    for (int64_t n = 0; n <= 40; ++n)
      for (int64_t shift = 0; shift < 16; ++shift) {
        Case c = whole(fill_plan(type, {n}, random));
        c.run_bytes = int64_t{8} << 20;
        c.output_shift = shift;
        c.at_end = shift % 2 == 0;
#if defined(__x86_64__)
        if (n > 0 && type != DataType::kComplex128) {
          ASSERT_NO_FATAL_FAILURE(expect_kernel(c, cpu::Kernel::move_fill_by_string));
        }
#endif
        ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
      }
}

TEST(MoveRows, CopiesOfEveryLength) {
  for_each_instruction_set([](int64_t) {
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n}, {1}); }, 4 * 64 + 1);
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n}, {3}); }, 2 * 64 + 1);
  });
}

// Vectors of a row exceed it, and at the end of the input and of the output they must not.
TEST(MoveRows, AdjacentShortRowsOfEveryLength) {
  for_each_instruction_set([](int64_t) {
    for (int64_t in = 1; in <= 70; ++in)
      for (const int64_t out : {in * 2 / 3 + 1, in + 1, 2 * in, 3 * in + 2})
        for (const DataType type : {DataType::kUint8, DataType::kFloat16}) {
          Case c = whole(nearest_plan(type, {13, in}, {19, out}));
          c.at_end = (in + out) % 2 == 0;
          c.input_shift = in % 3;
          c.output_shift = out % 5;
          ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
        }
  });
}

// Each row ends at the end of a page, and the page after it cannot be read.
TEST(MoveRows, RowsFarApartAreReadAlone) {
  const auto page = static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  constexpr int64_t kRows = 13;
  const auto bytes = static_cast<size_t>(2 * page * kRows);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* const begin = static_cast<std::byte*>(memory);
  for (int64_t i = 0; i < 2 * page * kRows; ++i) begin[i] = static_cast<std::byte>(i * 7);
  for (int64_t r = 0; r < kRows; ++r)
    ASSERT_EQ(mprotect(begin + (2 * r + 1) * page, static_cast<size_t>(page), PROT_NONE), 0);
  for_each_instruction_set([&](int64_t) {
    for (int64_t in = 1; in <= 70; ++in)
      for (const int64_t out : {in * 2 / 3 + 1, in + 1, 3 * in + 2}) {
        const Plan plan = nearest_plan(DataType::kUint8, {kRows, in}, {19, out});
        std::vector<std::byte> expected(static_cast<size_t>(product(plan.out)));
        std::vector<std::byte> actual(expected.size());
        BoxRun run;
        run.input = {begin + page - in, plan.type, plan.in, {2 * page, 1}, 0};
        run.output = {expected.data(), plan.type, plan.out, {}, 0};
        run.input_lo = run.output_lo = {0, 0};
        reference::move_box(plan, run);
        run.output.data = actual.data();
        cpu::bind(plan)->run_box(plan, run, {});
        EXPECT_EQ(actual, expected) << in << " to " << out;
      }
  });
  munmap(memory, bytes);
}

TEST(MoveRows, NearestOfEveryLength) {
  for_each_instruction_set([](int64_t) {
    for (const auto& [up, down] : {std::pair{2, 1}, {3, 1}, {1, 2}, {1, 3}, {1, 4}, {3, 2}, {2, 3}})
      expect_lines(
          [up = up, down = down](DataType type, int64_t n) {
            return nearest_plan(type, {2, n * down + 1}, {2, n * up + 1});
          },
          2 * 64 + 1, 3);
  });
}

// Pixels of an odd number of bytes that an image keeps some of.
TEST(MoveRows, OddRunsOfAxesThatShrinkAreChunks) {
  for_each_instruction_set([](int64_t target) {
    for (int64_t n = 15; n <= 35; ++n) {
      const std::string sample = fmt::format("nearest uint8 40x50x{} -> 15x20x{}", n, n);
      SCOPED_TRACE(sample);
      const auto& chunks = cpu::kernel_tasks[static_cast<size_t>(cpu::Kernel::move_chunks)];
      const uint64_t before = chunks;
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(whole(sample_plan(sample))));
      EXPECT_EQ(chunks > before, n >= 32 || (n >= 17 && n % 2 != 0)) << hwy::TargetName(target);
    }
  });
}

TEST(MoveRows, SpreadsOfEveryLength) {
  for_each_instruction_set([](int64_t) {
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {5, 1}, {1, n}); }, 2 * 64 + 1);
    expect_lines([](DataType type, int64_t n) { return tile_plan(type, {n, 1}, {1, 3}); }, 64, 3);
  });
}

}  // namespace
}  // namespace tesela::testing
