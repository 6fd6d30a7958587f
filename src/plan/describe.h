// SPDX-License-Identifier: Apache-2.0
// A plan as text, for people and programs.
#pragma once

#include <string>

#include "plan/plan.h"

namespace tesela {

std::string describe_plain(const Plan& plan);
std::string describe_json(const Plan& plan);

}  // namespace tesela
