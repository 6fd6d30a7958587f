// SPDX-License-Identifier: Apache-2.0
// Images of bytes at exactly half the size: each output is the mean of two by two inputs.
#pragma once

#include "backend/program.h"

namespace tesela::cpu {

struct Layout;

/// out[i] = the mean of two neighbouring pixels of each row, for n outputs.
using MeanRowFn = void (*)(const uint8_t* top, const uint8_t* bottom, uint8_t* out, int64_t n);

/// The kernel of a plan; null for plans that are no halves.
MeanRowFn find_halves(const Plan& plan, const ResizePlan& work, const Layout& layout);

/// Computes a box of whole pixels; false if it has parts of them.
bool run_halves(const Plan& plan, const Layout& layout, MeanRowFn mean_row, const BoxRun& run);

}  // namespace tesela::cpu
