// The axes outside a line: each output byte is written once, and what repeats is copied while it is in a cache.
#include "backend/cpu/move/copies.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "backend/cpu/kernels.h"
#include "backend/cpu/move/element_loops.h"
#include "backend/cpu/move/lookup_loops.h"
#include "backend/cpu/move/store_loops.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu::moves {
namespace {

constexpr int64_t kCacheLine = 64;
size_t size(int64_t bytes) {
  return static_cast<size_t>(bytes);
}

// Fills `bytes` of which the first `made` are there, with copies of those.
void repeat_in_place(std::byte* to, int64_t made, int64_t bytes) {
  const int64_t most = std::max(made, kMoveStrip / made * made);
  while (made < bytes) {
    const int64_t count = std::min({made, most, bytes - made});
    std::memcpy(to + made, to, size(count));
    made += count;
  }
}

void repeat_element(const std::byte* element, int64_t width, std::byte* pattern) {
  for (int64_t at = 0; at < 16; at += width) std::memcpy(pattern + at, element, size(width));
}

class Mover {
 public:
  Mover(Task& task, const Axes& axes, const Line& line)
      : task_(task),
        axes_(axes),
        line_(line),
        last_(axes.size() - 1),
        inside_(task.scratch.take<int64_t>(static_cast<int64_t>(axes.size()))) {
    int64_t dense = line.kind == Line::Kind::kStrided ? 0 : line.bytes;
    for (size_t d = axes.size(); d-- > 0;) {
      inside_[d] = dense;
      dense = axes[d].to == dense || axes[d].n == 1 ? dense * axes[d].n : 0;
    }
  }

  void run(const std::byte* src, std::byte* dst);

 private:
  void run_streaming(const std::byte* src, std::byte* dst);
  bool is_far() const;
  bool streams_whole_lines(const std::byte* dst) const;
  bool streams_line(const std::byte* dst) const;
  void count_kernels() const;

  // Indices [lo, lo + n) of axis d; dst is that of the first, src that of index 0.
  template <bool kStream>
  void make(size_t d, int64_t lo, int64_t n, const std::byte* src, std::byte* dst);
  template <bool kStream>
  void make_rows(int64_t lo, int64_t n, const std::byte* src, std::byte* dst);
  template <bool kStream>
  void make_copies(size_t d, int64_t n, int64_t to, const std::byte* src, std::byte* dst);
  template <bool kStream>
  void copy_block(int64_t bytes, int64_t n, int64_t to, std::byte* dst);
  template <bool kStream>
  void copy_run(int64_t n, int64_t to, const std::byte* src, std::byte* dst);
  template <bool kStream>
  void make_strips(size_t d, int64_t n, int64_t to, const std::byte* src, std::byte* dst);
  template <bool kStream>
  void copy_bytes(std::byte* to, const std::byte* from, int64_t bytes);
  void fill_row(const std::byte* element, std::byte* to, bool stream);
  void make_through_scratch(size_t d, int64_t lo, int64_t n, const std::byte* src, std::byte* dst);

  Task& task_;
  const Axes& axes_;  // the last is the rows of the line
  const Line& line_;
  const size_t last_;
  int64_t* inside_;  // bytes of one index of each axis; 0 where they have gaps
  bool far_ = false;
  bool line_streams_ = false;
  std::byte* scratch_ = nullptr;
};

void Mover::run(const std::byte* src, std::byte* dst) {
  count_kernels();
  far_ = is_far();
  int64_t bytes = line_.kind == Line::Kind::kStrided ? 0 : line_.bytes;
  for (const Axis& axis : axes_) bytes *= axis.n;
  if (task_.stream && bytes > kMoveStrip) return run_streaming(src, dst);
  make<false>(0, 0, axes_[0].n, src, dst);
}

void Mover::run_streaming(const std::byte* src, std::byte* dst) {
  alignas(kCacheLine) std::byte scratch[kMoveScratch];
  scratch_ = scratch;
  line_streams_ = streams_line(dst);
  make<true>(0, 0, axes_[0].n, src, dst);
}

bool Mover::is_far() const {
  int64_t reach = 0;
  for (const Axis& axis : axes_) reach += std::abs(axis.offset(axis.n - 1) - axis.offset(0));
  return reach > kNearestInput;
}

bool Mover::streams_whole_lines(const std::byte* dst) const {
  if (reinterpret_cast<uintptr_t>(dst) % kCacheLine != 0 || line_.bytes % kCacheLine != 0) return false;
  return std::all_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.to % kCacheLine == 0; });
}

