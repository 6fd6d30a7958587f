// SPDX-License-Identifier: Apache-2.0
// Cures of nodes that mean calls of PyTorch and whose numbers are its own afterwards, as the plan field rules=pytorch says.
#pragma once

#include "fix/cures.h"

namespace tesela::fix {

/// Whether the catalogue says it; half_pixel with round_prefer_ceil is what mode nearest-exact computes.
bool means_nearest(const Situation& node, std::string_view rule);

/// Nearest: asymmetric and floor. Errors: value (rounded positions take other inputs).
Result<Call> pytorch_nearest(const Situation& node);

/// Antialias: 1 as the scale of axes that stay. Errors: value (scales are not known).
Result<Call> pytorch_scales(const Situation& node);

/// Antialias with align_corners. Errors: unsupported, always.
Result<Call> pytorch_corners(const Situation& node);

}  // namespace tesela::fix
