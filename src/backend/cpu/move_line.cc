// The line at the end of a move: which inner axes it takes, where its pieces come from, and which kernel makes it.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backend/cpu/moves.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kShortRun = 32;      // bytes; shorter ones are elements of a line
constexpr int64_t kLongRun = 1024;     // bytes; longer ones are rows of their own
constexpr int64_t kShortFill = 64;     // bytes; shorter ones are elements of a line
constexpr int64_t kShortLine = 512;    // bytes; shorter ones take the next axis in,
constexpr int64_t kGrownLine = 4096;   // up to this;
constexpr int64_t kTinyLine = 64;      // shorter ones even up to where lines are cut
constexpr int64_t kLongLine = 16384;   // bytes; longer ones are cut
constexpr int64_t kMostPieces = 8192;  // of a line
constexpr int64_t kMostOffset = INT32_MAX / 2;

// The bytes of the window that an element at `at` is made of.
template <class T>
void store_index(uint8_t* index, uint8_t at) {
  T bytes;
  uint8_t counting[sizeof(T)];
  for (size_t k = 0; k < sizeof(T); ++k) counting[k] = static_cast<uint8_t>(k);
  std::memcpy(&bytes, counting, sizeof(T));
  bytes = static_cast<T>(bytes + static_cast<T>(T(~T{0}) / 255) * at);  // at most 255 each: nothing is carried
  std::memcpy(index, &bytes, sizeof(T));
}

struct WindowRange {
  int64_t lo = 0;  // bytes of the input that the line spans
  int64_t hi = 0;
};

// The windows of every block, once their number is known. bases: on entry the first byte that each block takes.
template <class T, int kParts>
void store_indices(const Line& line, int64_t per_block, WindowRange range, int32_t* bases, uint8_t* indices) {
  const Lookup& lookup = line.lookup;
  const int64_t window = lookup.windows * lookup.block;
  const int64_t last = std::max<int64_t>(line.count - per_block, 0);
  for (int64_t b = 0; b * per_block < line.count; ++b) {
    const int32_t* const offset = line.offset + std::min(b * per_block, last);
    const int64_t base = lookup.staged > 0 ? range.lo : std::min<int64_t>(bases[b], range.hi - window);
    bases[b] = static_cast<int32_t>(lookup.staged > 0 ? 0 : base);
    uint8_t* index = indices + b * lookup.block;
    const int64_t count = std::min(per_block, line.count);
    for (int64_t k = 0; k < count; ++k)
      for (int part = 0; part < kParts; ++part, index += sizeof(T))
        store_index<T>(index, static_cast<uint8_t>(offset[k] - base + part * static_cast<int64_t>(sizeof(T))));
    std::fill(index, indices + (b + 1) * lookup.block, uint8_t{0});
  }
}

// Finds the windows of each block; false where one would take more than four.
bool make_lookup(Arena& arena, Line& line) {
  Lookup& lookup = line.lookup;
  const LookupKernels& kernels = lookup_kernels();
  lookup.block = kernels.block;
  lookup.rows = kernels.rows;
  if (lookup.block == 0) return false;
  const int64_t per_block = lookup.block / line.width;
  const int64_t blocks = (line.count + per_block - 1) / per_block;
  const int64_t last = std::max<int64_t>(line.count - per_block, 0);
  auto* bases = arena.take<int32_t>(blocks);
  WindowRange range = {INT32_MAX, INT32_MIN};
  int64_t span = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    const int32_t* const offset = line.offset + std::min(b * per_block, last);
    int32_t lo = offset[0];
    int32_t hi = offset[0];
    for (int64_t k = 1; k < std::min(per_block, line.count); ++k) {
      lo = std::min(lo, offset[k]);
      hi = std::max(hi, offset[k]);
    }
    bases[b] = lo;
    range.lo = std::min<int64_t>(range.lo, lo);
    range.hi = std::max<int64_t>(range.hi, hi + line.width);
    span = std::max<int64_t>(span, hi + line.width - lo);
    if (span > 4 * lookup.block) return false;
  }
  lookup.windows = span <= lookup.block ? 1 : span <= 2 * lookup.block ? 2 : 4;
  if (range.hi - range.lo < lookup.windows * lookup.block) {
    lookup.staged = range.hi - range.lo;
    lookup.stage_lo = range.lo;
  }
  auto* indices = arena.take<uint8_t>(blocks * lookup.block);
  lookup.base = bases;
  lookup.index = indices;
  switch (line.width) {
    case 1: store_indices<uint8_t, 1>(line, per_block, range, bases, indices); break;
    case 2: store_indices<uint16_t, 1>(line, per_block, range, bases, indices); break;
    case 4: store_indices<uint32_t, 1>(line, per_block, range, bases, indices); break;
    case 8: store_indices<uint64_t, 1>(line, per_block, range, bases, indices); break;
    default: store_indices<uint64_t, 2>(line, per_block, range, bases, indices); break;
  }
  const int64_t whole = line.count / per_block;  // the last block, if it overlaps one, is not in step
  lookup.alike = std::min<int64_t>(whole, 1);
  lookup.step = whole > 1 ? bases[1] - bases[0] : 0;
  while (lookup.alike < whole && bases[lookup.alike] - bases[lookup.alike - 1] == lookup.step &&
         std::memcmp(indices + lookup.alike * lookup.block, indices, static_cast<size_t>(lookup.block)) == 0)
    ++lookup.alike;
  return true;
}

