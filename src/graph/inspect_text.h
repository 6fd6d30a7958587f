// SPDX-License-Identifier: Apache-2.0
// Formats the document of an inspection as aligned lines. Only .cc files include this.
#pragma once

#include <string>

#include "graph/json_value.h"

namespace tesela {

std::string inspection_text(const Json& document);

}  // namespace tesela
