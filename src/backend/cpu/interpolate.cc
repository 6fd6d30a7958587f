// Interpolation over a box: the passes in the contract's order, fused over rows. No intermediate is ever whole: each
// row of a pass is made once, kept while the next pass needs it, and overwritten.
#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/boxes.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/program.h"
#include "backend/reference/reference.h"
#include "types/elements.h"

namespace tesela::cpu {
namespace {

constexpr int64_t kAlign = 16;  // numbers: rows begin at cache lines

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
  C* row = nullptr;                     // one of them, for a line pass before or behind
  // A row pass that is not the first keeps the rows that it took: slots x (later row axes), by input index.
  int64_t slots = 0;
  int64_t ahead = 1;                    // rows that are made together, where the pass before is the line
  int64_t end = 0;                      // of the inputs that the box needs along its axis
  std::vector<size_t> later;            // row axes of later passes
  std::vector<int64_t> later_lo, later_n;
  std::vector<int64_t> kept;            // input index in each slot, -1: none
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
      if (!is_pass(d)) planes_.push_back(d);
    for (int64_t plane = 1; plane > 0;) {
      for (Stage<C>& stage : stages_) std::fill(stage.kept.begin(), stage.kept.end(), -1);
      loop(0);
      plane = 0;
      for (size_t p = planes_.size(); p-- > 0;) {
        const size_t d = planes_[p];
        if (++index_[d] < run_.output_lo[d] + n[d]) {
          plane = 1;
          break;
        }
        index_[d] = run_.output_lo[d];
      }
    }
    flush();
    return line_ ? line_->kind : LineKind::kGather;
  }

 private:
  bool is_pass(size_t axis) const {
    return std::any_of(stages_.begin(), stages_.end(), [&](const Stage<C>& s) { return s.axis == axis; });
  }

