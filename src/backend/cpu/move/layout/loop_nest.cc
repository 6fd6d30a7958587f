// SPDX-License-Identifier: Apache-2.0
// Converts axes to loop nests, and chooses which of the innermost axes form a row.
#include "backend/cpu/move/layout/loop_nest.h"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/move/layout/axes.h"
#include "backend/cpu/move/layout/lookup.h"
#include "backend/cpu/move/layout/loop_order.h"
#include "backend/cpu/move/loops/element_rows.h"
#include "backend/cpu/move/loops/store_rows.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kMaxOffset = INT32_MAX / 2;

int64_t largest_offset(const Axis& axis) {
  if (!axis.table) return std::abs(axis.from) * (axis.n - 1);
  const auto [lo, hi] = std::minmax_element(axis.table, axis.table + axis.n);
  return std::max(std::abs(*lo * axis.from), std::abs(*hi * axis.from));
}

bool reaches_beyond(const Axes& axes, int64_t most) {
  int64_t reach = 0;
  for (const Axis& axis : axes) {
    reach += largest_offset(axis);
    if (reach > most) return true;
  }
  return false;
}

// The input offsets of the `count` elements of these axes; null if an offset does not fit 32 bits.
const int32_t* make_offsets(Arena& arena, const Axes& axes, int64_t count) {
  if (reaches_beyond(axes, kMaxOffset)) return nullptr;
  auto* offset = arena.take<int32_t>(count);
  const Axis& inner = axes.back();
  for (int64_t i = 0; i < inner.n; ++i) offset[i] = static_cast<int32_t>(inner.offset(i));
  int64_t done = inner.n;
  for (size_t d = axes.size() - 1; d-- > 0; done *= axes[d].n)
    for (int64_t i = axes[d].n - 1; i >= 0; --i) {
      const auto begin = static_cast<int32_t>(axes[d].offset(i));
      for (int64_t k = 0; k < done; ++k) offset[i * done + k] = offset[k] + begin;
    }
  return offset;
}

// ---- Which axes make a row ------------------------------------------------------------------------------------------

class NestMaker {
 public:
  NestMaker(const Layout& layout, Axes axes, Place begin, bool of_element)
      : layout_(layout), axes_(std::move(axes)), width_(layout.width), begin_(begin), of_element_(of_element) {}

  void run();

 private:
  bool is_run() const { return !axes_.back().table && axes_.back().from == width_; }
  bool is_fill() const;
  bool is_repeated() const;
  bool leaves_out_runs() const;
  int64_t outer_rows() const;
  bool pays(int64_t rows) const { return rows > bytes_ / (4 * chunk_) + 1; }
  bool may_grow() const;
  bool grow();
  bool cut_next(int64_t rows);
  bool cut_to_share(int64_t rows);
  void split(size_t at, int64_t count);
  void split_table(size_t at, int64_t count);
  void add_part(size_t at, const Axis& axis, Place offset);
  void add_run();
  void add_run_alone();
  void add_elements();
  void add_table();
  void finish(const Row& row);

  const Layout& layout_;
  Axes axes_;  // the last taken_ of them form the row
  size_t taken_ = 1;
  int64_t width_;      // bytes of an element
  int64_t bytes_ = 0;  // of the row so far
  int64_t chunk_ = 0;  // contiguous bytes
  Place begin_;
  bool of_element_;
};

void NestMaker::run() {
  if (axes_.empty()) axes_.push_back({1, width_, width_});
  const Axis& last = axes_.back();
  bytes_ = last.n * width_;
  if (last.to != width_ && last.n > 1) return add_elements();
  if (is_fill()) return finish({store_rows().fill, Kernel::move_fill, bytes_, width_});
  if (is_run()) return add_run();
  const int64_t most = std::min(kMaxRowElements, kMaxRowBytes / width_);
  if (last.n > most) return split(axes_.size() - 1, most);
  chunk_ = width_;
  if (!grow()) add_table();
}

// Whether the row repeats one element. Short repeats followed by another axis are looked up together with that.
bool NestMaker::is_fill() const {
  if (axes_.back().table || axes_.back().from != 0) return false;
  return bytes_ >= kMinFillBytes || axes_.size() == 1 || axes_[axes_.size() - 2].to != bytes_;
}

bool NestMaker::is_repeated() const {
  return std::any_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.repeats(); });
}

// Whether the axis around a run takes fewer of the inputs than there are, so that none is looked up twice.
bool NestMaker::leaves_out_runs() const {
  if (axes_.size() < 2 || axes_[axes_.size() - 2].table == nullptr) return false;
  const Axis& next = axes_[axes_.size() - 2];
  return std::abs(next.table[next.n - 1] - next.table[0]) >= next.n;
}

// Contiguous bytes, which form the row or, if they are few, elements of it.
void NestMaker::add_run() {
  if (bytes_ > (layout_.stream ? kMoveStrip : kMoveKept) && is_repeated())
    return split(axes_.size() - 1, kMoveStrip / width_);
  const bool is_chunk = bytes_ >= (bytes_ % 2 != 0 && leaves_out_runs() ? kMinOddChunkBytes : kMinChunkBytes);
  chunk_ = is_chunk ? bytes_ : std::min<int64_t>(bytes_ & -bytes_, 16);
  if (bytes_ < kMinRunBytes && grow()) return;
  if (taken_ > 1) return add_table();
  add_run_alone();
}

