// SPDX-License-Identifier: Apache-2.0
#include "graph/propagate.h"

#include <gmock/gmock.h>

#include "graph/model_builder.h"
#include "graph/origins.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::HasSubstr;

GraphFacts facts_of(const Graph& graph, int64_t opset = 19) {
  PropagateOptions options;
  options.opset = opset;
  return propagate(graph, options);
}

const TensorInfo* info_of(const GraphFacts& facts, std::string_view name) {
  return facts.values[static_cast<size_t>(facts.index.find(name))].get();
}

std::string dims_of(const GraphFacts& facts, std::string_view name) {
  const TensorInfo* info = info_of(facts, name);
  return info ? dims_text(info->dims) : "nothing";
}

TEST(Propagate, ResizeKeepsSymbolsOfUnchangedAxes) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {"N", 3, 4, "W"})}, {undeclared("y")},
                         {{"s", floats({1, 1, 2, 2}), {}}});
  model.graph.nodes.push_back(node("Resize", {"x", "", "s"}, {"y"}));
  const GraphFacts facts = facts_of(model.graph);
  EXPECT_EQ(dims_of(facts, "y"), "Nx3x8x?");
  EXPECT_EQ(info_of(facts, "y")->type, DataType::kFloat);
  EXPECT_TRUE(facts.nodes[0].is_valid);
}

TEST(Propagate, ConstantsOfEveryFormAreKnown) {
  struct Row {
    Attribute attribute;
    DataType type;
    std::string dims;
  };
  const Row rows[] = {
      {attribute("value", int64s({2, 3})), DataType::kInt64, "2"},
      {attribute("value_int", int64_t{7}), DataType::kInt64, "scalar"},
      {attribute("value_ints", std::vector<int64_t>{2, 3}), DataType::kInt64, "2"},
      {attribute("value_float", 1.5f), DataType::kFloat, "scalar"},
      {{"value_floats", AttributeKind::kFloats, std::vector<float>{1, 2, 3}}, DataType::kFloat, "3"},
      {attribute("value_string", "a"), DataType::kString, "scalar"},
      {{"value_strings", AttributeKind::kStrings, std::vector<std::string>{"a", "bc"}}, DataType::kString, "2"},
  };
  for (const Row& row : rows) {
    Graph graph;
    graph.nodes.push_back(node("Constant", {}, {"c"}, {row.attribute}));
    const GraphFacts facts = facts_of(graph);
    ASSERT_TRUE(facts.nodes[0].faults.empty()) << facts.nodes[0].faults[0].message();
    ASSERT_TRUE(info_of(facts, "c")->constant) << row.attribute.name;
    EXPECT_EQ(info_of(facts, "c")->type, row.type) << row.attribute.name;
    EXPECT_EQ(dims_of(facts, "c"), row.dims) << row.attribute.name;
  }
}

TEST(Propagate, InvalidConstantsAreFaults) {
  struct Row {
    std::vector<Attribute> attributes;
    int64_t opset;
    tesela_status code;
    std::string text;
  };
  const Row rows[] = {
      {{}, 19, TESELA_ERROR_COUNT, "has 0 attributes"},
      {{attribute("value_int", int64_t{1}), attribute("value_float", 1.0f)},
       19,
       TESELA_ERROR_COUNT,
       "has 2 attributes"},
      {{attribute("value_int", int64_t{1})}, 11, TESELA_ERROR_ATTRIBUTE, "unknown in opset 11"},
      {{attribute("valeu", int64_t{1})}, 19, TESELA_ERROR_ATTRIBUTE, "'valeu' is unknown"},
      {{attribute("value_int", 1.0f)}, 19, TESELA_ERROR_TYPE, "has type FLOAT; expected INT"},
      {{{"sparse_value", AttributeKind::kSparseTensor, {}}}, 19, TESELA_ERROR_UNSUPPORTED, "sparse"},
  };
  for (const Row& row : rows) {
    Graph graph;
    graph.nodes.push_back(node("Constant", {}, {"c"}, row.attributes, "k"));
    const GraphFacts facts = facts_of(graph, row.opset);
    ASSERT_EQ(facts.nodes[0].faults.size(), 1u) << row.text;
    EXPECT_EQ(facts.nodes[0].faults[0].code(), row.code);
    EXPECT_THAT(facts.nodes[0].faults[0].message(), HasSubstr("Constant node 'k': "));
    EXPECT_THAT(facts.nodes[0].faults[0].message(), HasSubstr(row.text));
  }
}

TEST(Propagate, ShapeIntoConstantOfShapeKeepsSymbols) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {"N", 3, "H", "W"})};
  graph.nodes.push_back(node("Shape", {"x"}, {"s"}));
  graph.nodes.push_back(node("ConstantOfShape", {"s"}, {"y"}));
  EXPECT_EQ(dims_of(facts_of(graph), "y"), "Nx3xHxW");
}

