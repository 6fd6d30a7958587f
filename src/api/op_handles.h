// The handles of operators and plans behind the C interface.
#pragma once

#include "backend/program.h"
#include "plan/params.h"
#include "schema/op_desc.h"

struct tesela_op {
  tesela::OpDesc desc;
  tesela::PlanFields fields = {};
};

struct tesela_plan {
  tesela::Plan plan;
  tesela::ProgramPtr program;  // of the default backend
};
