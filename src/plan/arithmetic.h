// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a plan's passes: every decision that affects a bit of a sum is made here, from the plan alone, and
// stored in the plan. Contract arithmetic is float or double, rounded to the element once, at the end, half to even.
//
// Fixed point is for 8-bit elements, set by plan fields: weights are multiples of 2^-weight_bits (of the pass's rule),
// sums are exact, and each pass either rounds its sums, halves up, to elements (rounds_sums) or keeps them exact.
// Rounded sums are clamped to the range of elements and stored as elements.
//
//   weights=fixed8, fixed22, int16     the bits of the weights; only the last pass rounds
//   intermediate=uint8                 every pass rounds, to elements
//
// Sums are computed in doubles, in ascending order. Doubles are exact up to 53 bits, more than any preset needs.
#pragma once

#include <cstdint>

#include "types/status.h"

namespace tesela {

struct ResizeParams;
struct ResizePlan;

/// Sets compute and fixed_point of a plan with ordered passes, the bits of the passes' weights, and which passes round their sums.
/// Errors: limit (weights=int16 for an axis of more than 2^20 outputs).
Status choose_arithmetic(const ResizeParams& params, ResizePlan& work);

}  // namespace tesela
