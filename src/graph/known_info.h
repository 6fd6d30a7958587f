// SPDX-License-Identifier: Apache-2.0
// The known properties of a value, from declarations, constant tensors and inference.
#pragma once

#include <memory>

#include "model/graph.h"
#include "shapes/known_value.h"
#include "types/limits.h"

namespace tesela {

/// Null: nothing is known. Shared, so that chains of Identity nodes do not copy it.
using KnownInfo = std::shared_ptr<const KnownValue>;

/// The declaration, without ranks above the limit and very long symbols.
KnownInfo declared_info(const ValueDeclaration& declared, const Limits& limits);

/// The properties of a constant tensor.
KnownInfo constant_info(const Tensor& tensor);

/// The information of both. Errors: type, rank, shape if they contradict each other; messages are "is declared as ...
/// and is ...".
Result<KnownInfo> join(const KnownInfo& known, const ValueDeclaration& declared, const Limits& limits);

/// True if every extent is a number.
bool all_known(const std::optional<Dims>& dims);

}  // namespace tesela
