// Interpolation over a box: the passes in the contract's order, fused over rows. No intermediate is ever whole: each
// row of a pass is made once, kept while the next pass needs it, and overwritten.
#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "backend/boxes.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/program.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kAlign = 16;                        // numbers: rows begin at cache lines
constexpr int64_t kMostTogether = 4;                  // outputs of the same rows
constexpr int64_t kRing = int64_t{32} << 10;          // bytes of rows that are kept
constexpr int64_t kFewestLines = 2;                   // that are made together
constexpr int64_t kMostSwept = 96;                    // rows of the windows that are summed together
constexpr int64_t kFewestSwept = 64;                  // numbers of a row
constexpr int64_t kMostAhead = 8;                     // rows that are fetched for the next output
constexpr int64_t kFetchedAhead = int64_t{1} << 20;   // bytes of input from which on that pays: beyond L2

int64_t rounded_up(int64_t n) {
  return (n + kAlign - 1) / kAlign * kAlign;
}

// Memory of one task: handed out once, never given back before the task ends.
class Scratch {
 public:
  template <class T>
  T* take(int64_t count) {
    const auto bytes = static_cast<size_t>(rounded_up(count) * static_cast<int64_t>(sizeof(T)) + 64);
    if (used_ + bytes <= sizeof small_) {
      std::byte* at = small_ + used_;
      used_ += bytes;
      return reinterpret_cast<T*>(aligned(at));
    }
    large_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    return reinterpret_cast<T*>(aligned(large_.back().get()));
  }

 private:
  static std::byte* aligned(std::byte* at) {
    return at + (64 - reinterpret_cast<uintptr_t>(at) % 64) % 64;
  }
  std::byte small_[8192];
  size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> large_;
};

// One pass of the box. A row pass takes rows of the pass before it along its axis; the line pass changes a row.
template <class C>
struct Stage {
  size_t axis = 0;
  bool is_line = false;
  const PassTable<C>* table = nullptr;  // of a row pass
  int64_t table_lo = 0;                 // the output that its first entry is about
  int64_t row_numbers = 0;              // of the rows that it makes
  C* row = nullptr;                     // one of them, for a line pass behind
  // A row pass that is not the first keeps the rows that it took: slots x (later row axes), by input index.
  int64_t slots = 0;                    // a power of two
  int64_t ahead = 1;                    // rows that are made together, where the pass before is the line
  int64_t end = 0;                      // of the inputs that the box needs along its axis
  Extents later, later_lo, later_n;     // row axes of later passes, and what the box needs along them
  int64_t later_rows = 1;
  std::span<int64_t> kept;              // input index in each slot, -1: none
  C* ring = nullptr;
  int64_t pitch = 0;                    // numbers between kept rows
};

template <class C>
class Engine {
 public:
  Engine(const Plan& plan, const Program& program, const BoxRun& run, bool stream)
      : plan_(plan), layout_(program.layout), tables_(program.tables<C>()), run_(run), stream_(stream) {}

  /// Returns the kind of the line pass, if there is one.
  LineKind run() {
    set_up();
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
    flush();
    if (swept_) count_task(Kernel::row_sweep);
    return line_ ? line_->kind : LineKind::kGather;
  }

 private:
  bool is_pass(size_t axis) const {
    return std::any_of(stages_.begin(), stages_.end(), [&](const Stage<C>& s) { return s.axis == axis; });
  }

