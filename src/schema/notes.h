// What is worth a word about an operator that can be computed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/infer.h"

namespace tesela {

/// One sentence for each thing that is legal and not what people may expect: attributes that change nothing, outputs
/// whose number depends on the runtime, values that other runtimes round otherwise. inputs: nullptr for an omitted
/// one. The description must be valid.
std::vector<std::string> notes(const OpDesc& op, std::span<const TensorInfo* const> inputs);

/// What the operator's version forbids and Tesela computes all the same; texts say what to write instead.
std::vector<Status> departures(const OpDesc& op);

}  // namespace tesela
