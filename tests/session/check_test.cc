#include "session/check.h"

#include <gmock/gmock.h>

#include <ctime>

#include "session/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::HasSubstr;

Subgraph subgraph(std::string attribute, Graph graph) {
  return {std::move(attribute), std::make_unique<Graph>(std::move(graph))};
}

Graph tile_graph(std::vector<int64_t> repeats) {
  Graph graph;
  graph.inputs = {declared("x", DataType::kFloat, {2, 3})};
  graph.outputs = {undeclared("y")};
  graph.initializers = {{"r", int64s(std::move(repeats)), {}}};
  graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}, {}, "t"));
  return graph;
}

Model tile_model(std::vector<int64_t> repeats = {2, 1}, int64_t opset = 19) {
  Model model = model_of(opset, {}, {});
  model.graph = tile_graph(std::move(repeats));
  return model;
}

TEST(Check, AGoodModelHasNoFaults) {
  const CheckReport report = check_model(tile_model(), Limits());
  EXPECT_EQ(report.faults, 0u);
  EXPECT_EQ(report.notes, 0u);
  EXPECT_EQ(check_plain(report), "no faults, no notes\n");
}

struct FaultRow {
  std::string name;
  void (*spoil)(Model& model);
  tesela_status code;
  std::string text;
};

