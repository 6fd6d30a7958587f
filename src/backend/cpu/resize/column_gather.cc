// SPDX-License-Identifier: Apache-2.0
// Gathers the runs of a row that a horizontal pass needs.
#include "backend/cpu/resize/column_gather.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "backend/cpu/tuning.h"

namespace tesela::cpu {

Runs longest_run(const AxisTable& table) {
  Runs runs;
  for (size_t i = 0; i < table.first.size(); ++i) {
    if (table.count[i] == 0) continue;
    runs.longest = std::max<int64_t>(runs.longest, table.count[i]);
    runs.lowest = std::min(runs.lowest, table.first[i]);
  }
  return runs;
}

bool gathering_pays(int64_t run, int64_t outputs, int64_t inputs) {
  // Gathering an element takes about as long as summing two unused ones. Pairs more than two elements apart are beyond
  // the range of lookups and take longer.
  return outputs * run <= (run <= 2 ? inputs - 1 : inputs / 2);
}

ColumnGather::ColumnGather(AxisTable& table, int64_t in_lo, int64_t in_n, int64_t element_bytes) {
  const auto [run, lowest] = longest_run(table);
  const auto outputs = static_cast<int64_t>(table.first.size());
  const int64_t end = in_lo + in_n;
  if (run == 0 || run > in_n || end > INT32_MAX / element_bytes || !gathering_pays(run, outputs, in_n)) return;
  run_elements_ = run;
  run_ = run * element_bytes;
  take_runs(table, lowest, end, element_bytes);
  const int64_t row_end = end * element_bytes;
  choose_copy(row_end);
  look_up_ = lookup_of_groups();
  if (look_up_ != nullptr) find_groups(row_end);
}

// end: the row's end, in elements of the axis.
void ColumnGather::take_runs(AxisTable& table, int64_t lowest, int64_t end, int64_t element_bytes) {
  offsets_.reserve(table.first.size());
  for (size_t i = 0; i < table.first.size(); ++i) {
    const int64_t wanted = table.count[i] > 0 ? table.first[i] : lowest;
    const int64_t begin = std::min(wanted, end - run_elements_);
    offsets_.push_back(static_cast<int32_t>(begin * element_bytes));
    table.first[i] = static_cast<int64_t>(i) * run_elements_ + (wanted - begin);
  }
}

// Copies have a size known to the compiler, at least the run's: the next copy overwrites the excess.
void ColumnGather::choose_copy(int64_t row_end) {
  static constexpr std::pair<int64_t, CopyFn> kCopies[] = {
      {8, copy_runs<8>},   {16, copy_runs<16>}, {32, copy_runs<32>},   {48, copy_runs<48>},
      {64, copy_runs<64>}, {96, copy_runs<96>}, {128, copy_runs<128>}, {192, copy_runs<192>}};
  const auto* const copy =
      std::find_if(std::begin(kCopies), std::end(kCopies), [this](const auto& each) { return run_ <= each.first; });
  copy_ = copy_runs<0>;
  if (copy == std::end(kCopies)) return;
  copy_ = copy->second;
  const auto is_unsafe = [&](int64_t offset) { return offset + copy->first > row_end; };
  safe_ = static_cast<size_t>(std::find_if(offsets_.begin(), offsets_.end(), is_unsafe) - offsets_.begin());
}

void ColumnGather::find_groups(int64_t row_end) {
  constexpr int64_t kWindow = 2 * kGatheredVector;
  for (size_t i = 0; i < offsets_.size();) {
    LookupGroup group;
    group.base = offsets_[i];
    if (group.base + kWindow > row_end) return;
    size_t end = i;
    for (; end < offsets_.size(); ++end) {
      const int64_t at = offsets_[end] - group.base;
      if (at < 0 || at + run_ > kWindow || group.bytes + run_ > kGatheredVector) break;
      for (int64_t k = 0; k < run_; ++k) group.index[group.bytes + k] = static_cast<uint8_t>(at + k);
      group.bytes += static_cast<int32_t>(run_);
    }
    if (end - i < kMinLookedUp) return;
    groups_.push_back(group);
    grouped_ = i = end;
  }
}

// kCopied: bytes of a copy; 0: the size of a run.
template <int64_t kCopied>
void ColumnGather::copy_runs(const ColumnGather& gather, const std::byte* row, std::byte* to) {
  // Local copies, because stores of bytes may alias the members of `gather`.
  const int32_t* const offsets = gather.offsets_.data();
  const size_t all = gather.offsets_.size();
  const size_t safe = kCopied > 0 ? gather.safe_ : 0;
  const int64_t run = gather.run_;
  size_t i = gather.grouped_;
  for (; i + 4 <= safe; i += 4, to += 4 * run) {
    std::memcpy(to, row + offsets[i], static_cast<size_t>(kCopied));
    std::memcpy(to + run, row + offsets[i + 1], static_cast<size_t>(kCopied));
    std::memcpy(to + 2 * run, row + offsets[i + 2], static_cast<size_t>(kCopied));
    std::memcpy(to + 3 * run, row + offsets[i + 3], static_cast<size_t>(kCopied));
  }
  for (; i < safe; ++i, to += run) std::memcpy(to, row + offsets[i], static_cast<size_t>(kCopied));
  for (; i < all; ++i, to += run) std::memcpy(to, row + offsets[i], static_cast<size_t>(run));
}

void ColumnGather::gather(const std::byte* row, std::byte* to, const std::byte* prefetched) const {
  if (prefetched != nullptr) prefetch(prefetched);
  if (!groups_.empty()) to = look_up_(groups_.data(), groups_.size(), row, to);
  copy_(*this, row, to);
}

// Prefetches every cache line, or one per run if that is less.
void ColumnGather::prefetch(const std::byte* row) const {
  constexpr int64_t kLine = 64;
  const int64_t begin = offsets_.front();
  const int64_t end = offsets_.back() + run_;
  if ((end - begin) / kLine <= static_cast<int64_t>(offsets_.size())) {
    for (int64_t at = begin; at < end; at += kLine) __builtin_prefetch(row + at);
  } else {
    for (const int32_t offset : offsets_) __builtin_prefetch(row + offset);
  }
}

void GatheredRows::set_up(Scratch& scratch, const ColumnGather& gather, int64_t in_lo, int64_t most) {
  gather_ = &gather;
  in_lo_ = in_lo;
  const auto slots = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(most)));
  mask_ = slots - 1;
  pitch_ = round_to_rows(gather.bytes() + ColumnGather::kSlack);
  rows_ = scratch.take<std::byte>(slots * pitch_);
  from_ = scratch.take<const std::byte*>(slots);
  std::fill_n(from_, slots, nullptr);
}

// Gathering a row prefetches one of the next output's rows.
void GatheredRows::rows(const Pull& pull, const void** rows) {
  const std::byte* source = pull.at.along(axis(), pull.first).source;
  for (int64_t k = 0; k < pull.count; ++k, source += axis().stride)
    rows[k] =
        row(source, pull.first + k, k < pull.prefetches ? static_cast<const std::byte*>(pull.prefetched[k]) : nullptr);
}

const std::byte* GatheredRows::row(const std::byte* source, int64_t j, const std::byte* prefetched) {
  const int64_t slot = j & mask_;
  std::byte* gathered = rows_ + slot * pitch_;
  if (from_[slot] == source) return gathered;
  from_[slot] = source;
  gather_->gather(source - in_lo_, gathered, prefetched == nullptr ? nullptr : prefetched - in_lo_);
  return gathered;
}

}  // namespace tesela::cpu
