// The kernels of the CPU backend by name, and how often each was chosen: the proof that a fast path really ran.
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

/// What an instruction set has that has a kernel.
enum class Needs : uint8_t { kNothing, kVectors, kAvx3Dl };

struct KernelRow {
  const char* name;
  Needs needs;
  const char* file;  // in src/backend/cpu/
  const char* purpose;
  const char* sample;  // a case, in the words of tests/cases.txt
};
inline constexpr KernelRow kKernelRows[] = {
#define TESELA_KERNEL(name, needs, file, purpose, sample) {#name, Needs::needs, file, purpose, sample},
#include "backend/cpu/kernels.def"
#undef TESELA_KERNEL
};

/// Tasks that each kernel has worked in since the process began.
extern std::atomic<uint64_t> kernel_tasks[static_cast<size_t>(Kernel::kCount)];

/// Called once for each task in which a kernel works, never in a loop over elements.
inline void count_task(Kernel kernel) {
  kernel_tasks[static_cast<size_t>(kernel)].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace tesela::cpu
