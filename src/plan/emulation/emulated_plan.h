// SPDX-License-Identifier: Apache-2.0
// A plan that gives the results of another library: its taps, weights, sums and roundings, as numbers. Only the reference
// backend runs such plans. Their tables take memory and time in proportion to the output's extents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/params.h"
#include "types/limits.h"
#include "types/status.h"

namespace tesela {

/// The taps of one axis: inputs and weights for each output, in the order in which that library adds them.
/// All count, also those of weight zero: an infinity or NaN there shows.
struct EmulatedAxis {
  size_t axis = 0;
  int64_t in = 0;
  int64_t out = 0;
  double first_centre = 0;  // the position of the first output among the inputs, whose centres are whole numbers
  double last_centre = 0;
  std::vector<int64_t> first;    // [out + 1], where an output's taps begin
  std::vector<int64_t> input;    // of each tap, inside the input
  std::vector<double> weight;    // of each tap, exact in the step's numbers
  std::vector<double> divisor;   // [out], of each product; empty: none
  std::vector<uint8_t> outside;  // [out], whether the step gives the extrapolation value instead; empty: none
};

enum class EmulatedNumbers : uint8_t {
  kFloat,
  kFusedFloat,  // each product but the first is added without being rounded
  kDouble,
  kFusedDouble,
  kInt32,  // products and sums of integers, which wrap
};

/// How a sum becomes a value of the next step, or of the output.
enum class EmulatedRounding : uint8_t {
  kNone,
  kCut,        // toward zero, as x86 converts a float to int32; wraps to the element
  kHalfAway,   // to int32, halves away from zero
  kShiftClip,  // the sum is shifted to the right by `shift` and clamped to [0, 255]; wraps to the element
  kShiftCut,   // the sum is divided by 2^shift, toward zero; wraps to the element
  kEvenCut,    // to bfloat16, toward zero where that gives an even number, else to the nearest one
};

/// How the last value becomes an element.
enum class EmulatedStore : uint8_t {
  kRounded,  // as the standard's: integers half to even, saturated
  kClamped,  // as NumPy: infinities become the largest finite number, whole numbers of 64 bits beyond the range wrap
};

enum class EmulatedOrder : uint8_t {
  kAscending,    // one tap after another
  kPairwise,     // as NumPy sums along the last axis
  kSecondFirst,  // the second tap, the first one, and then the others
  kDescending,
  kSecondLastFirst,  // the last tap but one, the last one, and then the others, descending
};

/// Resamples one axis, or several at once: then the taps are those of every combination, the last axis innermost, with
/// the product of their weights, the last axis' first unless first_weight_first. A second step of an axis reads of each
/// output only the one before it with the same index.
struct EmulatedStep {
  std::vector<EmulatedAxis> axes;
  EmulatedNumbers numbers = EmulatedNumbers::kFloat;
  EmulatedRounding rounding = EmulatedRounding::kNone;
  EmulatedOrder order = EmulatedOrder::kAscending;
  uint8_t unfused_taps =
      0;  // fused sums: so many taps after the first are added unfused, as often as there are so many
  uint8_t vector_channels = 0;  // indices of the second axis that fill vectors of so many have an order of their own
  EmulatedOrder vector_order = EmulatedOrder::kAscending;
  double start = 0;  // added before the taps
  int shift = 0;
  bool first_weight_first = false;
};

/// Outputs that get the extrapolation value: those whose flat index, divided by stride, modulo the number of flags, has a
/// flag.
struct EmulatedOutside {
  int64_t stride = 1;
  std::vector<uint8_t> flags;
};

struct EmulatedPlan {
  Rules rules = Rules::kStandard;
  std::vector<EmulatedStep> steps;
  EmulatedStore store = EmulatedStore::kRounded;
  bool through_float = false;  // doubles and 32-bit and 64-bit integers become floats, and floats become these again
  bool flushes = false;        // denormal results become 0
  double extrapolation_value = 0;
  std::vector<EmulatedOutside> outside;  // of the output, after the last step
};

/// The least and the greatest input of the outputs [lo, lo + n), n >= 1.
std::pair<int64_t, int64_t> inputs_of(const EmulatedAxis& axis, int64_t lo, int64_t n);

/// The most taps of an output.
int64_t most_taps(const EmulatedAxis& axis);

/// The name of the rules as the plan field has it.
std::string_view name_of(Rules rules);

/// "sums in float, cut toward zero".
std::string text_of(const EmulatedStep& step);

struct EmulatedTap {
  int64_t input = 0;
  double weight = 0;
};
/// Adds the next output of an axis.
void add_output(EmulatedAxis& axis, const std::vector<EmulatedTap>& taps);

/// Errors: limit if the tables of an axis with this many outputs and taps exceed the limits.
Status check_tables(size_t axis, int64_t out, int64_t taps, const Limits& limits);

}  // namespace tesela
