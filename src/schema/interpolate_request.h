// SPDX-License-Identifier: Apache-2.0
// Reads the request of OpenVINO's Interpolate.
#pragma once

#include "schema/resize_request.h"

namespace tesela {

/// Like read_resize_request, which calls it. Errors: count, rank, value, type, unsupported.
Result<ResizeRequest> read_interpolate_request(const OpDesc& op, size_t rank,
                                               std::span<const TensorInfo* const> inputs);

/// Whether the mode is one of Pillow's filters, which resize both image axes by sizes.
bool is_pillow(const OpDesc& op);

}  // namespace tesela
