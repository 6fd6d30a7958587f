// SPDX-License-Identifier: Apache-2.0
// Resizes a box: the passes in the contract's order form a chain of row sources, from which output rows are pulled.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/box_rows.h"
#include "backend/cpu/resize/horizontal.h"
#include "backend/cpu/resize/outside.h"
#include "backend/cpu/resize/program.h"
#include "backend/cpu/resize/strips.h"
#include "backend/cpu/resize/vertical.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

template <class C>
class Pipeline {
 public:
  Pipeline(const Plan& plan, const ResizeProgram& program, const BoxRun& run, bool stream,
           std::span<std::byte> scratch);
  void run();

 private:
  // An axis of a loop outside the last vertical pass: one that does not change, or a pass's.
  struct OuterAxis {
    size_t axis = 0;
    Vertical<C>* pass = nullptr;
    size_t stage = 0;  // the first stage that must forget its rows when the axis advances
    int64_t i = 0;     // output of the box
  };

  const HorizontalColumns<C>* find_columns();
  void gather_columns(const ColumnGather& gather);
  bool joins_rows() const;
  void add_horizontal(size_t p);
  void add_vertical(size_t p);
  const VerticalTable<C>* find_table(size_t p, VerticalSetup<C>& setup);
  bool has_whole_lines(size_t p) const;
  void keep_rows(size_t p, Vertical<C>& by);
  PulledAxis axis_of(size_t p) const;
  void add_outer_axes();
  void run_place(const Place& at, std::byte* out);
  void run_vertical_then_horizontal(const Place& at, std::byte* out);
  void sum_pairs(const Place& at, std::byte* out);
  Place find_place() const;
  std::byte* output_row() const;
  bool next_place();
  void count_kernels() const;

  const Plan& plan_;
  const Layout& layout_;
  const ResizeTables<C>& tables_;
  const BoxRun& run_;
  const std::span<const Pass> passes_;
  const BoxRows box_;
  const bool stream_;
  Scratch scratch_;

  const HorizontalColumns<C>* columns_ = nullptr;
  int64_t numbers_;  // in rows of the last stage so far
  bool is_joined_ = false;
  bool sums_pairs_ = false;  // in both passes at once
  SourceRows source_;
  GatheredRows gathered_;
  Horizontal<C> horizontal_;
  SmallVector<MadeRows<C>*, 4> stages_;    // per pass
  SmallVector<Vertical<C>*, 4> vertical_;  // in their order
  SmallVector<OuterAxis, 8> outer_;
  // For axes that are too long to be kept, or boxes that split rows.
  std::vector<std::unique_ptr<const VerticalTable<C>>> own_vertical_;
  std::unique_ptr<const HorizontalColumns<C>> own_columns_;
};

template <class C>
Pipeline<C>::Pipeline(const Plan& plan, const ResizeProgram& program, const BoxRun& run, bool stream,
                      std::span<std::byte> scratch)
    : plan_(plan),
      layout_(program.layout),
      tables_(std::get<ResizeTables<C>>(program.tables)),
      run_(run),
      passes_(std::get<ResizePlan>(plan.work).passes),
      box_(plan, layout_, run),
      stream_(stream),
      scratch_(scratch),
      numbers_(box_.in_numbers) {
  if (layout_.has_horizontal) {
    columns_ = find_columns();
    is_joined_ = joins_rows();
    sums_pairs_ = layout_.pairs.both != nullptr && columns_->pairs;
    if (columns_->gather && !sums_pairs_) gather_columns(columns_->gather);
  }
  for (size_t p = 0; p < passes_.size(); ++p) {
    if (!layout_.is_horizontal(passes_[p]))
      add_vertical(p);
    else if (!sums_pairs_)
      add_horizontal(p);
  }
  add_outer_axes();
}

