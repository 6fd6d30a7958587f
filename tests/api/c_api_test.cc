// SPDX-License-Identifier: Apache-2.0
// The C interface: operators, plans, values, conventions and errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "api/boundary.h"
#include "tesela/tesela.h"

namespace tesela {
namespace {

// An owner of a handle, so that failing tests do not leak.
template <class T, void (*destroy)(T*)>
struct Owned {
  T* handle = nullptr;
  Owned() = default;
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { destroy(handle); }
  T** operator&() { return &handle; }  // NOLINT: for output parameters of the C interface
  operator T*() const { return handle; }
};
using OwnedOp = Owned<tesela_op, tesela_op_destroy>;
using OwnedPlan = Owned<tesela_plan, tesela_plan_destroy>;
using OwnedValue = Owned<tesela_value, tesela_value_destroy>;
using OwnedBlob = Owned<tesela_blob, tesela_blob_destroy>;
using OwnedInferred = Owned<tesela_inferred, tesela_inferred_destroy>;
using OwnedTable = Owned<tesela_axis_table, tesela_axis_table_destroy>;

// A dense tensor over a vector.
template <class T>
struct Array {
  tesela_dtype dtype;
  std::vector<int64_t> extents;
  std::vector<T> values;
  tesela_tensor view() {
    return {values.data(), dtype, static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
  }
};
Array<float> floats(std::vector<int64_t> extents, std::vector<float> values) {
  return {TESELA_FLOAT, std::move(extents), std::move(values)};
}
Array<int64_t> ints(std::vector<int64_t> values) {
  return {TESELA_INT64, {static_cast<int64_t>(values.size())}, std::move(values)};
}

OwnedOp make_op(const char* type, int64_t opset) {
  OwnedOp op;
  EXPECT_EQ(tesela_op_create("", type, opset, nullptr, &op, nullptr), TESELA_OK);
  return op;
}

// Resize-19 of x to sizes, linear.
OwnedPlan linear_plan(Array<float>& x, std::vector<int64_t> sizes) {
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

Array<float> ramp(int64_t rows, int64_t columns) {
  Array<float> x = floats({rows, columns}, {});
  for (int64_t i = 0; i < rows * columns; ++i) x.values.push_back(static_cast<float>(i % 97));
  return x;
}

// ---- Names ------------------------------------------------------------------------------------------------

TEST(CApiOps, PlanFieldsAreStringAttributesOfResize) {
  tesela_error error;
  const OwnedOp op = make_op("Resize", 19);
  EXPECT_EQ(tesela_op_set_string(op, "tesela.weights", "fixed9", &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Resize-19: plan field 'weights' is 'fixed9'; expected one of fixed8, fixed22, int16");
  EXPECT_EQ(tesela_op_set_string(op, "tesela.coordinates", "float32", &error), TESELA_OK);
  const OwnedOp tile = make_op("Tile", 13);
  EXPECT_EQ(tesela_op_set_string(tile, "tesela.coordinates", "float32", &error), TESELA_OK);
  Array<float> x = floats({4}, {1, 2, 3, 4});
  Array<int64_t> repeats = ints({2});
  const tesela_tensor in = x.view();
  const tesela_tensor count = repeats.view();
  const tesela_tensor* inputs[] = {&in, &count};
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(tile, 2, inputs, nullptr, &plan, &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Tile-13: plan fields are for Resize only");
}

// TESELA_PROJECT_VERSION is that of the file VERSION.
TEST(CApi, VersionOfLibraryAndHeaderAreThatOfTheProject) {
  EXPECT_STREQ(tesela_version(), TESELA_PROJECT_VERSION);
  EXPECT_STREQ(TESELA_VERSION, TESELA_PROJECT_VERSION);
  EXPECT_EQ(fmt::format("{}.{}.{}", TESELA_VERSION_MAJOR, TESELA_VERSION_MINOR, TESELA_VERSION_PATCH),
            TESELA_PROJECT_VERSION);
}

TEST(CApi, StatusNamesAndExitCodesMatchTable) {
  EXPECT_STREQ(tesela_status_name(TESELA_OK), "ok");
  EXPECT_STREQ(tesela_status_name(TESELA_ERROR_VALUE), "value");
  EXPECT_STREQ(tesela_status_name(TESELA_ERROR_NO_MEMORY), "no_memory");
  EXPECT_STREQ(tesela_status_name(static_cast<tesela_status>(31)), "unknown");
  EXPECT_EQ(tesela_status_exit_code(TESELA_OK), 0);
  EXPECT_EQ(tesela_status_exit_code(TESELA_ERROR_USAGE), 2);
  EXPECT_EQ(tesela_status_exit_code(TESELA_ERROR_CANCELLED), 130);
  EXPECT_EQ(tesela_status_exit_code(static_cast<tesela_status>(31)), 70);
}

tesela_dtype dtype_count() {
  tesela_dtype count = 0;
  while (tesela_dtype_name(count + 1) != nullptr) ++count;
  return count;
}

TEST(CApi, ElementTypesByCodeAndName) {
  ASSERT_GE(dtype_count(), TESELA_INT2);
  for (tesela_dtype dtype = 1; dtype <= dtype_count(); ++dtype) {
    EXPECT_EQ(tesela_dtype_from_name(tesela_dtype_name(dtype)), dtype);
    EXPECT_GT(tesela_dtype_bits(dtype), 0);
    EXPECT_EQ(tesela_dtype_from_name(tesela_dtype_numpy_name(dtype)), dtype);
    EXPECT_EQ(tesela_dtype_from_dlpack(tesela_dtype_dlpack_code(dtype), tesela_dtype_bits(dtype)),
              dtype == TESELA_STRING ? 0 : dtype);
  }
  for (const tesela_dtype dtype : {0, dtype_count() + 1, -1, INT32_MIN}) {
    EXPECT_EQ(tesela_dtype_name(dtype), nullptr);
    EXPECT_EQ(tesela_dtype_bits(dtype), 0);
    EXPECT_EQ(tesela_dtype_numpy_name(dtype), nullptr);
    EXPECT_EQ(tesela_dtype_dlpack_code(dtype), -1);
  }
  EXPECT_EQ(tesela_dtype_from_name("f32"), TESELA_FLOAT);
  EXPECT_EQ(tesela_dtype_from_name("float64"), TESELA_DOUBLE);
  EXPECT_EQ(tesela_dtype_from_name(""), 0);
  EXPECT_EQ(tesela_dtype_from_name(nullptr), 0);
}

TEST(CApi, OpsInEveryFormat) {
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON, TESELA_TEXT_MARKDOWN}) {
    OwnedBlob text;
    ASSERT_EQ(tesela_ops(format, &text, nullptr), TESELA_OK);
    EXPECT_GT(tesela_blob_size(text), 1000u);
    EXPECT_EQ(tesela_blob_data(text)[tesela_blob_size(text)], '\0');
  }
  OwnedBlob text;
  EXPECT_EQ(tesela_ops(static_cast<tesela_text_format>(3), &text, nullptr), TESELA_ERROR_USAGE);
}

// ---- Errors -----------------------------------------------------------------------------------------------

TEST(CApiErrors, FailureFillsErrorAndLeavesOutputUnchanged) {
  tesela_error error;
  std::memset(&error, 0x55, sizeof error);
  tesela_op* op = reinterpret_cast<tesela_op*>(8);
  EXPECT_EQ(tesela_op_create("", "Conv", 13, nullptr, &op, &error), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(error.code, TESELA_ERROR_UNSUPPORTED);
  EXPECT_NE(std::string(error.message).find("'Conv'"), std::string::npos);
  EXPECT_EQ(op, reinterpret_cast<tesela_op*>(8));
}

TEST(CApiErrors, SuccessClearsMessage) {
  tesela_error error;
  std::memset(&error, 0x55, sizeof error);
  OwnedOp op;
  EXPECT_EQ(tesela_op_create("", "Tile", 13, "n", &op, &error), TESELA_OK);
  EXPECT_EQ(error.code, TESELA_OK);
  EXPECT_STREQ(error.message, "");
}

TEST(CApiErrors, MessagesAreCutAt300BytesBetweenCharacters) {
  for (size_t lead = 0; lead < 3; ++lead) {
    std::string text(lead, 'x');
    for (int i = 0; i < 200; ++i) text += "€";  // 3 bytes in UTF-8
    tesela_error error;
    EXPECT_EQ(api::report(Status(TESELA_ERROR_VALUE, text), &error), TESELA_ERROR_VALUE);
    const std::string cut = error.message;
    EXPECT_LE(cut.size(), 300u);
    EXPECT_GT(cut.size(), 297u);
    EXPECT_EQ((cut.size() - lead) % 3, 0u);
    EXPECT_EQ(text.substr(0, cut.size()), cut);
  }
  tesela_error error;
  api::report(Status(TESELA_ERROR_VALUE, std::string(300, 'y')), &error);
  EXPECT_EQ(std::string(error.message).size(), 300u);
}

TEST(CApiErrors, ExceptionsBecomeStatuses) {
  tesela_error error;
  EXPECT_EQ(api::guard(&error, []() -> Status { throw std::bad_alloc(); }), TESELA_ERROR_NO_MEMORY);
  EXPECT_EQ(error.code, TESELA_ERROR_NO_MEMORY);
  EXPECT_EQ(api::guard(&error, []() -> Status { throw std::runtime_error("broken"); }), TESELA_ERROR_INTERNAL);
  EXPECT_STREQ(error.message, "broken");
  EXPECT_EQ(api::guard(nullptr, []() -> Status { throw 7; }), TESELA_ERROR_INTERNAL);
}

TEST(CApiErrors, NullArgumentsAreUsageErrors) {
  OwnedOp op = make_op("Tile", 13);
  Array<float> x = ramp(2, 2);
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor view = x.view();
  const tesela_tensor* inputs[] = {&view};
  tesela_value* value = nullptr;
  tesela_plan* made = nullptr;
  tesela_inferred* inferred = nullptr;
  tesela_axis_table* table = nullptr;
  int64_t lo[2] = {0, 0}, n[2] = {1, 1}, box[2];
  uint64_t bytes = 0;
  double number = 0;
  tesela_op* other = nullptr;
  for (const tesela_status status : {
           tesela_op_create(nullptr, "Tile", 13, nullptr, &other, nullptr),
           tesela_op_create("", nullptr, 13, nullptr, &other, nullptr),
           tesela_op_create("", "Tile", 13, nullptr, nullptr, nullptr),
           tesela_op_set_int(nullptr, "a", 1, nullptr),
           tesela_op_set_int(op, nullptr, 1, nullptr),
           tesela_op_set_string(op, "a", nullptr, nullptr),
           tesela_op_set_ints(op, "a", nullptr, 1, nullptr),
           tesela_op_set_floats(op, "a", nullptr, 1, nullptr),
           tesela_op_set_tensor(op, "a", nullptr, nullptr),
           tesela_plan_create(nullptr, 1, inputs, nullptr, &made, nullptr),
           tesela_plan_create(op, 1, nullptr, nullptr, &made, nullptr),
           tesela_plan_create(op, 1, inputs, nullptr, nullptr, nullptr),
           tesela_op_infer(nullptr, 0, nullptr, &inferred, nullptr),
           tesela_op_infer(op, 0, nullptr, nullptr, nullptr),
           tesela_plan_run(nullptr, &view, &view, nullptr, nullptr),
           tesela_plan_run(plan, &view, nullptr, nullptr, nullptr),
           tesela_plan_run_region(nullptr, &view, lo, &view, lo, nullptr, nullptr),
           tesela_plan_input_region(nullptr, lo, n, box, box, nullptr),
           tesela_plan_input_region(plan, nullptr, n, box, box, nullptr),
           tesela_plan_input_region(plan, lo, n, nullptr, box, nullptr),
           tesela_plan_scratch_bytes(plan, lo, nullptr, &bytes, nullptr),
           tesela_plan_scratch_bytes(plan, lo, n, nullptr, nullptr),
           tesela_plan_describe(plan, TESELA_TEXT_PLAIN, nullptr, nullptr),
           tesela_plan_axis_table(nullptr, 0, 0, 1, &table, nullptr),
           tesela_plan_axis_table(plan, 0, 0, 1, nullptr, nullptr),
           tesela_value_create(TESELA_FLOAT, 2, nullptr, nullptr, &value, nullptr),
           tesela_value_create(TESELA_FLOAT, 0, nullptr, nullptr, nullptr, nullptr),
           tesela_value_copy(nullptr, nullptr, &value, nullptr),
           tesela_value_copy(&view, nullptr, nullptr, nullptr),
           tesela_tensor_to_doubles(nullptr, &number, nullptr),
           tesela_tensor_to_doubles(&view, nullptr, nullptr),
           tesela_tensor_from_doubles(nullptr, 4, &view, nullptr),
           tesela_ops(TESELA_TEXT_PLAIN, nullptr, nullptr),
       })
    EXPECT_EQ(status, TESELA_ERROR_USAGE);
}

TEST(CApiErrors, DestroyAcceptsNull) {
  tesela_op_destroy(nullptr);
  tesela_plan_destroy(nullptr);
  tesela_value_destroy(nullptr);
  tesela_blob_destroy(nullptr);
  tesela_inferred_destroy(nullptr);
  tesela_axis_table_destroy(nullptr);
}

TEST(CApiErrors, GettersOfNullReturnEmptyValues) {
  EXPECT_EQ(tesela_model_input_count(nullptr), 0u);
  EXPECT_EQ(tesela_model_output_count(nullptr), 0u);
  EXPECT_EQ(tesela_model_input_name(nullptr, 0), nullptr);
  EXPECT_EQ(tesela_model_output_name(nullptr, 0), nullptr);
  EXPECT_STREQ(tesela_blob_data(nullptr), "");
  EXPECT_EQ(tesela_blob_size(nullptr), 0u);
  tesela_tensor view = {&view, TESELA_FLOAT, 3, nullptr, nullptr, 4};
  tesela_value_view(nullptr, &view);
  EXPECT_EQ(view.data, nullptr);
  EXPECT_EQ(view.rank, 0);
  tesela_value_view(nullptr, nullptr);
}

// ---- Structs that may grow in later versions --------------------------------------------------------------

TEST(CApiStructs, MembersBeyondTheCallersSizeAreDefaults) {
  tesela_run_options options;
  std::memset(&options, 0x7f, sizeof options);  // the memory after an older caller's struct
  options.struct_size = offsetof(tesela_run_options, backend);
  options.threads = 1;
  Array<float> x = ramp(2, 2);
  Array<float> y = floats({4, 4}, std::vector<float>(16));
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor in = x.view(), out = y.view();
  EXPECT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);

  tesela_limits limits;
  std::memset(&limits, 0, sizeof limits);
  limits.struct_size = offsetof(tesela_limits, max_rank);
  limits.max_output_bytes = 16;
  limits.max_rank = 1;  // beyond struct_size
  OwnedValue value;
  const int64_t extents[] = {2, 2};
  EXPECT_EQ(tesela_value_create(TESELA_FLOAT, 2, extents, &limits, &value, nullptr), TESELA_OK);
  const int64_t more[] = {2, 3};
  OwnedValue other;
  EXPECT_EQ(tesela_value_create(TESELA_FLOAT, 2, more, &limits, &other, nullptr), TESELA_ERROR_LIMIT);
}

TEST(CApiStructs, LargerStructsOfNewerCallersAreRead) {
  struct Newer {
    tesela_limits limits;
    uint64_t something_new;
  } newer = {};
  newer.limits.struct_size = sizeof newer;
  newer.limits.max_output_bytes = 3;
  newer.something_new = ~uint64_t{0};
  OwnedValue value;
  const int64_t extents[] = {4};
  EXPECT_EQ(tesela_value_create(TESELA_INT8, 1, extents, &newer.limits, &value, nullptr), TESELA_ERROR_LIMIT);
}

TEST(CApiStructs, ZeroMembersAreDefaults) {
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  OwnedValue value;
  const int64_t extents[] = {(int64_t{4} << 30) + 1};  // one byte more than the default of 4 GiB
  EXPECT_EQ(tesela_value_create(TESELA_INT8, 1, extents, &limits, &value, nullptr), TESELA_ERROR_LIMIT);
  const std::vector<int64_t> ranks(65, 1);
  EXPECT_EQ(tesela_value_create(TESELA_INT8, 65, ranks.data(), &limits, &value, nullptr), TESELA_ERROR_LIMIT);
  EXPECT_EQ(tesela_value_create(TESELA_INT8, 65, ranks.data(), nullptr, &value, nullptr),
            TESELA_OK);  // unlimited
}

TEST(CApiStructs, OutputStructsAreWrittenAsFarAsTheCallerKnowsThem) {
  Array<float> x = ramp(2, 2);
  const OwnedPlan plan = linear_plan(x, {4, 4});
  OwnedTable table;
  ASSERT_EQ(tesela_plan_axis_table(plan, 0, 0, 4, &table, nullptr), TESELA_OK);
  tesela_axis_table_view view;
  std::memset(&view, 0x11, sizeof view);
  view.struct_size = offsetof(tesela_axis_table_view, first);
  tesela_axis_table_get(table, &view);
  EXPECT_EQ(view.outputs, 4);
  EXPECT_EQ(view.taps, 2);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view.first), uintptr_t{0x1111111111111111});
  EXPECT_EQ(view.struct_size, offsetof(tesela_axis_table_view, first));
}

// ---- Values and numbers -----------------------------------------------------------------------------------

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

// ---- Operators and inference ------------------------------------------------------------------------------

TEST(CApiOps, ResolveTheirVersion) {
  EXPECT_EQ(tesela_op_since_version(make_op("Resize", 17)), 13);
  EXPECT_EQ(tesela_op_since_version(make_op("Tile", 0)), 13);
  tesela_op* op = nullptr;
  EXPECT_EQ(tesela_op_create("", "Upsample", 10, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(tesela_op_create("", "Tile", 1000, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(tesela_op_create("", "Tile", -1, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
}

TEST(CApiOps, SettingAttributeTwiceFails) {
  const OwnedOp op = make_op("Resize", 19);
  EXPECT_EQ(tesela_op_set_string(op, "mode", "linear", nullptr), TESELA_OK);
  tesela_error error;
  EXPECT_EQ(tesela_op_set_string(op, "mode", "cubic", &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Resize-19: attribute 'mode' is given twice");
}

TEST(CApiInfer, KnownAndUnknownExtents) {
  const OwnedOp op = make_op("Tile", 13);
  const tesela_dim dims[] = {{2, nullptr}, {-1, "N"}, {-1, nullptr}};
  const tesela_tensor_info x = {sizeof x, TESELA_INT8, 3, dims, nullptr, nullptr, 0};
  Array<int64_t> repeats = ints({3, 1, 2});
  const tesela_tensor constant = repeats.view();
  tesela_tensor_info given = {};
  given.struct_size = sizeof given;
  given.rank = -1;
  given.constant = &constant;
  const tesela_tensor_info* inputs[] = {&x, &given};
  OwnedInferred inferred;
  tesela_error error;
  ASSERT_EQ(tesela_op_infer(op, 2, inputs, &inferred, &error), TESELA_OK) << error.message;
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  EXPECT_EQ(out.dtype, TESELA_INT8);
  ASSERT_EQ(out.rank, 3);
  EXPECT_EQ(out.dims[0].value, 6);
  EXPECT_EQ(out.dims[1].value, -1);
  EXPECT_STREQ(out.dims[1].symbol, "N");
  EXPECT_EQ(out.dims[2].value, -1);
  EXPECT_STREQ(out.dims[2].symbol, "");
}

// The first extent of the plan; inference must give the same.
int64_t planned_extent(const tesela_op* op, const std::vector<const tesela_tensor*>& inputs) {
  OwnedPlan plan;
  tesela_error error;
  EXPECT_EQ(tesela_plan_create(op, inputs.size(), inputs.data(), nullptr, &plan, &error), TESELA_OK) << error.message;
  std::vector<tesela_tensor_info> infos(inputs.size());
  std::vector<const tesela_tensor_info*> known;
  const tesela_dim dim = {inputs[0]->extents[0], nullptr};
  for (size_t i = 0; i < infos.size(); ++i) {
    infos[i].struct_size = sizeof infos[i];
    infos[i].constant = i == 0 ? nullptr : inputs[i];
    known.push_back(&infos[i]);
  }
  infos[0].dtype = inputs[0]->dtype;
  infos[0].rank = 1;
  infos[0].dims = &dim;
  OwnedInferred inferred;
  EXPECT_EQ(tesela_op_infer(op, infos.size(), known.data(), &inferred, &error), TESELA_OK) << error.message;
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  EXPECT_EQ(out.dims[0].value, tesela_plan_output_extents(plan)[0]);
  return out.dims[0].value;
}

TEST(CApiInfer, ExtentsFromScalesMatchPlan) {
  Array<float> x = floats({5}, {1, 2, 3, 4, 5});
  Array<float> scales = floats({1}, {1.4f});
  Array<float> none = floats({0}, {});
  const tesela_tensor tensors[] = {x.view(), scales.view(), none.view()};
  for (const auto& [field, value, expected] : {std::tuple("tesela.extents", "standard", 6),
                                               {"tesela.extents", "host", 7},
                                               {"tesela.extents", "openvino", 7},
                                               {"tesela.rules", "onnxruntime_positions", 7}})
    for (const int64_t opset : {7, 9, 10, 11, 13, 18, 19}) {
      const OwnedOp op = make_op(opset < 10 ? "Upsample" : "Resize", opset);
      ASSERT_EQ(tesela_op_set_string(op, field, value, nullptr), TESELA_OK);
      std::vector<const tesela_tensor*> inputs = {&tensors[0], &tensors[1]};
      if (opset == 7) {
        inputs.pop_back();
        ASSERT_EQ(tesela_op_set_floats(op, "scales", scales.values.data(), 1, nullptr), TESELA_OK);
      }
      if (opset > 10) inputs.insert(inputs.begin() + 1, &tensors[2]);
      EXPECT_EQ(planned_extent(op, inputs), expected) << value << " " << opset;
    }
  const OwnedOp tile = make_op("Tile", 13);
  Array<int64_t> repeats = ints({2});
  const tesela_tensor counts = repeats.view();
  const tesela_tensor* const inputs[] = {&tensors[0], &counts};
  ASSERT_EQ(tesela_op_set_string(tile, "tesela.extents", "host", nullptr), TESELA_OK);
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(tile, 2, inputs, nullptr, &plan, nullptr), TESELA_ERROR_ATTRIBUTE);
}

TEST(CApiInfer, UnknownRankAndPropagatedShapes) {
  const OwnedOp op = make_op("ConstantOfShape", 9);
  const tesela_dim entries[] = {{4, nullptr}, {-1, "W"}};
  const tesela_dim length[] = {{2, nullptr}};
  const tesela_tensor_info shape = {sizeof shape, TESELA_INT64, 1, length, nullptr, entries, 2};
  const tesela_tensor_info* inputs[] = {&shape};
  OwnedInferred inferred;
  ASSERT_EQ(tesela_op_infer(op, 1, inputs, &inferred, nullptr), TESELA_OK);
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  ASSERT_EQ(out.rank, 2);
  EXPECT_EQ(out.dims[0].value, 4);
  EXPECT_STREQ(out.dims[1].symbol, "W");

  const tesela_tensor_info nothing = {sizeof nothing, TESELA_INT64, -1, nullptr, nullptr, nullptr, 0};
  const tesela_tensor_info* unknown[] = {&nothing};
  OwnedInferred second;
  ASSERT_EQ(tesela_op_infer(op, 1, unknown, &second, nullptr), TESELA_OK);
  tesela_inferred_info(second, &out);
  EXPECT_EQ(out.rank, -1);
  EXPECT_EQ(out.dtype, TESELA_FLOAT);
}

TEST(CApiInfer, ReportsOperatorErrors) {
  const OwnedOp op = make_op("Tile", 13);
  const tesela_dim dims[] = {{2, nullptr}};
  const tesela_tensor_info x = {sizeof x, TESELA_INT4, 1, dims, nullptr, nullptr, 0};
  const tesela_tensor_info r = {sizeof r, TESELA_INT64, -1, nullptr, nullptr, nullptr, 0};
  const tesela_tensor_info* inputs[] = {&x, &r};
  tesela_inferred* inferred = nullptr;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_op_infer(op, 1, inputs, &inferred, nullptr),
            TESELA_ERROR_TYPE);  // the first of two faults
  tesela_tensor_info wrong = x;
  wrong.dtype = 77;
  inputs[0] = &wrong;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_TYPE);
  wrong = x;
  wrong.dims = nullptr;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_USAGE);
}

// ---- Plans ------------------------------------------------------------------------------------------------

TEST(CApiPlans, AccessorsAndDescription) {
  Array<float> x = ramp(3, 5);
  const OwnedPlan plan = linear_plan(x, {6, 4});
  EXPECT_EQ(tesela_plan_dtype(plan), TESELA_FLOAT);
  EXPECT_EQ(tesela_plan_output_rank(plan), 2);
  EXPECT_EQ(tesela_plan_output_extents(plan)[1], 4);
  EXPECT_EQ(tesela_plan_input_rank(plan), 2);
  EXPECT_EQ(tesela_plan_input_extents(plan)[0], 3);
  OwnedBlob plain, json;
  ASSERT_EQ(tesela_plan_describe(plan, TESELA_TEXT_PLAIN, &plain, nullptr), TESELA_OK);
  ASSERT_EQ(tesela_plan_describe(plan, TESELA_TEXT_JSON, &json, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_blob_data(json)[0], '{');
}

TEST(CApiPlans, DoNotReadDataOfFirstInput) {
  Array<float> x = floats({2, 2}, {});
  tesela_tensor view = x.view();
  view.data = nullptr;
  Array<int64_t> repeats = ints({2, 2});
  const tesela_tensor control = repeats.view();
  const tesela_tensor* inputs[] = {&view, &control};
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  tesela_tensor missing = control;
  missing.data = nullptr;
  inputs[1] = &missing;
  OwnedPlan none;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &none, nullptr), TESELA_ERROR_USAGE);
}

TEST(CApiPlans, ControlInputsMayHaveStrides) {
  Array<float> x = ramp(2, 2);
  const tesela_tensor in = x.view();
  int64_t numbers[] = {3, 99, 2};  // [3, 2], 16 bytes apart
  const int64_t two[] = {2}, stride[] = {16};
  const tesela_tensor repeats = {numbers, TESELA_INT64, 1, two, stride, 0};
  const tesela_tensor* inputs[] = {&in, &repeats};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_plan_output_extents(plan)[0], 6);
  EXPECT_EQ(tesela_plan_output_extents(plan)[1], 4);
}

TEST(CApiPlans, RunRejectsOtherShapesAndTypes) {
  Array<float> x = ramp(2, 2);
  Array<float> y = floats({4, 4}, std::vector<float>(16));
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor in = x.view(), out = y.view();
  const int64_t part[] = {2, 4}, flat[] = {16};
  tesela_tensor wrong = out;
  wrong.extents = part;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_SHAPE);
  wrong = out;
  wrong.rank = 1;
  wrong.extents = flat;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_RANK);
  wrong = out;
  wrong.dtype = TESELA_INT32;
  EXPECT_EQ(tesela_plan_run(plan, &in, &wrong, nullptr, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_plan_run(plan, &out, &out, nullptr, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_run(plan, nullptr, &out, nullptr, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);
}

TEST(CApiPlans, RunOptionsAreChecked) {
  Array<float> x = ramp(2, 2);
  Array<float> y = floats({4, 4}, std::vector<float>(16));
  const OwnedPlan plan = linear_plan(x, {4, 4});
  const tesela_tensor in = x.view(), out = y.view();
  const auto code = [&](const tesela_run_options& options) {
    return tesela_plan_run(plan, &in, &out, &options, nullptr);
  };
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = -1;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
  options.threads = INT32_MAX;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
  options.threads = 0;
  options.backend = TESELA_BACKEND_REFERENCE;
  EXPECT_EQ(code(options), TESELA_OK);
  const tesela_executor incomplete = {sizeof incomplete, nullptr, nullptr, 1};
  options.executor = &incomplete;
  EXPECT_EQ(code(options), TESELA_ERROR_USAGE);
}

TEST(CApiPlans, RegionRunsOnItsInputRegion) {
  Array<float> x = ramp(6, 7);
  Array<float> whole = floats({9, 5}, std::vector<float>(45));
  const OwnedPlan plan = linear_plan(x, {9, 5});
  const tesela_tensor in = x.view(), out = whole.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);

  const int64_t lo[] = {3, 1}, n[] = {4, 2};
  int64_t x_lo[2], x_n[2];
  ASSERT_EQ(tesela_plan_input_region(plan, lo, n, x_lo, x_n, nullptr), TESELA_OK);
  EXPECT_LT(x_n[0] * x_n[1], 42);
  const int64_t strides[] = {28, 4};
  const tesela_tensor part = {x.values.data() + x_lo[0] * 7 + x_lo[1], TESELA_FLOAT, 2, x_n, strides, 0};
  Array<float> y = floats({4, 2}, std::vector<float>(8));
  const tesela_tensor box = y.view();
  ASSERT_EQ(tesela_plan_run_region(plan, &part, x_lo, &box, lo, nullptr, nullptr), TESELA_OK);
  for (size_t r = 0; r < 4; ++r)
    for (size_t c = 0; c < 2; ++c) EXPECT_EQ(y.values[r * 2 + c], whole.values[(r + 3) * 5 + c + 1]);

  const int64_t outside[] = {6, 1};
  EXPECT_EQ(tesela_plan_input_region(plan, outside, n, x_lo, x_n, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_run_region(plan, &part, x_lo, &box, outside, nullptr, nullptr), TESELA_ERROR_SHAPE);
  const int64_t elsewhere[] = {0, 0};
  EXPECT_EQ(tesela_plan_run_region(plan, &part, elsewhere, &box, lo, nullptr, nullptr), TESELA_ERROR_SHAPE);
}

TEST(CApiPlans, ConstantOfShapeRunsWithoutInput) {
  const OwnedOp op = make_op("ConstantOfShape", 9);
  uint8_t seven = 7;
  const int64_t one[] = {1};
  const tesela_tensor value = {&seven, TESELA_UINT8, 1, one, nullptr, 0};
  ASSERT_EQ(tesela_op_set_tensor(op, "value", &value, nullptr), TESELA_OK);
  seven = 9;  // the plan has a copy
  Array<int64_t> shape = ints({2, 3});
  const tesela_tensor control = shape.view();
  const tesela_tensor* inputs[] = {&control};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(op, 1, inputs, nullptr, &plan, nullptr), TESELA_OK);
  EXPECT_EQ(tesela_plan_input_rank(plan), 0);
  Array<uint8_t> y = {TESELA_UINT8, {2, 3}, std::vector<uint8_t>(6)};
  const tesela_tensor out = y.view();
  ASSERT_EQ(tesela_plan_run(plan, nullptr, &out, nullptr, nullptr), TESELA_OK);
  EXPECT_EQ(y.values, std::vector<uint8_t>(6, 7));
}

TEST(CApiPlans, LimitsAreEnforced) {
  Array<float> x = ramp(2, 2);
  Array<int64_t> repeats = ints({100, 100});
  const tesela_tensor in = x.view(), control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  limits.max_output_bytes = 1000;
  tesela_plan* plan = nullptr;
  tesela_error error;
  EXPECT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, &limits, &plan, &error), TESELA_ERROR_LIMIT);
  EXPECT_STREQ(error.message, "Tile-13: the output float 200x200 takes 160000 bytes; the limit is 1000");
}

TEST(CApiPlans, AxisTablesOfEveryKind) {
  Array<float> x = floats({2}, {0, 4});
  const OwnedPlan plan = linear_plan(x, {4});
  OwnedTable table;
  ASSERT_EQ(tesela_plan_axis_table(plan, 0, 1, 2, &table, nullptr), TESELA_OK);
  tesela_axis_table_view view = {};
  view.struct_size = sizeof view;
  tesela_axis_table_get(table, &view);
  ASSERT_EQ(view.outputs, 2);
  ASSERT_EQ(view.taps, 2);
  EXPECT_EQ(std::vector<double>(view.weights, view.weights + 4), (std::vector<double>{0.75, 0.25, 0.25, 0.75}));

  tesela_axis_table* none = nullptr;
  EXPECT_EQ(tesela_plan_axis_table(plan, 1, 0, 1, &none, nullptr), TESELA_ERROR_VALUE);
  EXPECT_EQ(tesela_plan_axis_table(plan, -1, 0, 1, &none, nullptr), TESELA_ERROR_VALUE);
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 3, 2, &none, nullptr), TESELA_ERROR_SHAPE);
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 0, -1, &none, nullptr), TESELA_ERROR_SHAPE);

  Array<int64_t> repeats = ints({3});
  const tesela_tensor in = x.view(), control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  OwnedPlan tile;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &tile, nullptr), TESELA_OK);
  OwnedTable moved;
  ASSERT_EQ(tesela_plan_axis_table(tile, 0, 1, 4, &moved, nullptr), TESELA_OK);
  tesela_axis_table_get(moved, &view);
  EXPECT_EQ(view.weights, nullptr);
  EXPECT_EQ(std::vector<int64_t>(view.first, view.first + 4), (std::vector<int64_t>{1, 0, 1, 0}));
}

