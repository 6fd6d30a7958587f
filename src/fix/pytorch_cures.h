// Cures of nodes that mean calls of PyTorch and whose numbers are its own afterwards, as the plan field rules=pytorch says.
#pragma once

#include "fix/cures.h"

namespace tesela::fix {

/// Nearest: asymmetric and floor. Errors: value (nearest-exact is meant; rounded positions take other inputs).
Result<Call> pytorch_nearest(const Situation& node);

/// Antialias: 1 as the scale of axes that stay. Errors: value (scales are not known).
Result<Call> pytorch_scales(const Situation& node);

/// Antialias with align_corners. Errors: unsupported, always.
Result<Call> pytorch_corners(const Situation& node);

}  // namespace tesela::fix
