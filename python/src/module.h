// SPDX-License-Identifier: Apache-2.0
// The parts of tesela._core.
#pragma once

#include <nanobind/nanobind.h>
#include <tesela/tesela.h>

#include <string>

namespace tesela_python {

void bind_operators(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_passes(nanobind::module_& module);
void bind_images(nanobind::module_& module);
void bind_plan_cache(nanobind::module_& module);
void bind_memory(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_dlpack(nanobind::module_& module);

/// Computes y from x with a tesela._core.Plan, without Python's lock. The tensors' dtypes are not looked at.
void run_plan(nanobind::handle plan, tesela_tensor x, tesela_tensor y, int threads);

/// The plan of a tesela._core.Plan. Raises a TypeError for another object.
const tesela_plan* plan_of(nanobind::handle plan);

/// A blob's text; the blob is destroyed.
std::string take_text(tesela_blob* blob);

/// A plan as tesela._core.Plan, which owns it.
nanobind::object own_plan(tesela_plan* made);

}  // namespace tesela_python
