// SPDX-License-Identifier: Apache-2.0
// The kernels of the CPU backend by name, and counters that prove to tests which of them ran.
#pragma once

#include <atomic>
#include <cstdint>

namespace tesela::cpu {

enum class Kernel : uint8_t {
#define TESELA_KERNEL(name, needs, file, purpose, sample) name,
#include "backend/cpu/kernels.def"
#undef TESELA_KERNEL
  kCount
};

/// What a kernel requires of the instruction set.
enum class Needs : uint8_t { kNothing, kVectors, kAvx3Dl };

struct KernelRow {
  const char* name;
  Needs needs;
  const char* file;  // in src/backend/cpu/
  const char* purpose;
  const char* sample;  // a case, in the grammar of tests/cases.txt
  bool is_partial;     // not of whole runs: adds to sums that are carried from box to box
};
inline constexpr KernelRow kKernelRows[] = {
#define TESELA_KERNEL(name, needs, file, purpose, sample)         {#name, Needs::needs, file, purpose, sample, false},
#define TESELA_PARTIAL_KERNEL(name, needs, file, purpose, sample) {#name, Needs::needs, file, purpose, sample, true},
#include "backend/cpu/kernels.def"
#undef TESELA_KERNEL
};

/// The number of tasks that used each kernel since the process started; of tasks that begin at the same time one may count.
extern std::atomic<uint64_t> kernel_tasks[static_cast<size_t>(Kernel::kCount)];

/// Call once for each task that uses a kernel, never in a loop over elements. An atomic increment would take a twelfth of a tiny
/// call's time.
inline void count_task(Kernel kernel) {
  std::atomic<uint64_t>& tasks = kernel_tasks[static_cast<size_t>(kernel)];
  tasks.store(tasks.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace tesela::cpu
