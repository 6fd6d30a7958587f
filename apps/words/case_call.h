// SPDX-License-Identifier: Apache-2.0
// Makes the operator and plan of a case.
#pragma once

#include "case_words.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// The operator of the case, with its attributes.
Op make_op(const CaseWords& words);
/// Its plan. Errors: those of the operator.
Plan make_plan(const CaseWords& words, const Op& op);

}  // namespace tesela::cli