  void set_up() {
    const auto& work = std::get<ResizePlan>(plan_.work);
    const Box output = {run_.output_lo, run_.output.extents};
    const Box needed = {run_.input_lo, run_.input.extents};
    const int64_t parts = parts_of(plan_.type);
    kernels_ = layout_.kernels;
    in_strides_ = run_.input.strides_bytes.empty() ? dense_strides(plan_.type, run_.input.extents)
                                                   : run_.input.strides_bytes;
    out_strides_ = run_.output.strides_bytes.empty() ? dense_strides(plan_.type, run_.output.extents)
                                                     : run_.output.strides_bytes;
    index_ = run_.output_lo;
    in_numbers_ = parts;
    for (size_t d = layout_.row_axis; d < plan_.in.size(); ++d) in_numbers_ *= run_.input.extents[d];
    in_row_bytes_ = in_numbers_ / parts * element_bits(plan_.type) / 8;
    fetches_ahead_ = in_row_bytes_ * product(run_.input.extents) / std::max<int64_t>(in_numbers_ / parts, 1) > kFetchedAhead;
    out_numbers_ = parts;
    for (size_t d = layout_.row_axis; d < plan_.out.size(); ++d) out_numbers_ *= run_.output.extents[d];
    stages_.reserve(work.passes.size());
    for (size_t p = 0; p < work.passes.size(); ++p) add_stage(work.passes[p], p, output);
    if (picks_ != nullptr) set_up_picks(work.passes.back().axis);
    for (size_t s = 0; s < stages_.size(); ++s) set_up_rows(s, needed);
  }

  // From here on rows are picked ones.
  void set_up_picks(size_t axis) {
    const int64_t element_bytes = in_row_bytes_ / run_.input.extents[axis];
    picker_ = RowPicker(*picks_, run_.input_lo[axis], element_bytes, in_row_bytes_);
    in_numbers_ = in_numbers_ / run_.input.extents[axis] * picks_->extent();
    picked_slots_ = static_cast<int64_t>(
        std::bit_ceil(static_cast<uint64_t>(stages_.front().is_line ? 1 : stages_.front().table->most_taps)));
    picked_from_ = scratch_.take<const std::byte*>(picked_slots_);
    std::fill_n(picked_from_, picked_slots_, nullptr);
    picked_pitch_ = rounded_up(picker_.bytes() + RowPicker::kSlack);
    picked_ = scratch_.take<std::byte>(picked_slots_ * picked_pitch_);
    count_task(Kernel::row_pick);
  }

  void add_stage(const Pass& pass, size_t p, const Box& output) {
    Stage<C> stage;
    stage.axis = pass.axis;
    stage.is_line = layout_.has_line && pass.axis == layout_.row_axis;
    const IndexRange range = {output.lo[pass.axis], output.n[pass.axis]};
    const bool whole = range.lo == 0 && range.n == pass.rule.out;
    if (stage.is_line) {
      // A box may cut through the channels too: then a line has fewer of them than the plan's.
      const int64_t channels = out_numbers_ / range.n;
      if (whole && tables_.line && channels == layout_.channels) {
        // The table counts inputs from the axis' begin, the box may begin further on.
        line_ = tables_.line.get();
        if (tables_.picks.any())
          picks_ = &tables_.picks;
        else
          line_shift_ = run_.input_lo[pass.axis] * channels;
      } else {
        make_own_line(pass, range, channels);
      }
    } else if (tables_.passes[p]) {
      stage.table = tables_.passes[p].get();
    } else {
      own_tables_.push_back(std::make_unique<PassTable<C>>(make_pass_table<C>(pass.rule, range, layout_.compute)));
      stage.table = own_tables_.back().get();
      stage.table_lo = range.lo;
    }
    stages_.push_back(std::move(stage));
  }

  void make_own_line(const Pass& pass, IndexRange range, int64_t channels) {
    AxisTable table = make_axis_table(pass.rule, range, layout_.compute);
    int64_t in_lo = run_.input_lo[pass.axis];
    int64_t in_n = run_.input.extents[pass.axis];
    if (pass.axis == std::get<ResizePlan>(plan_.work).passes.back().axis) own_picks_ = make_picks(table, in_lo, in_n);
    if (own_picks_.any()) {
      picks_ = &own_picks_;
      in_lo = 0;
      in_n = own_picks_.extent();
    }
    own_line_ = make_line_table<C>(table, in_lo, in_n, channels, line_lanes(layout_.compute));
    line_ = &own_line_;
  }

