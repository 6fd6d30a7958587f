// Sums of rows that no kernel makes, because the plan computes in double what is stored in less, or because a weight is
// wider than the numbers: each row is widened, and the sum rounded, apart.
#pragma once

#include <algorithm>

#include "backend/cpu/rows.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/shorts.h"

namespace tesela::cpu {

template <class C>
class ConvertedRows {
 public:
  /// numbers: of the longest row. b.weights: of WideNumber<C>. from_elements, to_elements: what is not of the compute
  /// type.
  void blend(Scratch& scratch, int64_t numbers, const RowKernels& kernels, const RowBlend& b, bool from_elements,
             bool to_elements) {
    if (row_ == nullptr) {
      row_ = scratch.take<C>(numbers);
      sum_ = scratch.take<C>(numbers);
    }
    for (int64_t r = 0; r < b.outputs; ++r) {
      C* sum = to_elements ? sum_ : static_cast<C*>(b.outs[r]);
      const auto* weights = static_cast<const WideNumber<C>*>(b.weights) + r * b.pitch;
      for (int64_t k = 0; k < b.taps; ++k) {
        const C* row = static_cast<const C*>(b.rows[k]);
        if (from_elements) {
          kernels.widen(b.rows[k], row_, b.n, b.shift);
          row = row_;
        }
        for (int64_t x = 0; x < b.n; ++x) {
          if constexpr (std::is_same_v<C, int16_t>) {
            const int16_t term = short_product(weights[k], row[x]);
            sum[x] = static_cast<int16_t>(k == 0 ? term : sum[x] + term);
          } else {
            const C term = weights[k] * row[x];
            sum[x] = k == 0 ? term : sum[x] + term;
          }
        }
      }
      if (to_elements) kernels.round(sum, b.outs[r], b.n, b.shift);
    }
  }

 private:
  C* row_ = nullptr;
  C* sum_ = nullptr;
};

}  // namespace tesela::cpu