TEST(CApiPlans, RejectsTableOfHugeAxis) {
  const int64_t extents[] = {int64_t{1} << 60};
  const tesela_tensor in = {nullptr, TESELA_INT8, 1, extents, nullptr, 0};
  Array<int64_t> repeats = ints({1});
  const tesela_tensor control = repeats.view();
  const tesela_tensor* inputs[] = {&in, &control};
  OwnedPlan plan;
  ASSERT_EQ(tesela_plan_create(make_op("Tile", 13), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  tesela_axis_table* table = nullptr;
  EXPECT_EQ(tesela_plan_axis_table(plan, 0, 0, extents[0], &table, nullptr), TESELA_ERROR_NO_MEMORY);
}

// ---- Threads ----------------------------------------------------------------------------------------------

TEST(CApiThreads, EightThreadsShareOnePlan) {
  Array<float> x = ramp(40, 50);
  const OwnedPlan plan = linear_plan(x, {97, 31});
  Array<float> expected = floats({97, 31}, std::vector<float>(97 * 31));
  const tesela_tensor in = x.view(), out = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, nullptr, nullptr), TESELA_OK);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Array<float> y = floats({97, 31}, std::vector<float>(97 * 31));
        const tesela_tensor mine = y.view();
        tesela_run_options options = {};
        options.struct_size = sizeof options;
        options.threads = 1 + t % 3;
        wrong += tesela_plan_run(plan, &in, &mine, &options, nullptr) != TESELA_OK || y.values != expected.values;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CApiThreads, HostParallelForRunsTasks) {
  Array<float> x = ramp(200, 200);
  Array<float> y = floats({400, 400}, std::vector<float>(160000));
  Array<float> expected = y;
  const OwnedPlan plan = linear_plan(x, {400, 400});
  const tesela_tensor in = x.view(), out = y.view(), once = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &once, nullptr, nullptr), TESELA_OK);
  int64_t tasks = 0;
  tesela_executor host = {};
  host.struct_size = sizeof host;
  host.context = &tasks;
  host.concurrency = 4;
  host.parallel_for = [](void* context, int64_t count, void (*task)(void*, int64_t), void* argument) {
    *static_cast<int64_t*>(context) += count;
    for (int64_t i = count; i-- > 0;) task(argument, i);  // in any order
  };
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.executor = &host;
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
  EXPECT_GT(tasks, 1);
  EXPECT_EQ(y.values, expected.values);
}

