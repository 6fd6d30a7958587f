// SPDX-License-Identifier: Apache-2.0
// Partial sums: checks of tensors against a pass, and the tasks of adding taps and rounding sums.
#include "backend/accumulate.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "backend/boxes.h"
#include "backend/float_environment.h"
#include "backend/reference/reference.h"
#include "backend/reference/strided.h"
#include "backend/tasks.h"
#include "backend/tensor_checks.h"
#include "types/elements.h"

namespace tesela {
namespace {

constexpr int64_t kMaxTableBytes = int64_t{16}
                                   << 20;  // of the outputs whose table is made at once, if they are several
constexpr int64_t kMinTaskProducts = int64_t{1} << 16;

template <class View>
Status check_tensor(const View& view, DataType type, std::string_view what) {
  TESELA_RETURN_IF_ERROR(check_type(view.type, type, what));
  return check_strides(view.type, view.extents, view.strides_bytes, what);
}

template <class View>
Status check_data(const View& view, std::string_view what) {
  if (view.data == nullptr && product(view.extents) != 0) return usage_error("the {} has no data", what);
  return {};
}

Status check_pass(const Plan& plan, size_t pass) {
  TESELA_ASSIGN_OR_RETURN(const size_t count, pass_count(plan));
  if (pass >= count) return value_error("pass {}; the plan has {}", pass, count);
  return {};
}

// Accumulators that begin at lo of the pass's output.
template <class View>
Status check_sums(const View& sums, const Extents& lo, const PassTensors& tensors) {
  TESELA_RETURN_IF_ERROR(check_tensor(sums, tensors.sums, "accumulator"));
  TESELA_RETURN_IF_ERROR(check_box(lo, sums.extents, tensors.out, "accumulator's"));
  return check_data(sums, "accumulator");
}

// The box of sums whose indices along the other axes are inside the input box, and along the pass's axis can have taps there.
Box sums_within(const PassRun& run, const Pass& pass) {
  Box box = {run.sums_lo, run.sums.extents};
  for (size_t d = 0; d < box.n.size(); ++d) {
    if (d == pass.axis) continue;
    const int64_t hi = std::min(run.sums_lo[d] + run.sums.extents[d], run.input_lo[d] + run.input.extents[d]);
    box.lo[d] = std::max(run.sums_lo[d], run.input_lo[d]);
    box.n[d] = std::max<int64_t>(hi - box.lo[d], 0);
  }
  if (product(box.n) == 0) return box;
  const IndexRange outputs = output_range(pass.map, {box.lo[pass.axis], box.n[pass.axis]},
                                          {run.input_lo[pass.axis], run.input.extents[pass.axis]});
  box.lo[pass.axis] = outputs.lo;
  box.n[pass.axis] = outputs.n;
  return box;
}

// The part of a run in a box of sums.
TapSums taps_in(const PassRun& run, size_t axis, const AxisTable& table, const Box& box) {
  TapSums taps;
  taps.axis = axis;
  taps.table = &table;
  taps.first_row = box.lo[axis] - table.lo;
  Box inputs = box;
  inputs.lo[axis] = run.input_lo[axis];
  inputs.n[axis] = run.input.extents[axis];
  taps.input = part_of(run.input, run.input_lo, inputs);
  taps.input.strides_bytes = strides_of(taps.input);
  taps.input_lo = inputs.lo[axis];
  taps.sums = part_of(run.sums, run.sums_lo, box);
  taps.sums.strides_bytes = strides_of(taps.sums);
  return taps;
}

// Elements of a task of several threads.
int64_t task_elements(int64_t elements, int64_t products, int threads) {
  if (threads == 1) return elements;
  const int64_t tasks = std::clamp<int64_t>(products / kMinTaskProducts, 1, int64_t{4} * threads);
  return (elements + tasks - 1) / tasks;
}

// Outputs along the pass's axis whose table is made at once: their sums are divided among the threads.
Status add_strip(const Plan& plan, const Program& program, const PassRun& run, const Box& box, const Executor& executor,
                 const RunOptions& options) {
  const auto& work = std::get<ResizePlan>(plan.work);
  const Pass& pass = work.passes[run.pass];
  const size_t axis = pass.axis;
  const AxisTable table = make_axis_table(pass.map, {box.lo[axis], box.n[axis]}, work.compute);
  const int64_t taps = std::min(pass.window, run.input.extents[axis]);
  const int64_t products = checked_mul(product(box.n), taps).value_or(INT64_MAX);
  const int64_t elements = task_elements(product(box.n), products, executor.concurrency());
  const BoxCutter cutter(box, elements, run.sums.type);
  return run_tasks(cutter.count(), executor, options, [&](int64_t i, Watch& watch) {
    const FloatEnvironment environment;
    TapSums part = taps_in(run, axis, table, cutter.box(i));
    part.compute = work.compute;
    part.watch = &watch;
    program.add_taps(part);
  });
}

}  // namespace

TapRow taps_inside(const TapSums& run, int64_t i) {
  const auto row = static_cast<size_t>(run.first_row + i);
  const int64_t first = run.table->first[row];
  const int64_t count = run.table->count[row];
  const int64_t begin = std::clamp<int64_t>(run.input_lo - first, 0, count);
  const int64_t end = std::clamp<int64_t>(run.input_lo + run.input.extents[run.axis] - first, begin, count);
  return {run.table->row(run.first_row + i) + begin, first + begin - run.input_lo, end - begin};
}

Status begin_sums(const Plan& plan, size_t pass, const MutableTensorView& sums) {
  TESELA_RETURN_IF_ERROR(check_pass(plan, pass));
  const PassTensors tensors = tensors_of(plan, pass);
  TESELA_RETURN_IF_ERROR(check_tensor(sums, tensors.sums, "accumulator"));
  if (sums.extents.size() != tensors.out.size())
    return rank_error("the accumulator has rank {}; expected {}", sums.extents.size(), tensors.out.size());
  TESELA_RETURN_IF_ERROR(check_data(sums, "accumulator"));
  visit_computed(sums.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if constexpr (std::is_floating_point_v<T>) {
      const T zero[2] = {T{-0.0}, T{-0.0}};
      const size_t bytes = sizeof(T) * static_cast<size_t>(parts_of(sums.type));
      reference::for_each_offset(sums.type, sums.extents, sums.strides_bytes, nullptr,
                                 [&](int64_t offset) { std::memcpy(sums.data + offset, zero, bytes); });
    }
  });
  return {};
}

