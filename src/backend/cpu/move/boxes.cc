// Boxes of an operator's output as boxes of axes: tiles by their copies, crops by what is outside.
#include "backend/cpu/move/boxes.h"

#include <algorithm>

#include "backend/cpu/move/line.h"
#include "backend/cpu/move/nearest_index.h"

namespace tesela::cpu::moves {

// Axes before d are in axes_; one that comes in parts makes a box of each.
void BoxMover::descend(size_t d, const std::byte* src, std::byte* dst) {
  if (d == sources_.size()) {
    Axes axes = axes_;
    normalise(task_.scratch, axes, src, dst);
    return move_axes(task_, axes, width_, src, dst);
  }
  const Source& source = sources_[d];
  if (source.table != nullptr) return descend_table(d, src, dst);
  if (source.tiles) return descend_tile(d, src, dst);
  axes_.push_back({source.n, source.to, source.from, nullptr});
  descend(d + 1, src + (source.lo - source.in_lo) * source.from, dst);
  axes_.pop_back();
}

void BoxMover::descend_part(size_t d, const Axis& axis, const std::byte* src, std::byte* dst) {
  axes_.push_back(axis);
  descend(d + 1, src, dst);
  axes_.pop_back();
}

// The end of a copy, whole copies, the begin of one.
void BoxMover::descend_tile(size_t d, const std::byte* src, std::byte* dst) {
  const Source& source = sources_[d];
  const int64_t phase = source.lo % source.in;
  const int64_t head = std::min(source.n, (source.in - phase) % source.in);
  const int64_t copies = (source.n - head) / source.in;
  const int64_t tail = source.n - head - copies * source.in;
  const auto part = [&](int64_t at, int64_t n, int64_t input) {
    if (n > 0)
      descend_part(d, {n, source.to, source.from, nullptr}, src + (input - source.in_lo) * source.from,
                   dst + at * source.to);
  };
  part(0, head, phase);
  if (copies > 0) {
    axes_.push_back({copies, source.to * source.in, 0, nullptr});
    part(head, source.in, 0);
    axes_.pop_back();
  }
  part(source.n - tail, tail, 0);
}

// Runs of outputs inside the input, and runs outside it, where all that remains is one value.
void BoxMover::descend_table(size_t d, const std::byte* src, std::byte* dst) {
  const Source& source = sources_[d];
  for (int64_t lo = 0, hi = 0; lo < source.n; lo = hi) {
    const bool outside = source.table[lo] == kOutside;
    while (hi < source.n && (source.table[hi] == kOutside) == outside) ++hi;
    if (outside)
      fill(d, hi - lo, dst + lo * source.to);
    else
      descend_part(d, {hi - lo, source.to, source.from, source.table + lo}, src - source.in_lo * source.from,
                   dst + lo * source.to);
  }
}

// n outputs of axis d and all of those inside it, under every axis outside.
void BoxMover::fill(size_t d, int64_t n, std::byte* dst) {
  Axes axes = axes_;
  for (Axis& axis : axes) axis = {axis.n, axis.to, 0, nullptr};
  axes.push_back({n, sources_[d].to, 0, nullptr});
  for (size_t k = d + 1; k < sources_.size(); ++k) axes.push_back({sources_[k].n, sources_[k].to, 0, nullptr});
  const std::byte* value = outside_.data();
  normalise(task_.scratch, axes, value, dst);
  move_axes(task_, axes, width_, value, dst);
}

Sources make_sources(const Plan& plan, const MoveProgram& program, Scratch& scratch, const BoxRun& run, int64_t width) {
  const size_t rank = run.output.extents.size();
  Sources sources(rank);
  int64_t to = width;
  int64_t from = width;
  for (size_t d = rank; d-- > 0;) {
    Source& source = sources[d];
    source.n = run.output.extents[d];
    source.lo = run.output_lo[d];
    source.to = run.output.strides_bytes.empty() ? to : run.output.strides_bytes[d];
    to *= source.n;
    if (!plan.has_input()) continue;
    source.in = plan.in[d];
    source.in_lo = run.input_lo[d];
    source.from = run.input.strides_bytes.empty() ? from : run.input.strides_bytes[d];
    from *= run.input.extents[d];
    source.tiles = std::holds_alternative<TilePlan>(plan.work);
  }
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (size_t p = 0; p < resize->passes.size(); ++p) {
      const Pass& pass = resize->passes[p];
      Source& source = sources[pass.axis];
      if (program.is_bound(p)) {
        source.table = program.tables[p].data() + source.lo;
        continue;
      }
      auto* table = scratch.take<int64_t>(source.n);
      find_indices(pass.rule, {source.lo, source.n}, table);
      source.table = table;
    }
  return sources;
}

}  // namespace tesela::cpu::moves
