// SPDX-License-Identifier: Apache-2.0
// Boxes, sizes, and the plans of fills and tiles.
#include "plan/plan.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

Result<Plan> tile_to(Extents in, Extents out) {
  return make_tile_plan({DataType::kFloat, std::move(in), std::move(out)}, Limits::none());
}

Plan tile(const Extents& in, const Extents& repeats) {
  Extents out = in;
  for (size_t d = 0; d < in.size(); ++d) out[d] *= repeats[d];
  Result<Plan> plan = tile_to(in, out);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *plan;
}

TEST(TilePlans, MultiplyExtents) {
  EXPECT_EQ(tile({2, 3}, {2, 0}).out, Extents({4, 0}));
  EXPECT_EQ(tile({}, {}).out, Extents());
  EXPECT_EQ(tile({0}, {1}).out, Extents({0}));
}

TEST(TilePlans, OverflowIsAShapeError) {
  const int64_t large = int64_t{1} << 32;
  EXPECT_EQ(tile_to({2, 2}, {large, large}).status().code(), TESELA_ERROR_SHAPE);
}

TEST(TilePlans, RegionIsTheBoundingBoxOfTheCopies) {  // for Tile, a bounding box
  const Plan plan = tile({4}, {3});
  for (int64_t lo = 0; lo <= 12; ++lo)
    for (int64_t n = 1; lo + n <= 12; ++n) {
      int64_t first = 4, last = -1;
      for (int64_t i = lo; i < lo + n; ++i) {
        first = std::min(first, i % 4);
        last = std::max(last, i % 4);
      }
      const Box box = input_region(plan, {{lo}, {n}});
      EXPECT_EQ(box.lo[0], first) << lo << "+" << n;
      EXPECT_EQ(box.n[0], last - first + 1) << lo << "+" << n;
    }
}

TEST(InputRegions, EmptyOutputNeedsNothing) {
  const Box box = input_region(tile({4, 3}, {3, 1}), {{5, 0}, {0, 3}});
  EXPECT_EQ(box.lo, Extents({0, 0}));
  EXPECT_EQ(box.n, Extents({0, 0}));
  EXPECT_EQ(input_region(tile({0, 3}, {3, 1}), {{0, 0}, {0, 3}}).n, Extents({0, 0}));
}

TEST(InputRegions, FillsHaveNoInput) {
  const Plan plan = *make_fill_plan({DataType::kFloat, {4, 5}, {}}, Limits::none());
  EXPECT_FALSE(plan.has_input());
  EXPECT_EQ(input_region(plan, {{0, 0}, {4, 5}}).n.size(), 0u);
}

TEST(InputRegions, AxesWithoutPassKeepTheirBox) {
  ResizeParams params;
  params.type = DataType::kFloat;
  params.in = {5, 4};
  params.sampling.filter = Filter::kLinear;
  params.axes = {{1, 4, 8, true, 8, 4}};
  const Box box = input_region(*make_resize_plan(params, Limits::none()), {{2, 4}, {3, 1}});
  EXPECT_EQ(box.lo, Extents({2, 1}));  // output 4 of 4 -> 8 is at 1.75
  EXPECT_EQ(box.n, Extents({3, 2}));
}

TEST(FillPlans, AcceptZeroExtentWithHugeExtents) {  // test_traps.py 11
  const int64_t big = int64_t{1} << 40;
  EXPECT_TRUE(make_fill_plan({DataType::kFloat, {0, big, big}, {}}, Limits::none()).ok());
  EXPECT_EQ(make_fill_plan({DataType::kFloat, {big, big}, {}}, Limits::none()).status().code(), TESELA_ERROR_SHAPE);
}

