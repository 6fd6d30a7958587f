// SPDX-License-Identifier: Apache-2.0
#include "digests/environment.h"

#include <algorithm>
#include <iterator>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela::digests {
namespace {

struct Row {
  const char* name;
  unsigned long bits;
};

// The control register, without the sticky flags, and the bits of each environment.
#if defined(__x86_64__)
constexpr Row kRows[] = {{"default", 0}, {"up", 0x4000}, {"down", 0x2000}, {"zero", 0x6000}, {"flush", 0x8040}};
unsigned long control() {
  return _mm_getcsr() & ~0x3fu;
}
void set_control(unsigned long bits) {
  _mm_setcsr(static_cast<unsigned>(bits));
}
#elif defined(__aarch64__)
constexpr unsigned long kFlush = 1ul << 24 | 1ul << 19;  // FZ and FZ16
constexpr Row kRows[] = {
    {"default", 0}, {"up", 1ul << 22}, {"down", 2ul << 22}, {"zero", 3ul << 22}, {"flush", kFlush}};
unsigned long control() {
  unsigned long bits;
  asm volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}
void set_control(unsigned long bits) {
  asm volatile("msr fpcr, %0" : : "r"(bits));
}
#endif

const Row* find_row(const std::string& name) {
  const auto* const row =
      std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

bool is_environment(const std::string& name) {
  return find_row(name) != nullptr;
}

CallerEnvironment::CallerEnvironment(const std::string& name) : before_(control()) {
  set_ = before_ | find_row(name)->bits;
  if (set_ != before_) set_control(set_);
}

CallerEnvironment::~CallerEnvironment() {
  if (set_ != before_) set_control(before_);
}

bool CallerEnvironment::is_kept() const {
  return control() == set_;
}

bool is_seen(const std::string& name) {
  volatile double third = 1;
  volatile double minus_third = -1;
  volatile double tiny = std::numeric_limits<double>::min();
  {
    const CallerEnvironment environment(name);
    third = third / 3;
    minus_third = minus_third / 3;
    tiny = tiny / 2;
  }
  // A third lies above the nearest double, so up is the next one.
  const double nearest = 1.0 / 3;
  const double next = 0x1.5555555555556p-2;
  if (name == "up") return third == next && minus_third == -nearest;
  if (name == "down") return third == nearest && minus_third == -next;
  if (name == "flush") return tiny == 0;
  return third == nearest && minus_third == -nearest && tiny > 0;
}

}  // namespace tesela::digests
