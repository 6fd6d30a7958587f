// SPDX-License-Identifier: Apache-2.0
// The taps of horizontal passes that read rows as bytes, in fixed point.
#pragma once

#include "backend/cpu/resize/horizontal_table.h"

namespace tesela::cpu {

/// What both kinds require.
bool fit_16_bits(const AxisTable& taps);

// Each returns false and leaves the table to another kind if its kernels cannot resample the line.

/// kBytePairs.
bool build_byte_pairs(const HorizontalLine& line, HorizontalTable<int32_t>& out);
/// kBytes.
bool build_byte_windows(const HorizontalLine& line, HorizontalTable<int32_t>& out);

}  // namespace tesela::cpu
