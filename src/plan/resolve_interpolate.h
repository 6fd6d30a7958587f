// OpenVINO's Interpolate in numbers.
#pragma once

#include <span>

#include "plan/params.h"
#include "schema/infer.h"

namespace tesela {

/// inputs, inferred: as make_plan has them, valid and all known.
/// Errors: those of the request; unsupported for what no plan can do.
Result<ResizeParams> resolve_interpolate(const OpDesc& op, std::span<const TensorInfo* const> inputs,
                                         const TensorInfo& inferred);

}  // namespace tesela
