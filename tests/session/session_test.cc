// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include <gmock/gmock.h>

#include <ctime>

#include "session/session_runner.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Session, RunsAResize) {
  Runner runner(resize_model());
  const Tensor y = runner.output({{"x", image(1, 2)}});
  EXPECT_EQ(y.extents(), (Extents{1, 1, 2, 4}));
  EXPECT_THAT(values<float>(y), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(runner.events(), ElementsAre("Resize-19 up float 1x1x1x2 -> 1x1x2x4"));
}

TEST(Session, EveryVersionOfResizeAndUpsampleRuns) {
  for (const int64_t opset : {9, 10, 13, 18, 19, 28}) {
    Runner runner(resize_model(opset));
    EXPECT_THAT(values<float>(runner.output({{"x", image(1, 2)}})), ElementsAre(0, 0, 1, 1, 0, 0, 1, 1)) << opset;
  }
}

TEST(Session, RunsAgainWithOtherShapes) {
  Runner runner(resize_model());
  EXPECT_EQ(runner.output({{"x", image(2, 2)}}).extents(), (Extents{1, 1, 4, 4}));
  EXPECT_EQ(runner.output({{"x", image(3, 1)}}).extents(), (Extents{1, 1, 6, 2}));
  EXPECT_EQ(runner.output({{"x", image(0, 1)}}).extents(), (Extents{1, 1, 0, 2}));
  EXPECT_EQ(runner.output({{"x", image(2, 2)}}).extents(), (Extents{1, 1, 4, 4}));
}

TEST(Session, PlansAreReusedUntilInputsChange) {
  Runner runner(tile_model());
  const auto plans = [&](const Tensor& x, std::vector<int64_t> repeats) {
    EXPECT_TRUE(runner.run({{"x", x}, {"r", int64s(std::move(repeats))}}).ok());
    return runner.session().plans_made();
  };
  EXPECT_EQ(plans(floats({1, 2}), {2}), 1);
  EXPECT_EQ(plans(floats({3, 4}), {2}), 0);
  EXPECT_EQ(plans(floats({3, 4}), {3}), 1);
  EXPECT_EQ(plans(floats({3, 4, 5}), {3}), 1);
  EXPECT_EQ(plans(floats({3, 4, 5}), {3}), 0);
}

TEST(Session, OtherTypesAndBackendsNeedNewPlans) {
  Model model = model_of(19, {undeclared("x"), declared("r", DataType::kInt64, {1})}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  Result<std::unique_ptr<Session>> session = Session::create(shared(std::move(model)), Limits());
  ASSERT_TRUE(session.ok());
  const Executor executor;
  const auto plans = [&](const Tensor& x, Backend backend) {
    const Tensor repeats = int64s({2});
    const NamedView given[] = {{"x", x.view()}, {"r", repeats.view()}};
    const Result<std::vector<Tensor>> outputs = (*session)->run({given, {}, {}, {}, backend}, executor);
    EXPECT_TRUE(outputs.ok() && outputs->front().type() == x.type());
    return (*session)->plans_made();
  };
  EXPECT_EQ(plans(floats({1, 2}), Backend::cpu), 1);
  EXPECT_EQ(plans(floats({1, 2}), Backend::reference), 1);
  EXPECT_EQ(plans(int64s({1, 2}), Backend::reference), 1);
  EXPECT_EQ(plans(int64s({3, 4}), Backend::reference), 0);
}

TEST(Session, RunSucceedsAfterFailedRun) {
  Runner runner(tile_model());
  EXPECT_TRUE(runner.run({{"x", floats({1})}, {"r", int64s({2})}}).ok());
  EXPECT_FALSE(runner.run({{"x", floats({1})}, {"r", int64s({-2})}}).ok());
  EXPECT_THAT(values<float>(runner.output({{"x", floats({1})}, {"r", int64s({2})}})), ElementsAre(1, 1));
}

TEST(Session, RunFailsAgainWithTheSameInputs) {
  Runner runner(tile_model());
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(runner.run({{"x", floats({1})}, {"r", int64s({-2})}}).status().code(), TESELA_ERROR_VALUE);
}

TEST(Session, EmptyGraphHasNoOutputs) {
  Runner runner(model_of(19, {}, {}));
  const Result<std::vector<Tensor>> outputs = runner.run({});
  ASSERT_TRUE(outputs.ok());
  EXPECT_TRUE(outputs->empty());
}

TEST(Session, OutputsThatAreInputsOrConstantsAreCopied) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {2})},
                         {undeclared("x"), undeclared("w"), undeclared("c")}, {{"w", floats({5}), {}}});
  model.graph.nodes.push_back(constant("k", floats({7})));
  model.graph.nodes.push_back(node("Identity", {"k"}, {"c"}));
  const Tensor weight = model.graph.initializers[0].value;
  Runner runner(std::move(model));
  const Tensor x = floats({1, 2});
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", x}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(1, 2));
  EXPECT_THAT(values<float>((*outputs)[1]), ElementsAre(5));
  EXPECT_THAT(values<float>((*outputs)[2]), ElementsAre(7));
  EXPECT_NE((*outputs)[0].data(), x.data());
  EXPECT_NE((*outputs)[1].data(), weight.data());
}

