// SPDX-License-Identifier: Apache-2.0
#include "session/bind_inputs.h"

#include <gmock/gmock.h>

#include "session/session_runner.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::ElementsAre;

// ---- Binding

struct BindRow {
  std::string name;
  std::vector<Given> inputs;
  tesela_status code;
  std::string text;
};
void PrintTo(const BindRow& row, std::ostream* out) {
  *out << row.name;
}

class SessionBinding : public testing::TestWithParam<BindRow> {};

TEST_P(SessionBinding, IsRefused) {
  Model model = model_of(19, {declared("a", DataType::kFloat, {"N", 3}), declared("b", DataType::kFloat, {2, "N"})},
                         {undeclared("a"), undeclared("b")});
  Runner runner(std::move(model));
  const Status status = runner.run(GetParam().inputs).status();
  EXPECT_EQ(status.code(), GetParam().code);
  EXPECT_EQ(status.message(), GetParam().text);
}

const BindRow kBindRows[] = {
    {"UnknownName",
     {{"q", zeros(DataType::kFloat, {1})}},
     TESELA_ERROR_VALUE,
     "'q' is not an input of the model; its inputs: 'a', 'b'"},
    {"GivenTwice",
     {{"a", zeros(DataType::kFloat, {2, 3})}, {"a", zeros(DataType::kFloat, {2, 3})}},
     TESELA_ERROR_VALUE,
     "input 'a' is given twice"},
    {"Missing", {{"a", zeros(DataType::kFloat, {2, 3})}}, TESELA_ERROR_COUNT, "input 'b' (float 2xN) is missing"},
    {"Type",
     {{"a", zeros(DataType::kInt8, {2, 3})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_TYPE,
     "input 'a' is int8 2x3; the model declares float Nx3"},
    {"Rank",
     {{"a", zeros(DataType::kFloat, {3})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_RANK,
     "input 'a' is float 3; the model declares float Nx3"},
    {"Extent",
     {{"a", zeros(DataType::kFloat, {2, 4})}, {"b", zeros(DataType::kFloat, {2, 2})}},
     TESELA_ERROR_SHAPE,
     "input 'a' is float 2x4; the model declares float Nx3"},
    {"FirstExtent",
     {{"a", zeros(DataType::kFloat, {2, 3})}, {"b", zeros(DataType::kFloat, {3, 2})}},
     TESELA_ERROR_SHAPE,
     "input 'b' is float 3x2; the model declares float 2xN"},
    {"Symbol",
     {{"a", zeros(DataType::kFloat, {5, 3})}, {"b", zeros(DataType::kFloat, {2, 4})}},
     TESELA_ERROR_SHAPE,
     "input 'b': axis 1, declared as 'N', has extent 4; expected 5, as on axis 0 of input 'a'"},
};

INSTANTIATE_TEST_SUITE_P(Rows, SessionBinding, testing::ValuesIn(kBindRows),
                         [](const testing::TestParamInfo<BindRow>& row) { return row.param.name; });

TEST(SessionBinding, FiveNamesAreShown) {
  const auto message = [](int count) {
    Model model = model_of(19, {}, {});
    for (int k = 0; k < count; ++k) model.graph.inputs.push_back(undeclared("x" + std::to_string(k)));
    return Runner(std::move(model)).run({{"q", floats({1})}}).status().message();
  };
  EXPECT_EQ(message(0), "'q' is not an input of the model; its inputs: none");
  EXPECT_EQ(message(5), "'q' is not an input of the model; its inputs: 'x0', 'x1', 'x2', 'x3', 'x4'");
  EXPECT_EQ(message(7), "'q' is not an input of the model; its inputs: 'x0', 'x1', 'x2', 'x3', 'x4' and 2 more");
}

TEST(SessionBinding, ASymbolMayOccurTwice) {
  Runner runner(model_of(19, {declared("a", DataType::kFloat, {"N", "N"}), declared("b", DataType::kFloat, {"N"})},
                         {undeclared("a")}));
  EXPECT_TRUE(runner.run({{"a", zeros(DataType::kFloat, {2, 2})}, {"b", zeros(DataType::kFloat, {2})}}).status().ok());
}

TEST(SessionBinding, UnknownExtentsMayDiffer) {
  Runner runner(model_of(19, {declared("x", DataType::kFloat, {"?", "?", 4})}, {undeclared("x")}));
  EXPECT_TRUE(runner.run({{"x", zeros(DataType::kFloat, {2, 3, 4})}}).ok());
  EXPECT_EQ(runner.run({{"x", zeros(DataType::kFloat, {2, 3, 5})}}).status().code(), TESELA_ERROR_SHAPE);
}

TEST(SessionBinding, BoundsAreInclusive) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {"?"})}, {undeclared("x")});
  model.graph.inputs[0].bounds = {{0, 2, 3}};
  Runner runner(std::move(model));
  for (const int64_t extent : {2, 3}) EXPECT_TRUE(runner.run({{"x", zeros(DataType::kFloat, {extent})}}).ok());
  for (const int64_t extent : {1, 4}) {
    const Status status = runner.run({{"x", zeros(DataType::kFloat, {extent})}}).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_SHAPE);
    EXPECT_EQ(status.message(), fmt::format("input 'x' is float {}; the model declares 2 to 3 for axis 0", extent));
  }
}

