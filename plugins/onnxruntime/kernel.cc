// SPDX-License-Identifier: Apache-2.0
// Runs a compiled node.
#include "kernel.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "onnxruntime_semantics.h"

namespace tesela::ort {
namespace {

constexpr size_t kMaxInputs = 4;  // of any operator: X, roi, scales, sizes
// Bytes of output. Smaller moves run on one thread: waking another can take longer than the move.
constexpr size_t kMinSharedMoveBytes = size_t{1} << 20;

int32_t available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(CPU_COUNT(&set), 1) : 1;
}

// Runs tasks on ONNX Runtime's threads.
struct HostThreads {
  const OrtApi& api;
  const OrtKernelContext* context;
  OrtStatus* fault = nullptr;

  struct Tasks {
    void (*task)(void* argument, int64_t index);
    void* argument;
  };
  static void run_one(void* tasks, size_t index) {
    const auto& given = *static_cast<const Tasks*>(tasks);
    given.task(given.argument, static_cast<int64_t>(index));
  }
  static void parallel_for(void* self, int64_t count, void (*task)(void*, int64_t), void* argument) {
    auto& host = *static_cast<HostThreads*>(self);
    if (count == 1) return task(argument, 0);
    Tasks tasks = {task, argument};
    host.fault = host.api.KernelContext_ParallelFor(host.context, run_one, static_cast<size_t>(count), 0, &tasks);
  }
};

std::string shape_text(std::span<const int64_t> extents) {
  if (extents.empty()) return "scalar";
  std::string text;
  for (const int64_t extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

}  // namespace

// The inputs of one run.
struct Kernel::Call {
  explicit Call(OrtKernelContext* of) : context(of) {}

  OrtKernelContext* context;
  const OrtValue* first = nullptr;
  std::array<tesela_tensor, kMaxInputs> tensors = {};  // in the form that plans take

  std::span<const int64_t> extents(size_t i) const {
    return {tensors[i].extents, static_cast<size_t>(tensors[i].rank)};
  }
  /// Storage for one input's extents; its address stays valid for the run.
  int64_t* allocate_extents(size_t rank) {
    if (used_ + rank > inline_.size()) return spilled_.emplace_back(rank).data();
    return inline_.data() + std::exchange(used_, used_ + rank);
  }

 private:
  std::array<int64_t, 32> inline_;
  size_t used_ = 0;
  std::vector<std::vector<int64_t>> spilled_;
};

Kernel::Kernel(const Session& session, Node node, std::vector<int> places)
    : OrtNodeComputeInfo(),
      runtime_(session.runtime),
      logger_(session.logger),
      profile_(session.profile),
      node_(std::move(node)),
      places_(std::move(places)) {
  if (places_.size() > kMaxInputs) fail(ORT_INVALID_GRAPH, node_.label + ": too many inputs");
  ort_version_supported = kApiVersion;
  CreateState = [](OrtNodeComputeInfo* self, OrtNodeComputeContext*, void** state) noexcept -> OrtStatus* {
    *state = self;
    return nullptr;
  };
  Compute = [](OrtNodeComputeInfo* self, void*, OrtKernelContext* context) noexcept -> OrtStatus* {
    auto* const kernel = static_cast<Kernel*>(self);
    return guard(kernel->runtime_.api, [&] { kernel->run(context); });
  };
  ReleaseState = [](OrtNodeComputeInfo*, void*) noexcept {};
  static_plan_ = make_static_plan(node_);
}

void Kernel::run(OrtKernelContext* context) {
  Call call(context);
  read_inputs(call);
  if (static_plan_ && is_static(call)) return run_planned(call, *static_plan_);
  run_planned(call, plan_of(call));
}

// A model may declare one shape and run with another.
bool Kernel::is_static(const Call& call) const {
  return !node_.moves_input || std::ranges::equal(call.extents(0), node_.inputs[0].extents);
}

void Kernel::read_inputs(Call& call) const {
  for (size_t i = 0; i < places_.size(); ++i) {
    if (node_.inputs[i].constant)
      call.tensors[i] = node_.inputs[i].constant->view();
    else if (places_[i] >= 0)
      read_input(call, i);
  }
}

// Reads the input's shape and data pointer.
void Kernel::read_input(Call& call, size_t i) const {
  const OrtApi& api = runtime_.api;
  const OrtValue* value = nullptr;
  check(api, api.KernelContext_GetInput(call.context, static_cast<size_t>(places_[i]), &value));
  if (value == nullptr) fail(ORT_INVALID_ARGUMENT, node_.label + ": input " + std::to_string(i) + " has no value");
  if (i == 0) call.first = value;
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api, api.GetTensorTypeAndShape(value, &info));
  size_t rank = 0;
  int64_t* extents = nullptr;
  OrtStatus* status = api.GetDimensionsCount(info, &rank);
  if (status == nullptr) {
    extents = call.allocate_extents(rank);
    status = api.GetDimensions(info, extents, rank);
  }
  api.ReleaseTensorTypeAndShapeInfo(info);
  check(api, status);
  const tesela_dtype dtype = node_.inputs[i].dtype;
  void* const data = dtype == TESELA_STRING ? nullptr : const_cast<void*>(data_of(runtime_, value));
  call.tensors[i] = {data, dtype, static_cast<int32_t>(rank), extents, nullptr, 0};
}

Plan Kernel::plan_of(const Call& call) {
  std::array<const tesela_tensor*, kMaxInputs> inputs = {};
  for (size_t i = 0; i < places_.size(); ++i)
    if (!node_.inputs[i].omitted()) inputs[i] = &call.tensors[i];
  const Inputs given(inputs.data(), places_.size());
  if (std::optional<Plan> known = find_plan(node_, given, cache_)) return std::move(*known);
  Plan plan = make_plan(node_, given, &cache_);
  if (logger_.reports_at(Log::kPlans)) logger_.report(node_.label + ": planned " + shapes_text(plan));
  return plan;
}

void Kernel::run_planned(Call& call, const Plan& plan) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = profile_ ? Clock::now() : Clock::time_point();
  OrtValue* output = nullptr;
  const auto extents = plan.output_extents();
  check(runtime_.api, runtime_.api.KernelContext_GetOutput(call.context, 0, extents.data(), extents.size(), &output));
  if (node_.output_dtype == TESELA_STRING)
    run_strings(call, plan, output);
  else
    run_numbers(call, plan, output);
  if (profile_)
    profile_->add(node_.label, shapes_text(plan),
                  std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

// A view of the output without its data pointer.
tesela_tensor Kernel::output_view(const Plan& plan) const {
  const auto extents = plan.output_extents();
  return {nullptr, node_.output_dtype, static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
}

void Kernel::run_numbers(Call& call, const Plan& plan, OrtValue* output) const {
  tesela_tensor y = output_view(plan);
  check(runtime_.api, runtime_.api.GetTensorMutableData(output, &y.data));
  if (node_.output_dtype >= TESELA_UINT4) prepare_packed(y, output);
  const tesela_tensor& x = call.tensors[0];
  if (plan.dtype() != node_.output_dtype) return run_truncated(call, plan, x, y);
  run_plan(call, plan, node_.moves_input ? &x : nullptr, y);
}

// Computes integers with a plan of floats.
void Kernel::run_truncated(Call& call, const Plan& plan, const tesela_tensor& x, const tesela_tensor& y) const {
  const auto as_floats = [](const tesela_tensor& of, std::vector<float>& data) {
    tesela_tensor made = of;
    made.dtype = TESELA_FLOAT;
    data.resize(bytes_of(made) / sizeof(float));
    made.data = data.data();
    return made;
  };
  std::vector<float> from;
  std::vector<float> to;
  const tesela_tensor floats = as_floats(x, from);
  const tesela_tensor made = as_floats(y, to);
  widen_to_float(x, 0, from.size(), from.data());
  run_plan(call, plan, &floats, made);
  truncate_from_float(to.data(), 0, to.size(), y);
}

void Kernel::run_plan(Call& call, const Plan& plan, const tesela_tensor* x, const tesela_tensor& y) const {
  static const int32_t cores = available_cores();
  HostThreads host{runtime_.api, call.context};
  const bool alone = !node_.computes && bytes_of(y) < kMinSharedMoveBytes;
  const tesela_executor executor = {sizeof executor, HostThreads::parallel_for, &host, alone ? 1 : cores};
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.executor = &executor;
  tesela_error error;
  const tesela_status status = tesela_plan_run(plan.get(), x, &y, &options, &error);
  check(runtime_.api, host.fault);
  if (status != TESELA_OK) throw Error(status, error.message);
}

// ONNX Runtime's headers lack the codes of the newest types, so this checks the buffer's size before writing. The bits
// after the last element must be zero.
void Kernel::prepare_packed(const tesela_tensor& y, const OrtValue* output) const {
  size_t size = 0;
  check(runtime_.api, runtime_.api.GetTensorSizeInBytes(output, &size));
  if (size != bytes_of(y))
    fail(ORT_NOT_IMPLEMENTED, node_.label + ": this ONNX Runtime gives " + std::to_string(size) + " bytes to " +
                                  shape_text({y.extents, static_cast<size_t>(y.rank)}) + " of " +
                                  tesela_dtype_name(y.dtype));
  if (size > 0) static_cast<unsigned char*>(y.data)[size - 1] = 0;
}

// The plan computes on views of strings, which are then copied to the output: ONNX Runtime gives no access to its own.
void Kernel::run_strings(Call& call, const Plan& plan, OrtValue* output) const {
  Strings strings = read_strings(runtime_, call.first);
  tesela_tensor x = call.tensors[0];
  x.data = strings.elements.data();
  tesela_tensor y = output_view(plan);
  size_t count = 1;
  for (const int64_t extent : plan.output_extents()) count *= static_cast<size_t>(extent);
  std::vector<tesela_string> elements(count);
  y.data = elements.data();
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  tesela::call(tesela_plan_run, plan.get(), &x, &y, &options);
  write_strings(runtime_, elements, output);
}

std::string Kernel::shapes_text(const Plan& plan) const {
  std::string text = tesela_dtype_name(node_.output_dtype);
  if (node_.moves_input) text += " " + shape_text(plan.input_extents()) + " ->";
  return text + " " + shape_text(plan.output_extents());
}

}  // namespace tesela::ort
