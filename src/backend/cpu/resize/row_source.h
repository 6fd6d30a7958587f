// SPDX-License-Identifier: Apache-2.0
// The input rows of passes. Each stage of a pipeline is a RowSource: the source's rows, gathered columns of them, or
// rows that a vertical or the horizontal pass computes. Rows are pulled: a pass requests the rows under its window from
// the stage before it, and a stage that computes rows keeps them in a ring while windows need them. So intermediates
// are never complete.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/cpu/resize/resampled_sum.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu {

/// An axis of the input box along which rows are pulled.
struct PulledAxis {
  int64_t lo = 0;
  int64_t n = 0;
  int64_t stride = 0;      // bytes
  int64_t later_rows = 1;  // places along the axes of later passes
  bool is_dense = false;   // rows are contiguous along it

  int64_t end() const { return lo + n; }
};

/// A position, except along the axes of earlier passes, which are at the current output.
struct Place {
  const std::byte* source = nullptr;  // the source's row there, at the beginning of earlier passes' axes
  const std::byte* end = nullptr;     // end of the contiguous memory around it; null: the row's end
  int64_t index = 0;                  // among the places along later passes' axes

  Place along(const PulledAxis& axis, int64_t j) const {
    const int64_t at = j - axis.lo;
    const std::byte* run_end = end;
    if (axis.is_dense && end == nullptr)
      run_end = source + axis.n * axis.stride;
    else if (axis.stride < 0 && end != nullptr)
      run_end += at * axis.stride;  // rows that lie before this one are in memory of their own
    return {source + at * axis.stride, run_end, index + at * axis.later_rows};
  }
};

/// The rows [first, first + count) of an axis, each with its neighbours, `lines` in total.
struct Pull {
  Place at;
  int64_t first = 0;
  int64_t count = 0;
  int64_t lines = 1;
  const void* const* prefetched = nullptr;  // rows of the source that the next pulls need
  int64_t prefetches = 0;
};

class RowSource {
 public:
  /// rows: [pull.count], valid until the next call.
  virtual void rows(const Pull& pull, const void** rows) = 0;
  /// Drops the kept rows: the output index of this or an earlier pass has changed.
  virtual void forget() {}

  void pull_along(const PulledAxis& axis) { axis_ = axis; }
  const PulledAxis& axis() const { return axis_; }

 protected:
  RowSource() = default;
  ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

 private:
  PulledAxis axis_;
};

/// The rows of the source, in place.
class SourceRows final : public RowSource {
 public:
  void rows(const Pull& pull, const void** rows) override {
    const int64_t stride = axis().stride;
    const std::byte* source = pull.at.along(axis(), pull.first).source;
    for (int64_t k = 0; k < pull.count; ++k) rows[k] = source + k * stride;
  }
};

/// Rows that a pass computes and keeps: slots x (places along later axes), by the next pass's input index.
template <class C>
class MadeRows : public RowSource {
 public:
  /// most: rows of the axis needed at a time. pitch: numbers from one row to the next.
  void keep(Scratch& scratch, int64_t most, int64_t pitch) {
    const auto slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most)));
    const int64_t rows = slots * axis().later_rows;
    mask_ = slots - 1;
    pitch_ = pitch;
    step_ = pitch * axis().later_rows;
    kept_ = {scratch.take<int64_t>(rows), static_cast<size_t>(rows)};
    ring_ = scratch.take<C>(rows * pitch);
  }
  void forget() final { std::fill(kept_.begin(), kept_.end(), kNone); }

  /// Whether the row that was pulled last is still to be computed.
  bool is_awaited() const { return is_awaited_; }
  /// That row, which the caller computes before it pulls others. A reference: a copy would wait for the stores of its members.
  const AwaitedRow<C>& take_awaited() {
    is_awaited_ = false;
    return awaited_;
  }

  void rows(const Pull& pull, const void** rows) final { view(pull.at).take(pull.first, pull.count, pull.lines, rows); }

  /// The rows of a place, for many pulls; its members stay in registers.
  class View {
   public:
    View(MadeRows& made, const Place& at)
        : made_(made),
          at_(at),
          kept_(made.kept_.data() + at.index),
          ring_(made.ring_ + at.index * made.pitch_),
          later_rows_(made.axis().later_rows),
          step_(made.step_),
          mask_(made.mask_) {}
    void take(int64_t first, int64_t count, int64_t lines, const void** rows) const {
      for (int64_t j = first; j < first + count; ++j) {
        const int64_t slot = j & mask_;
        const int64_t* const kept = kept_ + slot * later_rows_;
        if (*kept != j || lines != 1) [[unlikely]]
          if (std::count(kept, kept + lines, j) != lines) made_.make(at_, j, lines);
        *rows++ = ring_ + slot * step_;
      }
    }

   private:
    MadeRows& made_;
    const Place& at_;
    const int64_t* kept_;
    const C* ring_;
    int64_t later_rows_, step_, mask_;
  };
  View view(const Place& at) { return View(*this, at); }

 protected:
  AwaitedRow<C> awaited_;
  bool is_awaited_ = false;

  MadeRows() = default;
  ~MadeRows() = default;

  /// Computes the rows at input j of the axis, at place().
  virtual void make(const Place& at, int64_t j, int64_t lines) = 0;
  /// The slot of the row at input j, which is kept from now on. lines: neighbouring rows, which are contiguous.
  C* place(int64_t j, int64_t index, int64_t lines) {
    const int64_t slot = (j & mask_) * axis().later_rows + index;
    std::fill_n(kept_.data() + slot, lines, j);
    return ring_ + slot * pitch_;
  }

 private:
  static constexpr int64_t kNone = -1;

  std::span<int64_t> kept_;  // the input index in each slot
  C* ring_ = nullptr;
  int64_t mask_ = 0;
  int64_t pitch_ = 0;
  int64_t step_ = 0;  // numbers between the rows of neighbouring inputs
};

}  // namespace tesela::cpu
