// SPDX-License-Identifier: Apache-2.0
// The C interface: sessions.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "api/model_calls.h"

namespace tesela::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SessionApi, RunsAndOutlivesItsModel) {
  Loaded loaded(resize_model(19));
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
  const Loaded loaded(resize_model(19));
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
  const Loaded loaded(resize_model(19));
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
  const Loaded loaded(resize_model(19));
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
  const Loaded loaded(resize_model(19), &options);
  ASSERT_EQ(loaded.status, TESELA_OK) << loaded.error.message;
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
}  // namespace tesela::testing
