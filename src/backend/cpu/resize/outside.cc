// SPDX-License-Identifier: Apache-2.0
// Fills the outputs of a crop that are outside the input, run by run.
#include "backend/cpu/resize/outside.h"

#include <algorithm>

#include "backend/cpu/move/loops/repeat_element.h"
#include "backend/cpu/move/loops/store_rows.h"
#include "backend/watch.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

class OutsideFill {
 public:
  OutsideFill(const Plan& plan, const ResizePlan& work, const BoxRun& run)
      : n_(run.output.extents),
        strides_(strides_of(run.output)),
        watch_(run.watch),
        bytes_(element_bits(plan.type) / 8) {
    for (const int64_t n : n_) inside_.push_back({0, n});
    for (const Pass& pass : work.passes) find_inside(pass, run.output_lo[pass.axis]);
    int64_t dense = bytes_;
    for (dense_ = n_.size(); dense_ > 0 && (n_[dense_ - 1] == 1 || strides_[dense_ - 1] == dense); --dense_)
      dense *= n_[dense_ - 1];
    element_from_double(plan.type, static_cast<double>(work.extrapolation_value), element_);
    block_ = moves::RepeatElement(element_, bytes_);
  }

  void fill(std::byte* data) {
    if (axes_ > 0) fill_around(0, data);
    fill_run();
  }

 private:
  // The outputs of an axis, of the box, that are inside the input.
  struct Inside {
    int64_t begin = 0;
    int64_t end = 0;
  };

  // The outputs at an index of the axes before this one that is inside.
  void fill_around(size_t axis, std::byte* data) {
    const auto [begin, end] = inside_[axis];
    fill(axis, data, begin);
    if (axis + 2 == axes_ && axis >= dense_ && end - begin > 1)
      fill_beside(axis + 1, data + begin * strides_[axis], end - begin, strides_[axis]);
    else if (axis + 1 < axes_)
      for (int64_t i = begin; i < end; ++i) fill_around(axis + 1, data + i * strides_[axis]);
    fill(axis, data + end * strides_[axis], n_[axis] - end);
  }

  // The same for the last axis with outputs outside, in contiguous rows. Between two rows is one run: the end of a row and
  // the beginning of the next one.
  void fill_beside(size_t axis, std::byte* row, int64_t rows, int64_t stride) {
    const auto [begin, end] = inside_[axis];
    int64_t index_bytes = bytes_;
    for (size_t d = axis + 1; d < n_.size(); ++d) index_bytes *= n_[d];
    const int64_t run = stride - (end - begin) * index_bytes;
    fill(axis, row, begin);
    row += end * index_bytes;
    if (run <= moves::kMaxFewBytes) {
      fill_run();
      begin_ = end_ = nullptr;
      if (watch_ != nullptr) watch_->spend((rows - 1) * run / bytes_);
      for (; rows > 1; --rows, row += stride) moves::FillFew(row, static_cast<size_t>(run), block_);
    }
    for (; rows > 1; --rows, row += stride) {
      fill_run();
      begin_ = row, end_ = row + run;
    }
    fill(axis, row, n_[axis] - end);
  }

  // Positions along an axis are monotonic, so those inside are neighbours.
  void find_inside(const Pass& pass, int64_t lo) {
    auto& [begin, end] = inside_[pass.axis];
    while (begin < end && is_extrapolated(pass.map, lo + begin)) ++begin;
    while (begin < end && is_extrapolated(pass.map, lo + end - 1)) --end;
    if (begin > 0 || end < n_[pass.axis]) axes_ = std::max(axes_, pass.axis + 1);
  }

  // So many indices of an axis, and all of the later axes.
  void fill(size_t axis, std::byte* data, int64_t count) {
    if (count == 0) return;
    if (axis < dense_) {
      const int64_t next = axis + 1 < n_.size() ? n_[axis + 1] : 1;
      for (int64_t i = 0; i < count; ++i, data += strides_[axis]) fill(axis + 1, data, next);
      return;
    }
    for (size_t d = axis + 1; d < n_.size(); ++d) count *= n_[d];
    // The end of a row and the beginning of the next one are one run.
    if (data != end_) {
      fill_run();
      begin_ = data;
    }
    end_ = data + count * bytes_;
  }

  void fill_run() {
    if (watch_ != nullptr) watch_->spend((end_ - begin_) / bytes_);
    if (end_ != begin_) moves::fill_bytes(begin_, end_ - begin_, element_, bytes_, false);
  }

  const Extents& n_;
  const Extents strides_;
  Watch* const watch_;
  const int64_t bytes_;  // of an element
  SmallVector<Inside, 8> inside_;
  size_t axes_ = 0;             // up to the last one with outputs outside
  size_t dense_ = 0;            // the first axis from which on elements are contiguous
  std::byte* begin_ = nullptr;  // of the run that is to be filled
  std::byte* end_ = nullptr;
  std::byte element_[16];
  moves::Block block_;
};

}  // namespace

void fill_outside(const Plan& plan, const ResizePlan& work, const BoxRun& run) {
  OutsideFill(plan, work, run).fill(run.output.data);
}

}  // namespace tesela::cpu