TEST(Propagate, ShapeTakesStartAndEnd) {
  struct Row {
    int64_t start, end;
    std::string dims;
  };
  const Row rows[] = {{1, 3, "3xH"},
                      {-2, 99, "HxW"},
                      {-99, -1, "Nx3xH"},
                      {3, 1, "scalar"},
                      {0, 0, "scalar"},
                      {4, 9, "scalar"},
                      {INT64_MIN, INT64_MAX, "Nx3xHxW"}};
  for (const Row& row : rows) {
    Graph graph;
    graph.inputs = {declared("x", DataType::kFloat, {"N", 3, "H", "W"})};
    graph.nodes.push_back(node("Shape", {"x"}, {"s"}, {attribute("start", row.start), attribute("end", row.end)}));
    graph.nodes.push_back(node("ConstantOfShape", {"s"}, {"y"}));
    EXPECT_EQ(dims_of(facts_of(graph), "y"), row.dims) << row.start << " to " << row.end;
  }
}

TEST(Propagate, ShapeOfKnownExtentsIsAConstant) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.nodes.push_back(node("Shape", {"x"}, {"s"}));
  const GraphFacts facts = facts_of(graph);
  ASSERT_TRUE(info_of(facts, "s")->constant);
  EXPECT_EQ(info_of(facts, "s")->constant->as<int64_t>()[1], 3);
}

TEST(Propagate, UnknownOperatorsUseValueInfo) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.values = {declared("b", DataType::kFloat16, {5, "K"})};
  graph.nodes.push_back(node("Frobnicate", {"x"}, {"a", "b"}));
  const GraphFacts facts = facts_of(graph);
  EXPECT_EQ(info_of(facts, "a"), nullptr);
  EXPECT_EQ(dims_of(facts, "b"), "5xK");
  EXPECT_TRUE(facts.nodes[0].faults.empty());
}

TEST(Propagate, ShapesPassThroughForeignOperators) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {"N", 3, "H", 4})};
  graph.initializers = {{"i", int64s({2, 3}), {}}, {"two", int64s({2}), {}}};
  graph.nodes.push_back(node("Relu", {"x"}, {"r"}));
  graph.nodes.push_back(node("Shape", {"r"}, {"s"}));
  graph.nodes.push_back(node("Gather", {"s", "i"}, {"hw"}));
  graph.nodes.push_back(node("Mul", {"hw", "two"}, {"twice"}));
  graph.nodes.push_back(node("ConstantOfShape", {"twice"}, {"y"}));
  EXPECT_EQ(dims_of(facts_of(graph), "y"), "?x8");
}

TEST(Propagate, RulesDoNotApplyToFunctionsAndOtherDomains) {
  const FunctionNames functions = {{"", "Relu"}};
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.nodes.push_back(node("Relu", {"x"}, {"a"}));
  graph.nodes.push_back(node("Tanh", {"x"}, {"b"}));
  graph.nodes[1].domain = "local";
  PropagateOptions options;
  options.opset = 19;
  options.functions = &functions;
  const GraphFacts facts = propagate(graph, options);
  EXPECT_EQ(dims_of(facts, "a"), "nothing");
  EXPECT_EQ(dims_of(facts, "b"), "nothing");
}

TEST(Propagate, ValueInfoOverridesRulesForForeignNodes) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.values = {declared("y", DataType::kFloat, {5, "K"})};
  graph.nodes.push_back(node("Relu", {"x"}, {"y"}));
  const GraphFacts facts = facts_of(graph);
  EXPECT_TRUE(facts.nodes[0].faults.empty());
  EXPECT_EQ(dims_of(facts, "y"), "5xK");
}

TEST(Propagate, StopsInferringShapesAtMemoryLimit) {
  constexpr size_t kNodes = 200'000;
  Graph graph;
  graph.inputs = {declared("v0", DataType::kFloat, test::Dims(64, DimSpec("N")))};
  for (size_t n = 0; n < kNodes; ++n)
    graph.nodes.push_back(node("Transpose", {"v" + std::to_string(n)}, {"v" + std::to_string(n + 1)}));
  const GraphFacts facts = facts_of(graph);
  EXPECT_NE(info_of(facts, "v1000"), nullptr);
  EXPECT_EQ(info_of(facts, "v" + std::to_string(kNodes)), nullptr);
  const ValueId last = facts.index.find("v" + std::to_string(kNodes));
  EXPECT_NE(facts.origins[static_cast<size_t>(last)].shape, kNoValue);
}

