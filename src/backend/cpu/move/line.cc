// The line at the end of a move: which inner axes it takes, where its chunks come from, and which loop makes it.
#include "backend/cpu/move/line.h"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/move/copies.h"
#include "backend/cpu/move/lookup.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kMostOffset = INT32_MAX / 2;

void insert(Axes& axes, size_t at, const Axis& axis) {
  axes.push_back(axis);
  std::rotate(axes.begin() + at, axes.end() - 1, axes.end());
}

int64_t largest_offset(const Axis& axis) {
  if (!axis.table) return std::abs(axis.from) * (axis.n - 1);
  int64_t lo = 0;
  int64_t hi = 0;
  for (int64_t i = 0; i < axis.n; ++i) {
    lo = std::min(lo, axis.offset(i));
    hi = std::max(hi, axis.offset(i));
  }
  return std::max(-lo, hi);
}

// The innermost axes of a move while they become a line.
class LineMaker {
 public:
  LineMaker(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst)
      : task_(task), axes_(axes), width_(width), src_(src), dst_(dst) {}

  void run();

 private:
  bool grow();
  bool pays(int64_t repeats) const { return repeats > bytes_ / (4 * chunk_) + 1; }
  void split(size_t at, int64_t count);
  bool make_offsets(Line& line, bool runs);
  void run_chunks(bool runs);
  void run_strided();
  void finish(const Line& line);

  Task& task_;
  Axes axes_;  // the last taken_ of them are the line's
  size_t taken_ = 1;
  int64_t width_;      // bytes of an element
  int64_t bytes_ = 0;  // of the line so far
  int64_t chunk_ = 0;  // bytes that stay together
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
  if (is_fill && (bytes_ >= kShortestFill || !next_is_dense))
    return finish({.kind = Line::Kind::kFill, .bytes = bytes_, .width = width_});
  chunk_ = width_;
  if (is_run) {
    chunk_ = bytes_;
    if (chunk_ < kShortestChunk)
      for (chunk_ = 16; bytes_ % chunk_ != 0;) chunk_ /= 2;
  } else if (const int64_t most = std::min(kMostLineElements, kLongestLine / width_); last.n > most) {
    return split(axes_.size() - 1, most);
  }
  if (is_run && bytes_ >= kShortestRun) return finish({.kind = Line::Kind::kRun, .bytes = bytes_});
  if (grow()) return;
  if (is_run && taken_ == 1) return finish({.kind = Line::Kind::kRun, .bytes = bytes_});
  run_chunks(is_run);
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
    const int64_t most = bytes_ < kTinyLine ? std::min(kLongestLine, kMostLineElements * chunk_) : kGrownLine;
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
      axes_[at] = {std::min(count, whole.n - lo), whole.to, whole.from, whole.table + lo};
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
  if (parts > 1) insert(axes_, at, {parts, whole.to * count, whole.from * count, nullptr});
  LineMaker(task_, axes_, width_, src_, dst_).run();
}

// Where the chunks of the line come from; false where that does not fit 32 bits. runs: the last axis is one run.
bool LineMaker::make_offsets(Line& line, bool runs) {
  Axes axes(axes_.end() - taken_, taken_);
  if (runs) axes.back() = {axes.back().n * width_ / chunk_, chunk_, chunk_, nullptr};
  int64_t reach = 0;
  for (const Axis& axis : axes) {
    reach += largest_offset(axis);
    if (reach > kMostOffset) return false;
  }
  line.count = bytes_ / chunk_;
  auto* offset = task_.scratch.take<int32_t>(line.count);
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

void LineMaker::run_chunks(bool runs) {
  Line line = {.kind = Line::Kind::kChunks, .bytes = bytes_, .width = chunk_};
  if (!make_offsets(line, runs)) {
    taken_ = 1;
    bytes_ = axes_.back().n * width_;
    return runs ? finish({.kind = Line::Kind::kRun, .bytes = bytes_}) : run_strided();
  }
  if (chunk_ < kShortestChunk) line.kind = make_lookup(task_.scratch, line) ? Line::Kind::kLookup : Line::Kind::kGather;
  finish(line);
}

void LineMaker::run_strided() {
  const Axis& last = axes_.back();
  finish({.kind = Line::Kind::kStrided,
          .bytes = width_,
          .width = width_,
          .count = last.n,
          .to = last.to,
          .from = last.from,
          .table = last.table});
}

void LineMaker::finish(const Line& line) {
  axes_.resize(axes_.size() - taken_);
  // Copies of a line are copies of its only row.
  if (axes_.empty() || axes_.back().repeats()) axes_.push_back({1, line.bytes, 0, nullptr});
  move_lines(task_, axes_, line, src_, dst_);
}

}  // namespace

void move_axes(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst) {
  LineMaker(task, axes, width, src, dst).run();
}

}  // namespace tesela::cpu::moves