TEST(CApiThreads, CancelAndProgress) {
  Array<float> x = ramp(200, 200);
  Array<float> y = floats({400, 400}, std::vector<float>(160000));
  const OwnedPlan plan = linear_plan(x, {400, 400});
  const tesela_tensor in = x.view(), out = y.view();
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  double last = 0;
  options.on_progress = [](void* context, double fraction) { *static_cast<double*>(context) = fraction; };
  options.on_progress_context = &last;
  ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
  EXPECT_EQ(last, 1);
  const int32_t stop = 1;
  options.cancel = &stop;
  EXPECT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_ERROR_CANCELLED);
}

TEST(CApiThreads, CallersScratchIsAccepted) {
  Array<float> x = ramp(20, 20);
  const OwnedPlan plan = linear_plan(x, {40, 40});
  Array<float> y = floats({40, 40}, std::vector<float>(1600));
  Array<float> expected = y;
  const tesela_tensor in = x.view(), out = y.view(), once = expected.view();
  ASSERT_EQ(tesela_plan_run(plan, &in, &once, nullptr, nullptr), TESELA_OK);
  const int64_t lo[] = {0, 0}, n[] = {40, 40};
  uint64_t bytes = 0;
  ASSERT_EQ(tesela_plan_scratch_bytes(plan, lo, n, &bytes, nullptr), TESELA_OK);
  std::vector<std::byte> storage(bytes + 64);
  void* aligned = storage.data();
  size_t space = storage.size();
  aligned = std::align(64, bytes, aligned, space);
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  options.scratch = aligned;
  for (const size_t size : {static_cast<size_t>(bytes), size_t{1}}) {  // large enough, and too small
    options.scratch_bytes = size;
    ASSERT_EQ(tesela_plan_run(plan, &in, &out, &options, nullptr), TESELA_OK);
    EXPECT_EQ(y.values, expected.values);
  }
}

TEST(CApi, MemoryOfLargeValuesIsKeptUntilTrim) {
  constexpr uint64_t kBytes = uint64_t{6} << 20;
  EXPECT_EQ(tesela_trim_memory(0), 0u);
  const int64_t extent = kBytes;
  const void* data = nullptr;
  for (int i = 0; i < 2; ++i) {
    OwnedValue value;
    ASSERT_EQ(tesela_value_create(TESELA_UINT8, 1, &extent, nullptr, &value, nullptr), TESELA_OK);
    tesela_tensor view = {};
    tesela_value_view(value, &view);
    if (i == 0) data = view.data;
    EXPECT_EQ(view.data, data);
    EXPECT_EQ(tesela_trim_memory(UINT64_MAX), 0u);  // in use
  }
  EXPECT_EQ(tesela_trim_memory(kBytes), kBytes);
  EXPECT_EQ(tesela_trim_memory(kBytes - 1), 0u);
}

}  // namespace
}  // namespace tesela