const FaultRow kFaultRows[] = {
    // Versions
    {"NoOpset", [](Model& m) { m.opsets.clear(); }, TESELA_ERROR_UNSUPPORTED,
     "Tile node 't': is of domain 'ai.onnx', for which no opset is imported"},
    {"OpsetZero", [](Model& m) { m.opsets[""] = 0; }, TESELA_ERROR_UNSUPPORTED,
     "opset 0 of ONNX's domain is not known"},
    {"OpsetNegative", [](Model& m) { m.opsets[""] = -1; }, TESELA_ERROR_UNSUPPORTED, "opset -1"},
    {"OpsetOfTheFuture", [](Model& m) { m.opsets[""] = 29; }, TESELA_ERROR_UNSUPPORTED, "opset 29"},
    {"OpsetTwoToTheForty", [](Model& m) { m.opsets[""] = int64_t{1} << 40; }, TESELA_ERROR_UNSUPPORTED,
     "opset 1099511627776 of ONNX's domain is not known; expected 1 to 28, the newest known one"},
    {"OpsetTwice", [](Model& m) { m.opsets["ai.onnx"] = 18; }, TESELA_ERROR_PARSE,
     "imported twice: opset 19 as '' and opset 18 as 'ai.onnx'"},
    {"IrVersionZero", [](Model& m) { m.ir_version = 0; }, TESELA_ERROR_UNSUPPORTED, "ir_version 0"},
    {"IrVersionTwoToTheForty", [](Model& m) { m.ir_version = int64_t{1} << 40; }, TESELA_ERROR_UNSUPPORTED,
     "ir_version 1099511627776 is not known"},
    {"ForeignDomainNotImported",
     [](Model& m) {
       m.graph.nodes.push_back(node("Gelu", {"x"}, {"g"}, {}, "g"));
       m.graph.nodes.back().domain = "com.microsoft";
     },
     TESELA_ERROR_UNSUPPORTED, "Gelu node 'g': is of domain 'com.microsoft', for which no opset is imported"},
    {"DeprecatedUpsample",
     [](Model& m) {
       m.graph.nodes.push_back(node("Upsample", {"x", "r"}, {"u"}, {}, "up"));
     },
     TESELA_ERROR_UNSUPPORTED,
     "node 'up': Upsample: deprecated since opset 10, and the model imports opset 19; use Resize instead"},
    // Graphs
    {"UndefinedInput", [](Model& m) { m.graph.nodes[0].inputs[0] = "q"; }, TESELA_ERROR_PARSE,
     "Tile node 't': input 'q' is not defined"},
    {"OwnOutput", [](Model& m) { m.graph.nodes[0].inputs[0] = "y"; }, TESELA_ERROR_PARSE,
     "a cycle: Tile node 't' waits for its own output"},
    {"CycleOfTwo",
     [](Model& m) {
       m.graph.nodes[0].inputs[0] = "z";
       m.graph.nodes.push_back(node("Identity", {"y"}, {"z"}, {}, "i"));
     },
     TESELA_ERROR_PARSE, "a cycle: Tile node 't', Identity node 'i' wait for their own output"},
    {"ForwardReference",
     [](Model& m) {
       m.graph.nodes[0].inputs[0] = "z";
       m.graph.nodes.push_back(node("Identity", {"x"}, {"z"}));
     },
     TESELA_ERROR_PARSE,
     "Tile node 't': input 'z' is made by Identity node that makes 'z', which comes later"},
    {"OutputTwice", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"x"}, {"y"})); },
     TESELA_ERROR_PARSE,
     "'y' names two values: the output of Tile node 't' and the output of Identity node that makes 'y'"},
    {"OutputLikeAnInput", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"y"}, {"x"})); },
     TESELA_ERROR_PARSE, "'x' names two values: a graph input and the output of Identity node"},
    {"OutputLikeAnInitializer", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"y"}, {"r"})); },
     TESELA_ERROR_PARSE, "'r' names two values: an initializer and"},
    {"InputTwice", [](Model& m) { m.graph.inputs.push_back(m.graph.inputs[0]); }, TESELA_ERROR_PARSE,
     "'x' names two values: a graph input and a graph input"},
    {"InitializerTwice", [](Model& m) { m.graph.initializers.push_back(m.graph.initializers[0]); },
     TESELA_ERROR_PARSE, "'r' names two values: an initializer and an initializer"},
    {"GraphOutputTwice", [](Model& m) { m.graph.outputs.push_back(undeclared("y")); }, TESELA_ERROR_PARSE,
     "graph output 'y' is listed twice"},
    {"GraphOutputNeverMade", [](Model& m) { m.graph.outputs.push_back(undeclared("q")); }, TESELA_ERROR_PARSE,
     "graph output 'q' is never made"},
    {"EmptyInputName", [](Model& m) { m.graph.inputs.push_back(undeclared("")); }, TESELA_ERROR_PARSE,
     "a graph input has no name"},
    {"EmptyOutputName", [](Model& m) { m.graph.outputs.push_back(undeclared("")); }, TESELA_ERROR_PARSE,
     "a graph output has no name"},
    {"EmptyNodeOutput",
     [](Model& m) {
       m.graph.nodes.push_back(node("Tile", {"x", "r"}, {""}, {}, "e"));
     },
     TESELA_ERROR_COUNT, "Tile-13 node 'e': its output has no name; expected one"},
    {"FaultyInitializer",
     [](Model& m) {
       m.graph.initializers.push_back({"bad", {}, shape_error("initializer 'bad': dimension 0 is -2")});
     },
     TESELA_ERROR_SHAPE, "initializer 'bad': dimension 0 is -2"},
    // Nodes
    {"TwoOutputs", [](Model& m) { m.graph.nodes[0].outputs.push_back("z"); }, TESELA_ERROR_COUNT,
     "Tile-13 node 't': has 2 outputs; expected 1"},
    {"NoInputs", [](Model& m) { m.graph.nodes.push_back(node("Tile", {}, {"z"}, {}, "e")); },
     TESELA_ERROR_COUNT, "Tile-13 node 'e': input 'input' is missing"},
    {"UpsampleWithoutInputs",  // 107 bytes crashed an engine
     [](Model& m) {
       m.opsets[""] = 9;
       m.graph.nodes.push_back(node("Upsample", {}, {"z"}, {}, "e"));
     },
     TESELA_ERROR_COUNT, "Upsample-9 node 'e': input 'X' is missing"},
    {"UpsampleBelowOne",
     [](Model& m) {
       m.opsets[""] = 9;
       m.graph.initializers.push_back({"s", floats({1, 0.5f}), {}});
       m.graph.nodes.push_back(node("Upsample", {"x", "s"}, {"z"}, {}, "e"));
     },
     TESELA_ERROR_VALUE, "Upsample-9 node 'e': input 'scales': entry 1 is 0.5; expected at least 1"},
    {"UpsampleWithScalesTwice",
     [](Model& m) {
       m.opsets[""] = 9;
       m.graph.initializers.push_back({"s", floats({1, 2}), {}});
       m.graph.nodes.push_back(node("Upsample", {"x", "s"}, {"z"},
                                    {{"scales", AttributeKind::kFloats, std::vector<float>{1, 2}}}, "e"));
     },
     TESELA_ERROR_ATTRIBUTE, "Upsample-9 node 'e': attribute 'scales' is unknown in this version"},
    {"ResizeWithPortsOfAnotherVersion",  // X, scales are the ports of 10; in 11 the second is roi
     [](Model& m) {
       m.opsets[""] = 11;
       m.graph.initializers.push_back({"s", floats({1, 2}), {}});
       m.graph.nodes.push_back(node("Resize", {"x", "s"}, {"z"}, {}, "e"));
     },
     TESELA_ERROR_COUNT, "Resize-11 node 'e': input 'scales' is missing"},
    {"ResizeWithAFourthPortInTen",
     [](Model& m) {
       m.opsets[""] = 10;
       m.graph.initializers.push_back({"s", floats({1, 2}), {}});
       m.graph.nodes.push_back(node("Resize", {"x", "", "s"}, {"z"}, {}, "e"));
     },
     TESELA_ERROR_COUNT, "Resize-10 node 'e': has 3 inputs; expected at most 2"},
    {"WrongRepeats",
     [](Model& m) {
       m.graph.initializers[0].value = int64s({2, 1, 1});
     },
     TESELA_ERROR_COUNT, "Tile-13 node 't': input 'repeats' has 3 entries; expected 2"},
    {"WrongType",
     [](Model& m) {
       m.graph.initializers[0].value = floats({2, 1});
     },
     TESELA_ERROR_TYPE, "Tile-13 node 't': input 'repeats' has type float; expected int64"},
    {"UnknownAttribute", [](Model& m) { m.graph.nodes[0].attributes.push_back(attribute("mode", "linear")); },
     TESELA_ERROR_ATTRIBUTE, "Tile-13 node 't': attribute 'mode' is unknown"},
    {"BrokenAttribute",
     [](Model& m) { m.graph.nodes[0].fault = parse_error("attribute 'value': is cut short"); },
     TESELA_ERROR_PARSE, "Tile-13 node 't': attribute 'value': is cut short"},
    {"AttributeReferenceOutsideAFunction",
     [](Model& m) {
       m.graph.nodes[0].attributes.push_back({"mode", AttributeKind::kString, {}});
     },
     TESELA_ERROR_ATTRIBUTE, "attribute 'mode' refers to a function's attribute"},
    {"RoiThatIsNotANumber",
     [](Model& m) {
       m.graph.initializers.push_back({"s", floats({1, 2}), {}});
       m.graph.initializers.push_back({"roi", floats({0, NAN, 1, 1}), {}});
       m.graph.nodes.push_back(node("Resize", {"x", "roi", "s"}, {"z"},
                                    {attribute("coordinate_transformation_mode", "tf_crop_and_resize")},
                                    "e"));
     },
     TESELA_ERROR_VALUE, "Resize-19 node 'e': input 'roi': entry 1 is nan"},
    {"IdentityOfNothing", [](Model& m) { m.graph.nodes.push_back(node("Identity", {}, {"z"}, {}, "i")); },
     TESELA_ERROR_COUNT, "Identity node 'i': has 0 inputs; expected 1"},
    // Declarations
    {"DeclaredOutput",
     [](Model& m) {
       m.graph.outputs[0] = declared("y", DataType::kFloat, {5, 3});
     },
     TESELA_ERROR_SHAPE, "Tile-13 node 't': output 'y' is declared as float 5x3 and is float 4x3"},
    {"DeclaredValue",
     [](Model& m) {
       m.graph.values.push_back(declared("y", DataType::kInt8, {4, 3}));
     },
     TESELA_ERROR_TYPE, "output 'y' is declared as int8 4x3 and is float 4x3"},
    {"DeclaredDefault", [](Model& m) { m.graph.inputs.push_back(declared("r", DataType::kInt64, {3})); },
     TESELA_ERROR_SHAPE, "initializer 'r' is declared as int64 3 and is int64 2"},
    {"DeclaredPassedInput",
     [](Model& m) {
       m.graph.outputs.push_back(declared("x", DataType::kFloat, {9, 3}));
     },
     TESELA_ERROR_SHAPE, "graph output 'x' is declared as float 9x3 and is float 2x3"},
};

