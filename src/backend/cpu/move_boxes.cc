// Boxes of an operator's output as boxes of axes: tiles by their copies, crops by what is outside.
#include <algorithm>

#include "backend/cpu/moves.h"
#include "types/out_of_memory.h"

namespace tesela::cpu::moves {

std::byte* Arena::take_from_heap(size_t bytes) {
  void* const block = std::aligned_alloc(kAlignment, bytes);
  if (block == nullptr) throw OutOfMemory(bytes);
  heap_.emplace_back(static_cast<std::byte*>(block));
  return heap_.back().get();
}

// Axes before d are in axes_; one that comes in parts makes a box of each.
void BoxMover::descend(size_t d, const std::byte* src, std::byte* dst) {
  if (d == sources_.size()) {
    Axes axes(task_.arena, axes_);
    normalise(task_.arena, axes, src, dst);
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
      descend_part(d, {hi - lo, source.to, 0, source.table + lo}, src, dst + lo * source.to);
  }
}

// n outputs of axis d and all of those inside it, under every axis outside.
void BoxMover::fill(size_t d, int64_t n, std::byte* dst) {
  Axes axes(task_.arena, axes_, sources_.size() - d);
  for (Axis& axis : axes) axis = {axis.n, axis.to, 0, nullptr};
  axes.push_back({n, sources_[d].to, 0, nullptr});
  for (size_t k = d + 1; k < sources_.size(); ++k) axes.push_back({sources_[k].n, sources_[k].to, 0, nullptr});
  const std::byte* value = outside_.data();
  normalise(task_.arena, axes, value, dst);
  move_axes(task_, axes, width_, value, dst);
}

Sources make_sources(Arena& arena, const Plan& plan, const BoxRun& run, int64_t width) {
  const size_t rank = run.output.extents.size();
  const Sources sources = {arena.take<Source>(static_cast<int64_t>(rank)), rank};
  const bool tiles = std::holds_alternative<TilePlan>(plan.work);
  int64_t to = width;
  int64_t from = width;
  for (size_t d = rank; d-- > 0;) {
    Source& source = sources[d] = {};
    source.n = run.output.extents[d];
    source.lo = run.output_lo[d];
    source.to = run.output.strides_bytes.empty() ? to : run.output.strides_bytes[d];
    to *= source.n;
    if (!plan.has_input()) continue;
    source.in = plan.in[d];
    source.in_lo = run.input_lo[d];
    source.from = run.input.strides_bytes.empty() ? from : run.input.strides_bytes[d];
    from *= run.input.extents[d];
    source.tiles = tiles;
  }
  if (const auto* resize = std::get_if<ResizePlan>(&plan.work))
    for (const Pass& pass : resize->passes) {
      Source& source = sources[pass.axis];
      auto* table = arena.take<int64_t>(source.n);
      find_offsets(pass.rule, {source.lo, source.n}, source.in_lo, source.from, table);
      source.table = table;
    }
  return sources;
}

}  // namespace tesela::cpu::moves
