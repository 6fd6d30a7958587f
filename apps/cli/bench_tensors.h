// SPDX-License-Identifier: Apache-2.0
// The tensors for measuring a case.
#pragma once

#include <optional>

#include "case_words.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// Memory with all pages touched, and the tensor in it, in the order and with the gaps of a case.
struct BenchTensor {
  Value memory;
  MutableView view;
};

/// The input tensor: numbers similar to an image's, strings that are null. None for ConstantOfShape.
std::optional<BenchTensor> make_input(const CaseWords& words);
/// The output of a plan.
BenchTensor make_output(const CaseWords& words, const Plan& plan);

/// Bytes of all elements.
uint64_t bytes_of(const tesela_tensor& tensor);

}  // namespace tesela::cli