TEST(Session, OneValueUnderTwoNamesMakesTwoTensors) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Identity", {"y"}, {"z"}));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", image(1, 1, 4)}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(values<float>((*outputs)[1]), ElementsAre(4, 4, 4, 4));
  EXPECT_NE((*outputs)[0].data(), (*outputs)[1].data());
}

TEST(Session, SameOutputMayBeRequestedTwice) {
  Runner runner(resize_model());
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", image(1, 1, 4)}}, {{"y", "y"}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ(values<float>((*outputs)[0]), values<float>((*outputs)[1]));
}

TEST(Session, OutputsOfAnEarlierRunAreUntouchedByTheNext) {
  Runner runner(resize_model());
  const Tensor first = runner.output({{"x", image(1, 1, 4)}});
  const Tensor second = runner.output({{"x", image(1, 1, 9)}});
  EXPECT_THAT(values<float>(first), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(values<float>(second), ElementsAre(9, 9, 9, 9));
}

TEST(Session, UnusedNodesAreValidatedAndNotRun) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"dead"}, {}, "dead"));
  model.graph.initializers.push_back({"r", int64s({1, 1, 1, 1}), {}});
  Model bad = resize_model();
  bad.graph.nodes.push_back(node("Tile", {"x", "r"}, {"dead"}, {}, "dead"));
  bad.graph.initializers.push_back({"r", int64s({1}), {}});
  Runner runner(std::move(model));
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_EQ(runner.events().size(), 1u);
  EXPECT_THAT(refusal(std::move(bad)).message(), HasSubstr("Tile-13 node 'dead'"));
}

TEST(Session, RunsOnlyNodesNeededForOutputs) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Resize", {"y", "", "s"}, {"z"}, {}, "again"));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}, {{"y"}}).ok());
  EXPECT_EQ(runner.events().size(), 1u);
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_EQ(runner.events().size(), 2u);
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}, std::vector<std::string_view>()).ok());
  EXPECT_EQ(runner.events().size(), 0u);
}

TEST(Session, DefaultsMayBeOverridden) {
  Model model = tile_model();
  model.graph.initializers = {{"r", int64s({2}), {}}};
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"x", floats({1})}}).count(), 2);
  EXPECT_EQ(runner.output({{"x", floats({1})}, {"r", int64s({3})}}).count(), 3);
  EXPECT_EQ(runner.output({{"x", floats({1})}}).count(), 2);
}

