// SPDX-License-Identifier: Apache-2.0
// The C interface: invalid counts, extents and structs.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>

#include "api/handles.h"

namespace tesela {
namespace {

testing::Handle<tesela_op> tile() {
  tesela_op* op = nullptr;
  EXPECT_EQ(tesela_op_create("", "Tile", 13, nullptr, &op, nullptr), TESELA_OK);
  return testing::Handle<tesela_op>(op);
}

// ---- Invalid counts and extents ----

TEST(CApiErrors, RejectsImpossibleCountsWithMessage) {
  tesela_error error = {};
  const auto op = tile();
  const int64_t one = 1;
  const float half = 0.5f;
  constexpr size_t kMax = SIZE_MAX / 2;
  const auto expect = [&error](tesela_status status, tesela_status code, const char* text) {
    EXPECT_EQ(status, code);
    EXPECT_THAT(error.message, ::testing::HasSubstr(text));
  };
  expect(tesela_op_set_ints(op.get(), "axes", &one, kMax, &error), TESELA_ERROR_COUNT,
         "tesela_op_set_ints: count is 9223372036854775807; no array has so many elements");
  expect(tesela_op_set_floats(op.get(), "scales", &half, kMax, &error), TESELA_ERROR_COUNT,
         "tesela_op_set_floats: count is");
  tesela_plan* plan = nullptr;
  const tesela_tensor* const inputs[] = {nullptr};
  expect(tesela_plan_create(op.get(), kMax, inputs, nullptr, &plan, &error), TESELA_ERROR_COUNT,
         "Tile-13: has 9223372036854775807 inputs; expected at most 2");
  const char* const names[] = {"input"};
  expect(tesela_plan_create_named(op.get(), kMax, names, inputs, nullptr, &plan, &error), TESELA_ERROR_COUNT,
         "has 9223372");
  int64_t version = 0;
  expect(tesela_operator_version("", "Tile", 2, kMax, names, &version, &error), TESELA_ERROR_COUNT,
         "tesela_operator_version: attribute_count is");
  EXPECT_EQ(tesela_nearest_name("input", kMax, names), nullptr);
  tesela_model* model = nullptr;
  expect(tesela_model_load_memory("", SIZE_MAX, nullptr, &model, &error), TESELA_ERROR_COUNT, "size is");
  tesela_value* value = nullptr;
  expect(tesela_value_read_memory("", SIZE_MAX, nullptr, &value, nullptr, &error), TESELA_ERROR_COUNT, "size is");
}

TEST(CApiInfer, RejectsDimsBelowMinusOne) {
  const auto op = tile();
  const tesela_dim dims[] = {{4, nullptr}, {INT64_MIN, nullptr}};
  tesela_tensor_info x = {};
  x.struct_size = sizeof x;
  x.dtype = TESELA_FLOAT;
  x.rank = 2;
  x.dims = dims;
  const tesela_dim entries[] = {{2, nullptr}, {-2, nullptr}};
  tesela_tensor_info repeats = {};
  repeats.struct_size = sizeof repeats;
  repeats.dtype = TESELA_INT64;
  repeats.rank = -1;
  repeats.shape_value = entries;
  repeats.shape_value_count = 2;
  const tesela_tensor_info* const inputs[] = {&x, &repeats};
  tesela_inferred* inferred = nullptr;
  tesela_error error = {};
  EXPECT_EQ(tesela_op_infer(op.get(), 2, inputs, &inferred, &error), TESELA_ERROR_VALUE);
  EXPECT_STREQ(error.message, "tensor info: dims[1] is -9223372036854775808; expected at least 0, or -1 for unknown");
  x.rank = 1;
  EXPECT_EQ(tesela_op_infer(op.get(), 2, inputs, &inferred, &error), TESELA_ERROR_VALUE);
  EXPECT_STREQ(error.message, "tensor info: shape_value[1] is -2; expected at least 0, or -1 for unknown");
  x.rank = -2;
  EXPECT_EQ(tesela_op_infer(op.get(), 2, inputs, &inferred, &error), TESELA_ERROR_RANK);
  repeats.shape_value_count = SIZE_MAX;
  x.rank = 1;
  EXPECT_EQ(tesela_op_infer(op.get(), 2, inputs, &inferred, &error), TESELA_ERROR_COUNT);
  EXPECT_EQ(inferred, nullptr);
}

// ---- Structs with struct_size 0 ----

// Calls f with the struct, which is zero except its size, and expects a usage error that names it.
template <class Struct, class F>
void expect_refused(const char* what, const F& call) {
  Struct given = {};
  tesela_error error = {};
  EXPECT_EQ(call(&given, &error), TESELA_ERROR_USAGE) << what;
  EXPECT_EQ(error.message, std::string(what) + ": struct_size is 0; expected the size of the struct");
}

TEST(CApiStructs, InputStructWithZeroSizeIsUsageError) {
  const auto op = tile();
  const int64_t two = 2;
  int64_t data[2] = {2, 2};
  const tesela_tensor x = {data, TESELA_INT64, 1, &two, nullptr, 0};
  const tesela_tensor* const inputs[] = {&x, &x};
  tesela_value* value = nullptr;
  tesela_plan* plan = nullptr;
  tesela_model* model = nullptr;
  tesela_blob* blob = nullptr;
  using Limits = tesela_limits;
  expect_refused<Limits>("limits",
                         [&](auto* l, auto* e) { return tesela_value_create(TESELA_FLOAT, 1, &two, l, &value, e); });
  expect_refused<Limits>("limits", [&](auto* l, auto* e) { return tesela_value_copy(&x, l, &value, e); });
  expect_refused<Limits>("limits",
                         [&](auto* l, auto* e) { return tesela_plan_create(op.get(), 2, inputs, l, &plan, e); });
  tesela_plan_cache* cache = nullptr;
  ASSERT_EQ(tesela_plan_cache_create(1, &cache, nullptr), TESELA_OK);
  expect_refused<Limits>(
      "limits", [&](auto* l, auto* e) { return tesela_plan_cache_get(cache, op.get(), 2, inputs, l, &plan, e); });
  const Limits empty = {};
  EXPECT_EQ(tesela_plan_cache_find(cache, op.get(), 2, inputs, &empty), nullptr);
  tesela_plan_cache_destroy(cache);
  using File = tesela_file_options;
  expect_refused<File>("options", [&](auto* o, auto* e) { return tesela_tensor_encode(&x, o, &blob, e); });
  expect_refused<File>("options", [&](auto* o, auto* e) { return tesela_tensor_write(&x, "x.npy", o, e); });
  expect_refused<File>("options",
                       [&](auto* o, auto* e) { return tesela_value_read_memory("", 0, o, &value, nullptr, e); });
  expect_refused<File>("options", [&](auto* o, auto* e) { return tesela_value_read("x", o, &value, nullptr, e); });
  using Load = tesela_load_options;
  expect_refused<Load>("options", [&](auto* o, auto* e) { return tesela_model_load("x", o, &model, e); });
  expect_refused<Load>("options", [&](auto* o, auto* e) { return tesela_model_load_memory("", 0, o, &model, e); });
  expect_refused<tesela_tensor_info>("tensor info", [&](auto* given, auto* e) {
    const tesela_tensor_info* const infos[] = {given, given};
    tesela_inferred* inferred = nullptr;
    return tesela_op_infer(op.get(), 2, infos, &inferred, e);
  });
}

TEST(CApiStructs, RunOptionsAndExecutorWithZeroSizeAreUsageErrors) {
  const auto op = tile();
  const int64_t one = 1, two = 2;
  int64_t data[2] = {2, 2};
  const tesela_tensor x = {data, TESELA_INT64, 1, &one, nullptr, 0};
  const tesela_tensor y = {data, TESELA_INT64, 1, &two, nullptr, 0};
  const tesela_tensor* const inputs[] = {&x, &x};
  tesela_plan* plan = nullptr;
  ASSERT_EQ(tesela_plan_create(op.get(), 2, inputs, nullptr, &plan, nullptr), TESELA_OK);
  expect_refused<tesela_run_options>("options", [&](auto* o, auto* e) { return tesela_plan_run(plan, &x, &y, o, e); });
  expect_refused<tesela_executor>("executor", [&](auto* host, auto* e) {
    tesela_run_options options = {};
    options.struct_size = sizeof options;
    options.executor = host;
    return tesela_plan_run(plan, &x, &y, &options, e);
  });
  tesela_axis_table* table = nullptr;
  ASSERT_EQ(tesela_plan_axis_table(plan, 0, 0, 2, &table, nullptr), TESELA_OK);
  tesela_axis_table_view view = {};
  view.outputs = 77;
  tesela_axis_table_get(table, &view);
  EXPECT_EQ(view.outputs, 77);
  EXPECT_EQ(view.struct_size, 0u);
  tesela_axis_table_destroy(table);
  tesela_plan_destroy(plan);
}

}  // namespace
}  // namespace tesela
