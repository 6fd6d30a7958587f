// Interpolation over a box: the passes in the contract's order, fused over rows. No intermediate is ever whole: each
// row of a pass is made once, kept while the next pass needs it, and overwritten.
#include <algorithm>
#include <span>
#include <vector>

#include "backend/cpu/box_passes.h"
#include "backend/cpu/converted_rows.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/sweep.h"
#include "backend/reference/reference.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kMostTogether = 4;                  // outputs of the same rows
constexpr int64_t kFewestSwept = 64;                  // numbers of a row
constexpr int64_t kMostOpenByRow = 2;                 // outputs of a sweep that take the same row
constexpr int64_t kMostAhead = 32;                    // rows that are fetched for the next outputs

template <class C>
class Engine : BoxPasses<C> {
 public:
  Engine(const Plan& plan, const Program& program, const BoxRun& run, bool stream, std::span<std::byte> scratch)
      : BoxPasses<C>(plan, program, run, scratch), stream_(stream), index_(run.output_lo) {}

  /// Returns the kind of the line pass, if there is one.
  LineKind run() {
    const Extents& n = run_.output.extents;
    for (size_t d = 0; d < layout_.row_axis; ++d)
      if (!is_pass(d)) planes_.push_back(static_cast<int64_t>(d));
    for (int64_t plane = 1; plane > 0;) {
      for (Stage<C>& stage : stages_) std::fill(stage.kept.begin(), stage.kept.end(), -1);
      loop(0);
      plane = 0;
      for (size_t p = planes_.size(); p-- > 0;) {
        const auto d = static_cast<size_t>(planes_[p]);
        if (++index_[d] < run_.output_lo[d] + n[d]) {
          plane = 1;
          break;
        }
        index_[d] = run_.output_lo[d];
      }
    }
    if (line_) flush();
    if (swept_) count_task(Kernel::row_sweep);
    return line_ ? line_.table().kind : LineKind::kGather;
  }

 private:
  bool is_pass(size_t axis) const {
    return std::any_of(stages_.begin(), stages_.end(), [&](const Stage<C>& s) { return s.axis == axis; });
  }

  // Now and then looks whether somebody has stopped the run.
  void spend(int64_t products) const {
    if (run_.watch != nullptr) run_.watch->spend(products);
  }

  // ---- Loops: over the axes of row passes, the first pass outermost ------------------------------------------------

  void loop(size_t s) {
    while (s < stages_.size() && stages_[s].is_line) ++s;
    if (s == stages_.size()) return finish_row();
    if (is_last_row_pass(s)) return is_line_last_ ? finish_lines(s) : finish_rows(s);
    const size_t axis = stages_[s].axis;
    const int64_t lo = run_.output_lo[axis];
    for (int64_t i = lo; i < lo + run_.output.extents[axis]; ++i) {
      index_[axis] = i;
      // Rows that later passes keep were made for the index before.
      for (size_t t = s + 1; t < stages_.size(); ++t) std::fill(stages_[t].kept.begin(), stages_[t].kept.end(), -1);
      loop(s + 1);
    }
    index_[axis] = lo;
  }

  bool is_last_row_pass(size_t s) const {
    return s + 1 == stages_.size() || (s + 2 == stages_.size() && stages_[s + 1].is_line);
  }

  std::byte* output_row() const {
    std::byte* at = run_.output.data;
    for (size_t d = 0; d < layout_.row_axis; ++d) at += (index_[d] - run_.output_lo[d]) * out_strides_[d];
    return at;
  }

  const std::byte* source_row() const {
    const std::byte* at = run_.input.data;
    for (size_t d = 0; d < layout_.row_axis; ++d) at += (index_[d] - run_.input_lo[d]) * in_strides_[d];
    return at;
  }