TEST(Session, OnlyInputInitializersCanBeOverridden) {
  Runner runner(resize_model());
  const Status status = runner.run({{"x", image(1, 1)}, {"s", floats({1, 1, 3, 3})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
  EXPECT_EQ(status.message(), "'s' is not an input of the model; its inputs: 'x'");
}

TEST(Session, UsesSizesComputedInTheGraph) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {"K"})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"shape"}, {attribute("value", int64s({3}))}));
  model.graph.nodes.push_back(node("ConstantOfShape", {"shape"}, {"y"}));
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"n", int64s({2})}}).extents(), (Extents{3, 3}));
  EXPECT_EQ(runner.output({{"n", int64s({3})}}).extents(), (Extents{3, 3, 3}));
  EXPECT_EQ(runner.output({{"n", int64s({0})}}).extents(), Extents());
}

TEST(Session, TilesScalarWithEmptyRepeats) {
  Model model =
      model_of(19, {declared("x", DataType::kFloat, {}), declared("r", DataType::kInt64, {"R"})}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  Runner runner(std::move(model));
  const Tensor y = runner.output({{"x", tensor_of<float>(DataType::kFloat, {}, {7})}, {"r", int64s({})}});
  EXPECT_EQ(y.extents(), Extents());
  EXPECT_THAT(values<float>(y), ElementsAre(7));
}

TEST(Session, BackendsAndThreadsAreBitIdentical) {
  Model model = resize_model();
  model.graph.nodes[0].attributes.push_back(attribute("mode", "linear"));
  Result<std::unique_ptr<Session>> session = Session::create(shared(std::move(model)), Limits());
  ASSERT_TRUE(session.ok());
  const Tensor x = image(100, 123, 0.1f);
  const NamedView given = {"x", x.view()};
  std::vector<std::vector<float>> results;
  for (const Backend backend : {Backend::reference, Backend::cpu})
    for (const int threads : {1, 3}) {
      const Result<std::vector<Tensor>> outputs =
          (*session)->run({{&given, 1}, {}, {}, {}, backend}, Executor::on_threads(threads));
      ASSERT_TRUE(outputs.ok()) << outputs.status().message();
      results.push_back(values<float>(outputs->front()));
    }
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

TEST(Session, OutputsMayBeReadByOtherNodes) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Resize", {"y", "", "s"}, {"z"}));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", image(1, 1, 4)}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(4, 4, 4, 4));
  EXPECT_EQ((*outputs)[1].extents(), (Extents{1, 1, 4, 4}));
}

TEST(Session, EventsHaveTheTimeOfTheirNode) {
  Model model = resize_model();
  Result<std::unique_ptr<Session>> session = Session::create(shared(std::move(model)), Limits());
  ASSERT_TRUE(session.ok());
  const Tensor x = image(1, 1);
  const NamedView given = {"x", x.view()};
  double milliseconds = -1;
  const SessionRun run = {{&given, 1}, {}, {}, [&](const NodeEvent& event) { milliseconds = event.milliseconds; }};
  ASSERT_TRUE((*session)->run(run, Executor()).ok());
  EXPECT_GE(milliseconds, 0);
  EXPECT_LT(milliseconds, 60'000);
}

// ---- Models that cannot run

TEST(SessionCreate, NamesEveryForeignNode) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Relu", {"y"}, {"z"}, {}, "act"));
  model.graph.nodes.push_back(node("Shape", {"y"}, {"w"}, {}, "dims"));
  const Status status = refusal(std::move(model));
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(status.message(),
            "Relu node 'act', Shape node 'dims'; Tesela runs Resize, Upsample, Tile, ConstantOfShape, "
            "Constant and Identity");
}

TEST(SessionCreate, FailsWithFaultsFoundByCheck) {
  Model model = resize_model();
  model.graph.nodes[0].inputs[0] = "y";
  EXPECT_EQ(refusal(std::move(model)).code(), TESELA_ERROR_PARSE);
}

TEST(SessionCreate, RejectsHugeOpsetFast) {
  const std::clock_t begin = std::clock();
  EXPECT_EQ(refusal(resize_model(int64_t{1} << 40)).code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC / 10);
}

}  // namespace
}  // namespace tesela
