// SPDX-License-Identifier: Apache-2.0
// The C and C++ interface: passes of plans, whose sums are carried from box to box.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "api/code_of.h"

namespace {

using tesela::Shape;
using tesela::testing::code_of;

tesela::Plan shrink(int64_t in, int64_t out, const char* mode = "linear") {
  tesela::Op op("Resize", 19);
  op.set("mode", mode);
  op.set("antialias", int64_t{1});
  const std::vector<uint8_t> x(static_cast<size_t>(in * in));
  const std::vector<int64_t> sizes = {out, out};
  return op.plan({{x, {in, in}}, {}, {}, sizes});
}

std::vector<uint8_t> noise(size_t count) {
  std::vector<uint8_t> values(count);
  uint32_t state = 1;
  for (uint8_t& value : values) value = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  return values;
}

// Rows of a pass's input, a few at a time, become its output.
tesela::Value run_pass(const tesela::Pass& pass, const tesela::View& x) {
  const Shape zero(pass.output_extents().size(), 0);
  tesela::Value sums = pass.partial(pass.output_extents());
  const auto axis = static_cast<size_t>(pass.info().axis);
  const auto* data = static_cast<const std::byte*>(x.data());
  const int64_t bytes = tesela_dtype_bits(x.dtype()) / 8;
  const Shape strides = {x.extents()[1] * bytes, bytes};
  for (int64_t lo = 0; lo < x.extents()[axis]; lo += 7) {
    Shape x_lo = zero;
    x_lo[axis] = lo;
    Shape extents = x.extents();
    extents[axis] = std::min<int64_t>(7, x.extents()[axis] - lo);
    pass.add({data + lo * strides[axis], x.dtype(), extents, strides}, x_lo, sums.view(), zero);
  }
  tesela::Value y(pass.info().output_dtype, pass.output_extents());
  pass.finish(sums.view(), y.view(), zero);
  return y;
}

TEST(CApiPasses, InPartsEqualTheWhole) {
  for (const char* mode : {"linear", "cubic"}) {
    const tesela::Plan plan = shrink(90, 4, mode);
    const std::vector<uint8_t> x = noise(90 * 90);
    tesela::Value whole = plan.run({x, {90, 90}});
    const std::vector<tesela::Pass> passes = plan.passes();
    ASSERT_EQ(passes.size(), 2u);
    EXPECT_EQ(passes[0].info().axis, 0);
    EXPECT_EQ(passes[0].info().rank, 2);
    EXPECT_EQ(passes[0].info().input_dtype, TESELA_UINT8);
    EXPECT_EQ(passes[0].info().accumulator_dtype, TESELA_FLOAT);
    EXPECT_EQ(passes[0].info().output_dtype, TESELA_FLOAT);
    EXPECT_GT(passes[0].info().window, 45);
    EXPECT_EQ(passes[1].input_extents(), (Shape{4, 90}));
    EXPECT_EQ(passes[1].output_extents(), (Shape{4, 4}));
    EXPECT_EQ(passes[1].info().output_dtype, TESELA_UINT8);
    const tesela::Value between = run_pass(passes[0], {x, {90, 90}});
    const tesela::Value y = run_pass(passes[1], between.view());
    EXPECT_THAT(y.view().elements<uint8_t>(), testing::ElementsAreArray(whole.view().elements<uint8_t>()));
  }
}

TEST(CApiPasses, RegionsLieInThePassesInput) {
  const tesela::Plan plan = shrink(90, 9);
  const tesela::Pass pass = plan.passes()[1];
  const tesela::Box region = pass.input_region({{2, 3}, {4, 1}});
  EXPECT_EQ(region.lo, (Shape{2, 25}));  // 10 * (3 + 1/2) - 1/2 - 10, rounded up to where a weight is
  EXPECT_EQ(region.extents, (Shape{4, 20}));
  EXPECT_EQ(pass.input_region({{2, 3}, {0, 1}}).extents, (Shape{0, 0}));
  EXPECT_EQ(code_of([&] { pass.input_region({{2, 3}, {4, 7}}); }), TESELA_ERROR_SHAPE);
  EXPECT_EQ(code_of([&] { pass.input_region({{2}, {4, 7}}); }), TESELA_ERROR_RANK);
}

TEST(CApiPasses, RefuseWhatDoesNotFit) {
  const tesela::Plan plan = shrink(20, 4);
  const tesela::Pass pass = plan.passes()[0];
  const std::vector<uint8_t> x(400);
  const std::vector<float> numbers(400);
  tesela::Value sums = pass.partial({4, 20});
  const auto add = [&](const tesela::View& from, const Shape& x_lo, const tesela::MutableView& to, const Shape& lo) {
    return code_of([&] { pass.add(from, x_lo, to, lo); });
  };
  EXPECT_EQ(add({x, {20, 20}}, {0, 0}, sums.view(), {0, 0}), TESELA_OK);
  EXPECT_EQ(add({x, {20, 20}}, {1, 0}, sums.view(), {0, 0}), TESELA_ERROR_SHAPE);
  EXPECT_EQ(add({x, {20, 20}}, {0, 0}, sums.view(), {0, 1}), TESELA_ERROR_SHAPE);
  EXPECT_EQ(add({x, {400}}, {0, 0}, sums.view(), {0, 0}), TESELA_ERROR_RANK);
  EXPECT_EQ(add({numbers, {20, 20}}, {0, 0}, sums.view(), {0, 0}), TESELA_ERROR_TYPE);
  std::vector<double> doubles(80);
  EXPECT_EQ(add({x, {20, 20}}, {0, 0}, {doubles, {4, 20}}, {0, 0}), TESELA_ERROR_TYPE);
  EXPECT_EQ(code_of([&] { pass.begin({doubles, {4, 20}}); }), TESELA_ERROR_TYPE);
  std::vector<float> y(60);
  EXPECT_EQ(code_of([&] { pass.finish(sums.view(), {y, {3, 20}}, {0, 0}); }), TESELA_ERROR_SHAPE);
  std::vector<uint8_t> bytes(80);
  EXPECT_EQ(code_of([&] { pass.finish(sums.view(), {bytes, {4, 20}}, {0, 0}); }), TESELA_ERROR_TYPE);
  EXPECT_EQ(code_of([&] { tesela::Pass(plan.get(), 2); }), TESELA_ERROR_VALUE);
}

TEST(CApiPasses, RefuseNull) {
  const tesela::Plan plan = shrink(20, 4);
  const int64_t lo[] = {0, 0};
  int64_t box[2];
  size_t count = 0;
  tesela_pass info = {};
  std::vector<uint8_t> x(400);
  const tesela::View view(x, {20, 20});
  const tesela_tensor tensor = view.c();
  for (const tesela_status status :
       {tesela_plan_pass_count(nullptr, &count, nullptr), tesela_plan_pass_count(plan.get(), nullptr, nullptr),
        tesela_plan_pass_info(nullptr, 0, &info, nullptr, nullptr, nullptr),
        tesela_plan_pass_info(plan.get(), 0, nullptr, nullptr, nullptr, nullptr),
        tesela_plan_pass_info(plan.get(), 0, &info, nullptr, nullptr, nullptr),  // its struct_size is 0
        tesela_plan_pass_input_region(plan.get(), 0, nullptr, lo, box, box, nullptr),
        tesela_plan_pass_input_region(plan.get(), 0, lo, lo, box, nullptr, nullptr),
        tesela_plan_pass_begin(plan.get(), 0, nullptr, nullptr),
        tesela_plan_pass_add(plan.get(), 0, nullptr, lo, &tensor, lo, nullptr, nullptr),
        tesela_plan_pass_add(plan.get(), 0, &tensor, nullptr, &tensor, lo, nullptr, nullptr),
        tesela_plan_pass_finish(plan.get(), 0, &tensor, nullptr, lo, nullptr, nullptr),
        tesela_plan_pass_finish(plan.get(), 0, &tensor, &tensor, nullptr, nullptr, nullptr)})
    EXPECT_EQ(status, TESELA_ERROR_USAGE);
}

TEST(CApiPasses, CopiesHaveNone) {
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<int64_t> twice = {2};
  EXPECT_TRUE(tesela::Op("Tile").plan({x, twice}).passes().empty());
}

TEST(CApiPasses, RunsCanBeCancelled) {
  const tesela::Plan plan = shrink(64, 8);
  const std::vector<uint8_t> x(64 * 64);
  const tesela::Pass pass = plan.passes()[0];
  tesela::Value sums = pass.partial(pass.output_extents());
  const std::atomic<int32_t> stop = 1;
  tesela::RunOptions options;
  options.cancel = &stop;
  EXPECT_EQ(code_of([&] { pass.add({x, {64, 64}}, {0, 0}, sums.view(), {0, 0}, options); }), TESELA_ERROR_CANCELLED);
  tesela::Value y(pass.info().output_dtype, pass.output_extents());
  EXPECT_EQ(code_of([&] { pass.finish(sums.view(), y.view(), {0, 0}, options); }), TESELA_ERROR_CANCELLED);
}

// A host's threads: every sum is computed by one of them.
TEST(CApiPasses, RunOnAHostsThreads) {
  const tesela::Plan plan = shrink(300, 60);
  const std::vector<uint8_t> x = noise(300 * 300);
  int64_t tasks = 0;
  const tesela::Executor host = {[&tasks](int64_t count, const std::function<void(int64_t)>& task) {
                                   tasks += count;
                                   for (int64_t i = count; i-- > 0;) task(i);
                                 },
                                 4};
  tesela::RunOptions options;
  options.executor = &host;
  const tesela::Pass pass = plan.passes()[0];
  tesela::Value sums = pass.partial(pass.output_extents());
  tesela::Value alone = pass.partial(pass.output_extents());
  pass.add({x, {300, 300}}, {0, 0}, sums.view(), {0, 0}, options);
  pass.add({x, {300, 300}}, {0, 0}, alone.view(), {0, 0});
  EXPECT_GT(tasks, 1);
  EXPECT_THAT(sums.view().elements<float>(), testing::ElementsAreArray(alone.view().elements<float>()));
}

}  // namespace
