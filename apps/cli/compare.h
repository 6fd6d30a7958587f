// Two tensors held against each other.
#pragma once

#include <optional>
#include <string>

#include "tesela/tesela.h"

namespace tesela::cli {

/// |got - expected| <= absolute + relative * |expected|, for numbers that round; all others must be equal.
struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

/// Why `got` is not what was expected, or nothing. Types and shapes must agree; NaN equals NaN.
/// Both tensors are dense.
std::optional<std::string> find_mismatch(const tesela_tensor& got, const tesela_tensor& expected,
                                         const Tolerance& tolerance);

}  // namespace tesela::cli
