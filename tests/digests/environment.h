// SPDX-License-Identifier: Apache-2.0
// The floating-point environments that a caller may have.
#pragma once

#include <string>

namespace tesela::digests {

/// default, up, down, zero (rounding modes), flush (denormals are zero, results are flushed to zero).
bool is_environment(const std::string& name);

/// Sets an environment of this thread until the end of the scope.
class CallerEnvironment {
 public:
  explicit CallerEnvironment(const std::string& name);
  ~CallerEnvironment();
  CallerEnvironment(const CallerEnvironment&) = delete;
  CallerEnvironment& operator=(const CallerEnvironment&) = delete;

  /// Whether it is still as it was set.
  bool is_kept() const;

 private:
  unsigned long before_ = 0;
  unsigned long set_ = 0;
};

/// Whether arithmetic on this thread shows the environment.
bool is_seen(const std::string& name);

}  // namespace tesela::digests
