// SPDX-License-Identifier: Apache-2.0
#include "graph/check.h"

#include <gmock/gmock.h>

#include <ctime>

#include "graph/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::HasSubstr;

Subgraph subgraph(std::string attribute, Graph graph) {
  return {std::move(attribute), std::make_unique<Graph>(std::move(graph))};
}

TEST(Check, ValidModelHasNoFaults) {
  const CheckReport report = check_model(constant_tile_model(), Limits());
  EXPECT_EQ(report.faults, 0u);
  EXPECT_EQ(report.notes, 0u);
  EXPECT_EQ(check_plain(report), "no faults, no notes\n");
}

TEST(Check, ReportsEveryFault) {
  Model model = constant_tile_model({2, 1, 1});
  model.ir_version = 0;
  model.graph.outputs.push_back(undeclared("q"));
  model.graph.nodes.push_back(node("Resize", {"nowhere"}, {"z"}, {attribute("mode", "zz")}, "e"));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 5u) << check_plain(report);
}

TEST(Check, ReportsCycleOnce) {
  Model model = model_of(19, {}, {undeclared("v0")});
  for (int n = 0; n < 1000; ++n)
    model.graph.nodes.push_back(node("Identity", {"v" + std::to_string((n + 1) % 1000)}, {"v" + std::to_string(n)}));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 1u);
  EXPECT_THAT(report.findings[0].text, HasSubstr("a cycle: Identity node that makes 'v0'"));
  EXPECT_THAT(report.findings[0].text, HasSubstr("and 997 more"));
}

TEST(Check, ReportsNotes) {
  Model model = constant_tile_model();
  model.graph.nodes.push_back(
      node("ConstantOfShape", {"r"}, {"c"}, {attribute("value", tensor_of<float>(DataType::kFloat, {}, {1}))}, "c"));
  model.graph.initializers.push_back({"s", floats({1, 2}), {}});
  model.graph.nodes.push_back(node("Resize", {"x", "", "s"}, {"z"}, {attribute("cubic_coeff_a", -0.5f)}, "c"));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 0u) << check_plain(report);
  EXPECT_EQ(report.notes, 3u);
  const std::string text = check_plain(report);
  EXPECT_THAT(text, HasSubstr("note: 'c' names more than one node"));
  EXPECT_THAT(text, HasSubstr("note: ConstantOfShape-9 node 'c': attribute 'value' has rank 0; ONNX requires rank 1"));
  EXPECT_THAT(text, HasSubstr("attribute 'cubic_coeff_a' has no effect outside mode cubic"));
}

TEST(Check, ExceededLimitIsANote) {
  const Model model = constant_tile_model({int64_t{1} << 31, 1});
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 0u);
  ASSERT_EQ(report.notes, 1u);
  EXPECT_EQ(report.findings[0].code, TESELA_ERROR_LIMIT);
  EXPECT_THAT(report.findings[0].text, HasSubstr("Tile-13 node 't': the output float 4294967296x3 takes"));
}

