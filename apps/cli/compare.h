// SPDX-License-Identifier: Apache-2.0
// Compares two tensors.
#pragma once

#include <optional>
#include <string>

#include "tesela/tesela.h"

namespace tesela::cli {

/// |got - expected| <= absolute + relative * |expected| for floating-point numbers; others must be equal.
struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

/// The first difference as text, or nothing. Types and shapes must be equal; NaN equals NaN. Both tensors are dense.
std::optional<std::string> find_mismatch(const tesela_tensor& got, const tesela_tensor& expected,
                                         const Tolerance& tolerance);

}  // namespace tesela::cli
