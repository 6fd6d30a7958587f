// SPDX-License-Identifier: Apache-2.0
// Explains the outputs of a plan's axes: positions, taps, borders and ties.
#include "plan/explain.h"

#include <algorithm>
#include <cmath>

#include "plan/axis_table.h"
#include "plan/sampling/sampling.h"

namespace tesela {
namespace {

using Positions = AxisMap::Positions;

constexpr int64_t kWholeAxis = 24;  // outputs of an axis that is shown whole
constexpr int64_t kEnd = 8;         // outputs at each end of a longer one

// ---- One output ----------------------------------------------------------------------------------------------------

// Whether input j has a weight for output i before borders are treated; false at the ends of the filter.
bool has_weight(const AxisMap& map, int64_t i, int64_t j) {
  // With a = 0 the cubic kernel ends where the linear one does.
  const bool cubic = map.sampling.filter == Filter::kCubic && map.sampling.cubic_a != 0;
  if (map.positions == Positions::kRational) {
    const ExactNumbers<Int128> numbers(map);
    const Int128 one = numbers.den * numbers.shrink_den;
    const Int128 distance = exact::tap_distance(j, numbers.numerator(i), numbers.den, numbers.shrink_num);
    return cubic ? distance != one && distance < 2 * one : distance < one;
  }
  const double distance = std::abs(static_cast<double>(j) - position(map, i)) * (map.antialias ? map.shrink : 1);
  return cubic ? distance != 1 && distance < 2 : distance < 1;
}

void set_position(const AxisMap& map, ExplainedOutput& row) {
  row.x = position(map, row.output);
  if (map.positions == Positions::kRational) {
    const Int128 num = exact::numerator(map.num0, map.step, row.output);
    row.exact = fraction_text(num, map.den);
    row.is_tie = 2 * (num - exact::floor_div(num, map.den) * map.den) == map.den;
  } else {
    row.is_tie = std::abs(row.x - std::floor(row.x) - 0.5) <= sampling::half_tolerance(map);
  }
}

std::string_view rounding_text(const AxisMap& map, const ExplainedOutput& row) {
  if (row.x == std::floor(row.x) && (row.exact.empty() || row.exact.find('/') == std::string::npos))
    return "at an input";
  switch (map.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: return row.is_tie ? "tie, rounded down" : "nearest";
    case NearestMode::kRoundPreferCeil: return row.is_tie ? "tie, rounded up" : "nearest";
    case NearestMode::kFloor: return "rounded down";
    case NearestMode::kCeil: return "rounded up";
    case NearestMode::kSimple: break;
  }
  return simple_rounds_up(map) ? "rounded up" : "rounded down";
}

// The input that the nearest mode takes before it is clamped.
double unclamped_input(const AxisMap& map, const ExplainedOutput& row) {
  if (map.positions != Positions::kRational) return sampling::rounded_real(map, row.x);
  const Int128 num = exact::numerator(map.num0, map.step, row.output);
  return static_cast<double>(exact::rounded(map.sampling.nearest, simple_rounds_up(map), num, map.den));
}

void explain_moved(const AxisMap& map, ExplainedOutput& row) {
  row.first = nearest_index(map, row.output);
  row.count = 1;
  row.rule = rounding_text(map, row);
  const double wanted = unclamped_input(map, row);
  if (wanted == static_cast<double>(row.first)) return;
  row.border = Border::kClamped;
  row.rule += fmt::format(", {:.0f} clamped to {}", wanted, row.first);
}

// The part of a window outside the input where inputs have weights.
TapWindow weighted_part(const AxisMap& map, int64_t i, TapWindow part) {
  while (part.lo <= part.hi && !has_weight(map, i, part.lo)) ++part.lo;
  while (part.lo <= part.hi && !has_weight(map, i, part.hi)) --part.hi;
  return part;
}

void add_border(const AxisMap& map, ExplainedOutput& row) {
  const TapWindow window = tap_window(map, row.output);
  row.below = weighted_part(map, row.output, {window.lo, std::min<int64_t>(window.hi, -1)});
  row.above = weighted_part(map, row.output, {std::max(window.lo, map.in), window.hi});
  const bool drops = map.sampling.exclude_outside;
  const auto add = [&](const TapWindow& part, int64_t border) {
    if (part.lo > part.hi) return;
    row.border = drops ? Border::kDropped : Border::kFolded;
    row.rule += fmt::format("{}{} {}", row.rule.empty() ? "" : ", ", range_text(part.lo, part.hi),
                            drops ? "dropped" : fmt::format("onto {}", border));
  };
  add(row.below, 0);
  add(row.above, map.in - 1);
}

void explain_weighted(const AxisMap& map, const AxisTable& table, int64_t k, ExplainedOutput& row) {
  row.first = table.first[static_cast<size_t>(k)];
  row.count = table.count[static_cast<size_t>(k)];
  row.weights.assign(table.row(k), table.row(k) + row.count);
  if (row.is_tie) row.rule = "tie";
  add_border(map, row);
}

// ---- One axis ------------------------------------------------------------------------------------------------------

void add_resized(const ResizePlan& resize, const Pass& pass, IndexRange range, ExplainedAxis& axis) {
  const bool moves = resize.compute == ComputeType::kNone;
  const AxisTable table = moves ? AxisTable() : make_axis_table(pass.map, range, resize.compute);
  for (int64_t k = 0; k < range.n; ++k) {
    ExplainedOutput& row = axis.outputs.emplace_back();
    row.output = range.lo + k;
    set_position(pass.map, row);
    if (is_extrapolated(pass.map, row.output)) {
      row.border = Border::kExtrapolated;
      row.is_tie = false;
      row.rule = "outside, extrapolated";
    } else if (moves) {
      explain_moved(pass.map, row);
    } else {
      explain_weighted(pass.map, table, k, row);
    }
  }
}

void add_tiled(IndexRange range, ExplainedAxis& axis) {
  for (int64_t i = range.lo; i < range.lo + range.n; ++i) {
    ExplainedOutput& row = axis.outputs.emplace_back();
    row.output = i;
    row.first = i % axis.in;
    row.count = 1;
    row.x = static_cast<double>(row.first);
    row.exact = digits(row.first);
  }
}

// How many outputs and taps the axes of an explanation may still have.
struct Budget {
  int64_t outputs;
  int64_t taps;
  int64_t axes;
};

Result<std::vector<IndexRange>> choose_ranges(const ExplainRequest& request, const ExplainedAxis& axis,
                                              Budget& budget) {
  const int64_t window = std::max<int64_t>(axis.window, 1);
  const int64_t most = std::min(budget.outputs, budget.taps / window);
  std::vector<IndexRange> ranges;
  int64_t count = 0;
  if (request.outputs) {
    const IndexRange range = *request.outputs;
    if (range.lo < 0 || range.n < 1 || range.n > axis.out - range.lo)
      return value_error("axis {}: the range begins at output {} and has {} outputs; expected a part of 0 to {}",
                         axis.axis, range.lo, range.n, axis.out - 1);
    count = range.n;
    ranges = {range};
  } else {
    const int64_t share = most / std::max<int64_t>(budget.axes, 1);
    const int64_t end = std::clamp<int64_t>(share / 2, 1, kEnd);
    if (axis.out <= std::min(kWholeAxis, share))
      ranges = {{0, axis.out}};
    else
      ranges = {{0, end}, {axis.out - end, end}};
    count = ranges.size() == 1 ? axis.out : 2 * end;
  }
  if (count > most)
    return limit_error(
        "axis {}: {} outputs of up to {} taps are asked for; an explanation has at most {} outputs and {} taps",
        axis.axis, count, window, request.most_outputs, request.most_taps);
  budget.outputs -= count;
  budget.taps -= count * window;
  --budget.axes;
  return ranges;
}

const Pass* find_pass(const ResizePlan* resize, size_t axis) {
  if (resize == nullptr) return nullptr;
  const auto found = std::find_if(resize->passes.begin(), resize->passes.end(),
                                  [axis](const Pass& pass) { return pass.axis == axis; });
  return found == resize->passes.end() ? nullptr : &*found;
}

ExplainedAxis begin_axis(const Plan& plan, size_t axis) {
  ExplainedAxis made;
  made.axis = axis;
  made.in = plan.in[axis];
  made.out = plan.out[axis];
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (const Pass* pass = find_pass(resize, axis)) {
    made.kind = resize->compute == ComputeType::kNone ? ExplainedAxis::Kind::kMoved : ExplainedAxis::Kind::kWeighted;
    made.pass = pass - resize->passes.data() + 1;
    made.window = pass->window;
    explain_rules(*resize, *pass, made);
  } else if (std::holds_alternative<TilePlan>(plan.work) && made.in != made.out && made.out > 0) {
    made.kind = ExplainedAxis::Kind::kTiled;
    made.formula = fmt::format("output i is input i mod {}", made.in);
  }
  return made;
}

Status check_axes(const Plan& plan, const ExplainRequest& request) {
  const auto rank = static_cast<int64_t>(plan.out.size());
  for (size_t k = 0; k < request.axes.size(); ++k) {
    const int64_t axis = request.axes[k];
    if (axis < 0 || axis >= rank)
      return value_error("axis {}; expected {}", axis,
                         rank == 0 ? "none, since the output has no axes" : "0 to " + digits(rank - 1));
    if (std::find(request.axes.begin(), request.axes.begin() + static_cast<std::ptrdiff_t>(k), axis) !=
        request.axes.begin() + static_cast<std::ptrdiff_t>(k))
      return value_error("axis {} is given twice", axis);
  }
  return {};
}

}  // namespace

Result<Explanation> explain(const Plan& plan, const ExplainRequest& request) {
  TESELA_RETURN_IF_ERROR(check_axes(plan, request));
  if (const auto* emulated = std::get_if<EmulatedPlan>(&plan.work))
    return unsupported_error("the plan follows the rules of {}; expected a plan without the plan field 'rules'",
                             name_of(emulated->rules));
  Explanation made{plan.type, plan.in, plan.out, plan.has_input(), {}, {}, {}, {}, {}, {}};
  explain_plan(plan, made);
  if (!plan.has_input()) return made;
  for (size_t axis = 0; axis < plan.out.size(); ++axis) {
    const bool is_listed =
        std::find(request.axes.begin(), request.axes.end(), static_cast<int64_t>(axis)) != request.axes.end();
    if (!is_listed && !request.axes.empty()) continue;
    ExplainedAxis begun = begin_axis(plan, axis);
    if (begun.kind == ExplainedAxis::Kind::kUnchanged)
      (begun.out == 0 ? made.empty : made.unchanged).push_back(axis);
    else
      made.axes.push_back(std::move(begun));
  }
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  Budget budget = {request.most_outputs, request.most_taps, static_cast<int64_t>(made.axes.size())};
  for (ExplainedAxis& axis : made.axes) {
    TESELA_ASSIGN_OR_RETURN(axis.ranges, choose_ranges(request, axis, budget));
    for (const IndexRange& range : axis.ranges)
      if (const Pass* pass = find_pass(resize, axis.axis))
        add_resized(*resize, *pass, range, axis);
      else
        add_tiled(range, axis);
  }
  return made;
}

std::string range_text(int64_t lo, int64_t hi) {
  return lo == hi ? fmt::format("{}", lo) : fmt::format("{} to {}", lo, hi);
}

std::string_view name_of(Border border) {
  switch (border) {
    case Border::kNone: return "none";
    case Border::kClamped: return "clamped";
    case Border::kFolded: return "folded";
    case Border::kDropped: return "dropped";
    case Border::kExtrapolated: return "extrapolated";
  }
  return "none";
}

std::string position_text(const ExplainedOutput& output) {
  const bool is_whole = !output.exact.empty() && output.exact.find('/') == std::string::npos;
  if (is_whole) return output.exact;
  return output.exact.empty() ? fmt::format("{}", output.x) : fmt::format("{} = {}", output.exact, output.x);
}

}  // namespace tesela
