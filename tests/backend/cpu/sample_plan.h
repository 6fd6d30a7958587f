// Plans in the words of tests/cases.txt and kernels.def.
#pragma once

#include <string>

#include "plan/params.h"
#include "plan/plan.h"

namespace tesela::testing {

/// "linear-antialias float 33x900 -> 33x97". Modes: linear, cubic, nearest, tile, fill; -antialias, -fast.
Plan sample_plan(const std::string& words);

/// The parameters of one that resizes.
ResizeParams sample_params(const std::string& words);

}  // namespace tesela::testing
