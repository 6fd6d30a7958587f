// SPDX-License-Identifier: Apache-2.0
// Moves: fills, tiles, nearest and copies.
#include "backend/cpu/move/move.h"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/move/layout/box.h"
#include "backend/cpu/move/layout/nearest_index.h"
#include "backend/cpu/move/loops/run_nest.h"
#include "backend/cpu/move/packed.h"
#include "backend/cpu/tuning.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela::cpu {
namespace {

using namespace moves;

// Makes streamed stores visible to other threads before the task ends.
void fence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// Whether outputs neither overlap nor interleave; otherwise the reference's order applies.
bool is_plain(const MutableTensorView& view, int64_t width) {
  if (view.strides_bytes.empty()) return true;
  SmallVector<std::pair<int64_t, int64_t>, 8> axes;  // stride and span
  for (size_t d = 0; d < view.extents.size(); ++d) {
    const int64_t stride = std::abs(view.strides_bytes[d]);
    if (view.extents[d] > 1) axes.push_back({stride, stride * (view.extents[d] - 1)});
  }
  std::sort(axes.begin(), axes.end());
  int64_t span = width;
  for (const auto& [stride, axis_span] : axes) {
    if (stride < span) return false;
    span += axis_span;
  }
  return true;
}

// The element for outputs without an input.
Element outside_element(const Plan& plan) {
  Element element = {};
  if (const auto* fill = std::get_if<FillPlan>(&plan.work)) return fill->value;
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  if (resize && resize->extrapolates)
    element_from_double(plan.type, static_cast<double>(resize->extrapolation_value), element.data());
  return element;
}

// Collects nests for a program.
class KeepNests final : public NestSink {
 public:
  explicit KeepNests(std::vector<LoopNest>& nests) : nests_(nests) {}
  void take(const LoopNest& nest) override { nests_.push_back(nest); }

 private:
  std::vector<LoopNest>& nests_;
};

void bind_tables(const ResizePlan& resize, MoveProgram& program) {
  program.tables.resize(resize.passes.size());
  for (size_t p = 0; p < resize.passes.size(); ++p) {
    const AxisMap& map = resize.passes[p].map;
    if (map.out > kMaxBoundExtent) continue;
    program.tables[p].resize(static_cast<size_t>(map.out));
    find_indices(map, {0, map.out}, program.tables[p].data());
  }
}

// Whether the view has whole, dense units.
template <class View>
bool has_units(const View& view, const Extents& whole, size_t unit_axis, int64_t width) {
  for (size_t d = whole.size(); d-- > unit_axis; width *= whole[d]) {
    if (view.extents[d] != whole[d]) return false;
    if (!view.strides_bytes.empty() && whole[d] > 1 && view.strides_bytes[d] != width) return false;
  }
  return true;
}

// Whether the box has whole units, so that the program's bound nests apply.
bool is_bound(const Plan& plan, const MoveProgram& program, const BoxRun& run, int64_t width) {
  return program.has_nests && has_units(run.output, plan.out, program.unit_axis, width) &&
         (!plan.has_input() || has_units(run.input, plan.in, program.unit_axis, width));
}

// Runs the bound nests for each unit of the box.
void move_units(const MoveProgram& program, const BoxRun& run) {
  const size_t leading = program.unit_axis;
  Extents in_strides = {};
  Extents out_strides = {};
  if (leading > 0) {
    in_strides = strides_of(run.input);
    out_strides = strides_of(run.output);
  }
  Extents at(leading, 0);
  for (bool goes_on = true; goes_on;) {
    const std::byte* in = run.input.data;
    std::byte* out = run.output.data;
    for (size_t d = 0; d < leading; ++d) {
      in += (run.output_lo[d] + at[d] - run.input_lo[d]) * in_strides[d];
      out += at[d] * out_strides[d];
    }
    NestRunner runner(in, out, program.outside);
    for (const LoopNest& nest : program.nests) runner.take(nest);
    goes_on = false;
    for (size_t d = leading; d-- > 0 && !goes_on;) {
      goes_on = ++at[d] < run.output.extents[d];
      if (!goes_on) at[d] = 0;
    }
  }
}

// The first axis that changes, if the axes from it on make units that are worth binding; 0 if the whole output does.
size_t find_unit_axis(const Plan& plan) {
  if (!plan.has_input() || product(plan.out) <= kMaxBoundOutputs) return 0;
  size_t axis = 0;
  int64_t units = 1;
  while (axis < plan.in.size() && plan.in[axis] == plan.out[axis]) units *= plan.out[axis++];
  const int64_t outputs = product(plan.out) / units;
  return outputs >= kMinUnitOutputs ? axis : 0;
}

void move_bytes(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  const int64_t width = element_bits(plan.type) / 8;
  if (!is_plain(run.output, width)) return reference::move_box(plan, run);
  if (!stream && is_bound(plan, program, run, width)) return move_units(program, run);
  NestRunner runner(run.input.data, run.output.data, program.outside);
  Scratch scratch;
  Layout layout = {scratch, runner, width, stream, reinterpret_cast<uintptr_t>(run.output.data)};
  lay_out_box(layout, make_box_axes(plan, program, scratch, run, width), plan.has_input());
}

}  // namespace

void bind_move(const Plan& plan, MoveProgram& program) {
  program.outside = outside_element(plan);
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work)) bind_tables(*resize, program);
  if (is_packed(plan.type)) return;
  program.unit_axis = find_unit_axis(plan);
  BoxRun run;
  run.input.extents = plan.in;
  run.input_lo = Extents(plan.in.size(), 0);
  run.output.extents = plan.out;
  for (size_t d = 0; d < program.unit_axis; ++d) run.input.extents[d] = run.output.extents[d] = 1;
  if (product(run.output.extents) > kMaxBoundOutputs) return;
  run.output_lo = Extents(plan.out.size(), 0);
  const int64_t width = element_bits(plan.type) / 8;
  KeepNests sink(program.nests);
  Layout layout = {program.arena, sink, width};
  lay_out_box(layout, make_box_axes(plan, program, program.arena, run, width), plan.has_input());
  program.has_nests = true;
}

void move_box(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  if (product(run.output.extents) == 0) return;
  if (is_packed(plan.type))
    move_packed(plan, program, run, stream);
  else
    move_bytes(plan, program, run, stream);
  if (stream) fence();
}

void copy_view(const TensorView& from, const MutableTensorView& to) {
  if (product(to.extents) == 0) return;
  const int64_t width = element_bits(to.type) / 8;
  if (!is_plain(to, width)) return copy_elements(from, to);
  const Extents from_strides = strides_of(from);
  const Extents to_strides = strides_of(to);
  BoxAxes axes;
  for (size_t d = 0; d < to.extents.size(); ++d) {
    const int64_t n = to.extents[d];
    axes.push_back({.n = n, .in = n, .to = to_strides[d], .from = from_strides[d]});
  }
  Scratch scratch;
  NestRunner runner(from.data, to.data, {});
  Layout layout = {scratch, runner, width};
  lay_out_box(layout, axes, true);
}

}  // namespace tesela::cpu
