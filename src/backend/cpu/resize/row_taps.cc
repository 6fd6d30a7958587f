// SPDX-License-Identifier: Apache-2.0
// Weighted rows added to partial sums, for each instruction set.
#include "backend/cpu/resize/row_taps.h"

#define TESELA_WITHOUT_AVX3_DL
#include "backend/cpu/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/resize/row_taps.cc"
#include "hwy/foreach_target.h"  // must come before highway.h

#include "hwy/highway.h"

#include "backend/cpu/simd/load_store-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tesela::cpu {
namespace HWY_NAMESPACE {
namespace {

// Sums of U vectors from column i on.
template <size_t U, class T, class D, class C = hn::TFromD<D>>
HWY_INLINE void AddColumns(D d, const RowTaps& run, int64_t i) {
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  C* const sums = reinterpret_cast<C*>(run.sums) + i;
  hn::Vec<D> sum[U];
  for (size_t u = 0; u < U; ++u) sum[u] = hn::LoadU(d, sums + static_cast<int64_t>(u) * N);
  for (int64_t k = 0; k < run.taps; ++k) {
    if (run.weights[k] == 0) continue;
    const auto weight = hn::Set(d, static_cast<C>(run.weights[k]));
    const T* const row = reinterpret_cast<const T*>(run.rows + k * run.pitch_bytes) + i;
    for (size_t u = 0; u < U; ++u)
      sum[u] = hn::Add(sum[u], hn::Mul(weight, LoadAs(d, row + static_cast<int64_t>(u) * N)));
  }
  for (size_t u = 0; u < U; ++u) hn::StoreU(sum[u], d, sums + static_cast<int64_t>(u) * N);
}

template <class C, class T>
void AddRows(const RowTaps& run) {
  const hn::ScalableTag<C> d;
  const int64_t N = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + 4 * N <= run.n; i += 4 * N) AddColumns<4, T>(d, run, i);
  for (; i + N <= run.n; i += N) AddColumns<1, T>(d, run, i);
  for (; i < run.n; ++i) {
    C* const sum = reinterpret_cast<C*>(run.sums) + i;
    for (int64_t k = 0; k < run.taps; ++k) {
      if (run.weights[k] == 0) continue;
      const T element = reinterpret_cast<const T*>(run.rows + k * run.pitch_bytes)[i];
      const C term = static_cast<C>(run.weights[k]) * load_as<C>(element);
      *sum = *sum + term;
    }
  }
}

RowTapsFn GetRowTaps(DataType type, ComputeType compute) {
  RowTapsFn add = nullptr;
  visit_computed(type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    if constexpr (sizeof(T) < 4 || std::is_same_v<T, float>)
      add = compute == ComputeType::kFloat ? AddRows<float, T> : AddRows<double, T>;
    else
      add = AddRows<double, T>;
  });
  return add;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tesela::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tesela::cpu {

HWY_EXPORT(GetRowTaps);

RowTapsFn row_taps(DataType type, ComputeType compute) {
  return HWY_DYNAMIC_DISPATCH(GetRowTaps)(type, compute);
}

}  // namespace tesela::cpu
#endif  // HWY_ONCE