int64_t largest_offset(const Axis& axis) {
  if (!axis.table) return std::abs(axis.from) * (axis.n - 1);
  int64_t lo = 0;
  int64_t hi = 0;
  for (int64_t i = 0; i < axis.n; ++i) {
    lo = std::min(lo, axis.table[i]);
    hi = std::max(hi, axis.table[i]);
  }
  return std::max(-lo, hi);
}

// The innermost axes of a move while they become a line.
class LineMaker {
 public:
  LineMaker(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst)
      : task_(task), axes_(task.arena, axes, 1), width_(width), src_(src), dst_(dst) {}

  void run();

 private:
  bool grow();
  bool pays(int64_t repeats) const { return repeats > bytes_ / (4 * piece_) + 1; }
  void split(size_t at, int64_t count);
  bool make_offsets(Line& line, bool runs);
  void run_pieces(bool runs);
  void run_strided();
  void finish(const Line& line);

  Task& task_;
  Axes axes_;         // the last taken_ of them are the line's
  size_t taken_ = 1;
  int64_t width_;     // bytes of an element
  int64_t bytes_ = 0;  // of the line so far
  int64_t piece_ = 0;  // bytes that stay together
  const std::byte* src_;
  std::byte* dst_;
};

void LineMaker::run() {
  if (axes_.empty()) axes_.push_back({1, width_, width_, nullptr});
  const Axis& last = axes_.back();
  bytes_ = last.n * width_;
  if (last.to != width_ && last.n > 1) return run_strided();
  const bool next_is_dense = axes_.size() > 1 && axes_[axes_.size() - 2].to == bytes_;
  const bool is_run = !last.table && last.from == width_;
  const bool is_fill = !last.table && last.from == 0;
  if (is_fill && (bytes_ >= kShortFill || !next_is_dense))
    return finish({.kind = Line::Kind::kFill, .bytes = bytes_, .width = width_});
  piece_ = width_;
  if (is_run) {
    piece_ = bytes_;
    if (piece_ < kShortRun)
      for (piece_ = 16; bytes_ % piece_ != 0;) piece_ /= 2;
  } else if (const int64_t most = std::min(kMostPieces, kLongLine / width_); last.n > most) {
    return split(axes_.size() - 1, most);
  }
  if (is_run && bytes_ >= kLongRun) return finish({.kind = Line::Kind::kRun, .bytes = bytes_});
  if (grow()) return;
  if (is_run && taken_ == 1) return finish({.kind = Line::Kind::kRun, .bytes = bytes_});
  run_pieces(is_run);
}

// Takes axes in while the line is short and its table serves enough rows: an entry costs as much as a row's share of
// what a row costs. True where the move was cut for that, and is done.
bool LineMaker::grow() {
  while (taken_ < axes_.size() && bytes_ < kShortLine) {
    const size_t at = axes_.size() - taken_ - 1;
    const Axis& next = axes_[at];
    if (next.to != bytes_) return false;
    if (next.repeats() && next.n * bytes_ >= kShortLine) return false;  // better copied from the first
    int64_t outer = 1;
    for (size_t d = 0; d < at; ++d) outer *= axes_[d].n;
    const int64_t most = bytes_ < kTinyLine ? std::min(kLongLine, kMostPieces * piece_) : kGrownLine;
    if (next.n * bytes_ <= most) {
      if (!pays(outer)) return false;
      bytes_ *= next.n;
      ++taken_;
      continue;
    }
    // A table is not the same for all of its parts.
    const int64_t count = kGrownLine / bytes_;
    if (next.table ? bytes_ >= kTinyLine || !pays(outer) : !pays(outer * (next.n / count))) return false;
    split(at, count);
    return true;
  }
  return false;
}

