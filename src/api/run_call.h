// SPDX-License-Identifier: Apache-2.0
// Runs with the caller's options.
#pragma once

#include "api/boundary.h"
#include "api/op_handles.h"

namespace tesela::api {

/// Calls f(program, executor, options) with the backend, threads and callbacks that the options ask for. Errors: usage, f's.
template <class F>
Status run_with_options(const tesela_plan& plan, const tesela_run_options* options, const F& f) {
  tesela_run_options run_options = {};
  TESELA_RETURN_IF_ERROR(read_struct(options, "options", run_options));
  Executor executor;
  TESELA_RETURN_IF_ERROR(read_executor(run_options, executor));
  Backend backend = kDefaultBackend;
  TESELA_RETURN_IF_ERROR(read_backend(run_options, backend));
  const ProgramPtr other = backend == kDefaultBackend ? nullptr : bind(plan.plan, backend);
  return f(other ? *other : *plan.program, executor, read_run_options(run_options));
}

}  // namespace tesela::api
