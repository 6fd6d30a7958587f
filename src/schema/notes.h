// Notes on operators that are valid but may surprise.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// One sentence for each valid but unexpected property: attributes without effect, extents that depend on the runtime,
/// values that other runtimes round differently. inputs: nullptr for an omitted one. Description and inputs must be
/// valid.
std::vector<std::string> notes(const OpDesc& op, std::span<const TensorInfo* const> inputs);

/// Values that the operator's version forbids but Tesela supports; messages say what to use instead. The description
/// must be valid.
std::vector<Status> departures(const OpDesc& op);

}  // namespace tesela
