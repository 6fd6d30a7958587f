// SPDX-License-Identifier: Apache-2.0
// The C interface: versions, names, errors and structs that may grow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "api/boundary.h"
#include "api/c_calls.h"

namespace tesela::testing {
namespace {

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
}  // namespace tesela::testing
