// A run: checks the tensors against the plan, cuts the output into tasks, and has them done.
#include <algorithm>
#include <atomic>
#include <thread>

#include "backend/backend.h"
#include "backend/boxes.h"
#include "backend/cpu/caches.h"
#include "backend/cpu/cpu.h"
#include "backend/float_environment.h"
#include "backend/reference/reference.h"

namespace tesela {
namespace {

constexpr int64_t kLeastTask = int64_t{1} << 14;      // elements; below it another thread costs more than it gains
constexpr int64_t kMostTask = int64_t{1} << 20;       // elements
constexpr int64_t kMostWholeInput = int64_t{1} << 18; // elements; a small output of no more is one task as it is
constexpr int64_t kMostScratch = int64_t{256} << 20;  // bytes a task, where smaller boxes can bring it down

Status check_tensor(DataType type, DataType expected, std::string_view what) {
  if (type == expected) return {};
  return type_error("the {} has type {}; the plan was made for {}", what, name(type), name(expected));
}

Status check_strides(DataType type, const Extents& extents, const Extents& strides, std::string_view what) {
  if (strides.empty()) return {};
  if (is_packed(type)) return usage_error("the {} has strides; {} tensors are always dense", what, name(type));
  if (strides.size() != extents.size())
    return rank_error("the {} has {} strides; expected {}", what, strides.size(), extents.size());
  return {};
}

// The input box, which is not the whole input.
Status check_input_box(const Plan& plan, const BoxRun& run) {
  const Extents& lo = run.input_lo;
  const Extents& n = run.input.extents;
  const Box needed = input_region(plan, {run.output_lo, run.output.extents});
  for (size_t d = 0; d < plan.in.size(); ++d)
    if (needed.lo[d] < lo[d] || needed.lo[d] + needed.n[d] > lo[d] + n[d])
      return shape_error("the input box has [{}, {}) on axis {}; the output box needs [{}, {})", lo[d], lo[d] + n[d],
                         d, needed.lo[d], needed.lo[d] + needed.n[d]);
  return {};
}

Status check_run(const Plan& plan, const BoxRun& run) {
  TESELA_RETURN_IF_ERROR(check_tensor(run.output.type, plan.type, "output"));
  TESELA_RETURN_IF_ERROR(check_strides(plan.type, run.output.extents, run.output.strides_bytes, "output"));
  TESELA_RETURN_IF_ERROR(check_box(run.output_lo, run.output.extents, plan.out, "output"));
  if (product(run.output.extents) == 0) return {};
  if (run.output.data == nullptr) return usage_error("the output has no data");
  if (!plan.has_input()) return {};
  TESELA_RETURN_IF_ERROR(check_tensor(run.input.type, plan.type, "input"));
  TESELA_RETURN_IF_ERROR(check_strides(plan.type, run.input.extents, run.input.strides_bytes, "input"));
  TESELA_RETURN_IF_ERROR(check_box(run.input_lo, run.input.extents, plan.in, "input"));
  if (run.input.data == nullptr) return usage_error("the input has no data");
  return run.input.extents == plan.in ? Status() : check_input_box(plan, run);
}

// How a run is done, worked out once: which backend, with what, and how its stores reach memory.
struct Method {
  Backend backend = Backend::kCpu;
  std::shared_ptr<const cpu::Program> bound;
  const cpu::Program* program = nullptr;
  bool stream = false;
  std::span<std::byte> scratch;  // for one task at a time
};

Method choose_method(const Plan& plan, const RunOptions& options, const Extents& output_lo, const Extents& output_n) {
  Method method;
  // The kernels know one way of rounding.
  const auto* resize = std::get_if<ResizePlan>(&plan.work);
  const bool is_fixed_point = resize != nullptr && resize->rounding != Rounding::kHalfEven;
  method.backend = is_fixed_point ? Backend::kReference : options.backend;
  if (method.backend == Backend::kReference) return method;
  method.program = options.program;
  if (method.program == nullptr) {
    method.bound = cpu::bind(plan);
    method.program = method.bound.get();
  }
  const int64_t bits = element_bits(plan.type);
  const int64_t outputs = product(output_n);
  if (outputs <= kLeastTask) return method;  // in the caches, whatever they are
  const int64_t inputs = plan.has_input() ? product(input_region(plan, {output_lo, output_n}).n) : 0;
  method.stream = cpu::bypasses_caches(outputs * bits / 8, inputs * bits / 8, cpu::is_move(plan));
  return method;
}

int64_t task_scratch(const Plan& plan, const Method& method, const Box& box) {
  return method.backend == Backend::kReference ? reference::scratch_bytes(plan, box)
                                               : cpu::scratch_bytes(plan, *method.program, box);
}

// Several tasks for each thread even out their times; boxes that need much scratch are made smaller.
int64_t task_elements(const Plan& plan, const Method& method, const Box& output, int threads) {
  const int64_t all = product(output.n);
  int64_t elements = threads == 1 ? kMostTask : std::clamp(all / (int64_t{4} * threads), kLeastTask, kMostTask);
  while (elements > 1 &&
         task_scratch(plan, method, BoxCutter(output, elements, plan.type).box(0)) > kMostScratch)
    elements /= 2;
  return elements;
}

void run_box(const Plan& plan, const Method& method, const BoxRun& run) {
  if (method.backend == Backend::kReference)
    reference::run_box(plan, run);
  else
    cpu::run_box(plan, *method.program, run, method.stream, method.scratch);
}

void run_task(const Plan& plan, const Method& method, const BoxRun& run, const Box& box) {
  const FloatEnvironment environment;
  BoxRun part;
  part.output = part_of(run.output, run.output_lo, box);
  part.output_lo = box.lo;
  if (plan.has_input()) {
    const Box needed = input_region(plan, box);
    // A packed input is not cut: it stays whole, and so does where it begins.
    const bool whole = is_packed(plan.type);
    part.input = whole ? run.input : part_of(run.input, run.input_lo, needed);
    part.input_lo = whole ? run.input_lo : needed.lo;
  }
  run_box(plan, method, part);
}

// Where cutting, and asking who has a thread, would take longer than the work.
bool is_tiny(const Plan& plan, const BoxRun& run, int64_t outputs) {
  return outputs <= kLeastTask && run.output.extents == plan.out && run.input.extents == plan.in &&
         product(plan.in) <= kMostWholeInput;
}

Status run_tasks(const Plan& plan, const Method& method, const BoxRun& run, Executor& executor,
                 const RunOptions& options) {
  const Box output = {run.output_lo, run.output.extents};
  const int threads = product(output.n) <= kLeastTask ? 1 : executor.concurrency();
  const BoxCutter cutter(output, task_elements(plan, method, output, threads), plan.type);
  const auto is_cancelled = [&] {
    return options.cancel != nullptr && __atomic_load_n(options.cancel, __ATOMIC_RELAXED) != 0;
  };
  std::atomic<int64_t> done = 0;
  const auto caller = std::this_thread::get_id();
  executor.parallel_for(cutter.count(), [&](int64_t i) {
    if (is_cancelled()) return;
    run_task(plan, method, run, cutter.box(i));
    const int64_t finished = ++done;
    if (options.on_progress && std::this_thread::get_id() == caller)
      options.on_progress(static_cast<double>(finished) / static_cast<double>(cutter.count()));
  });
  if (done < cutter.count()) return cancelled_error("the run was cancelled after {} of {} tasks", done.load(),
                                                    cutter.count());
  return {};
}

}  // namespace

Status run_plan(const Plan& plan, const BoxRun& run, Executor& executor, const RunOptions& options) {
  const FloatEnvironment environment;
  TESELA_RETURN_IF_ERROR(check_run(plan, run));
  const int64_t outputs = product(run.output.extents);
  if (outputs == 0) return {};
  Method method = choose_method(plan, options, run.output_lo, run.output.extents);
  const bool tiny = is_tiny(plan, run, outputs);
  if (!options.scratch.empty() && (tiny || executor.concurrency() == 1)) method.scratch = options.scratch;
  if (!tiny || options.cancel != nullptr || options.on_progress) return run_tasks(plan, method, run, executor, options);
  run_box(plan, method, run);
  return {};
}

std::shared_ptr<const cpu::Program> bind_plan(const Plan& plan) {
  return cpu::bind(plan);
}

int64_t scratch_bytes(const Plan& plan, const RunOptions& options, const Box& output) {
  return task_scratch(plan, choose_method(plan, options, output.lo, output.n), output);
}

}  // namespace tesela
