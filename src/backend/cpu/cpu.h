// SPDX-License-Identifier: Apache-2.0
// The CPU backend: executes the same plans as the reference backend with vector kernels, equal in every bit.
#pragma once

#include <memory>
#include <span>

#include "backend/program.h"

namespace tesela::cpu {

/// The data that is computed once for a plan: layouts, tables, kernels. Immutable, shared by threads.
struct Program;
std::shared_ptr<const Program> make_program(const Plan& plan);

/// Computes one box on the calling thread. stream: the whole run is larger than the caches, so stores bypass them.
/// scratch: used before other memory.
void run_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream,
             std::span<std::byte> scratch = {});

/// Bytes that run_box allocates for this box.
int64_t scratch_bytes(const Plan& plan, const Program& program, const Box& output);

/// Whether elements are only copied: every output has the bits of an input or of one value.
bool is_move(const Plan& plan);

}  // namespace tesela::cpu
