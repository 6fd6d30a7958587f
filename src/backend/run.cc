// SPDX-License-Identifier: Apache-2.0
// A run: checks the tensors against the plan, divides the output into tasks, and runs them.
#include <algorithm>

#include "backend/axis_order.h"
#include "backend/backend.h"
#include "backend/boxes.h"
#include "backend/float_environment.h"
#include "backend/tasks.h"
#include "backend/tensor_checks.h"

namespace tesela {
namespace {

constexpr int64_t kMinMoveTaskBytes = int64_t{256} << 10;  // a task lays out its own loops
constexpr int64_t kMaxTaskElements = int64_t{1} << 20;     // elements
constexpr int64_t kMaxWholeMove = int64_t{64} << 20;  // bytes; one thread writes a part to all places where it repeats
constexpr int64_t kMaxWholeInput = int64_t{1} << 18;  // elements; a smaller output is a single task
constexpr int64_t kMaxTaskScratch = int64_t{256} << 20;  // bytes per task, if smaller boxes can reduce it

// The input box, which is not the whole input.
Status check_input_box(const Plan& plan, const BoxRun& run) {
  const Extents& lo = run.input_lo;
  const Extents& n = run.input.extents;
  const Box needed = input_region(plan, {run.output_lo, run.output.extents});
  for (size_t d = 0; d < plan.in.size(); ++d)
    if (needed.lo[d] < lo[d] || needed.lo[d] + needed.n[d] > lo[d] + n[d])
      return shape_error("the input box has [{}, {}) on axis {}; the output box needs [{}, {})", lo[d], lo[d] + n[d], d,
                         needed.lo[d], needed.lo[d] + needed.n[d]);
  return {};
}

bool is_whole(const Extents& lo, const Extents& n, const Extents& whole) {
  return n == whole && lo.size() == n.size() && std::all_of(lo.begin(), lo.end(), [](int64_t at) { return at == 0; });
}

Status check_run(const Plan& plan, const BoxRun& run) {
  TESELA_RETURN_IF_ERROR(check_type(run.output.type, plan.type, "output"));
  TESELA_RETURN_IF_ERROR(check_strides(plan.type, run.output.extents, run.output.strides_bytes, "output"));
  if (!is_whole(run.output_lo, run.output.extents, plan.out))  // the whole check would take longer for a tiny call
    TESELA_RETURN_IF_ERROR(check_box(run.output_lo, run.output.extents, plan.out, "output"));
  if (product(run.output.extents) == 0) return {};
  if (run.output.data == nullptr) return usage_error("the output has no data");
  if (!plan.has_input()) return {};
  TESELA_RETURN_IF_ERROR(check_type(run.input.type, plan.type, "input"));
  TESELA_RETURN_IF_ERROR(check_strides(plan.type, run.input.extents, run.input.strides_bytes, "input"));
  TESELA_RETURN_IF_ERROR(check_box(run.input_lo, run.input.extents, plan.in, "input"));
  if (run.input.data == nullptr) return usage_error("the input has no data");
  return run.input.extents == plan.in ? Status() : check_input_box(plan, run);
}

// A run, with the data that its tasks share.
struct Run {
  const Plan& plan;
  const Program& program;
  const BoxRun& box;
  BoxContext context;
};

// Bytes that the run reads and writes; 0 for a run that fits any cache.
BoxContext measure(const Plan& plan, const BoxRun& run, int64_t outputs) {
  BoxContext context;
  if (outputs <= kMinTaskElements) return context;
  const int64_t bits = element_bits(plan.type);
  const int64_t inputs = plan.has_input() ? product(input_region(plan, {run.output_lo, run.output.extents}).n) : 0;
  context.run_output_bytes = outputs * bits / 8;
  context.run_input_bytes = inputs * bits / 8;
  return context;
}

bool computes(const Plan& plan) {
  return plan.interpolation() != nullptr || std::holds_alternative<EmulatedPlan>(plan.work);
}

// Elements below which another thread costs more than it gains. Measured on two threads: with tasks of 512 KiB, fills, tiles and
// nearest of 512 KiB take 1.3 of the time, with tasks of 64 KiB a fill of 128 KiB 1.2. Packed inputs are
// moved as bytes.
int64_t min_task_elements(const Plan& plan) {
  if (computes(plan)) return kMinTaskElements;
  const int64_t bits = element_bits(plan.type);
  return std::max(kMinTaskElements, kMinMoveTaskBytes * 8 / (plan.has_input() ? std::max<int64_t>(bits, 8) : bits));
}

int64_t max_task_elements(const Plan& plan, int threads) {
  return computes(plan) || threads > 1 || !plan.has_input() ? kMaxTaskElements
                                                            : kMaxWholeMove * 8 / element_bits(plan.type);
}

// Several tasks per thread balance their times; boxes that need much scratch memory are made smaller.
int64_t task_elements(const Plan& plan, const Program& program, const BoxRun& run, int threads) {
  const Box output = {run.output_lo, run.output.extents};
  const int64_t all = product(output.n);
  if (run.output.bit_offset % 8 != 0) return all;  // parts would share bytes
  const int64_t most = max_task_elements(plan, threads);
  int64_t elements = threads == 1 ? most : std::clamp(all / (int64_t{4} * threads), min_task_elements(plan), most);
  while (elements > 1 && program.scratch_bytes(plan, BoxCutter(output, elements, plan.type).box(0)) > kMaxTaskScratch)
    elements /= 2;
  return elements;
}

void run_task(const Run& run, const Box& box, Watch& watch) {
  const FloatEnvironment environment;
  BoxRun part = part_of(run.plan, run.box, box);
  part.watch = &watch;
  run.program.run_box(run.plan, part, run.context);
}

// For runs of one task, where dividing and finding threads would take longer than the work.
bool is_tiny(const Plan& plan, const BoxRun& run, int64_t outputs) {
  return outputs <= min_task_elements(plan) && run.output.extents == plan.out && run.input.extents == plan.in &&
         product(plan.in) <= kMaxWholeInput;
}

Status run_boxes(const Run& run, const Executor& executor, const RunOptions& options) {
  const Box output = {run.box.output_lo, run.box.output.extents};
  const int threads = product(output.n) <= min_task_elements(run.plan) ? 1 : executor.concurrency();
  const int64_t elements = task_elements(run.plan, run.program, run.box, threads);
  Division division = run.program.division(run.plan, run.box);
  division.threads = threads;
  BoxCutter cutter(output, elements, run.plan.type, division);
  if (!division.strips.empty() && run.program.scratch_bytes(run.plan, cutter.box(0)) > kMaxTaskScratch) {
    division.strips = {};  // they are divided after all
    cutter = BoxCutter(output, elements, run.plan.type, division);
  }
  return run_tasks(cutter.count(), executor, options,
                   [&](int64_t i, Watch& watch) { run_task(run, cutter.box(i), watch); });
}

Status run_tiny(const Plan& plan, const Program& program, const BoxRun& box, int64_t outputs,
                const RunOptions& options) {
  if (Watch::is_set(options.cancel)) return cancelled_error("the run was cancelled before it began");
  BoxContext context = measure(plan, box, outputs);
  context.scratch = options.scratch;
  program.run_box(plan, box, context);
  if (options.on_progress) options.on_progress(1);
  return {};
}

// A run that was checked.
Status run_checked(const Plan& plan, const Program& program, const BoxRun& box, const Executor& executor,
                   const RunOptions& options) {
  const int64_t outputs = product(box.output.extents);
  if (outputs == 0) return {};
  if (is_tiny(plan, box, outputs)) return run_tiny(plan, program, box, outputs, options);
  Run run = {plan, program, box, measure(plan, box, outputs)};
  run.context.threads = executor.concurrency();
  if (run.context.threads == 1) run.context.scratch = options.scratch;
  return run_boxes(run, executor, options);
}

}  // namespace

Status run_plan(const Plan& plan, const Program& program, const BoxRun& box, const Executor& executor,
                const RunOptions& options) {
  const FloatEnvironment environment;
  TESELA_RETURN_IF_ERROR(check_run(plan, box));
  if (const Reordered* other = program.find_reordered(plan, box))
    return run_checked(other->plan, *other->program, in_order(box, other->order), executor, options);
  return run_checked(plan, program, box, executor, options);
}

}  // namespace tesela
