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

// Whether the box is the whole output, so that the program's bound nests apply.
bool is_bound(const Plan& plan, const MoveProgram& program, const BoxRun& run) {
  return program.has_nests && run.output.strides_bytes.empty() && run.output.extents == plan.out &&
         run.input.strides_bytes.empty() && (!plan.has_input() || run.input.extents == plan.in);
}

void move_bytes(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  const int64_t width = element_bits(plan.type) / 8;
  if (!is_plain(run.output, width)) return reference::move_box(plan, run);
  NestRunner runner(run.input.data, run.output.data, program.outside);
  if (!stream && is_bound(plan, program, run)) {
    for (const LoopNest& nest : program.nests) runner.take(nest);
    return;
  }
  Scratch scratch;
  Layout layout = {scratch, runner, width, stream, reinterpret_cast<uintptr_t>(run.output.data)};
  lay_out_box(layout, make_box_axes(plan, program, scratch, run, width), plan.has_input());
}

}  // namespace

void bind_move(const Plan& plan, MoveProgram& program) {
  program.outside = outside_element(plan);
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work)) bind_tables(*resize, program);
  if (is_packed(plan.type) || product(plan.out) > kMaxBoundOutputs) return;
  BoxRun run;
  run.input.extents = plan.in;
  run.input_lo = Extents(plan.in.size(), 0);
  run.output.extents = plan.out;
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
  const auto strides = [](const auto& view) {
    return view.strides_bytes.empty() ? dense_strides(view.type, view.extents) : view.strides_bytes;
  };
  const Extents from_strides = strides(from);
  const Extents to_strides = strides(to);
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
