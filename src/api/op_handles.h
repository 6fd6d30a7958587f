// SPDX-License-Identifier: Apache-2.0
// The handles of operators and plans behind the C interface.
#pragma once

#include <atomic>
#include <string_view>

#include "api/plan_key.h"
#include "backend/program.h"
#include "plan/params.h"
#include "schema/op_desc.h"

struct tesela_op {
  tesela::OpDesc desc;
  tesela::PlanFields fields = {};
  tesela::api::PlanKey key = {};  // the row, and everything that was set
};

struct tesela_plan {
  tesela::Plan plan;
  tesela::ProgramPtr program;        // of the default backend
  std::atomic<int64_t> handles = 1;  // of callers and caches; releasing the last one deletes the plan
};
