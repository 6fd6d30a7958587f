// The line pass of a box at work: the rows that it takes, where they cannot be taken from where they lie, and the
// rows of the output that wait until enough are there to be resampled together.
#pragma once

#include <algorithm>
#include <optional>

#include "backend/cpu/lines.h"
#include "backend/cpu/rows.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu {

template <class C>
class LinePass {
 public:
  explicit operator bool() const { return table_ != nullptr; }
  const LineTable<C>& table() const { return *table_; }

  /// shift: numbers between the axis' begin, where the table counts from, and that of the rows.
  void use(const LineTable<C>& table, int64_t shift) {
    table_ = &table;
    shift_ = shift;
  }
  void own(LineTable<C> table) {
    use(own_.emplace(std::move(table)), 0);
  }
  int64_t shift() const { return shift_; }

  /// numbers: of a row that is taken. joined: such rows lie side by side.
  void set_up(Scratch& scratch, int64_t numbers, bool joined) {
    const int64_t padded = std::max(numbers + shift_, table_->reach) + kRowAlign;
    numbers_ = numbers;
    pitch_ = joined ? numbers : round_to_rows(padded);
    rows_ = scratch.take<C>(pitch_ * (kLineBatch - 1) + padded);
    if (table_->kind == LineKind::kBlock) block_scratch_ = scratch.take<C>(line_scratch(*table_));
  }

  /// Row r as the kernels take it: from the axis' begin, of which only what follows shift() is filled in.
  C* row(int64_t r) const { return rows_ + r * pitch_; }
  /// What a line reads before a row's begin and beyond its end is never used, but it must be readable, and the same
  /// every time.
  void pad(C* row) const {
    std::fill_n(row, shift_, C{0});
    const int64_t end = shift_ + numbers_;
    if (end < table_->reach) std::fill_n(row + end, table_->reach - end, C{0});
  }

  void run(const C* const* in, C* const* out, int64_t rows) const {
    run_lines<C>(*table_, in, out, rows, block_scratch_, false);
  }

  // ---- Rows of the output ----

  int64_t queued() const { return queued_; }
  C* next_row() const { return row(queued_); }
  bool has_room(int64_t rows) const { return queued_ + rows <= kLineBatch; }
  void queue(const C* row, std::byte* out) {
    in_[queued_] = row;
    out_[queued_++] = out;
  }

  /// Resamples the rows that have gathered, together: they share indices and weights. round: null where the outputs are
  /// of the compute type.
  void flush(Scratch& scratch, int64_t out_numbers, ConvertRowFn round, int32_t shift, bool stream) {
    if (queued_ == 0) return;
    C* out[kLineBatch];
    for (int64_t r = 0; r < queued_; ++r) {
      if (round != nullptr && made_ == r) rounded_[made_++] = scratch.take<C>(out_numbers + kRowAlign);
      out[r] = round == nullptr ? reinterpret_cast<C*>(out_[r]) : rounded_[r];
    }
    run_lines<C>(*table_, in_, out, queued_, block_scratch_, stream && round == nullptr);
    for (int64_t r = 0; r < queued_ && round != nullptr; ++r) round(out[r], out_[r], out_numbers, shift);
    queued_ = 0;
  }

 private:
  const LineTable<C>* table_ = nullptr;
  std::optional<LineTable<C>> own_;
  int64_t shift_ = 0;
  int64_t numbers_ = 0;
  int64_t pitch_ = 0;
  C* rows_ = nullptr;
  C* block_scratch_ = nullptr;
  int64_t queued_ = 0;
  // Of what is queued and made: setting all of them up would cost a tiny call more than its lines do.
  const C* in_[kLineBatch];
  std::byte* out_[kLineBatch];
  C* rounded_[kLineBatch];
  int64_t made_ = 0;
};

}  // namespace tesela::cpu
