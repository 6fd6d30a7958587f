// SPDX-License-Identifier: Apache-2.0
// Plans of nodes of models: which node is meant, and what is known about its inputs.
#include "graph/plan_node.h"

#include <gtest/gtest.h>

#include "graph/model_builder.h"

namespace tesela {
namespace {

using test::declared;

// y = Resize(x, scales) named "up", z = Tile(y, repeats) without a name.
Model two_nodes() {
  Model model;
  model.opsets[""] = 19;
  Graph& graph = model.graph;
  graph.inputs = {declared("x", DataType::kFloat, {"N", 4})};
  Initializer& scales = graph.initializers.emplace_back();
  scales.name = "scales";
  scales.value = test::floats({1, 2});
  Initializer& repeats = graph.initializers.emplace_back();
  repeats.name = "repeats";
  repeats.value = test::int64s({1, 3});
  Node& up = graph.nodes.emplace_back();
  up.type = "Resize";
  up.name = "up";
  up.inputs = {"x", "", "scales"};
  up.outputs = {"y"};
  Node& tile = graph.nodes.emplace_back();
  tile.type = "Tile";
  tile.inputs = {"y", "repeats"};
  tile.outputs = {"z"};
  return model;
}

Result<Plan> plan(const Model& model, std::string_view node, const GivenValues& given) {
  return plan_node(model, node, given, Limits());
}

const GivenValues kShape = {declared("x", DataType::kUndefined, {2, 4})};

TEST(PlanNode, ByNameAndPosition) {
  const Model model = two_nodes();
  EXPECT_EQ((*plan(model, "up", kShape)).out, (Extents{2, 8}));
  EXPECT_EQ((*plan(model, "#1", kShape)).out, (Extents{2, 8}));
  EXPECT_EQ((*plan(model, "#2", kShape)).out, (Extents{2, 24}));
}

TEST(PlanNode, NamesWhatIsWrong) {
  const Model model = two_nodes();
  const auto text = [&](std::string_view node, const GivenValues& given) {
    return std::string(plan(model, node, given).status().message());
  };
  EXPECT_NE(text("upp", kShape).find("did you mean 'up'?"), std::string::npos);
  EXPECT_NE(text("#3", kShape).find("#1 to #2"), std::string::npos);
  EXPECT_NE(text("", kShape).find("2 nodes"), std::string::npos);
  EXPECT_NE(text("up", {}).find("input 'X' has an unknown shape (input 'x': extents that are not numbers: N)"),
            std::string::npos);
  EXPECT_NE(text("up", {declared("q", DataType::kFloat, {1})}).find("no value 'q'"), std::string::npos);
  EXPECT_NE(text("up", {declared("x", DataType::kFloat, {2, 5})}).find("is declared as"), std::string::npos);
  EXPECT_EQ(plan(model, "up", {declared("x", DataType::kDouble, {2, 4})}).status().code(), TESELA_ERROR_TYPE);
}

TEST(PlanNode, ValuesOfInputs) {
  Model model = two_nodes();
  model.graph.initializers.pop_back();
  model.graph.inputs.push_back(declared("repeats", DataType::kInt64, {2}));
  EXPECT_EQ(plan(model, "#2", kShape).status().code(), TESELA_ERROR_VALUE);
  GivenValues given = kShape;
  ValueDeclaration& repeats = given.emplace_back(declared("repeats", DataType::kInt64, {2}));
  repeats.info.constant = test::int64s({2, 5});
  EXPECT_EQ((*plan(model, "#2", given)).out, (Extents{4, 40}));
}

TEST(PlanNode, ShapesWhereInferenceStops) {
  Model model = two_nodes();
  model.graph.nodes[0].domain = "elsewhere";
  EXPECT_EQ(plan(model, "", kShape).status().code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ((*plan(model, "", {declared("y", DataType::kFloat, {3, 5})})).out, (Extents{3, 15}));
  EXPECT_EQ(plan(model, "up", kShape).status().code(), TESELA_ERROR_UNSUPPORTED);
}

}  // namespace
}  // namespace tesela
