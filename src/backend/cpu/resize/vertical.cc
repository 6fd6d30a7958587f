// SPDX-License-Identifier: Apache-2.0
// Runs vertical passes.
#include "backend/cpu/resize/vertical.h"

#include "backend/cpu/tuning.h"

namespace tesela::cpu {

template <class C>
Vertical<C>::Vertical(const VerticalSetup<C>& setup, Scratch& scratch)
    : setup_(setup),
      rows_(scratch.take<const void*>(setup.table->most_taps + 1)),
      prefetched_(setup.prefetches ? scratch.take<const void*>(kMaxPrefetchedRows) : nullptr),
      packed_(scratch.take<C>(setup.table->most_taps)) {
  may_overlap_ = setup.takes_elements && !setup.takes_gathered && setup.overlapping->sum[0] != nullptr &&
                 setup.row_numbers >= kMinOverlappingNumbers &&
                 is_long_window(setup.table->most_taps, 1, setup.from_memory);
  constexpr auto kSteps = static_cast<size_t>(VerticalShape::kTwoTapsTwiceTwice);
  // A pass that moves backwards keeps no more rows than its windows need.
  const bool keeps_rows = setup.made == nullptr || moves_forward();
  may_step_ = keeps_rows && !setup.takes_gathered && setup.row_numbers * setup.element_bytes <= kMostSteppingBytes &&
              setup.kernels->sum[!setup.takes_elements][true][kSteps] != nullptr;
}

// Outputs without taps, which are extrapolated, are at the ends of the box.
template <class C>
std::pair<int64_t, int64_t> Vertical<C>::ends() const {
  const int32_t* const count = table().count.data() + (setup_.lo - setup_.table_lo);
  const int64_t* const first = table().first.data() + (setup_.lo - setup_.table_lo);
  int64_t begin = 0, last = setup_.n - 1;
  while (begin < last && count[begin] == 0) ++begin;
  while (last > begin && count[last] == 0) --last;
  return {first[begin], first[last]};
}

template <class C>
bool Vertical<C>::moves_forward() const {
  const auto [begin, last] = ends();
  return begin <= last;
}

template <class C>
void Vertical<C>::resample_by(const HorizontalTable<C>& table, DataType type) {
  const int64_t taps = setup_.table->most_taps;
  const int64_t least = (setup_.leaves_l2 ? kMinResampledBytesBeyondL2 : kMinResampledBytes) * taps;
  const bool are_numbers = setup_.element_bytes >= static_cast<int64_t>(sizeof(C));
  const bool is_long = setup_.row_numbers * static_cast<int64_t>(sizeof(C)) >= least &&
                       (are_numbers || setup_.row_numbers >= kMinResampledHalves);
  if (!moves_forward() || table.run_taps != taps || !is_long) return;
  resampled_sums_ = resampled_sums<C>(table.run_taps, type);
  if (resamples()) may_step_ = false;  // no more rows are kept than windows need
}

template <class C>
bool Vertical<C>::leaves_out_rows() const {
  const auto [begin, last] = ends();
  return last - begin > setup_.n * table().most_taps;
}

template <class C>
VerticalSum Vertical<C>::begin_sum(void* const* outs, int64_t lines, bool stream) const {
  VerticalSum s;
  s.rows = rows_;
  s.pitch = setup_.table->pitch;
  s.outs = outs;
  s.n = setup_.row_numbers * lines;
  s.stream = stream;
  s.leaves_l2 = setup_.leaves_l2;
  s.rounding = setup_.rounding;
  return s;
}

// Sums s.outputs outputs with the same rows, starting at the selected one. made: the previous pass's rows, or null.
template <class C>
inline void Vertical<C>::sum(const Place& at, const typename MadeRows<C>::View* made, int64_t lines, bool to_elements,
                             VerticalSum& s) {
  const VerticalTable<C>& table = *setup_.table;
  s.taps = table.count[entry_];
  if (s.taps == 0) return;  // extrapolated: filled at the end
  if (made != nullptr)
    made->take(table.first[entry_], s.taps + s.steps, lines, rows_);
  else
    take_source(at, lines, s);
  spend(s.taps * s.n);
  s.weights = table.weights_of(entry_);
  if (made != nullptr && setup_.made->is_awaited() && sum_awaited(s)) return;
  const VerticalSumFn sum = kernel(s, to_elements);
  if (table.alike[entry_] == 0 || sum == nullptr) [[unlikely]]
    return sum_apart(s, to_elements);
  sum(s);
}

// Computes the last row of the window, and the outputs with it if there is a kernel for both.
template <class C>
bool Vertical<C>::sum_awaited(const VerticalSum& s) {
  const AwaitedRow<C>& row = setup_.made->take_awaited();
  const auto shape = static_cast<size_t>(shape_of(s.taps, s.outputs));
  const ResampledSumFn<C> sum = table().alike[entry_] == 0 ? nullptr : resampled_sums_[shape];
  if (sum == nullptr || rows_[s.taps - 1] != row.to) {
    run_horizontal(row);
    return false;
  }
  sum(row, s);
  return has_resampled_ = true;
}

// Pulls rows of the source, gathered or not.
template <class C>
void Vertical<C>::take_source(const Place& at, int64_t lines, VerticalSum& s) {
  Pull pull = {at, table().first[entry_], s.taps + s.steps, lines};
  if (setup_.prefetches) {
    pull.prefetched = prefetched_;
    pull.prefetches = find_prefetched(at, entry_ + static_cast<size_t>(s.outputs), 1, pull.first + pull.count);
    if (!setup_.takes_gathered) s.prefetched = prefetched_, s.prefetches = pull.prefetches;
  }
  setup_.from->rows(pull, rows_);
}

template <class C>
void Vertical<C>::make(const Place& at, int64_t j, int64_t lines) {
  make_row(at.along(this->axis(), j), lines, this->place(j, at.index, lines));
}

template <class C>
void Vertical<C>::make_row(const Place& at, int64_t lines, C* to) {
  void* out = to;
  VerticalSum s = begin_sum(&out, lines, false);
  if (setup_.made == nullptr) return sum(at, nullptr, lines, false, s);
  const auto made = setup_.made->view(at);
  sum(at, &made, lines, false, s);
}

template <class C>
void Vertical<C>::finish(const Place& at, std::byte* out, int64_t stride, bool stream) {
  if (setup_.made == nullptr) return finish_by(at, nullptr, out, stride, stream);
  const auto made = setup_.made->view(at);
  finish_by(at, &made, out, stride, stream);
}

// Adjacent outputs that are sums of the same rows are computed together.
template <class C>
inline void Vertical<C>::finish_by(const Place& at, const typename MadeRows<C>::View* made, std::byte* out,
                                   int64_t stride, bool stream) {
  void* outs[kOverlapped] = {};
  VerticalSum s = begin_sum(outs, 1, stream);
  const bool may_overlap = may_overlap_ && !stream;
  select(setup_.lo);
  for (const size_t end = entry_ + static_cast<size_t>(setup_.n); entry_ < end;) {
    const int64_t alike = std::min<int64_t>(table().alike[entry_], static_cast<int64_t>(end - entry_));
    s.steps = may_step_ && table().steps[entry_] != 0 && entry_ + 4 <= end;
    s.outputs = s.steps ? 4 : outputs_per_call(table().count[entry_], alike);
    const bool overlapping = may_overlap && s.outputs == 1 && overlaps();
    if (overlapping) s.outputs = kOverlapped;
    for (int64_t r = 0; r < s.outputs; ++r, out += stride) outs[r] = out;
    if (overlapping)
      sum_overlapping(at, outs, true);
    else
      sum(at, made, 1, true, s);
    entry_ += static_cast<size_t>(s.outputs);
  }
}

// ---- Sums that need more than one kernel ----------------------------------------------------------------------------

// Outputs with zero weights, or of a type that sum kernels do not convert.
template <class C>
void Vertical<C>::sum_apart(VerticalSum& s, bool to_elements) {
  const VerticalTable<C>& table = *setup_.table;
  if (table.alike[entry_] == 0) {
    const C* weights = table.weights_of(entry_);
    int64_t present = 0;
    for (int64_t k = 0; k < s.taps; ++k) {
      if (weights[k] == 0) continue;
      rows_[present] = rows_[k];
      packed_[present] = weights[k];
      ++present;
    }
    s.taps = present;
    s.weights = packed_;
  }
  const VerticalSumFn sum = kernel(s, to_elements);
  if (sum == nullptr) return sum_converted(s, to_elements);
  sum(s);
}

// Converts rows and rounds sums separately: a few columns at a time, which stay in the L1 cache.
template <class C>
void Vertical<C>::sum_converted(const VerticalSum& s, bool to_elements) {
  constexpr int64_t kColumns = 512;
  alignas(64) C widened[kColumns];
  alignas(64) C summed[kColumns];
  const auto* weights = static_cast<const C*>(s.weights);
  for (int64_t r = 0; r < s.outputs; ++r, weights += s.pitch)
    for (int64_t x = 0; x < s.n; x += kColumns) {
      const int64_t n = std::min(kColumns, s.n - x);
      C* out = to_elements ? summed : static_cast<C*>(s.outs[r]) + x;
      for (int64_t k = 0; k < s.taps; ++k) {
        const C* row = widened;
        if (setup_.takes_elements)
          setup_.kernels->widen(
              {static_cast<const std::byte*>(s.rows[k]) + x * setup_.element_bytes, 0, 1, widened, 0, n, n});
        else
          row = static_cast<const C*>(s.rows[k]) + x;
        for (int64_t i = 0; i < n; ++i) {
          const C term = product<C>(weights[k], row[i]);
          out[i] = k == 0 ? term : cpu::sum<C>(out[i], term);
        }
      }
      if (to_elements)
        setup_.kernels->round(out, static_cast<std::byte*>(s.outs[r]) + x * setup_.element_bytes, n, s.rounding);
    }
}

// ---- Overlapping windows --------------------------------------------------------------------------------------------

template <class C>
bool Vertical<C>::overlaps() const {
  if (!may_overlap_) return false;
  return windows_overlap(*setup_.table, entry_, setup_.lo + setup_.n - setup_.table_lo - static_cast<int64_t>(entry_),
                         setup_.from_memory);
}

template <class C>
void Vertical<C>::sum_overlapping(const Place& at, void* const* outs, bool to_elements) {
  const PulledAxis& axis = setup_.from->axis();
  const std::byte* source = at.along(axis, table().first[entry_]).source;
  const OverlappingLists<C> lists(table(), entry_, source, axis.stride);
  const bool by_row = setup_.from_memory && lists.count >= kMinRowsByRow && lists.most_active <= kMaxActiveByRow;
  int64_t prefetches = 0;
  if (setup_.prefetches && !by_row)
    prefetches =
        find_prefetched(at, entry_ + kOverlapped, setup_.from_memory ? kOverlapped : 1, lists.first + lists.count);
  spend(lists.count * setup_.row_numbers);
  setup_.overlapping->sum[to_elements]({lists.rows, lists.count, lists.active, lists.weights, outs, setup_.row_numbers,
                                        prefetched_, prefetches, setup_.from_memory, by_row});
  has_overlapped_ = true;
}

// Collects the source rows, starting at `from`, of `outputs` outputs, starting at `entry`, in prefetched_; returns
// their number.
template <class C>
int64_t Vertical<C>::find_prefetched(const Place& at, size_t entry, int64_t outputs, int64_t from) const {
  const int64_t end = setup_.lo + setup_.n - setup_.table_lo;
  if (static_cast<int64_t>(entry) >= end) return 0;
  const PulledAxis& axis = setup_.from->axis();
  const int64_t begin = std::max(from, table().first[entry]);
  const int64_t last = std::min(static_cast<int64_t>(entry) + outputs, end) - 1;
  const int64_t most = setup_.from_memory ? kMaxPrefetchedRows : kMaxPrefetchedRows / 4;
  const int64_t count = std::clamp<int64_t>(table().last(static_cast<size_t>(last)) + 1 - begin, 0, most);
  const std::byte* source = at.along(axis, begin).source;
  for (int64_t k = 0; k < count; ++k) prefetched_[k] = source + k * axis.stride;
  return count;
}

#define TESELA_INSTANTIATE(C) template class Vertical<C>;
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
