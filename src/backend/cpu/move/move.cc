// SPDX-License-Identifier: Apache-2.0
// Moves: fills, tiles, nearest and copies.
#include "backend/cpu/move/move.h"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/caches.h"
#include "backend/cpu/move/layout/box.h"
#include "backend/cpu/move/layout/nearest_index.h"
#include "backend/cpu/move/loops/run_nest.h"
#include "backend/cpu/move/loops/store_rows.h"
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

void bind_tables(const ResizePlan& resize, MoveProgram& program) {
  program.tables.resize(resize.passes.size());
  for (size_t p = 0; p < resize.passes.size(); ++p) {
    const AxisMap& map = resize.passes[p].map;
    if (map.out > kMaxBoundExtent) continue;
    program.tables[p].resize(static_cast<size_t>(map.out));
    find_indices(map, {0, map.out}, program.tables[p].data());
  }
}

// Makes the nests of a box. They depend on what key_of() says.
void lay_out(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream, Arena& arena,
             NestSink& sink) {
  const int64_t width = element_bits(plan.type) / 8;
  Layout layout = {arena, sink, width, stream, reinterpret_cast<uintptr_t>(run.output.data)};
  lay_out_box(layout, make_box_axes(plan, program, arena, run, width), plan.has_input());
}

std::unique_ptr<BoxNests> make_nests(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream) {
  auto made = std::make_unique<BoxNests>();
  lay_out(plan, program, run, stream, made->arena, *made);
  return made;
}

// Whether the view is a whole, dense tensor.
template <class View>
bool is_whole(const View& view, const Extents& extents, int64_t width) {
  for (size_t d = extents.size(); d-- > 0; width *= extents[d]) {
    if (view.extents[d] != extents[d]) return false;
    if (!view.strides_bytes.empty() && extents[d] > 1 && view.strides_bytes[d] != width) return false;
  }
  return true;
}

void run_nests(const BoxNests& box, NestRunner& runner) {
  for (const LoopNest& nest : box.nests) runner.take(nest);
}

// Needs no nests: a small fill is done before they were found.
void fill_dense(const MutableTensorView& output, const Element& element, int64_t width, bool stream,
                int64_t run_bytes) {
  const int64_t bytes = product(output.extents) * width;
  if (!stream && width <= 8 && fills_by_string(std::max(run_bytes, bytes)))
    fill_by_string_stores(output.data, bytes, element.data(), width);
  else
    fill_bytes(output.data, bytes, element.data(), width, stream);
}

void move_bytes(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream, int64_t run_bytes) {
  const int64_t width = element_bits(plan.type) / 8;
  if (!plan.has_input() && is_whole(run.output, run.output.extents, width))
    return fill_dense(run.output, program.outside, width, stream, run_bytes);
  if (!is_plain(run.output, width)) return reference::move_box(plan, run);
  NestRunner runner(run.input.data, run.output.data, program.outside);
  if (!stream && program.whole != nullptr && is_whole(run.output, plan.out, width) &&
      is_whole(run.input, plan.in, width))
    return run_nests(*program.whole, runner);
  const BoxKey key = key_of(plan, run, stream);
  const auto [kept, room] = program.nests.find(key);
  if (kept != nullptr) return run_nests(*kept, runner);
  if (room == nullptr) {
    Scratch scratch;
    return lay_out(plan, program, run, stream, scratch, runner);
  }
  std::unique_ptr<BoxNests> made = make_nests(plan, program, run, stream);
  made->key = key;
  run_nests(*made, runner);
  program.nests.keep(*room, std::move(made));
}

}  // namespace

void bind_move(const Plan& plan, MoveProgram& program) {
  program.outside = outside_element(plan);
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work)) bind_tables(*resize, program);
  if (is_packed(plan.type)) return;
  if (product(plan.out) > kMaxBoundOutputs) return;
  BoxRun run;
  run.input.extents = plan.in;
  run.input_lo = Extents(plan.in.size(), 0);
  run.output.extents = plan.out;
  run.output_lo = Extents(plan.out.size(), 0);
  program.whole = make_nests(plan, program, run, false);
}

void move_box(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream, int64_t run_bytes) {
  if (product(run.output.extents) == 0) return;
  if (is_packed(plan.type))
    move_packed(plan, program, run, stream);
  else
    move_bytes(plan, program, run, stream, run_bytes);
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
