// A box of an operator's output, whose axes are tiled, taken by tables or copied, as moves of plain axes.
#pragma once

#include "backend/cpu/move/axes.h"
#include "backend/cpu/move/program.h"
#include "backend/cpu/move/task.h"
#include "backend/program.h"

namespace tesela::cpu::moves {

/// One axis of a box as its operator sees it.
struct Source {
  int64_t n = 0;  // outputs of the box, from lo on
  int64_t lo = 0;
  int64_t in_lo = 0;  // where the box of the input begins
  int64_t in = 0;     // the whole input
  int64_t to = 0;     // bytes (of packed types: bits) from one output to the next
  int64_t from = 0;
  bool tiles = false;              // output i is input i mod in; without it and a table, input i
  const int64_t* table = nullptr;  // [n] input of each output, or kOutside
};
using Sources = SmallVector<Source, 6>;

Sources make_sources(const Plan& plan, const MoveProgram& program, Scratch& scratch, const BoxRun& run, int64_t width);

/// Moves a box. src, dst: where its boxes of input and output begin. outside: for outputs that take no input.
class BoxMover {
 public:
  BoxMover(Task& task, const Sources& sources, int64_t width, const Element& outside)
      : task_(task), sources_(sources), width_(width), outside_(outside) {}
  void run(const std::byte* src, std::byte* dst) { descend(0, src, dst); }

 private:
  void descend(size_t d, const std::byte* src, std::byte* dst);
  void descend_tile(size_t d, const std::byte* src, std::byte* dst);
  void descend_table(size_t d, const std::byte* src, std::byte* dst);
  void descend_part(size_t d, const Axis& axis, const std::byte* src, std::byte* dst);
  void fill(size_t d, int64_t n, std::byte* dst);

  Task& task_;
  const Sources& sources_;
  int64_t width_;
  const Element& outside_;
  Axes axes_;  // of the axes before the one that is looked at
};

}  // namespace tesela::cpu::moves