class CheckFault : public testing::TestWithParam<FaultRow> {};

TEST_P(CheckFault, IsFoundAndNamed) {
  Model model = tile_model();
  GetParam().spoil(model);
  const CheckReport report = check_model(model, Limits());
  ASSERT_GE(report.faults, 1u);
  bool is_there = false;
  for (const Finding& finding : report.findings)
    is_there = is_there ||
               (finding.code == GetParam().code && finding.text.find(GetParam().text) != std::string::npos);
  EXPECT_TRUE(is_there) << check_plain(report);
}

INSTANTIATE_TEST_SUITE_P(Rows, CheckFault, testing::ValuesIn(kFaultRows),
                         [](const testing::TestParamInfo<FaultRow>& row) { return row.param.name; });

TEST(Check, FindsEveryFaultAndNotOnlyTheFirst) {
  Model model = tile_model({2, 1, 1});
  model.ir_version = 0;
  model.graph.outputs.push_back(undeclared("q"));
  model.graph.nodes.push_back(node("Resize", {"nowhere"}, {"z"}, {attribute("mode", "zz")}, "e"));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 5u) << check_plain(report);
}

TEST(Check, ACycleIsNamedOnceHoweverManyNodesItHas) {
  Model model = model_of(19, {}, {undeclared("v0")});
  for (int n = 0; n < 1000; ++n)
    model.graph.nodes.push_back(
        node("Identity", {"v" + std::to_string((n + 1) % 1000)}, {"v" + std::to_string(n)}));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 1u);
  EXPECT_THAT(report.findings[0].text, HasSubstr("a cycle: Identity node that makes 'v0'"));
  EXPECT_THAT(report.findings[0].text, HasSubstr("and 997 more"));
}