Status add_to_sums(const Plan& plan, const Program& program, const PassRun& run, const Executor& executor,
                   const RunOptions& options) {
  const FloatEnvironment environment;
  TESELA_RETURN_IF_ERROR(check_pass(plan, run.pass));
  const PassTensors tensors = tensors_of(plan, run.pass);
  TESELA_RETURN_IF_ERROR(check_sums(run.sums, run.sums_lo, tensors));
  TESELA_RETURN_IF_ERROR(check_tensor(run.input, tensors.input, "input"));
  TESELA_RETURN_IF_ERROR(check_box(run.input_lo, run.input.extents, tensors.in, "input"));
  TESELA_RETURN_IF_ERROR(check_data(run.input, "input"));
  const Pass& pass = std::get<ResizePlan>(plan.work).passes[run.pass];
  const Box all = sums_within(run, pass);
  if (product(all.n) == 0) return {};
  const int64_t strip = std::max<int64_t>(kMaxTableBytes / axis_table_bytes(pass.window, 1), 1);
  const int64_t end = all.lo[pass.axis] + all.n[pass.axis];
  for (int64_t lo = all.lo[pass.axis]; lo < end; lo += strip) {
    Box box = all;
    box.lo[pass.axis] = lo;
    box.n[pass.axis] = std::min(strip, end - lo);
    TESELA_RETURN_IF_ERROR(add_strip(plan, program, run, box, executor, options));
  }
  return {};
}

Status finish_sums(const Plan& plan, const FinishRun& run, const Executor& executor, const RunOptions& options) {
  const FloatEnvironment environment;
  TESELA_RETURN_IF_ERROR(check_pass(plan, run.pass));
  const PassTensors tensors = tensors_of(plan, run.pass);
  TESELA_RETURN_IF_ERROR(check_sums(run.sums, run.lo, tensors));
  TESELA_RETURN_IF_ERROR(check_tensor(run.output, tensors.output, "output"));
  if (run.output.extents != run.sums.extents)
    return shape_error("the output has shape {}; the accumulator has {}", shape_text(run.output.extents),
                       shape_text(run.sums.extents));
  TESELA_RETURN_IF_ERROR(check_data(run.output, "output"));
  const BoxCutter cutter({run.lo, run.sums.extents}, kMinTaskElements, plan.type);
  return run_tasks(cutter.count(), executor, options, [&](int64_t i, Watch& watch) {
    const FloatEnvironment task_environment;
    const Box box = cutter.box(i);
    FinishRun part = run;
    part.sums = part_of(run.sums, run.lo, box);
    part.output = part_of(run.output, run.lo, box);
    part.lo = box.lo;
    part.watch = &watch;
    reference::finish_sums(plan, part);
  });
}

}  // namespace tesela
