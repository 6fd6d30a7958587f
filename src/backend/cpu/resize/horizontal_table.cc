// SPDX-License-Identifier: Apache-2.0
// Computes the tables of horizontal passes, and binds kernels to them.
#include "backend/cpu/resize/horizontal_table.h"

#include <algorithm>
#include <span>

#include "backend/cpu/resize/horizontal_byte_tables.h"
#include "backend/cpu/resize/horizontal_kernels.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu {
namespace {

struct Lane {
  int64_t first = 0;  // input number of its first tap, from the row's beginning
  int32_t count = 0;
  const double* weights = nullptr;
};

/// The inputs of a vector of outputs.
struct Span {
  int64_t lowest = INT64_MAX;
  int64_t last_first = 0;
  int64_t last_tap = 0;
  int32_t taps = 0;
};

template <class C>
class Builder {
 public:
  Builder(const HorizontalLine& line, HorizontalTable<C>& out)
      : line_(line), out_(out), different_(out.n / line.copies % out.lanes == 0 ? out.n / line.copies : out.n) {
    const int64_t all = (different_ + out.lanes - 1) / out.lanes * out.lanes;
    keeps_lanes_ = all <= kKeptLanes;
    lanes_.resize(static_cast<size_t>(keeps_lanes_ ? all : out.lanes));
    block_ = lanes_.begin();
  }

  void choose_kind(bool few_rows) {
    int64_t widest_window = 0;
    int64_t widest_firsts = 0;
    int32_t taps = 0;
    for (int64_t e = 0; e < different_; e += out_.lanes) {
      find_lanes(e);
      const Span span = span_of_lanes();
      spans_.push_back(span);
      widest_window = std::max(widest_window, span.last_tap - span.lowest + 1);
      widest_firsts = std::max(widest_firsts, span.last_first - span.lowest + 1);
      taps = std::max(taps, span.taps);
    }
    if (out_.lanes == 1)
      out_.kind = HorizontalKind::kGather;  // no lookups with one lane
    else if (widest_window <= 2 * out_.lanes)
      out_.kind = HorizontalKind::kWindow;
    else if (widest_firsts <= 2 * out_.lanes && taps <= kMaxShiftedTaps)
      out_.kind = HorizontalKind::kShifted;
    else if (widest_firsts <= 4 * out_.lanes && (few_rows || taps <= most_taps_of_four(widest_window)))
      out_.kind = HorizontalKind::kFour;
    else
      out_.kind = taps > kMaxGathered && !few_rows ? HorizontalKind::kTransposed : HorizontalKind::kGather;
    // A lookup in two vectors of less than 512 bits takes several operations.
    looks_up_ = out_.kind == HorizontalKind::kWindow && (widest_window <= out_.lanes || taps <= 2 || out_.lanes > 8);
  }

  /// Whether lookups are faster than sums of bytes.
  bool looks_up() const { return looks_up_; }

  void build_blocks() {
    int64_t rows = 0;
    for (const Span& span : spans_) rows += std::max(span.taps, 1);
    out_.blocks.reserve(static_cast<size_t>((out_.n + out_.lanes - 1) / out_.lanes));
    out_.weight.resize(static_cast<size_t>(rows * out_.lanes));
    const size_t of_blocks = spans_.size() * static_cast<size_t>(out_.lanes);
    if (out_.kind == HorizontalKind::kGather) {
      out_.gathered.resize(kIs16Bit<C> ? of_blocks : out_.weight.size());
      build_blocks_with(out_.gathered);
    } else {
      out_.index.resize(of_blocks);
      build_blocks_with(out_.index);
    }
    const auto is_before = [](const Span& a, const Span& b) { return a.lowest < b.lowest; };
    const bool reads_first = out_.kind == HorizontalKind::kGather;  // for lanes without taps
    if (!reads_first && !spans_.empty()) out_.begin = std::min_element(spans_.begin(), spans_.end(), is_before)->lowest;
    if (different_ < out_.n) copy_blocks();
  }

  void bind_kernels() {
    const HorizontalKernels<C> kernels = horizontal_kernels<C>();
    const auto& blocks = out_.blocks;
    int64_t in_runs = 0;
    for (size_t b = 0; b < blocks.size();) {
      Segment segment = {b, 1, alike_from(b), {kernels.choose(out_, b, false), kernels.choose(out_, b, true)}};
      if (segment.alike >= kMinAlike)
        in_runs += segment.alike;
      else
        segment.alike = 1;
      b += static_cast<size_t>(segment.alike);
      Segment* last = out_.segments.empty() ? nullptr : &out_.segments.back();
      if (segment.alike == 1 && last != nullptr && last->alike == 1 && last->run[0] == segment.run[0])
        ++last->groups;
      else
        out_.segments.push_back(segment);
    }
    out_.in_runs = 2 * in_runs > static_cast<int64_t>(blocks.size());
    if (out_.in_runs && out_.kind == HorizontalKind::kWindow) out_.run_taps = taps_of_runs();
  }