  // All rows of the output along the last pass' axis. Neighbours that are sums of the same rows are made together.
  void finish_rows(size_t s) {
    constexpr int32_t kFewTaps = 8;
    const Stage<C>& stage = stages_[s];
    const PassTable<C>& table = *stage.table;
    int64_t& index = index_[stage.axis];
    const int64_t lo = run_.output_lo[stage.axis];
    const int64_t end = lo + run_.output.extents[stage.axis];
    const int64_t stride = out_strides_[stage.axis];
    const BlendRowsFn kernel = kernel_of(s, true);
    const bool sweeps = may_sweep(s) && !stream_;
    // Sums of few rows that the pass before makes: what blend does, without its other cases, because rows are often so
    // short that these would take longer than the sums.
    const int32_t few = s > 0 && kernel != nullptr ? kFewTaps : 0;
    const void* rows[kFewTaps];
    void* outs[kMostTogether];
    RowBlend b = {rows, 0, nullptr, table.pitch, outs, 0, stage.row_numbers, stream_, nullptr, 0, layout_.shift};
    const Ring<C> ring(stage);
    std::byte* out = output_row();
    for (index = lo; index < end;) {
      const int64_t i = index;
      const auto entry = stage.entry(i);
      const int32_t count = table.count[entry];
      const int64_t same = std::min<int64_t>(table.shared[entry], end - i);
      const int64_t together = outputs_together(count, same);
      if (sweeps && together == 1 && is_swept(table, entry, end - i)) {
        for (int64_t r = 0; r < kSwept; ++r, out += stride) outs[r] = out;
        sweep(s, i, outs, kernels_.sweep_to_element);
        index = i + kSwept;
        continue;
      }
      for (int64_t r = 0; r < together; ++r, out += stride) outs[r] = out;
      if (same > 0 && count <= few) {
        const int64_t first = table.first[entry];
        for (int32_t k = 0; k < count; ++k) rows[k] = ring.row(first + k, [&](int64_t j) { make_rows(s, j, 0, 1); });
        b.taps = count;
        b.weights = table.weights.data() + static_cast<int64_t>(entry) * table.pitch;
        b.outputs = together;
        kernel(b);
        spend(count * stage.row_numbers);
      } else {
        blend(s, outs, together, true, 1);
      }
      index = i + together;
    }
    index = lo;
  }

  // The same where the line comes behind.
  void finish_lines(size_t s) {
    const Stage<C>& stage = stages_[s];
    const int64_t lo = run_.output_lo[stage.axis];
    const int64_t end = lo + run_.output.extents[stage.axis];
    const bool sweeps = may_sweep(s);
    for (int64_t i = lo; i < end;) {
      index_[stage.axis] = i;
      if (!sweeps || !is_swept(*stage.table, stage.entry(i), end - i) || !line_.has_room(kSwept)) {
        finish_row();
        ++i;
        continue;
      }
      void* outs[kSwept];
      for (int64_t r = 0; r < kSwept; ++r) outs[r] = line_.row(line_.queued() + r) + line_.shift();
      sweep(s, i, outs, kernels_.sweep_to_compute);
      for (const int64_t next = i + kSwept; i < next; ++i) {
        index_[stage.axis] = i;
        C* row = line_.next_row();
        line_.pad(row);
        queue_line(row);
      }
    }
    index_[stage.axis] = lo;
  }

  // Whether overlapping windows of the pass may be summed together.
  bool may_sweep(size_t s) const {
    return s == 0 && !picked_ && kernels_.sweep_to_compute != nullptr && stages_[s].row_numbers >= kFewestSwept;
  }

  void sweep(size_t s, int64_t i, void* const* outs, SweepRowsFn kernel) {
    const Stage<C>& stage = stages_[s];
    const auto entry = stage.entry(i);
    index_[stage.axis] = stage.table->first[entry];
    const SweepLists<C> lists(*stage.table, entry, source_row(), in_strides_[stage.axis]);
    index_[stage.axis] = i;
    const void* ahead[kMostAhead];
    const bool by_row = fetches_sweeps_ && lists.most_open <= kMostOpenByRow;
    int64_t aheads = 0;
    if (fetches_ahead_ && !by_row)
      aheads = rows_ahead(stage, entry + kSwept, fetches_sweeps_ ? kSwept : 1, lists.first + lists.count, ahead);
    spend(lists.count * stage.row_numbers);
    kernel({lists.rows, lists.count, lists.open, lists.weights, outs, stage.row_numbers, ahead, aheads, by_row});
    swept_ = true;
  }

  // One row of the output by the line pass, as soon as a batch of them is there.
  void finish_row() {
    const size_t last = stages_.size() - 1;
    C* row = line_.next_row();
    if (last == 0) return queue_line(line_source(source_row(), row));
    make_row(last - 1, row + line_.shift(), 1);
    line_.pad(row);
    queue_line(row);
  }

  void queue_line(const C* row) {
    line_.queue(row, output_row());
    if (!line_.has_room(1)) flush();
  }

  void flush() {
    spend(line_.queued() * std::max(in_numbers_, out_numbers_));
    line_.flush(scratch_, out_numbers_, layout_.is_compute_type ? nullptr : kernels_.round, layout_.shift, stream_);
  }

