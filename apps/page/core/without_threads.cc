// SPDX-License-Identifier: Apache-2.0
// What the core asks of the system and does not get in WebAssembly: threads, kept memory, vector kernels, exceptions.
#include <cstdint>
#include <cstdlib>
#include <new>

#include "backend/executor.h"
#include "backend/program.h"
#include "types/block.h"
#include "types/out_of_memory.h"

namespace tesela {

Block::Block(size_t bytes) {
  constexpr size_t kAlignment = 64;
  const size_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  owned_ = std::aligned_alloc(kAlignment, whole > 0 ? whole : kAlignment);
  if (owned_ == nullptr) throw OutOfMemory(bytes);
  memory_ = {static_cast<std::byte*>(owned_), bytes};
}

Block::~Block() {
  std::free(owned_);
}

int Executor::usable_threads(int) {
  return 1;
}

Result<Executor> Executor::on_host(const tesela_executor&) {
  return unsupported_error("executor: this build has no threads");
}

void Executor::parallel_for(int64_t count, const std::function<void(int64_t)>& task) const {
  for (int64_t i = 0; i < count; ++i) task(i);
}

int Executor::concurrency() const {
  return 1;
}

// The reference backend serves instead of the vector kernels, which equal it in every bit.
namespace cpu {
ProgramPtr bind(const Plan& plan) {
  return reference::bind(plan);
}
}  // namespace cpu

}  // namespace tesela

// Debian's builtins for 128-bit integers are compiled with stack protection, whose parts no library here has.
extern "C" {
uintptr_t __stack_chk_guard = 0x5e9d12c7;
void __stack_chk_fail() {
  std::abort();
}
}

// The compiler's calls where exceptions are thrown. A trap ends the call; JavaScript sees it.
extern "C" {
void* __cxa_allocate_exception(size_t) noexcept {
  std::abort();
}
void __cxa_free_exception(void*) noexcept {}
void __cxa_throw(void*, void*, void (*)(void*)) {
  std::abort();
}
void __cxa_rethrow() {
  std::abort();
}
void* __cxa_begin_catch(void*) noexcept {
  std::abort();
}
void __cxa_end_catch() {}
}
