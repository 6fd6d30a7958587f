// SPDX-License-Identifier: Apache-2.0
// Cases of resizes, compared with the reference in every bit.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "backend/boxes.h"
#include "backend/cpu/guarded_bytes.h"
#include "backend/cpu/random.h"
#include "plan/plan.h"

namespace tesela::testing {

/// Types that linear and cubic filters support.
inline constexpr auto kComputedTypes = [] {
  constexpr auto is_computed = [](const DataTypeTraits& row) { return row.compute != ComputeType::kNone; };
  std::array<DataType, std::ranges::count_if(kDataTypes, is_computed)> types = {};
  size_t count = 0;
  for (const DataTypeTraits& row : kDataTypes)
    if (is_computed(row)) types[count++] = row.type;
  return types;
}();

using Random = std::mt19937_64;

ResizeParams random_params(Random& random);
std::string description(const ResizeParams& params);

/// Resizes the part of an axis from start to end, shares of its extent, as tf_crop_and_resize does.
AxisRequest cropped(size_t axis, int64_t in, int64_t out, double start, double end);

/// Mostly ordinary numbers; for floats also NaN, infinities, -0.0 and denormals.
void fill_random(Random& random, DataType type, GuardedBytes& buffer);

/// Equal bits, or NaN on both sides.
bool same(DataType type, const std::byte* a, const std::byte* b, int64_t bytes);

/// Runs the whole plan with both backends. canary: fills the output first, to detect unwritten bytes.
bool equals_the_reference(const Plan& plan, Random& random, int canary, bool stream);

/// Runs a box of the output with both backends, on no more of the input than it needs.
bool box_equals_the_reference(const Plan& plan, const GuardedBytes& input, const Box& box);

}  // namespace tesela::testing
