// The tensors for measuring a case.
#pragma once

#include <optional>

#include "case_words.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// The input tensor: numbers similar to an image's, strings that are null. None for ConstantOfShape.
std::optional<Value> make_input(const CaseWords& words);

/// Memory for the output of a plan, with all pages touched, and the output tensor in it.
struct BenchOutput {
  Value memory;
  MutableView view;
};
BenchOutput make_output(const CaseWords& words, const Plan& plan);

/// Bytes of all elements.
uint64_t bytes_of(const tesela_tensor& tensor);

}  // namespace tesela::cli
