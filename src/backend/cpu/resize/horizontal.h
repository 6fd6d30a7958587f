// SPDX-License-Identifier: Apache-2.0
// Runs the horizontal pass of a box: holds input rows that cannot be read in place, rows for a vertical pass, and
// output rows that are queued to be resampled together.
#pragma once

#include "backend/cpu/resize/column_gather.h"
#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/resize/pixel_pairs.h"
#include "backend/cpu/resize/row_source.h"
#include "backend/cpu/resize/vertical.h"
#include "backend/watch.h"

namespace tesela::cpu {

/// The pass's parameters, set once for a box.
template <class C>
struct HorizontalSetup {
  Vertical<C>* from = nullptr;       // null: the source's rows
  GatheredRows* gathered = nullptr;  // null: rows are not gathered
  const HorizontalTable<C>* table = nullptr;
  const PixelPairs* pairs = nullptr;  // null: rows of the source are resampled by the table
  PairSumFn pair_row = nullptr;
  int64_t in_lo_bytes = 0;  // of pairs: from the axis's beginning to the rows'
  int64_t shift = 0;        // numbers from the axis's beginning, to which the table refers, to the rows'
  int64_t in_numbers = 0;   // of an input row
  int64_t out_numbers = 0;
  int64_t in_row_bytes = 0;  // of a row of the source
  int64_t output_rows = 0;   // the total number to be queued
  bool is_joined = false;    // consecutive input rows are contiguous, also in earlier passes
  bool are_numbers = false;  // elements need no conversion
  bool streams = false;      // stores to the output bypass the caches
  Rounding rounding;         // from numbers to elements
  Watch* watch = nullptr;    // null if the run cannot be cancelled
  WidenFn widen = nullptr;
  RoundRowFn round = nullptr;
};

template <class C>
class Horizontal final : public MadeRows<C> {
 public:
  void set_up(const HorizontalSetup<C>& setup, Scratch& scratch);
  explicit operator bool() const { return setup_.table != nullptr; }
  const HorizontalTable<C>& table() const { return *setup_.table; }
  bool sums_pairs() const { return setup_.pairs != nullptr; }
  Kernel kernel() const { return sums_pairs() ? Kernel::pixel_pairs : kernel_of(table().kind); }

  /// Keeps rows for the next pass, which needs most_taps of them and may resample rows itself.
  void keep_rows(Scratch& scratch, int64_t most_taps, const Vertical<C>& next, int64_t pitch);

  // ---- Rows of the output ----

  bool has_room(int64_t rows) const { return queued_ + rows <= kHorizontalBatch; }
  /// The place to compute the r-th row to be queued.
  C* room(int64_t r) const { return row(queued_ + r) + setup_.shift; }
  /// Queues the row that was computed in room(0).
  void queue_made(std::byte* out);
  /// Queues the source's row at a place.
  void queue_source(const Place& at, std::byte* out);
  /// Resamples the queued rows together.
  void flush();

 private:
  void make(const Place& at, int64_t j, int64_t lines) override;
  void await(const Place& at, C* to);
  void take_made(const Place& at, int64_t j, int64_t count, const C** in);
  void take_sources(const Place& at, int64_t count, const C** in);
  const C* take_source(const std::byte* source, const std::byte* end, C* row);
  void widen(const std::byte* source, int64_t count, C* row) const;
  void queue(const C* row, std::byte* out);
  void sum_pairs(const Place& at, int64_t count, C* const* out);
  void resample(const HorizontalRows<C>& rows);

  /// Row r for the kernels: from the axis's beginning, filled only after the shift.
  C* row(int64_t r) const { return rows_ + r * pitch_; }
  template <class Number>
  void pad(Number* row) const;

  HorizontalSetup<C> setup_;
  bool reads_in_place_ = false;  // rows of the source may be read in place
  bool widens_ = false;          // rows of the source are converted
  int64_t reach_bytes_ = 0;      // that kernels may read
  C* rows_ = nullptr;
  int64_t pitch_ = 0;
  int64_t ahead_ = 1;    // rows that are computed together for the next pass
  bool awaits_ = false;  // the next pass resamples them
  C* scratch_ = nullptr;
  C* rounded_ = nullptr;  // output rows that are not rounded yet
  int64_t rounded_pitch_ = 0;
  int64_t queued_ = 0;
  // The queued rows, uninitialised: for tiny calls initialising all would take longer than the rows.
  const C* in_[kHorizontalBatch];
  std::byte* out_[kHorizontalBatch];
};

}  // namespace tesela::cpu