// Whether rows are streamed as they are made, not from scratch.
bool Mover::streams_line(const std::byte* dst) const {
  switch (line_.kind) {
    case Line::Kind::kRun: return line_.bytes >= kLongestScratchRun;
    case Line::Kind::kFill: return line_.bytes >= kLongestFilledRow || streams_whole_lines(dst);
    case Line::Kind::kLookup: return streams_whole_lines(dst);
    default: return false;
  }
}

void Mover::count_kernels() const {
  switch (line_.kind) {
    case Line::Kind::kRun: count_task(Kernel::move_copy); break;
    case Line::Kind::kFill:
      count_task(axes_.size() == 1 && axes_[0].n == 1 ? Kernel::move_fill : Kernel::move_splat);
      break;
    case Line::Kind::kChunks: count_task(Kernel::move_chunks); break;
    case Line::Kind::kLookup: count_task(Kernel::move_lookup); break;
    case Line::Kind::kGather: count_task(Kernel::move_gather); break;
    case Line::Kind::kStrided: count_task(Kernel::move_strided); break;
  }
  if (std::any_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.repeats(); }))
    count_task(Kernel::move_repeat);
}

template <bool kStream>
void Mover::make(size_t d, int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
  const Axis& axis = axes_[d];
  if (axis.repeats()) return make_copies<kStream>(d, n, axis.to, src, dst);
  if (kStream && !line_streams_ && inside_[d] > 0 && inside_[d] <= kMoveScratch / 2)
    return make_through_scratch(d, lo, n, src, dst);
  if (d == last_) return make_rows<kStream>(lo, n, src, dst);
  const Axis& next = axes_[d + 1];
  for (int64_t i = 0; i < n; ++i, dst += axis.to) {
    const int64_t offset = axis.offset(lo + i);
    const bool again = !kStream && i > 0 && axis.offset(lo + i - 1) == offset;
    if (again && inside_[d] > 0 && inside_[d] <= kMoveKept)
      std::memcpy(dst, dst - axis.to, size(inside_[d]));
    else
      make<kStream>(d + 1, 0, next.n, src + offset, dst);
  }
}

// As many indices as scratch holds, made there and streamed from there.
void Mover::make_through_scratch(size_t d, int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
  const Axis& axis = axes_[d];
  const int64_t step = axis.to == inside_[d] ? kMoveStrip / std::min(kMoveStrip, inside_[d]) : 1;
  for (int64_t i = 0; i < n; i += step) {
    const int64_t count = std::min(step, n - i);
    make<false>(d, lo + i, count, src, scratch_);
    store_loops().stream_copy(dst + i * axis.to, scratch_, count * inside_[d]);
  }
}

template <bool kStream>
void Mover::copy_bytes(std::byte* to, const std::byte* from, int64_t bytes) {
  if (kStream && line_streams_)
    store_loops().stream_copy(to, from, bytes);
  else
    std::memcpy(to, from, size(bytes));
}

void Mover::fill_row(const std::byte* element, std::byte* to, bool stream) {
  std::byte pattern[16];
  repeat_element(element, line_.width, pattern);
  store_loops().fill(to, line_.bytes, pattern, stream);
}

template <bool kStream>
void Mover::make_rows(int64_t lo, int64_t n, const std::byte* src, std::byte* dst) {
  const Axis& axis = axes_[last_];
  Rows rows = {n, axis.to, axis.from, axis.table, src, dst, kStream && line_streams_, far_};
  if (axis.table)
    rows.table += lo;
  else
    rows.src += lo * axis.from;
  switch (line_.kind) {
    case Line::Kind::kRun:
      for (int64_t i = 0; i < n; ++i) copy_bytes<kStream>(dst + i * axis.to, rows.src + rows.offset(i), line_.bytes);
      return;
    case Line::Kind::kFill:
      if (line_.bytes >= kCacheLine && line_.bytes < kLongestFilledRow && n > 1)
        return store_loops().fill_rows(rows, line_.bytes, line_.width);
      for (int64_t i = 0; i < n; ++i) fill_row(rows.src + rows.offset(i), dst + i * axis.to, rows.stream);
      return;
    case Line::Kind::kChunks: return store_loops().chunk_rows(rows, line_);
    case Line::Kind::kLookup: return line_.lookup.rows(rows, line_);
    case Line::Kind::kGather: return gather_rows(rows, line_);
    case Line::Kind::kStrided: return strided_rows(rows, line_);
  }
}

