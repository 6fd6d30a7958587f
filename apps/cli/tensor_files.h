// Tensors from and to files: formats by name, "-", and what can be refused before any work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::cli {

struct TensorSource {
  std::string path;        // "-": the standard input
  tesela_dtype dtype = 0;  // what the bytes of an .npy file are, where it cannot say
  std::string entry;       // of .npz files; empty for the only one
};

struct LoadedTensor {
  Value value;            // with the name that a .pb file carries
  bool is_image = false;  // PNG or JPEG
};

LoadedTensor load_tensor(const TensorSource& source, const Limits& limits);

struct TensorTarget {
  std::string path;  // "-": the standard output
  tesela_file_format format = TESELA_FILE_AUTO;
};

/// format: a name of one, or empty for what the ending of the path says.
/// Errors, before any work: usage (no such format), path (a directory, one of `sources`), io (not writable).
TensorTarget plan_output(const std::string& path, std::string_view format, const std::vector<std::string>& sources);

/// What the format cannot carry is refused before it is computed. Errors: unsupported.
void check_type(const TensorTarget& target, tesela_dtype dtype);

/// name: of the tensor in .pb and .npz files; may be empty.
void store_tensor(const View& tensor, const TensorTarget& target, const std::string& name);

/// An element type by its name. Errors: usage.
tesela_dtype parse_dtype(std::string_view what, const std::string& name);

/// The names of formats, for help: "npy, npz, ...".
std::string format_names();

}  // namespace tesela::cli
