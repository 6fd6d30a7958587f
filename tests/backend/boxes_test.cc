// SPDX-License-Identifier: Apache-2.0
// Cutting a box into tasks, and views of parts of tensors.
#include "backend/boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <vector>

namespace tesela {
namespace {

// How many of the cut boxes have each element; positions are relative to whole.lo.
std::vector<int> coverage(const Box& whole, const BoxCutter& cutter) {
  std::vector<int> seen(static_cast<size_t>(product(whole.n)));
  for (int64_t b = 0; b < cutter.count(); ++b) {
    const Box box = cutter.box(b);
    Extents index(box.n.size(), 0);
    for (int64_t left = product(box.n); left > 0; --left) {
      int64_t at = 0;
      for (size_t d = 0; d < index.size(); ++d) {
        const int64_t inside = box.lo[d] - whole.lo[d] + index[d];
        EXPECT_TRUE(inside >= 0 && inside < whole.n[d]);
        at = at * whole.n[d] + inside;
      }
      ++seen[static_cast<size_t>(at)];
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < box.n[d]) break;
        index[d] = 0;
      }
    }
  }
  return seen;
}

TEST(BoxCutterTest, EveryElementIsInExactlyOneBox) {
  for (const Extents& n :
       {Extents{}, Extents{1}, Extents{17}, Extents{3, 5}, Extents{7, 1, 6}, Extents{1, 1, 40}, Extents{5, 4, 3, 2}})
    for (const int64_t elements : {1, 2, 3, 5, 7, 12, 30, 1000}) {
      const Box whole = {Extents(n.size(), 3), n};
      const BoxCutter cutter(whole, elements, DataType::kFloat);
      for (const int times : coverage(whole, cutter)) EXPECT_EQ(times, 1) << shape_text(n) << " by " << elements;
    }
}

TEST(BoxCutterTest, BoxesStayWithinRequestedElements) {
  for (const Extents& n : {Extents{1000}, Extents{10, 100}, Extents{100, 10}, Extents{4, 5, 6, 7}})
    for (const int64_t elements : {1, 10, 100}) {
      const BoxCutter cutter({Extents(n.size(), 0), n}, elements, DataType::kFloat);
      for (int64_t b = 0; b < cutter.count(); ++b) EXPECT_LE(product(cutter.box(b).n), elements);
    }
}

TEST(BoxCutterTest, BoxesAreWholeRowsWhereTheyFit) {
  const BoxCutter cutter({{0, 0}, {100, 10}}, 55, DataType::kFloat);
  for (int64_t b = 0; b < cutter.count(); ++b) EXPECT_EQ(cutter.box(b).n[1], 10);
}

TEST(BoxCutterTest, BoxesBeginAtStrips) {
  for (const auto& [elements, expected] :
       {std::pair<int64_t, int64_t>{1, 16}, {16, 16}, {47, 32}, {50, 48}, {99, 96}, {100, 100}, {1000, 100}}) {
    const BoxCutter cutter({{0}, {100}}, elements, DataType::kFloat, {{16}, {}});
    EXPECT_EQ(cutter.box(0).n[0], expected);
    int64_t end = 0;
    for (int64_t b = 0; b < cutter.count(); ++b) {
      EXPECT_EQ(cutter.box(b).lo[0], end);
      end += cutter.box(b).n[0];
    }
    EXPECT_EQ(end, 100);
  }
  EXPECT_EQ(BoxCutter({{0}, {10}}, 3, DataType::kFloat, {{16}, {}}).count(), 1);
  EXPECT_EQ(BoxCutter({{0, 0}, {8, 100}}, 100, DataType::kFloat, {{1, 16}, {}}).count(), 8);
}

// What each of the threads gets of three planes, if they have equal numbers of boxes.
std::vector<int64_t> elements_of_threads(int64_t rows, int64_t strip, int threads) {
  const Box whole = {{0, 0, 0}, {3, rows, 100}};
  const BoxCutter cutter(whole, product(whole.n) / (int64_t{4} * threads), DataType::kFloat,
                         {{1, strip, 100}, {}, threads});
  std::vector<int64_t> sums;
  for (int64_t box = 0, thread = 0; thread < threads; ++thread) {
    sums.push_back(0);
    for (const int64_t end = box + (cutter.count() - box) / (threads - thread); box < end; ++box)
      sums.back() += product(cutter.box(box).n);
  }
  return sums;
}

TEST(BoxCutterTest, ThreadsGetEqualParts) {
  for (const int threads : {2, 3, 4}) {
    for (const int64_t rows : {1080, 540, 256}) {
      const std::vector<int64_t> sums = elements_of_threads(rows, 1, threads);
      const int64_t equal = 3 * rows * 100 / threads;
      EXPECT_LE(*std::max_element(sums.begin(), sums.end()), equal * 102 / 100) << rows << ' ' << threads;
    }
  }
  // Boxes begin at strips, so parts of 999 rows differ by less than one.
  const std::vector<int64_t> sums = elements_of_threads(333, 16, 2);
  EXPECT_LE(std::max(sums[0], sums[1]) - std::min(sums[0], sums[1]), 1600);
}

TEST(BoxCutterTest, OneBoxForEachThreadIsNotMadeSmaller) {
  const BoxCutter cutter({{0}, {1000}}, 600, DataType::kFloat, {{}, {}, 2});
  EXPECT_EQ(cutter.count(), 2);
  EXPECT_EQ(cutter.box(0).n, Extents({600}));
}

