// SPDX-License-Identifier: Apache-2.0
// Applies one operator, from arguments to files.
#include "one_operator.h"

#include <chrono>

#include "numbers.h"
#include "progress.h"

namespace tesela::cli {
namespace {

std::string extents_text(std::span<const int64_t> extents) {
  std::string text = extents.empty() ? "scalar" : "";
  for (const int64_t extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::string shapes_text(const Plan& plan, bool has_input) {
  const std::string input = has_input ? extents_text(plan.input_extents()) + " -> " : "";
  return input + extents_text(plan.output_extents());
}

}  // namespace

void add_input(CLI::App& verb, OperatorRequest& request) {
  add_words(verb, "IN", request.input.path, "A tensor or an image: .npy, .npz, .pb, .png, .jpg or '-'")
      ->required()
      ->type_name("");
  add_text(verb, "--dtype", "TYPE", "The type of an .npy file that cannot name it: bfloat16, int4, ...",
           [&request](const std::string& text) { request.input.dtype = parse_dtype("--dtype", text); });
  add_text(verb, "--entry", "NAME", "The array of an .npz file",
           [&request](const std::string& text) { request.input.entry = text; });
}

void add_output(CLI::App& verb, OperatorRequest& request) {
  add_words(verb, "OUT", request.output, "The file to write; its ending names the format. Or '-'")
      ->required()
      ->type_name("");
  add_text(verb, "--format", "FORMAT", "What to write, whatever the ending: " + format_names(),
           [&request](const std::string& text) { request.format = text; });
  add_text(verb, "--opset", "N", "The opset whose version of the operator is applied (default: the newest)",
           [&request](const std::string& text) { request.opset = parse_integer("--opset", text, 1, INT64_MAX); });
  add_run_flags(verb, request.flags);
  add_stream_flags(verb, request.stream);
}

int print_call(const std::string& name, const OperatorRequest& request, Json parameters) {
  Json call = stream_call(request.stream, request.flags);
  call["operator"] = name;
  call["input"] = request.input.path;
  call["dtype"] = request.input.dtype == 0 ? "" : tesela_dtype_name(request.input.dtype);
  call["output"] = request.output;
  call["format"] = request.format;
  if (request.opset != 0) parameters["opset"] = request.opset;
  call["parameters"] = std::move(parameters);
  return print_call(call);
}

TensorTarget plan_output(const std::string& verb, const OperatorRequest& request) {
  refuse_streams(verb, request.stream, {request.input.path, request.output});
  return plan_output(request.output, request.format, {request.input.path});
}

void apply(const char* type, const Op& op, const View& first, const OtherInputs& others, const OperatorRequest& request,
           const TensorTarget& target, const std::string& name) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const auto start = std::chrono::steady_clock::now();
  const Limits limits = request.flags.limits();
  const Plan plan = op.plan_named(first, others, limits);
  check_type(target, plan.dtype());
  Value output(plan.dtype(), Shape(plan.output_extents()), limits);
  {  // the destructor of Json allocates, and nothing may fail after the file is written
    Progress progress(request.flags.quiet);
    plan.run(first, output, progress.options(request.flags.threads));

    const std::string shapes = shapes_text(plan, !request.input.path.empty());
    const double milliseconds = Milliseconds(std::chrono::steady_clock::now() - start).count();
    progress.node(
        {"", type, op.since_version(), tesela_dtype_name(plan.dtype()), shapes.c_str(), milliseconds, nullptr});
  }
  store_tensor(output.view(), target, name);
}

}  // namespace tesela::cli
