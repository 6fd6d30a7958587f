// SPDX-License-Identifier: Apache-2.0
// Divides a box into tasks, and makes views of parts of tensors.
#pragma once

#include "backend/program.h"
#include "plan/plan.h"
#include "types/tensor.h"

namespace tesela {

/// Divides a box into boxes of at most about `elements` elements: whole rows of its inner axes, in row-major order. Those of
/// packed elements are contiguous and begin at whole bytes of a tensor that does, since two threads would write a shared byte.
class BoxCutter {
 public:
  BoxCutter(Box whole, int64_t elements, DataType type, const Division& division = {});
  int64_t count() const { return count_; }
  Box box(int64_t index) const;

 private:
  Box whole_;
  Extents order_;
  Extents step_;   // extents of a part
  Extents steps_;  // boxes along each axis
  int64_t count_ = 0;
};

/// The part `box` of `view`, a tensor that begins at view_lo. Of packed elements only a BoxCutter's boxes are possible.
TensorView part_of(const TensorView& view, const Extents& view_lo, const Box& box);
MutableTensorView part_of(const MutableTensorView& view, const Extents& view_lo, const Box& box);

/// The run of a box of the output, with the inputs that it needs.
BoxRun part_of(const Plan& plan, const BoxRun& run, const Box& box);

}  // namespace tesela