TEST(BoxCutterTest, AxesAfterALongStripAreCutToo) {
  const BoxCutter cutter({{0, 0}, {64, 40}}, 80, DataType::kFloat, {{1, 16}, {1, 0}});
  EXPECT_EQ(cutter.box(0).n, Extents({5, 16}));
  EXPECT_EQ(cutter.box(1).lo, Extents({5, 0}));
}

TEST(BoxCutterTest, CutsTheOutermostAxisOfAnOrder) {
  const BoxCutter cutter({{0, 0, 0}, {6, 10, 4}}, 24, DataType::kFloat, {{}, {1, 2, 0}});
  EXPECT_EQ(cutter.count(), 10);
  EXPECT_EQ(cutter.box(3).lo, Extents({0, 3, 0}));
  EXPECT_EQ(cutter.box(3).n, Extents({6, 1, 4}));
  const Box whole = {{1, 2, 3}, {6, 10, 4}};
  for (const int64_t elements : {1, 5, 24, 50, 1000})
    for (const int times : coverage(whole, BoxCutter(whole, elements, DataType::kFloat, {{}, {1, 2, 0}})))
      EXPECT_EQ(times, 1);
}

TEST(BoxCutterTest, EmptyBoxHasNoTasks) {
  EXPECT_EQ(BoxCutter({{0, 0}, {0, 5}}, 4, DataType::kFloat).count(), 0);
  EXPECT_EQ(BoxCutter({{0, 0}, {5, 0}}, 4, DataType::kInt4).count(), 0);
}

// The position of an element in a dense tensor.
int64_t position(const Extents& index, const Extents& n) {
  int64_t at = 0;
  for (size_t d = 0; d < n.size(); ++d) at = at * n[d] + index[d];
  return at;
}

TEST(BoxCutterTest, PackedBoxesAreContiguousAndBeginAtWholeBytes) {  // two threads must not write the same byte
  for (const DataType type : {DataType::kInt4, DataType::kUint2})
    for (const Extents& n :
         {Extents{}, Extents{1}, Extents{57}, Extents{3, 5}, Extents{30, 30}, Extents{1, 1, 41}, Extents{7, 1, 6},
          Extents{5, 4, 3, 2}, Extents{4, 3, 8}, Extents{1, 9, 16}, Extents{6, 8, 5}})
      for (const int64_t elements : {1, 2, 3, 5, 8, 12, 30, 1000}) {
        const BoxCutter cutter({Extents(n.size(), 0), n}, elements, type);
        for (int64_t b = 0; b < cutter.count(); ++b) {
          const Box box = cutter.box(b);
          Extents last = box.lo;
          for (size_t d = 0; d < n.size(); ++d) last[d] += box.n[d] - 1;
          EXPECT_EQ(position(box.lo, n) * element_bits(type) % 8, 0) << shape_text(n) << " by " << elements;
          EXPECT_EQ(position(last, n) - position(box.lo, n) + 1, product(box.n)) << shape_text(n) << " by " << elements;
        }
        for (const int times : coverage({Extents(n.size(), 0), n}, cutter)) EXPECT_EQ(times, 1);
      }
}

TEST(BoxCutterTest, PackedElementsAreCutWhereBytesAllow) {
  const auto count = [](const Extents& n, int64_t elements, DataType type) {
    return BoxCutter({Extents(n.size(), 0), n}, elements, type).count();
  };
  EXPECT_EQ(count({1000}, 100, DataType::kInt4), 10);
  EXPECT_EQ(count({30, 30}, 10, DataType::kUint2), 15);  // two rows have whole bytes
  EXPECT_EQ(count({30, 33}, 10, DataType::kUint2), 8);   // four rows
  EXPECT_EQ(count({3, 33}, 10, DataType::kUint2), 1);
  EXPECT_EQ(count({3, 32}, 10, DataType::kUint2), 3 * 4);
}

TEST(BoxCutterTest, CountsHugeBoxesWithoutListingThem) {
  const int64_t big = int64_t{1} << 30;
  const BoxCutter cutter({{0, 0}, {big, big}}, int64_t{1} << 20, DataType::kInt8);
  EXPECT_EQ(cutter.count(), int64_t{1} << 40);
  EXPECT_EQ(cutter.box(cutter.count() - 1).lo[0], big - 1);
}

TEST(PartOf, BeginsWhereTheBoxDoes) {
  std::vector<int32_t> m(12);
  std::iota(m.begin(), m.end(), 0);  // [3, 4], at (10, 20) of a larger tensor
  const TensorView view = {reinterpret_cast<const std::byte*>(m.data()), DataType::kInt32, {3, 4}, {}, 0};
  const TensorView part = part_of(view, {10, 20}, {{11, 22}, {2, 2}});
  EXPECT_EQ(part.extents, Extents({2, 2}));
  EXPECT_EQ(part.strides_bytes, Extents({16, 4}));
  EXPECT_EQ(*part.as<int32_t>(), 6);
}

TEST(PartOf, KeepsStridesOfAnySign) {
  std::vector<int32_t> m(12);
  std::iota(m.begin(), m.end(), 0);
  const TensorView backwards = {reinterpret_cast<const std::byte*>(m.data() + 11), DataType::kInt32, {12}, {-4}, 0};
  EXPECT_EQ(*part_of(backwards, {0}, {{3}, {2}}).as<int32_t>(), 8);
}

}  // namespace
}  // namespace tesela
