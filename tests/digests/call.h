// SPDX-License-Identifier: Apache-2.0
// The operator and the plan of a case, through the C interface.
#pragma once

#include <memory>

#include "api/op_handles.h"
#include "digests/case.h"
#include "tesela/tesela.h"

namespace tesela::digests {

struct OpDeleter {
  void operator()(tesela_op* op) const { tesela_op_destroy(op); }
};
struct PlanDeleter {
  void operator()(tesela_plan* plan) const { tesela_plan_destroy(plan); }
};
using OpPtr = std::unique_ptr<tesela_op, OpDeleter>;
using PlanPtr = std::unique_ptr<tesela_plan, PlanDeleter>;

tesela_status make_op(const Case& drawn, OpPtr& op, tesela_error* error);
tesela_status make_plan(const Case& drawn, const tesela_op* op, PlanPtr& plan, tesela_error* error);

}  // namespace tesela::digests