  void set_up_rows(size_t s, const Box& needed) {
    Stage<C>& stage = stages_[s];
    const int64_t before = s == 0 ? in_numbers_ : stages_[s - 1].row_numbers;
    stage.row_numbers = stage.is_line ? out_numbers_ : before;
    if (stage.is_line) {
      is_line_last_ = s + 1 == stages_.size();
      is_joined_ = lines_lie_side_by_side(s);
      if (line_->kind == LineKind::kBlock) block_scratch_ = scratch_.take<C>(line_scratch(*line_));
      take_line_rows(before);
      return;
    }
    if (s == 0) return;
    stage.end = needed.lo[stage.axis] + needed.n[stage.axis];
    if (stages_[s - 1].is_line && moves_forward(stage))
      stage.ahead = std::min(lines_ahead(stage.table->most_taps, before), needed.n[stage.axis]);
    stage.slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(stage.table->most_taps + stage.ahead - 1)));
    for (size_t t = s + 1; t < stages_.size(); ++t) {
      if (stages_[t].is_line) continue;
      stage.later.push_back(static_cast<int64_t>(stages_[t].axis));
      stage.later_lo.push_back(needed.lo[stages_[t].axis]);
      stage.later_n.push_back(needed.n[stages_[t].axis]);
      stage.later_rows *= needed.n[stages_[t].axis];
    }
    const int64_t kept = stage.slots * stage.later_rows;
    stage.kept = {scratch_.take<int64_t>(kept), static_cast<size_t>(kept)};
    stage.pitch = next_line_joins(s) ? before : rounded_up(before);
    stage.ring = scratch_.take<C>(stage.slots * stage.later_rows * stage.pitch);
  }

  void take_line_rows(int64_t numbers) {
    const int64_t padded = line_padded(numbers);
    line_numbers_ = numbers;
    line_pitch_ = is_joined_ ? numbers : rounded_up(padded);
    line_rows_ = scratch_.take<C>(line_pitch_ * (kLineBatch - 1) + padded);
  }

  // What a line reads before a row's begin and beyond its end is never used, but it must be readable, and the same
  // every time.
  void pad(C* row) {
    std::fill_n(row, line_shift_, C{0});
    const int64_t end = line_shift_ + line_numbers_;
    if (end < line_->reach) std::fill_n(row + end, line_->reach - end, C{0});
  }

  // The rows that the line at stage s takes one after the other lie side by side in the source, so that passes before
  // it may work on several at once.
  bool lines_lie_side_by_side(size_t s) const {
    if (s == 0 || s + 2 != stages_.size() || line_shift_ != 0 || kernels_.compute_to_element == nullptr) return false;
    const size_t axis = stages_[s + 1].axis;
    return axis + 1 == layout_.row_axis && in_strides_[axis] == in_row_bytes_;
  }

  bool next_line_joins(size_t s) const {
    for (size_t t = s + 1; t < stages_.size(); ++t)
      if (stages_[t].is_line) return lines_lie_side_by_side(t);
    return false;
  }

  // Lines that are made together share what they load of the table, but the rows that are kept should stay in the L1
  // cache.
  static int64_t lines_ahead(int64_t taps, int64_t numbers) {
    int64_t ahead = kLineBatch;
    while (ahead > kFewestLines && static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(taps + ahead - 1))) *
                                           numbers * static_cast<int64_t>(sizeof(C)) > kRing)
      ahead /= 2;
    return ahead;
  }

  // Rows made ahead of their use are wasted where a reversed crop walks through the input backwards.
  bool moves_forward(const Stage<C>& stage) const {
    const int64_t lo = run_.output_lo[stage.axis] - stage.table_lo;
    const int64_t hi = lo + run_.output.extents[stage.axis] - 1;
    const auto& first = stage.table->first;
    return first[static_cast<size_t>(lo)] <= first[static_cast<size_t>(hi)];
  }

  // Numbers to make room for where a line kernel reads a row: from the axis' begin to its reach.
  int64_t line_padded(int64_t numbers) const {
    return std::max(numbers + line_shift_, line_ ? line_->reach : 0) + kAlign;
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
    Stage<C>& stage = stages_[s];
    const PassTable<C>& table = *stage.table;
    const int64_t lo = run_.output_lo[stage.axis];
    const int64_t end = lo + run_.output.extents[stage.axis];
    const int64_t stride = out_strides_[stage.axis];
    const BlendRowsFn kernel = kernel_of(s, true);
    const void* rows[kFewTaps];
    void* outs[kMostTogether];
    RowBlend b = {rows, 0, nullptr, table.pitch, outs, 0, stage.row_numbers, stream_, nullptr, 0};
    std::byte* out = output_row();
    for (int64_t i = lo; i < end;) {
      const auto entry = static_cast<size_t>(i - stage.table_lo);
      const int32_t count = table.count[entry];
      const int64_t same = std::min<int64_t>(table.shared[entry], end - i);
      const int64_t together = outputs_together(count, same);
      for (int64_t r = 0; r < together; ++r, out += stride) outs[r] = out;
      index_[stage.axis] = i;
      if (together == 1 && can_sweep(s, i, end) && !stream_) {
        for (int64_t r = 1; r < kSwept; ++r, out += stride) outs[r] = out;
        sweep(s, i, outs, kernels_.sweep_to_element);
        i += kSwept;
        continue;
      }
      if (s > 0 && same > 0 && count <= kFewTaps && kernel != nullptr) {
        // What blend does, without its other cases: rows are often so short that these would take longer than the sums.
        const int64_t first = table.first[entry];
        for (int32_t k = 0; k < count; ++k) rows[k] = taken_rows(s, first + k, 0, 1);
        b.taps = count;
        b.weights = table.weights.data() + static_cast<int64_t>(entry) * table.pitch;
        b.outputs = together;
        kernel(b);
      } else {
        blend(s, outs, together, true, 1);
      }
      i += together;
    }
    index_[stage.axis] = lo;
  }

  // The same where the line comes behind.
  void finish_lines(size_t s) {
    const Stage<C>& stage = stages_[s];
    const int64_t lo = run_.output_lo[stage.axis];
    const int64_t end = lo + run_.output.extents[stage.axis];
    for (int64_t i = lo; i < end;) {
      index_[stage.axis] = i;
      if (can_sweep(s, i, end) && batched_ + kSwept <= static_cast<size_t>(kLineBatch)) {
        void* outs[kSwept];
        for (int64_t r = 0; r < kSwept; ++r)
          outs[r] = line_row(static_cast<int64_t>(batched_) + r) + line_shift_;
        sweep(s, i, outs, kernels_.sweep_to_compute);
        for (const int64_t next = i + kSwept; i < next; ++i) {
          index_[stage.axis] = i;
          C* row = line_row(static_cast<int64_t>(batched_));
          pad(row);
          queue_line(row);
        }
      } else {
        finish_row();
        ++i;
      }
    }
    index_[stage.axis] = lo;
  }

  // Whether the windows of outputs i and on overlap so that they are better summed together.
  bool can_sweep(size_t s, int64_t i, int64_t end) const {
    if (s > 0 || picks_ != nullptr || kernels_.sweep_to_compute == nullptr || i + kSwept > end ||
        stages_[s].row_numbers < kFewestSwept)
      return false;
    const PassTable<C>& table = *stages_[s].table;
    const auto entry = static_cast<size_t>(i - stages_[s].table_lo);
    int64_t taps = 0;
    for (size_t e = entry; e < entry + kSwept; ++e) {
      if (table.shared[e] == 0) return false;
      taps += table.count[e];
      if (e == entry) continue;
      if (table.first[e] < table.first[e - 1] || table.first[e] > table.last(e - 1) || table.last(e) < table.last(e - 1))
        return false;
    }
    const int64_t rows = table.last(entry + kSwept - 1) + 1 - table.first[entry];
    // Windows of a few taps are summed faster with their weights in registers.
    return rows <= kMostSwept && taps > 4 * kSwept && 4 * rows <= 3 * taps;
  }

  void sweep(size_t s, int64_t i, void* const* outs, SweepRowsFn kernel) {
    const Stage<C>& stage = stages_[s];
    const PassTable<C>& table = *stage.table;
    const auto entry = static_cast<size_t>(i - stage.table_lo);
    const int64_t first = table.first[entry];
    const int64_t count = table.last(entry + kSwept - 1) + 1 - first;
    const void* rows[kMostSwept];
    uint8_t open[kMostSwept];
    C weights[kMostSwept * kSwept];
    index_[stage.axis] = first;
    const std::byte* source = source_row();
    index_[stage.axis] = i;
    size_t begin = entry;  // outputs [begin, end) take the row
    size_t end = entry;
    for (int64_t k = 0; k < count; ++k, source += in_strides_[stage.axis]) {
      while (table.last(begin) < first + k) ++begin;
      while (end < entry + kSwept && table.first[end] <= first + k) ++end;
      rows[k] = source;
      open[k] = static_cast<uint8_t>((begin - entry) * kSwept + (end - 1 - entry));
      for (size_t e = begin; e < end; ++e)
        weights[k * kSwept + static_cast<int64_t>(e - entry)] =
            table.weights[e * static_cast<size_t>(table.pitch) + static_cast<size_t>(first + k - table.first[e])];
    }
    const void* ahead[kMostAhead];
    const int64_t aheads = fetches_ahead_ ? rows_ahead(stage, entry + kSwept, first + count, ahead) : 0;
    kernel({rows, count, open, weights, outs, stage.row_numbers, ahead, aheads});
    swept_ = true;
  }

  // One row of the output by the line pass, as soon as a batch of them is there.
  void finish_row() {
    const size_t last = stages_.size() - 1;
    C* row = line_row(static_cast<int64_t>(batched_));
    if (last == 0) return queue_line(line_source(row));
    make_row(last - 1, row + line_shift_, 1);
    pad(row);
    queue_line(row);
  }

  void queue_line(const C* row) {
    batch_in_[batched_] = row;
    batch_out_[batched_++] = output_row();
    if (batched_ == static_cast<size_t>(kLineBatch)) flush();
  }

  // Resamples the rows that have gathered, together: they share indices and weights.
  void flush() {
    if (batched_ == 0) return;
    C* out[kLineBatch];
    const bool direct = layout_.is_compute_type;
    for (size_t r = 0; r < batched_; ++r) {
      if (!direct && batch_rows_[r] == nullptr) batch_rows_[r] = scratch_.take<C>(out_numbers_ + kAlign);
      out[r] = direct ? reinterpret_cast<C*>(batch_out_[r]) : batch_rows_[r];
    }
    run_lines<C>(*line_, batch_in_, out, static_cast<int64_t>(batched_), block_scratch_, stream_ && direct);
    for (size_t r = 0; r < batched_ && !direct; ++r) kernels_.round(out[r], batch_out_[r], out_numbers_);
    batched_ = 0;
  }

  // ---- Rows of a pass, in the compute type -------------------------------------------------------------------------

  C* line_row(int64_t r) const { return line_rows_ + r * line_pitch_; }

  // The source row at the current index as a line takes it: where it lies, or widened into `row`.
  const C* line_source(C* row) {
    const std::byte* source = source_row();
    if (picks_ != nullptr) {
      source = picked_row(source, 0, nullptr);
    } else if (layout_.is_compute_type && line_shift_ == 0 &&
               line_->reach * static_cast<int64_t>(sizeof(C)) <= rows_left() * in_row_bytes_) {
      return reinterpret_cast<const C*>(source);
    }
    kernels_.widen(source, row + line_shift_, in_numbers_);
    pad(row);
    return row;
  }

  // The picked row of a source row, input j of the first pass: made once and kept.
  const std::byte* picked_row(const std::byte* source, int64_t j, const std::byte* ahead) {
    const int64_t slot = j & (picked_slots_ - 1);
    std::byte* picked = picked_ + slot * picked_pitch_;
    const std::byte** from = picked_from_ + slot;
    if (*from != source) picker_.pick(source, picked, ahead);
    *from = source;
    return picked;
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

  // Lines from input j of pass s on, as many as are made together: they share indices and weights.
  void make_lines(size_t s, int64_t j, int64_t later_at) {
    Stage<C>& stage = stages_[s];
    const int64_t count = std::min(stage.ahead, stage.end - j);
    const C* in[kLineBatch];
    C* out[kLineBatch];
    index_[stage.axis] = j;
    if (s > 1 && is_joined_) {
      make_row(s - 2, line_rows_, count);
      pad(line_row(count - 1));
    }
    for (int64_t r = 0; r < count; ++r) {
      index_[stage.axis] = j + r;
      C* row = line_row(r);
      in[r] = s == 1 ? line_source(row) : row;
      if (s > 1 && !is_joined_) {
        make_row(s - 2, row + line_shift_, 1);
        pad(row);
      }
      const int64_t slot = ((j + r) & (stage.slots - 1)) * stage.later_rows + later_at;
      out[r] = stage.ring + slot * stage.pitch;
      stage.kept[static_cast<size_t>(slot)] = j + r;
    }
    run_lines<C>(*line_, in, out, count, block_scratch_, false);
  }

  // Where the rows at the current index stand among those of one slot.
  int64_t later_at(const Stage<C>& stage) const {
    int64_t at = 0;
    for (size_t k = 0; k < stage.later.size(); ++k)
      at = at * stage.later_n[k] + (index_[static_cast<size_t>(stage.later[k])] - stage.later_lo[k]);
    return at;
  }

  // The rows that pass s takes at input j of its axis: made once and kept.
  const void* taken_rows(size_t s, int64_t j, int64_t later_at, int64_t lines) {
    const Stage<C>& stage = stages_[s];
    const int64_t slot = (j & (stage.slots - 1)) * stage.later_rows + later_at;
    int64_t* kept = &stage.kept[static_cast<size_t>(slot)];
    C* rows = stage.ring + slot * stage.pitch;
    if (lines == 1 ? *kept != j : std::count(kept, kept + lines, j) != lines) make_rows(s, j, later_at, lines, rows, kept);
    return rows;
  }

  void make_rows(size_t s, int64_t j, int64_t later_at, int64_t lines, C* rows, int64_t* kept) {
    if (stages_[s - 1].is_line) {
      make_lines(s, j, later_at);
    } else {
      index_[stages_[s].axis] = j;
      make_row(s - 1, rows, lines);
      std::fill(kept, kept + lines, j);
    }
  }

  // Weighted sums of row pass s at the current index: `outputs` of them from the same rows, into the output (final)
  // or a row of the compute type.
  void blend(size_t s, void* const* outs, int64_t outputs, bool final, int64_t lines) {
    constexpr int32_t kFewTaps = 16;
    const Stage<C>& stage = stages_[s];
    const int32_t count = stage.table->count[static_cast<size_t>(index_[stage.axis] - stage.table_lo)];
    if (count == 0) return;  // extrapolated: filled at the end
    RowBlend b = {nullptr, count, nullptr, stage.table->pitch, outs, outputs, stage.row_numbers * lines,
                  stream_ && final, nullptr, 0};
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
    const auto entry = static_cast<size_t>(i - stage.table_lo);
    const int64_t first = table.first[entry];
    const auto count = static_cast<int32_t>(b.taps);
    const C* weights = table.weights.data() + static_cast<int64_t>(entry) * table.pitch;
    const void* ahead[kMostAhead];
    int64_t aheads = 0;
    if (s == 0 && fetches_ahead_)
      aheads = rows_ahead(stage, entry + static_cast<size_t>(b.outputs), first + count, ahead);
    if (picks_ != nullptr && s == 0) {
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
    blend_rows(s, b, final);
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
    const int64_t at = later_at(stages_[s]);
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
        *rows++ = picked_row(source, first + k, k < aheads ? static_cast<const std::byte*>(ahead[k]) : nullptr);
  }

  // Source rows of the output at `entry` that lie behind those before `from`.
  int64_t rows_ahead(const Stage<C>& stage, size_t entry, int64_t from, const void** ahead) {
    const int64_t last = run_.output_lo[stage.axis] + run_.output.extents[stage.axis] - stage.table_lo;
    if (static_cast<int64_t>(entry) >= last) return 0;
    const int64_t begin = std::max(from, stage.table->first[entry]);
    const int64_t end = stage.table->first[entry] + stage.table->count[entry];
    const int64_t count = std::clamp<int64_t>(end - begin, 0, kMostAhead);
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
    blend_converted(b, s == 0 && !layout_.is_compute_type, final && !layout_.is_compute_type);
  }

  // For plans that compute in double what is stored in less: each row is widened, and the sum rounded, apart.
  void blend_converted(const RowBlend& b, bool from_elements, bool to_elements) {
    if (converted_ == nullptr) {
      converted_ = scratch_.take<C>(in_numbers_ + out_numbers_);
      sum_ = scratch_.take<C>(in_numbers_ + out_numbers_);
    }
    for (int64_t r = 0; r < b.outputs; ++r) {
      C* sum = to_elements ? sum_ : static_cast<C*>(b.outs[r]);
      const C* weights = static_cast<const C*>(b.weights) + r * b.pitch;
      for (int64_t k = 0; k < b.taps; ++k) {
        const C* row = static_cast<const C*>(b.rows[k]);
        if (from_elements) {
          kernels_.widen(b.rows[k], converted_, b.n);
          row = converted_;
        }
        for (int64_t x = 0; x < b.n; ++x) {
          const C term = weights[k] * row[x];
          sum[x] = k == 0 ? term : sum[x] + term;
        }
      }
      if (to_elements) kernels_.round(sum, b.outs[r], b.n);
    }
  }

  const Plan& plan_;
  const Layout& layout_;
  const ProgramTables<C>& tables_;
  const BoxRun& run_;
  bool stream_;
  RowKernels kernels_ = {};
  Scratch scratch_;
  int64_t in_numbers_ = 0;    // of a row of the input box
  int64_t in_row_bytes_ = 0;
  int64_t out_numbers_ = 0;   // of the output box
  Extents in_strides_, out_strides_;
  Extents index_;             // outputs along axes whose pass is done or looped over, else inputs
  Extents planes_;
  std::vector<Stage<C>> stages_;
  std::vector<std::unique_ptr<PassTable<C>>> own_tables_;
  LineTable<C> own_line_;
  const LineTable<C>* line_ = nullptr;
  int64_t line_shift_ = 0;
  Picks own_picks_;
  const Picks* picks_ = nullptr;
  RowPicker picker_;
  std::byte* picked_ = nullptr;
  int64_t picked_pitch_ = 0;
  int64_t picked_slots_ = 0;                    // a power of two
  const std::byte** picked_from_ = nullptr;     // the source row in each slot
  C* line_rows_ = nullptr;    // rows that a line takes, where it cannot take them from where they lie
  int64_t line_pitch_ = 0;
  int64_t line_numbers_ = 0;  // of one of them
  bool is_line_last_ = false;
  bool is_joined_ = false;    // the rows of line_rows_, and those before, lie side by side
  bool fetches_ahead_ = false;
  bool swept_ = false;
  C* block_scratch_ = nullptr;
  C* converted_ = nullptr;
  C* sum_ = nullptr;
  const C* batch_in_[kLineBatch] = {};
  C* batch_rows_[kLineBatch] = {};
  std::byte* batch_out_[kLineBatch] = {};
  size_t batched_ = 0;
};

void count_kernels(const ResizePlan& work, const Layout& layout, LineKind kind) {
  if (layout.has_line) {
    constexpr Kernel kOfKind[] = {Kernel::line_permute, Kernel::line_permute, Kernel::line_block, Kernel::line_gather};
    count_task(kOfKind[static_cast<size_t>(kind)]);
  }
  if (work.passes.size() > (layout.has_line ? 1u : 0u)) count_task(Kernel::row_blend);
}

}  // namespace

void interpolate_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream) {
  const auto& work = std::get<ResizePlan>(plan.work);
  LineKind kind;
  if (work.compute == ComputeType::kFloat) {
    Engine<float> engine(plan, program, run, stream);
    kind = engine.run();
  } else {
    Engine<double> engine(plan, program, run, stream);
    kind = engine.run();
  }
  count_kernels(work, program.layout, kind);
  if (work.extrapolates) reference::store_outside(plan, run);
}

}  // namespace tesela::cpu
