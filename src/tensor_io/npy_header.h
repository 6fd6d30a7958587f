// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "types/shape.h"

namespace tesela {

struct NpyHeader {
  char kind = 0;  // NumPy's letter: b i u f c S U V
  int64_t item_bytes = 0;
  bool big_endian = false;
  bool fortran_order = false;
  Extents shape;
  size_t data_offset = 0;  // bytes before the data
  std::string descr;       // as written, for messages
};

/// Errors: truncated, parse, limit (a header above 64 KiB, more than `max_rank` axes), unsupported (objects,
/// records, dates), shape (negative extents or ones beyond int64).
Result<NpyHeader> read_npy_header(std::span<const std::byte> bytes, int64_t max_rank);

/// The header of a C-order file, padded so that the data begins at a multiple of 64.
std::string npy_header(std::string_view descr, std::span<const int64_t> shape);

}  // namespace tesela
