// Cutting a box into tasks, and looking at a part of a tensor.
#pragma once

#include "plan/plan.h"
#include "types/tensor.h"

namespace tesela {

/// The boxes of at most about `elements` elements that a box is cut into: whole rows of its inner axes, counted in
/// row-major order. Boxes of packed elements begin at whole bytes.
class BoxCutter {
 public:
  BoxCutter(Box whole, int64_t elements, DataType type);
  int64_t count() const { return count_; }
  Box box(int64_t index) const;

 private:
  Box whole_;
  Extents step_;   // extents of a cut box
  Extents steps_;  // boxes along each axis
  int64_t count_ = 0;
};

/// The part of `view`, a tensor that begins at view_lo, which is `box`.
TensorView part_of(const TensorView& view, const Extents& view_lo, const Box& box);
MutableTensorView part_of(const MutableTensorView& view, const Extents& view_lo, const Box& box);

}  // namespace tesela
