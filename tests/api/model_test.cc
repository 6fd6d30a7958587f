// SPDX-License-Identifier: Apache-2.0
// The C interface: models, and what is known of them without running them.
#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "api/model_calls.h"

namespace tesela::testing {
namespace {

using ::testing::HasSubstr;

std::string text_of(const Handle<tesela_blob>& blob) {
  return {tesela_blob_data(blob.get()), tesela_blob_size(blob.get())};
}

TEST(ModelApi, ListsRequiredInputsAndOutputs) {
  const Loaded loaded(resize_model(19));
  ASSERT_EQ(loaded.status, TESELA_OK) << loaded.error.message;
  const tesela_model* model = loaded.model.get();
  ASSERT_EQ(tesela_model_input_count(model), 1u);
  ASSERT_EQ(tesela_model_output_count(model), 1u);
  EXPECT_STREQ(tesela_model_input_name(model, 0), "x");
  EXPECT_STREQ(tesela_model_output_name(model, 0), "y");
  EXPECT_EQ(tesela_model_input_name(model, 1), nullptr);
  EXPECT_EQ(tesela_model_output_name(model, 1), nullptr);
}

TEST(ModelApi, TensorInfoCombinesFileAndInference) {
  const Loaded loaded(resize_model(19));
  ASSERT_EQ(loaded.status, TESELA_OK) << loaded.error.message;
  tesela_tensor_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(tesela_model_input_info(loaded.model.get(), 0, &info, nullptr), TESELA_OK);
  EXPECT_EQ(info.dtype, TESELA_FLOAT);
  ASSERT_EQ(info.rank, 4);
  EXPECT_EQ(info.dims[0].value, 1);
  EXPECT_EQ(info.dims[2].value, -1);
  EXPECT_STREQ(info.dims[2].symbol, "H");
  ASSERT_EQ(tesela_model_output_info(loaded.model.get(), 0, &info, nullptr), TESELA_OK);
  EXPECT_EQ(info.dims[1].value, 1);
  EXPECT_EQ(info.dims[3].value, -1);
  tesela_error error = {};
  EXPECT_EQ(tesela_model_input_info(loaded.model.get(), 1, &info, &error), TESELA_ERROR_USAGE);
  EXPECT_STREQ(error.message, "the model has no input 1");
}

TEST(ModelApi, QueriesAreThreadSafe) {
  const Loaded loaded(resize_model(19));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      tesela_tensor_info info = {};
      info.struct_size = sizeof info;
      EXPECT_EQ(tesela_model_output_info(loaded.model.get(), 0, &info, nullptr), TESELA_OK);
      EXPECT_EQ(info.rank, 4);
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(ModelApi, InspectAndCheckReturnTextAndJson) {
  const Loaded loaded(resize_model(19));
  tesela_blob* blob = nullptr;
  ASSERT_EQ(tesela_model_inspect(loaded.model.get(), TESELA_TEXT_PLAIN, &blob, nullptr), TESELA_OK);
  EXPECT_THAT(text_of(Handle<tesela_blob>(blob)), HasSubstr("Resize-19 'up'"));
  ASSERT_EQ(tesela_model_inspect(loaded.model.get(), TESELA_TEXT_JSON, &blob, nullptr), TESELA_OK);
  EXPECT_THAT(text_of(Handle<tesela_blob>(blob)), HasSubstr("\"since_version\": 19"));
  size_t faults = 7;
  ASSERT_EQ(tesela_model_check(loaded.model.get(), TESELA_TEXT_PLAIN, &blob, &faults, nullptr), TESELA_OK);
  EXPECT_EQ(text_of(Handle<tesela_blob>(blob)), "no faults, no notes\n");
  EXPECT_EQ(faults, 0u);
  EXPECT_EQ(tesela_model_check(loaded.model.get(), TESELA_TEXT_MARKDOWN, &blob, &faults, nullptr), TESELA_ERROR_USAGE);
}

TEST(ModelApi, LintReturnsTextJsonAndSarif) {
  const Loaded loaded(resize_model(19));
  const tesela_model* model = loaded.model.get();
  tesela_blob* blob = nullptr;
  size_t errors = 7;
  for (const tesela_text_format format : {TESELA_TEXT_PLAIN, TESELA_TEXT_JSON, TESELA_TEXT_SARIF}) {
    ASSERT_EQ(tesela_model_lint(model, nullptr, format, &blob, &errors, nullptr), TESELA_OK);
    EXPECT_FALSE(text_of(Handle<tesela_blob>(blob)).empty());
    EXPECT_EQ(errors, 0u);
  }
  EXPECT_EQ(tesela_model_lint(model, nullptr, TESELA_TEXT_MARKDOWN, &blob, nullptr, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_model_lint(model, nullptr, TESELA_TEXT_PLAIN, nullptr, nullptr, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_catalogue(TESELA_TEXT_PLAIN, &blob, nullptr), TESELA_ERROR_USAGE);
}

TEST(ModelApi, LintRejectsUnknownRuntimesAndNullNames) {
  const Loaded loaded(resize_model(19));
  const auto lint_with = [&](const char* const* names, size_t count, size_t struct_size) {
    const tesela_lint_options options = {struct_size, names, count, nullptr};
    tesela_blob* blob = nullptr;
    const tesela_status status =
        tesela_model_lint(loaded.model.get(), &options, TESELA_TEXT_PLAIN, &blob, nullptr, nullptr);
    tesela_blob_destroy(blob);
    return status;
  };
  const char* const names[] = {"onnxruntime", "openvino", "abacus", nullptr};
  EXPECT_EQ(lint_with(names, 2, sizeof(tesela_lint_options)), TESELA_OK);
  EXPECT_EQ(lint_with(names, 3, sizeof(tesela_lint_options)), TESELA_ERROR_VALUE);
  EXPECT_EQ(lint_with(names + 3, 1, sizeof(tesela_lint_options)), TESELA_ERROR_USAGE);
  EXPECT_EQ(lint_with(nullptr, 1, sizeof(tesela_lint_options)), TESELA_ERROR_USAGE);
  EXPECT_EQ(lint_with(names, 1, 0), TESELA_ERROR_USAGE);
}

TEST(ModelApi, FixReturnsAReportAndTheFile) {
  const Loaded loaded(resize_model(13));
  const auto fix_with = [&](const char* meant, int64_t opset, const char* path, tesela_text_format format) {
    const tesela_fix_options options = {sizeof options, meant, opset, path};
    return tesela_model_fix(loaded.model.get(), &options, format, nullptr, nullptr, nullptr);
  };
  tesela_blob* text = nullptr;
  tesela_blob* bytes = nullptr;
  ASSERT_EQ(tesela_model_fix(loaded.model.get(), nullptr, TESELA_TEXT_PLAIN, &text, &bytes, nullptr), TESELA_OK);
  EXPECT_THAT(text_of(Handle<tesela_blob>(text)), HasSubstr("nodes changed"));
  EXPECT_FALSE(text_of(Handle<tesela_blob>(bytes)).empty());
  EXPECT_EQ(fix_with("pytorch", 19, nullptr, TESELA_TEXT_JSON), TESELA_OK);
  EXPECT_EQ(fix_with("abacus", 0, nullptr, TESELA_TEXT_PLAIN), TESELA_ERROR_VALUE);
  EXPECT_EQ(fix_with(nullptr, 12, nullptr, TESELA_TEXT_PLAIN), TESELA_ERROR_VALUE);
  EXPECT_EQ(fix_with(nullptr, 99, nullptr, TESELA_TEXT_PLAIN), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(fix_with(nullptr, 0, "/", TESELA_TEXT_PLAIN), TESELA_ERROR_PATH);
  EXPECT_EQ(fix_with(nullptr, 0, nullptr, TESELA_TEXT_SARIF), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_model_fix(nullptr, nullptr, TESELA_TEXT_PLAIN, &text, nullptr, nullptr), TESELA_ERROR_USAGE);
}

TEST(ModelApi, AssumedOpsetAllowsUnknownOpset) {
  const std::string file = resize_model(29);
  tesela_blob* blob = nullptr;
  size_t faults = 0;
  const Loaded as_it_is(file);
  ASSERT_EQ(tesela_model_check(as_it_is.model.get(), TESELA_TEXT_PLAIN, &blob, &faults, nullptr), TESELA_OK);
  EXPECT_THAT(text_of(Handle<tesela_blob>(blob)), HasSubstr("opset 29 of ONNX's domain is not supported"));
  EXPECT_EQ(faults, 1u);
  tesela_load_options options = {};
  options.struct_size = sizeof options;
  options.assume_opset = 19;
  const Loaded assumed(file, &options);
  ASSERT_EQ(tesela_model_check(assumed.model.get(), TESELA_TEXT_PLAIN, &blob, &faults, nullptr), TESELA_OK);
  Handle<tesela_blob>{blob};
  EXPECT_EQ(faults, 0u);
}

TEST(ModelApi, ExtentRuleIsALoadOption) {
  const auto height = [](const tesela_load_options& options) {
    const Loaded loaded(resize_model(19, {"1", "1", "10", "10"}, 0.7f), &options);
    EXPECT_EQ(loaded.status, TESELA_OK) << loaded.error.message;
    tesela_tensor_info info = {};
    info.struct_size = sizeof info;
    EXPECT_EQ(tesela_model_output_info(loaded.model.get(), 0, &info, nullptr), TESELA_OK);
    Image x(std::vector<float>(100), 10, 10);
    const char* name = "x";
    const tesela_tensor view = x.view();
    tesela_value* y = nullptr;
    EXPECT_EQ(
        tesela_session_run(session_of(loaded.model.get()).get(), 1, &name, &view, 1, nullptr, &y, nullptr, nullptr),
        TESELA_OK);
    const Handle<tesela_value> owner(y);
    tesela_tensor made = {};
    tesela_value_view(y, &made);
    EXPECT_EQ(made.extents[2], info.dims[2].value);
    return made.extents[2];
  };
  tesela_load_options options = {};
  options.struct_size = sizeof options;
  EXPECT_EQ(height(options), 6);
  options.extents = "standard";
  EXPECT_EQ(height(options), 6);
  options.extents = "host";
  EXPECT_EQ(height(options), 7);
  options.struct_size = offsetof(tesela_load_options, extents);  // a caller compiled before `extents` existed
  EXPECT_EQ(height(options), 6);
  options.struct_size = sizeof options;
  options.extents = "hots";
  EXPECT_EQ(Loaded(resize_model(19, {"1", "1", "10", "10"}, 0.7f), &options).status, TESELA_ERROR_ATTRIBUTE);
}

TEST(ModelApi, RejectsFilesThatAreNotModels) {
  EXPECT_EQ(Loaded("").status, TESELA_ERROR_TRUNCATED);
  const Loaded text("This is no model at all.");
  EXPECT_NE(text.status, TESELA_OK);
  EXPECT_EQ(text.model, nullptr);
  tesela_model* model = nullptr;
  EXPECT_EQ(tesela_model_load("/nonexistent/model.onnx", nullptr, &model, nullptr), TESELA_ERROR_IO);
  EXPECT_EQ(model, nullptr);
}

TEST(ModelApi, EveryPrefixOfAModelIsRefusedOrHarmless) {
  const std::string file = resize_model(19);
  for (size_t size = 0; size < file.size(); ++size) {
    const Loaded loaded(file.substr(0, size));
    if (loaded.status != TESELA_OK) continue;
    tesela_session* session = nullptr;
    if (tesela_session_create(loaded.model.get(), nullptr, &session, nullptr) == TESELA_OK)
      tesela_session_destroy(session);
  }
}

TEST(ModelApi, EveryFlippedBitIsRefusedOrHarmless) {
  const std::string file = resize_model(19);
  for (size_t bit = 0; bit < file.size() * 8; ++bit) {
    std::string spoiled = file;
    spoiled[bit / 8] = static_cast<char>(spoiled[bit / 8] ^ (1 << (bit % 8)));
    const Loaded loaded(std::move(spoiled));
    if (loaded.status != TESELA_OK) continue;
    tesela_blob* blob = nullptr;
    ASSERT_EQ(tesela_model_inspect(loaded.model.get(), TESELA_TEXT_PLAIN, &blob, nullptr), TESELA_OK);
    tesela_blob_destroy(blob);
    tesela_session* session = nullptr;
    if (tesela_session_create(loaded.model.get(), nullptr, &session, nullptr) != TESELA_OK) continue;
    const Handle<tesela_session> handle(session);
    Image image({1, 2}, 1, 2);
    const char* name = "x";
    const tesela_tensor view = image.view();
    tesela_value* output = nullptr;
    if (tesela_session_run(session, 1, &name, &view, 1, nullptr, &output, nullptr, nullptr) == TESELA_OK)
      tesela_value_destroy(output);
  }
}

}  // namespace
}  // namespace tesela::testing
