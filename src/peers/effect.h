// How the results of two plans of one call differ, by construction: nothing runs.
#pragma once

#include <string>

#include "plan/plan.h"

namespace tesela::peers {

/// "axis 2: extent 39 here, 40 there", "axis 3: 12 of 64 outputs copy another input", "axis 3: positions shift by up to
/// 0.5, weights differ by up to 0.25"; empty if nothing differs by more than the rounding of float32.
std::string effect_text(const Plan& ours, const Plan& theirs);

}  // namespace tesela::peers
