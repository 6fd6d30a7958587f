// One operator from arguments to file.
#include "one_operator.h"

#include <chrono>

#include "interrupts.h"
#include "numbers.h"
#include "progress.h"

namespace tesela::cli {
namespace {

std::string extents_text(const int64_t* extents, int32_t rank) {
  std::string text = rank == 0 ? "scalar" : "";
  for (int32_t axis = 0; axis < rank; ++axis) text += (axis ? "x" : "") + std::to_string(extents[axis]);
  return text;
}

std::string shapes_text(const tesela_plan* plan) {
  const std::string output = extents_text(tesela_plan_output_extents(plan), tesela_plan_output_rank(plan));
  const int64_t* input = tesela_plan_input_extents(plan);
  if (input == nullptr) return output;
  return extents_text(input, tesela_plan_input_rank(plan)) + " -> " + output;
}

}  // namespace

void add_input(CLI::App& verb, OperatorRequest& request) {
  verb.add_option("IN", request.input.path, "A tensor or an image: .npy, .npz, .pb, .png, .jpg or '-'")
      ->required()
      ->type_name("");
  add_text(verb, "--dtype", "TYPE", "What the bytes of an .npy file are, where it cannot say: bfloat16, int4, ...",
           [&request](const std::string& text) { request.input.dtype = parse_dtype("--dtype", text); });
  add_text(verb, "--entry", "NAME", "The array of an .npz file",
           [&request](const std::string& text) { request.input.entry = text; });
}

void add_output(CLI::App& verb, OperatorRequest& request) {
  verb.add_option("OUT", request.output, "The file to write; its ending names the format. Or '-'")
      ->required()
      ->type_name("");
  add_text(verb, "--format", "FORMAT", "What to write, whatever the ending: " + format_names(),
           [&request](const std::string& text) { request.format = text; });
  add_text(verb, "--opset", "N", "The opset whose version of the operator is applied (default: the newest)",
           [&request](const std::string& text) { request.opset = parse_integer("--opset", text, 1, INT64_MAX); });
  add_run_flags(verb, request.flags);
}

TensorTarget plan_output(const OperatorRequest& request) {
  return plan_output(request.output, request.format, {request.input.path});
}

void apply(const char* type, const tesela_op* op, const std::vector<NamedInput>& inputs, const OperatorRequest& request,
           const TensorTarget& target, const std::string& name) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const auto start = std::chrono::steady_clock::now();
  stop_if_interrupted();
  const tesela_limits limits = request.flags.limits();
  std::vector<const char*> names;
  std::vector<const tesela_tensor*> tensors;
  for (const NamedInput& input : inputs) {
    names.push_back(input.name);
    tensors.push_back(input.tensor);
  }
  const Plan plan = make<Plan>(tesela_plan_create_named, op, inputs.size(), names.data(), tensors.data(), &limits);
  const tesela_dtype dtype = tesela_plan_dtype(plan.get());
  check_type(target, dtype);
  const Value output = make<Value>(tesela_value_create, dtype, tesela_plan_output_rank(plan.get()),
                                   tesela_plan_output_extents(plan.get()), &limits);
  Progress progress(request.flags.quiet);
  const tesela_run_options options = progress.options(request.flags.threads);
  const tesela_tensor y = view_of(output);
  call(tesela_plan_run, plan.get(), tensors.at(0), &y, &options);

  const std::string shapes = shapes_text(plan.get());
  const double milliseconds = Milliseconds(std::chrono::steady_clock::now() - start).count();
  progress.node(
      {"", type, tesela_op_since_version(op), tesela_dtype_name(dtype), shapes.c_str(), milliseconds, nullptr});
  store_tensor(y, target, name);
}

}  // namespace tesela::cli
