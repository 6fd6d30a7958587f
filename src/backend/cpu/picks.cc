// Gathering the runs of a row that a line needs.
#include "backend/cpu/picks.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tesela::cpu {
namespace {

constexpr int64_t kLongestMove = 32;

// A move reads and writes this much, whatever a run has: what is too much is overwritten by the next.
int64_t move_bytes(int64_t run) {
  return run <= 8 ? 8 : run <= 16 ? 16 : kLongestMove;
}

}  // namespace

bool picks_pay(int64_t run, int64_t outputs, int64_t inputs) {
  // A picked element costs about as much as two that are summed for nothing; but pairs more than two elements apart are
  // out of the reach of lookups, and to gather them takes longer still.
  return outputs * run <= (run <= 2 ? inputs - 1 : inputs / 2);
}

Picks make_picks(AxisTable& table, int64_t in_lo, int64_t in_n) {
  constexpr int64_t kLongestAxis = int64_t{1} << 24;  // offsets have 32 bits
  Picks picks;
  int64_t run = 0;
  for (const int32_t count : table.count) run = std::max<int64_t>(run, count);
  const auto outputs = static_cast<int64_t>(table.first.size());
  if (run == 0 || run > in_n || in_lo + in_n > kLongestAxis || !picks_pay(run, outputs, in_n)) return picks;
  picks.run = run;
  picks.first.reserve(table.first.size());
  for (size_t i = 0; i < table.first.size(); ++i) {
    const int64_t wanted = table.count[i] > 0 ? table.first[i] : in_lo;
    const int64_t begin = std::min(wanted, in_lo + in_n - run);
    picks.first.push_back(begin);
    table.first[i] = static_cast<int64_t>(i) * run + (wanted - begin);
  }
  return picks;
}

RowPicker::RowPicker(const Picks& picks, int64_t in_lo, int64_t element_bytes, int64_t row_bytes)
    : run_(picks.run * element_bytes), row_bytes_(row_bytes) {
  offsets_.reserve(picks.first.size());
  for (const int64_t first : picks.first) offsets_.push_back(static_cast<int32_t>((first - in_lo) * element_bytes));
  const auto is_unsafe = [&](int64_t offset) { return offset + move_bytes(run_) > row_bytes; };
  safe_ = static_cast<size_t>(std::find_if(offsets_.begin(), offsets_.end(), is_unsafe) - offsets_.begin());
  if (looks_up_bytes()) find_groups();
}

void RowPicker::find_groups() {
  constexpr size_t kFewest = 6;  // runs of a group from which on a lookup is sooner done than moves
  constexpr int64_t kWindow = 2 * kPickedVector;
  for (size_t i = 0; i < offsets_.size();) {
    PickGroup group;
    group.base = offsets_[i];
    if (group.base + kWindow > row_bytes_) return;
    size_t end = i;
    for (; end < offsets_.size(); ++end) {
      const int64_t at = offsets_[end] - group.base;
      if (at < 0 || at + run_ > kWindow || group.bytes + run_ > kPickedVector) break;
      for (int64_t k = 0; k < run_; ++k) group.index[group.bytes + k] = static_cast<uint8_t>(at + k);
      group.bytes += static_cast<int32_t>(run_);
    }
    if (end - i < kFewest) return;
    groups_.push_back(group);
    grouped_ = i = end;
  }
}

template <int64_t kMove>
void RowPicker::pick_by(const std::byte* row, std::byte* to, size_t i) const {
  // Copies, because a store of bytes may change anything that `this` points to.
  const int32_t* const offsets = offsets_.data();
  const size_t all = offsets_.size();
  const size_t safe = safe_;
  const int64_t run = run_;
  for (; i + 4 <= safe; i += 4, to += 4 * run) {
    std::memcpy(to, row + offsets[i], static_cast<size_t>(kMove));
    std::memcpy(to + run, row + offsets[i + 1], static_cast<size_t>(kMove));
    std::memcpy(to + 2 * run, row + offsets[i + 2], static_cast<size_t>(kMove));
    std::memcpy(to + 3 * run, row + offsets[i + 3], static_cast<size_t>(kMove));
  }
  for (; i < safe; ++i, to += run) std::memcpy(to, row + offsets[i], static_cast<size_t>(kMove));
  for (; i < all; ++i, to += run) std::memcpy(to, row + offsets[i], static_cast<size_t>(run));
}

void RowPicker::pick(const std::byte* row, std::byte* to, const std::byte* ahead) const {
  if (ahead != nullptr) fetch(ahead);
  if (!groups_.empty()) to = look_up_picks(groups_, row, to);
  if (run_ <= 8) return pick_by<8>(row, to, grouped_);
  if (run_ <= 16) return pick_by<16>(row, to, grouped_);
  if (run_ <= kLongestMove) return pick_by<kLongestMove>(row, to, grouped_);
  for (size_t i = grouped_; i < offsets_.size(); ++i, to += run_)
    std::memcpy(to, row + offsets_[i], static_cast<size_t>(run_));
}

// Every cache line, or where that is less one for each run.
void RowPicker::fetch(const std::byte* row) const {
  constexpr int64_t kLine = 64;
  if (row_bytes_ / kLine <= static_cast<int64_t>(offsets_.size())) {
    for (int64_t at = 0; at < row_bytes_; at += kLine) __builtin_prefetch(row + at);
  } else {
    for (const int32_t offset : offsets_) __builtin_prefetch(row + offset);
  }
}

void PickedRows::set_up(Scratch& scratch, const RowPicker& picker, int64_t most) {
  picker_ = picker;
  slots_ = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most)));
  pitch_ = round_to_rows(picker_.bytes() + RowPicker::kSlack);
  rows_ = scratch.take<std::byte>(slots_ * pitch_);
  from_ = scratch.take<const std::byte*>(slots_);
  std::fill_n(from_, slots_, nullptr);
}

}  // namespace tesela::cpu
