// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include <gmock/gmock.h>

#include "session/session_runner.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- Strings

TEST(Session, OutputStringsOwnTheirBytes) {
  Model model = tile_model(DataType::kString);
  model.graph.nodes.push_back(node("Tile", {"y", "r"}, {"z"}));
  model.graph.outputs.push_back(undeclared("z"));
  Runner runner(std::move(model));
  std::vector<Tensor> kept;
  {
    const Tensor x = strings({"ab", ""});
    Result<std::vector<Tensor>> outputs = runner.run({{"x", x}, {"r", int64s({2})}});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    kept = std::move(*outputs);
  }
  EXPECT_THAT(texts(kept[0]), ElementsAre("ab", "", "ab", ""));
  EXPECT_EQ(kept[1].count(), 8);
  EXPECT_THAT(texts(kept[1]), testing::Contains("ab").Times(4));
}

TEST(Session, StringsCountWithTheirBytes) {
  Limits limits;
  limits.max_output_bytes = 1000;
  Runner runner(tile_model(DataType::kString), limits);
  const std::string text(100, 'a');
  EXPECT_TRUE(runner.run({{"x", strings({text})}, {"r", int64s({8})}}).ok());
  const Status status = runner.run({{"x", strings({text})}, {"r", int64s({9})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(),
              HasSubstr("output 'y': the output of shape 9 and its strings take more bytes than the limit of"));
}

// ---- Limits, types, cancellation

TEST(Session, NothingIsAllocatedOverTheLimit) {
  Runner runner(tile_model());
  const Status status = runner.run({{"x", floats({1, 2})}, {"r", int64s({int64_t{1} << 40})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("Tile-13 node 't': the output float 2199023255552 takes"));
}

// n -> ConstantOfShape -> a, and `outputs` more nodes
Model fills(int outputs) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {1})}, {});
  for (int k = 0; k < outputs; ++k) {
    const std::string name = "y" + std::to_string(k);
    model.graph.outputs.push_back(undeclared(name));
    model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {name}, {}, "fill" + std::to_string(k)));
  }
  return model;
}

Limits total_of(int64_t bytes) {
  Limits limits;
  limits.max_session_bytes = bytes;
  return limits;
}

