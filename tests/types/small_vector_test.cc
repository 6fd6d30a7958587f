// SPDX-License-Identifier: Apache-2.0
// The vector with inline storage, compared with std::vector.
#include "types/small_vector.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace tesela {
namespace {

using Strings = SmallVector<std::string, 3>;

std::string text(int64_t i) {
  return "a text that is too long to lie in its string " + std::to_string(i);
}

Strings strings(int64_t count) {
  Strings list;
  for (int64_t i = 0; i < count; ++i) list.push_back(text(i));
  return list;
}

void expect_strings(const Strings& list, int64_t count) {
  ASSERT_EQ(list.size(), static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) EXPECT_EQ(list[static_cast<size_t>(i)], text(i));
}

TEST(SmallVector, CopiesAndMovesBetweenItselfAndTheHeap) {
  for (const int64_t from : {0, 1, 3, 4, 20})
    for (const int64_t to : {0, 2, 3, 5}) {
      Strings source = strings(from);
      Strings target = strings(to);
      target = source;
      expect_strings(target, from);
      expect_strings(source, from);
      Strings moved = std::move(source);
      expect_strings(moved, from);
      target = strings(to);
      target = std::move(moved);
      expect_strings(target, from);
      Strings& same = target;
      target = same;
      expect_strings(target, from);
      const Strings copy(target);
      EXPECT_EQ(copy, target);
    }
}

TEST(SmallVector, MovedFromIsEmptyAndUsable) {
  for (const int64_t count : {2, 9}) {
    Strings source = strings(count);
    const Strings target = std::move(source);
    EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move)
    for (int64_t i = 0; i < 7; ++i) source.push_back(text(i));
    expect_strings(source, 7);
    expect_strings(target, count);
  }
}

TEST(SmallVector, PushesOwnEntry) {
  Strings list = strings(3);
  list.push_back(list[0]);  // growing moves the entries
  EXPECT_EQ(list.back(), text(0));
  EXPECT_EQ(list[0], text(0));
}

TEST(SmallVector, MatchesStdVector) {
  std::mt19937 random(7);
  SmallVector<int64_t, 4> ours;
  std::vector<int64_t> theirs;
  for (int step = 0; step < 20000; ++step) {
    const auto value = static_cast<int64_t>(random() % 1000);
    switch (random() % 7) {
      case 0: ours.clear(), theirs.clear(); break;
      case 1:
        ours.resize(static_cast<size_t>(value % 12), value), theirs.resize(static_cast<size_t>(value % 12), value);
        break;
      case 2:
        ours.assign(static_cast<size_t>(value % 9), value), theirs.assign(static_cast<size_t>(value % 9), value);
        break;
      case 3:
        if (!theirs.empty()) ours.pop_back(), theirs.pop_back();
        break;
      default: ours.push_back(value), theirs.push_back(value); break;
    }
    ASSERT_EQ(ours.size(), theirs.size());
    ASSERT_TRUE(std::equal(ours.begin(), ours.end(), theirs.begin()));
  }
}

TEST(SmallVector, NewNumbersAreZero) {
  SmallVector<int32_t, 8> list;
  list.assign(8, 5);
  list.clear();
  list.resize(20);
  for (const int32_t value : list) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace tesela
