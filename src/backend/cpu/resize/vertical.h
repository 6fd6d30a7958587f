// SPDX-License-Identifier: Apache-2.0
// Runs a vertical pass of a box: weighted sums of pulled rows.
#pragma once

#include <utility>

#include "backend/cpu/resize/overlapping.h"
#include "backend/cpu/resize/row_source.h"
#include "backend/cpu/resize/vertical_kernels.h"
#include "backend/cpu/resize/vertical_table.h"
#include "backend/cpu/scratch.h"
#include "backend/watch.h"

namespace tesela::cpu {

/// A pass's parameters, set once for a box.
template <class C>
struct VerticalSetup {
  RowSource* from = nullptr;
  MadeRows<C>* made = nullptr;  // the same source if it is a pass, or null
  const VerticalTable<C>* table = nullptr;
  int64_t table_lo = 0;  // the output of its first entry
  int64_t lo = 0;        // outputs of the box
  int64_t n = 0;
  int64_t row_numbers = 0;
  int64_t element_bytes = 0;  // of a stored number
  Rounding rounding;          // as in to_element
  bool takes_elements = false;
  bool takes_gathered = false;
  bool prefetches = false;   // rows of the next output during the sums of this one
  bool leaves_l2 = false;    // as in VerticalSum
  bool from_memory = false;  // beyond the last-level cache: prefetches rows of all outputs to be summed together next
  Watch* watch = nullptr;    // null if the run cannot be cancelled
  const VerticalKernels* kernels = nullptr;
  const OverlappingKernels* overlapping = nullptr;
};

template <class C>
class Vertical final : public MadeRows<C> {
 public:
  Vertical(const VerticalSetup<C>& setup, Scratch& scratch);

  int64_t lo() const { return setup_.lo; }
  int64_t table_lo() const { return setup_.table_lo; }
  int64_t n() const { return setup_.n; }
  int64_t row_numbers() const { return setup_.row_numbers; }
  const VerticalTable<C>& table() const { return *setup_.table; }
  /// Whether overlapping windows were summed together.
  bool has_overlapped() const { return has_overlapped_; }
  /// False if a reversed crop moves backwards through the input.
  bool moves_forward() const;
  /// Computes the last row of a window itself, which `table` resamples, if there are kernels for it and outputs of this type.
  void resample_by(const HorizontalTable<C>& table, DataType type);
  bool resamples() const { return resampled_sums_ != nullptr; }
  bool has_resampled() const { return has_resampled_; }
  /// Whether windows leave out rows between them.
  bool leaves_out_rows() const;

  /// Selects output i.
  void select(int64_t i) { entry_ = static_cast<size_t>(i - setup_.table_lo); }
  /// Computes the row of the selected output and its neighbours.
  void make_row(const Place& at, int64_t lines, C* to);
  /// Computes every output of the box at a place, as elements. stride: bytes from one to the next.
  void finish(const Place& at, std::byte* out, int64_t stride, bool stream);

  /// Whether summing kOverlapped outputs together, starting at the selected one, is faster.
  bool overlaps() const;
  void sum_overlapping(const Place& at, void* const* outs, bool to_elements);

 private:
  void make(const Place& at, int64_t j, int64_t lines) override;
  void spend(int64_t products) const {
    if (setup_.watch != nullptr) setup_.watch->spend(products);
  }
  VerticalSumFn kernel(const VerticalSum& s, bool to_elements) const {
    const VerticalShape shape = s.steps ? VerticalShape::kTwoTapsTwiceTwice : shape_of(s.taps, s.outputs);
    return setup_.kernels->sum[!setup_.takes_elements][to_elements][static_cast<size_t>(shape)];
  }
  /// The first inputs of the first and the last window.
  std::pair<int64_t, int64_t> ends() const;
  VerticalSum begin_sum(void* const* outs, int64_t lines, bool stream) const;
  [[gnu::always_inline]] void sum(const Place& at, const typename MadeRows<C>::View* made, int64_t lines,
                                  bool to_elements, VerticalSum& s);
  [[gnu::always_inline]] void finish_by(const Place& at, const typename MadeRows<C>::View* made, std::byte* out,
                                        int64_t stride, bool stream);
  void take_source(const Place& at, int64_t lines, VerticalSum& s);
  [[gnu::noinline]] bool sum_awaited(const VerticalSum& s);
  [[gnu::noinline]] void sum_apart(VerticalSum& s, bool to_elements);
  void sum_converted(const VerticalSum& s, bool to_elements);
  int64_t find_prefetched(const Place& at, size_t entry, int64_t outputs, int64_t from) const;

  const VerticalSetup<C> setup_;
  size_t entry_ = 0;  // the selected output's entry in the table
  bool may_overlap_;
  bool may_step_;  // as VerticalSum::steps, of outputs that are elements
  bool has_overlapped_ = false;
  bool has_resampled_ = false;
  const ResampledSumFn<C>* resampled_sums_ = nullptr;  // null: rows are computed when they are pulled
  const void** rows_;                                  // under the window
  const void** prefetched_;                            // rows of the source
  C* packed_;                                          // the nonzero weights
};

}  // namespace tesela::cpu
