// SPDX-License-Identifier: Apache-2.0
// Tesela's statuses as Python exceptions.
#pragma once

#include <nanobind/nanobind.h>
#include <tesela/tesela.h>

namespace tesela_python {

/// Makes a class for each row of the table of statuses: tesela.ShapeError is a ValueError, and so on.
void bind_errors(nanobind::module_& module);

/// Raises the class of this status with the library's text, unless it is TESELA_OK.
void check(tesela_status status, const tesela_error& error);

/// The same for what a file was needed for. error_number: errno after the call. path: of the model.
void check_file(tesela_status status, const tesela_error& error, int error_number, const char* path);

/// Raises tesela.ArgumentError, a TypeError, with this text.
[[noreturn]] void fail_argument(const char* message);

/// Raises the class of `status` with this text.
[[noreturn]] void fail(tesela_status status, const char* message);

}  // namespace tesela_python
