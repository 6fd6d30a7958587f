// A move once operators, types and ranks are forgotten: axes of bytes, and the lines at their end.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <type_traits>
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

/// Tables of one task: on the stack while they are small. What is taken is not initialised, and stays until the end.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  T* take(int64_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes > sizeof(stack_) - used_) return reinterpret_cast<T*>(take_from_heap(bytes));
    std::byte* const begin = stack_ + used_;
    used_ += bytes;
    return reinterpret_cast<T*>(begin);
  }

 private:
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest vector
  struct Free {
    void operator()(std::byte* block) const { std::free(block); }
  };
  std::byte* take_from_heap(size_t bytes);

  size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte, Free>> heap_;
  alignas(kAlignment) std::byte stack_[8192];
};

/// Axes of a move, outermost first.
class Axes {
 public:
  Axes(Arena& arena, size_t capacity) : data_(arena.take<Axis>(static_cast<int64_t>(capacity))) {}
  /// A copy with room for `more`.
  Axes(Arena& arena, std::span<const Axis> axes, size_t more = 0) : Axes(arena, axes.size() + more) {
    for (const Axis& axis : axes) push_back(axis);
  }
  Axes(const Axes&) = delete;
  Axes& operator=(const Axes&) = delete;

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Axis& operator[](size_t i) { return data_[i]; }
  const Axis& operator[](size_t i) const { return data_[i]; }
  Axis& back() { return data_[size_ - 1]; }
  const Axis& back() const { return data_[size_ - 1]; }
  Axis* begin() { return data_; }
  Axis* end() { return data_ + size_; }
  const Axis* begin() const { return data_; }
  const Axis* end() const { return data_ + size_; }

  void push_back(const Axis& axis) { data_[size_++] = axis; }
  void pop_back() { --size_; }
  void cut(size_t size) { size_ = size; }
  void insert(size_t at, const Axis& axis) {
    for (size_t i = size_++; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = axis;
  }
  void erase(size_t at) {
    for (--size_; at < size_; ++at) data_[at] = data_[at + 1];
  }

 private:
  Axis* data_;
  size_t size_ = 0;
};

/// The kernels that a task used, counted once at its end.
class KernelSet {
 public:
  KernelSet() = default;
  ~KernelSet() {
    for (; used_ != 0; used_ &= used_ - 1) count_task(static_cast<Kernel>(std::countr_zero(used_)));
  }
  KernelSet(const KernelSet&) = delete;
  KernelSet& operator=(const KernelSet&) = delete;
  void add(Kernel kernel) { used_ |= uint64_t{1} << static_cast<int>(kernel); }

 private:
  static_assert(static_cast<int>(Kernel::kCount) <= 64);
  uint64_t used_ = 0;
};

/// What the parts of a move share.
struct Task {
  bool stream = false;
  KernelSet& kernels;
  Arena& arena;
};

constexpr int64_t kOutside = INT64_MIN;  // the place of an input that there is not

/// For each output of a nearest or identity rule, (input - in_lo) * from, kOutside where it is extrapolated: what
/// make_index_table says, in one addition for each output where the positions allow it.
void find_offsets(const AxisRule& rule, IndexRange range, int64_t in_lo, int64_t from, int64_t* offset);

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
void fill_bytes(bool stream, KernelSet& kernels, std::byte* to, int64_t bytes, const Element& element, int64_t width);

/// One axis of a box as its operator sees it.
struct Source {
  int64_t n = 0;   // outputs of the box, from lo on
  int64_t lo = 0;
  int64_t in_lo = 0;  // where the box of the input begins
  int64_t in = 0;     // the whole input
  int64_t to = 0;     // bytes (of packed types: bits) from one output to the next
  int64_t from = 0;
  bool tiles = false;  // output i is input i mod in; without it and a table, input i
  const int64_t* table = nullptr;  // [n] (input - in_lo) * from of each output, or kOutside
};
using Sources = std::span<Source>;

Sources make_sources(Arena& arena, const Plan& plan, const BoxRun& run, int64_t width);

/// Moves a box. src, dst: where its boxes of input and output begin. outside: for outputs that take no input.
class BoxMover {
 public:
  BoxMover(Task& task, Sources sources, int64_t width, const Element& outside)
      : task_(task), sources_(sources), width_(width), outside_(outside), axes_(task.arena, 2 * sources.size()) {}
  void run(const std::byte* src, std::byte* dst) { descend(0, src, dst); }

 private:
  void descend(size_t d, const std::byte* src, std::byte* dst);
  void descend_tile(size_t d, const std::byte* src, std::byte* dst);
  void descend_table(size_t d, const std::byte* src, std::byte* dst);
  void descend_part(size_t d, const Axis& axis, const std::byte* src, std::byte* dst);
  void fill(size_t d, int64_t n, std::byte* dst);

  Task& task_;
  Sources sources_;
  int64_t width_;
  const Element& outside_;
  Axes axes_;  // of the axes before the one that is looked at
};

/// Moves of 2- and 4-bit elements.
void move_packed(bool stream, KernelSet& kernels, const Plan& plan, const BoxRun& run, const Element& outside);

}  // namespace tesela::cpu::moves
