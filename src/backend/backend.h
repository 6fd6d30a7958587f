// Cooking a plan: any box of its output from a box of its input.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "backend/executor.h"
#include "plan/plan.h"
#include "types/tensor.h"

namespace tesela {

enum class Backend : uint8_t { kCpu, kReference };

namespace cpu {
struct Program;
}

/// A box of the input, and the box of the output to be made from it.
struct BoxRun {
  TensorView input;    // extents: those of its box; ignored for fills
  Extents input_lo;    // where that box begins in the whole input
  MutableTensorView output;
  Extents output_lo;
};

struct RunOptions {
  Backend backend = Backend::kCpu;
  const cpu::Program* program = nullptr;         // the plan's, for the CPU backend; null: it is bound for this run
  std::span<std::byte> scratch = {};             // the caller's; runs on one thread use it where it suffices
  const int32_t* cancel = nullptr;               // non-zero stops the run between tasks
  std::function<void(double)> on_progress = {};  // called with the fraction done, on the calling thread
};

/// Computes run.output, cut into tasks for the executor. The result does not depend on how it was cut.
/// Errors: type, rank, shape (tensors that are not the plan's, an input box that does not suffice), cancelled.
Status run_plan(const Plan& plan, const BoxRun& run, Executor& executor, const RunOptions& options);

/// What the CPU backend works out once for a plan; shared by its runs.
std::shared_ptr<const cpu::Program> bind_plan(const Plan& plan);

/// Bytes of scratch that this box takes on one thread.
int64_t scratch_bytes(const Plan& plan, const RunOptions& options, const Box& output);

}  // namespace tesela
