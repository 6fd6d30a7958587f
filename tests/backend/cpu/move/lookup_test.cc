// SPDX-License-Identifier: Apache-2.0
// Lookups in registers are chosen for the intended plans.
#include <gtest/gtest.h>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/move/move_cases.h"

namespace tesela::testing {
namespace {

// Any kernel gives the bytes of the reference; this tests which one is chosen.
TEST(MoveLookup, IsChosenForCommonFactorsOfEveryWidth) {
  for_each_instruction_set([](int64_t target) {
    if (target == HWY_SCALAR) return;
    for (const DataType type : kWidths)
      for (const auto& [up, down] : {std::pair{2, 1}, {3, 1}, {4, 1}, {1, 2}, {1, 3}, {1, 4}, {3, 2}}) {
        if (type == DataType::kComplex128 && down > 4) continue;
        expect_kernel(whole(nearest_plan(type, {3, 60 * down}, {3, 60 * up})), cpu::Kernel::move_lookup);
      }
    expect_kernel(whole(nearest_plan(DataType::kUint8, {40, 30, 3}, {80, 60, 3})), cpu::Kernel::move_lookup);
    expect_kernel(whole(tile_plan(DataType::kUint8, {5000, 1}, {1, 5})), cpu::Kernel::move_lookup);
  });
}

}  // namespace
}  // namespace tesela::testing
