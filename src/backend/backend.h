// SPDX-License-Identifier: Apache-2.0
// Runs a plan: computes any box of its output from a box of its input.
#pragma once

#include <functional>
#include <span>

#include "backend/executor.h"
#include "backend/program.h"

namespace tesela {

struct RunOptions {
  std::span<std::byte> scratch = {};             // the caller's; used by runs on one thread if it is large enough
  const int32_t* cancel = nullptr;               // non-zero stops the run, also inside a task
  std::function<void(double)> on_progress = {};  // called repeatedly with the fraction done, on the calling thread
};

/// Computes run.output with a program bound to the plan, divided into tasks for the executor. The result does not
/// depend on the division.
/// Errors: type, rank, shape (tensors that do not match the plan, an input box that is too small), cancelled.
Status run_plan(const Plan& plan, const Program& program, const BoxRun& run, const Executor& executor,
                const RunOptions& options);

}  // namespace tesela