TEST(SessionBinding, UnknownOutputsAreRefused) {
  Runner runner(resize_model());
  const Status status = runner.run({{"x", image(1, 1)}}, {{"q"}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
  EXPECT_EQ(status.message(), "'q' is not an output of the model");
  EXPECT_EQ(runner.run({{"x", image(1, 1)}}, {{"s"}}).status().code(), TESELA_ERROR_VALUE);
}

TEST(Session, RejectsOutputsThatDifferFromDeclaration) {
  Model model = resize_model();
  model.graph.outputs[0] = declared("y", DataType::kFloat, {1, 1, 4, "?"});
  Runner runner(std::move(model));
  EXPECT_TRUE(runner.run({{"x", image(2, 2)}}).ok());
  const Status status = runner.run({{"x", image(3, 2)}}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(status.message(), "Resize-19 node 'up': output 'y' is float 1x1x6x4; the model declares float 1x1x4x?");
}

// ---- Views

TEST(Session, InputsMayBeStridedViews) {
  Runner runner(resize_model());
  const Tensor pixels = image(2, 2);
  TensorView transposed = pixels.view();
  transposed.strides_bytes = {16, 16, 4, 8};
  const Result<std::vector<Tensor>> outputs = runner.run_views({{"x", transposed}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_THAT(values<float>((*outputs)[0]), ElementsAre(0, 0, 2, 2, 0, 0, 2, 2, 1, 1, 3, 3, 1, 1, 3, 3));
}

TEST(Session, ControlInputsMayBeStridedViews) {
  Model model = model_of(19, {declared("n", DataType::kInt64, {2})}, {undeclared("y")});
  model.graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"y"}));
  Runner runner(std::move(model));
  const Tensor numbers = int64s({2, 99, 3});
  TensorView backwards = numbers.view();
  backwards.data += 16;
  backwards.extents = {2};
  backwards.strides_bytes = {-16};
  for (int again = 0; again < 2; ++again) {
    const Result<std::vector<Tensor>> outputs = runner.run_views({{"n", backwards}});
    ASSERT_TRUE(outputs.ok()) << outputs.status().message();
    EXPECT_EQ((*outputs)[0].extents(), (Extents{3, 2}));
    EXPECT_EQ(runner.session().plans_made(), again == 0 ? 1 : 0);
  }
  TensorView first = numbers.view();
  first.extents = {2};
  first.strides_bytes = {0};
  const Result<std::vector<Tensor>> outputs = runner.run_views({{"n", first}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_EQ((*outputs)[0].extents(), (Extents{2, 2}));
}

TEST(Session, StridedInputsAsOutputsAreDense) {
  Runner runner(model_of(19, {undeclared("x")}, {undeclared("x")}));
  const Tensor numbers = int64s({1, 2, 3});
  TensorView backwards = numbers.view();
  backwards.data += 16;
  backwards.strides_bytes = {-8};
  const Result<std::vector<Tensor>> outputs = runner.run_views({{"x", backwards}});
  ASSERT_TRUE(outputs.ok());
  EXPECT_THAT(values<int64_t>((*outputs)[0]), ElementsAre(3, 2, 1));
}

}  // namespace
}  // namespace tesela
