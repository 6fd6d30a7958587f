// SPDX-License-Identifier: Apache-2.0
// The operator and the plan of a case, through the C interface.
#pragma once

#include "api/handles.h"
#include "api/op_handles.h"
#include "digests/case.h"

namespace tesela::digests {

using OpPtr = testing::Handle<tesela_op>;
using PlanPtr = testing::Handle<tesela_plan>;

tesela_status make_op(const Case& drawn, OpPtr& op, tesela_error* error);
tesela_status make_plan(const Case& drawn, const tesela_op* op, PlanPtr& plan, tesela_error* error);

}  // namespace tesela::digests
