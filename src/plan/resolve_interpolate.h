// SPDX-License-Identifier: Apache-2.0
// Resolves OpenVINO's Interpolate to numbers.
#pragma once

#include "plan/params.h"
#include "schema/resize_request.h"

namespace tesela {

/// Sets sampling and axes of `params`; its type and extents must be set. out: the request's output extents.
/// Errors: unsupported (combinations that plans do not support).
Status resolve_interpolate(const OpDesc& op, const ResizeRequest& request, const Extents& out, ResizeParams& params);

}  // namespace tesela