TEST(CheckBox, InsideOnly) {
  const Extents extents = {4, 5};
  EXPECT_TRUE(check_box({{0, 0}, {4, 5}}, extents, "output").ok());
  EXPECT_TRUE(check_box({{4, 5}, {0, 0}}, extents, "output").ok());
  EXPECT_TRUE(check_box({{3, 0}, {1, 0}}, extents, "output").ok());
  for (const Box& box : {Box{{-1, 0}, {1, 1}}, Box{{0, 0}, {5, 1}}, Box{{1, 0}, {4, 1}}, Box{{0, 0}, {-1, 1}},
                         Box{{5, 0}, {0, 0}}, Box{{0, INT64_MAX}, {1, INT64_MAX}}, Box{{1, 1}, {INT64_MAX, 1}}})
    EXPECT_EQ(check_box(box, extents, "output").code(), TESELA_ERROR_SHAPE);
  for (const Box& box : {Box{{0}, {4}}, Box{{0}, {4, 5}}, Box{{0, 0}, {4}}, Box{{0, 0, 0}, {4, 5, 1}}, Box{}})
    EXPECT_EQ(check_box(box, extents, "output").code(), TESELA_ERROR_RANK);
  EXPECT_TRUE(check_box({}, {}, "output").ok());
}

TEST(CheckSize, LimitsAndOverflow) {
  Limits limits;
  limits.max_output_bytes = 8;
  EXPECT_TRUE(check_size(DataType::kInt4, {16}, limits).ok());
  EXPECT_EQ(check_size(DataType::kInt4, {17}, limits).code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(check_size(DataType::kInt8, {INT64_MAX, 2}, limits).code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(check_size(DataType::kInt8, Extents(65, 1), Limits()).code(), TESELA_ERROR_LIMIT);
  EXPECT_TRUE(check_size(DataType::kInt8, Extents(65, 1), Limits::none()).ok());
}

TEST(HeldBytes, CountReferencesAndTexts) {
  const auto held = [](uint64_t a, uint64_t b) {
    const StringRef texts[] = {{"", a}, {"", b}};  // the bytes are not read
    return *held_bytes({reinterpret_cast<const std::byte*>(texts), DataType::kString, {2}, {}, 0});
  };
  EXPECT_EQ(held(3, 4), 2 * 16 + 7);
  EXPECT_EQ(held(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(held(UINT64_MAX, 1), INT64_MAX);  // the sum would overflow
}

Limits bytes_of_output(int64_t most) {
  Limits limits;
  limits.max_output_bytes = most;
  return limits;
}

TEST(CopyWithin, CountsElements) {
  const float values[] = {1, 2, 3, 4};
  const TensorView view = {reinterpret_cast<const std::byte*>(values), DataType::kFloat, {4}, {}, 0};
  const Result<Tensor> copy = copy_within(view, bytes_of_output(16));
  ASSERT_TRUE(copy.ok());
  EXPECT_NE(copy->data(), view.data);
  EXPECT_EQ(copy->as<float>()[3], 4);
  const Status status = copy_within(view, bytes_of_output(15)).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(), "the output float 4 takes 16 bytes; the limit is 15");
}

TEST(CopyWithin, CountsReferencesAndTexts) {
  const StringRef texts[] = {{"abc", 3}, {"defg", 4}};
  const TensorView view = {reinterpret_cast<const std::byte*>(texts), DataType::kString, {2}, {}, 0};
  const Result<Tensor> copy = copy_within(view, bytes_of_output(2 * 16 + 7));
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  EXPECT_EQ(copy->as<StringRef>()[1].view(), "defg");
  EXPECT_NE(copy->as<StringRef>()[1].data, texts[1].data);
  const Status status = copy_within(view, bytes_of_output(2 * 16 + 6)).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(), "the output of shape 2 and its strings take more bytes than the limit of 38");
}

TEST(CopyWithin, SizesOfTextsMayOverflow) {
  for (const uint64_t size : {uint64_t{INT64_MAX}, UINT64_MAX - 31, UINT64_MAX}) {
    const StringRef texts[] = {{"", size}, {"", size}};  // the bytes are not read
    const TensorView view = {reinterpret_cast<const std::byte*>(texts), DataType::kString, {2}, {}, 0};
    EXPECT_EQ(copy_within(view, Limits::none()).status().code(), TESELA_ERROR_LIMIT) << size;
  }
}

}  // namespace
}  // namespace tesela