// The bound columns, those of a strip, or this box's if it splits them or channels or the axis is too long.
template <class C>
const HorizontalColumns<C>* Pipeline<C>::find_columns() {
  const auto is_horizontal = [this](const Pass& pass) { return layout_.is_horizontal(pass); };
  const Pass& pass = *std::find_if(passes_.begin(), passes_.end(), is_horizontal);
  const IndexRange range = {run_.output_lo[pass.axis], run_.output.extents[pass.axis]};
  const int64_t channels = box_.out_numbers / range.n;
  const bool has_channels = channels == layout_.channels;
  if (range.n == pass.map.out && has_channels && tables_.horizontal != nullptr) return tables_.horizontal.get();
  const IndexRange in = {run_.input_lo[pass.axis], run_.input.extents[pass.axis]};
  const auto p = static_cast<size_t>(&pass - passes_.data());
  const auto make = [&] {
    return make_columns<C>(layout_, p, make_taps(layout_, pass, p, range), in, channels, p + 1 == passes_.size());
  };
  const bool is_strip = range.lo % kStrip == 0 && range.n == std::min(kStrip, pass.map.out - range.lo);
  if (is_strip && has_channels && tables_.strips != nullptr) return tables_.strips->find(range.lo, make);
  own_columns_ = std::make_unique<HorizontalColumns<C>>(make());
  return own_columns_.get();
}

// From here on rows are gathered.
template <class C>
void Pipeline<C>::gather_columns(const ColumnGather& gather) {
  numbers_ = numbers_ / run_.input.extents[layout_.row_axis] * gather.extent();
  const Pass& first = passes_.front();
  gathered_.set_up(scratch_, gather, box_.in_lo_bytes, layout_.is_horizontal(first) ? 1 : first.window);
  count_task(Kernel::column_gather);
  if (gather.looks_up()) count_task(Kernel::column_lookup);
}

template <class C>
void Pipeline<C>::add_horizontal(size_t p) {
  const int64_t channels = box_.out_numbers / run_.output.extents[layout_.row_axis];
  HorizontalSetup<C> setup;
  setup.from = vertical_.empty() ? nullptr : vertical_.back();
  setup.gathered = gathered_ ? &gathered_ : nullptr;
  setup.table = &columns_->table;
  // The table may count inputs from before the box.
  if (!gathered_) setup.shift = (run_.input_lo[layout_.row_axis] - columns_->in_lo) * channels;
  if (p == 0 && layout_.pairs.row != nullptr && columns_->pairs) {
    setup.pairs = &columns_->pairs;
    setup.pair_row = layout_.pairs.row;
    setup.in_lo_bytes = box_.in_lo_bytes;
  }
  setup.in_numbers = numbers_;
  setup.out_numbers = box_.out_numbers;
  setup.in_row_bytes = box_.in_row_bytes;
  setup.is_joined = is_joined_;
  setup.are_numbers = layout_.are_numbers;
  setup.streams = stream_;
  if (layout_.arithmetic == Arithmetic::kPowerOfTwo) setup.rounding = layout_.rounding_of(p);
  setup.watch = run_.watch;
  setup.widen = layout_.vertical->widen;
  setup.round = layout_.vertical->round;
  if (p + 1 == passes_.size())
    setup.output_rows = product(run_.output.extents) * parts_of(plan_.type) / box_.out_numbers;
  horizontal_.set_up(setup, scratch_);
  numbers_ = box_.out_numbers;
  stages_.push_back(&horizontal_);
}

// Whether consecutive rows of the horizontal pass are contiguous in the source, so that earlier passes may process
// several at once.
template <class C>
bool Pipeline<C>::joins_rows() const {
  const size_t n = passes_.size();
  if (n < 3 || !layout_.is_horizontal(passes_[n - 2]) || layout_.vertical->sum[1][1][0] == nullptr) return false;
  const bool may_shift = run_.input_lo[layout_.row_axis] != columns_->in_lo;
  return !may_shift && axis_of(n - 1).is_dense;
}

template <class C>
PulledAxis Pipeline<C>::axis_of(size_t p) const {
  const size_t d = passes_[p].axis;
  PulledAxis axis = {run_.input_lo[d], run_.input.extents[d], box_.in_strides[d]};
  for (size_t later = p + 1; later < passes_.size(); ++later)
    if (!layout_.is_horizontal(passes_[later])) axis.later_rows *= run_.input.extents[passes_[later].axis];
  axis.is_dense = d + 1 == layout_.row_axis && axis.stride == box_.in_row_bytes;
  return axis;
}

