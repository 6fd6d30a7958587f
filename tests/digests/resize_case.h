// SPDX-License-Identifier: Apache-2.0
// What the operators' draws share.
#pragma once

#include <vector>

#include "digests/case.h"

namespace tesela::digests {

/// kLong: rows of up to 1,000 elements. kTall: many of them, for windows of rows. kLarge: outputs that are divided
/// among threads.
enum class Size : uint8_t { kSmall, kLong, kTall, kLarge };

Size draw_size(Random& random);
/// About as many outputs as a case may have.
int64_t room_of(Size size);
std::vector<int64_t> draw_extents(Size size, Random& random);
/// A type that interpolation supports, float and uint8 more often.
DataType any_computed(Random& random);

/// Resize, Upsample and OpenVINO's Interpolate.
void draw_resize(Case& drawn, Random& random);

}  // namespace tesela::digests
