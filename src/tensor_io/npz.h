// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz files: zip archives of .npy files.
#pragma once

#include "files/file_bytes.h"
#include "files/file_output.h"
#include "tensor_io/tensor_file.h"

namespace tesela {

/// The array options.entry, with or without its ".npy", or the only one.
/// Errors: value (no such array, or several and no name), those of the archive and of .npy.
Result<NamedTensor> read_npz(const FileBytes& file, const TensorFileOptions& options);

/// An uncompressed archive of one array, named options.entry or "arr_0" as in NumPy. tensor: dense.
/// Errors: as encode_npy, usage (a name too long).
Result<FileParts> encode_npz(const Tensor& tensor, const TensorFileOptions& options);

}  // namespace tesela