TEST(Check, ForeignOperatorsHaveNoFaults) {
  Model model = model_of(19, {undeclared("x")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Softmax", {"x"}, {"y"}, {attribute("zz", "zz")}));
  EXPECT_EQ(check_model(model, Limits()).faults, 0u);
}

TEST(Check, ChecksSubgraphs) {
  Model model =
      model_of(19, {declared("c", DataType::kBool, {}), declared("x", DataType::kFloat, {2, 3})}, {undeclared("y")});
  Node branches = node("If", {"c"}, {"y"}, {}, "choose");
  Graph good = tile_graph({2, 1});
  good.inputs.clear();  // x is from the outer graph
  Graph bad = tile_graph({2, 1, 1});
  bad.inputs.clear();
  bad.nodes.push_back(node("Tile", {"later", "r"}, {"z"}, {}, "u"));
  branches.subgraphs.push_back(subgraph("then_branch", std::move(good)));
  branches.subgraphs.push_back(subgraph("else_branch", std::move(bad)));
  model.graph.nodes.push_back(std::move(branches));
  model.graph.nodes.push_back(node("Identity", {"x"}, {"later"}));
  const CheckReport report = check_model(model, Limits());
  ASSERT_EQ(report.faults, 3u) << check_plain(report);
  const std::string text = check_plain(report);
  EXPECT_THAT(text, HasSubstr("If node 'choose' else_branch: Tile-13 node 't': input 'repeats' has length 3"));
  EXPECT_THAT(text, HasSubstr("If node 'choose' else_branch: Tile node 'u': input 'later' is computed later"));
}

TEST(Check, ChecksFunctionsWithTheirOwnImports) {
  Model model = constant_tile_model();
  LocalFunction function;
  function.domain = "local";
  function.name = "twice";
  function.opsets[""] = 11;
  function.body.inputs = {undeclared("x"), undeclared("s")};
  function.body.outputs = {undeclared("y")};
  function.body.nodes.push_back(node("Resize", {"x", "", "s"}, {"y"}, {{"mode", AttributeKind::kString, {}}}, "ref"));
  function.body.nodes.push_back(node("Upsample", {"x", "s"}, {"z"}, {}, "old"));
  model.functions.push_back(std::move(function));
  const CheckReport report = check_model(model, Limits());
  ASSERT_EQ(report.faults, 1u) << check_plain(report);
  EXPECT_THAT(report.findings[0].text, HasSubstr("function 'local.twice': node 'old': Upsample: deprecated"));
}

TEST(Check, ChainOf3000FunctionsIsNotRecursive) {
  Model model = constant_tile_model();
  model.opsets["local"] = 1;
  for (int n = 0; n < 3000; ++n) {
    LocalFunction function;
    function.domain = "local";
    function.name = "f" + std::to_string(n);
    function.opsets["local"] = 1;
    function.body.inputs = {undeclared("x")};
    function.body.outputs = {undeclared("y")};
    Node call = node("f" + std::to_string(n + 1), {"x"}, {"y"});
    call.domain = "local";
    function.body.nodes.push_back(std::move(call));
    model.functions.push_back(std::move(function));
  }
  EXPECT_EQ(check_model(model, Limits()).faults, 0u);
}

TEST(Check, GraphsNestedTooDeepAreOverTheLimit) {
  Graph inner;
  for (int depth = 0; depth < 100; ++depth) {
    Graph outer;
    outer.nodes.push_back(node("Loop", {}, {}));
    outer.nodes.back().subgraphs.push_back(subgraph("body", std::move(inner)));
    inner = std::move(outer);
  }
  Model model = model_of(19, {}, {});
  model.graph = std::move(inner);
  const CheckReport report = check_model(model, Limits());
  ASSERT_EQ(report.notes, 1u);
  EXPECT_EQ(report.findings[0].code, TESELA_ERROR_LIMIT);
}

TEST(Check, LongReportIsCutAndCounted) {
  Model model = model_of(19, {}, {});
  for (int n = 0; n < 12'000; ++n) model.graph.nodes.push_back(node("Relu", {"q"}, {"v" + std::to_string(n)}));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 12'000u);
  EXPECT_EQ(report.findings.size(), 10'000u);
  EXPECT_THAT(check_plain(report), HasSubstr("... and 2000 more\n12000 faults, no notes\n"));
}

TEST(Check, FindingsHaveAtMost300Bytes) {
  Model model = constant_tile_model();
  model.graph.nodes[0].name = std::string(100'000, 'n');
  model.graph.nodes[0].inputs[0] = std::string(100'000, 'i');
  model.graph.nodes[0].attributes.push_back(attribute(std::string(100'000, 'a').c_str(), "x"));
  for (const Finding& finding : check_model(model, Limits()).findings) EXPECT_LE(finding.text.size(), 300u);
}

TEST(Check, JsonHandlesNamesThatAreNotUtf8) {
  Model model = constant_tile_model();
  model.graph.outputs.push_back(undeclared("\xff\x01"));
  const std::string json = check_json(check_model(model, Limits()));
  EXPECT_THAT(json, HasSubstr("\"faults\": 1"));
  EXPECT_THAT(json, HasSubstr("\"code\": \"parse\""));
}

// Processor time of this process, so that other load does not count.
template <class Work>
double seconds(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// About the time of a quadratic walk with sanitizers; a linear one takes a small part of it.
constexpr double kLinear = 20;

TEST(Check, LongChainsAndStarsTakeLinearTime) {
  constexpr int kNodes = 100'000;
  Model chain =
      model_of(19, {declared("v0", DataType::kFloat, {1, 3, "H", "W"})}, {undeclared("v" + std::to_string(kNodes))});
  Model star = model_of(19, {declared("x", DataType::kFloat, {2, 3})}, {}, {{"r", int64s({2, 1}), {}}});
  Model reversed = model_of(19, {undeclared("v0")}, {});
  for (int n = 0; n < kNodes; ++n) {
    const std::string from = "v" + std::to_string(n);
    const std::string to = "v" + std::to_string(n + 1);
    chain.graph.nodes.push_back(node("Identity", {from}, {to}));
    star.graph.nodes.push_back(node("Tile", {"x", "r"}, {to}));
  }
  for (int n = kNodes; n-- > 0;)
    reversed.graph.nodes.push_back(node("Identity", {"v" + std::to_string(n)}, {"v" + std::to_string(n + 1)}));
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(chain, Limits()).faults, 0u); }), kLinear);
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(star, Limits()).faults, 0u); }), kLinear);
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(reversed, Limits()).faults, kNodes - 1u); }), kLinear);
}

TEST(Check, NodeWithManyAttributesTakesLinearTime) {
  Model model = constant_tile_model();
  for (int a = 0; a < 100'000; ++a) model.graph.nodes[0].attributes.push_back(attribute("a", int64_t{1}));
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(model, Limits()).faults, 1u); }), kLinear);
}

TEST(Obstacle, NamesForeignNodesUpToMessageLimit) {
  Model model = constant_tile_model();
  for (int n = 0; n < 1000; ++n)
    model.graph.nodes.push_back(node("Relu", {"x"}, {"q" + std::to_string(n)}, {}, "act" + std::to_string(n)));
  const Status status = check_runnable(model, check_model(model, Limits()));
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_THAT(status.message(), HasSubstr("Relu node 'act0', Relu node 'act1'"));
  EXPECT_THAT(status.message(), testing::ContainsRegex("and 9[0-9][0-9] more; Tesela runs Resize, Upsample, Tile"));
  EXPECT_LE(status.message().size(), 300u);
}

TEST(Obstacle, NamesFirstFaultAndCountsOthers) {
  Model model = constant_tile_model({2, 1, 1});
  model.graph.outputs.push_back(undeclared("q"));
  const Status status = check_runnable(model, check_model(model, Limits()));
  EXPECT_EQ(status.code(), TESELA_ERROR_PARSE);
  EXPECT_EQ(status.message(), "graph output 'q' is never made (and 1 more fault)");
}

TEST(Obstacle, InputsThatAreNotTensorsAreUnsupported) {
  Model model = constant_tile_model();
  ValueDeclaration sequence = undeclared("list");
  sequence.is_tensor = false;
  model.graph.inputs.push_back(sequence);
  EXPECT_EQ(check_runnable(model, check_model(model, Limits())).code(), TESELA_ERROR_UNSUPPORTED);
}

}  // namespace
}  // namespace tesela
