// Line tables: one axis' taps, laid out for vectors.
#include <algorithm>
#include <type_traits>

#include "backend/cpu/lines.h"

namespace tesela::cpu {
namespace {

// Blocks as wide as this in taps are cheaper as sums over transposed rows than as lookups.
constexpr int32_t kMostShiftedTaps = 16;

struct Lane {
  int64_t first = 0;   // input number of its first tap, from the row's begin
  int32_t count = 0;
  const double* weights = nullptr;
};

/// Inputs that a vector of outputs takes.
struct Span {
  int64_t lowest = INT64_MAX;
  int64_t last_first = 0;
  int64_t last_tap = 0;
  int32_t taps = 0;
};

template <class C>
class Builder {
 public:
  Builder(const AxisTable& table, int64_t in_lo, LineTable<C>& out)
      : table_(table), in_lo_(in_lo), out_(out), lanes_(static_cast<size_t>(out.lanes)) {}

  void choose_kind() {
    int64_t widest_window = 0;
    int64_t widest_firsts = 0;
    int32_t taps = 0;
    for (int64_t e = 0; e < out_.n; e += out_.lanes) {
      find_lanes(e);
      const Span span = span_of_lanes();
      spans_.push_back(span);
      widest_window = std::max(widest_window, span.last_tap - span.lowest + 1);
      widest_firsts = std::max(widest_firsts, span.last_first - span.lowest + 1);
      taps = std::max(taps, span.taps);
    }
    if (out_.lanes == 1)
      out_.kind = LineKind::kGather;  // nothing to look up in
    else if (widest_window <= 2 * out_.lanes)
      out_.kind = LineKind::kWindow;
    else if (widest_firsts <= 2 * out_.lanes && taps <= kMostShiftedTaps)
      out_.kind = LineKind::kShifted;
    else
      out_.kind = taps > kMostGathered ? LineKind::kBlock : LineKind::kGather;
  }

  void build_blocks() {
    int64_t rows = 0;
    for (const Span& span : spans_) rows += std::max(span.taps, 1);
    out_.blocks.reserve(spans_.size());
    out_.weight.resize(static_cast<size_t>(rows * out_.lanes));
    out_.index.resize(out_.weight.size());
    int64_t at = 0;
    for (size_t b = 0; b < spans_.size(); ++b) at = build_block(static_cast<int64_t>(b) * out_.lanes, spans_[b], at);
  }

  void find_wide() {
    for (int64_t e = 0; e < out_.n; ++e) {
      if (e % out_.lanes == 0) find_lanes(e);
      const Lane& lane = lanes_[static_cast<size_t>(e % out_.lanes)];
      if (std::all_of(lane.weights, lane.weights + lane.count, fits_number<C>)) continue;
      out_.wide.push_back({e, lane.first, lane.count, out_.wide_weights.size()});
      for (int32_t k = 0; k < lane.count; ++k)
        out_.wide_weights.push_back(static_cast<WideNumber<C>>(lane.weights[k]));
    }
  }

  void find_runs() {
    const auto& blocks = out_.blocks;
    out_.run.assign(blocks.size(), 1);
    for (size_t b = blocks.size(); b-- > 1;) {
      if (!same_rows(blocks[b - 1], blocks[b])) continue;
      const bool evenly = out_.run[b] == 1 || blocks[b].base - blocks[b - 1].base == blocks[b + 1].base - blocks[b].base;
      if (evenly) out_.run[b - 1] = out_.run[b] + 1;
    }
    const auto long_ones = std::count_if(out_.run.begin(), out_.run.end(), [](int32_t run) { return run >= kLongRun; });
    out_.in_runs = 2 * long_ones > static_cast<int64_t>(blocks.size());
  }

 private:
  static constexpr bool kIsShort = sizeof(C) == 2;
  // Doubles are not transposed, and shorts have no sums of columns.
  static constexpr int32_t kMostGathered = sizeof(C) == 4 ? 1 : kIsShort ? INT32_MAX : 4;

  // Returns where the rows of the next block begin.
  int64_t build_block(int64_t e, const Span& span, int64_t at) {
    typename LineTable<C>::Block& block = out_.blocks.emplace_back();
    block.base = span.lowest;
    block.taps = span.taps;
    block.narrow = span.last_tap - span.lowest < out_.lanes;
    const int64_t beyond = 2 * out_.lanes - 1 - (span.last_first - span.lowest);
    block.hold = static_cast<int32_t>(std::clamp<int64_t>(beyond / out_.channels + 1, 1, std::max(span.taps, 1)));
    block.at = at;
    const bool gathers = out_.kind == LineKind::kGather && !kIsShort;
    const int64_t present_lanes = std::min(out_.lanes, out_.n - e);
    find_lanes(e);
    for (int32_t k = 0; k < std::max(block.taps, 1); ++k)
      for (int64_t lane = 0; lane < out_.lanes; ++lane, ++at) {
        const Lane& from = lanes_[static_cast<size_t>(lane)];
        const bool present = k < from.count;
        const double weight = present ? from.weights[k] : 0;
        // Lanes beyond the last output repeat it, absent taps and all.
        if (weight == 0 && lane < present_lanes && !kIsShort) block.full = false;
        out_.weight[static_cast<size_t>(at)] = to_number<C>(weight);
        // A gather reads every lane, so an absent tap points at one that is there.
        const int64_t tap = gathers && !present ? from.first : from.first + k * out_.channels;
        out_.index[static_cast<size_t>(at)] =
            static_cast<typename LineTable<C>::Index>(gathers ? tap : from.first - span.lowest);
      }
    const int64_t window = gathers ? 1 : 2 * out_.lanes + (block.taps - 1) * out_.channels;
    out_.reach = std::max(out_.reach, block.base + window);
    return at;
  }

