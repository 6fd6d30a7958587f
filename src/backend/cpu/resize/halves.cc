// SPDX-License-Identifier: Apache-2.0
// Halves images of bytes, for each instruction set. Weights of a half and sums of four bytes are exact in every
// arithmetic, so that only the rounding of the sum differs: half to even, or half up in fixed point.
#include "backend/cpu/resize/halves.h"

#include <algorithm>

#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/box_rows.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/halves.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kHalfUp>
uint8_t MeanOfFour(int sum) {
  return static_cast<uint8_t>((sum + 1 + (kHalfUp ? 1 : (sum >> 2) & 1)) >> 2);
}

#if HWY_TARGET != HWY_SCALAR

// The sums of each two neighbouring bytes.
template <class D>
HWY_INLINE hn::Vec<hn::RepartitionToWide<D>> SumPairs(D d, hn::Vec<D> v) {
#if HWY_ARCH_X86
  if constexpr (hn::MaxLanes(d) == 16) return {_mm_maddubs_epi16(v.raw, _mm_set1_epi8(1))};
#if HWY_TARGET <= HWY_AVX2
  else
    return {_mm256_maddubs_epi16(v.raw, _mm256_set1_epi8(1))};
#endif
#else
  const hn::RepartitionToWide<D> wide;
  const auto both = hn::BitCast(wide, v);
  static_cast<void>(d);
  return hn::Add(hn::And(both, hn::Set(wide, 0xff)), hn::ShiftRight<8>(both));
#endif
}

// Whole vectors of outputs [i, n); returns the next output. Three channels leave a quarter of a vector unused.
template <int kChannels, bool kHalfUp, class D>
HWY_INLINE int64_t MeanVectors(D d, const uint8_t* top, const uint8_t* bottom, uint8_t* out, int64_t n, int64_t i) {
  constexpr auto kOutputs = static_cast<int64_t>(hn::MaxLanes(D()) / 2);
  constexpr int64_t kStep = kOutputs / kChannels * kChannels;
  const hn::RepartitionToWide<D> wide;
  const hn::RebindToSigned<decltype(wide)> is_signed;
  const hn::Rebind<uint8_t, decltype(wide)> narrow;
  // Brings the same channel of neighbouring pixels together.
  alignas(16) uint8_t together[16];
  for (int k = 0; k < 16; ++k)
    together[k] = static_cast<uint8_t>(k / 2 / kChannels * 2 * kChannels + k / 2 % kChannels + k % 2 * kChannels);
  const auto index = hn::LoadDup128(d, together);
  const auto pairs = [&](const uint8_t* row) HWY_ATTR {
    const auto v = hn::LoadU(d, row + 2 * i);
    return SumPairs(d, kChannels == 1 ? v : hn::TableLookupBytes(v, index));
  };
  const auto one = hn::Set(wide, uint16_t{1});
  for (; i + kOutputs <= n; i += kStep) {
    const auto sum = hn::Add(pairs(top), pairs(bottom));
    const auto odd = kHalfUp ? one : hn::And(hn::ShiftRight<2>(sum), one);
    const auto mean = hn::ShiftRight<2>(hn::Add(hn::Add(sum, one), odd));
    hn::StoreU(hn::DemoteTo(narrow, hn::BitCast(is_signed, mean)), narrow, out + i);
  }
  return i;
}

#endif

template <int kChannels, bool kHalfUp>
void MeanRow(const uint8_t* top, const uint8_t* bottom, uint8_t* out, int64_t n) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  if (kChannels != 3) i = MeanVectors<kChannels, kHalfUp>(hn::CappedTag<uint8_t, 32>(), top, bottom, out, n, i);
  i = MeanVectors<kChannels, kHalfUp>(hn::CappedTag<uint8_t, 16>(), top, bottom, out, n, i);
#endif
  for (; i < n; ++i) {
    const int64_t x = i / kChannels * 2 * kChannels + i % kChannels;
    out[i] = MeanOfFour<kHalfUp>(top[x] + top[x + kChannels] + bottom[x] + bottom[x + kChannels]);
  }
}

MeanRowFn GetMeanRow(int64_t channels, bool half_up) {
  static constexpr MeanRowFn kRows[][2] = {{MeanRow<1, false>, MeanRow<1, true>},
                                           {MeanRow<2, false>, MeanRow<2, true>},
                                           {MeanRow<3, false>, MeanRow<3, true>},
                                           {MeanRow<4, false>, MeanRow<4, true>}};
  return channels <= 4 ? kRows[channels - 1][half_up] : nullptr;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetMeanRow);

MeanRowFn find_halves(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  // Output i lies between inputs 2 i and 2 i + 1, the only ones with weights.
  const auto halves = [](const Pass& pass) {
    const AxisMap& map = pass.map;
    return map.positions == AxisMap::Positions::kRational && map.in == 2 * map.out && 2 * map.num0 == map.den &&
           map.step == 2 * map.den && map.sampling.filter == Filter::kLinear && !map.antialias;
  };
  if (plan.type != DataType::kUint8 || !layout.has_horizontal || work.passes.size() != 2 ||
      !std::all_of(work.passes.begin(), work.passes.end(), halves) || work.passes.front().rounds_sums)
    return nullptr;
  return HWY_DYNAMIC_DISPATCH(GetMeanRow)(layout.channels, work.fixed_point);
}

bool run_halves(const Plan& plan, const Layout& layout, MeanRowFn mean_row, const BoxRun& run) {
  const Extents& n = run.output.extents;
  const BoxRows box(plan, layout, run);
  if (box.out_numbers != n[layout.row_axis] * layout.channels) return false;
  const auto& passes = std::get<ResizePlan>(plan.work).passes;
  const size_t vertical = std::min(passes.front().axis, passes.back().axis);
  const int64_t rows = product(n) / box.out_numbers;
  const auto* const in = reinterpret_cast<const uint8_t*>(run.input.data);
  for (int64_t k = 0; k < rows; ++k) {
    int64_t from = (2 * run.output_lo[layout.row_axis] - run.input_lo[layout.row_axis]) * layout.channels;
    int64_t to = 0;
    int64_t rest = k;
    for (size_t d = layout.row_axis; d-- > 0; rest /= n[d]) {
      const int64_t at = rest % n[d];
      from += ((d == vertical ? 2 : 1) * (run.output_lo[d] + at) - run.input_lo[d]) * box.in_strides[d];
      to += at * box.out_strides[d];
    }
    if (run.watch != nullptr) run.watch->spend(box.out_numbers);
    mean_row(in + from, in + from + box.in_strides[vertical], reinterpret_cast<uint8_t*>(run.output.data) + to,
             box.out_numbers);
  }
  count_task(Kernel::halves);
  return true;
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
