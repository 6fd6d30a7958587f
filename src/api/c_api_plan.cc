// SPDX-License-Identifier: Apache-2.0
// The C interface: plans and their runs.
#include <algorithm>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "api/read_inputs.h"
#include "api/run_call.h"
#include "plan/describe.h"
#include "plan/resolve.h"

using namespace tesela;
using namespace tesela::api;

namespace {

Box read_box(const Plan& plan, const int64_t* lo, const int64_t* n) {
  const size_t rank = plan.out.size();
  return rank == 0 ? Box{} : Box{Extents(lo, rank), Extents(n, rank)};
}

Result<Box> read_output_box(const tesela_plan* plan, const int64_t* lo, const int64_t* n) {
  if (plan == nullptr || (!plan->plan.out.empty() && (lo == nullptr || n == nullptr)))
    return usage_error("an argument is NULL");
  Box box = read_box(plan->plan, lo, n);
  TESELA_RETURN_IF_ERROR(check_box(box, plan->plan.out, "output"));
  return box;
}

// Fills the run, which is fresh, from the caller's tensors; x_lo or lo NULL: the whole tensor.
Status read_run(const Plan& plan, const tesela_tensor* x, const int64_t* x_lo, const tesela_tensor* y,
                const int64_t* lo, BoxRun& run) {
  if (y == nullptr) return usage_error("the output is NULL");
  TESELA_RETURN_IF_ERROR(read_tensor_view(*y, true, run.output));
  const size_t rank = plan.out.size();
  if (run.output.extents.size() != rank)
    return rank_error("the output has rank {}; expected {}", run.output.extents.size(), rank);
  if (lo != nullptr)
    run.output_lo.append(lo, rank);
  else
    run.output_lo.resize(rank, 0);
  if (x_lo != nullptr)
    run.input_lo.append(x_lo, plan.in.size());
  else
    run.input_lo.resize(plan.in.size(), 0);
  if (!plan.has_input()) return {};
  if (x == nullptr) return usage_error("the input is NULL");
  TESELA_RETURN_IF_ERROR(read_tensor_view(*x, true, run.input));
  // OpenVINO's Tile promotes the rank of its data; a whole tensor may have the rank before that.
  if (x_lo == nullptr && run.input.extents.size() < plan.in.size() && std::holds_alternative<TilePlan>(plan.work))
    if (TensorView padded = pad_rank(run.input, plan.in.size()); padded.extents == plan.in)
      run.input = std::move(padded);
  if (run.input.extents.size() != plan.in.size())
    return rank_error("the input has rank {}; expected {}", run.input.extents.size(), plan.in.size());
  return {};
}

Status check_whole(const Extents& extents, const Extents& expected, std::string_view what) {
  if (extents == expected) return {};
  return shape_error("the {} has shape {}; the plan was made for {}", what, shape_text(extents), shape_text(expected));
}

Status run(const tesela_plan& plan, const BoxRun& box, const tesela_run_options* options) {
  return run_with_options(plan, options,
                          [&](const Program& program, const Executor& executor, const RunOptions& given) {
                            return run_plan(plan.plan, program, box, executor, given);
                          });
}

}  // namespace

extern "C" {

tesela_status tesela_plan_create(const tesela_op* op, size_t count, const tesela_tensor* const* inputs,
                                 const tesela_limits* limits, tesela_plan** plan, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_RETURN_IF_ERROR(check_inputs(op, count, inputs));
    if (plan == nullptr) return usage_error("tesela_plan_create: plan is NULL");
    const bool first_is_control = op->desc.schema->op == Operator::kConstantOfShape;
    InputInfos infos(count);
    for (size_t i = 0; i < count; ++i) {
      if (inputs[i] == nullptr) {
        infos.omit();
        continue;
      }
      const Status read = info_of_tensor(*inputs[i], i > 0 || first_is_control, infos.add());
      if (!read.ok()) return read.with_prefix(op->desc.where() + fmt::format("input {}: ", i));
    }
    TESELA_ASSIGN_OR_RETURN(const Limits most, read_limits(limits, Limits::none()));
    TESELA_ASSIGN_OR_RETURN(Plan && made, make_plan(op->desc, infos.get(), most, op->fields));
    ProgramPtr program = bind(made);
    *plan = new tesela_plan{std::move(made), std::move(program)};
    return {};
  });
}

