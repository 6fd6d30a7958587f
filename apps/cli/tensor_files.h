// SPDX-License-Identifier: Apache-2.0
// Reads and writes tensors in files: formats by name, "-", and errors that can be reported before any computation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::cli {

struct TensorSource {
  std::string path;        // "-": the standard input
  tesela_dtype dtype = 0;  // the element type of an .npy file that has only its width
  std::string entry;       // of .npz files; empty for the only one
};

struct LoadedTensor {
  Value value;            // with the name from a .pb file
  bool is_image = false;  // PNG or JPEG
};

LoadedTensor load_tensor(const TensorSource& source, const Limits& limits);

struct TensorTarget {
  std::string path;  // "-": the standard output
  tesela_file_format format = TESELA_FILE_AUTO;
};

/// format: its name, or empty for the one of the path's extension. Checked before any computation.
/// Errors: usage (an unknown format), path (a directory, one of `sources`), io (not writable).
TensorTarget plan_output(const std::string& path, std::string_view format, const std::vector<std::string>& sources);

/// Reports types that the format does not support before the computation. Errors: unsupported.
void check_type(const TensorTarget& target, tesela_dtype dtype);

/// name: of the tensor in .pb and .npz files; may be empty.
void store_tensor(const View& tensor, const TensorTarget& target, const std::string& name);

/// An element type by its name. Errors: usage.
tesela_dtype parse_dtype(std::string_view what, const std::string& name);

/// The names of formats, for help: "npy, npz, ...".
std::string format_names();

}  // namespace tesela::cli
