// SPDX-License-Identifier: Apache-2.0
// Passes the shapes of a case to each operator.
#include "case_call.h"

namespace tesela::cli {

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
  if (words.type == "ConstantOfShape") return op.plan({words.target});
  // A plan reads only the type and extents of the first input.
  const View x(nullptr, words.dtype, Shape(words.source));
  std::vector<int64_t> numbers = words.target;
  const View roi = words.roi.empty() ? View() : View(words.roi);
  if (words.type != "Tile") return op.plan_named(x, {{"roi", roi}, {"sizes", numbers}});
  for (size_t axis = 0; axis < numbers.size(); ++axis) numbers[axis] /= words.source[axis];
  return op.plan_named(x, {{"repeats", numbers}});
}

}  // namespace tesela::cli