// The bound table, or this box's if the axis is too long.
template <class C>
const VerticalTable<C>* Pipeline<C>::find_table(size_t p, VerticalSetup<C>& setup) {
  if (const auto& bound = tables_.vertical[p]; bound != nullptr) return bound.get();
  setup.table_lo = setup.lo;
  const AxisTable taps = make_taps(layout_, passes_[p], p, {setup.lo, setup.n});
  return own_vertical_.emplace_back(std::make_unique<VerticalTable<C>>(make_vertical_table<C>(taps))).get();
}

template <class C>
void Pipeline<C>::add_vertical(size_t p) {
  const size_t axis = passes_[p].axis;
  VerticalSetup<C> setup;
  setup.lo = run_.output_lo[axis];
  setup.n = run_.output.extents[axis];
  setup.table = find_table(p, setup);
  setup.made = p > 0 ? stages_.back() : nullptr;
  setup.from = p > 0 ? setup.made : gathered_ ? static_cast<RowSource*>(&gathered_) : &source_;
  setup.row_numbers = numbers_;
  setup.element_bytes = layout_.element_bytes;
  setup.rounding = layout_.rounding_of(p);
  setup.takes_elements = p == 0;
  setup.takes_gathered = p == 0 && gathered_;
  setup.prefetches = p == 0 && box_.prefetches;
  setup.from_memory = box_.from_memory;
  setup.leaves_l2 = box_.leaves_l2;
  setup.watch = run_.watch;
  setup.kernels = layout_.vertical;
  setup.overlapping = &layout_.overlapping;
  auto* const vertical = scratch_.make<Vertical<C>>(setup, scratch_);
  vertical->select(setup.lo);
  setup.from->pull_along(axis_of(p));
  if (p > 0) keep_rows(p, *vertical);
  vertical_.push_back(vertical);
  stages_.push_back(vertical);
}

// Whether the rows of outputs along pass p's axis begin with cache lines.
template <class C>
bool Pipeline<C>::has_whole_lines(size_t p) const {
  constexpr int64_t kLine = 64;
  const auto begin = static_cast<int64_t>(reinterpret_cast<uintptr_t>(run_.output.data));
  return begin % kLine == 0 && box_.out_strides[passes_[p].axis] % kLine == 0;
}

// The source of vertical pass p's input rows.
template <class C>
void Pipeline<C>::keep_rows(size_t p, Vertical<C>& by) {
  const int64_t most = by.table().most_taps;
  if (layout_.is_horizontal(passes_[p - 1])) {
    const bool are_last = p == 1 && passes_.size() == 2;
    const bool may_stream = layout_.are_numbers && has_whole_lines(p);
    if (are_last && !horizontal_.sums_pairs() && (!stream_ || may_stream))
      by.resample_by(horizontal_.table(), plan_.type);
    return horizontal_.keep_rows(scratch_, most, by, round_to_rows(numbers_));
  }
  const int64_t rows = most == 2 ? 3 : most;  // outputs of two taps may step
  vertical_.back()->keep(scratch_, rows, is_joined_ && !horizontal_ ? numbers_ : round_to_rows(numbers_));
}

// Loops over unchanged axes first, then over the passes' axes, the first pass outermost.
template <class C>
void Pipeline<C>::add_outer_axes() {
  for (size_t d = 0; d < layout_.row_axis; ++d) {
    const auto is_here = [d](const Pass& pass) { return pass.axis == d; };
    if (std::none_of(passes_.begin(), passes_.end(), is_here)) outer_.push_back({d});
  }
  for (size_t p = 0, v = 0; p < passes_.size() && v + 1 < vertical_.size(); ++p)
    if (!layout_.is_horizontal(passes_[p])) outer_.push_back({passes_[p].axis, vertical_[v++], p});
}

template <class C>
void Pipeline<C>::run() {
  for (MadeRows<C>* stage : stages_) stage->forget();
  do run_place(find_place(), output_row());
  while (next_place());
  if (horizontal_) horizontal_.flush();
  count_kernels();
}

template <class C>
Place Pipeline<C>::find_place() const {
  Place at = {run_.input.data, box_.in_end, 0};
  for (const OuterAxis& outer : outer_) {
    if (outer.pass != nullptr) continue;
    const size_t d = outer.axis;
    // Adjacent rows along this axis are contiguous memory.
    if (at.end == nullptr && d + 1 == layout_.row_axis && box_.in_strides[d] == box_.in_row_bytes)
      at.end = at.source + run_.input.extents[d] * box_.in_row_bytes;
    at.source += (run_.output_lo[d] + outer.i - run_.input_lo[d]) * box_.in_strides[d];
  }
  return at;
}

