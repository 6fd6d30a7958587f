// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tesela/tesela.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// ---- A model file, written by hand
// --------------------------------------------------------------------------------

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string number(int field, int64_t value) {
  return varint(static_cast<uint64_t>(field) << 3) + varint(static_cast<uint64_t>(value));
}

std::string message(int field, const std::string& bytes) {
  return varint(static_cast<uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

// An empty dim is unknown, one of digits is a number, others are symbols.
std::string value_info(const std::string& name, int type, const std::vector<std::string>& dims) {
  std::string shape;
  for (const std::string& dim : dims) {
    const bool is_number = !dim.empty() && dim.find_first_not_of("0123456789") == std::string::npos;
    shape += message(1, dim.empty() ? "" : is_number ? number(1, std::stoll(dim)) : message(2, dim));
  }
  return message(1, name) + message(2, message(1, number(1, type) + message(2, shape)));
}

std::string node(const std::string& type, const std::string& name, const std::vector<std::string>& inputs,
                 const std::string& output) {
  std::string bytes;
  for (const std::string& input : inputs) bytes += message(1, input);
  return bytes + message(2, output) + message(3, name) + message(4, type);
}

std::string float_tensor(const std::string& name, const std::vector<float>& values) {
  const std::string raw(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return number(1, static_cast<int64_t>(values.size())) + number(2, TESELA_FLOAT) + message(8, name) + message(9, raw);
}

std::string model_of(int64_t opset, const std::string& graph) {
  return number(1, 8) + message(2, "hand") + message(7, graph) + message(8, number(2, opset));
}

// x: float [1, 1, H, W], with the default s -> Resize -> y.
std::string resize_graph() {
  return message(1, node("Resize", "up", {"x", "", "s"}, "y")) + message(5, float_tensor("s", {1, 1, 2, 2})) +
         message(11, value_info("x", TESELA_FLOAT, {"1", "1", "H", "W"})) +
         message(11, value_info("s", TESELA_FLOAT, {"4"})) +
         message(12, value_info("y", TESELA_FLOAT, {"1", "", "", ""}));
}

// ---- Handles
// --------------------------------------------------------------------------------------------------------

struct Destroy {
  void operator()(tesela_model* p) const { tesela_model_destroy(p); }
  void operator()(tesela_session* p) const { tesela_session_destroy(p); }
  void operator()(tesela_value* p) const { tesela_value_destroy(p); }
  void operator()(tesela_blob* p) const { tesela_blob_destroy(p); }
};
template <class T>
using Handle = std::unique_ptr<T, Destroy>;

// The bytes must outlive the model, which does not copy them.
struct Loaded {
  explicit Loaded(std::string file, const tesela_load_options* options = nullptr) : bytes(std::move(file)) {
    tesela_model* loaded = nullptr;
    status = tesela_model_load_memory(bytes.data(), bytes.size(), options, &loaded, &error);
    model.reset(loaded);
  }
  std::string bytes;
  tesela_error error = {};
  tesela_status status = TESELA_OK;
  Handle<tesela_model> model;
};

Handle<tesela_session> session_of(const tesela_model* model) {
  tesela_session* session = nullptr;
  tesela_error error = {};
  EXPECT_EQ(tesela_session_create(model, nullptr, &session, &error), TESELA_OK) << error.message;
  return Handle<tesela_session>(session);
}

struct Image {
  explicit Image(std::vector<float> values, int64_t height, int64_t width)
      : pixels(std::move(values)), extents{1, 1, height, width} {}
  tesela_tensor view() { return {pixels.data(), TESELA_FLOAT, 4, extents, nullptr, 0}; }
  std::vector<float> pixels;
  int64_t extents[4];
};

std::string text_of(const Handle<tesela_blob>& blob) {
  return {tesela_blob_data(blob.get()), tesela_blob_size(blob.get())};
}

// ---- Models
// ---------------------------------------------------------------------------------------------------------

TEST(ModelApi, ListsRequiredInputsAndOutputs) {
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(19, resize_graph()));
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
  const Loaded loaded(model_of(13, resize_graph()));
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
  const std::string file = model_of(29, resize_graph());
  tesela_blob* blob = nullptr;
  size_t faults = 0;
  const Loaded as_it_is(file);
  ASSERT_EQ(tesela_model_check(as_it_is.model.get(), TESELA_TEXT_PLAIN, &blob, &faults, nullptr), TESELA_OK);
  EXPECT_THAT(text_of(Handle<tesela_blob>(blob)), HasSubstr("opset 29 of ONNX's domain is not known"));
  EXPECT_EQ(faults, 1u);
  tesela_load_options options = {};
  options.struct_size = sizeof options;
  options.assume_opset = 19;
  const Loaded assumed(file, &options);
  ASSERT_EQ(tesela_model_check(assumed.model.get(), TESELA_TEXT_PLAIN, &blob, &faults, nullptr), TESELA_OK);
  Handle<tesela_blob>{blob};
  EXPECT_EQ(faults, 0u);
}

// x: float [1, 1, 10, 10] -> Resize by 1, 1, 0.7, 0.7 -> y.
std::string shrinking_graph() {
  return message(1, node("Resize", "down", {"x", "", "s"}, "y")) + message(5, float_tensor("s", {1, 1, 0.7f, 0.7f})) +
         message(11, value_info("x", TESELA_FLOAT, {"1", "1", "10", "10"})) +
         message(12, value_info("y", TESELA_FLOAT, {"", "", "", ""}));
}

TEST(ModelApi, ExtentRuleIsALoadOption) {
  const auto height = [](const tesela_load_options& options) {
    const Loaded loaded(model_of(19, shrinking_graph()), &options);
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
  EXPECT_EQ(Loaded(model_of(19, shrinking_graph()), &options).status, TESELA_ERROR_ATTRIBUTE);
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
  const std::string file = model_of(19, resize_graph());
  for (size_t size = 0; size < file.size(); ++size) {
    const Loaded loaded(file.substr(0, size));
    if (loaded.status != TESELA_OK) continue;
    tesela_session* session = nullptr;
    if (tesela_session_create(loaded.model.get(), nullptr, &session, nullptr) == TESELA_OK)
      tesela_session_destroy(session);
  }
}

TEST(ModelApi, EveryFlippedBitIsRefusedOrHarmless) {
  const std::string file = model_of(19, resize_graph());
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

// ---- Sessions
// -------------------------------------------------------------------------------------------------------

TEST(SessionApi, RunsAndOutlivesItsModel) {
  Loaded loaded(model_of(19, resize_graph()));
  const Handle<tesela_session> session = session_of(loaded.model.get());
  loaded.model.reset();
  Image image({1, 2}, 1, 2);
  const char* name = "x";
  const tesela_tensor view = image.view();
  tesela_value* output = nullptr;
  tesela_error error = {};
  ASSERT_EQ(tesela_session_run(session.get(), 1, &name, &view, 1, nullptr, &output, nullptr, &error), TESELA_OK)
      << error.message;
  const Handle<tesela_value> value(output);
  tesela_tensor y = {};
  tesela_value_view(value.get(), &y);
  ASSERT_EQ(y.rank, 4);
  EXPECT_EQ(y.extents[3], 4);
  const auto* pixels = static_cast<const float*>(y.data);
  EXPECT_THAT(std::vector<float>(pixels, pixels + 8), ElementsAre(1, 1, 2, 2, 1, 1, 2, 2));
}

TEST(SessionApi, ReportsEachNode) {
  const Loaded loaded(model_of(19, resize_graph()));
  const Handle<tesela_session> session = session_of(loaded.model.get());
  std::vector<std::string> events;
  tesela_run_options options = {};
  options.struct_size = sizeof options;
  options.threads = 1;
  options.on_node_context = &events;
  options.on_node = [](void* context, const tesela_node_event* event) {
    static_cast<std::vector<std::string>*>(context)->push_back(
        std::string(event->type) + "-" + std::to_string(event->since_version) + " " + event->node + " " +
        event->input_dtype + " " + event->dtype + " " + event->shapes);
    EXPECT_GE(event->milliseconds, 0);
  };
  Image image({1, 2}, 1, 2);
  const char* name = "x";
  const tesela_tensor view = image.view();
  tesela_value* output = nullptr;
  ASSERT_EQ(tesela_session_run(session.get(), 1, &name, &view, 1, nullptr, &output, &options, nullptr), TESELA_OK);
  Handle<tesela_value>{output};
  EXPECT_THAT(events, ElementsAre("Resize-19 up float float 1x1x1x2 -> 1x1x2x4"));
}

TEST(SessionApi, FailureLeavesOutputsUnchanged) {
  const Loaded loaded(model_of(19, resize_graph()));
  const Handle<tesela_session> session = session_of(loaded.model.get());
  tesela_value* const untouched = reinterpret_cast<tesela_value*>(0x10);
  tesela_value* output = untouched;
  tesela_error error = {};
  EXPECT_EQ(tesela_session_run(session.get(), 0, nullptr, nullptr, 1, nullptr, &output, nullptr, &error),
            TESELA_ERROR_COUNT);
  EXPECT_STREQ(error.message, "input 'x' (float 1x1xHxW) is missing");
  EXPECT_EQ(output, untouched);
}

TEST(SessionApi, InvalidArgumentsAreUsageErrors) {
  const Loaded loaded(model_of(19, resize_graph()));
  const Handle<tesela_session> session = session_of(loaded.model.get());
  Image image({1, 2}, 1, 2);
  const char* name = "x";
  const char* no_name = nullptr;
  tesela_tensor view = image.view();
  tesela_value* output = nullptr;
  const auto run = [&](size_t inputs, const char* const* names, const tesela_tensor* tensors, size_t outputs,
                       const char* const* output_names) {
    return tesela_session_run(session.get(), inputs, names, tensors, outputs, output_names, &output, nullptr, nullptr);
  };
  EXPECT_EQ(run(1, nullptr, &view, 1, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(run(1, &name, nullptr, 1, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(run(1, &no_name, &view, 1, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(run(1, &name, &view, 1, &no_name), TESELA_ERROR_USAGE);
  EXPECT_EQ(run(1, &name, &view, 2, nullptr), TESELA_ERROR_COUNT);
  EXPECT_EQ(run(1, &name, &view, 0, nullptr), TESELA_ERROR_COUNT);
  view.data = nullptr;
  EXPECT_EQ(run(1, &name, &view, 1, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_session_run(nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
            TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_session_create(nullptr, nullptr, nullptr, nullptr), TESELA_ERROR_USAGE);
}

TEST(SessionApi, LimitsDefaultToThoseOfTheModel) {
  tesela_limits limits = {};
  limits.struct_size = sizeof limits;
  limits.max_output_bytes = 16;
  tesela_load_options options = {};
  options.struct_size = sizeof options;
  options.limits = &limits;
  const Loaded loaded(model_of(19, resize_graph()), &options);
  if (loaded.status != TESELA_OK) GTEST_SKIP() << loaded.error.message;
  Image image({1, 2}, 1, 2);
  const char* name = "x";
  const tesela_tensor view = image.view();
  tesela_value* output = nullptr;
  const Handle<tesela_session> narrow = session_of(loaded.model.get());
  tesela_error error = {};
  EXPECT_EQ(tesela_session_run(narrow.get(), 1, &name, &view, 1, nullptr, &output, nullptr, &error),
            TESELA_ERROR_LIMIT);
  EXPECT_THAT(error.message,
              HasSubstr("Resize-19 node 'up': the output float 1x1x2x4 takes 32 bytes; the limit is 16"));
  limits.max_output_bytes = 32;
  tesela_session* wide = nullptr;
  ASSERT_EQ(tesela_session_create(loaded.model.get(), &limits, &wide, nullptr), TESELA_OK);
  const Handle<tesela_session> handle(wide);
  ASSERT_EQ(tesela_session_run(wide, 1, &name, &view, 1, nullptr, &output, nullptr, nullptr), TESELA_OK);
  Handle<tesela_value>{output};
}

}  // namespace