 private:
  using Segment = typename HorizontalTable<C>::Segment;
  using Block = typename HorizontalTable<C>::Block;
  // Doubles are not transposed, and 16-bit numbers have no transposed kernel.
  static constexpr int64_t kKeptLanes = 64;
  static constexpr int32_t kMaxGathered = sizeof(C) == 4 ? 1 : kIs16Bit<C> ? INT32_MAX : 4;

  // window: the inputs of a block, at most.
  int32_t most_taps_of_four(int64_t window) const {
    const HorizontalKernels<C> kernels = horizontal_kernels<C>();
    return window <= 4 * out_.lanes ? kernels.most_taps_of_four_held : kernels.most_taps_of_four;
  }

  // Whether each tap has indices of its own.
  bool gathers() const { return out_.kind == HorizontalKind::kGather && !kIs16Bit<C>; }

  template <class I>
  struct Rows {
    C* weights;
    I* indices;
  };

  template <class I>
  void build_blocks_with(std::vector<I>& index) {
    Rows<I> at = {out_.weight.data(), index.data()};
    for (size_t b = 0; b < spans_.size(); ++b) {
      Block& block = out_.blocks.emplace_back();
      block.weight_at = at.weights - out_.weight.data();
      block.index_at = at.indices - index.data();
      at = build_block(static_cast<int64_t>(b) * out_.lanes, spans_[b], block, at);
    }
  }

  // Returns the beginning of the next block's rows.
  template <class I>
  Rows<I> build_block(int64_t e, const Span& span, Block& block, Rows<I> at) {
    block.base = span.lowest;
    block.taps = span.taps;
    block.narrow = span.last_tap - span.lowest < out_.lanes;
    const int64_t vectors = out_.kind == HorizontalKind::kFour ? 4 : 2;
    const int64_t beyond = vectors * out_.lanes - 1 - (span.last_first - span.lowest);
    block.taps_per_load =
        static_cast<int16_t>(std::clamp<int64_t>(beyond / out_.channels + 1, 1, std::max(span.taps, 1)));
    const int64_t present_lanes = std::min(out_.lanes, out_.n - e);
    if (keeps_lanes_)
      block_ = lanes_.begin() + e;
    else
      find_lanes(e);
    const std::span<const Lane> lanes(block_, static_cast<size_t>(out_.lanes));
    const int32_t rows = std::max(block.taps, 1);
    bool full = true;
    for (int32_t k = 0; k < rows; ++k)
      for (const Lane& lane : lanes) {
        const double weight = k < lane.count ? lane.weights[k] : 0;
        // Lanes beyond the last output repeat it, including absent taps.
        full &= weight != 0 || &lane - block_ >= present_lanes;
        *at.weights++ = static_cast<C>(weight);
      }
    // A gather reads every lane, so an absent tap points to an existing input.
    for (int32_t k = 0; k < (gathers() ? rows : 1); ++k)
      for (const Lane& lane : lanes)
        *at.indices++ = static_cast<I>(lane.first + (k < lane.count ? k * out_.channels : 0) - span.lowest);
    block.full = full || std::is_integral_v<C>;
    const int64_t window = gathers() ? 1 : vectors * out_.lanes + (block.taps - 1) * out_.channels;
    out_.reach = std::max(out_.reach, block.base + window);
    return at;
  }

  // Other copies of the axis have the same blocks at other inputs.
  void copy_blocks() {
    const int64_t step = line_.in_n * out_.channels;
    const auto all = static_cast<size_t>(out_.n / out_.lanes);
    for (size_t b = 0; out_.blocks.size() < all; ++b) out_.blocks.emplace_back(out_.blocks[b]).base += step;
    out_.reach += (line_.copies - 1) * step;
  }