TEST(Check, NotesWhatDoesNothing) {
  Model model = tile_model();
  model.graph.nodes.push_back(node("ConstantOfShape", {"r"}, {"c"},
                                   {attribute("value", tensor_of<float>(DataType::kFloat, {}, {1}))}, "c"));
  model.graph.initializers.push_back({"s", floats({1, 2}), {}});
  model.graph.nodes.push_back(
      node("Resize", {"x", "", "s"}, {"z"}, {attribute("cubic_coeff_a", -0.5f)}, "c"));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 0u) << check_plain(report);
  EXPECT_EQ(report.notes, 3u);
  const std::string text = check_plain(report);
  EXPECT_THAT(text, HasSubstr("note: 'c' names more than one node"));
  EXPECT_THAT(
      text,
      HasSubstr("note: ConstantOfShape-9 node 'c': attribute 'value' has rank 0; ONNX asks for rank 1"));
  EXPECT_THAT(text, HasSubstr("attribute 'cubic_coeff_a' has no meaning outside mode cubic"));
}

TEST(Check, WhatIsOverTheLimitsIsANote) {
  const Model model = tile_model({int64_t{1} << 31, 1});
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 0u);
  ASSERT_EQ(report.notes, 1u);
  EXPECT_EQ(report.findings[0].code, TESELA_ERROR_LIMIT);
  EXPECT_THAT(report.findings[0].text, HasSubstr("Tile-13 node 't': the output float 4294967296x3 takes"));
}

TEST(Check, NothingIsClaimedAboutForeignOperators) {
  Model model = model_of(19, {undeclared("x")}, {undeclared("y")});
  model.graph.nodes.push_back(node("Softmax", {"x"}, {"y"}, {attribute("zz", "zz")}));
  EXPECT_EQ(check_model(model, Limits()).faults, 0u);
}

TEST(Check, LooksIntoSubgraphs) {
  Model model = model_of(19, {declared("c", DataType::kBool, {}), declared("x", DataType::kFloat, {2, 3})},
                         {undeclared("y")});
  Node branches = node("If", {"c"}, {"y"}, {}, "choose");
  Graph good = tile_graph({2, 1});
  good.inputs.clear();  // x comes from outside
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
  EXPECT_THAT(text,
              HasSubstr("If node 'choose' else_branch: Tile-13 node 't': input 'repeats' has 3 entries"));
  EXPECT_THAT(text,
              HasSubstr("If node 'choose' else_branch: Tile node 'u': input 'later' is made only later"));
}

TEST(Check, LooksIntoFunctionsByTheirOwnImports) {
  Model model = tile_model();
  LocalFunction function;
  function.domain = "local";
  function.name = "twice";
  function.opsets[""] = 11;
  function.body.inputs = {undeclared("x"), undeclared("s")};
  function.body.outputs = {undeclared("y")};
  function.body.nodes.push_back(
      node("Resize", {"x", "", "s"}, {"y"}, {{"mode", AttributeKind::kString, {}}}, "ref"));
  function.body.nodes.push_back(node("Upsample", {"x", "s"}, {"z"}, {}, "old"));
  model.functions.push_back(std::move(function));
  const CheckReport report = check_model(model, Limits());
  ASSERT_EQ(report.faults, 1u) << check_plain(report);
  EXPECT_THAT(report.findings[0].text, HasSubstr("function 'local.twice': node 'old': Upsample: deprecated"));
}

