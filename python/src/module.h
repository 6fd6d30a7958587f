// The parts of tesela._core.
#pragma once

#include <nanobind/nanobind.h>
#include <tesela/tesela.h>

#include <string>

namespace tesela_python {

void bind_plan(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_dlpack(nanobind::module_& module);

/// A blob's text; the blob is destroyed.
std::string take_text(tesela_blob* blob);

}  // namespace tesela_python
