// Picks: where a line needs few of a row's elements, those are gathered first, so that passes before it sum no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/cpu/scratch.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// For each output of a line the run of inputs that it takes; the picked row holds these runs one after the other.
struct Picks {
  std::vector<int64_t> first;  // element of the axis that a run begins at
  int64_t run = 0;             // elements of a run; 0: nothing is picked

  bool any() const { return run > 0; }
  int64_t extent() const { return static_cast<int64_t>(first.size()) * run; }
};

/// Whether runs of so many elements are better picked before rows are summed.
bool picks_pay(int64_t run, int64_t outputs, int64_t inputs);

/// Picks for a line over the axis' elements [in_lo, in_lo + in_n), if they are worth it; then `table` is changed to
/// count from the begin of the picked row.
Picks make_picks(AxisTable& table, int64_t in_lo, int64_t in_n);

/// Runs that are looked up together: bytes of two neighbouring vectors.
inline constexpr int64_t kPickedVector = 64;
struct PickGroup {
  int32_t base = 0;   // of the row
  int32_t bytes = 0;  // of the picked row that follow one another
  uint8_t index[kPickedVector] = {};
};

/// Whether the instruction set in use looks bytes up in two vectors.
bool looks_up_bytes();

/// A store is a whole vector long, whatever a group has. Returns where the next byte belongs.
std::byte* look_up_picks(std::span<const PickGroup> groups, const std::byte* row, std::byte* to);

/// How one row is picked, in bytes.
class RowPicker {
 public:
  RowPicker() = default;
  /// in_lo: the element of the axis that the rows begin with. row_bytes: that may be read.
  RowPicker(const Picks& picks, int64_t in_lo, int64_t element_bytes, int64_t row_bytes);
  /// to: room for bytes() + kSlack. ahead: a row to be fetched into the caches on the way, or null.
  void pick(const std::byte* row, std::byte* to, const std::byte* ahead) const;
  int64_t bytes() const { return static_cast<int64_t>(offsets_.size()) * run_; }

  bool looks_up() const { return !groups_.empty(); }

  static constexpr int64_t kSlack = kPickedVector;

 private:
  template <int64_t kMove>
  void pick_by(const std::byte* row, std::byte* to, size_t i) const;
  void fetch(const std::byte* row) const;

  void find_groups();

  std::vector<int32_t> offsets_;
  std::vector<PickGroup> groups_;  // of the first runs
  size_t grouped_ = 0;             // how many these are
  int64_t run_ = 0;
  int64_t row_bytes_ = 0;
  size_t safe_ = 0;  // runs from the first one on after which a whole move may be read
};

/// The last rows that were picked, by the input of the axis that they belong to.
class PickedRows {
 public:
  explicit operator bool() const { return slots_ > 0; }
  /// most: rows that are needed at a time.
  void set_up(Scratch& scratch, const RowPicker& picker, int64_t most);
  /// The picked row of `source`, input j: made once and kept. ahead: as in pick.
  const std::byte* row(const std::byte* source, int64_t j, const std::byte* ahead) {
    const int64_t slot = j & (slots_ - 1);
    std::byte* picked = rows_ + slot * pitch_;
    if (from_[slot] != source) picker_.pick(source, picked, ahead);
    from_[slot] = source;
    return picked;
  }

 private:
  RowPicker picker_;
  int64_t slots_ = 0;  // a power of two
  int64_t pitch_ = 0;
  std::byte* rows_ = nullptr;
  const std::byte** from_ = nullptr;  // the source row in each slot
};

}  // namespace tesela::cpu
