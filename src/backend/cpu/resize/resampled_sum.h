// SPDX-License-Identifier: Apache-2.0
// Sums of rows whose last one is resampled in the same loop: its stores and those of the outputs go on during the arithmetic
// of the next columns, and a row that exceeds the L1 cache is not loaded again.
#pragma once

#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/resize/vertical_kernels.h"

namespace tesela::cpu {

/// A row that a horizontal pass is to compute, and what of.
template <class C>
struct AwaitedRow {
  const HorizontalTable<C>* table = nullptr;
  const C* in = nullptr;
  C* to = nullptr;
};

template <class C>
void run_horizontal(const AwaitedRow<C>& row) {
  run_horizontal(*row.table, HorizontalRows<C>{&row.in, &row.to, 1, nullptr, false}, false);
}

/// Computes `row`, which is the last of s.rows, and the outputs, which are elements.
template <class C>
using ResampledSumFn = void (*)(const AwaitedRow<C>& row, const VerticalSum& s);

/// The kernels of each VerticalShape for run_taps of a table and elements of a type; some are null. Null: all are.
template <class C>
const ResampledSumFn<C>* resampled_sums(int32_t taps, DataType type);

}  // namespace tesela::cpu
