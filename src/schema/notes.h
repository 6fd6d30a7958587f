// SPDX-License-Identifier: Apache-2.0
// Notes on operators that are valid but may surprise.
#pragma once

#include <string>
#include <vector>

#include "schema/op_desc.h"

namespace tesela {

/// One sentence for each attribute without effect. The description must be valid. What other runtimes do differently is
/// in src/peers/.
std::vector<std::string> notes(const OpDesc& op);

/// Values that the operator's version forbids but Tesela supports; messages say what to use instead. The description
/// must be valid.
std::vector<Status> departures(const OpDesc& op);

}  // namespace tesela