  // The output's lanes starting at e; lanes beyond its end repeat the last one.
  void find_lanes(int64_t e) {
    // Local copies, because lanes may alias what they are made from.
    const int64_t* const firsts = line_.taps.first.data();
    const int32_t* const counts = line_.taps.count.data();
    const auto outputs = static_cast<int64_t>(line_.taps.first.size());
    const int64_t channels = out_.channels;
    const int64_t n = out_.n;
    int64_t i = e / channels;
    int64_t channel = e % channels;
    int64_t in_lo = line_.in_lo - i / outputs * line_.in_n;
    i %= outputs;
    if (keeps_lanes_) block_ = lanes_.begin() + e;
    for (Lane *lane = block_, *end = block_ + out_.lanes; lane != end; ++lane) {
      // An extrapolated output has no taps, but its reads must stay inside the row.
      const int64_t first = counts[i] > 0 ? firsts[i] - in_lo : 0;
      *lane = {first * channels + channel, counts[i], line_.taps.row(i)};
      if (++e >= n || ++channel < channels) continue;
      channel = 0;
      if (++i < outputs) continue;
      i = 0;
      in_lo -= line_.in_n;
    }
  }

  Span span_of_lanes() const {
    Span span;
    for (const Lane& at : std::span(block_, static_cast<size_t>(out_.lanes))) {
      if (at.count == 0) continue;
      span.lowest = std::min(span.lowest, at.first);
      span.last_first = std::max(span.last_first, at.first);
      span.last_tap = std::max(span.last_tap, at.first + (at.count - 1) * out_.channels);
      span.taps = std::max(span.taps, at.count);
    }
    if (span.lowest == INT64_MAX) span.lowest = 0;
    return span;
  }

  // 0: runs differ, or two vectors contain the inputs of a block.
  int32_t taps_of_runs() const {
    int32_t taps = 0;
    for (const auto& block : out_.blocks)
      if (!block.narrow) return 0;
    for (const Segment& segment : out_.segments) {
      if (segment.alike == 1) continue;
      const int32_t found = out_.blocks[segment.block].taps;
      if (taps != 0 && taps != found) return 0;
      taps = found;
    }
    return taps;
  }

  // The number of blocks, starting at b, that differ only in evenly spaced bases.
  int64_t alike_from(size_t b) const {
    const auto& blocks = out_.blocks;
    size_t end = b + 1;
    while (end < blocks.size() && same_rows(blocks[b], blocks[end]) &&
           blocks[end].base - blocks[end - 1].base == blocks[b + 1].base - blocks[b].base)
      ++end;
    return static_cast<int64_t>(end - b);
  }

  bool same_rows(const Block& a, const Block& b) const {
    if (a.taps != b.taps || !a.full || !b.full || a.narrow != b.narrow || a.taps_per_load != b.taps_per_load)
      return false;
    if (a.weight_at == b.weight_at) return true;
    const auto n = static_cast<std::ptrdiff_t>(std::max(a.taps, 1) * out_.lanes);
    const auto weight = out_.weight.begin();
    return std::equal(weight + a.weight_at, weight + a.weight_at + n, weight + b.weight_at) &&
           (out_.kind == HorizontalKind::kGather ? same_indices(out_.gathered, a, b, gathers() ? n : out_.lanes)
                                                 : same_indices(out_.index, a, b, out_.lanes));
  }

  template <class I>
  static bool same_indices(const std::vector<I>& index, const Block& a, const Block& b, int64_t n) {
    return std::equal(index.begin() + a.index_at, index.begin() + a.index_at + n, index.begin() + b.index_at);
  }

