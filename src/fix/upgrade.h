// SPDX-License-Identifier: Apache-2.0
// Calls of one operator version as calls of a later one, with the same numbers.
#pragma once

#include "fix/call.h"

namespace tesela::fix {

/// The call in the operator version of this opset of ONNX's domain: the same version, or a later one. old: what is known of
/// the old node's inputs. Errors: value or shape (what must be known is not), unsupported (no call of the later version
/// computes the same).
Result<Call> upgraded(const Call& call, int64_t opset, Inputs old);

/// tf_half_pixel_for_nn, which version 11 was the last to allow, as half_pixel with a rounding that takes the same elements.
/// Errors: unsupported (no rounding does).
Status replace_for_nn(OpDesc& op);

}  // namespace tesela::fix
