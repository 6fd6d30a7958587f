// Each allocation of a call fails, alone and with all later ones: the call reports no_memory, or does without, and the
// process goes on. The sanitized build finds what leaks.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "heap.h"
#include "tesela/tesela.h"

namespace {

using tesela::testing::FailingHeap;

// call: makes its results, and destroys them.
void fail_each_allocation(const std::function<tesela_status()>& call) {
  ASSERT_EQ(call(), TESELA_OK);
  for (const bool lasting : {false, true}) {
    int64_t failures = 0;
    for (int64_t k = 1;; ++k) {
      FailingHeap heap(k, lasting);
      const tesela_status status = call();
      if (!heap.has_failed()) break;
      failures += status == TESELA_ERROR_NO_MEMORY;
      // Caches, kept memory and the like are not needed.
      ASSERT_TRUE(status == TESELA_ERROR_NO_MEMORY || status == TESELA_OK) << k << ": " << tesela_status_name(status);
    }
    EXPECT_GT(failures, 0);
  }
}

constexpr std::array kFormats = {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON, TESELA_TEXT_MARKDOWN};

tesela_status load_example(tesela_model** model) {
  tesela_error error = {};
  return tesela_model_load(TESELA_SOURCE_DIR "/examples/contact_sheet.onnx", nullptr, model, &error);
}

TEST(NoMemory, TableOfOperators) {
  for (const tesela_text_format format : kFormats) {
    SCOPED_TRACE(format);
    fail_each_allocation([format] {
      tesela_error error = {};
      tesela_blob* text = nullptr;
      const tesela_status status = tesela_ops(format, &text, &error);
      tesela_blob_destroy(text);
      return status;
    });
  }
}

TEST(NoMemory, Models) {
  fail_each_allocation([] {
    tesela_model* model = nullptr;
    const tesela_status status = load_example(&model);
    tesela_model_destroy(model);
    return status;
  });
  tesela_model* model = nullptr;
  ASSERT_EQ(load_example(&model), TESELA_OK);
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON}) {
    SCOPED_TRACE(format);
    fail_each_allocation([&] {
      tesela_error error = {};
      tesela_blob* text = nullptr;
      const tesela_status status = tesela_model_inspect(model, format, &text, &error);
      tesela_blob_destroy(text);
      return status;
    });
    fail_each_allocation([&] {
      tesela_error error = {};
      tesela_blob* text = nullptr;
      size_t faults = 0;
      const tesela_status status = tesela_model_check(model, format, &text, &faults, &error);
      tesela_blob_destroy(text);
      return status;
    });
  }
  tesela_model_destroy(model);
}

TEST(NoMemory, Sessions) {
  tesela_model* model = nullptr;
  ASSERT_EQ(load_example(&model), TESELA_OK);
  const std::array<int64_t, 3> extents = {40, 30, 3};
  tesela_value* photo = nullptr;
  tesela_error error = {};
  ASSERT_EQ(tesela_value_create(TESELA_UINT8, 3, extents.data(), nullptr, &photo, &error), TESELA_OK);
  tesela_tensor view = {};
  tesela_value_view(photo, &view);
  fail_each_allocation([&] {
    tesela_error fault = {};
    tesela_session* session = nullptr;
    tesela_status status = tesela_session_create(model, nullptr, &session, &fault);
    if (status == TESELA_OK) {
      const char* const name = tesela_model_input_name(model, 0);
      tesela_value* sheet = nullptr;
      tesela_run_options options = {};
      options.struct_size = sizeof options;
      options.threads = 1;
      status = tesela_session_run(session, 1, &name, &view, 1, nullptr, &sheet, &options, &fault);
      tesela_value_destroy(sheet);
    }
    tesela_session_destroy(session);
    return status;
  });
  tesela_value_destroy(photo);
  tesela_model_destroy(model);
}

TEST(NoMemory, Plans) {
  fail_each_allocation([] {
    tesela_error error = {};
    tesela_op* op = nullptr;
    tesela_plan* plan = nullptr;
    tesela_blob* text = nullptr;
    const std::array<int64_t, 2> extents = {6, 8};
    const std::array<int64_t, 2> sizes = {9, 5};
    const int64_t two = 2;
    tesela_tensor x = {};
    x.dtype = TESELA_FLOAT;
    x.rank = 2;
    x.extents = extents.data();
    tesela_tensor wanted = {};
    wanted.dtype = TESELA_INT64;
    wanted.rank = 1;
    wanted.extents = &two;
    wanted.data = const_cast<int64_t*>(sizes.data());
    const std::array<const tesela_tensor*, 4> inputs = {&x, nullptr, nullptr, &wanted};
    tesela_status status = tesela_op_create("", "Resize", 19, "node", &op, &error);
    if (status == TESELA_OK) status = tesela_op_set_string(op, "mode", "cubic", &error);
    if (status == TESELA_OK) status = tesela_plan_create(op, inputs.size(), inputs.data(), nullptr, &plan, &error);
    if (status == TESELA_OK) status = tesela_plan_describe(plan, TESELA_TEXT_JSON, &text, &error);
    tesela_blob_destroy(text);
    tesela_plan_destroy(plan);
    tesela_op_destroy(op);
    return status;
  });
}

}  // namespace
