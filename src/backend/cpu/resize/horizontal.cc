// SPDX-License-Identifier: Apache-2.0
// Runs the horizontal pass.
#include "backend/cpu/resize/horizontal.h"

#include <algorithm>
#include <bit>

#include "backend/cpu/tuning.h"

namespace tesela::cpu {
template <class C>
void Horizontal<C>::set_up(const HorizontalSetup<C>& setup, Scratch& scratch) {
  setup_ = setup;
  const bool are_read = setup.are_numbers || table().reads_bytes();
  reads_in_place_ = are_read && setup.shift == 0 && setup.gathered == nullptr;
  widens_ = !are_read && setup.gathered == nullptr;
  reach_bytes_ = table().reach * table().in_number_bytes();
  const int64_t padded = std::max(setup.in_numbers + setup.shift, table().reach) + kRowAlign;
  pitch_ = setup.is_joined ? setup.in_numbers : round_to_rows(padded);
  rows_ = scratch.take<C>(pitch_ * (kHorizontalBatch - 1) + padded);
  if (const int64_t numbers = scratch_numbers(table()); numbers > 0) scratch_ = scratch.take<C>(numbers);
  if (setup.are_numbers || setup.output_rows == 0) return;
  rounded_pitch_ = round_to_rows(setup.out_numbers + kRowAlign);
  rounded_ = scratch.take<C>(rounded_pitch_ * std::min(kHorizontalBatch, setup.output_rows));
}

// Rows that are computed together share loads of the table, but kept rows should stay in the L1 cache, or close to its
// size if there is much to share. Fewer rows than a vector's lanes would be transposed at the cost of all.
template <class C>
void Horizontal<C>::keep_rows(Scratch& scratch, int64_t most_taps, const Vertical<C>& next, int64_t pitch) {
  constexpr int64_t kMinAhead = 2;
  const auto rows = [&](int64_t ahead) {
    return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most_taps + ahead - 1)));
  };
  awaits_ = next.resamples();
  if (!awaits_ && next.moves_forward()) {
    const int64_t ring = table().in_runs ? kRingOfRuns : kRing;
    const int64_t most = ring / (setup_.out_numbers * static_cast<int64_t>(sizeof(C)));
    ahead_ = kHorizontalBatch;
    const bool transposes = table().kind == HorizontalKind::kTransposed;
    while (!transposes && ahead_ > kMinAhead && rows(ahead_) > most) ahead_ /= 2;
    ahead_ = std::min(ahead_, this->axis().n);
    // Rows that no window needs are not computed.
    if (!transposes && next.leaves_out_rows()) ahead_ = std::min(ahead_, most_taps);
  }
  this->keep(scratch, rows(ahead_), pitch);
}

// Bytes before a row's beginning and after its end are read but not used; they must be readable, and equal in every
// run.
template <class C>
template <class Number>
void Horizontal<C>::pad(Number* row) const {
  std::fill_n(row, setup_.shift, Number{});
  const int64_t end = setup_.shift + setup_.in_numbers;
  if (end < table().reach) std::fill_n(row + end, table().reach - end, Number{});
}

// The source's row in place, if kernels may read it and the bytes after it; otherwise converts it into `row`.
template <class C>
const C* Horizontal<C>::take_source(const std::byte* source, const std::byte* end, C* row) {
  if (end == nullptr) end = source + setup_.in_row_bytes;
  if (source + reach_bytes_ <= end && reads_in_place_) return reinterpret_cast<const C*>(source);
  if (table().reads_bytes()) {
    auto* const bytes = reinterpret_cast<std::byte*>(row);
    std::copy_n(source, setup_.in_numbers, bytes + setup_.shift);
    pad(bytes);
    return row;
  }
  if (setup_.gathered != nullptr) source = setup_.gathered->row(source, 0, nullptr);
  widen(source, 1, row);
  return row;
}

// Converts rows of the source, and pads them.
template <class C>
void Horizontal<C>::widen(const std::byte* source, int64_t count, C* row) const {
  const int64_t shift = setup_.shift;
  const int64_t padded = std::max(table().reach - shift, setup_.in_numbers);
  setup_.widen({source, this->axis().stride, count, row + shift, pitch_, setup_.in_numbers, padded});
  if (shift > 0)
    for (int64_t r = 0; r < count; ++r) std::fill_n(row + r * pitch_, shift, C{});
}

template <class C>
void Horizontal<C>::resample(const HorizontalRows<C>& rows) {
  if (setup_.watch != nullptr) setup_.watch->spend(rows.count * std::max(setup_.in_numbers, setup_.out_numbers));
  run_horizontal(table(), rows, setup_.streams && rows.to_output);
}

