// SPDX-License-Identifier: Apache-2.0
// The rows of ONNX's operators.
#pragma once

#include <vector>

#include "schema/schema.h"

namespace tesela {

std::vector<OpSchema> onnx_schemas();

}  // namespace tesela