  const HorizontalLine& line_;
  HorizontalTable<C>& out_;
  int64_t different_;  // outputs before their blocks repeat
  bool looks_up_ = false;
  bool keeps_lanes_ = false;  // of all blocks, so that they are found once
  SmallVector<Lane, kKeptLanes> lanes_;
  Lane* block_ = nullptr;       // the current block's
  SmallVector<Span, 8> spans_;  // of each block
};

template <class C>
void build_by_output(const HorizontalLine& line, HorizontalTable<C>& out) {
  const AxisTable& taps = line.taps;
  const auto copies = static_cast<size_t>(line.copies);
  const int64_t channels = line.channels;
  const size_t outputs = taps.first.size();
  out.pitch = taps.pitch;
  out.first.resize(copies * outputs);
  out.count.resize(copies * outputs);
  out.weights.resize(copies * taps.weights.size());
  out.present.resize(copies * outputs);
  int64_t* first = out.first.data();
  int32_t* count = out.count.data();
  C* weights = out.weights.data();
  for (int64_t in_lo = line.in_lo; count != out.count.data() + out.count.size(); in_lo -= line.in_n) {
    for (size_t i = 0; i < outputs; ++i) *first++ = taps.count[i] > 0 ? (taps.first[i] - in_lo) * channels : 0;
    count = std::copy(taps.count.begin(), taps.count.end(), count);
    for (const double weight : taps.weights) *weights++ = static_cast<C>(weight);
  }
  const C* row = out.weights.data();
  for (size_t i = 0; i < out.present.size(); ++i, row += out.pitch) {
    const C* const end = row + out.count[i];
    out.present[i] = static_cast<uint8_t>(std::find(row, end, C{0}) == end ? std::min(out.count[i], 255) : 0);
  }
}

// The input numbers of outputs [lo, hi), in whole vectors. Outputs without taps read the first ones.
template <class C>
IndexRange numbers_of_chunk(HorizontalTable<C>& out, size_t lo, size_t hi) {
  int64_t first = INT64_MAX;
  int64_t end = out.lanes;
  for (size_t i = lo; i < hi; ++i) {
    if (out.count[i] == 0) continue;
    first = std::min(first, out.first[i]);
    end = std::max(end, out.first[i] + out.count[i] * out.channels);
  }
  first = first == INT64_MAX ? 0 : first / out.lanes * out.lanes;
  for (size_t i = lo; i < hi; ++i)
    if (out.count[i] == 0) out.first[i] = first;
  return {first, (end - first + out.lanes - 1) / out.lanes * out.lanes};
}

// As many outputs as keep their columns in the L1 cache, in whole vectors.
template <class C>
void build_chunks(HorizontalTable<C>& out) {
  constexpr auto kMost = kTransposedChunk / static_cast<int64_t>(sizeof(C));
  const auto outputs = static_cast<int64_t>(out.first.size());
  const int64_t of_sums = kMost / (out.lanes * out.lanes * out.channels);
  const int64_t of_columns = kMost / out.lanes * outputs / out.reach / out.lanes;
  out.chunk = std::max(std::min(of_sums, of_columns), int64_t{1}) * out.lanes;
  for (int64_t lo = 0; lo < outputs; lo += out.chunk)
    out.chunks.push_back(
        numbers_of_chunk(out, static_cast<size_t>(lo), static_cast<size_t>(std::min(lo + out.chunk, outputs))));
}

// Whether vectors of channels waste few lanes.
bool fills_vectors(int64_t channels, int64_t lanes) {
  return lanes > 1 && (channels > lanes || kMaxPadding * channels >= lanes * (kMaxPadding - 1));
}

template <class C>
void build_by_channels(const HorizontalLine& line, HorizontalTable<C>& out) {
  out.kind = HorizontalKind::kChannels;
  build_by_output(line, out);
  int64_t last_tap = 0;
  for (size_t i = 0; i < out.first.size(); ++i)
    last_tap = std::max(last_tap, out.first[i] + std::max(out.count[i] - 1, 0) * line.channels);
  out.reach = std::max(out.reach, last_tap + (out.channels + out.lanes - 1) / out.lanes * out.lanes);
  out.segments.push_back({0, 1, 1, {channels_kernel<C>(out.channels, false), channels_kernel<C>(out.channels, true)}});
}

}  // namespace

template <class C>
void make_horizontal_table(const HorizontalLine& line, const Rounding& rounding, HorizontalTable<C>& out) {
  out.rounding = rounding;
  out.lanes = horizontal_kernels<C>().lanes;
  out.channels = line.channels;
  out.n = static_cast<int64_t>(line.taps.first.size()) * line.channels * line.copies;
  out.reach = line.in_n * line.channels * line.copies;
  if (fills_vectors(line.channels, out.lanes)) {
    build_by_channels(line, out);
    return;
  }
  const bool of_bytes = line.of_bytes && fit_16_bits(line.taps);
  if constexpr (std::is_same_v<C, int32_t>)
    if (of_bytes && build_byte_pairs(line, out)) return;
  Builder<C> builder(line, out);
  builder.choose_kind(line.few_rows);
  if constexpr (std::is_same_v<C, int32_t>)
    if (of_bytes && !builder.looks_up() && build_byte_windows(line, out)) return;
  if (out.kind == HorizontalKind::kTransposed) {
    build_by_output(line, out);
    // Only whole tiles are transposed.
    out.reach = (out.reach + out.lanes - 1) / out.lanes * out.lanes;
    build_chunks(out);
    out.segments.push_back({0, 1, 1, {transposed_kernel<C>(), transposed_kernel<C>()}});
    return;
  }
  builder.build_blocks();
  builder.bind_kernels();
}

#define TESELA_INSTANTIATE(C) \
  template void make_horizontal_table(const HorizontalLine&, const Rounding&, HorizontalTable<C>&);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
