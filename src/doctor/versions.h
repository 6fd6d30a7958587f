// SPDX-License-Identifier: Apache-2.0
// The versions of the libraries that this one uses.
#pragma once

#include "types/json.h"

namespace tesela {

/// Versions by name. Those of shared libraries are of the copies that are loaded.
Json library_versions();

}  // namespace tesela
