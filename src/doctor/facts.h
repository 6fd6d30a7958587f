// SPDX-License-Identifier: Apache-2.0
// What this copy of the library is, and what it found on the machine.
#pragma once

#include <string>

#include "types/json.h"

namespace tesela {

/// The document of docs/schemas/doctor.json. Its member `problems` lists what is set but has no effect.
Json library_facts();

/// The facts for people, in lines.
std::string facts_text(const Json& facts);

}  // namespace tesela
