// The axes of a move brought into order.
#include "backend/cpu/move/axes.h"

#include <algorithm>

namespace tesela::cpu::moves {
namespace {

void turn_forward(Scratch& scratch, Axis& axis, const std::byte*& src, std::byte*& dst) {
  if (axis.to > 0) return;
  dst += axis.to * (axis.n - 1);
  axis.to = -axis.to;
  if (axis.table) {
    auto* table = scratch.take<int64_t>(axis.n);
    std::reverse_copy(axis.table, axis.table + axis.n, table);
    axis.table = table;
    return;
  }
  src += axis.from * (axis.n - 1);
  axis.from = -axis.from;
}

// A table of equal steps is none.
void make_affine(Axis& axis, const std::byte*& src) {
  if (axis.from == 0) axis.table = nullptr;
  if (axis.table == nullptr) return;
  const int64_t step = axis.table[1] - axis.table[0];
  for (int64_t i = 2; i < axis.n; ++i)
    if (axis.table[i] - axis.table[i - 1] != step) return;
  src += axis.offset(0);
  axis.table = nullptr;
  axis.from *= step;
}

bool continues(const Axis& outer, const Axis& inner) {
  return !outer.table && !inner.table && outer.to == inner.to * inner.n && outer.from == inner.from * inner.n;
}

}  // namespace

void normalise(Scratch& scratch, Axes& axes, const std::byte*& src, std::byte*& dst) {
  size_t kept = 0;
  for (Axis axis : axes) {
    if (axis.n == 1) {
      src += axis.offset(0);
      continue;
    }
    turn_forward(scratch, axis, src, dst);
    make_affine(axis, src);
    size_t at = kept++;
    for (; at > 0 && axes[at - 1].to < axis.to; --at) axes[at] = axes[at - 1];
    axes[at] = axis;
  }
  axes.resize(kept);
  for (size_t d = axes.size(); d-- > 1;) {
    if (!continues(axes[d - 1], axes[d])) continue;
    axes[d - 1] = {axes[d - 1].n * axes[d].n, axes[d].to, axes[d].from, nullptr};
    std::move(axes.begin() + d + 1, axes.end(), axes.begin() + d);
    axes.pop_back();
  }
}

}  // namespace tesela::cpu::moves
