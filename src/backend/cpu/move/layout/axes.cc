// SPDX-License-Identifier: Apache-2.0
// Normalizes the axes of a move.
#include "backend/cpu/move/layout/axes.h"

#include <algorithm>

namespace tesela::cpu::moves {
namespace {

void turn_forward(Arena& arena, Axis& axis, Place& place) {
  if (axis.to > 0) return;
  place.dst += axis.to * (axis.n - 1);
  axis.to = -axis.to;
  if (axis.table) {
    auto* table = arena.take<int64_t>(axis.n);
    std::reverse_copy(axis.table, axis.table + axis.n, table);
    axis.table = table;
    return;
  }
  place.src += axis.from * (axis.n - 1);
  axis.from = -axis.from;
}

// Replaces a table of equal steps by the step.
void make_affine(Axis& axis, Place& place) {
  if (axis.from == 0) axis.table = nullptr;
  if (axis.table == nullptr) return;
  const int64_t step = axis.table[1] - axis.table[0];
  for (int64_t i = 2; i < axis.n; ++i)
    if (axis.table[i] - axis.table[i - 1] != step) return;
  place.src += axis.offset(0);
  axis.table = nullptr;
  axis.from *= step;
}

bool continues(const Axis& outer, const Axis& inner) {
  return !outer.table && !inner.table && outer.to == inner.to * inner.n && outer.from == inner.from * inner.n;
}

void insert_by_step(Axes& axes, const Axis& axis) {
  axes.push_back(axis);
  for (size_t at = axes.size() - 1; at > 0 && axes[at - 1].to < axes[at].to; --at) std::swap(axes[at - 1], axes[at]);
}

void merge_neighbours(Axes& axes) {
  size_t kept = 0;
  for (size_t d = 1; d < axes.size(); ++d) {
    if (continues(axes[kept], axes[d]))
      axes[kept] = {axes[kept].n * axes[d].n, axes[d].to, axes[d].from};
    else
      axes[++kept] = axes[d];
  }
  if (!axes.empty()) axes.resize(kept + 1);
}

}  // namespace

void normalise(Arena& arena, Axes& axes, Place& place) {
  Axes sorted;
  for (Axis axis : axes) {
    if (axis.n == 1) {
      place.src += axis.offset(0);
      continue;
    }
    turn_forward(arena, axis, place);
    make_affine(axis, place);
    insert_by_step(sorted, axis);
  }
  merge_neighbours(sorted);
  axes = std::move(sorted);
}

}  // namespace tesela::cpu::moves
