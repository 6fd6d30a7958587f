// SPDX-License-Identifier: Apache-2.0
// What other files of the C interface read of a model's handle.
#pragma once

#include "model/graph.h"
#include "tesela/tesela.h"
#include "types/limits.h"

namespace tesela::api {

const Model& model_of(const tesela_model& model);
const Limits& limits_of(const tesela_model& model);

}  // namespace tesela::api
