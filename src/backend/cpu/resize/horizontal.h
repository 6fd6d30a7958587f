// The horizontal pass of a box at work: the rows that it takes, where they cannot be taken from where they lie, rows that
// it makes for a vertical pass, and rows of the output that wait until enough are there to be resampled together.
#pragma once

#include "backend/cpu/resize/column_gather.h"
#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/resize/row_source.h"
#include "backend/cpu/resize/vertical.h"
#include "backend/watch.h"

namespace tesela::cpu {

/// What the pass is told, once for a box.
template <class C>
struct HorizontalSetup {
  Vertical<C>* from = nullptr;       // null: the rows of the source
  GatheredRows* gathered = nullptr;  // gathered first, or null
  const HorizontalTable<C>* table = nullptr;
  int64_t shift = 0;       // numbers between the axis' begin, where the table counts from, and that of the rows
  int64_t in_numbers = 0;  // of a row that is taken
  int64_t out_numbers = 0;
  int64_t in_row_bytes = 0;  // of a row of the source
  int64_t output_rows = 0;   // that are queued in all
  bool is_joined = false;    // rows that are taken one after the other lie side by side, and so do those before
  bool are_numbers = false;  // elements need no conversion
  bool prefetches = false;   // rows of the source
  bool streams = false;      // stores to the output bypass the caches
  Rounding rounding;         // of numbers that become elements
  Watch* watch = nullptr;    // null where nobody can stop the run
  ConvertRowFn widen = nullptr;
  ConvertRowFn round = nullptr;
};

template <class C>
class Horizontal final : public MadeRows<C> {
 public:
  void set_up(const HorizontalSetup<C>& setup, Scratch& scratch);
  explicit operator bool() const { return setup_.table != nullptr; }
  const HorizontalTable<C>& table() const { return *setup_.table; }

  /// Rows that it makes are kept for the pass behind, which takes most_taps of them. forward: it walks forwards.
  void keep_rows(Scratch& scratch, int64_t most_taps, bool forward, int64_t pitch);

  // ---- Rows of the output ----

  bool has_room(int64_t rows) const { return queued_ + rows <= kHorizontalBatch; }
  /// Where the r-th row to be queued may be made.
  C* room(int64_t r) const { return row(queued_ + r) + setup_.shift; }
  /// The row that was made in room(0).
  void queue_made(std::byte* out);
  /// The row of the source at a place.
  void queue_source(const Place& at, std::byte* out);
  /// Resamples the rows that have gathered, together.
  void flush();

 private:
  void make(const Place& at, int64_t j, int64_t lines) override;
  void take_made(const Place& at, int64_t j, int64_t count, const C** in);
  void take_sources(const Place& at, int64_t left, int64_t count, const C** in);
  const C* take_source(const std::byte* source, const std::byte* end, C* row);
  void queue(const C* row, std::byte* out);
  void resample(const HorizontalRows<C>& rows, bool stream);

  /// Row r as the kernels take it: from the axis' begin, of which only what follows the shift is filled in.
  C* row(int64_t r) const { return rows_ + r * pitch_; }
  void pad(C* row) const;

  HorizontalSetup<C> setup_;
  bool reads_in_place_ = false;  // rows of the source may be taken as they lie
  int64_t reach_bytes_ = 0;      // that kernels may read
  C* rows_ = nullptr;
  int64_t pitch_ = 0;
  int64_t ahead_ = 1;  // rows that are made together for the pass behind
  C* scratch_ = nullptr;
  C* rounded_ = nullptr;  // rows of the output that are not rounded yet
  int64_t rounded_pitch_ = 0;
  int64_t queued_ = 0;
  // Of what is queued: to set all of it up would cost a tiny call more than its rows do.
  const C* in_[kHorizontalBatch];
  std::byte* out_[kHorizontalBatch];
};

}  // namespace tesela::cpu