// n copies, `to` apart, of the block at dst; under kStream of that in scratch.
template <bool kStream>
void Mover::copy_block(int64_t bytes, int64_t n, int64_t to, std::byte* dst) {
  if constexpr (!kStream) {
    if (to == bytes) return repeat_in_place(dst, bytes, n * bytes);
    for (int64_t i = 1; i < n; ++i) std::memcpy(dst + i * to, dst, size(bytes));
  } else if (to == bytes && bytes < kShortestStreamedRepeat) {
    const int64_t whole = kCacheLine / std::gcd(bytes, kCacheLine);  // copies that fill cache lines
    const int64_t pattern = kMoveStrip / (whole * bytes) * (whole * bytes);
    repeat_in_place(scratch_, bytes, std::max(bytes, std::min(pattern, n * bytes)));
    for (int64_t at = 0; at < n * bytes; at += pattern)
      store_loops().stream_copy(dst + at, scratch_, std::min(pattern, n * bytes - at));
  } else {
    for (int64_t i = 0; i < n; ++i) store_loops().stream_copy(dst + i * to, scratch_, bytes);
  }
}

// n copies, `to` apart, of what one index of axis d holds.
template <bool kStream>
void Mover::make_copies(size_t d, int64_t n, int64_t to, const std::byte* src, std::byte* dst) {
  const Axis& next = axes_[d + 1];
  const int64_t bytes = inside_[d];
  if (kStream && line_.kind == Line::Kind::kRun && d + 1 == last_ && next.n == 1 && bytes >= kLongestScratchRepeat) {
    for (int64_t i = 0; i < n; ++i) store_loops().stream_copy(dst + i * to, src + next.offset(0), bytes);
  } else if (bytes > 0 && bytes <= (kStream ? kMoveScratch : kMoveKept)) {
    make<false>(d + 1, 0, next.n, src, kStream ? scratch_ : dst);
    copy_block<kStream>(bytes, n, to, dst);
  } else if (bytes > 0 && !next.repeats()) {
    make_strips<kStream>(d + 1, n, to, src, dst);
  } else {
    for (int64_t i = 0; i < n; ++i) make<kStream>(d + 1, 0, next.n, src, dst + i * to);
  }
}

// The same, of all of axis d, which is too large to stay in a cache: strip by strip.
template <bool kStream>
void Mover::make_strips(size_t d, int64_t n, int64_t to, const std::byte* src, std::byte* dst) {
  const Axis& axis = axes_[d];
  const int64_t bytes = inside_[d];
  if (bytes <= kMoveStrip) {
    const int64_t step = kMoveStrip / bytes;
    for (int64_t i = 0; i < axis.n; i += step) {
      const int64_t count = std::min(step, axis.n - i);
      make<false>(d, i, count, src, kStream ? scratch_ : dst + i * bytes);
      copy_block<kStream>(count * bytes, n, to, dst + i * bytes);
    }
    return;
  }
  for (int64_t i = 0; i < axis.n; ++i) {
    if (d < last_)
      make_copies<kStream>(d, n, to, src + axis.offset(i), dst + i * bytes);
    else
      copy_run<kStream>(n, to, src + axis.offset(i), dst + i * bytes);
  }
}

// n copies, `to` apart, of one long line.
template <bool kStream>
void Mover::copy_run(int64_t n, int64_t to, const std::byte* src, std::byte* dst) {
  if (line_.kind == Line::Kind::kRun) {
    for (int64_t at = 0; at < line_.bytes; at += kMoveStrip)
      for (int64_t i = 0; i < n; ++i)
        copy_bytes<kStream>(dst + i * to + at, src + at, std::min(kMoveStrip, line_.bytes - at));
    return;
  }
  for (int64_t i = 0; i < n; ++i) fill_row(src, dst + i * to, kStream);
}

}  // namespace

void move_lines(Task& task, const Axes& axes, const Line& line, const std::byte* src, std::byte* dst) {
  Mover(task, axes, line).run(src, dst);
}

void fill_bytes(bool stream, std::byte* to, int64_t bytes, const Element& element, int64_t width) {
  count_task(Kernel::move_fill);
  std::byte pattern[16];
  repeat_element(element.data(), width, pattern);
  store_loops().fill(to, bytes, pattern, stream);
}

}  // namespace tesela::cpu::moves
