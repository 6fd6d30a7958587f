// The CPU backend: the plans of the reference backend, cooked by vector kernels to the same bits.
#pragma once

#include <memory>
#include <span>

#include "backend/program.h"

namespace tesela::cpu {

/// What is worked out once for a plan: layouts, tables, kernels. Immutable, shared by threads.
struct Program;
std::shared_ptr<const Program> make_program(const Plan& plan);

/// Computes one box on the calling thread. stream: the whole run is larger than the caches, so stores bypass them.
/// scratch: used as far as it goes.
void run_box(const Plan& plan, const Program& program, const BoxRun& run, bool stream,
             std::span<std::byte> scratch = {});

/// Bytes that run_box allocates for this box.
int64_t scratch_bytes(const Plan& plan, const Program& program, const Box& output);

/// Whether no number is computed: every output has the bits of an input, or of one value.
bool is_move(const Plan& plan);

}  // namespace tesela::cpu
