// SPDX-License-Identifier: Apache-2.0
#include "heap.h"

#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

thread_local int64_t allocated = 0;
thread_local int64_t first_failing = kNever;
thread_local int64_t last_failing = kNever;

void* allocate(std::size_t size) noexcept {
  ++allocated;
  if (allocated >= first_failing && allocated <= last_failing) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

// g++ takes free() in the deletes below, once inlined, for a mistake.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

void* operator new(std::size_t size) {
  if (void* memory = allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) {
  return operator new(size);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace tesela::testing {

int64_t allocations() {
  return allocated;
}

FailingHeap::FailingHeap(int64_t k, bool lasting) {
  first_failing = allocated + k;
  last_failing = lasting ? kNever : first_failing;
}

FailingHeap::~FailingHeap() {
  first_failing = last_failing = kNever;
}

bool FailingHeap::has_failed() const {
  return allocated >= first_failing;
}

}  // namespace tesela::testing
