// SPDX-License-Identifier: Apache-2.0
// The C interface: the tables of a plan's axes.
#include <algorithm>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "plan/axis_table.h"

using namespace tesela;
using namespace tesela::api;

struct tesela_axis_table {
  std::vector<int64_t> first;
  std::vector<int32_t> count;
  std::vector<double> weights;
  int64_t taps = 1;
};

namespace {

// One input for each output; none for outputs outside the input.
tesela_axis_table copy_table(std::vector<int64_t> sources) {
  tesela_axis_table table;
  table.first = std::move(sources);
  for (int64_t& first : table.first) {
    table.count.push_back(first >= 0 ? 1 : 0);
    first = std::max<int64_t>(first, 0);
  }
  return table;
}

constexpr int64_t kMaxTableOutputs = int64_t{1} << 36;  // an early error, before memory runs out

tesela_axis_table make_table(const Plan& plan, size_t axis, IndexRange range) {
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (const Pass& pass : resize->passes) {
      if (pass.axis != axis) continue;
      if (resize->compute == ComputeType::kNone) return copy_table(make_index_table(pass.map, range));
      const AxisTable table = make_axis_table(pass.map, range, resize->compute);
      return {{table.first.begin(), table.first.end()},
              {table.count.begin(), table.count.end()},
              {table.weights.begin(), table.weights.end()},
              table.pitch};
    }
  std::vector<int64_t> sources;
  const bool tiles = std::holds_alternative<TilePlan>(plan.work);
  for (int64_t i = range.lo; i < range.lo + range.n; ++i)
    sources.push_back(!plan.has_input() ? -1 : tiles ? i % plan.in[axis] : i);
  return copy_table(std::move(sources));
}

}  // namespace

extern "C" {

tesela_status tesela_plan_axis_table(const tesela_plan* plan, int32_t axis, int64_t lo, int64_t n,
                                     tesela_axis_table** table, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || table == nullptr) return usage_error("tesela_plan_axis_table: an argument is NULL");
    const Extents& out = plan->plan.out;
    if (axis < 0 || axis >= static_cast<int32_t>(out.size()))
      return value_error("axis {}; expected 0 to {}", axis, static_cast<int64_t>(out.size()) - 1);
    TESELA_RETURN_IF_ERROR(check_box({{lo}, {n}}, {out[static_cast<size_t>(axis)]}, "range's"));
    if (const auto* emulated = std::get_if<EmulatedPlan>(&plan->plan.work))
      return unsupported_error("the plan follows the rules of {}, whose tables are not single windows",
                               name_of(emulated->rules));
    if (n > kMaxTableOutputs) return no_memory_error("a table of {} outputs does not fit in memory", n);
    *table = new tesela_axis_table(make_table(plan->plan, static_cast<size_t>(axis), {lo, n}));
    return {};
  });
}

void tesela_axis_table_get(const tesela_axis_table* table, tesela_axis_table_view* view) {
  if (table == nullptr) return;
  tesela_axis_table_view c_view = {};
  c_view.struct_size = sizeof c_view;
  c_view.outputs = static_cast<int64_t>(table->first.size());
  c_view.taps = table->taps;
  c_view.first = table->first.data();
  c_view.count = table->count.data();
  c_view.weights = table->weights.empty() ? nullptr : table->weights.data();
  write_struct(c_view, view);
}

void tesela_axis_table_destroy(tesela_axis_table* table) {
  delete table;
}

}  // extern "C"
