// SPDX-License-Identifier: Apache-2.0
// The outputs of crops that are outside the input equal the reference's, in outputs of every layout.
#include "backend/cpu/resize/outside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "backend/cpu/resize/resize_cases.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

namespace tesela::testing {
namespace {

constexpr auto kCanary = std::byte{0x5a};

// Fills the outside of a box in memory of these strides, in elements, of which the box's first is at `begin`.
std::vector<std::byte> filled(const Plan& plan, const Box& box, const std::vector<int64_t>& strides, int64_t begin,
                              bool by_reference) {
  const int64_t bytes = element_bits(plan.type) / 8;
  std::vector<std::byte> memory(4096 * static_cast<size_t>(bytes), kCanary);
  BoxRun run;
  run.output = {memory.data() + begin * bytes, plan.type, box.n, {}, 0};
  for (const int64_t stride : strides) run.output.strides_bytes.push_back(stride * bytes);
  run.output_lo = box.lo;
  if (by_reference)
    reference::store_outside(plan, run);
  else
    cpu::fill_outside(plan, std::get<ResizePlan>(plan.work), run);
  return memory;
}

TEST(Outside, EqualsTheReferenceInEveryLayout) {
  const Box boxes[] = {{{0, 0, 0, 0}, {2, 8, 11, 3}}, {{0, 1, 2, 0}, {2, 6, 9, 3}}, {{1, 5, 7, 1}, {1, 3, 4, 1}}};
  const std::pair<std::vector<int64_t>, int64_t> layouts[] = {
      {{}, 5},                    // dense
      {{400, 40, 3, 1}, 0},       // gaps between rows
      {{1, 2, 16, 176}, 0},       // axes in another order
      {{264, 33, -3, -1}, 1500},  // backwards
      {{600, 66, 6, 2}, 0},       // gaps between elements
  };
  int64_t stored = 0;
  for (const auto& [start, end] : {std::pair{0.1, 0.9}, {0.9, 0.2}, {-0.3, 0.6}, {0.5, 1.4}, {-1.0, 2.0}, {1.5, 2.5}})
    for (const std::vector<size_t>& axes : {std::vector<size_t>{1, 2}, {2}, {1}, {0, 1}})
      for (const DataType type : {DataType::kUint8, DataType::kFloat, DataType::kDouble, DataType::kComplex128}) {
        ResizeParams params = {type, {2, 5, 6, 3}, {}, {}};
        params.sampling.filter = Filter::kLinear;
        params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
        params.sampling.extrapolation_value = 7;
        const Extents out = {2, 8, 11, 3};
        for (size_t axis = 0; axis < 3; ++axis) {
          const bool crops = std::find(axes.begin(), axes.end(), axis) != axes.end();
          params.axes.push_back(cropped(axis, params.in[axis], out[axis], crops ? start : 0, crops ? end : 1));
        }
        const auto plan = make_resize_plan(params, Limits::none());
        ASSERT_TRUE(plan.ok());
        for (const Box& box : boxes)
          for (const auto& [strides, begin] : layouts) {
            const auto expected = filled(*plan, box, strides, begin, true);
            ASSERT_EQ(filled(*plan, box, strides, begin, false), expected) << start << " to " << end;
            stored += expected != std::vector<std::byte>(expected.size(), kCanary);
          }
      }
  EXPECT_GT(stored, 500);
}

}  // namespace
}  // namespace tesela::testing
