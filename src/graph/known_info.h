// What is known of one value, from declarations, tensors at hand, and inference.
#pragma once

#include <memory>

#include "model/graph.h"
#include "shapes/known_value.h"
#include "types/limits.h"

namespace tesela {

/// Null: nothing is known. Shared, so that a chain of Identity nodes costs nothing.
using KnownInfo = std::shared_ptr<const KnownValue>;

/// What a declaration says, as far as it is followed: no ranks above the limit, no symbols of excessive
/// length.
KnownInfo declared_info(const ValueDeclaration& declared, const Limits& limits);

/// What is known of a tensor that is at hand.
KnownInfo constant_info(const Tensor& tensor);

/// What both say. Errors: type, rank, shape where they contradict each other; texts: "is declared as ... and
/// is ...".
Result<KnownInfo> join(const KnownInfo& known, const ValueDeclaration& declared, const Limits& limits);

/// True where every extent is a number.
bool all_known(const std::optional<Dims>& dims);

}  // namespace tesela