  // Lanes e and on of the output; those beyond its end are its last one.
  void find_lanes(int64_t e) {
    auto i = static_cast<size_t>(e / out_.channels);
    int64_t channel = e % out_.channels;
    for (Lane& lane : lanes_) {
      const int32_t count = table_.count[i];
      // An extrapolated output has no taps; whatever it reads must be there to be read.
      const int64_t first = count > 0 ? table_.first[i] - in_lo_ : 0;
      lane = {first * out_.channels + channel, count, table_.row(static_cast<int64_t>(i))};
      if (++e >= out_.n || ++channel < out_.channels) continue;
      channel = 0;
      ++i;
    }
  }

  Span span_of_lanes() const {
    Span span;
    for (const Lane& at : lanes_) {
      if (at.count == 0) continue;
      span.lowest = std::min(span.lowest, at.first);
      span.last_first = std::max(span.last_first, at.first);
      span.last_tap = std::max(span.last_tap, at.first + (at.count - 1) * out_.channels);
      span.taps = std::max(span.taps, at.count);
    }
    if (span.lowest == INT64_MAX) span.lowest = 0;
    return span;
  }

  bool same_rows(const typename LineTable<C>::Block& a, const typename LineTable<C>::Block& b) const {
    if (a.taps != b.taps || !a.full || !b.full || a.narrow != b.narrow || a.hold != b.hold) return false;
    const auto n = static_cast<std::ptrdiff_t>(std::max(a.taps, 1) * out_.lanes);
    const auto weight = out_.weight.begin();
    const auto index = out_.index.begin();
    return std::equal(weight + a.at, weight + a.at + n, weight + b.at) &&
           std::equal(index + a.at, index + a.at + n, index + b.at);
  }

  const AxisTable& table_;
  int64_t in_lo_;
  LineTable<C>& out_;
  SmallVector<Lane, 16> lanes_;  // of the block that is looked at
  SmallVector<Span, 8> spans_;   // of each block
};

template <class C>
void build_by_output(const AxisTable& table, int64_t in_lo, LineTable<C>& out) {
  out.pitch = table.pitch;
  out.count.assign(table.count.begin(), table.count.end());
  for (size_t i = 0; i < table.first.size(); ++i)
    out.first.push_back(table.count[i] > 0 ? (table.first[i] - in_lo) * out.channels : 0);
  for (const double weight : table.weights) out.weights.push_back(static_cast<C>(weight));
}

}  // namespace

template <class C>
LineTable<C> make_line_table(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t channels, int64_t lanes) {
  LineTable<C> out;
  out.lanes = lanes;
  out.channels = channels;
  out.n = static_cast<int64_t>(table.first.size()) * channels;
  Builder<C> builder(table, in_lo, out);
  builder.choose_kind();
  if (out.kind == LineKind::kBlock) {
    build_by_output(table, in_lo, out);
    // Tiles of rows are transposed whole.
    out.reach = (in_n * channels + lanes - 1) / lanes * lanes;
    return out;
  }
  builder.build_blocks();
  builder.find_runs();
  if constexpr (std::is_same_v<C, int16_t>) builder.find_wide();
  out.reach = std::max(out.reach, in_n * channels);
  return out;
}

template LineTable<float> make_line_table(const AxisTable&, int64_t, int64_t, int64_t, int64_t);
template LineTable<double> make_line_table(const AxisTable&, int64_t, int64_t, int64_t, int64_t);
template LineTable<uint16_t> make_line_table(const AxisTable&, int64_t, int64_t, int64_t, int64_t);
template LineTable<int16_t> make_line_table(const AxisTable&, int64_t, int64_t, int64_t, int64_t);

template <class C>
int64_t line_scratch(const LineTable<C>& table) {
  if (table.kind != LineKind::kBlock || sizeof(C) != 4) return 0;
  // The transposed rows, then a tile of outputs.
  return table.reach * table.lanes + (table.n + table.lanes) * table.lanes;
}

template int64_t line_scratch(const LineTable<float>&);
template int64_t line_scratch(const LineTable<double>&);
template int64_t line_scratch(const LineTable<uint16_t>&);
template int64_t line_scratch(const LineTable<int16_t>&);

}  // namespace tesela::cpu
