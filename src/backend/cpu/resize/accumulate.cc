// SPDX-License-Identifier: Apache-2.0
// Adds the taps of a box of inputs to partial sums: along rows by kernels, elsewhere to several sums at once that have the same
// weights.
#include "backend/cpu/resize/accumulate.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/row_taps.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kBlock = 8;      // sums in registers at once
constexpr int64_t kRow = 1 << 12;  // sums of a row whose windows of inputs stay in a cache

// An axis besides the pass's: sums along it have the same weights.
struct Lanes {
  int64_t n = 1;
  int64_t input_stride = 0;  // bytes
  int64_t sum_stride = 0;
};
using Axes = SmallVector<Lanes, 8>;

// The axes without that of the pass, neighbours merged where they are evenly spaced; the parts of complex numbers are an axis.
Axes other_axes(const TapSums& run) {
  Axes axes;
  const auto add = [&axes](Lanes next) {
    if (next.n == 1) return;
    if (!axes.empty() && axes.back().input_stride == next.n * next.input_stride &&
        axes.back().sum_stride == next.n * next.sum_stride)
      axes.back() = {axes.back().n * next.n, next.input_stride, next.sum_stride};
    else
      axes.push_back(next);
  };
  for (size_t d = 0; d < run.sums.extents.size(); ++d)
    if (d != run.axis) add({run.sums.extents[d], run.input.strides_bytes[d], run.sums.strides_bytes[d]});
  const int64_t parts = parts_of(run.sums.type);
  if (parts > 1) add({parts, element_bits(run.input.type) / 8 / parts, element_bits(run.sums.type) / 8 / parts});
  return axes;
}

// One line of sums at a time: those of one index along the other axes but the last.
struct Line {
  const std::byte* input = nullptr;
  std::byte* sums = nullptr;
};

template <class F>
void for_each_line(const TapSums& run, const Axes& outer, F&& f) {
  SmallVector<int64_t, 8> index(outer.size(), 0);
  Line line = {run.input.data, run.sums.data};
  while (true) {
    f(line);
    size_t d = outer.size();
    for (; d > 0; --d) {
      const Lanes& axis = outer[d - 1];
      line.input += axis.input_stride;
      line.sums += axis.sum_stride;
      if (++index[d - 1] < axis.n) break;
      line.input -= axis.n * axis.input_stride;
      line.sums -= axis.n * axis.sum_stride;
      index[d - 1] = 0;
    }
    if (d == 0) return;
  }
}

// Up to kBlock sums with the same weights, anywhere in memory.
template <class C, class T>
void add_block(const TapRow& taps, const std::byte* x, int64_t pitch, const Lanes& lanes, std::byte* sums) {
  C sum[kBlock];
  for (int64_t j = 0; j < lanes.n; ++j) std::memcpy(&sum[j], sums + j * lanes.sum_stride, sizeof(C));
  for (int64_t k = 0; k < taps.count; ++k) {
    const C weight = static_cast<C>(taps.weights[k]);
    if (weight == 0) continue;
    for (int64_t j = 0; j < lanes.n; ++j) {
      T element;
      std::memcpy(&element, x + k * pitch + j * lanes.input_stride, sizeof(T));
      const C term = weight * load_as<C>(element);
      sum[j] = sum[j] + term;
    }
  }
  for (int64_t j = 0; j < lanes.n; ++j) std::memcpy(sums + j * lanes.sum_stride, &sum[j], sizeof(C));
}

// Adds the taps of all outputs along the axis to `lanes` sums, the whole line or a part of it.
template <class Add>
void add_outputs(const TapSums& run, const Line& line, const Lanes& lanes, const Add& add) {
  const int64_t pitch = run.input.strides_bytes[run.axis];
  for (int64_t i = 0; i < run.sums.extents[run.axis]; ++i) {
    const TapRow taps = taps_inside(run, i);
    if (taps.count == 0) continue;
    add(taps, line.input + taps.first * pitch, pitch, lanes, line.sums + i * run.sums.strides_bytes[run.axis]);
    run.watch->spend(taps.count * lanes.n);
  }
}

// Adds to a line in parts of at most `most` sums.
template <class Add>
void add_line(const TapSums& run, const Line& line, const Lanes& lanes, int64_t most, const Add& add) {
  for (int64_t j = 0; j < lanes.n; j += most) {
    const Line part = {line.input + j * lanes.input_stride, line.sums + j * lanes.sum_stride};
    add_outputs(run, part, {std::min(most, lanes.n - j), lanes.input_stride, lanes.sum_stride}, add);
  }
}

bool is_aligned(const void* data, const Extents& strides, int64_t bytes) {
  const auto is_multiple = [bytes](int64_t stride) { return stride % bytes == 0; };
  return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(bytes) == 0 &&
         std::all_of(strides.begin(), strides.end(), is_multiple);
}

template <class C, class T>
void add_taps_of(const TapSums& run, const Axes& outer, const Lanes& lanes) {
  const bool is_row = lanes.n >= kBlock && lanes.input_stride == int64_t{sizeof(T)} &&
                      lanes.sum_stride == int64_t{sizeof(C)} &&
                      is_aligned(run.input.data, run.input.strides_bytes, sizeof(T)) &&
                      is_aligned(run.sums.data, run.sums.strides_bytes, sizeof(C));
  if (!is_row) {
    for_each_line(run, outer, [&](const Line& line) { add_line(run, line, lanes, kBlock, add_block<C, T>); });
    return;
  }
  count_task(Kernel::row_taps);
  const RowTapsFn add_rows = row_taps(run.input.type, run.compute);
  const auto add = [add_rows](const TapRow& taps, const std::byte* x, int64_t pitch, const Lanes& row,
                              std::byte* sums) {
    add_rows({taps.weights, taps.count, x, pitch, sums, row.n});
  };
  for_each_line(run, outer, [&](const Line& line) { add_line(run, line, lanes, kRow, add); });
}

}  // namespace

void add_taps(const TapSums& run) {
  Axes outer = other_axes(run);
  Lanes lanes;
  if (!outer.empty()) {
    lanes = outer.back();
    outer.pop_back();
  }
  visit_computed(run.input.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if (run.compute == ComputeType::kFloat)
      add_taps_of<float, T>(run, outer, lanes);
    else
      add_taps_of<double, T>(run, outer, lanes);
  });
}

}  // namespace tesela::cpu
