// SPDX-License-Identifier: Apache-2.0
// The C interface: plans, their regions and tables.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/c_calls.h"

namespace tesela::testing {
namespace {

TEST(CApiPlans, AccessorsAndDescription) {
  Array<float> x = ramp(3, 5);
  const OwnedPlan plan = linear_plan(x, {6, 4});
  EXPECT_EQ(tesela_plan_dtype(plan), TESELA_FLOAT);
  EXPECT_EQ(tesela_plan_output_rank(plan), 2);
  EXPECT_EQ(tesela_plan_output_extents(plan)[1], 4);
  EXPECT_EQ(tesela_plan_input_rank(plan), 2);
  EXPECT_EQ(tesela_plan_input_extents(plan)[0], 3);
  OwnedBlob plain, json;
  ASSERT_EQ(tesela_plan_describe(plan, TESELA_TEXT_PLAIN, &plain, nullptr), TESELA_OK);
  ASSERT_EQ(tesela_plan_describe(plan, TESELA_TEXT_JSON, &json, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_blob_data(json)[0], '{');
}

TEST(CApiPlans, DoNotReadDataOfFirstInput) {
  Array<float> x = floats({2, 2}, {});
  tesela_tensor view = x.view();
  view.data = nullptr;
  Array<int64_t> repeats = ints({2, 2});
  const tesela_tensor control = repeats.view();
  const tesela_tensor* inputs[] = {&view, &control};
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  tesela_tensor missing = control;
  missing.data = nullptr;
  inputs[1] = &missing;
  OwnedPlan none;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &none, nullptr), TESELA_ERROR_USAGE);
}

TEST(CApiPlans, ControlInputsMayHaveStrides) {
  Array<float> x = ramp(2, 2);
  const tesela_tensor in = x.view();
  int64_t numbers[] = {3, 99, 2};  // [3, 2], 16 bytes apart
  const int64_t two[] = {2}, stride[] = {16};
  const tesela_tensor repeats = {numbers, TESELA_INT64, 1, two, stride, 0};
  const tesela_tensor* inputs[] = {&in, &repeats};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_plan_output_extents(plan)[0], 6);
  EXPECT_EQ(tesela_plan_output_extents(plan)[1], 4);
}

TEST(CApiPlans, RunRejectsOtherShapesAndTypes) {
  Array<float> x = ramp(2, 2);
  Array<float> y = floats({4, 4}, std::vector<float>(16));
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor in = x.view(), out = y.view();
  const int64_t part[] = {2, 4}, flat[] = {16};
  tesela_tensor wrong = out;
  wrong.extents = part;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_SHAPE);
  wrong = out;
  wrong.rank = 1;
  wrong.extents = flat;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_RANK);
  wrong = out;
  wrong.dtype = TESELA_INT32;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_plan_run(plan, &out, &out, nullptr, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_run(plan, nullptr, &out, nullptr, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);
}

TEST(CApiPlans, RunOptionsAreChecked) {
  Array<float> x = ramp(2, 2);
  Array<float> y = floats({4, 4}, std::vector<float>(16));
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor in = x.view(), out = y.view();
  const auto code = [&](const tesela_run_options& options) {
    return tesela_plan_run(plan, &in, &out, &options, nullptr);
  };
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = -1;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
  options.threads = INT32_MAX;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
  options.threads = 0;
  options.backend = TESELA_BACKEND_REFERENCE;
  EXPECT_EQ(code(options), TESELA_OK);
  const tesela_executor incomplete = {sizeof incomplete, nullptr, nullptr, 1};
  options.executor = &incomplete;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
}

TEST(CApiPlans, RegionRunsOnItsInputRegion) {
  Array<float> x = ramp(6, 7);
  Array<float> whole = floats({9, 5}, std::vector<float>(45));
  const OwnedPlan plan = linear_plan(x, {9, 5});
  const tesela_tensor in = x.view(), out = whole.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);

  const int64_t lo[] = {3, 1}, n[] = {4, 2};
  int64_t x_lo[2], x_n[2];
  ASSERT_EQ(tesela_plan_input_region(plan, lo, n, x_lo, x_n, nullptr), TESELA_OK);
  EXPECT_LT(x_n[0] * x_n[1], 42);
  const int64_t strides[] = {28, 4};
  const tesela_tensor part = {x.values.data() + x_lo[0] * 7 + x_lo[1], TESELA_FLOAT, 2, x_n, strides, 0};
  Array<float> y = floats({4, 2}, std::vector<float>(8));
  const tesela_tensor box = y.view();
  ASSERT_EQ(tesela_plan_run_region(plan, &part, x_lo, &box, lo, nullptr, nullptr), TESELA_OK);
  for (size_t r = 0; r < 4; ++r)
    for (size_t c = 0; c < 2; ++c) EXPECT_EQ(y.values[r * 2 + c], whole.values[(r + 3) * 5 + c + 1]);

  const int64_t outside[] = {6, 1};
  EXPECT_EQ(tesela_plan_input_region(plan, outside, n, x_lo, x_n, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_run_region(plan, &part, x_lo, &box, outside, nullptr, nullptr), TESELA_ERROR_SHAPE);
  const int64_t elsewhere[] = {0, 0};
  EXPECT_EQ(tesela_plan_run_region(plan, &part, elsewhere, &box, lo, nullptr, nullptr), TESELA_ERROR_SHAPE);
}

