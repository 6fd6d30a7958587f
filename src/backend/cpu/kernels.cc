// SPDX-License-Identifier: Apache-2.0
// Counters of the kernels.
#include "backend/cpu/kernels.h"

namespace tesela::cpu {

std::atomic<uint64_t> kernel_tasks[static_cast<size_t>(Kernel::kCount)] = {};

}  // namespace tesela::cpu
