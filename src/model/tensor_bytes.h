// Tensors over the bytes of files.
#pragma once

#include <memory>
#include <span>

#include "types/tensor.h"

namespace tesela {

/// A tensor over `bytes`, as many as its type and extents take. They are borrowed where that is wanted and they lie
/// aligned for the type with zeros in their pad bits, else copied. Not for strings. Errors: no_memory.
Result<Tensor> tensor_over_bytes(DataType type, Extents extents, std::span<const std::byte> bytes,
                                 const std::shared_ptr<const void>& keeper, bool borrow);

/// Where the bytes of such a tensor must begin, so that tensor_over_bytes borrows them and does not look at them; 0 where
/// it always does.
int64_t borrowed_alignment(DataType type, std::span<const int64_t> extents);

}  // namespace tesela
