// SPDX-License-Identifier: Apache-2.0
// Converts boxes of an operator's output to loop nests: splits tiles by copies, and crops into inside and outside.
#include "backend/cpu/move/layout/box.h"

#include <algorithm>

#include "backend/cpu/move/layout/nearest_index.h"

namespace tesela::cpu::moves {
namespace {

class BoxLayout {
 public:
  BoxLayout(Layout& layout, const BoxAxes& box) : layout_(layout), box_(box) {}

  // The axes before d are in axes_. outside: they select outputs without an input, so all inner outputs have none.
  void descend(size_t d, Place at, bool outside) {
    if (d == box_.size()) return finish(at, outside);
    const BoxAxis& axis = box_[d];
    if (outside) return take(d, {axis.n, axis.to, 0}, at, true);
    if (axis.table != nullptr) return take_table(d, at);
    if (axis.tiles) return take_tile(d, at);
    take(d, {axis.n, axis.to, axis.from}, {at.src + (axis.lo - axis.in_lo) * axis.from, at.dst}, false);
  }

 private:
  void take(size_t d, const Axis& axis, Place at, bool outside) {
    axes_.push_back(axis);
    descend(d + 1, at, outside);
    axes_.pop_back();
  }

  // The end of a copy, whole copies, the beginning of one.
  void take_tile(size_t d, Place at) {
    const BoxAxis& axis = box_[d];
    const int64_t phase = axis.lo % axis.in;
    const int64_t head = std::min(axis.n, (axis.in - phase) % axis.in);
    const int64_t copies = (axis.n - head) / axis.in;
    const int64_t tail = axis.n - head - copies * axis.in;
    const auto part = [&](int64_t lo, int64_t n, int64_t input) {
      const Place place = {at.src + (input - axis.in_lo) * axis.from, at.dst + lo * axis.to};
      if (n > 0) take(d, {n, axis.to, axis.from}, place, false);
    };
    part(0, head, phase);
    if (copies > 0) {
      axes_.push_back({copies, axis.to * axis.in, 0});
      part(head, axis.in, 0);
      axes_.pop_back();
    }
    part(axis.n - tail, tail, 0);
  }

  // Runs of outputs inside the input, and runs outside it.
  void take_table(size_t d, Place at) {
    const BoxAxis& axis = box_[d];
    for (int64_t lo = 0, hi = 0; lo < axis.n; lo = hi) {
      const bool outside = axis.table[lo] == kOutside;
      while (hi < axis.n && (axis.table[hi] == kOutside) == outside) ++hi;
      const Place place = {at.src - axis.in_lo * axis.from, at.dst + lo * axis.to};
      take(d, {hi - lo, axis.to, axis.from, axis.table + lo}, place, outside);
    }
  }

  void finish(Place at, bool outside) {
    Axes axes = axes_;
    if (outside) {
      at.src = 0;
      for (Axis& axis : axes) axis = {axis.n, axis.to, 0};
    }
    layout_.add(std::move(axes), at, outside);
  }

  Layout& layout_;
  const BoxAxes& box_;
  Axes axes_;
};

void set_tables(const ResizePlan& resize, const MoveProgram& program, Arena& arena, BoxAxes& box) {
  for (size_t p = 0; p < resize.passes.size(); ++p) {
    const Pass& pass = resize.passes[p];
    BoxAxis& axis = box[pass.axis];
    if (program.is_bound(p)) {
      axis.table = program.tables[p].data() + axis.lo;
      continue;
    }
    auto* table = arena.take<int64_t>(axis.n);
    find_indices(pass.map, {axis.lo, axis.n}, table);
    axis.table = table;
  }
}

// The step of a dense tensor, or the given one.
int64_t step_of(const Extents& strides, size_t d, int64_t& dense, int64_t extent) {
  const int64_t step = strides.empty() ? dense : strides[d];
  dense *= extent;
  return step;
}

}  // namespace

BoxAxes make_box_axes(const Plan& plan, const MoveProgram& program, Arena& arena, const BoxRun& run, int64_t width) {
  BoxAxes box(run.output.extents.size());
  const bool tiles = std::holds_alternative<TilePlan>(plan.work);
  int64_t to = width;
  int64_t from = width;
  for (size_t d = box.size(); d-- > 0;) {
    BoxAxis& axis = box[d];
    axis = {.n = run.output.extents[d], .lo = run.output_lo[d], .tiles = tiles};
    axis.to = step_of(run.output.strides_bytes, d, to, axis.n);
    if (!plan.has_input()) continue;
    axis.in = plan.in[d];
    axis.in_lo = run.input_lo[d];
    axis.from = step_of(run.input.strides_bytes, d, from, run.input.extents[d]);
  }
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work)) set_tables(*resize, program, arena, box);
  return box;
}

void lay_out_box(Layout& layout, const BoxAxes& box, bool has_input) {
  BoxLayout(layout, box).descend(0, {}, !has_input);
}

}  // namespace tesela::cpu::moves
