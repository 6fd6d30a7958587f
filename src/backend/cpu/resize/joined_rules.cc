// SPDX-License-Identifier: Apache-2.0
// Chooses by sizes, types and passes; the limits are measured.
#include "backend/cpu/resize/joined_rules.h"

#include <algorithm>
#include <utility>

#include "backend/cpu/resize/program.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::cpu {

PassAxes pass_axes(const ResizePlan& work) {
  PassAxes axes = {SIZE_MAX, 0};
  for (const Pass& pass : work.passes) {
    axes.first = std::min(axes.first, pass.axis);
    axes.last = std::max(axes.last, pass.axis);
  }
  return axes;
}

int64_t product_from(const Extents& extents, size_t begin, size_t end) {
  int64_t result = 1;
  for (size_t d = begin; d < end; ++d) result *= extents[d];
  return result;
}

namespace {

// What is read of the input: of a crop the part that outputs need, with whole axes where leaving out the rest does not pay.
Box needed_part(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  const auto crops = [](const Pass& pass) { return pass.map.crops(); };
  const Box whole = {Extents(plan.in.size(), 0), plan.in};
  if (std::none_of(work.passes.begin(), work.passes.end(), crops)) return whole;
  Box part = input_region(plan, {Extents(plan.out.size(), 0), plan.out});
  // Parts of numbers are copied, which whole planes may not need.
  const auto all = [](const Box& box) { return product_from(box.n, 0, box.n.size()); };
  if (layout.are_numbers && all(part) > all(whole) / 2) return whole;
  int64_t run = parts_of(plan.type);
  bool is_cut = false;
  for (size_t d = plan.in.size(); d-- > 0; run *= part.n[d]) {
    is_cut = is_cut || part.n[d] <= plan.in[d] / kMinCropped ||
             (part.n[d] < plan.in[d] && part.n[d] >= kMinCroppedRun / run);
    if (is_cut) continue;
    part.lo[d] = 0;
    part.n[d] = plan.in[d];
  }
  return part;
}

// All of the first pass's axis, where the pass finds the part's numbers in place. passes: of the plan, whose first axis is `first`.
void add_numbers_in_place(const Plan& plan, const std::vector<Pass>& passes, size_t first, Box& part) {
  const size_t axis = passes[0].axis;
  if (part.n[axis] == plan.in[axis] || part.n[axis] <= plan.in[axis] / kMinCropped) return;
  for (size_t d = first; d < plan.in.size(); ++d)
    if (d != axis && part.n[d] != plan.in[d]) return;
  part.lo[axis] = 0;
  part.n[axis] = plan.in[axis];
}

// Whether rows are short enough for joining to pay.
bool has_short_rows(int64_t in_row, int64_t out_row) {
  return in_row <= kMaxJoinedRow && out_row <= std::max(in_row, kMaxJoinedGrownRow) &&
         (in_row <= kMediumJoinedRow || in_row / kMaxJoinedShrink <= out_row);
}

// The same where the pass along rows comes first, and could sum windows of bytes.
bool has_short_rows_of_bytes(int64_t in_row, int64_t out_row, const std::vector<Pass>& passes) {
  const bool has_pairs = passes[0].window <= 2;
  if (passes.size() == 1 && has_pairs) return has_short_rows(in_row, out_row);
  return in_row <= kMaxJoinedRowOfBytes && out_row <= std::max(in_row, kMaxJoinedGrownRowOfBytes) &&
         (has_pairs || in_row / kMaxJoinedShrink < out_row);
}

// The numbers of the largest planes that are joined. row: the numbers of their longest rows.
int64_t max_joined_plane(int64_t row, int64_t taps, size_t passes, bool are_few) {
  if (row <= kShortJoinedRow) return are_few && passes <= 2 ? kMaxJoinedPlane : kMaxJoinedShortRows;
  if (!are_few) return std::min(kMaxJoinedPlane, kMaxJoinedTaps / taps);
  return row <= kMediumJoinedRow ? kMaxFewJoinedMediumRows : kMaxFewJoinedPlane;
}

}  // namespace

std::optional<JoinedPart> joined_part(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  const PassAxes axes = pass_axes(work);
  const auto numbers = [&plan](const Extents& extents, size_t axis) {
    return parts_of(plan.type) * product_from(extents, axis, extents.size());
  };
  Box part = needed_part(plan, work, layout);
  if (part.n[axes.last] == 0) return std::nullopt;
  const int64_t in_row = numbers(part.n, axes.last);
  const int64_t out_row = numbers(plan.out, axes.last);
  const int64_t needed = numbers(part.n, axes.first);
  const int64_t plane = std::max(needed, numbers(plan.out, axes.first));
  int64_t taps = 1;
  for (const Pass& pass : work.passes) taps = std::max(taps, pass.window);
  const auto number_bytes = static_cast<int64_t>(layout.number_bytes());
  const bool has_one_pass = work.passes.size() == 1;
  const bool sums_bytes = layout.of_bytes && work.passes[0].axis == axes.last;
  const bool are_short =
      sums_bytes ? has_short_rows_of_bytes(in_row, out_row, work.passes) : has_short_rows(in_row, out_row);
  const bool has_rows_of_one_pass = has_one_pass && !layout.of_bytes && in_row / kMaxJoinedShrink <= out_row &&
                                    std::max(in_row, out_row) <= kMaxJoinedRowOfOnePass / number_bytes;
  // Numbers that elements are converted to wait for the next pass.
  const bool may_be_tall = in_row <= kMaxJoinedConvertedRow / number_bytes &&
                           (work.passes.size() > 2 || plane <= kMaxJoinedTallPlane / number_bytes);
  const bool is_cached =
      layout.are_numbers || has_one_pass || may_be_tall || plane <= kMaxJoinedConvertedPlane / number_bytes;
  const bool are_few = product_from(plan.in, 0, axes.first) < kMinJoinedPlanes;
  const bool pays = (are_short || has_rows_of_one_pass) && is_cached &&
                    plane <= max_joined_plane(std::max(in_row, out_row), taps, work.passes.size(), are_few);
  if (!pays) return std::nullopt;
  if (layout.are_numbers) add_numbers_in_place(plan, work.passes, axes.first, part);
  return JoinedPart{std::move(part), needed};
}

}  // namespace tesela::cpu
