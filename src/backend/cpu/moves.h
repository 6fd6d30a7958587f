// A move once operators, types and ranks are forgotten: axes of bytes, and the lines at their end.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/move_kernels.h"

namespace tesela::cpu::moves {

/// One axis of a box of the output, and where its elements come from.
struct Axis {
  int64_t n = 1;
  int64_t to = 0;    // bytes from one output to the next
  int64_t from = 0;  // bytes from one input to the next; 0: the same input again
  const int64_t* table = nullptr;  // or each output's input: bytes from that of the axis' begin

  int64_t offset(int64_t i) const { return table ? table[i] : i * from; }
  bool repeats() const { return table == nullptr && from == 0 && n > 1; }
};

using Axes = std::pmr::vector<Axis>;  // outermost first

/// Tables of one task: on the stack while they are small.
class Arena {
 public:
  std::pmr::memory_resource* resource() { return &resource_; }
  template <class T>
  T* take(int64_t count) {
    return static_cast<T*>(resource_.allocate(static_cast<size_t>(count) * sizeof(T), alignof(T)));
  }

 private:
  alignas(64) std::byte stack_[8192];
  std::pmr::monotonic_buffer_resource resource_{stack_, sizeof(stack_)};
};

/// What the parts of one task share.
struct Task {
  explicit Task(bool streams) : stream(streams) {}
  ~Task() {
    for (; used != 0; used &= used - 1) count_task(static_cast<Kernel>(std::countr_zero(used)));
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  void use(Kernel kernel) { used |= uint64_t{1} << static_cast<int>(kernel); }

  bool stream = false;
  uint64_t used = 0;
  Arena arena;
};
static_assert(static_cast<int>(Kernel::kCount) <= 64);

/// Input of each output of a nearest or identity rule, -1 where it is extrapolated: what make_index_table says, in one
/// addition for each output where the positions allow it.
void find_indices(const AxisRule& rule, IndexRange range, int64_t* index);

/// Without axes of one element, outputs in the order of memory, neighbours that are one axis merged.
void normalise(Arena& arena, Axes& axes, const std::byte*& src, std::byte*& dst);

/// Moves elements of `width` bytes (1, 2, 4, 8, 16). Axes: normalised; outputs do not overlap.
void move_axes(Task& task, const Axes& axes, int64_t width, const std::byte* src, std::byte* dst);

/// Writes every row of `axes` (outermost first, at least one axis), each of which is `line`.
void move_lines(Task& task, const Axes& axes, const Line& line, const std::byte* src, std::byte* dst);

/// A line of elements of `width` bytes at these offsets from its row's src.
Line make_table_line(Arena& arena, std::span<const int32_t> offsets, int64_t width);

using Element = std::array<std::byte, 16>;

/// `bytes` of one element.
void fill_bytes(Task& task, std::byte* to, int64_t bytes, const Element& element, int64_t width);

/// One axis of a box as its operator sees it.
struct Source {
  int64_t n = 0;   // outputs of the box, from lo on
  int64_t lo = 0;
  int64_t in_lo = 0;  // where the box of the input begins
  int64_t in = 0;     // the whole input
  int64_t to = 0;     // bytes (of packed types: bits) from one output to the next
  int64_t from = 0;
  bool tiles = false;  // output i is input i mod in; without it and index, input i
  const int64_t* index = nullptr;  // [n] input of each output; -1: none
};
using Sources = std::pmr::vector<Source>;

Sources make_sources(Task& task, const Plan& plan, const BoxRun& run, int64_t width);

/// Moves a box. src, dst: where its boxes of input and output begin. outside: for outputs that take no input.
class BoxMover {
 public:
  BoxMover(Task& task, const Sources& sources, int64_t width, const Element& outside)
      : task_(task), sources_(sources), width_(width), outside_(outside), axes_(task.arena.resource()) {
    axes_.reserve(2 * sources.size());
  }
  void run(const std::byte* src, std::byte* dst) { descend(0, src, dst); }

 private:
  void descend(size_t d, const std::byte* src, std::byte* dst);
  void descend_tile(size_t d, const std::byte* src, std::byte* dst);
  void descend_table(size_t d, const std::byte* src, std::byte* dst);
  void descend_part(size_t d, Axis axis, const std::byte* src, std::byte* dst);
  void fill(size_t d, int64_t n, std::byte* dst);

  Task& task_;
  const Sources& sources_;
  int64_t width_;
  const Element& outside_;
  Axes axes_;  // of the axes before the one that is looked at
};

/// Moves of 2- and 4-bit elements.
void move_packed(Task& task, const Plan& plan, const BoxRun& run, const Element& outside);

}  // namespace tesela::cpu::moves
