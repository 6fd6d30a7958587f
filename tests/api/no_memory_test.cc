// SPDX-License-Identifier: Apache-2.0
// Each allocation fails in calls of operators, models and sessions, and every function of the C interface is tried so.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include "api/failing_calls.h"

namespace tesela::testing {
namespace {

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

TEST(NoMemory, Doctor) {
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON}) {
    SCOPED_TRACE(format);
    fail_each_allocation([format] {
      tesela_error error = {};
      tesela_blob* text = nullptr;
      const tesela_status status = tesela_doctor(format, &text, nullptr, &error);
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
    fail_each_allocation([&] {
      tesela_error error = {};
      tesela_blob* text = nullptr;
      const tesela_status status = tesela_model_lint(model, nullptr, format, &text, nullptr, &error);
      tesela_blob_destroy(text);
      return status;
    });
  }
  const std::array<tesela_dim, 3> dims = {{{40, nullptr}, {30, nullptr}, {3, nullptr}}};
  tesela_tensor_info photo = {};
  photo.struct_size = sizeof photo;
  photo.rank = 3;
  photo.dims = dims.data();
  const tesela_tensor_info* const infos = &photo;
  const char* const name = tesela_model_input_name(model, 0);
  fail_each_allocation([&] {
    tesela_error error = {};
    tesela_plan* plan = nullptr;
    const tesela_status status = tesela_model_plan(model, "#2", 1, &name, &infos, &plan, &error);
    tesela_plan_destroy(plan);
    return status;
  });
  fail_each_allocation([] {
    tesela_error error = {};
    tesela_blob* text = nullptr;
    const tesela_status status = tesela_catalogue(TESELA_TEXT_JSON, &text, &error);
    tesela_blob_destroy(text);
    return status;
  });
  tesela_model_destroy(model);
}

TEST(NoMemory, Fixes) {
  const std::string path =
      TESELA_SOURCE_DIR "/tests/live/exporters/recorded/keras-upsampling2d-anisotropic-tf2onnx-14.onnx";
  tesela_model* model = nullptr;
  tesela_error error = {};
  ASSERT_EQ(tesela_model_load(path.c_str(), nullptr, &model, &error), TESELA_OK) << error.message;
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON}) {
    fail_each_allocation([&] {
      tesela_error fault = {};
      tesela_fix_options options = {};
      options.struct_size = sizeof options;
      options.opset = 17;
      tesela_blob* text = nullptr;
      tesela_blob* bytes = nullptr;
      const tesela_status status = tesela_model_fix(model, &options, format, &text, &bytes, &fault);
      tesela_blob_destroy(text);
      tesela_blob_destroy(bytes);
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
    text = nullptr;
    if (status == TESELA_OK) status = tesela_plan_explain(plan, nullptr, TESELA_TEXT_SVG, &text, &error);
    tesela_blob_destroy(text);
    tesela_plan_destroy(plan);
    tesela_op_destroy(op);
    return status;
  });
}

TEST(NoMemory, EveryFunctionThatCanFailIsCalledHere) {
  const auto contents = [](const char* path) {
    std::ifstream file(path);
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  const std::string header = contents(TESELA_SOURCE_DIR "/include/tesela/tesela.h");
  const std::string here = contents(TESELA_SOURCE_DIR "/tests/api/no_memory_test.cc") +
                           contents(TESELA_SOURCE_DIR "/tests/api/no_memory_calls_test.cc");
  const std::string declares = "\nTESELA_API tesela_status ";
  int functions = 0;
  for (size_t at = header.find(declares); at != std::string::npos; at = header.find(declares, at + 1), ++functions) {
    const size_t begin = at + declares.size();
    const std::string call = header.substr(begin, header.find('(', begin) + 1 - begin);
    EXPECT_NE(here.find(call), std::string::npos) << call;
  }
  EXPECT_GT(functions, 30);
}

}  // namespace
}  // namespace tesela::testing