void tesela_plan_destroy(tesela_plan* plan) {
  if (plan != nullptr && plan->handles.fetch_sub(1, std::memory_order_acq_rel) == 1) delete plan;
}

tesela_dtype tesela_plan_dtype(const tesela_plan* plan) {
  return plan == nullptr ? 0 : static_cast<tesela_dtype>(plan->plan.type);
}

int32_t tesela_plan_output_rank(const tesela_plan* plan) {
  return plan == nullptr ? 0 : static_cast<int32_t>(plan->plan.out.size());
}

const int64_t* tesela_plan_output_extents(const tesela_plan* plan) {
  return plan == nullptr ? nullptr : plan->plan.out.data();
}

int32_t tesela_plan_input_rank(const tesela_plan* plan) {
  return plan == nullptr ? 0 : static_cast<int32_t>(plan->plan.in.size());
}

const int64_t* tesela_plan_input_extents(const tesela_plan* plan) {
  return plan == nullptr ? nullptr : plan->plan.in.data();
}

tesela_status tesela_plan_input_region(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                       int64_t* input_lo, int64_t* input_extents, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const Box output, read_output_box(plan, lo, extents));
    const Box input = input_region(plan->plan, output);
    if (!input.lo.empty() && (input_lo == nullptr || input_extents == nullptr))
      return usage_error("tesela_plan_input_region: an argument is NULL");
    std::copy(input.lo.begin(), input.lo.end(), input_lo);
    std::copy(input.n.begin(), input.n.end(), input_extents);
    return {};
  });
}

tesela_status tesela_plan_scratch_bytes(const tesela_plan* plan, const int64_t* lo, const int64_t* extents,
                                        uint64_t* bytes, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_ASSIGN_OR_RETURN(const Box output, read_output_box(plan, lo, extents));
    if (bytes == nullptr) return usage_error("tesela_plan_scratch_bytes: bytes is NULL");
    *bytes = static_cast<uint64_t>(plan->program->scratch_bytes(plan->plan, output));
    return {};
  });
}

tesela_status tesela_plan_run(const tesela_plan* plan, const tesela_tensor* x, const tesela_tensor* y,
                              const tesela_run_options* options, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr) return usage_error("tesela_plan_run: plan is NULL");
    BoxRun box;
    TESELA_RETURN_IF_ERROR(read_run(plan->plan, x, nullptr, y, nullptr, box));
    TESELA_RETURN_IF_ERROR(check_whole(box.output.extents, plan->plan.out, "output"));
    if (plan->plan.has_input()) TESELA_RETURN_IF_ERROR(check_whole(box.input.extents, plan->plan.in, "input"));
    return run(*plan, box, options);
  });
}

tesela_status tesela_plan_run_region(const tesela_plan* plan, const tesela_tensor* x, const int64_t* x_lo,
                                     const tesela_tensor* y, const int64_t* lo, const tesela_run_options* options,
                                     tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr) return usage_error("tesela_plan_run_region: plan is NULL");
    BoxRun box;
    TESELA_RETURN_IF_ERROR(read_run(plan->plan, x, x_lo, y, lo, box));
    return run(*plan, box, options);
  });
}

tesela_status tesela_plan_describe(const tesela_plan* plan, tesela_text_format format, tesela_blob** text,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (plan == nullptr || text == nullptr) return usage_error("tesela_plan_describe: an argument is NULL");
    TESELA_RETURN_IF_ERROR(check_text_format("tesela_plan_describe", format));
    *text = make_blob(format == TESELA_TEXT_JSON ? describe_json(plan->plan) : describe_plain(plan->plan));
    return {};
  });
}

}  // extern "C"
