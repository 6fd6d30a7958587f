// SPDX-License-Identifier: Apache-2.0
// Makes the operator and plan of a case.
#pragma once

#include "case_words.h"
#include "tesela/tesela.hpp"

namespace tesela::cli {

/// The operator of the case, with its attributes.
Op make_op(const CaseWords& words);
/// Its plan. Errors: those of the operator.
Plan make_plan(const CaseWords& words, const Op& op);

/// The inputs that make_plan gives, by position, for the C interface.
class CaseInputs {
 public:
  CaseInputs(const CaseWords& words, const Op& op);
  CaseInputs(const CaseInputs&) = delete;
  CaseInputs& operator=(const CaseInputs&) = delete;

  size_t size() const { return pointers_.size(); }
  const tesela_tensor* const* data() const { return pointers_.data(); }

 private:
  std::vector<int64_t> numbers_;
  std::vector<float> roi_;
  std::vector<View> views_;
  std::vector<tesela_tensor> tensors_;
  std::vector<const tesela_tensor*> pointers_;
};

}  // namespace tesela::cli