  // ---- Rows of a pass, in the compute type -------------------------------------------------------------------------

  // The source row at the current index as a line takes it: where it lies, or widened into `row`.
  const C* line_source(const std::byte* source, C* row) {
    if (lies_readable(source)) return reinterpret_cast<const C*>(source);
    if (picked_) source = picked_.row(source, 0, nullptr);
    kernels_.widen(source, row + line_.shift(), in_numbers_, 0);
    line_.pad(row);
    return row;
  }

  // Whether a line may read the source row at the current index, and what follows it, where they lie.
  bool lies_readable(const std::byte* source) const {
    if (!reads_in_place_) return false;
    const std::byte* end = in_end_ != nullptr ? in_end_ : source + rows_left() * in_row_bytes_;
    return source + line_.table().reach * static_cast<int64_t>(sizeof(C)) <= end;
  }

  // Into the caches, while the rows before them are at work.
  void fetch_rows(const std::byte* source, int64_t rows, int64_t stride) const {
    constexpr int64_t kLine = 64;
    for (int64_t r = 0; r < rows; ++r, source += stride)
      for (int64_t at = 0; at < in_row_bytes_; at += kLine) __builtin_prefetch(source + at);
  }

  // Rows that lie side by side in the source from the current one on, as far as the box goes.
  int64_t rows_left() const {
    if (layout_.row_axis == 0) return 1;
    const size_t d = layout_.row_axis - 1;
    if (in_strides_[d] != in_row_bytes_) return 1;
    return run_.input_lo[d] + run_.input.extents[d] - index_[d];
  }

  // `lines` rows side by side, more than one only where rows are joined.
  void make_row(size_t s, C* to, int64_t lines) {
    void* out = to;
    blend(s, &out, 1, false, lines);
  }

  // Where the rows from input j on are kept from now on.
  static void place_rows(const Stage<C>& stage, int64_t j, int64_t count, int64_t later_at, C** out) {
    const int64_t mask = stage.slots - 1;
    const int64_t later_rows = stage.later_rows;
    const int64_t pitch = stage.pitch;
    int64_t* const kept = stage.kept.data();
    C* const ring = stage.ring;
    for (int64_t r = 0; r < count; ++r) {
      const int64_t slot = ((j + r) & mask) * later_rows + later_at;
      kept[slot] = j + r;
      out[r] = ring + slot * pitch;
    }
  }

  // Lines from input j of pass s on, as many as are made together: they share indices and weights.
  void make_lines(size_t s, int64_t j, int64_t later_at) {
    Stage<C>& stage = stages_[s];
    const int64_t count = std::min(stage.ahead, stage.end - j);
    spend(count * std::max(in_numbers_, out_numbers_));
    const C* in[kLineBatch];
    C* out[kLineBatch];
    index_[stage.axis] = j;
    if (s > 1 && is_joined_) {
      make_row(s - 2, line_.row(0), count);
      line_.pad(line_.row(count - 1));
    }
    place_rows(stage, j, count, later_at, out);
    const std::byte* source = source_row();
    const int64_t stride = in_strides_[stage.axis];
    if (s == 1 && in_end_ != nullptr && lies_readable(source + (count - 1) * stride)) {
      for (int64_t r = 0; r < count; ++r) in[r] = reinterpret_cast<const C*>(source + r * stride);
      if (fetches_ahead_) fetch_rows(source + count * stride, std::min(count, stage.end - j - count), stride);
      return line_.run(in, out, count);
    }
    for (int64_t r = 0; r < count; ++r, source += stride) {
      index_[stage.axis] = j + r;
      C* row = line_.row(r);
      in[r] = s == 1 ? line_source(source, row) : row;
      if (s == 1 && fetches_ahead_ && j + count + r < stage.end) fetch_rows(source + count * stride, 1, stride);
      if (s > 1 && !is_joined_) {
        make_row(s - 2, row + line_.shift(), 1);
        line_.pad(row);
      }
    }
    line_.run(in, out, count);
  }

  // The rows that pass s takes at input j of its axis: made once and kept.
  const void* taken_rows(size_t s, int64_t j, int64_t later_at, int64_t lines) {
    const Stage<C>& stage = stages_[s];
    const int64_t slot = stage.slot(j, later_at);
    const int64_t* kept = &stage.kept[static_cast<size_t>(slot)];
    C* rows = stage.ring + slot * stage.pitch;
    if (lines == 1 ? *kept != j : std::count(kept, kept + lines, j) != lines) make_rows(s, j, later_at, lines);
    return rows;
  }

