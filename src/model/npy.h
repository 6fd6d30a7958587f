// numpy's .npy files.
#pragma once

#include "model/file_bytes.h"
#include "model/file_output.h"
#include "model/tensor_file.h"

namespace tesela {

/// options.type: what the elements are, where the file only knows their width: '<V2' and '|V1' as ml_dtypes
/// writes them, or integers of the same width; packed types come one element in a byte. file.keeper null:
/// bytes are copied. Errors: parse, truncated, type, shape, limit, unsupported, value (a byte that is no
/// element of a packed type).
Result<Tensor> read_npy(const FileBytes& file, const TensorFileOptions& options);

/// tensor: dense. Errors: unsupported (types that .npy cannot name).
Result<FileParts> encode_npy(const Tensor& tensor);

}  // namespace tesela
