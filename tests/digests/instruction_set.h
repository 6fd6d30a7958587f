// SPDX-License-Identifier: Apache-2.0
// The instruction set that the library dispatches to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/kernels.h"

namespace tesela::digests {

/// The names of those of this machine that the library is compiled for, the best first: "AVX2".
std::vector<std::string> instruction_sets();

/// Restricts dispatch to one of them. False if the machine does not have it.
bool use_instruction_set(const std::string& name);

/// The one that a kernel of this program is dispatched to now.
std::string used_instruction_set();

/// Whether the kernel must run on one of this machine.
bool has_kernel(const cpu::KernelRow& kernel, const std::string& name);

}  // namespace tesela::digests
