// SPDX-License-Identifier: Apache-2.0
// Calls under the rules of other libraries, and their results.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "backend/backend.h"
#include "plan/emulation/emulate.h"
#include "plan/resolve.h"
#include "schema/described.h"
#include "types/elements.h"

namespace tesela {

/// A call of Resize-19, if it does not say otherwise.
struct EmulatedRequest {
  Rules rules = Rules::kStandard;
  Extents in = {};
  std::vector<int64_t> sizes = {};
  std::vector<Attribute> attributes = {};
  DataType type = DataType::kFloat;
  std::vector<float> scales = {};  // instead of sizes
  std::optional<TensorInfo> roi = {};
  std::string_view op = "Resize";
  int64_t opset = 19;
};

inline Result<Plan> planned(const EmulatedRequest& request, const Limits& limits = Limits::none()) {
  const OpDesc op = make_op(request.op, request.opset, request.attributes);
  const TensorInfo x = shaped(request.in, request.type);
  const TensorInfo scales = floats(request.scales);
  const TensorInfo sizes = ints(request.sizes);
  std::vector<const TensorInfo*> inputs = {&x};
  if (request.op == "Resize" && request.opset > 10) inputs.push_back(request.roi ? &*request.roi : nullptr);
  if (!request.scales.empty())
    inputs.push_back(&scales);
  else if (request.op == "Resize")
    inputs.insert(inputs.end(), {nullptr, &sizes});
  PlanFields fields;
  fields.rules = request.rules;
  return make_plan(op, inputs, limits, fields);
}

/// The plan, whose tables have a row for each output.
inline Plan plan_of(const EmulatedRequest& request) {
  const Result<Plan> plan = planned(request);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  if (const auto* work = std::get_if<EmulatedPlan>(&plan->work))
    for (const EmulatedStep& step : work->steps)
      for (const EmulatedAxis& axis : step.axes) {
        EXPECT_EQ(axis.first.size(), static_cast<size_t>(axis.out) + 1);
        EXPECT_EQ(axis.input.size(), static_cast<size_t>(axis.first.back()));
        EXPECT_EQ(axis.weight.size(), axis.input.size());
      }
  return *plan;
}

/// The axis of a step, for tables that results do not show.
inline EmulatedAxis axis_of(const EmulatedRequest& request, size_t step, size_t axis) {
  return std::get<EmulatedPlan>(plan_of(request).work).steps.at(step).axes.at(axis);
}

inline std::pair<double, double> centres_of(const EmulatedAxis& axis) {
  return {axis.first_centre, axis.last_centre};
}

inline std::string refusal(const EmulatedRequest& request) {
  return planned(request).status().message();
}

/// Whether the plan keeps to the limits.
inline bool fits(const EmulatedRequest& request, const Limits& limits) {
  const Status status = planned(request, limits).status();
  EXPECT_TRUE(status.ok() || status.code() == TESELA_ERROR_LIMIT) << status.message();
  return status.ok();
}

/// Whether the largest table has so many taps.
inline bool needs_taps(const EmulatedRequest& request, int64_t taps) {
  Limits limits = Limits::none();
  limits.max_working_bytes = taps * 16;
  const bool enough = fits(request, limits);
  limits.max_working_bytes -= 1;
  return enough && !fits(request, limits);
}

/// Whether the output counts as so many bytes.
inline bool needs_output(const EmulatedRequest& request, int64_t bytes) {
  Limits limits = Limits::none();
  limits.max_output_bytes = bytes;
  const bool enough = fits(request, limits);
  limits.max_output_bytes -= 1;
  return enough && !fits(request, limits);
}

/// The axes of its steps, in their order.
inline std::vector<size_t> axes_of_steps(const EmulatedRequest& request) {
  std::vector<size_t> axes;
  const Plan plan = plan_of(request);
  for (const EmulatedStep& step : std::get<EmulatedPlan>(plan.work).steps) axes.push_back(step.axes[0].axis);
  return axes;
}

/// The result as T, small floats as floats.
template <class T>
auto run(const EmulatedRequest& request, const std::vector<double>& x) {
  const Plan plan = plan_of(request);
  std::vector<T> stored;
  for (const double value : x) stored.push_back(store_as<T>(value));
  const Tensor from = make_tensor(plan.type, stored, plan.in);
  Tensor to = *Tensor::allocate(plan.type, plan.out);
  const Extents origin(plan.in.size(), 0);
  const BoxRun box = {from.view(), origin, to.mutable_view(), origin};
  EXPECT_TRUE(run_plan(plan, *bind(plan, kDefaultBackend), box, Executor(), {}).ok());
  std::vector<std::conditional_t<kIsSmallFloat<T>, float, T>> shown;
  for (const T value : to.as<T>()) shown.push_back(load_as<typename decltype(shown)::value_type>(value));
  return shown;
}

/// Of 11, 48, 85, 21 and so on.
template <class T>
auto run(const EmulatedRequest& request) {
  std::vector<double> x;
  for (int64_t k = 0; k < product(request.in); ++k) x.push_back(static_cast<double>((k * 37 + 11) % 101));
  return run<T>(request, x);
}

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Bytes = std::vector<uint8_t>;
using Integers = std::vector<int32_t>;
using Centres = std::pair<double, double>;

}  // namespace tesela
