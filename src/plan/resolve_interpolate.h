// OpenVINO's Interpolate in numbers.
#pragma once

#include "plan/params.h"
#include "schema/resize_request.h"

namespace tesela {

/// Sampling and axes of `params`, whose type and extents are set. request: what the operator asks for; out: the extents
/// that follow. Errors: unsupported for what no plan can do.
Status resolve_interpolate(const OpDesc& op, const ResizeRequest& request, const Extents& out, ResizeParams& params);

}  // namespace tesela
