// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include <gmock/gmock.h>

#include <ctime>

#include "session/session_runner.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;

// ---- Memory

Model resize_chain(int nodes) {
  Model model =
      model_of(19, {declared("v0", DataType::kFloat, {1, 1, "H", "W"})}, {undeclared("v" + std::to_string(nodes))},
               {{"s", floats({1, 1, 1, 2}), {}}, {"t", floats({1, 1, 1, 0.5f}), {}}});
  for (int n = 0; n < nodes; ++n)
    model.graph.nodes.push_back(
        node("Resize", {"v" + std::to_string(n), "", n % 2 == 0 ? "s" : "t"}, {"v" + std::to_string(n + 1)}));
  return model;
}

TEST(SessionMemory, ChainUsesTwoBuffers) {
  Runner runner(resize_chain(20));
  const Tensor y = runner.output({{"v0", image(4, 8)}});
  EXPECT_EQ(values<float>(y), values<float>(image(4, 8)));
  // Alternating 1x1x4x16 and 1x1x4x8; the last one is the output, in separate memory.
  EXPECT_EQ(runner.session().peak_bytes(), 4 * 4 * 16 + 4 * 4 * 8);
}

TEST(SessionMemory, BuffersAreReusedAndShrinkWithTheRun) {
  Runner runner(resize_chain(6));
  ASSERT_TRUE(runner.run({{"v0", image(64, 64)}}).ok());
  const int64_t large = runner.session().peak_bytes();
  ASSERT_TRUE(runner.run({{"v0", image(64, 64)}}).ok());
  EXPECT_EQ(runner.session().peak_bytes(), large);
  for (int n = 0; n < 3; ++n) {
    const Tensor y = runner.output({{"v0", image(2, 2)}});
    EXPECT_EQ(values<float>(y), values<float>(image(2, 2)));
  }
}

TEST(SessionMemory, ValueLivesUntilItsLastReader) {
  // y = x twice; a long chain from x; then y again in the last node.
  Model model = resize_chain(8);
  model.graph.nodes.insert(model.graph.nodes.begin(), node("Resize", {"v0", "", "s"}, {"early"}));
  model.graph.nodes.push_back(node("Resize", {"early", "", "t"}, {"late"}));
  model.graph.outputs.push_back(undeclared("late"));
  Runner runner(std::move(model));
  const Result<std::vector<Tensor>> outputs = runner.run({{"v0", image(3, 4, 100)}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_EQ(values<float>((*outputs)[1]), values<float>(image(3, 4, 100)));
}

TEST(SessionMemory, NodeMayReadOneValueTwice) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {1})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"a"}, {attribute("value", int64s({2}))}));
  model.graph.nodes.push_back(node("Tile", {"a", "a"}, {"b"}));
  model.graph.nodes.push_back(node("Identity", {"b"}, {"c"}));
  model.graph.nodes.push_back(node("ConstantOfShape", {"c"}, {"y"}));
  Runner runner(std::move(model));
  EXPECT_EQ(runner.output({{"n", int64s({1})}}).extents(), (Extents{2, 2}));
}

TEST(SessionMemory, OnlyValuesBetweenNodesAreInThePool) {
  // The inputs are results too, so the first value that is computed comes right after them.
  const auto peak = [](int nodes) {
    Model model = model_of(19, {declared("v0", DataType::kFloat, {"N"}), declared("r", DataType::kInt64, {1})},
                           {undeclared("v0"), undeclared("r"), undeclared("v" + std::to_string(nodes))});
    for (int n = 0; n < nodes; ++n)
      model.graph.nodes.push_back(node("Tile", {"v" + std::to_string(n), "r"}, {"v" + std::to_string(n + 1)}));
    Runner runner(std::move(model));
    const Result<std::vector<Tensor>> outputs = runner.run({{"v0", floats({1, 2})}, {"r", int64s({1})}});
    EXPECT_TRUE(outputs.ok()) << outputs.status().message();
    return runner.session().peak_bytes();
  };
  EXPECT_EQ(peak(1), 0);
  EXPECT_EQ(peak(2), 8);
  EXPECT_EQ(peak(3), 16);
  EXPECT_EQ(peak(5), 16);  // the others are free again
}

// ---- Size of the graph

TEST(SessionSize, LongChainsAndStarsTakeLinearTime) {
  constexpr int kNodes = 100'000;
  Model chain =
      model_of(19, {declared("v0", DataType::kFloat, {1, 1, "H", "W"})}, {undeclared("v" + std::to_string(kNodes))});
  Model star = model_of(19, {declared("x", DataType::kFloat, {2})}, {}, {{"r", int64s({2}), {}}});
  for (int n = 0; n < kNodes; ++n) {
    const std::string to = "v" + std::to_string(n + 1);
    chain.graph.nodes.push_back(node("Identity", {"v" + std::to_string(n)}, {to}));
    star.graph.nodes.push_back(node("Tile", {"x", "r"}, {to}));
    star.graph.outputs.push_back(undeclared(to));
  }
  const std::clock_t begin = std::clock();
  Runner runner(std::move(chain));
  EXPECT_EQ(values<float>(runner.output({{"v0", image(1, 2)}})), values<float>(image(1, 2)));
  Runner wide(std::move(star));
  const Result<std::vector<Tensor>> outputs = wide.run({{"x", floats({1, 2})}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>(outputs->back()), ElementsAre(1, 2, 1, 2));
  // Processor time of this process; the bound is about the time of a quadratic walk with sanitizers.
  EXPECT_LT(std::clock() - begin, 40 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace tesela