  [[gnu::noinline]] void make_rows(size_t s, int64_t j, int64_t later_at, int64_t lines) {
    if (stages_[s - 1].is_line) return make_lines(s, j, later_at);
    Stage<C>& stage = stages_[s];
    const int64_t slot = stage.slot(j, later_at);
    index_[stage.axis] = j;
    make_row(s - 1, stage.ring + slot * stage.pitch, lines);
    std::fill_n(stage.kept.data() + slot, lines, j);
  }

  // Weighted sums of row pass s at the current index: `outputs` of them from the same rows, into the output (final)
  // or a row of the compute type.
  void blend(size_t s, void* const* outs, int64_t outputs, bool final, int64_t lines) {
    constexpr int32_t kFewTaps = 16;
    const Stage<C>& stage = stages_[s];
    const int32_t count = stage.table->count[stage.entry(index_[stage.axis])];
    if (count == 0) return;  // extrapolated: filled at the end
    spend(count * stage.row_numbers * lines);
    RowBlend b = {nullptr, count, nullptr, stage.table->pitch, outs, outputs, stage.row_numbers * lines,
                  stream_ && final, nullptr, 0, layout_.shift};
    // Making a row may blend others, so each sum has a list of its own.
    if (count <= kFewTaps) {
      const void* rows[kFewTaps];
      C packed[kFewTaps];
      return sum_rows(s, b, final, lines, rows, packed);
    }
    std::vector<const void*> rows(static_cast<size_t>(count));
    std::vector<C> packed(static_cast<size_t>(count));
    sum_rows(s, b, final, lines, rows.data(), packed.data());
  }

  void sum_rows(size_t s, RowBlend& b, bool final, int64_t lines, const void** rows, C* packed) {
    const Stage<C>& stage = stages_[s];
    const PassTable<C>& table = *stage.table;
    const int64_t i = index_[stage.axis];
    const auto entry = stage.entry(i);
    const int64_t first = table.first[entry];
    const auto count = static_cast<int32_t>(b.taps);
    const C* weights = table.weights.data() + static_cast<int64_t>(entry) * table.pitch;
    const void* ahead[kMostAhead];
    int64_t aheads = 0;
    if (s == 0 && fetches_ahead_)
      aheads = rows_ahead(stage, entry + static_cast<size_t>(b.outputs), 1, first + count, ahead);
    if (picked_ && s == 0) {
      pick_rows(first, count, weights, rows, ahead, aheads);
    } else {
      take_rows(s, first, count, weights, lines, rows);
      b.ahead = ahead;
      b.aheads = aheads;
    }
    index_[stage.axis] = i;
    b.rows = rows;
    b.weights = weights;
    if (table.shared[entry] == 0) {
      b.taps = pack_weights(weights, count, packed);
      b.weights = packed;
    }
    if constexpr (std::is_same_v<C, int16_t>)
      if (table.is_wide(entry)) return blend_wide(s, b, entry, final);
    blend_rows(s, b, final);
  }

  void blend_wide(size_t s, RowBlend& b, size_t entry, bool final) {
    const PassTable<C>& table = *stages_[s].table;
    const auto begin = table.wide.begin() + static_cast<std::ptrdiff_t>(entry * static_cast<size_t>(table.pitch));
    std::vector<WideNumber<C>> weights(begin, begin + table.count[entry]);
    std::erase(weights, 0);
    b.weights = weights.data();
    converted_.blend(scratch_, in_numbers_ + out_numbers_, kernels_, b, s == 0, final);
  }

  // The weights that are not zero; returns how many.
  static int64_t pack_weights(const C* weights, int32_t count, C* packed) {
    return std::copy_if(weights, weights + count, packed, [](C weight) { return weight != 0; }) - packed;
  }

  // The rows under the weights that are not zero.
  void take_rows(size_t s, int64_t first, int32_t count, const C* weights, int64_t lines, const void** rows) {
    const size_t axis = stages_[s].axis;
    if (s == 0) {
      index_[axis] = first;
      const std::byte* source = source_row();
      for (int32_t k = 0; k < count; ++k, source += in_strides_[axis])
        if (weights[k] != 0) *rows++ = source;
      return;
    }
    const int64_t at = stages_[s].later_at(index_);
    for (int32_t k = 0; k < count; ++k)
      if (weights[k] != 0) *rows++ = taken_rows(s, first + k, at, lines);
  }

