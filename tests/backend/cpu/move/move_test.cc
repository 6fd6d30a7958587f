// SPDX-License-Identifier: Apache-2.0
// Moves of boxes of every operator equal the reference in every byte, including those between outputs.
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/move/move_cases.h"

namespace tesela::testing {
namespace {

TEST(Moves, RandomBoxesOfRandomPlansEqualTheReference) {
  for_each_instruction_set([](int64_t) {
    for (uint64_t seed = 0; seed < 4000; ++seed) {
      SCOPED_TRACE(seed);
      Random random(seed);
      ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(random_case(random)));
    }
  });
}

TEST(Moves, EveryAlignmentOfInputAndOutput) {
  for_each_instruction_set([](int64_t) {
    for (const DataType type : kWidths)
      for (int64_t shift = 0; shift < 64; ++shift)
        for (const auto& plan :
             {nearest_plan(type, {3, 100}, {6, 200}), nearest_plan(type, {4, 7, 3}, {8, 14, 3}),
              tile_plan(type, {40, 1}, {1, 70}), tile_plan(type, {300}, {10}), tile_plan(type, {4, 7}, {3, 90})}) {
          Case c = whole(plan);
          c.output_shift = shift;
          c.input_shift = shift * 7 % 64;
          c.stream = shift % 2 == 0;
          ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
        }
  });
}

// Outputs too large to be bound whole, of units that are: all of them, some, with gaps between them, and parts of them.
TEST(Moves, UnitsOfLargeOutputsEqualTheReference) {
  for (const Plan& plan : {nearest_plan(DataType::kUint8, {2, 3, 90000}, {2, 3, 200000}),
                           tile_plan(DataType::kUint8, {2, 3, 100, 1000}, {1, 1, 2, 1}),
                           tile_plan(DataType::kFloat16, {5, 70000, 1}, {1, 1, 3})}) {
    Case c = whole(plan);
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
    c.output_strides = dense_strides(plan.type, plan.out);
    c.output_strides[0] += 64;
    c.input_strides = dense_strides(plan.type, plan.in);
    c.input_strides[0] *= 2;
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
    c = whole(plan);
    c.output.lo[0] = c.input.lo[0] = 1;
    c.output.n[0] = c.input.n[0] = plan.out[0] - 1;
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
    c = whole(plan);
    c.output.n[plan.out.size() - 2] -= 1;  // rows of units, or fewer units
    c.output.n.back() -= 2;
    ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
  }
}

// Larger than the blocks, strips and scratch of moves.
TEST(Moves, LargeMovesEqualTheReference) {
  Random random(3);
  const Plan plans[] = {
      fill_plan(DataType::kComplex128, {30000}, random),
      tile_plan(DataType::kFloat, {1, 1, 100, 128}, {1, 3, 2, 2}),
      tile_plan(DataType::kFloat, {64}, {3000}),
      tile_plan(DataType::kFloat, {3000, 1}, {1, 64}),
      tile_plan(DataType::kFloat, {2, 1, 512, 1}, {1, 3, 1, 64}),
      tile_plan(DataType::kUint8, {1, 7, 13, 3}, {8, 5, 9, 11}),
      tile_plan(DataType::kUint8, {7, 5000}, {8, 5}),
      tile_plan(DataType::kFloat, {20000}, {5}),
      tile_plan(DataType::kInt64, {64, 1024}, {1, 5}),
      tile_plan(DataType::kUint8, {10000, 1}, {1, 64}),
      tile_plan(DataType::kUint8, {10000, 1}, {1, 5}),
      tile_plan(DataType::kUint8, {3000, 3}, {2, 11}),
      tile_plan(DataType::kInt4, {3, 501}, {3, 7}),
      tile_plan(DataType::kInt4, {3, 512}, {3, 7}),
      tile_plan(DataType::kUint2, {20001}, {3}),
      nearest_plan(DataType::kFloat, {8, 64, 64}, {8, 128, 128}),
      nearest_plan(DataType::kUint8, {3, 200, 301}, {3, 100, 150}),
      nearest_plan(DataType::kUint8, {40001}, {60000}),
      nearest_plan(DataType::kFloat, {9, 40001}, {9, 20000}),
      nearest_plan(DataType::kFloat, {1000, 3, 5}, {1000, 6, 10}),
      nearest_plan(DataType::kInt4, {5, 301}, {10, 602}),
      nearest_plan(DataType::kInt4, {5, 20001}, {7, 30001}),
      nearest_plan(DataType::kUint2, {50, 64}, {101, 64}),
  };
  for_each_instruction_set([&](int64_t) {
    for (const Plan& plan : plans)
      for (const bool stream : {false, true}) {
        Case c = whole(plan);
        c.stream = stream;
        ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
        c.output_shift = 16;
        ASSERT_NO_FATAL_FAILURE(expect_equal_to_reference(c));
      }
  });
}

TEST(Moves, OutputsThatShareBytesAreWrittenInTheOrderOfTheReference) {
  Case c = whole(tile_plan(DataType::kFloat, {4, 3}, {2, 2}));
  c.output_strides = {4, 4};
  expect_equal_to_reference(c);
  c.output_strides = {0, 4};
  expect_equal_to_reference(c);
}

}  // namespace
}  // namespace tesela::testing
