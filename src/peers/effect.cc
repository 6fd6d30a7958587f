// SPDX-License-Identifier: Apache-2.0
// Compares the axes of two plans.
#include "peers/effect.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "plan/axis_table.h"

namespace tesela::peers {
namespace {

constexpr int64_t kMostTaps = int64_t{1} << 18;
// Above the rounding of positions and weights in float32 for the extents of images.
constexpr double kLeastShift = 1e-3;
constexpr double kLeastWeight = 1e-3;

const Pass* find_pass(const ResizePlan& plan, size_t axis) {
  for (const Pass& pass : plan.passes)
    if (pass.axis == axis) return &pass;
  return nullptr;
}

// The map of an axis without a pass.
AxisMap unchanged(int64_t extent) {
  AxisMap map;
  map.in = extent;
  map.out = extent;
  return map;
}

// Ranges of outputs to compare.
std::vector<IndexRange> ranges_of(int64_t outputs, int64_t window) {
  const int64_t most = std::clamp<int64_t>(kMostTaps / std::max<int64_t>(window, 1), 2, kMostOutputs);
  if (outputs <= most) return {{0, outputs}};
  return {{0, most / 2}, {outputs - most / 2, most / 2}};
}

struct Differences {
  int64_t compared = 0;
  int64_t moved = 0;         // outputs of nearest that copy another input
  int64_t extrapolated = 0;  // outputs that only one of the plans extrapolates
  double shift = 0;
  double weight = 0;
};

// The most by which an output of inputs from 0 to 1 differs.
double weight_difference(const AxisTable& a, const AxisTable& b, int64_t i) {
  const auto k = static_cast<size_t>(i);
  const int64_t lo = std::min(a.first[k], b.first[k]);
  const int64_t hi = std::max(a.first[k] + a.count[k], b.first[k] + b.count[k]);
  const auto weight_at = [i, k](const AxisTable& table, int64_t j) {
    const int64_t tap = j - table.first[k];
    return tap < 0 || tap >= table.count[k] ? 0.0 : table.row(i)[tap];
  };
  double above = 0;
  double below = 0;
  for (int64_t j = lo; j < hi; ++j) {
    const double difference = weight_at(a, j) - weight_at(b, j);
    (difference > 0 ? above : below) += std::abs(difference);
  }
  return std::max(above, below);
}

AxisTable table_of(const AxisMap& map, IndexRange range) {
  if (map.positions != AxisMap::Positions::kIdentity) return make_axis_table(map, range, ComputeType::kDouble);
  AxisTable table;
  table.lo = range.lo;
  table.pitch = 1;
  for (int64_t i = range.lo; i < range.lo + range.n; ++i) {
    table.first.push_back(i);
    table.count.push_back(1);
    table.weights.push_back(1);
  }
  return table;
}

void compare_range(const AxisMap& ours, const AxisMap& theirs, IndexRange range, bool is_nearest, Differences& found) {
  found.compared += range.n;
  const bool weighs = !is_nearest;
  const AxisTable our_table = weighs ? table_of(ours, range) : AxisTable();
  const AxisTable their_table = weighs ? table_of(theirs, range) : AxisTable();
  for (int64_t i = range.lo; i < range.lo + range.n; ++i) {
    const bool outside = is_extrapolated(ours, i);
    if (outside != is_extrapolated(theirs, i)) ++found.extrapolated;
    if (outside || is_extrapolated(theirs, i)) continue;
    found.shift = std::max(found.shift, std::abs(position(ours, i) - position(theirs, i)));
    if (weighs) found.weight = std::max(found.weight, weight_difference(our_table, their_table, i - range.lo));
    if (is_nearest && nearest_index(ours, i) != nearest_index(theirs, i)) ++found.moved;
  }
}

std::string text_of(const Differences& found, bool is_nearest) {
  if (is_nearest) {
    const int64_t others = found.moved + found.extrapolated;
    return others == 0 ? "" : fmt::format("{} of {} outputs copy another input", others, found.compared);
  }
  std::string text;
  if (found.extrapolated > 0) text = fmt::format("{} outputs are extrapolated by one only", found.extrapolated);
  if (found.weight < kLeastWeight) return text;
  if (!text.empty()) text += ", ";
  if (found.shift >= kLeastShift) text += fmt::format("positions shift by up to {:.3g}, ", found.shift);
  return text + fmt::format("outputs of inputs from 0 to 1 differ by up to {:.2g}", found.weight);
}

// What is said of which axes, in the order of the first ones.
using AxisTexts = std::vector<std::pair<std::string, std::vector<size_t>>>;

// "axis 2: extent 39 here, 40 there", "axes 2 and 3: ...".
std::string joined(const AxisTexts& texts) {
  std::string all;
  for (const auto& [text, axes] : texts) {
    if (!all.empty()) all += "; ";
    all += axes.size() == 1 ? "axis " : "axes ";
    for (size_t k = 0; k < axes.size(); ++k)
      all += fmt::format("{}{}", k == 0 ? "" : k + 1 == axes.size() ? " and " : ", ", axes[k]);
    all += ": " + text;
  }
  return all;
}

}  // namespace

int64_t taps_compared(const Plan& plan) {
  const auto* work = std::get_if<ResizePlan>(&plan.work);
  int64_t taps = 1;
  if (work != nullptr)
    for (const Pass& pass : work->passes)
      for (const IndexRange range : ranges_of(pass.map.out, pass.window)) taps += range.n * pass.window;
  return taps;
}

std::string effect_text(const Plan& ours, const Plan& theirs) {
  const auto* our_work = std::get_if<ResizePlan>(&ours.work);
  const auto* their_work = std::get_if<ResizePlan>(&theirs.work);
  AxisTexts texts;
  const auto add = [&texts](size_t axis, const std::string& what) {
    if (what.empty()) return;
    const auto same = std::find_if(texts.begin(), texts.end(), [&](const auto& each) { return each.first == what; });
    if (same == texts.end())
      texts.emplace_back(what, std::vector<size_t>{axis});
    else
      same->second.push_back(axis);
  };
  for (size_t axis = 0; axis < std::min(ours.out.size(), theirs.out.size()); ++axis) {
    if (ours.out[axis] != theirs.out[axis])
      add(axis, fmt::format("extent {} here, {} there", ours.out[axis], theirs.out[axis]));
    if (our_work == nullptr || their_work == nullptr) continue;
    const Pass* our_pass = find_pass(*our_work, axis);
    const Pass* their_pass = find_pass(*their_work, axis);
    if (our_pass == nullptr && their_pass == nullptr) continue;
    const AxisMap a = our_pass != nullptr ? our_pass->map : unchanged(ours.out[axis]);
    const AxisMap b = their_pass != nullptr ? their_pass->map : unchanged(theirs.out[axis]);
    const bool is_nearest = our_work->filter == Filter::kNearest;
    Differences found;
    for (const IndexRange range : ranges_of(std::min(a.out, b.out), std::max(window_of(a), window_of(b))))
      if (range.n > 0) compare_range(a, b, range, is_nearest, found);
    add(axis, text_of(found, is_nearest));
  }
  return joined(texts);
}

}  // namespace tesela::peers
