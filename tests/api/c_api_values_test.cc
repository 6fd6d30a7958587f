// SPDX-License-Identifier: Apache-2.0
// The C interface: values, and numbers of every type.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "api/c_calls.h"

namespace tesela::testing {
namespace {

TEST(CApiValues, CreateRejectsInvalidTensors) {
  OwnedValue value;
  const int64_t negative[] = {-1};
  const int64_t huge[] = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_EQ(tesela_value_create(0, 0, nullptr, nullptr, &value, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_value_create(dtype_count() + 1, 0, nullptr, nullptr, &value, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_value_create(TESELA_FLOAT, -1, nullptr, nullptr, &value, nullptr), TESELA_ERROR_RANK);
  EXPECT_EQ(tesela_value_create(TESELA_FLOAT, 1, negative, nullptr, &value, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_value_create(TESELA_FLOAT, 2, huge, nullptr, &value, nullptr), TESELA_ERROR_SHAPE);
}

TEST(CApiValues, CopyIsDenseAndOwnsItsStrings) {
  char word[] = "tesela";
  tesela_string strings[] = {{word, 6}, {word + 3, 3}};
  const int64_t extents[] = {2};
  const int64_t backwards[] = {-16};
  const tesela_tensor view = {strings + 1, TESELA_STRING, 1, extents, backwards, 0};
  OwnedValue value;
  ASSERT_EQ(tesela_value_copy(&view, nullptr, &value, nullptr), TESELA_OK);
  std::memset(word, 'x', 6);
  tesela_tensor copy;
  tesela_value_view(value, &copy);
  EXPECT_EQ(copy.strides, nullptr);
  const auto* elements = static_cast<const tesela_string*>(copy.data);
  EXPECT_EQ(std::string(elements[0].ptr, elements[0].length), "ela");
  EXPECT_EQ(std::string(elements[1].ptr, elements[1].length), "tesela");
}

TEST(CApiValues, RejectsTensorsWithInvalidMembers) {
  const auto code = [](const tesela_tensor& tensor) {
    OwnedValue value;
    return tesela_value_copy(&tensor, nullptr, &value, nullptr);
  };
  uint8_t byte = 0;
  const int64_t extents[] = {1}, strides[] = {1};
  EXPECT_EQ(code({&byte, TESELA_INT4, 1, extents, strides, 0}), TESELA_ERROR_USAGE);  // packed and strided
  EXPECT_EQ(code({&byte, TESELA_INT4, 1, extents, nullptr, 2}), TESELA_ERROR_USAGE);  // not a whole element
  EXPECT_EQ(code({&byte, TESELA_INT4, 1, extents, nullptr, -4}), TESELA_ERROR_USAGE);
  EXPECT_EQ(code({&byte, TESELA_INT4, 1, extents, nullptr, 4}), TESELA_OK);
  EXPECT_EQ(code({&byte, TESELA_INT8, 1, extents, nullptr, 8}), TESELA_ERROR_USAGE);  // not packed
  EXPECT_EQ(code({nullptr, TESELA_INT8, 1, extents, nullptr, 0}), TESELA_ERROR_USAGE);
  EXPECT_EQ(code({&byte, TESELA_INT8, -1, extents, nullptr, 0}), TESELA_ERROR_RANK);
  EXPECT_EQ(code({&byte, 99, 1, extents, nullptr, 0}), TESELA_ERROR_TYPE);
}

TEST(CApiNumbers, RoundTripThroughEveryType) {
  for (tesela_dtype dtype = 1; dtype <= dtype_count(); ++dtype) {
    if (dtype == TESELA_STRING) continue;
    OwnedValue value;
    const int64_t extents[] = {3};
    ASSERT_EQ(tesela_value_create(dtype, 1, extents, nullptr, &value, nullptr), TESELA_OK);
    tesela_tensor view;
    tesela_value_view(value, &view);
    const size_t parts = dtype == TESELA_COMPLEX64 || dtype == TESELA_COMPLEX128 ? 2 : 1;
    const std::vector<double> numbers(3 * parts, 1.0);
    ASSERT_EQ(tesela_tensor_from_doubles(numbers.data(), numbers.size(), &view, nullptr), TESELA_OK);
    std::vector<double> back(3 * parts);
    ASSERT_EQ(tesela_tensor_to_doubles(&view, back.data(), nullptr), TESELA_OK);
    EXPECT_EQ(back, numbers) << tesela_dtype_name(dtype);
  }
}

TEST(CApiNumbers, FollowStridesBothWays) {
  int16_t m[] = {1, 2, 3, 4, 5, 6};
  const int64_t extents[] = {3, 2}, strides[] = {2, 6};
  const tesela_tensor transposed = {m, TESELA_INT16, 2, extents, strides, 0};
  double numbers[6];
  ASSERT_EQ(tesela_tensor_to_doubles(&transposed, numbers, nullptr), TESELA_OK);
  EXPECT_EQ(std::vector<double>(numbers, numbers + 6), (std::vector<double>{1, 4, 2, 5, 3, 6}));
  const double wanted[] = {10, 20, 30, 40, 1e9, -1e9};
  ASSERT_EQ(tesela_tensor_from_doubles(wanted, 6, &transposed, nullptr), TESELA_OK);
  EXPECT_EQ(std::vector<int16_t>(m, m + 6), (std::vector<int16_t>{10, 30, INT16_MAX, 20, 40, INT16_MIN}));
}

TEST(CApiNumbers, AcceptsEmptyTensorsOfHugeExtents) {
  const int64_t extents[] = {0, int64_t{1} << 40, int64_t{1} << 40};
  const tesela_tensor empty = {nullptr, TESELA_DOUBLE, 3, extents, nullptr, 0};
  EXPECT_EQ(tesela_tensor_to_doubles(&empty, nullptr, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_tensor_from_doubles(nullptr, 0, &empty, nullptr), TESELA_OK);
}

TEST(CApiNumbers, CountAndTypeAreChecked) {
  Array<float> x = ramp(2, 2);
  const tesela_tensor view = x.view();
  const double numbers[5] = {};
  EXPECT_EQ(tesela_tensor_from_doubles(numbers, 5, &view, nullptr), TESELA_ERROR_COUNT);
  tesela_string text = {"a", 1};
  const tesela_tensor string = {&text, TESELA_STRING, 0, nullptr, nullptr, 0};
  double number;
  EXPECT_EQ(tesela_tensor_to_doubles(&string, &number, nullptr), TESELA_ERROR_TYPE);
}

}  // namespace
}  // namespace tesela::testing
