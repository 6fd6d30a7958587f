// SPDX-License-Identifier: Apache-2.0
// Tensors, operators and plans for tests of the C interface.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "api/handles.h"

namespace tesela::testing {

/// A dense tensor over a vector.
template <class T>
struct Array {
  tesela_dtype dtype;
  std::vector<int64_t> extents;
  std::vector<T> values;
  tesela_tensor view() {
    return {values.data(), dtype, static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
  }
};
inline Array<float> floats(std::vector<int64_t> extents, std::vector<float> values) {
  return {TESELA_FLOAT, std::move(extents), std::move(values)};
}
inline Array<int64_t> ints(std::vector<int64_t> values) {
  return {TESELA_INT64, {static_cast<int64_t>(values.size())}, std::move(values)};
}

/// The number of element types, of which the codes begin at 1.
inline tesela_dtype dtype_count() {
  tesela_dtype count = 0;
  while (tesela_dtype_name(count + 1) != nullptr) ++count;
  return count;
}

inline OwnedOp make_op(const char* type, int64_t opset) {
  OwnedOp op;
  EXPECT_EQ(tesela_op_create("", type, opset, nullptr, &op, nullptr), TESELA_OK);
  return op;
}

/// Resize-19 of x to sizes, linear.
inline OwnedPlan linear_plan(Array<float>& x, std::vector<int64_t> sizes) {
  const OwnedOp op = make_op("Resize", 19);
  EXPECT_EQ(tesela_op_set_string(op, "mode", "linear", nullptr), TESELA_OK);
  Array<int64_t> wanted = ints(std::move(sizes));
  const tesela_tensor in = x.view();
  const tesela_tensor size = wanted.view();
  const tesela_tensor* inputs[] = {&in, nullptr, nullptr, &size};
  OwnedPlan plan;
  tesela_error error;
  EXPECT_EQ(tesela_plan_create(op, 4, inputs, nullptr, &plan, &error), TESELA_OK) << error.message;
  return plan;
}

inline Array<float> ramp(int64_t rows, int64_t columns) {
  Array<float> x = floats({rows, columns}, {});
  for (int64_t i = 0; i < rows * columns; ++i) x.values.push_back(static_cast<float>(i % 97));
  return x;
}

}  // namespace tesela::testing
