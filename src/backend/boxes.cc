// SPDX-License-Identifier: Apache-2.0
// Divides a box into tasks, and makes views of parts of tensors.
#include "backend/boxes.h"

#include <algorithm>
#include <numeric>

#include "backend/axis_order.h"
#include "backend/shares.h"

namespace tesela {

namespace {

// The least step along an axis for boxes that begin at whole bytes, if those of the axes before it do.
int64_t whole_byte_step(DataType type, int64_t inner) {
  const int64_t in_byte = is_packed(type) ? 8 / element_bits(type) : 1;
  return in_byte / std::gcd(in_byte, inner);
}

constexpr int64_t kLine = 64;  // elements, which are whole cache lines

// Indices of an axis that the busiest thread gets, if it is divided into boxes of `step`, `outer` times.
int64_t most_of_thread(int64_t n, int64_t step, int64_t outer, int64_t threads) {
  const int64_t steps = (n + step - 1) / step;
  const int64_t boxes = outer * steps;
  int64_t most = 0;
  int64_t before = 0;
  for (int64_t box = 0, thread = 0; thread < threads; ++thread) {
    box += next_share(boxes - box, threads - thread);
    const int64_t until = box / steps * n + std::min(box % steps * step, n);
    most = std::max(most, until - before);
    before = until;
  }
  return most;
}

// The step, of at most `step`, by which threads get the most equal parts. The calling thread begins first, so a difference of
// 5 % in its favour stays.
int64_t even_step(int64_t n, int64_t step, int64_t strip, int64_t outer, int64_t threads) {
  constexpr int64_t kMany = 64;  // boxes of each thread, of which one more does not matter
  constexpr int64_t kTried = 8;
  const int64_t least = (n + step - 1) / step;
  if (threads == 1 || outer >= kMany * threads || least >= kMany * threads) return step;
  if (outer * least <= threads) return step;
  int64_t best = step;
  int64_t fewest = most_of_thread(n, step, outer, threads);
  if (fewest <= outer * n / threads * 21 / 20) return step;
  for (int64_t steps = least; steps < least + std::min(least, kTried); ++steps) {
    const int64_t even = ((n + steps - 1) / steps + strip - 1) / strip * strip;
    const int64_t most = even < best ? most_of_thread(n, even, outer, threads) : fewest;
    if (most < fewest) best = even, fewest = most;
  }
  return best;
}

}  // namespace

BoxCutter::BoxCutter(Box whole, int64_t elements, DataType type, const Division& division)
    : whole_(std::move(whole)),
      order_(division.order.empty() ? order_of_plan(whole_.n.size()) : division.order),
      step_(whole_.n),
      steps_(whole_.n.size(), 1) {
  if (product(whole_.n) == 0) return;
  count_ = 1;
  int64_t inner = product(whole_.n);
  for (size_t place = 0; place < order_.size() && inner > elements; ++place) {
    const auto d = static_cast<size_t>(order_[place]);
    inner /= whole_.n[d];  // elements below one index of this axis
    const int64_t strip = division.strips.empty() ? whole_byte_step(type, inner) : division.strips[d];
    const int64_t step = elements / std::max<int64_t>(inner, 1) / strip * strip;
    step_[d] = std::clamp<int64_t>(step, std::min(strip, whole_.n[d]), whole_.n[d]);
    step_[d] = even_step(whole_.n[d], step_[d], inner == 1 ? std::lcm(strip, kLine) : strip, count_, division.threads);
    steps_[d] = (whole_.n[d] + step_[d] - 1) / step_[d];
    count_ *= steps_[d];
    elements = std::max<int64_t>(elements / step_[d], 1);
    if (is_packed(type) && step_[d] > 1) return;  // a part of several rows would not be dense
  }
}

Box BoxCutter::box(int64_t index) const {
  Box box = whole_;
  for (size_t place = order_.size(); place-- > 0;) {
    const auto d = static_cast<size_t>(order_[place]);
    const int64_t begin = index % steps_[d] * step_[d];
    index /= steps_[d];
    box.lo[d] = whole_.lo[d] + begin;
    box.n[d] = std::min(step_[d], whole_.n[d] - begin);
  }
  return box;
}

namespace {

template <class View>
View cut(const View& view, const Extents& view_lo, const Box& box) {
  View part = view;
  if (box.n == view.extents) return part;  // so dense tensors stay dense
  part.extents = box.n;
  if (is_packed(view.type)) {
    int64_t elements = 0;
    for (size_t d = 0; d < box.lo.size(); ++d) elements = elements * view.extents[d] + box.lo[d] - view_lo[d];
    part.data += elements * element_bits(view.type) / 8;  // a BoxCutter's boxes begin at whole bytes
    return part;
  }
  if (part.strides_bytes.empty()) part.strides_bytes = dense_strides(view.type, view.extents);
  for (size_t d = 0; d < box.lo.size(); ++d) part.data += part.strides_bytes[d] * (box.lo[d] - view_lo[d]);
  return part;
}

}  // namespace

TensorView part_of(const TensorView& view, const Extents& view_lo, const Box& box) {
  return cut(view, view_lo, box);
}

MutableTensorView part_of(const MutableTensorView& view, const Extents& view_lo, const Box& box) {
  return cut(view, view_lo, box);
}

BoxRun part_of(const Plan& plan, const BoxRun& run, const Box& box) {
  BoxRun part;
  part.watch = run.watch;
  part.output = part_of(run.output, run.output_lo, box);
  part.output_lo = box.lo;
  if (plan.has_input()) {
    const Box needed = input_region(plan, box);
    // A packed input is not divided, and keeps its position.
    const bool whole = is_packed(plan.type);
    part.input = whole ? run.input : part_of(run.input, run.input_lo, needed);
    part.input_lo = whole ? run.input_lo : needed.lo;
  }
  return part;
}

}  // namespace tesela