TEST(Check, AChainOfThreeThousandFunctionsIsNoRecursion) {
  Model model = tile_model();
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

TEST(Check, AVeryLongListIsCutAndCounted) {
  Model model = model_of(19, {}, {});
  for (int n = 0; n < 12'000; ++n)
    model.graph.nodes.push_back(node("Relu", {"q"}, {"v" + std::to_string(n)}));
  const CheckReport report = check_model(model, Limits());
  EXPECT_EQ(report.faults, 12'000u);
  EXPECT_EQ(report.findings.size(), 10'000u);
  EXPECT_THAT(check_plain(report), HasSubstr("... and 2000 more\n12000 faults, no notes\n"));
}

TEST(Check, TextsStayWithinThreeHundredBytes) {
  Model model = tile_model();
  model.graph.nodes[0].name = std::string(100'000, 'n');
  model.graph.nodes[0].inputs[0] = std::string(100'000, 'i');
  model.graph.nodes[0].attributes.push_back(attribute(std::string(100'000, 'a').c_str(), "x"));
  for (const Finding& finding : check_model(model, Limits()).findings) EXPECT_LE(finding.text.size(), 300u);
}

TEST(Check, JsonSurvivesNamesThatAreNoText) {
  Model model = tile_model();
  model.graph.outputs.push_back(undeclared("\xff\x01"));
  const std::string json = check_json(check_model(model, Limits()));
  EXPECT_THAT(json, HasSubstr("\"faults\": 1"));
  EXPECT_THAT(json, HasSubstr("\"code\": \"parse\""));
}

// Of this process's time on a core, so that a busy machine does not count.
template <class Work>
double seconds(Work&& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// The bound is that of a quadratic walk under sanitizers: linear ones take a small part of it.
constexpr double kLinear = 20;

TEST(Check, ChainsAndStarsOfAHundredThousandNodesTakeLinearTime) {
  constexpr int kNodes = 100'000;
  Model chain = model_of(19, {declared("v0", DataType::kFloat, {1, 3, "H", "W"})},
                         {undeclared("v" + std::to_string(kNodes))});
  Model star = model_of(19, {declared("x", DataType::kFloat, {2, 3})}, {}, {{"r", int64s({2, 1}), {}}});
  Model reversed = model_of(19, {undeclared("v0")}, {});
  for (int n = 0; n < kNodes; ++n) {
    const std::string from = "v" + std::to_string(n);
    const std::string to = "v" + std::to_string(n + 1);
    chain.graph.nodes.push_back(node("Identity", {from}, {to}));
    star.graph.nodes.push_back(node("Tile", {"x", "r"}, {to}));
  }
  for (int n = kNodes; n-- > 0;)
    reversed.graph.nodes.push_back(
        node("Identity", {"v" + std::to_string(n)}, {"v" + std::to_string(n + 1)}));
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(chain, Limits()).faults, 0u); }), kLinear);
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(star, Limits()).faults, 0u); }), kLinear);
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(reversed, Limits()).faults, kNodes - 1u); }), kLinear);
}

TEST(Check, ANodeOfAHundredThousandAttributesTakesLinearTime) {
  Model model = tile_model();
  for (int a = 0; a < 100'000; ++a) model.graph.nodes[0].attributes.push_back(attribute("a", int64_t{1}));
  EXPECT_LT(seconds([&] { EXPECT_EQ(check_model(model, Limits()).faults, 1u); }), kLinear);
}

TEST(Obstacle, NamesEveryForeignNodeAsFarAsAMessageGoes) {
  Model model = tile_model();
  for (int n = 0; n < 1000; ++n)
    model.graph.nodes.push_back(
        node("Relu", {"x"}, {"q" + std::to_string(n)}, {}, "act" + std::to_string(n)));
  const Status status = find_obstacle(model, check_model(model, Limits()));
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_THAT(status.message(), HasSubstr("Relu node 'act0', Relu node 'act1'"));
  EXPECT_THAT(status.message(),
              testing::ContainsRegex("and 9[0-9][0-9] more; Tesela runs Resize, Upsample, Tile"));
  EXPECT_LE(status.message().size(), 300u);
}

TEST(Obstacle, IsTheFirstFaultAndTheNumberOfOthers) {
  Model model = tile_model({2, 1, 1});
  model.graph.outputs.push_back(undeclared("q"));
  const Status status = find_obstacle(model, check_model(model, Limits()));
  EXPECT_EQ(status.code(), TESELA_ERROR_PARSE);
  EXPECT_EQ(status.message(), "graph output 'q' is never made (and 1 more fault)");
}

TEST(Obstacle, InputsThatAreNoTensorsCannotBeRun) {
  Model model = tile_model();
  ValueDeclaration sequence = undeclared("list");
  sequence.is_tensor = false;
  model.graph.inputs.push_back(sequence);
  EXPECT_EQ(find_obstacle(model, check_model(model, Limits())).code(), TESELA_ERROR_UNSUPPORTED);
}

}  // namespace
}  // namespace tesela
