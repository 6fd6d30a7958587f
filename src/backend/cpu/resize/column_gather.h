// SPDX-License-Identifier: Apache-2.0
// Column gather: if the horizontal pass needs few of a row's elements, copies these first, so that earlier passes do
// not sum the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/cpu/resize/row_source.h"
#include "backend/cpu/scratch.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// Runs that are looked up together, in two neighbouring vectors.
inline constexpr int64_t kGatheredVector = 64;
struct LookupGroup {
  int32_t base = 0;   // offset in the row
  int32_t bytes = 0;  // contiguous bytes of the gathered row
  uint8_t index[kGatheredVector] = {};
};
/// Stores whole vectors, even for smaller groups. Returns the position of the next byte.
using LookUpGroupsFn = std::byte* (*)(const LookupGroup* groups, size_t count, const std::byte* row, std::byte* to);
/// Null if the instruction set in use lacks byte lookups in two vectors.
LookUpGroupsFn lookup_of_groups();

/// The run of inputs of each output of a horizontal pass; a gathered row contains these runs in sequence. Offsets are
/// bytes from the axis's beginning.
class ColumnGather {
 public:
  ColumnGather() = default;
  /// For a pass over the axis's elements [in_lo, in_lo + in_n), if gathering is faster; `table` then refers to the
  /// gathered row. element_bytes: of all channels.
  ColumnGather(AxisTable& table, int64_t in_lo, int64_t in_n, int64_t element_bytes);

  explicit operator bool() const { return run_ > 0; }
  /// Elements of a gathered row.
  int64_t extent() const { return static_cast<int64_t>(offsets_.size()) * run_elements_; }
  int64_t bytes() const { return static_cast<int64_t>(offsets_.size()) * run_; }
  bool looks_up() const { return !groups_.empty(); }

  /// row: the address of the axis's beginning. to: has space for bytes() + kSlack. prefetched: another row, or null.
  void gather(const std::byte* row, std::byte* to, const std::byte* prefetched) const;
  static constexpr int64_t kSlack = kGatheredVector;

 private:
  using CopyFn = void (*)(const ColumnGather& gather, const std::byte* row, std::byte* to);
  template <int64_t kCopied>
  static void copy_runs(const ColumnGather& gather, const std::byte* row, std::byte* to);
  void take_runs(AxisTable& table, int64_t lowest, int64_t end, int64_t element_bytes);
  void choose_copy(int64_t row_end);
  void find_groups(int64_t row_end);
  void prefetch(const std::byte* row) const;

  std::vector<int32_t> offsets_;
  std::vector<LookupGroup> groups_;  // for the first runs
  LookUpGroupsFn look_up_ = nullptr;
  CopyFn copy_ = nullptr;  // for the other runs
  size_t grouped_ = 0;     // the number of runs in groups
  size_t safe_ = 0;        // the number of leading runs for which a whole copy stays inside the row
  int64_t run_elements_ = 0;
  int64_t run_ = 0;  // bytes
};

/// Of the outputs that have taps: the most of one, and the first input.
struct Runs {
  int64_t longest = 0;
  int64_t lowest = INT64_MAX;
};
Runs longest_run(const AxisTable& table);

/// Whether it is faster to gather runs of `run` elements before rows are summed.
bool gathering_pays(int64_t run, int64_t outputs, int64_t inputs);

/// Gathered rows of the source; keeps the last ones.
class GatheredRows final : public RowSource {
 public:
  /// in_lo: bytes from the axis's beginning to the rows'. most: rows that are needed at a time.
  void set_up(Scratch& scratch, const ColumnGather& gather, int64_t in_lo, int64_t most);
  explicit operator bool() const { return gather_ != nullptr; }

  void rows(const Pull& pull, const void** rows) override;
  /// The gathered row of `source`, input j; gathered once and kept.
  const std::byte* row(const std::byte* source, int64_t j, const std::byte* prefetched);

 private:
  const ColumnGather* gather_ = nullptr;
  int64_t in_lo_ = 0;
  int64_t mask_ = 0;
  int64_t pitch_ = 0;
  std::byte* rows_ = nullptr;
  const std::byte** from_ = nullptr;  // the source row in each slot
};

}  // namespace tesela::cpu
