// One pass of a box at work, and the rows that it keeps.
#pragma once

#include <bit>
#include <span>

#include "backend/cpu/program.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu {

/// A row pass takes rows of the pass before it along its axis; the line pass changes a row.
template <class C>
struct Stage {
  size_t axis = 0;
  bool is_line = false;
  const PassTable<C>* table = nullptr;  // of a row pass
  int64_t table_lo = 0;                 // the output that its first entry is about
  int64_t row_numbers = 0;              // of the rows that it makes
  // A row pass that is not the first keeps the rows that it took: slots x (later row axes), by input index.
  int64_t slots = 0;                    // a power of two
  int64_t ahead = 1;                    // rows that are made together, where the pass before is the line
  int64_t end = 0;                      // of the inputs that the box needs along its axis
  Extents later, later_lo, later_n;     // row axes of later passes, and what the box needs along them
  int64_t later_rows = 1;
  std::span<int64_t> kept;              // input index in each slot, -1: none
  C* ring = nullptr;
  int64_t pitch = 0;                    // numbers between kept rows

  size_t entry(int64_t output) const { return static_cast<size_t>(output - table_lo); }

  void add_later(size_t later_axis, int64_t lo, int64_t n) {
    later.push_back(static_cast<int64_t>(later_axis));
    later_lo.push_back(lo);
    later_n.push_back(n);
    later_rows *= n;
  }

  void take_ring(Scratch& scratch, int64_t row_pitch) {
    slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(table->most_taps + ahead - 1)));
    pitch = row_pitch;
    kept = {scratch.take<int64_t>(slots * later_rows), static_cast<size_t>(slots * later_rows)};
    ring = scratch.take<C>(slots * later_rows * pitch);
  }

  /// Where the rows at an index of the box stand among those of one slot.
  int64_t later_at(const Extents& index) const {
    int64_t at = 0;
    for (size_t k = 0; k < later.size(); ++k)
      at = at * later_n[k] + (index[static_cast<size_t>(later[k])] - later_lo[k]);
    return at;
  }
  int64_t slot(int64_t input, int64_t at) const { return (input & (slots - 1)) * later_rows + at; }

  /// Lines that are made together share what they load of the table, but the rows that are kept should stay in the L1
  /// cache, or near it where there is much to share. numbers: of a line. in_runs: a line has little to load.
  int64_t lines_ahead(int64_t numbers, bool in_runs) const {
    constexpr int64_t kFewestLines = 2;
    const int64_t ring = int64_t{in_runs ? 32 : 64} << 10;  // bytes
    const int64_t most = ring / (numbers * static_cast<int64_t>(sizeof(C)));
    int64_t lines = kLineBatch;
    while (lines > kFewestLines &&
           static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(table->most_taps + lines - 1))) > most)
      lines /= 2;
    return lines;
  }

  /// Rows made ahead of their use are wasted where a reversed crop walks through the input backwards.
  bool moves_forward(int64_t lo, int64_t n) const {
    return table->first[entry(lo)] <= table->first[entry(lo + n - 1)];
  }
};

/// The kept rows of the last row pass, whose slots are one row each.
template <class C>
class Ring {
 public:
  explicit Ring(const Stage<C>& stage)
      : kept_(stage.kept.data()), rows_(stage.ring), mask_(stage.slots - 1), pitch_(stage.pitch) {}

  /// The row at an input index; make(j) is called where it is not there yet.
  template <class Make>
  const C* row(int64_t j, Make make) const {
    const int64_t slot = j & mask_;
    if (kept_[slot] != j) [[unlikely]]
      make(j);
    return rows_ + slot * pitch_;
  }

 private:
  const int64_t* kept_;
  const C* rows_;
  int64_t mask_;
  int64_t pitch_;
};

}  // namespace tesela::cpu
