// What OpenVINO's Interpolate asks for.
#pragma once

#include "schema/resize_request.h"

namespace tesela {

/// As read_resize_request, which calls it. Errors: count, rank, value, type, unsupported.
Result<ResizeRequest> read_interpolate_request(const OpDesc& op, size_t rank,
                                               std::span<const TensorInfo* const> inputs);

/// True for the modes that are Pillow's filters, which take both axes of a picture from size to size.
bool is_pillow(const OpDesc& op);

}  // namespace tesela
