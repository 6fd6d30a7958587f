// Running a compiled node.
#include "kernel.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "stock_rules.h"

namespace tesela::ort {
namespace {

constexpr size_t kMostInputs = 4;  // of any operator: X, roi, scales, sizes
// Bytes of output. Moving fewer takes less time than waking another thread may.
constexpr size_t kLeastSharedMove = size_t{1} << 20;

int32_t available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(CPU_COUNT(&set), 1) : 1;
}

// A run's tasks on ONNX Runtime's own threads.
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

std::string shape_text(const int64_t* extents, int32_t rank) {
  if (rank == 0) return "scalar";
  std::string text;
  for (int32_t d = 0; d < rank; ++d) text += (d > 0 ? "x" : "") + std::to_string(extents[d]);
  return text;
}

}  // namespace

// What one run has read so far.
struct Kernel::Call {
  struct Input {
    const OrtValue* value = nullptr;
    size_t extents_at = 0;  // in the key
    size_t rank = 0;
    const void* data = nullptr;
  };

  OrtKernelContext* context;
  std::array<Input, kMostInputs> inputs = {};
  plugins::Key key = {};

  tesela_tensor view(size_t i, tesela_dtype dtype) const {
    const Input& input = inputs[i];
    return {const_cast<void*>(input.data),           dtype,   static_cast<int32_t>(input.rank),
            key.numbers().data() + input.extents_at, nullptr, 0};
  }
};

Kernel::Kernel(const Session& session, Node node, std::vector<int> places)
    : OrtNodeComputeInfo(),
      runtime_(session.runtime),
      logger_(session.logger),
      profile_(session.profile),
      node_(std::move(node)),
      places_(std::move(places)) {
  if (places_.size() > kMostInputs) fail(ORT_INVALID_GRAPH, node_.label + ": too many inputs");
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
  if (static_plan_ == nullptr || !node_.moves_input) return;
  const std::vector<int64_t>& extents = node_.inputs[0].extents;
  static_key_ = {static_cast<int64_t>(extents.size())};
  static_key_.insert(static_key_.end(), extents.begin(), extents.end());
}

void Kernel::run(OrtKernelContext* context) {
  Call call{context};
  read_inputs(call);
  const auto key = call.key.numbers();
  if (static_plan_ != nullptr && std::ranges::equal(static_key_, key)) return run_planned(call, static_plan_.get());
  std::shared_ptr<const tesela_plan> plan = cache_.find(key);
  if (plan == nullptr) {
    plan = make_plan(call);
    cache_.insert(key, plan);
  }
  run_planned(call, plan.get());
}

// Reads what the plan depends on, into the key, and where the input lies.
void Kernel::read_inputs(Call& call) const {
  for (size_t i = 0; i < places_.size(); ++i)
    if (places_[i] >= 0 && !node_.inputs[i].constant) read_input(call, i);
}

void Kernel::read_input(Call& call, size_t i) const {
  const OrtApi& api = runtime_.api;
  Call::Input& input = call.inputs[i];
  check(api, api.KernelContext_GetInput(call.context, static_cast<size_t>(places_[i]), &input.value));
  if (input.value == nullptr)
    fail(ORT_INVALID_ARGUMENT, node_.label + ": input " + std::to_string(i) + " has no value");
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api, api.GetTensorTypeAndShape(input.value, &info));
  OrtStatus* status = api.GetDimensionsCount(info, &input.rank);
  if (status == nullptr) {
    call.key.push(static_cast<int64_t>(input.rank));
    input.extents_at = call.key.numbers().size();
    status = api.GetDimensions(info, call.key.grow(input.rank), input.rank);
  }
  api.ReleaseTensorTypeAndShapeInfo(info);
  check(api, status);
  if (node_.inputs[i].dtype == TESELA_STRING) return;
  input.data = data_of(runtime_, input.value);
  if (!node_.reads(i)) return;
  const size_t size = bytes_of(call.view(i, node_.inputs[i].dtype));
  int64_t* const values = call.key.grow((size + sizeof(int64_t) - 1) / sizeof(int64_t));
  if (size > 0) std::memcpy(values, input.data, size);
}

std::shared_ptr<const tesela_plan> Kernel::make_plan(const Call& call) const {
  std::array<tesela_tensor, kMostInputs> tensors;
  std::array<const tesela_tensor*, kMostInputs> inputs = {};
  for (size_t i = 0; i < places_.size(); ++i) {
    const NodeInput& known = node_.inputs[i];
    if (known.omitted()) continue;
    tensors[i] = known.constant ? known.constant->view() : call.view(i, known.dtype);
    inputs[i] = &tensors[i];
  }
  Plan plan = ort::make_plan(node_, {inputs.data(), places_.size()});
  if (logger_.tells(Log::kPlans)) logger_.tell(node_.label + ": planned " + shapes_text(plan.get()));
  return plan;
}

