// SPDX-License-Identifier: Apache-2.0
// The floating-point environment for all computations, independent of the calling thread's settings.
#pragma once

#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tesela {

/// Round to nearest, no flush-to-zero, exceptions masked; the caller's settings are restored at the end. A host's
/// library built with -ffast-math sets flush-to-zero for all threads that start after it was loaded.
class FloatEnvironment {
 public:
#if defined(__x86_64__)
  FloatEnvironment() : saved_(_mm_getcsr()) {
    if ((saved_ & ~kFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~FloatEnvironment() {
    if ((saved_ & ~kFlags) != kDefault) _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned kFlags = 0x3f;      // the sticky exception flags
  static constexpr unsigned kDefault = 0x1f80;  // all exceptions masked, nearest, denormals kept
  unsigned saved_;
#else
  FloatEnvironment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() {
    std::fesetenv(&saved_);
  }

 private:
  std::fenv_t saved_;
#endif
 public:
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;
};

}  // namespace tesela
