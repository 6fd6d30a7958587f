// SPDX-License-Identifier: Apache-2.0
// Memory of large arrays.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>

namespace tesela_python {

/// Bytes of an array from which on its memory is Tesela's: what the library keeps for the next is no smaller.
inline constexpr size_t kPooledBytes = size_t{2} << 20;

/// An object with Python's buffer protocol over so many bytes, which nobody has written.
nanobind::object make_memory(size_t bytes);

}  // namespace tesela_python
