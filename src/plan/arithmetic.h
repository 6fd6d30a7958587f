// What the passes of a plan compute in: every decision that determines a bit of a sum is made here, from the plan alone,
// and stored in the plan. Contract arithmetic is that of floats or doubles, rounded to the element half to even, once, at
// the end.
//
// Fixed point is for elements of 8 bits, for plan fields: weights are multiples of 2^-weight_bits (of the pass' rule), sums
// are exact, and each pass rounds its sums, halves up, to multiples of 2^-fraction_bits, or lets them go on as they are.
// Where no bit is left behind the point, the result is clamped to the range of the element, and it is one.
//
//   weights=fixed8, fixed22, int16     the bits of the weights, and only the last pass rounds
//   intermediate=uint8                 and every pass rounds, to elements
//   precision=fast                     the finest weights of 16 bits whose sums fit 32, made to add up to one; passes but
//                                      the last keep 7 bits behind the point: numbers of 16 bits
//
// Doubles hold such sums exactly up to 53 bits, which are more than any preset has; they are computed in doubles, in
// ascending order, whatever they have.
#pragma once

#include <cstdint>

#include "types/status.h"

namespace tesela {

struct ResizeParams;
struct ResizePlan;

/// Pass::fraction_bits of sums that are not rounded.
inline constexpr int8_t kExactSums = -1;

/// Sets compute and fixed_point of a plan whose passes stand in their order, and of passes the weights and what they keep.
/// Errors: limit (weights=int16 of an axis of more than 2^20 outputs).
Status choose_arithmetic(const ResizeParams& params, ResizePlan& work);

}  // namespace tesela
