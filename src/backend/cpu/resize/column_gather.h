// Column gather: where the horizontal pass takes few of a row's elements, those are copied together first, so that passes
// before it sum no others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/cpu/resize/row_source.h"
#include "backend/cpu/scratch.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// Runs that are looked up together: bytes of two neighbouring vectors.
inline constexpr int64_t kGatheredVector = 64;
struct LookupGroup {
  int32_t base = 0;   // of the row
  int32_t bytes = 0;  // of the gathered row that follow one another
  uint8_t index[kGatheredVector] = {};
};
/// A store is a whole vector long, whatever a group has. Returns where the next byte belongs.
using LookUpGroupsFn = std::byte* (*)(const LookupGroup* groups, size_t count, const std::byte* row, std::byte* to);
/// Null where the instruction set in use does not look bytes up in two vectors.
LookUpGroupsFn lookup_of_groups();

/// For each output of a horizontal pass the run of inputs that it takes; a gathered row holds these runs one after the
/// other. Offsets are bytes from the axis' begin.
class ColumnGather {
 public:
  ColumnGather() = default;
  /// Of a pass over the axis' elements [in_lo, in_lo + in_n), if that pays; `table` then counts from the begin of the
  /// gathered row. element_bytes: of all channels.
  ColumnGather(AxisTable& table, int64_t in_lo, int64_t in_n, int64_t element_bytes);

  explicit operator bool() const { return run_ > 0; }
  /// Elements of a gathered row.
  int64_t extent() const { return static_cast<int64_t>(offsets_.size()) * run_elements_; }
  int64_t bytes() const { return static_cast<int64_t>(offsets_.size()) * run_; }
  bool looks_up() const { return !groups_.empty(); }

  /// row: what would be that of the axis' begin. to: room for bytes() + kSlack. prefetched: another row, or null.
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
  std::vector<LookupGroup> groups_;  // of the first runs
  LookUpGroupsFn look_up_ = nullptr;
  CopyFn copy_ = nullptr;  // for the other runs
  size_t grouped_ = 0;     // how many the first are
  size_t safe_ = 0;        // runs from the first one on after which a whole copy may be read
  int64_t run_elements_ = 0;
  int64_t run_ = 0;  // bytes
};

/// Whether runs of so many elements are better gathered before rows are summed.
bool gathering_pays(int64_t run, int64_t outputs, int64_t inputs);

/// The rows of the source, gathered; the last ones are kept.
class GatheredRows final : public RowSource {
 public:
  /// in_lo: bytes from the axis' begin to that of the rows. most: rows that are needed at a time.
  void set_up(Scratch& scratch, const ColumnGather& gather, int64_t in_lo, int64_t most);
  explicit operator bool() const { return gather_ != nullptr; }

  void rows(const Pull& pull, const void** rows) override;
  /// The gathered row of `source`, input j: made once and kept.
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
