// Setting up the passes of a box.
#include "backend/cpu/box_passes.h"

#include <algorithm>

#include "backend/cpu/caches.h"
#include "backend/cpu/kernels.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kFetchedAhead = int64_t{1} << 20;  // bytes of input from which on that pays: beyond L2

}  // namespace

template <class C>
BoxPasses<C>::BoxPasses(const Plan& plan, const Program& program, const BoxRun& run, std::span<std::byte> scratch)
    : plan_(plan), layout_(program.layout), tables_(program.tables<C>()), run_(run), scratch_(scratch),
      kernels_(layout_.kernels) {
  const auto& work = std::get<ResizePlan>(plan_.work);
  const int64_t parts = parts_of(plan_.type);
  in_strides_ = run_.input.strides_bytes.empty() ? dense_strides(plan_.type, run_.input.extents)
                                                 : run_.input.strides_bytes;
  out_strides_ = run_.output.strides_bytes.empty() ? dense_strides(plan_.type, run_.output.extents)
                                                   : run_.output.strides_bytes;
  in_numbers_ = parts;
  for (size_t d = layout_.row_axis; d < plan_.in.size(); ++d) in_numbers_ *= run_.input.extents[d];
  in_row_bytes_ = in_numbers_ / parts * element_bits(plan_.type) / 8;
  fetches_ahead_ = product(run_.input.extents) > kFetchedAhead * 8 / element_bits(plan_.type);
  // Out of the cache that all share, sums are faster than the memory, and to fetch costs nothing.
  fetches_sweeps_ = product(plan_.in) > last_level_cache_bytes() / 2 * 8 / element_bits(plan_.type);
  out_numbers_ = parts;
  for (size_t d = layout_.row_axis; d < plan_.out.size(); ++d) out_numbers_ *= run_.output.extents[d];
  if (run_.input.strides_bytes.empty()) {
    in_end_ = run_.input.data + in_row_bytes_;
    for (size_t d = 0; d < layout_.row_axis; ++d) in_end_ += (run_.input.extents[d] - 1) * in_strides_[d];
  }
  stages_.reserve(work.passes.size());
  for (size_t p = 0; p < work.passes.size(); ++p) add_stage(work.passes[p], p);
  if (picks_ != nullptr) set_up_picks(work.passes.back().axis);
  for (size_t s = 0; s < stages_.size(); ++s) set_up_rows(s);
  reads_in_place_ = line_ && layout_.is_compute_type && line_.shift() == 0 && !picked_;
}

// From here on rows are picked ones.
template <class C>
void BoxPasses<C>::set_up_picks(size_t axis) {
  const int64_t element_bytes = in_row_bytes_ / run_.input.extents[axis];
  const RowPicker picker(*picks_, run_.input_lo[axis], element_bytes, in_row_bytes_);
  in_numbers_ = in_numbers_ / run_.input.extents[axis] * picks_->extent();
  picked_.set_up(scratch_, picker, stages_.front().is_line ? 1 : stages_.front().table->most_taps);
  count_task(Kernel::row_pick);
  if (picker.looks_up()) count_task(Kernel::pick_lookup);
}

template <class C>
void BoxPasses<C>::add_stage(const Pass& pass, size_t p) {
  Stage<C>& stage = stages_.emplace_back();
  stage.axis = pass.axis;
  stage.is_line = layout_.has_line && pass.axis == layout_.row_axis;
  const IndexRange range = {run_.output_lo[pass.axis], run_.output.extents[pass.axis]};
  const bool whole = range.lo == 0 && range.n == pass.rule.out;
  if (stage.is_line) {
    // A box may cut through the channels too: then a line has fewer of them than the plan's.
    const int64_t channels = out_numbers_ / range.n;
    if (whole && tables_.line && channels == layout_.channels) {
      // The table counts inputs from the axis' begin, the box may begin further on.
      line_.use(*tables_.line, tables_.picks.any() ? 0 : run_.input_lo[pass.axis] * channels);
      if (tables_.picks.any()) picks_ = &tables_.picks;
    } else {
      make_own_line(pass, p, range, channels);
    }
  } else if (tables_.passes[p]) {
    stage.table = tables_.passes[p].get();
  } else {
    own_tables_.push_back(std::make_unique<PassTable<C>>(make_pass_table<C>(make_taps(layout_, pass, p, range))));
    stage.table = own_tables_.back().get();
    stage.table_lo = range.lo;
  }
}

template <class C>
void BoxPasses<C>::make_own_line(const Pass& pass, size_t p, IndexRange range, int64_t channels) {
  AxisTable table = make_taps(layout_, pass, p, range);
  int64_t in_lo = run_.input_lo[pass.axis];
  int64_t in_n = run_.input.extents[pass.axis];
  if (pass.axis == std::get<ResizePlan>(plan_.work).passes.back().axis) own_picks_ = make_picks(table, in_lo, in_n);
  if (own_picks_.any()) {
    picks_ = &own_picks_;
    in_lo = 0;
    in_n = own_picks_.extent();
  }
  line_.own(make_line_table<C>(table, in_lo, in_n, channels, line_lanes<C>()));
}

template <class C>
void BoxPasses<C>::set_up_rows(size_t s) {
  Stage<C>& stage = stages_[s];
  const int64_t before = s == 0 ? in_numbers_ : stages_[s - 1].row_numbers;
  stage.row_numbers = stage.is_line ? out_numbers_ : before;
  if (stage.is_line) {
    is_line_last_ = s + 1 == stages_.size();
    is_joined_ = lines_lie_side_by_side(s);
    return line_.set_up(scratch_, before, is_joined_);
  }
  if (s == 0) return;
  const int64_t lo = run_.output_lo[stage.axis];
  const Extents& in_lo = run_.input_lo;
  const Extents& in_n = run_.input.extents;
  stage.end = in_lo[stage.axis] + in_n[stage.axis];
  if (stages_[s - 1].is_line && stage.moves_forward(lo, run_.output.extents[stage.axis]))
    stage.ahead = std::min(stage.lines_ahead(before, line_.table().in_runs), in_n[stage.axis]);
  for (size_t t = s + 1; t < stages_.size(); ++t)
    if (const size_t axis = stages_[t].axis; !stages_[t].is_line)
      stage.add_later(axis, in_lo[axis], in_n[axis]);
  stage.take_ring(scratch_, next_line_joins(s) ? before : round_to_rows(before));
}

// The rows that the line at stage s takes one after the other lie side by side in the source, so that passes before
// it may work on several at once.
template <class C>
bool BoxPasses<C>::lines_lie_side_by_side(size_t s) const {
  if (s == 0 || s + 2 != stages_.size() || line_.shift() != 0 || kernels_.compute_to_element == nullptr) return false;
  const size_t axis = stages_[s + 1].axis;
  return axis + 1 == layout_.row_axis && in_strides_[axis] == in_row_bytes_;
}

template <class C>
bool BoxPasses<C>::next_line_joins(size_t s) const {
  for (size_t t = s + 1; t < stages_.size(); ++t)
    if (stages_[t].is_line) return lines_lie_side_by_side(t);
  return false;
}

template class BoxPasses<float>;
template class BoxPasses<double>;
template class BoxPasses<uint16_t>;
template class BoxPasses<int16_t>;

}  // namespace tesela::cpu
