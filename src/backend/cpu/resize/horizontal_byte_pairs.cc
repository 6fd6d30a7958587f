// SPDX-License-Identifier: Apache-2.0
// Resamples along rows of bytes in fixed point: looks up two taps of each output at a time, for each instruction set.
#include <algorithm>
#include <utility>

#include "backend/cpu/resize/horizontal_kernels.h"

#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/horizontal_byte_pairs.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

#if HWY_TARGET != HWY_SCALAR

using Sums = hn::ScalableTag<int32_t>;
using VSums = hn::Vec<Sums>;
using Bytes = hn::Repartition<uint8_t, Sums>;
using VBytes = hn::Vec<Bytes>;

constexpr auto kLanes = static_cast<int64_t>(hn::MaxLanes(Sums()));

// The bytes that contain the inputs of a vector of outputs. kOne: sixteen; kBlocks: sixteen for each four outputs; kWide:
// two vectors.
enum class Held { kOne, kBlocks, kWide };

template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const uint8_t* row, const int64_t* first) {
  if constexpr (hn::MaxLanes(D()) == BytePairs::kBytes) {
    return hn::LoadU(d, row + *first);
  } else {
    const hn::Half<D> half;
    constexpr auto kHalf = static_cast<int64_t>(hn::MaxLanes(half)) / BytePairs::kBytes;
    return hn::Combine(d, LoadBlocks(half, row, first + kHalf), LoadBlocks(half, row, first));
  }
}

template <Held kHeld>
class Inputs {
 public:
  HWY_INLINE Inputs(const uint8_t* row, const int64_t* first)
      : bytes_(kHeld == Held::kOne ? hn::LoadDup128(Bytes(), row + *first) : LoadBlocks(Bytes(), row, first)) {}
  // Each lane's two numbers.
  HWY_INLINE VSums at(VBytes index) const { return hn::BitCast(Sums(), hn::TableLookupBytesOr0(bytes_, index)); }

 private:
  VBytes bytes_;
};

#if HWY_TARGET <= HWY_AVX3_DL
template <>
class Inputs<Held::kWide> {
 public:
  HWY_INLINE Inputs(const uint8_t* row, const int64_t* first)
      : low_(hn::LoadU(Bytes(), row + *first)), high_(hn::LoadU(Bytes(), row + *first + BytePairs::kWideBytes / 2)) {}
  HWY_INLINE VSums at(VBytes index) const {
    constexpr __mmask64 kNumbers = 0x5555555555555555;
    return VSums{_mm512_maskz_permutex2var_epi8(kNumbers, low_.raw, index.raw, high_.raw)};
  }

 private:
  VBytes low_, high_;
};
#endif

// The taps of a vector of outputs, in registers.
template <Held kHeld, size_t kPairs>
class Pairs {
 public:
  HWY_INLINE Pairs(const BytePairs& pairs, int64_t vector) {
    std::copy_n(pairs.first.data() + vector * int64_t{kLoads}, kLoads, first_);
    const uint8_t* index = pairs.index.data() + vector * kNumbers * 4;
    const int32_t* weight = pairs.weight.data() + vector * kNumbers;
    for (size_t k = 0; k < kPairs; ++k, index += 4 * kLanes, weight += kLanes) {
      index_[k] = hn::LoadU(Bytes(), index);
      weight_[k] = hn::LoadU(Sums(), weight);
    }
  }
  HWY_INLINE VSums sum(const uint8_t* row) const {
    const Sums d;
    const Inputs<kHeld> inputs(row, first_);
    auto sum = AddedProducts(d, inputs.at(index_[0]), weight_[0]);
    for (size_t k = 1; k < kPairs; ++k) sum = hn::Add(sum, AddedProducts(d, inputs.at(index_[k]), weight_[k]));
    return sum;
  }

 private:
  static constexpr size_t kLoads = kHeld == Held::kBlocks ? kLanes * 4 / BytePairs::kBytes : 1;
  static constexpr int64_t kNumbers = static_cast<int64_t>(kPairs) * kLanes;
  int64_t first_[kLoads];
  VBytes index_[kPairs];
  VSums weight_[kPairs];
};

// Rows share the taps of a vector of outputs.
template <Held kHeld, size_t kPairs>
void RunPairs(const HorizontalTable<int32_t>& table, const HorizontalTable<int32_t>::Segment& /*segment*/,
              const HorizontalRows<int32_t>& rows) {
  const Sums d;
  const Rounder<int32_t, Sums> rounder(d, table.rounding);
  const auto bytes_of = [&](int64_t r) HWY_ATTR { return reinterpret_cast<const uint8_t*>(rows.in[r]); };
  const int64_t count = rows.count;
  int64_t i = 0;
  for (; i + kLanes <= table.n; i += kLanes) {
    const Pairs<kHeld, kPairs> pairs(table.byte_pairs, i / kLanes);
    for (int64_t r = 0; r < count; ++r) rounder.store(d, pairs.sum(bytes_of(r)), rows.out[r] + i);
  }
  if (i == table.n) return;
  const Pairs<kHeld, kPairs> pairs(table.byte_pairs, i / kLanes);
  for (int64_t r = 0; r < count; ++r) StoreFirst(d, pairs.sum(bytes_of(r)), table.n - i, rounder, rows.out[r] + i);
}

// Of so many pairs indices and weights stay in registers, or close.
constexpr size_t kMostPairs = HWY_TARGET <= HWY_AVX3 ? 12 : 8;

template <Held kHeld, size_t... kCounts>
HorizontalKernels<int32_t>::Run ChooseCount(int64_t count, std::index_sequence<kCounts...> /*counts*/) {
  constexpr HorizontalKernels<int32_t>::Run kRuns[] = {RunPairs<kHeld, kCounts + 1>...};
  return count <= static_cast<int64_t>(kMostPairs) ? kRuns[count - 1] : nullptr;
}

HorizontalKernels<int32_t>::Run GetBytePairs(const BytePairs& pairs) {
  constexpr std::make_index_sequence<kMostPairs> kCounts;
#if HWY_TARGET <= HWY_AVX3_DL
  if (pairs.bytes == BytePairs::kWideBytes) return ChooseCount<Held::kWide>(pairs.count, kCounts);
#endif
  if (pairs.bytes == BytePairs::kWideBytes) return nullptr;
  if (pairs.outputs == kLanes) return ChooseCount<Held::kOne>(pairs.count, kCounts);
  return ChooseCount<Held::kBlocks>(pairs.count, kCounts);
}

#else

HorizontalKernels<int32_t>::Run GetBytePairs(const BytePairs& /*pairs*/) {
  return nullptr;
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetBytePairs);

HorizontalKernels<int32_t>::Run byte_pairs_kernel(const BytePairs& pairs) {
  return HWY_DYNAMIC_DISPATCH(GetBytePairs)(pairs);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