  // The same of the first pass, picked. Each row that is picked fetches one of the next output's.
  void pick_rows(int64_t first, int32_t count, const C* weights, const void** rows, const void* const* ahead,
                 int64_t aheads) {
    const size_t axis = stages_.front().axis;
    index_[axis] = first;
    const std::byte* source = source_row();
    for (int32_t k = 0; k < count; ++k, source += in_strides_[axis])
      if (weights[k] != 0)
        *rows++ = picked_.row(source, first + k, k < aheads ? static_cast<const std::byte*>(ahead[k]) : nullptr);
  }

  // Source rows of `outputs` from the one at `entry` on that lie behind those before `from`.
  int64_t rows_ahead(const Stage<C>& stage, size_t entry, size_t outputs, int64_t from, const void** ahead) {
    const int64_t last = run_.output_lo[stage.axis] + run_.output.extents[stage.axis] - stage.table_lo;
    if (static_cast<int64_t>(entry) >= last) return 0;
    const int64_t begin = std::max(from, stage.table->first[entry]);
    const size_t behind = std::min(entry + outputs, static_cast<size_t>(last)) - 1;
    const int64_t most = fetches_sweeps_ ? kMostAhead : kMostAhead / 4;
    const int64_t count = std::clamp<int64_t>(stage.table->last(behind) + 1 - begin, 0, most);
    const int64_t i = index_[stage.axis];
    index_[stage.axis] = begin;
    const std::byte* source = source_row();
    for (int64_t k = 0; k < count; ++k) ahead[k] = source + k * in_strides_[stage.axis];
    index_[stage.axis] = i;
    return count;
  }

  // From what pass s reads to the output (final) or the compute type; null where rows are converted apart.
  BlendRowsFn kernel_of(size_t s, bool final) const {
    const bool to_elements = final && !layout_.is_compute_type;
    if (s == 0 && !layout_.is_compute_type) return to_elements ? kernels_.element_to_element : kernels_.element_to_compute;
    return to_elements ? kernels_.compute_to_element : kernels_.compute_to_compute;
  }

  void blend_rows(size_t s, const RowBlend& b, bool final) {
    if (const BlendRowsFn kernel = kernel_of(s, final)) return kernel(b);
    if constexpr (std::is_same_v<C, double>)
      converted_.blend(scratch_, in_numbers_ + out_numbers_, kernels_, b, s == 0 && !layout_.is_compute_type,
                       final && !layout_.is_compute_type);
  }

  using Passes = BoxPasses<C>;
  using Passes::fetches_ahead_, Passes::fetches_sweeps_, Passes::in_end_, Passes::in_numbers_, Passes::in_row_bytes_,
      Passes::in_strides_, Passes::is_joined_,
      Passes::is_line_last_, Passes::kernels_, Passes::layout_, Passes::line_, Passes::out_numbers_, Passes::out_strides_,
      Passes::picked_, Passes::reads_in_place_, Passes::run_, Passes::scratch_, Passes::stages_;

  bool stream_;
  Extents index_;  // outputs along axes whose pass is done or looped over, else inputs
  Extents planes_;
  bool swept_ = false;
  ConvertedRows<C> converted_;
};

void count_kernels(const ResizePlan& work, const Layout& layout, LineKind kind) {
  if (layout.has_line) {
    constexpr Kernel kOfKind[] = {Kernel::line_permute, Kernel::line_permute, Kernel::line_block, Kernel::line_gather};
    count_task(kOfKind[static_cast<size_t>(kind)]);
  }
  if (work.passes.size() > (layout.has_line ? 1u : 0u)) count_task(Kernel::row_blend);
  if (layout.numbers == Numbers::kDyadic) count_task(Kernel::sum_dyadic);
  if (layout.numbers == Numbers::kFixed) count_task(Kernel::sum_fixed);
}

}  // namespace

void interpolate_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream,
                     std::span<std::byte> scratch) {
  const auto& work = std::get<ResizePlan>(plan.work);
  const auto run_engine = [&]<class C>(C) { return Engine<C>(plan, program, run, stream, scratch).run(); };
  LineKind kind = LineKind::kGather;
  switch (program.layout.numbers) {
    case Numbers::kFloat: kind = run_engine(float{}); break;
    case Numbers::kDouble: kind = run_engine(double{}); break;
    case Numbers::kDyadic: kind = run_engine(uint16_t{}); break;
    case Numbers::kFixed: kind = run_engine(int16_t{}); break;
  }
  count_kernels(work, program.layout, kind);
  if (work.extrapolates) reference::store_outside(plan, run);
}

}  // namespace tesela::cpu
