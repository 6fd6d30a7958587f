// SPDX-License-Identifier: Apache-2.0
// Makes tensors from the bytes of files.
#pragma once

#include <memory>
#include <span>

#include "types/tensor.h"

namespace tesela {

/// A tensor with `bytes`, exactly as many as its type and extents need. They are borrowed if `borrow` is set, they are
/// aligned for the type and their padding bits are zero, else copied. Not for strings. Errors: no_memory.
Result<Tensor> tensor_over_bytes(DataType type, Extents extents, std::span<const std::byte> bytes,
                                 const std::shared_ptr<const void>& owner, bool borrow);

/// The alignment at which tensor_over_bytes borrows the bytes of such a tensor without reading them; 0 if it always
/// reads them.
int64_t borrowed_alignment(DataType type, std::span<const int64_t> extents);

}  // namespace tesela
