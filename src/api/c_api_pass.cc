// SPDX-License-Identifier: Apache-2.0
// The C interface: the passes of a plan, whose sums are carried from box to box.
#include <algorithm>

#include "api/boundary.h"
#include "api/run_call.h"
#include "backend/accumulate.h"

using namespace tesela;
using namespace tesela::api;

namespace {

Result<PassTensors> read_pass(const tesela_plan* plan, size_t pass) {
  if (plan == nullptr) return usage_error("plan is NULL");
  TESELA_ASSIGN_OR_RETURN(const size_t count, pass_count(plan->plan));
  if (pass >= count) return value_error("pass {}; the plan has {}", pass, count);
  return tensors_of(plan->plan, pass);
}

template <class View>
Status read_view(const tesela_tensor* tensor, size_t rank, std::string_view what, View& view) {
  if (tensor == nullptr) return usage_error("the {} is NULL", what);
  TESELA_RETURN_IF_ERROR(read_tensor_view(*tensor, true, view));
  if (view.extents.size() == rank) return {};
  return rank_error("the {} has rank {}; expected {}", what, view.extents.size(), rank);
}

Status read_lo(const int64_t* lo, size_t rank, Extents& position) {
  if (lo == nullptr) return usage_error("a position is NULL");
  position.append(lo, rank);
  return {};
}

}  // namespace

extern "C" {

tesela_status tesela_plan_pass_count(const tesela_plan* plan, size_t* count, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || count == nullptr) return usage_error("tesela_plan_pass_count: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(*count, pass_count(plan->plan));
    return {};
  });
}

tesela_status tesela_plan_pass_info(const tesela_plan* plan, size_t pass, tesela_pass* info, int64_t* input_extents,
                                    int64_t* output_extents, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const PassTensors tensors, read_pass(plan, pass));
    if (info == nullptr || info->struct_size == 0)
      return usage_error("tesela_plan_pass_info: info is NULL or its struct_size is 0");
    const Pass& rule = std::get<ResizePlan>(plan->plan.work).passes[pass];
    tesela_pass c = {};
    c.struct_size = sizeof c;
    c.axis = static_cast<int32_t>(rule.axis);
    c.rank = static_cast<int32_t>(tensors.in.size());
    c.input_dtype = static_cast<tesela_dtype>(tensors.input);
    c.accumulator_dtype = static_cast<tesela_dtype>(tensors.sums);
    c.output_dtype = static_cast<tesela_dtype>(tensors.output);
    c.window = rule.window;
    write_struct(c, info);
    if (input_extents != nullptr) std::copy(tensors.in.begin(), tensors.in.end(), input_extents);
    if (output_extents != nullptr) std::copy(tensors.out.begin(), tensors.out.end(), output_extents);
    return {};
  });
}

tesela_status tesela_plan_pass_input_region(const tesela_plan* plan, size_t pass, const int64_t* lo,
                                            const int64_t* extents, int64_t* input_lo, int64_t* input_extents,
                                            tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const PassTensors tensors, read_pass(plan, pass));
    if (lo == nullptr || extents == nullptr || input_lo == nullptr || input_extents == nullptr)
      return usage_error("tesela_plan_pass_input_region: an argument is NULL");
    const size_t rank = tensors.out.size();
    const Box output = {Extents(lo, rank), Extents(extents, rank)};
    TESELA_RETURN_IF_ERROR(check_box(output, tensors.out, "output"));
    const Box input = pass_input_region(plan->plan, pass, output);
    std::copy(input.lo.begin(), input.lo.end(), input_lo);
    std::copy(input.n.begin(), input.n.end(), input_extents);
    return {};
  });
}

tesela_status tesela_plan_pass_begin(const tesela_plan* plan, size_t pass, const tesela_tensor* accumulator,
                                     tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const PassTensors tensors, read_pass(plan, pass));
    MutableTensorView sums;
    TESELA_RETURN_IF_ERROR(read_view(accumulator, tensors.out.size(), "accumulator", sums));
    return begin_sums(plan->plan, pass, sums);
  });
}

tesela_status tesela_plan_pass_add(const tesela_plan* plan, size_t pass, const tesela_tensor* x, const int64_t* x_lo,
                                   const tesela_tensor* accumulator, const int64_t* lo,
                                   const tesela_run_options* options, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const PassTensors tensors, read_pass(plan, pass));
    const size_t rank = tensors.out.size();
    PassRun run;
    run.pass = pass;
    TESELA_RETURN_IF_ERROR(read_view(x, rank, "input", run.input));
    TESELA_RETURN_IF_ERROR(read_lo(x_lo, rank, run.input_lo));
    TESELA_RETURN_IF_ERROR(read_view(accumulator, rank, "accumulator", run.sums));
    TESELA_RETURN_IF_ERROR(read_lo(lo, rank, run.sums_lo));
    return run_with_options(*plan, options,
                            [&](const Program& program, const Executor& executor, const RunOptions& given) {
                              return add_to_sums(plan->plan, program, run, executor, given);
                            });
  });
}

tesela_status tesela_plan_pass_finish(const tesela_plan* plan, size_t pass, const tesela_tensor* accumulator,
                                      const tesela_tensor* y, const int64_t* lo, const tesela_run_options* options,
                                      tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const PassTensors tensors, read_pass(plan, pass));
    const size_t rank = tensors.out.size();
    FinishRun run;
    run.pass = pass;
    TESELA_RETURN_IF_ERROR(read_view(accumulator, rank, "accumulator", run.sums));
    TESELA_RETURN_IF_ERROR(read_view(y, rank, "output", run.output));
    TESELA_RETURN_IF_ERROR(read_lo(lo, rank, run.lo));
    return run_with_options(*plan, options, [&](const Program&, const Executor& executor, const RunOptions& given) {
      return finish_sums(plan->plan, run, executor, given);
    });
  });
}

}  // extern "C"
