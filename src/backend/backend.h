// Running a plan: any box of its output from a box of its input.
#pragma once

#include <functional>
#include <span>

#include "backend/executor.h"
#include "backend/program.h"

namespace tesela {

struct RunOptions {
  std::span<std::byte> scratch = {};             // the caller's; runs on one thread use it where it suffices
  const int32_t* cancel = nullptr;               // non-zero stops the run, inside of a task too
  std::function<void(double)> on_progress = {};  // called now and then with the fraction done, on the calling thread
};

/// Computes run.output by a program that was bound to the plan, cut into tasks for the executor. The result does not
/// depend on how it was cut.
/// Errors: type, rank, shape (tensors that are not the plan's, an input box that does not suffice), cancelled.
Status run_plan(const Plan& plan, const Program& program, const BoxRun& run, Executor& executor,
                const RunOptions& options);

}  // namespace tesela
