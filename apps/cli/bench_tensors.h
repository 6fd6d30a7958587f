// The tensors that a case is measured on.
#pragma once

#include <optional>

#include "case_words.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// A tensor for its input: numbers like those of an image, strings that are null. None for ConstantOfShape.
std::optional<Value> make_input(const CaseWords& words);

/// Memory for the output of a plan, touched once, and the output in it.
struct BenchOutput {
  Value memory;
  MutableView view;
};
BenchOutput make_output(const CaseWords& words, const Plan& plan);

/// Bytes of all elements.
uint64_t bytes_of(const tesela_tensor& tensor);

}  // namespace tesela::cli
