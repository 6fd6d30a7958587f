// SPDX-License-Identifier: Apache-2.0
// Divides a box into tasks, and makes views of parts of tensors.
#include "backend/boxes.h"

#include <algorithm>
#include <numeric>

#include "backend/axis_order.h"

namespace tesela {

namespace {

// The least step along an axis for boxes that begin at whole bytes, if those of the axes before it do.
int64_t whole_byte_step(DataType type, int64_t inner) {
  const int64_t in_byte = is_packed(type) ? 8 / element_bits(type) : 1;
  return in_byte / std::gcd(in_byte, inner);
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