void NestMaker::add_run_alone() {
  taken_ = 1;
  bytes_ = axes_.back().n * width_;
  finish({copy_rows, Kernel::move_copy, bytes_, chunk_ <= 16 ? chunk_ : width_});
}

int64_t NestMaker::outer_rows() const {
  int64_t rows = 1;
  for (size_t d = 0; d + taken_ + 1 < axes_.size(); ++d) rows *= axes_[d].n;
  return rows;
}

bool NestMaker::may_grow() const {
  if (taken_ == axes_.size() || bytes_ >= kShortRow) return false;
  const Axis& next = axes_[axes_.size() - taken_ - 1];
  const bool is_better_copied = next.repeats() && next.n * bytes_ >= kShortRow;
  return next.to == bytes_ && !is_better_copied;
}

// Adds axes while the row is short and enough rows share its table: computing an entry takes about as long as the row
// overhead that it saves. True if this split the nest and completed it.
bool NestMaker::grow() {
  while (may_grow()) {
    const int64_t n = axes_[axes_.size() - taken_ - 1].n;
    const int64_t rows = outer_rows();
    const int64_t most = bytes_ < kTinyRow ? std::min(kMaxRowBytes, kMaxRowElements * chunk_) : kGrownRow;
    if (n * bytes_ > most) return cut_next(rows);
    if (!pays(rows)) return cut_to_share(rows);
    bytes_ *= n;
    ++taken_;
  }
  return false;
}

// Splits the next axis, which is too long for a row. Parts of an axis with a table cannot share the row's offsets.
bool NestMaker::cut_next(int64_t rows) {
  const size_t at = axes_.size() - taken_ - 1;
  const int64_t count = kGrownRow / bytes_;
  const bool is_table = axes_[at].table != nullptr;
  if (is_table && bytes_ >= kTinyRow) return false;
  if (!pays(is_table ? rows : rows * (axes_[at].n / count))) return false;
  split(at, count);
  return true;
}

// Splits the next axis into parts that share a row, where too few rows would share one of the whole axis.
bool NestMaker::cut_to_share(int64_t rows) {
  const size_t at = axes_.size() - taken_ - 1;
  if (axes_[at].table) return false;
  for (int64_t count = kShortRow / bytes_; count > 1; count /= 2) {
    if (count >= axes_[at].n || !pays(rows * (axes_[at].n / count))) continue;
    split(at, count);
    return true;
  }
  return false;
}

// Nests of `count` indices of one axis.
void NestMaker::split(size_t at, int64_t count) {
  const Axis whole = axes_[at];
  if (whole.table) return split_table(at, count);
  const int64_t parts = whole.n / count;
  const int64_t rest = whole.n % count;
  const int64_t done = parts * count;
  if (rest > 0) add_part(at, {rest, whole.to, whole.from}, {done * whole.from, done * whole.to});
  if (parts > 1) {
    axes_.push_back({parts, whole.to * count, whole.from * count});
    std::rotate(axes_.begin() + at, axes_.end() - 1, axes_.end());
    ++at;
  }
  add_part(at, {count, whole.to, whole.from}, {});
}

void NestMaker::split_table(size_t at, int64_t count) {
  const Axis whole = axes_[at];
  for (int64_t lo = 0; lo < whole.n; lo += count)
    add_part(at, {std::min(count, whole.n - lo), whole.to, whole.from, whole.table + lo}, {0, lo * whole.to});
}

void NestMaker::add_part(size_t at, const Axis& axis, Place offset) {
  Axes axes = axes_;
  axes[at] = axis;
  NestMaker(layout_, std::move(axes), {begin_.src + offset.src, begin_.dst + offset.dst}, of_element_).run();
}

// Outputs with gaps: each element is a row.
void NestMaker::add_elements() {
  taken_ = 0;
  finish({copy_rows, Kernel::move_strided, width_, width_});
}

void NestMaker::add_table() {
  Axes axes(axes_.end() - taken_, taken_);
  if (is_run()) axes.back() = {axes.back().n * width_ / chunk_, chunk_, chunk_};
  Row row = {store_rows().chunks, Kernel::move_chunks, bytes_, chunk_, bytes_ / chunk_};
  row.offset = make_offsets(layout_.arena, axes, row.count);
  if (row.offset == nullptr) return is_run() ? add_run_alone() : add_elements();
  if (chunk_ < kMinOddChunkBytes) choose_element_kernel(layout_.arena, row);
  finish(row);
}

void NestMaker::finish(const Row& row) {
  LoopNest nest;
  nest.axes = axes_;
  nest.row = row;
  nest.begin = begin_;
  nest.of_element = of_element_;
  nest.axes.resize(axes_.size() - taken_);
  // The copies of a row are an axis of one row.
  if (nest.axes.empty() || (taken_ > 0 && nest.axes.back().repeats())) nest.axes.push_back({1, row.bytes, 0});
  order_loops(nest, layout_.stream, layout_.address);
  layout_.sink.take(nest);
}

}  // namespace

void Layout::add(Axes axes, Place at, bool of_element) {
  normalise(arena, axes, at);
  NestMaker(*this, std::move(axes), at, of_element).run();
}

}  // namespace tesela::cpu::moves
