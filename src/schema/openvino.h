// SPDX-License-Identifier: Apache-2.0
// The rows of OpenVINO's operators.
#pragma once

#include <vector>

#include "schema/schema.h"

namespace tesela {

std::vector<OpSchema> openvino_schemas();

}  // namespace tesela
