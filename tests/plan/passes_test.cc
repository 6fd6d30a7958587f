// SPDX-License-Identifier: Apache-2.0
// The passes of a plan: the types of their sums, and the boxes that they need.
#include "plan/passes.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

Plan linear(DataType type, const Extents& in, const Extents& out, bool antialias = false) {
  ResizeParams params{type, in, {}, {}};
  params.sampling.filter = Filter::kLinear;
  params.sampling.antialias = antialias;
  for (size_t d = 0; d < in.size(); ++d) params.axes.push_back({d, in[d], out[d], true, out[d], in[d]});
  return *make_resize_plan(params, Limits::none());
}

TEST(Passes, SumsOfComplexNumbersAreComplex) {
  const struct {
    DataType type;
    int64_t in, out;
    DataType sums;
  } cases[] = {{DataType::kFloat, 4, 8, DataType::kFloat},
               {DataType::kDouble, 4, 8, DataType::kDouble},
               {DataType::kComplex64, 4, 8, DataType::kComplex64},
               {DataType::kComplex128, 4, 8, DataType::kComplex128},
               {DataType::kFloat, 5000, 1, DataType::kDouble},  // a long window
               {DataType::kComplex64, 5000, 1, DataType::kComplex128}};
  for (const auto& each : cases) {
    const PassTensors tensors = tensors_of(linear(each.type, {each.in}, {each.out}, true), 0);
    EXPECT_EQ(tensors.sums, each.sums) << name(each.type) << " " << each.in;
    EXPECT_EQ(tensors.input, each.type);
    EXPECT_EQ(tensors.output, each.type);
  }
}

TEST(Passes, OfEmulationsAreNotCounted) {
  EmulatedPlan emulated;
  emulated.rules = Rules::kPytorch;
  const Result<size_t> count = pass_count({DataType::kFloat, {4}, {9}, emulated});
  ASSERT_FALSE(count.ok());
  EXPECT_EQ(count.status().code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(*pass_count(linear(DataType::kFloat, {4, 5}, {8, 2})), 2u);
}

TEST(Passes, EmptyBoxesNeedAnEmptyBoxAtTheOrigin) {
  const Plan plan = linear(DataType::kFloat, {4, 5}, {8, 2});
  for (const Box& output : {Box{{3, 1}, {0, 1}}, Box{{3, 1}, {4, 0}}, Box{{8, 2}, {0, 0}}}) {
    const Box box = pass_input_region(plan, 0, output);
    EXPECT_EQ(box.lo, Extents({0, 0}));
    EXPECT_EQ(box.n, Extents({0, 0}));
  }
}

}  // namespace
}  // namespace tesela
