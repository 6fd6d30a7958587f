// SPDX-License-Identifier: Apache-2.0
// The C++20 interface: runs that call back, files, models and sessions.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "api/hpp_calls.h"
#include "files/temporary_folder.h"
#include "model/onnx_bytes.h"

namespace {

using tesela::Dim;
using tesela::Shape;
using tesela::testing::code_of;
using tesela::testing::kFour;
using tesela::testing::kPair;
using tesela::testing::linear;

struct Large {
  std::vector<float> x = std::vector<float>(200 * 200, 1.0f);
  std::vector<float> y = std::vector<float>(400 * 400);
  tesela::Plan plan = linear().plan({{x, {200, 200}}, {}, {}, std::vector<int64_t>{400, 400}});
  void run(const tesela::RunOptions& options) { plan.run({x, {200, 200}}, {y, {400, 400}}, options); }
};

TEST(TeselaHppRuns, ExecutorIsACallable) {
  Large large;
  std::atomic<int64_t> tasks = 0;
  const tesela::Executor host = {[&](int64_t count, const std::function<void(int64_t)>& task) {
                                   std::thread half([&] {
                                     for (int64_t i = 0; i < count; i += 2) task(i);
                                   });
                                   for (int64_t i = 1; i < count; i += 2) task(i);
                                   half.join();
                                   tasks += count;
                                 },
                                 2};
  large.run({.executor = &host});
  EXPECT_GT(tasks, 1);
  EXPECT_EQ(large.y, std::vector<float>(160000, 1.0f));
}

TEST(TeselaHppRuns, ExceptionsOfCallbacksPropagate) {
  Large large;
  const tesela::Executor broken = {
      [](int64_t, const std::function<void(int64_t)>&) { throw std::out_of_range("host"); }, 2};
  EXPECT_THROW(large.run({.executor = &broken}), std::out_of_range);
  EXPECT_THROW(large.run({.threads = 1, .on_progress = [](double) { throw std::length_error("progress"); }}),
               std::length_error);
  const tesela::Executor empty = {};
  EXPECT_EQ(code_of([&] { large.run({.executor = &empty}); }), TESELA_ERROR_USAGE);
}

TEST(TeselaHppRuns, CancelAndProgress) {
  Large large;
  double last = 0;
  large.run({.threads = 1, .on_progress = [&](double fraction) { last = fraction; }});
  EXPECT_EQ(last, 1);
  const std::atomic<int32_t> stop = 1;
  EXPECT_EQ(code_of([&] { large.run({.cancel = &stop}); }), TESELA_ERROR_CANCELLED);
  EXPECT_EQ(code_of([&] { large.run({.threads = -1}); }), TESELA_ERROR_USAGE);
}

TEST(TeselaHppRuns, ScratchAndReferenceBackend) {
  Large large;
  std::vector<std::byte> scratch(1 << 20);
  large.run({.threads = 1, .backend = TESELA_BACKEND_REFERENCE, .scratch = scratch});
  EXPECT_EQ(large.y.front(), 1);
}

TEST(TeselaHppFiles, TensorsGoToFilesAndBack) {
  const tesela::testing::TemporaryFolder folder;
  const std::string path = folder / "pair.npy";
  tesela::write({kPair, {2, 1}}, path);
  const tesela::Value read = tesela::Value::read(path);
  EXPECT_EQ(read.extents(), (Shape{2, 1}));
  EXPECT_EQ(tesela::to_doubles(read), (std::vector<double>{0, 4}));
  EXPECT_EQ(read.name(), "");
  EXPECT_EQ(code_of([&] { tesela::Value::read(folder / "none.npy"); }), TESELA_ERROR_IO);
  EXPECT_EQ(code_of([&] { tesela::Value::read(path, {.limits = tesela::Limits{.max_rank = 1}}); }), TESELA_ERROR_LIMIT);
}

TEST(TeselaHppFiles, TensorProtosCarryTheirName) {
  const tesela::Blob bytes = tesela::encode(kPair, {.format = TESELA_FILE_PB, .name = "x"});
  const tesela::Value read = tesela::Value::read_memory(std::as_bytes(std::span(bytes.view())));
  EXPECT_EQ(read.name(), "x");
  EXPECT_EQ(read.elements<float>()[1], 4);
  EXPECT_EQ(code_of([] { tesela::encode(kPair, {}); }), TESELA_ERROR_USAGE);
}

// x: float [N], repeats [2] -> Tile -> y, -> Tile -> z
std::string two_tiles() {
  using namespace tesela::testing;
  const int64_t two = 2;
  return model_pb(Pb().text(2, "g")
                      .message(1, node_pb("Tile", {"x", "r"}, {"y"}, {}, "first"))
                      .message(1, node_pb("Tile", {"y", "r"}, {"z"}, {}, "second"))
                      .message(5, raw_tensor_pb("r", TESELA_INT64, {1}, {reinterpret_cast<const char*>(&two), 8}))
                      .message(11, value_pb("x", TESELA_FLOAT, {-1}))
                      .message(12, value_pb("y", TESELA_FLOAT, {-1}))
                      .message(12, value_pb("z", TESELA_FLOAT, {-1})))
      .bytes;
}

TEST(TeselaHppModels, AreLoadedInspectedAndChecked) {
  const std::string bytes = two_tiles();
  const tesela::Model model(std::as_bytes(std::span(bytes)));
  EXPECT_EQ(model.input_names(), std::vector<std::string>{"x"});
  EXPECT_EQ(model.output_names(), (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(model.input_info(0).dtype, TESELA_FLOAT);
  EXPECT_EQ(*model.input_info(0).dims, std::vector<Dim>{"N"});
  EXPECT_EQ(model.check().faults, 0u);
  EXPECT_NE(model.fix().text.str().find("changed"), std::string::npos);
  EXPECT_NE(model.inspect().view().find("first"), std::string_view::npos);
  EXPECT_EQ(model.inspect(TESELA_TEXT_JSON).view().front(), '{');
  EXPECT_NE(code_of([&] { model.output_info(2); }), TESELA_OK);
}

TEST(TeselaHppModels, AreLoadedFromFiles) {
  const tesela::testing::TemporaryFolder folder;
  EXPECT_EQ(code_of([&] { tesela::Model(folder / "none.onnx"); }), TESELA_ERROR_IO);
  const std::string wrong = "\xff\xff\xff";
  EXPECT_NE(code_of([&] { tesela::Model{std::as_bytes(std::span(wrong))}; }), TESELA_OK);
  const std::string bytes = two_tiles();
  const tesela::Model model(std::as_bytes(std::span(bytes)), {.assume_opset = 1000});
  EXPECT_EQ(code_of([&] { tesela::Session{model}; }), TESELA_ERROR_UNSUPPORTED);
}

TEST(TeselaHppSessions, RunWithNamedInputsAndOutputs) {
  const std::string bytes = two_tiles();
  const tesela::Model model(std::as_bytes(std::span(bytes)));
  tesela::Session session(model);
  const std::vector<tesela::Value> all = session.run({{"x", kPair}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(tesela::to_doubles(all[0]), (std::vector<double>{0, 4, 0, 4}));
  EXPECT_EQ(all[1].extents(), Shape{8});
  const std::vector<tesela::Value> one = session.run({{"x", kFour}}, {"y"});  // another shape, one output
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].extents(), Shape{8});
  EXPECT_EQ(code_of([&] { session.run({{"w", kPair}}); }), TESELA_ERROR_VALUE);
  EXPECT_EQ(code_of([&] { session.run(std::initializer_list<tesela::Named>{}); }), TESELA_ERROR_COUNT);
}

TEST(TeselaHppSessions, EventsNameTheirNodesAndMayThrow) {
  const std::string bytes = two_tiles();
  const tesela::Model model(std::as_bytes(std::span(bytes)));
  tesela::Session session(model);
  std::vector<std::string> nodes;
  session.run({{"x", kPair}}, {}, {.on_node = [&](const tesela_node_event& event) { nodes.emplace_back(event.node); }});
  EXPECT_EQ(nodes, (std::vector<std::string>{"first", "second"}));
  EXPECT_THROW(
      session.run({{"x", kPair}}, {}, {.on_node = [](const tesela_node_event&) { throw std::range_error("event"); }}),
      std::range_error);
}

TEST(TeselaHppValues, MemoryOfDestroyedOnesIsTrimmed) {
  tesela::Value(TESELA_FLOAT, {1 << 20});
  EXPECT_EQ(tesela::trim_memory(uint64_t{4} << 20), uint64_t{4} << 20);
  EXPECT_EQ(tesela::trim_memory(), 0u);
}

}  // namespace
