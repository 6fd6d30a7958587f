// SPDX-License-Identifier: Apache-2.0
// Rows that are resampled along themselves equal sums of one output at a time, by every kind of kernel that a line's windows and
// channels choose, on each instruction set.
#include "backend/cpu/resize/horizontal_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "backend/cpu/each_instruction_set.h"
#include "backend/cpu/resize/arithmetic_cases.h"
#include "backend/cpu/scratch.h"

namespace tesela::testing {
namespace {

using cpu::HorizontalKind;

struct Windows {
  int64_t outputs, taps, step, channels, rows;
  bool few_rows;
};

// Each window begins at the input that the axis has for it; holes are taps of weight zero.
template <class C>
C sum_of(const AxisTable& taps, const C* row, int64_t i, int64_t channel, int64_t channels) {
  const auto at = static_cast<size_t>(i);
  C all = 0;
  bool is_first = true;
  for (int64_t k = 0; k < taps.count[at]; ++k) {
    const auto weight = static_cast<C>(taps.row(i)[k]);
    if (weight == 0) continue;
    const C term = cpu::product(weight, row[(taps.first[at] + k) * channels + channel]);
    all = is_first ? term : cpu::sum(all, term);
    is_first = false;
  }
  return all;
}

template <class C>
HorizontalKind expect_rows(const Windows& w, bool has_holes) {
  Random random(static_cast<uint64_t>(w.outputs * 7 + w.taps));
  AxisTable taps = random_taps<C>(random, w.outputs, w.taps, w.step);
  if (has_holes && w.taps >= 3)
    for (int64_t i = 0; i < w.outputs; i += 3) taps.weights[static_cast<size_t>(i * w.taps + 1)] = 0;
  cpu::HorizontalLine line{taps};
  line.in_n = (w.outputs - 1) * w.step + w.taps;
  line.channels = w.channels;
  line.few_rows = w.few_rows;
  cpu::HorizontalTable<C> table;
  cpu::make_horizontal_table(line, {}, table);
  EXPECT_EQ(table.n, w.outputs * w.channels);

  const auto reach = static_cast<size_t>(std::max(table.reach, line.in_n * w.channels));
  std::vector<std::vector<C>> in(static_cast<size_t>(w.rows), std::vector<C>(reach));
  std::vector<std::vector<C>> out(static_cast<size_t>(w.rows), std::vector<C>(static_cast<size_t>(table.n) + 1, C{77}));
  std::vector<const C*> from;
  std::vector<C*> to;
  for (size_t r = 0; r < in.size(); ++r) {
    for (C& number : in[r]) number = random_element<C, C>(random);
    from.push_back(in[r].data());
    to.push_back(out[r].data());
  }
  cpu::Scratch scratch;
  cpu::HorizontalRows<C> rows{from.data(), to.data(), w.rows, scratch.take<C>(cpu::scratch_numbers(table)), false};
  cpu::run_horizontal(table, rows, false);

  for (size_t r = 0; r < in.size(); ++r) {
    for (int64_t i = 0; i < table.n; ++i) {
      const C expected = sum_of(taps, in[r].data(), i / w.channels, i % w.channels, w.channels);
      EXPECT_EQ(out[r][static_cast<size_t>(i)], expected) << "number " << i << " of row " << r;
      if (::testing::Test::HasFailure()) return table.kind;
    }
    EXPECT_EQ(out[r].back(), C{77}) << "wrote behind the row";
  }
  return table.kind;
}

template <class C>
std::set<HorizontalKind> expect_lines() {
  std::set<HorizontalKind> kinds;
  for (const int64_t outputs : {1, 5, 8, 16, 33, 70})
    for (const auto& [taps, step] :
         {std::pair<int64_t, int64_t>{1, 1}, {2, 1}, {3, 1}, {4, 1}, {4, 2}, {8, 2}, {6, 4}, {7, 9}, {20, 9}})
      for (const int64_t channels : {1, 3, 16, 32})
        for (const bool few_rows : {false, true})
          for (const bool has_holes : {false, true}) {
            const Windows w = {outputs, taps, step, channels, few_rows ? 1 : 18, few_rows};
            SCOPED_TRACE(fmt::format("{} outputs of {} taps, step {}, {} channels{}", outputs, taps, step, channels,
                                     has_holes ? ", holes" : ""));
            kinds.insert(expect_rows<C>(w, has_holes));
            if (::testing::Test::HasFailure()) return kinds;
          }
  return kinds;
}

TEST(HorizontalTable, EqualsSumsOfOneOutputAtATime) {
  for_each_instruction_set([](int64_t target) {
    const std::set<HorizontalKind> kinds = expect_lines<float>();
    expect_lines<double>();
    expect_lines<uint16_t>();
    expect_lines<int32_t>();
    if (target == HWY_SCALAR) return;
    using enum HorizontalKind;
    EXPECT_EQ(kinds, (std::set{kWindow, kShifted, kFour, kTransposed, kChannels, kGather}));
  });
}

// Copies of an axis have their inputs one after the other.
TEST(HorizontalTable, CopiesFollowOneAnother) {
  for_each_instruction_set([](int64_t) {
    Random random(9);
    const AxisTable taps = random_taps<float>(random, 8, 2, 1);
    cpu::HorizontalLine line{taps};
    line.in_n = 9;
    line.copies = 5;
    cpu::HorizontalTable<float> table;
    cpu::make_horizontal_table(line, {}, table);
    std::vector<float> in(static_cast<size_t>(std::max<int64_t>(table.reach, 45)));
    for (float& number : in) number = random_element<float, float>(random);
    std::vector<float> out(40);
    const float* from = in.data();
    float* to = out.data();
    cpu::Scratch scratch;
    cpu::run_horizontal(table, {&from, &to, 1, scratch.take<float>(cpu::scratch_numbers(table)), false}, false);
    for (int64_t i = 0; i < 40; ++i)
      EXPECT_EQ(out[static_cast<size_t>(i)], sum_of(taps, in.data() + i / 8 * 9, i % 8, 0, 1)) << i;
  });
}

}  // namespace
}  // namespace tesela::testing
