// SPDX-License-Identifier: Apache-2.0
// Computes the tables of horizontal passes that read rows as bytes.
#include "backend/cpu/resize/horizontal_byte_tables.h"

#include <algorithm>
#include <utility>

#include "backend/cpu/resize/horizontal_kernels.h"

namespace tesela::cpu {
namespace {

class PairBuilder {
 public:
  PairBuilder(const HorizontalLine& line, HorizontalTable<int32_t>& out)
      : line_(line), out_(out), pairs_(out.byte_pairs) {
    const auto& counts = line.taps.count;
    const int32_t most = *std::max_element(counts.begin(), counts.end());
    pairs_.count = std::max<int64_t>((most + 1) / 2, 1);
    firsts_.reserve(static_cast<size_t>(out.n));
    for (size_t i = 0; i < counts.size(); ++i) {
      const int64_t first = counts[i] > 0 ? line.taps.first[i] - line.in_lo : 0;
      for (int64_t channel = 0; channel < out.channels; ++channel) firsts_.push_back(first * out.channels + channel);
    }
  }

  // Loads of few bytes are faster.
  HorizontalKernels<int32_t>::Run choose_kernel() {
    constexpr int64_t kBlock = BytePairs::kBytes / sizeof(int32_t);
    const int64_t last_tap = (2 * pairs_.count - 1) * out_.channels;
    for (const auto& [outputs, bytes] :
         {std::pair{out_.lanes, BytePairs::kBytes}, {kBlock, BytePairs::kBytes}, {out_.lanes, BytePairs::kWideBytes}}) {
      pairs_.outputs = outputs;
      pairs_.bytes = bytes;
      if (widest_firsts() + last_tap >= bytes) continue;
      if (const auto run = byte_pairs_kernel(pairs_)) return run;
    }
    return nullptr;
  }

  void build() {
    const auto padded = static_cast<size_t>((out_.n + out_.lanes - 1) / out_.lanes * out_.lanes);
    const auto numbers = padded * static_cast<size_t>(pairs_.count);
    pairs_.first.assign(padded / static_cast<size_t>(pairs_.outputs), 0);
    pairs_.index.resize(numbers * 4);
    pairs_.weight.resize(numbers);
    int64_t* first = pairs_.first.data();
    for (int64_t e = 0; e < out_.n; e += pairs_.outputs, ++first) {
      *first = lowest_first(e);
      out_.reach = std::max(out_.reach, *first + pairs_.bytes);
      for (int64_t lane = e; lane < load_end(e); ++lane) add_output(lane, firsts_[static_cast<size_t>(lane)] - *first);
    }
  }

 private:
  int64_t load_end(int64_t e) const { return std::min(e + pairs_.outputs, out_.n); }
  int64_t lowest_first(int64_t e) const {
    return *std::min_element(firsts_.begin() + e, firsts_.begin() + load_end(e));
  }

  // The furthest that the first input of an output is beyond the lowest one of its load.
  int64_t widest_firsts() const {
    int64_t widest = 0;
    for (int64_t e = 0; e < out_.n; e += pairs_.outputs)
      widest =
          std::max(widest, *std::max_element(firsts_.begin() + e, firsts_.begin() + load_end(e)) - lowest_first(e));
    return widest;
  }

  // offset: of the output's first input in the load. An absent tap has weight 0 and reads some byte of the load.
  void add_output(int64_t e, int64_t offset) {
    constexpr uint8_t kZero = 0x80;
    const int64_t at = e / out_.lanes * pairs_.count * out_.lanes + e % out_.lanes;
    uint8_t* index = pairs_.index.data() + at * 4;
    int32_t* weight = pairs_.weight.data() + at;
    const int64_t i = e / out_.channels;
    const double* const weights = line_.taps.row(i);
    const int32_t count = line_.taps.count[static_cast<size_t>(i)];
    const auto bits = [&](int32_t k) {
      return k < count ? static_cast<uint32_t>(static_cast<int32_t>(weights[k])) & 0xffff : 0;
    };
    for (int32_t k = 0; k < 2 * pairs_.count; k += 2, index += out_.lanes * 4, weight += out_.lanes) {
      index[0] = static_cast<uint8_t>(offset + k * out_.channels);
      index[1] = kZero;
      index[2] = static_cast<uint8_t>(offset + (k + 1) * out_.channels);
      index[3] = kZero;
      *weight = static_cast<int32_t>(bits(k + 1) << 16 | bits(k));
    }
  }

  const HorizontalLine& line_;
  HorizontalTable<int32_t>& out_;
  BytePairs& pairs_;
  std::vector<int64_t> firsts_;  // each output's first input, from the row's beginning
};

}  // namespace

bool fit_16_bits(const AxisTable& taps) {
  return std::all_of(taps.weights.begin(), taps.weights.end(),
                     [](double weight) { return weight >= INT16_MIN && weight <= INT16_MAX; });
}

bool build_byte_pairs(const HorizontalLine& line, HorizontalTable<int32_t>& out) {
  PairBuilder builder(line, out);
  const HorizontalKernels<int32_t>::Run run = builder.choose_kernel();
  if (run == nullptr) return false;
  builder.build();
  out.kind = HorizontalKind::kBytePairs;
  out.segments.push_back({0, 1, 1, {run, run}});
  return true;
}

bool build_byte_windows(const HorizontalLine& line, HorizontalTable<int32_t>& out) {
  const AxisTable& taps = line.taps;
  const int64_t pitch = (taps.pitch + kBytesWindow - 1) / kBytesWindow * kBytesWindow;
  const HorizontalKernels<int32_t>::Run run = bytes_kernel(pitch);
  if (run == nullptr || out.channels > 1) return false;
  out.kind = HorizontalKind::kBytes;
  out.pitch = pitch;
  const auto all = static_cast<size_t>((out.n + kBytesOutputs - 1) / kBytesOutputs * kBytesOutputs);
  out.first.resize(all);
  out.short_weights.resize(all * static_cast<size_t>(pitch));
  for (int64_t i = 0; i < out.n; ++i) {
    const auto at = static_cast<size_t>(i);
    out.first[at] = taps.count[at] > 0 ? taps.first[at] - line.in_lo : 0;
    std::transform(taps.row(i), taps.row(i) + taps.count[at], out.short_weights.begin() + i * pitch,
                   [](double weight) { return static_cast<int16_t>(weight); });
    out.reach = std::max(out.reach, out.first[at] + pitch);
  }
  out.segments.push_back({0, 1, 1, {run, run}});
  return true;
}

}  // namespace tesela::cpu