  void set_up() {
    const auto& work = std::get<ResizePlan>(plan_.work);
    const Box output = {run_.output_lo, run_.output.extents};
    const Box needed = input_region(plan_, output);
    const int64_t parts = parts_of(plan_.type);
    kernels_ = layout_.kernels;
    in_strides_ = run_.input.strides_bytes.empty() ? dense_strides(plan_.type, run_.input.extents)
                                                   : run_.input.strides_bytes;
    out_strides_ = run_.output.strides_bytes.empty() ? dense_strides(plan_.type, run_.output.extents)
                                                     : run_.output.strides_bytes;
    index_ = run_.output_lo;
    in_numbers_ = parts;
    for (size_t d = layout_.row_axis; d < plan_.in.size(); ++d) in_numbers_ *= run_.input.extents[d];
    out_numbers_ = parts;
    for (size_t d = layout_.row_axis; d < plan_.out.size(); ++d) out_numbers_ *= run_.output.extents[d];
    for (size_t p = 0; p < work.passes.size(); ++p) add_stage(work.passes[p], p, output);
    for (size_t s = 0; s < stages_.size(); ++s) set_up_rows(s, needed);
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
        line_shift_ = run_.input_lo[pass.axis] * channels;
      } else {
        const AxisTable table = make_axis_table(pass.rule, range, layout_.compute);
        own_line_ = make_line_table<C>(table, run_.input_lo[pass.axis], run_.input.extents[pass.axis],
                                       channels, line_lanes(layout_.compute));
        line_ = &own_line_;
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

  void set_up_rows(size_t s, const Box& needed) {
    Stage<C>& stage = stages_[s];
    const int64_t before = s == 0 ? in_numbers_ : stages_[s - 1].row_numbers;
    stage.row_numbers = stage.is_line ? out_numbers_ : before;
    // What a line reads beyond a row's end is never used, but it must be readable, and the same every time.
    const int64_t padded = line_padded(stage.row_numbers);
    if (s + 1 < stages_.size() && stages_[s + 1].is_line) stage.row = take_zeroed(padded);
    if (stage.is_line) {
      is_line_last_ = s + 1 == stages_.size();
      if (line_->kind == LineKind::kBlock) block_scratch_ = scratch_.take<C>(line_scratch(*line_));
      for (auto& row : batch_in_) row = take_zeroed(line_padded(before));
      return;
    }
    if (s == 0) return;
    stage.end = needed.lo[stage.axis] + needed.n[stage.axis];
    if (stages_[s - 1].is_line && moves_forward(stage)) stage.ahead = std::min(kLineBatch, needed.n[stage.axis]);
    stage.slots = stage.table->most_taps + stage.ahead - 1;
    int64_t rows = stage.slots;
    for (size_t t = s + 1; t < stages_.size(); ++t) {
      if (stages_[t].is_line) continue;
      stage.later.push_back(stages_[t].axis);
      stage.later_lo.push_back(needed.lo[stages_[t].axis]);
      stage.later_n.push_back(needed.n[stages_[t].axis]);
      rows *= stage.later_n.back();
    }
    stage.kept.assign(static_cast<size_t>(rows), -1);
    stage.pitch = rounded_up(before);
    stage.ring = scratch_.take<C>(rows * stage.pitch);
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

  C* take_zeroed(int64_t count) {
    C* block = scratch_.take<C>(count);
    std::memset(static_cast<void*>(block), 0, static_cast<size_t>(count) * sizeof(C));
    return block;
  }

  // ---- Loops: over the axes of row passes, the first pass outermost ------------------------------------------------

  void loop(size_t s) {
    while (s < stages_.size() && stages_[s].is_line) ++s;
    if (s == stages_.size()) return finish_row();
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

  // One row of the output: the last pass, rounded to the element type.
  void finish_row() {
    const size_t last = stages_.size() - 1;
    std::byte* out = output_row();
    if (!is_line_last_) {
      blend(last, out, true);
      return;
    }
    C* row = batch_in_[batched_] + line_shift_;
    if (last == 0)
      kernels_.widen(source_row(), row, in_numbers_);
    else
      make_row(last - 1, row);
    batch_out_[batched_++] = out;
    if (batched_ == static_cast<size_t>(kLineBatch)) flush();
  }

  // Resamples the rows that have gathered, together: they share indices and weights.
  void flush() {
    if (batched_ == 0) return;
    const C* in[kLineBatch];
    C* out[kLineBatch];
    const bool direct = layout_.is_compute_type;
    for (size_t r = 0; r < batched_; ++r) {
      in[r] = batch_in_[r];
      if (!direct && batch_rows_[r] == nullptr) batch_rows_[r] = scratch_.take<C>(out_numbers_ + kAlign);
      out[r] = direct ? reinterpret_cast<C*>(batch_out_[r]) : batch_rows_[r];
    }
    run_lines<C>(*line_, in, out, static_cast<int64_t>(batched_), block_scratch_);
    for (size_t r = 0; r < batched_ && !direct; ++r) kernels_.round(out[r], batch_out_[r], out_numbers_);
    batched_ = 0;
  }

  // ---- Rows of a pass, in the compute type -------------------------------------------------------------------------

  void make_row(size_t s, C* to) {
    if (!stages_[s].is_line) return blend(s, to, false);
    C* from = s == 0 ? line_input() : stages_[s - 1].row;
    if (s == 0)
      kernels_.widen(source_row(), from + line_shift_, in_numbers_);
    else
      make_row(s - 1, from + line_shift_);
    const C* in = from;
    run_lines<C>(*line_, &in, &to, 1, block_scratch_);
  }

  C* line_input() {
    if (line_input_ == nullptr) line_input_ = take_zeroed(line_padded(in_numbers_));
    return line_input_;
  }

  C* slot_of(const Stage<C>& stage, int64_t j, int64_t** kept) {
    int64_t slot = j % stage.slots;
    for (size_t k = 0; k < stage.later.size(); ++k)
      slot = slot * stage.later_n[k] + (index_[stage.later[k]] - stage.later_lo[k]);
    *kept = const_cast<int64_t*>(&stage.kept[static_cast<size_t>(slot)]);
    return stage.ring + slot * stage.pitch;
  }

  // The row that pass s takes at the current index: straight from the source, or made once and kept.
  const void* taken_row(size_t s) {
    if (s == 0) return source_row();
    Stage<C>& stage = stages_[s];
    const int64_t j = index_[stage.axis];
    int64_t* kept = nullptr;
    C* row = slot_of(stage, j, &kept);
    if (*kept == j) return row;
    if (stage.ahead > 1)
      make_lines(s, j);
    else
      make_row(s - 1, row);
    *kept = j;
    return row;
  }

  // Lines from input j of pass s on, as many as are made together: they share indices and weights.
  void make_lines(size_t s, int64_t j) {
    Stage<C>& stage = stages_[s];
    const int64_t count = std::min(stage.ahead, stage.end - j);
    const C* in[kLineBatch];
    C* out[kLineBatch];
    for (int64_t r = 0; r < count; ++r) {
      index_[stage.axis] = j + r;
      in[r] = batch_in_[r];
      C* from = batch_in_[r] + line_shift_;
      if (s == 1)
        kernels_.widen(source_row(), from, in_numbers_);
      else
        make_row(s - 2, from);
      int64_t* kept = nullptr;
      out[r] = slot_of(stage, j + r, &kept);
      *kept = j + r;
    }
    index_[stage.axis] = j;
    run_lines<C>(*line_, in, out, count, block_scratch_);
  }

  // The weighted sum of row pass s at the current index, into the output (final) or a row of the compute type.
  void blend(size_t s, void* to, bool final) {
    const Stage<C>& stage = stages_[s];
    const int64_t i = index_[stage.axis];
    const auto entry = static_cast<size_t>(i - stage.table_lo);
    const int32_t count = stage.table->count[entry];
    if (count == 0) return;  // extrapolated: filled at the end
    const C* weights = stage.table->weights.data() + static_cast<int64_t>(entry) * stage.table->pitch;
    // Making a row may blend others, so each sum has a list of its own.
    constexpr int32_t kFewTaps = 32;
    if (count <= kFewTaps) {
      const void* rows[kFewTaps];
      C row_weights[kFewTaps];
      const int64_t taps = take_rows(s, stage.table->first[entry], count, weights, rows, row_weights);
      index_[stage.axis] = i;
      return blend_rows(s, {rows, row_weights, taps, to, stage.row_numbers, stream_ && final}, final);
    }
    std::vector<const void*> rows(static_cast<size_t>(count));
    std::vector<C> row_weights(static_cast<size_t>(count));
    const int64_t taps = take_rows(s, stage.table->first[entry], count, weights, rows.data(), row_weights.data());
    index_[stage.axis] = i;
    blend_rows(s, {rows.data(), row_weights.data(), taps, to, stage.row_numbers, stream_ && final}, final);
  }

  // The rows under the weights that are not zero; returns how many.
  int64_t take_rows(size_t s, int64_t first, int32_t count, const C* weights, const void** rows, C* row_weights) {
    int64_t taps = 0;
    for (int32_t k = 0; k < count; ++k) {
      if (weights[k] == 0) continue;
      index_[stages_[s].axis] = first + k;
      rows[taps] = taken_row(s);
      row_weights[taps++] = weights[k];
    }
    return taps;
  }

  void blend_rows(size_t s, const RowBlend& b, bool final) {
    const bool from_elements = s == 0 && !layout_.is_compute_type;
    const bool to_elements = final && !layout_.is_compute_type;
    BlendRowsFn blend = kernels_.compute_to_compute;
    if (from_elements && to_elements)
      blend = kernels_.element_to_element;
    else if (from_elements)
      blend = kernels_.element_to_compute;
    else if (to_elements)
      blend = kernels_.compute_to_element;
    if (blend != nullptr) return blend(b);
    blend_converted(b, from_elements, to_elements);
  }

  // For plans that compute in double what is stored in less: each row is widened, and the sum rounded, apart.
  void blend_converted(const RowBlend& b, bool from_elements, bool to_elements) {
    if (converted_ == nullptr) {
      converted_ = scratch_.take<C>(in_numbers_ + out_numbers_);
      sum_ = scratch_.take<C>(in_numbers_ + out_numbers_);
    }
    C* sum = to_elements ? sum_ : static_cast<C*>(b.out);
    const C* weights = static_cast<const C*>(b.weights);
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
    if (to_elements) kernels_.round(sum, b.out, b.n);
  }

  const Plan& plan_;
  const Layout& layout_;
  const ProgramTables<C>& tables_;
  const BoxRun& run_;
  bool stream_;
  RowKernels kernels_ = {};
  Scratch scratch_;
  int64_t in_numbers_ = 0;    // of a row of the input box
  int64_t out_numbers_ = 0;   // of the output box
  Extents in_strides_, out_strides_;
  Extents index_;             // outputs along axes whose pass is done or looped over, else inputs
  std::vector<size_t> planes_;
  std::vector<Stage<C>> stages_;
  std::vector<std::unique_ptr<PassTable<C>>> own_tables_;
  LineTable<C> own_line_;
  const LineTable<C>* line_ = nullptr;
  int64_t line_shift_ = 0;
  bool is_line_last_ = false;
  C* block_scratch_ = nullptr;
  C* line_input_ = nullptr;
  C* converted_ = nullptr;
  C* sum_ = nullptr;
  C* batch_in_[kLineBatch] = {};
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
