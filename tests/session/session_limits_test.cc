#include "session/session.h"

#include <gmock/gmock.h>

#include "session/session_runner.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- Strings

TEST(Session, StringsOwnTheirBytesAtTheEnd) {
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
  EXPECT_THAT(status.message(), HasSubstr("output 'y': the output string 9 with its bytes"));
}

// ---- Limits, types, cancelling

TEST(Session, NothingIsAllocatedOverTheLimit) {
  Runner runner(tile_model());
  const Status status = runner.run({{"x", floats({1, 2})}, {"r", int64s({int64_t{1} << 40})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_THAT(status.message(), HasSubstr("Tile-13 node 't': the output float 2199023255552 takes"));
}

TEST(Session, AGiantShapeIsOverTheLimitOfRanks) {
  Model model = model_of(19, {undeclared("n")}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}, {}, "c"));
  Runner runner(std::move(model));
  const Status status = runner.run({{"n", zeros(DataType::kInt64, {1 << 20})}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(),
            "ConstantOfShape-9 node 'c': input 'input' has 1048576 entries; the limit of a rank is 64");
}

TEST(Session, TypesThatTheModelLeavesOpenAreCheckedWhenKnown) {
  Model model = model_of(19, {undeclared("x"), undeclared("r")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  Runner runner(std::move(model));
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

TEST(Session, ACancelledRunStops) {
  Runner runner(resize_model());
  const int32_t cancel = 1;
  runner.options.cancel = &cancel;
  EXPECT_EQ(runner.run({{"x", image(1, 1)}}).status().code(), TESELA_ERROR_CANCELLED);
  EXPECT_TRUE(runner.events().empty());
}

TEST(Session, ProgressGoesFromNodeToNode) {
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