TEST(Propagate, OriginsAreTheFirstUnknownValues) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {1, "H"}), declared("s", DataType::kInt64, {2})};
  graph.nodes.push_back(node("Frobnicate", {"x"}, {"f"}));
  graph.nodes.push_back(node("Relu", {"f"}, {"g"}));
  graph.nodes.push_back(node("Tile", {"g", "s"}, {"y"}));
  graph.nodes.push_back(node("Shape", {"x"}, {"n"}));
  graph.nodes.push_back(node("ConstantOfShape", {"n"}, {"z"}));
  const GraphFacts facts = facts_of(graph);
  const auto names = [&](size_t n) {
    std::string text;
    for (const ValueId value : origins_of_output(facts, n)) text += std::string(facts.index.name(value)) + " ";
    return text;
  };
  EXPECT_EQ(names(2), "f s ");
  EXPECT_EQ(names(4), "x ");
  EXPECT_EQ(origin_text(facts, facts.index.find("f")).what, "Frobnicate node that makes 'f'");
  EXPECT_EQ(origin_text(facts, facts.index.find("x")).why, "extents that are not numbers: H");
}

TEST(Propagate, InputsOfUnknownTypeAreNotMissing) {
  Graph graph;
  graph.inputs = {undeclared("x"), undeclared("r")};
  graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  const GraphFacts facts = facts_of(graph);
  EXPECT_TRUE(facts.nodes[0].faults.empty());
  EXPECT_EQ(dims_of(facts, "y"), "unknown");
}

TEST(Propagate, DeclarationsFillUnknownDims) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3}), declared("r", DataType::kInt64, {2})};
  graph.values = {declared("y", DataType::kFloat, {"A", 9})};
  graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  EXPECT_EQ(dims_of(facts_of(graph), "y"), "Ax9");
}

TEST(Propagate, DeclaredExtentsReplaceSymbols) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {"N"})}, {declared("y", DataType::kFloat, {4})},
                         {{"r", int64s({1}), {}}});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  EXPECT_EQ(dims_of(facts_of(model.graph), "y"), "4");
}

TEST(Propagate, ContradictingDeclarationsAreFaults) {
  struct Row {
    ValueDeclaration declaration;
    tesela_status code;
  };
  Row rows[] = {{declared("y", DataType::kFloat, {4, 4}), TESELA_ERROR_SHAPE},
                {declared("y", DataType::kFloat, {4}), TESELA_ERROR_SHAPE},
                {declared("y", DataType::kDouble, {4, 3}), TESELA_ERROR_TYPE}};
  for (Row& row : rows) {
    Graph graph;
    graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
    graph.initializers = {{"r", int64s({2, 1}), {}}};
    graph.values = {row.declaration};
    graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
    const GraphFacts facts = facts_of(graph);
    ASSERT_EQ(facts.nodes[0].faults.size(), 1u);
    EXPECT_EQ(facts.nodes[0].faults[0].code(), row.code);
    EXPECT_THAT(facts.nodes[0].faults[0].message(), HasSubstr("Tile-13 node 't': output 'y' is declared as "));
    EXPECT_THAT(facts.nodes[0].faults[0].message(), HasSubstr("float 4x3"));
  }
}

TEST(Propagate, DefaultsCountAsValues) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3}), declared("r", DataType::kInt64, {2})};
  graph.initializers = {{"r", int64s({2, 1}), {}}};
  graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  EXPECT_EQ(dims_of(facts_of(graph), "y"), "4x3");
}

TEST(Propagate, IdentityPassesConstantsOn) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.nodes.push_back(constant("r", int64s({2, 1})));
  graph.nodes.push_back(node("Identity", {"r"}, {"r2"}));
  graph.nodes.push_back(node("Tile", {"x", "r2"}, {"y"}));
  const GraphFacts facts = facts_of(graph);
  EXPECT_EQ(dims_of(facts, "y"), "4x3");
  EXPECT_EQ(info_of(facts, "r"), info_of(facts, "r2"));
}

TEST(Propagate, RejectsHugeShapeOfManyNodes) {
  Graph graph;
  graph.initializers = {{"s", tensor_of<int64_t>(DataType::kInt64, {1 << 20}, {}), {}}};
  for (int n = 0; n < 20'000; ++n) graph.nodes.push_back(node("ConstantOfShape", {"s"}, {"y" + std::to_string(n)}));
  const GraphFacts facts = facts_of(graph);
  ASSERT_EQ(facts.nodes[0].faults.size(), 1u);
  EXPECT_EQ(facts.nodes[0].faults[0].code(), TESELA_ERROR_LIMIT);
}

TEST(Propagate, LocalFunctionOverridesOperator) {
  Graph graph;
  graph.nodes.push_back(node("Tile", {}, {"y"}));
  PropagateOptions options;
  options.opset = 19;
  const FunctionNames functions = {{"", "Tile"}};
  options.functions = &functions;
  EXPECT_EQ(propagate(graph, options).nodes[0].kind, NodeKind::kForeign);
}

}  // namespace
}  // namespace tesela