TEST(CApiPlans, ConstantOfShapeRunsWithoutInput) {
  const OwnedOp op = make_op("ConstantOfShape", 9);
  uint8_t seven = 7;
  const int64_t one[] = {1};
  const tesela_tensor value = {&seven, TESELA_UINT8, 1, one, nullptr, 0};
  ASSERT_EQ(tesela_op_set_tensor(op, "value", &value, nullptr), TESELA_OK);
  seven = 9;  // the plan has a copy
  Array<int64_t> shape = ints({2, 3});
  const tesela_tensor control = shape.view();
  const tesela_tensor* inputs[] = {&control};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(op, 1, inputs, nullptr, &plan, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_plan_input_rank(plan), 0);
  Array<uint8_t> y = {TESELA_UINT8, {2, 3}, std::vector<uint8_t>(6)};
  const tesela_tensor out = y.view();
  ASSERT_EQ(tesela_plan_run(plan, nullptr, &out, nullptr, nullptr), TESELA_OK);
  EXPECT_EQ(y.values, std::vector<uint8_t>(6, 7));
}

TEST(CApiPlans, LimitsAreEnforced) {
  Array<float> x = ramp(2, 2);
  Array<int64_t> repeats = ints({100, 100});
  const tesela_tensor in = x.view(), control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  limits.max_output_bytes = 1000;
  tesela_plan* plan = nullptr;
  tesela_error error;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, &limits, &plan, &error), TESELA_ERROR_LIMIT);
  EXPECT_STREQ(error.message, "Tile-13: the output float 200x200 takes 160000 bytes; the limit is 1000");
}

TEST(CApiPlans, AxisTablesOfEveryKind) {
  Array<float> x = floats({2}, {0, 4});
  const OwnedPlan plan = linear_plan(x, {4});
  OwnedTable table;
  ASSERT_EQ(tesela_plan_axis_table(plan, 0, 1, 2, &table, nullptr), TESELA_OK);
  tesela_axis_table_view view = {};
  view.struct_size = sizeof view;
  tesela_axis_table_get(table, &view);
  ASSERT_EQ(view.outputs, 2);
  ASSERT_EQ(view.taps, 2);
  EXPECT_EQ(std::vector<double>(view.weights, view.weights + 4), (std::vector<double>{0.75, 0.25, 0.25, 0.75}));

  tesela_axis_table* none = nullptr;
  EXPECT_EQ(tesela_plan_axis_table(plan, 1, 0, 1, &none, nullptr), TESELA_ERROR_VALUE);
  EXPECT_EQ(tesela_plan_axis_table(plan, -1, 0, 1, &none, nullptr), TESELA_ERROR_VALUE);
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 3, 2, &none, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 0, -1, &none, nullptr), TESELA_ERROR_SHAPE);

  Array<int64_t> repeats = ints({3});
  const tesela_tensor in = x.view(), control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  OwnedPlan tile;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &tile, nullptr), TESELA_OK);
  OwnedTable moved;
  ASSERT_EQ(tesela_plan_axis_table(tile, 0, 1, 4, &moved, nullptr), TESELA_OK);
  tesela_axis_table_get(moved, &view);
  EXPECT_EQ(view.weights, nullptr);
  EXPECT_EQ(std::vector<int64_t>(view.first, view.first + 4), (std::vector<int64_t>{1, 0, 1, 0}));
}

TEST(CApiPlans, RejectsTableOfHugeAxis) {
  const int64_t extents[] = {int64_t{1} << 60};
  const tesela_tensor in = {nullptr, TESELA_INT8, 1, extents, nullptr, 0};
  Array<int64_t> repeats = ints({1});
  const tesela_tensor control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  tesela_axis_table* table = nullptr;
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 0, extents[0], &table, nullptr), TESELA_ERROR_NO_MEMORY);
}

}  // namespace
}  // namespace tesela::testing