void Kernel::run_planned(Call& call, const tesela_plan* plan) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = profile_ ? Clock::now() : Clock::time_point();
  OrtValue* output = nullptr;
  check(runtime_.api,
        runtime_.api.KernelContext_GetOutput(call.context, 0, tesela_plan_output_extents(plan),
                                             static_cast<size_t>(tesela_plan_output_rank(plan)), &output));
  if (node_.output_dtype == TESELA_STRING)
    run_strings(call, plan, output);
  else
    run_numbers(call, plan, output);
  if (profile_)
    profile_->add(node_.label, shapes_text(plan),
                  std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
}

void Kernel::run_numbers(Call& call, const tesela_plan* plan, OrtValue* output) const {
  tesela_tensor y = {
      nullptr, node_.output_dtype, tesela_plan_output_rank(plan), tesela_plan_output_extents(plan), nullptr, 0};
  check(runtime_.api, runtime_.api.GetTensorMutableData(output, &y.data));
  if (node_.output_dtype >= TESELA_UINT4) prepare_packed(y, output);
  const tesela_tensor x = call.view(0, node_.inputs[0].dtype);
  if (tesela_plan_dtype(plan) != node_.output_dtype) return run_cut(call, plan, x, y);
  run_plan(call, plan, node_.moves_input ? &x : nullptr, y);
}

// Integers by a plan of floats.
void Kernel::run_cut(Call& call, const tesela_plan* plan, const tesela_tensor& x, const tesela_tensor& y) const {
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
  cut_from_float(to.data(), 0, to.size(), y);
}

void Kernel::run_plan(Call& call, const tesela_plan* plan, const tesela_tensor* x, const tesela_tensor& y) const {
  static const int32_t cores = available_cores();
  HostThreads host{runtime_.api, call.context};
  const bool alone = !node_.computes && bytes_of(y) < kLeastSharedMove;
  const tesela_executor executor = {sizeof executor, HostThreads::parallel_for, &host, alone ? 1 : cores};
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.executor = &executor;
  tesela_error error;
  const tesela_status status = tesela_plan_run(plan, x, &y, &options, &error);
  check(runtime_.api, host.fault);
  check(status, error);
}

// The codes of the newest types are in no header that this is built with, so a size must prove them before
// bytes are written. The bits after the last element are zero.
void Kernel::prepare_packed(const tesela_tensor& y, const OrtValue* output) const {
  size_t size = 0;
  check(runtime_.api, runtime_.api.GetTensorSizeInBytes(output, &size));
  if (size != bytes_of(y))
    fail(ORT_NOT_IMPLEMENTED, node_.label + ": this ONNX Runtime gives " + std::to_string(size) + " bytes to " +
                                  shape_text(y.extents, y.rank) + " of " + tesela_dtype_name(y.dtype));
  if (size > 0) static_cast<unsigned char*>(y.data)[size - 1] = 0;
}

// Strings reach a plan as views, and the output as copies: ONNX Runtime lends neither.
void Kernel::run_strings(Call& call, const tesela_plan* plan, OrtValue* output) const {
  Strings strings = read_strings(runtime_, call.inputs[0].value);
  tesela_tensor x = call.view(0, TESELA_STRING);
  x.data = strings.elements.data();
  const int32_t rank = tesela_plan_output_rank(plan);
  const int64_t* const extents = tesela_plan_output_extents(plan);
  size_t count = 1;
  for (int32_t d = 0; d < rank; ++d) count *= static_cast<size_t>(extents[d]);
  std::vector<tesela_string> elements(count);
  const tesela_tensor y = {elements.data(), TESELA_STRING, rank, extents, nullptr, 0};
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  tesela_error error;
  check(tesela_plan_run(plan, &x, &y, &options, &error), error);
  write_strings(runtime_, elements, output);
}

std::string Kernel::shapes_text(const tesela_plan* plan) const {
  std::string text = tesela_dtype_name(node_.output_dtype);
  if (node_.moves_input)
    text += " " + shape_text(tesela_plan_input_extents(plan), tesela_plan_input_rank(plan)) + " ->";
  return text + " " + shape_text(tesela_plan_output_extents(plan), tesela_plan_output_rank(plan));
}

}  // namespace tesela::ort