template <class C>
std::byte* Pipeline<C>::output_row() const {
  std::byte* out = run_.output.data;
  for (const OuterAxis& outer : outer_) out += outer.i * box_.out_strides[outer.axis];
  return out;
}

template <class C>
bool Pipeline<C>::next_place() {
  for (size_t k = outer_.size(); k-- > 0;) {
    OuterAxis& outer = outer_[k];
    const bool goes_on = ++outer.i < run_.output.extents[outer.axis];
    if (!goes_on) outer.i = 0;
    if (outer.pass != nullptr) outer.pass->select(run_.output_lo[outer.axis] + outer.i);
    if (!goes_on) continue;
    for (size_t s = outer.stage; s < stages_.size(); ++s) stages_[s]->forget();
    return true;
  }
  return false;
}

// Computes all output rows at a place.
template <class C>
void Pipeline<C>::run_place(const Place& at, std::byte* out) {
  if (sums_pairs_) return sum_pairs(at, out);
  if (vertical_.empty()) return horizontal_.queue_source(at, out);
  if (stages_.back() == &horizontal_) return run_vertical_then_horizontal(at, out);
  vertical_.back()->finish(at, out, box_.out_strides[passes_.back().axis], stream_);
}

template <class C>
void Pipeline<C>::run_vertical_then_horizontal(const Place& at, std::byte* out) {
  Vertical<C>& vertical = *vertical_.back();
  const int64_t stride = box_.out_strides[passes_[passes_.size() - 2].axis];
  for (int64_t i = vertical.lo(); i < vertical.lo() + vertical.n();) {
    vertical.select(i);
    int64_t made = 1;
    if (vertical.overlaps() && horizontal_.has_room(kOverlapped)) {
      void* outs[kOverlapped];
      for (int64_t r = 0; r < kOverlapped; ++r) outs[r] = horizontal_.room(r);
      vertical.sum_overlapping(at, outs, false);
      made = kOverlapped;
    } else {
      vertical.make_row(at, 1, horizontal_.room(0));
    }
    for (i += made; made > 0; --made, out += stride) horizontal_.queue_made(out);
  }
}

template <class C>
void Pipeline<C>::sum_pairs(const Place& at, std::byte* out) {
  if constexpr (std::is_same_v<C, float>) {
    const Vertical<C>& vertical = *vertical_.back();
    const PulledAxis& axis = source_.axis();
    sum_pair_rows(layout_.pairs.both, columns_->pairs,
                  {vertical.table(), vertical.table_lo(), vertical.lo(), vertical.n(), at.source - box_.in_lo_bytes,
                   axis.lo, axis.stride, out, box_.out_strides[passes_.front().axis], run_.watch});
  }
}

template <class C>
void Pipeline<C>::count_kernels() const {
  if (sums_pairs_) return count_task(Kernel::pixel_pairs);
  if (horizontal_) count_task(horizontal_.kernel());
  if (!vertical_.empty()) count_task(Kernel::vertical_sum);
  if (!vertical_.empty() && vertical_.back()->has_resampled()) count_task(Kernel::resampled_sum);
  for (const Vertical<C>* vertical : vertical_)
    if (vertical->has_overlapped()) count_task(Kernel::vertical_overlapping);
  count_arithmetic(layout_.arithmetic);
}

}  // namespace

void resize_box(const Plan& plan, const ResizeProgram& program, const BoxRun& run, bool stream,
                std::span<std::byte> scratch) {
  const auto& work = std::get<ResizePlan>(plan.work);
  if (program.mean_row != nullptr && run_halves(plan, program.layout, program.mean_row, run)) return;
  for_each_strip(plan, work, program.layout, run, [&](const BoxRun& strip) {
    program.visit([&]<class C>(C) {
      const auto& joined = std::get<ResizeTables<C>>(program.tables).joined;
      if (joined == nullptr || !run_joined_planes(plan, program.layout, *joined, strip, stream, scratch))
        Pipeline<C>(plan, program, strip, stream, scratch).run();
    });
  });
  if (work.extrapolates) fill_outside(plan, work, run);
}

}  // namespace tesela::cpu
