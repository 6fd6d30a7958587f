// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files.
#pragma once

#include "files/file_bytes.h"
#include "files/file_output.h"
#include "tensor_io/tensor_file.h"

namespace tesela {

/// options.type: the element type, if the file has only its width: '<V2' and '|V1' as ml_dtypes writes them,
/// or integers of the same width; packed types have one element per byte. file.owner null: bytes are
/// copied. Errors: parse, truncated, type, shape, limit, unsupported, value (a byte that is not an element
/// of a packed type).
Result<Tensor> read_npy(const FileBytes& file, const TensorFileOptions& options);

/// tensor: dense. Errors: unsupported (types that .npy does not have).
Result<FileParts> encode_npy(const Tensor& tensor);

}  // namespace tesela