// ---- Rows for a vertical pass ---------------------------------------------------------------------------------------

// Rows starting at input j, as many as are computed together: they share indices and weights.
template <class C>
void Horizontal<C>::make(const Place& at, int64_t j, int64_t /*lines*/) {
  const PulledAxis& axis = this->axis();
  if (awaits_) return await(at.along(axis, j), this->place(j, at.index, 1));
  const int64_t count = std::min(ahead_, axis.end() - j);
  const C* in[kHorizontalBatch];
  C* out[kHorizontalBatch];
  for (int64_t r = 0; r < count; ++r) out[r] = this->place(j + r, at.index, 1);
  if (sums_pairs()) return sum_pairs(at.along(axis, j), count, out);
  if (setup_.from != nullptr)
    take_made(at, j, count, in);
  else
    take_sources(at.along(axis, j), count, in);
  resample({in, out, count, scratch_, false});
}

// Computes the row before, if another one follows it.
template <class C>
void Horizontal<C>::await(const Place& at, C* to) {
  if (this->is_awaited()) run_horizontal(this->take_awaited());
  if (setup_.watch != nullptr) setup_.watch->spend(setup_.out_numbers);
  this->is_awaited_ = true;
  this->awaited_.table = &table();
  this->awaited_.to = to;
  take_sources(at, 1, &this->awaited_.in);
}

template <class C>
void Horizontal<C>::sum_pairs(const Place& at, int64_t count, C* const* out) {
  PairSum sum;
  sum.pairs = setup_.pairs;
  for (int64_t r = 0; r < count; ++r) {
    sum.rows[0] = at.source + r * this->axis().stride - setup_.in_lo_bytes;
    sum.out = out[r];
    if (setup_.watch != nullptr) setup_.watch->spend(2 * setup_.out_numbers);
    setup_.pair_row(sum);
  }
}

template <class C>
void Horizontal<C>::take_sources(const Place& at, int64_t count, const C** in) {
  const int64_t stride = this->axis().stride;
  const std::byte* source = at.source;
  const std::byte* end = at.end;
  const int64_t furthest = std::max<int64_t>((count - 1) * stride, 0);
  if (reads_in_place_ && source + furthest + reach_bytes_ <= end) {
    for (int64_t r = 0; r < count; ++r, source += stride) in[r] = reinterpret_cast<const C*>(source);
    return;
  }
  if (widens_) {
    widen(source, count, row(0));
    for (int64_t r = 0; r < count; ++r) in[r] = row(r);
    return;
  }
  for (int64_t r = 0; r < count; ++r, source += stride) {
    in[r] = take_source(source, end, row(r));
    if (end != nullptr && stride < 0) end += stride;
  }
}

// Rows of the previous vertical pass.
template <class C>
void Horizontal<C>::take_made(const Place& at, int64_t j, int64_t count, const C** in) {
  const PulledAxis& axis = this->axis();
  for (int64_t r = 0; r < count; ++r) in[r] = row(r);
  if (setup_.is_joined) {
    setup_.from->make_row(at.along(axis, j), count, row(0));
    return pad(row(count - 1));
  }
  for (int64_t r = 0; r < count; ++r) {
    setup_.from->make_row(at.along(axis, j + r), 1, row(r) + setup_.shift);
    pad(row(r));
  }
}

// ---- Rows of the output ---------------------------------------------------------------------------------------------

template <class C>
void Horizontal<C>::queue(const C* row, std::byte* out) {
  in_[queued_] = row;
  out_[queued_++] = out;
  if (!has_room(1)) flush();
}

template <class C>
void Horizontal<C>::queue_made(std::byte* out) {
  C* made = row(queued_);
  pad(made);
  queue(made, out);
}

template <class C>
void Horizontal<C>::queue_source(const Place& at, std::byte* out) {
  queue(take_source(at.source, at.end, row(queued_)), out);
}

template <class C>
void Horizontal<C>::flush() {
  if (queued_ == 0) return;
  C* out[kHorizontalBatch];
  for (int64_t r = 0; r < queued_; ++r)
    out[r] = setup_.are_numbers ? reinterpret_cast<C*>(out_[r]) : rounded_ + r * rounded_pitch_;
  resample({in_, out, queued_, scratch_, setup_.are_numbers});
  if (!setup_.are_numbers)
    for (int64_t r = 0; r < queued_; ++r) setup_.round(out[r], out_[r], setup_.out_numbers, setup_.rounding);
  queued_ = 0;
}

#define TESELA_INSTANTIATE(C) template class Horizontal<C>;
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
