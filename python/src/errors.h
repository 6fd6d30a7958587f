// Tesela's statuses as Python exceptions.
#pragma once

#include <nanobind/nanobind.h>
#include <tesela/tesela.h>

namespace tesela_python {

/// Makes a class for each row of the table of statuses: tesela.ShapeError is a ValueError, and so on.
void bind_errors(nanobind::module_& module);

/// Raises the class of this status with the library's text, unless it is TESELA_OK.
void check(tesela_status status, const tesela_error& error);

/// Raises the class of `status` with this text.
[[noreturn]] void fail(tesela_status status, const char* message);

}  // namespace tesela_python