// Moves parts of `count` along one axis.
void LineMaker::split(size_t at, int64_t count) {
  const Axis whole = axes_[at];
  if (whole.table) {
    for (int64_t lo = 0; lo < whole.n; lo += count) {
      axes_[at] = {std::min(count, whole.n - lo), whole.to, 0, whole.table + lo};
      LineMaker(task_, axes_, width_, src_, dst_ + lo * whole.to).run();
    }
    return;
  }
  const int64_t parts = whole.n / count;
  const int64_t rest = whole.n % count;
  if (rest > 0) {
    axes_[at] = {rest, whole.to, whole.from, nullptr};
    const int64_t done = parts * count;
    LineMaker(task_, axes_, width_, src_ + done * whole.from, dst_ + done * whole.to).run();
  }
  axes_[at] = {count, whole.to, whole.from, nullptr};
  if (parts > 1) axes_.insert(at, {parts, whole.to * count, whole.from * count, nullptr});
  LineMaker(task_, axes_, width_, src_, dst_).run();
}

// Where the pieces of the line come from; false where that does not fit 32 bits. runs: the last axis is one run.
bool LineMaker::make_offsets(Line& line, bool runs) {
  Axes axes(task_.arena, std::span<const Axis>(axes_).last(taken_));
  if (runs) axes.back() = {axes.back().n * width_ / piece_, piece_, piece_, nullptr};
  int64_t reach = 0;
  for (const Axis& axis : axes) {
    reach += largest_offset(axis);
    if (reach > kMostOffset) return false;
  }
  line.count = bytes_ / piece_;
  auto* offset = task_.arena.take<int32_t>(line.count);
  line.offset = offset;
  const Axis& inner = axes.back();
  for (int64_t i = 0; i < inner.n; ++i) offset[i] = static_cast<int32_t>(inner.offset(i));
  int64_t done = inner.n;
  for (size_t d = axes.size() - 1; d-- > 0; done *= axes[d].n)
    for (int64_t i = axes[d].n - 1; i >= 0; --i) {
      const auto begin = static_cast<int32_t>(axes[d].offset(i));
      for (int64_t k = 0; k < done; ++k) offset[i * done + k] = offset[k] + begin;
    }
  return true;
}

void LineMaker::run_pieces(bool runs) {
  Line line = {.kind = Line::Kind::kPieces, .bytes = bytes_, .width = piece_};
  if (!make_offsets(line, runs)) {
    taken_ = 1;
    bytes_ = axes_.back().n * width_;
    return runs ? finish({.kind = Line::Kind::kRun, .bytes = bytes_}) : run_strided();
  }
  if (piece_ < kShortRun) line.kind = make_lookup(task_.arena, line) ? Line::Kind::kLookup : Line::Kind::kGather;
  finish(line);
}

void LineMaker::run_strided() {
  const Axis& last = axes_.back();
  finish({.kind = Line::Kind::kStrided, .bytes = width_, .width = width_, .count = last.n, .to = last.to,
          .from = last.from, .table = last.table});
}

void LineMaker::finish(const Line& line) {
  axes_.cut(axes_.size() - taken_);
  // Copies of a line are copies of its only row.
  if (axes_.empty() || axes_.back().repeats()) axes_.push_back({1, line.bytes, 0, nullptr});
  move_lines(task_, axes_, line, src_, dst_);
}

}  // namespace

Line make_table_line(Arena& arena, std::span<const int32_t> offsets, int64_t width) {
  Line line = {.kind = Line::Kind::kLookup};
  line.count = static_cast<int64_t>(offsets.size());
  line.bytes = line.count * width;
  line.width = width;
  line.offset = offsets.data();
  if (!make_lookup(arena, line)) line.kind = Line::Kind::kGather;
  return line;
}

void move_axes(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst) {
  LineMaker(task, axes, width, src, dst).run();
}

}  // namespace tesela::cpu::moves
