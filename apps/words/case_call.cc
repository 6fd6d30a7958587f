// SPDX-License-Identifier: Apache-2.0
// Passes the shapes of a case to each operator.
#include "case_call.h"

namespace tesela::cli {

namespace {

// The values of sizes, repeats or the shape.
std::vector<int64_t> numbers_of(const CaseWords& words) {
  std::vector<int64_t> numbers = words.target;
  if (words.type == "Tile")
    for (size_t axis = 0; axis < numbers.size(); ++axis) numbers[axis] /= words.source[axis];
  return numbers;
}

// A plan reads only the type and extents of the first input.
View first_of(const CaseWords& words) {
  return {nullptr, words.dtype, Shape(words.source)};
}

}  // namespace

Op make_op(const CaseWords& words) {
  Op op(words.type, words.since_version, {.domain = words.domain});
  for (const CaseAttribute& attribute : words.attributes)
    std::visit([&](const auto& value) { op.set(attribute.name, value); }, attribute.value);
  if (words.type != "ConstantOfShape") return op;
  Value value(words.dtype, {1});
  from_doubles(std::span(&words.value, 1), value.view());
  op.set_tensor("value", value.view());
  return op;
}

Plan make_plan(const CaseWords& words, const Op& op) {
  const std::vector<int64_t> numbers = numbers_of(words);
  if (words.type == "ConstantOfShape") return op.plan({numbers});
  if (words.type == "Tile") return op.plan_named(first_of(words), {{"repeats", numbers}});
  const View roi = words.roi.empty() ? View() : View(words.roi);
  return op.plan_named(first_of(words), {{"roi", roi}, {"sizes", numbers}});
}

CaseInputs::CaseInputs(const CaseWords& words, const Op& op) : numbers_(numbers_of(words)), roi_(words.roi) {
  views_.push_back(words.type == "ConstantOfShape" ? View(numbers_) : first_of(words));
  for (size_t i = 1; i < tesela_op_input_count(op.get()); ++i) {
    const std::string_view name = tesela_op_input_name(op.get(), i);
    const bool is_numbers = name == "sizes" || name == "repeats";
    views_.push_back(is_numbers ? View(numbers_) : name == "roi" && !roi_.empty() ? View(roi_) : View());
  }
  for (const View& view : views_) tensors_.push_back(view.c());
  for (const tesela_tensor& tensor : tensors_) pointers_.push_back(tensor.dtype == 0 ? nullptr : &tensor);
}

}  // namespace tesela::cli