TEST(SessionTotal, InputsAndOutputsCountTogether) {
  EXPECT_EQ(Limits().max_session_bytes, int64_t{5} << 30);
  EXPECT_TRUE(Runner(fills(2), total_of(8 + 2 * 40)).run({{"n", int64s({10})}}).ok());
  const Status status = Runner(fills(2), total_of(8 + 2 * 40 - 1)).run({{"n", int64s({10})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(
      status.message(),
      "ConstantOfShape-9 node 'fill1': 40 bytes more are needed, and the values of the session would then take more "
      "than 87 bytes");
  const Status input = Runner(fills(1), total_of(7)).run({{"n", int64s({10})}}).status();
  EXPECT_EQ(input.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(input.message(), HasSubstr("input 'n': 8 bytes more are needed"));
}

TEST(SessionTotal, ValuesWithoutReadersAreFreed) {
  Model model =
      model_of(19, {declared("x", DataType::kFloat, {"N"}), declared("r", DataType::kInt64, {1})}, {undeclared("z")});
  for (const auto& [from, to] : {std::pair("x", "a"), {"a", "b"}, {"b", "c"}, {"c", "z"}})
    model.graph.nodes.push_back(node("Tile", {from, "r"}, {to}, {}, to));
  // 4 and 8 bytes of the inputs, 8 of a, 16 of b and 32 of c; when z is computed, only c is still held.
  const std::vector<Given> given = {{"x", floats({1})}, {"r", int64s({2})}};
  Runner runner(std::move(model), total_of(12 + 32 + 64));
  for (int run = 0; run < 3; ++run) EXPECT_TRUE(runner.run(given).ok());
}

TEST(SessionTotal, ValuesBetweenNodesCount) {
  // 4 and 8 bytes of the inputs, 8 of a, 16 of b, 32 of z.
  const auto refused = [](int64_t bytes) {
    Model model =
        model_of(19, {declared("x", DataType::kFloat, {"N"}), declared("r", DataType::kInt64, {1})}, {undeclared("z")});
    for (const auto& [from, to] : {std::pair("x", "a"), {"a", "b"}, {"b", "z"}})
      model.graph.nodes.push_back(node("Tile", {from, "r"}, {to}, {}, to));
    return Runner(std::move(model), total_of(bytes)).run({{"x", floats({1})}, {"r", int64s({2})}}).status().message();
  };
  EXPECT_THAT(refused(12 + 7), HasSubstr("node 'a': 8 bytes more are needed"));
  EXPECT_THAT(refused(12 + 8 + 15), HasSubstr("node 'b': 16 bytes more are needed"));
  EXPECT_THAT(refused(12 + 16 + 31), HasSubstr("node 'z': 32 bytes more are needed"));
  EXPECT_EQ(refused(12 + 16 + 32), "");
}

TEST(SessionTotal, CopiedInputsMayHaveTheLimitOfOutputs) {
  const auto refused = [](int64_t max_output_bytes) {
    Limits limits;
    limits.max_output_bytes = max_output_bytes;
    Runner runner(model_of(19, {declared("x", DataType::kFloat, {"N"})}, {undeclared("x")}), limits);
    return runner.run({{"x", floats({1, 2})}}).status();
  };
  EXPECT_TRUE(refused(8).ok());
  EXPECT_EQ(refused(7).code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(refused(7).message(), HasSubstr("output 'x': the output float 2 takes 8 bytes"));
}

TEST(SessionTotal, ManyRepeatedStringsAreRefusedBeforeTheyAreCounted) {
  const Tensor one = strings({"a"});
  TensorView many = one.view();
  many.extents = {int64_t{1} << 58};
  many.strides_bytes = {0};
  Runner runner(model_of(19, {declared("x", DataType::kString, {"N"})}, {undeclared("x")}));
  const Status status = runner.run_views({{"x", many}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("output 'x': the output string 288230376151711744 takes"));
}

// x with other names
Model copies(DataType type, const std::vector<std::string>& names) {
  Model model = model_of(19, {declared("x", type, {"N"})}, {});
  for (const std::string& name : names) {
    model.graph.outputs.push_back(undeclared(name));
    model.graph.nodes.push_back(node("Identity", {"x"}, {name}));
  }
  return model;
}

TEST(SessionTotal, CountsCopiesOfInputsButNotRepeatedElements) {
  const float one = 1;
  const TensorView ones = {reinterpret_cast<const std::byte*>(&one), DataType::kFloat, {10}, {0}, 0};
  EXPECT_TRUE(Runner(copies(DataType::kFloat, {"y", "z"}), total_of(4 + 40 + 40)).run_views({{"x", ones}}).ok());
  const Status status =
      Runner(copies(DataType::kFloat, {"y", "z"}), total_of(4 + 40 + 39)).run_views({{"x", ones}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("output 'z': 40 bytes more"));
  const Tensor three = int64s({1, 2, 3});
  TensorView backwards = three.view();
  backwards.data += 16;
  backwards.strides_bytes = {-8};
  EXPECT_TRUE(Runner(copies(DataType::kInt64, {"y"}), total_of(24 + 24)).run_views({{"x", backwards}}).ok());
  EXPECT_FALSE(Runner(copies(DataType::kInt64, {"y"}), total_of(24 + 23)).run_views({{"x", backwards}}).ok());
  const TensorView two = {reinterpret_cast<const std::byte*>(&one), DataType::kFloat, {2}, {0}, 0};
  EXPECT_TRUE(Runner(copies(DataType::kFloat, {"y"}), total_of(4 + 8)).run_views({{"x", two}}).ok());
  EXPECT_FALSE(Runner(copies(DataType::kFloat, {"y"}), total_of(4 + 7)).run_views({{"x", two}}).ok());
}

TEST(SessionTotal, StringsCountWithTheirBytes) {
  const std::vector<Given> given = {{"x", strings({"abc", ""})}};
  EXPECT_TRUE(Runner(copies(DataType::kString, {"y"}), total_of(2 * (2 * 16 + 3))).run(given).ok());
  const Status status = Runner(copies(DataType::kString, {"y"}), total_of(2 * (2 * 16 + 3) - 1)).run(given).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
}

TEST(Session, RejectsShapeInputBeyondRankLimit) {
  Model model = model_of(19, {undeclared("n")}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}, {}, "c"));
  Runner runner(std::move(model));
  const Status status = runner.run({{"n", zeros(DataType::kInt64, {1 << 20})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(),
            "ConstantOfShape-9 node 'c': input 'input' has 1048576 entries; the limit of a rank is 64");
}

Model undeclared_tile() {
  Model model = model_of(19, {undeclared("x"), undeclared("r")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  return model;
}

TEST(Session, InputsMayHaveTheLimitOfRank) {
  const auto ran = [](int32_t max_rank) {
    Limits limits;
    limits.max_rank = max_rank;
    return Runner(undeclared_tile(), limits)
        .run({{"x", zeros(DataType::kFloat, {1, 1, 1})}, {"r", zeros(DataType::kInt64, {3})}})
        .status();
  };
  EXPECT_TRUE(ran(3).ok());
  EXPECT_EQ(ran(2).message(), "Tile-13 node 't': input 'input' has rank 3; the limit is 2");
}

TEST(Session, UnreadRoiMayHaveAnyExtent) {
  Model model = model_of(19, {undeclared("x"), undeclared("roi"), undeclared("scales")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Resize", {"x", "roi", "scales"}, {"y"}));
  Runner runner(std::move(model));
  const float two = 2;
  const TensorView scales = {reinterpret_cast<const std::byte*>(&two), DataType::kFloat, {1}, {1}, 0};
  const Tensor x = zeros(DataType::kFloat, {4}), roi = zeros(DataType::kFloat, {100});
  EXPECT_TRUE(runner.run_views({{"x", x.view()}, {"roi", roi.view()}, {"scales", scales}}).ok());
}

TEST(Session, ChecksUndeclaredTypesAtRun) {
  Runner runner(undeclared_tile());
  const Status status = runner.run({{"x", floats({1})}, {"r", strings({"2"})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_TYPE);
  EXPECT_EQ(runner.run({{"x", zeros(DataType::kFloat8e5m2, {1})}, {"r", int64s({1})}}).status().code(),
            TESELA_ERROR_TYPE);
}

TEST(Session, PackedConstantsMoveThroughReusedMemoryWithZeroPadding) {
  Model model = model_of(21, {declared("n", DataType::kInt64, {1})}, {undeclared("y")});
  const Tensor seven = tensor_of<uint8_t>(DataType::kInt4, {1}, {0x07});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}, {attribute("value", seven)}));
  Runner runner(std::move(model));
  const Tensor y = runner.output({{"n", int64s({3})}});
  EXPECT_EQ(y.bytes(), 2);
  EXPECT_EQ(static_cast<uint8_t>(y.data()[0]), 0x77);
  EXPECT_EQ(static_cast<uint8_t>(y.data()[1]), 0x07);
}

TEST(Session, CancelledRunStops) {
  Runner runner(resize_model());
  const int32_t cancel = 1;
  runner.options.cancel = &cancel;
  EXPECT_EQ(runner.run({{"x", image(1, 1)}}).status().code(), TESELA_ERROR_CANCELLED);
  EXPECT_TRUE(runner.events().empty());
}

TEST(Session, CancelledRunNamesTheNextNode) {
  Runner runner(resize_model());
  int32_t cancel = 0;
  runner.options.cancel = &cancel;
  EXPECT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  for (cancel = 1; cancel <= 2; ++cancel)
    EXPECT_EQ(runner.run({{"x", image(1, 1)}}).status().message(),
              "Resize-19 node 'up': the run was cancelled before this node");
}

TEST(Session, ProgressAdvancesPerNode) {
  Model model = resize_model();
  model.graph.nodes.push_back(node("Resize", {"y", "", "s"}, {"z"}));
  model.graph.outputs = {undeclared("z")};
  Runner runner(std::move(model));
  std::vector<double> seen;
  runner.options.on_progress = [&](double fraction) { seen.push_back(fraction); };
  ASSERT_TRUE(runner.run({{"x", image(1, 1)}}).ok());
  EXPECT_THAT(seen, ElementsAre(0.5, 1.0));
}

}  // namespace
}  // namespace tesela
