// numpy's .npz files: zip archives of .npy files.
#pragma once

#include "model/file_bytes.h"
#include "model/file_output.h"
#include "model/tensor_file.h"

namespace tesela {

/// The array options.entry, with or without its ".npy", or the only one.
/// Errors: value (no such array, or several and none named), those of the archive and of .npy.
Result<NamedTensor> read_npz(const FileBytes& file, const TensorFileOptions& options);

/// An archive of one array, stored, named options.entry or "arr_0" as numpy does. tensor: dense.
/// Errors: as encode_npy, usage (a name too long).
Result<FileParts> encode_npz(const Tensor& tensor, const TensorFileOptions& options);

}  // namespace tesela
