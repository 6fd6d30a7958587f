// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "graph/check.h"
#include "graph/model_builder.h"
#include "schema/schema.h"

namespace tesela {
namespace {

using namespace tesela::test;

struct FaultRow {
  std::string name;
  void (*spoil)(Model& model);
  tesela_status code;
  std::string text;
};
void PrintTo(const FaultRow& row, std::ostream* out) {
  *out << row.name;
}

const FaultRow kFaultRows[] = {
    // Versions
    {"NoOpset", [](Model& m) { m.opsets.clear(); }, TESELA_ERROR_UNSUPPORTED,
     "Tile node 't': is of domain 'ai.onnx', for which no opset is imported"},
    {"OpsetZero", [](Model& m) { m.opsets[""] = 0; }, TESELA_ERROR_UNSUPPORTED,
     "opset 0 of ONNX's domain is not supported"},
    {"OpsetNegative", [](Model& m) { m.opsets[""] = -1; }, TESELA_ERROR_UNSUPPORTED, "opset -1"},
    {"OpsetOfTheFuture", [](Model& m) { m.opsets[""] = kNewestOpset + 1; }, TESELA_ERROR_UNSUPPORTED,
     "opset " + std::to_string(kNewestOpset + 1)},
    {"OpsetTwoToTheForty", [](Model& m) { m.opsets[""] = int64_t{1} << 40; }, TESELA_ERROR_UNSUPPORTED,
     "opset 1099511627776 of ONNX's domain is not supported; expected 1 to " + std::to_string(kNewestOpset) +
         ", the newest known one"},
    {"OpsetTwice", [](Model& m) { m.opsets["ai.onnx"] = 18; }, TESELA_ERROR_PARSE,
     "imported twice: opset 19 as '' and opset 18 as 'ai.onnx'"},
    {"IrVersionZero", [](Model& m) { m.ir_version = 0; }, TESELA_ERROR_UNSUPPORTED, "ir_version 0"},
    {"IrVersionTwoToTheForty", [](Model& m) { m.ir_version = int64_t{1} << 40; }, TESELA_ERROR_UNSUPPORTED,
     "ir_version 1099511627776 is not supported"},
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
     "a cycle: Tile node 't' depends on its own output"},
    {"CycleOfTwo",
     [](Model& m) {
       m.graph.nodes[0].inputs[0] = "z";
       m.graph.nodes.push_back(node("Identity", {"y"}, {"z"}, {}, "i"));
     },
     TESELA_ERROR_PARSE, "a cycle: Tile node 't', Identity node 'i' depend on their own output"},
    {"ForwardReference",
     [](Model& m) {
       m.graph.nodes[0].inputs[0] = "z";
       m.graph.nodes.push_back(node("Identity", {"x"}, {"z"}));
     },
     TESELA_ERROR_PARSE, "Tile node 't': input 'z' is made by Identity node that makes 'z', which comes later"},
    {"OutputTwice", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"x"}, {"y"})); }, TESELA_ERROR_PARSE,
     "'y' names two values: the output of Tile node 't' and the output of Identity node that makes 'y'"},
    {"OutputLikeAnInput", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"y"}, {"x"})); }, TESELA_ERROR_PARSE,
     "'x' names two values: a graph input and the output of Identity node"},
    {"OutputLikeAnInitializer", [](Model& m) { m.graph.nodes.push_back(node("Identity", {"y"}, {"r"})); },
     TESELA_ERROR_PARSE, "'r' names two values: an initializer and"},
    {"InputTwice", [](Model& m) { m.graph.inputs.push_back(m.graph.inputs[0]); }, TESELA_ERROR_PARSE,
     "'x' names two values: a graph input and a graph input"},
    {"InitializerTwice", [](Model& m) { m.graph.initializers.push_back(m.graph.initializers[0]); }, TESELA_ERROR_PARSE,
     "'r' names two values: an initializer and an initializer"},
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
       m.graph.initializers.push_back({"bad", {}, shape_error("initializer 'bad': axis 0 has extent -2")});
     },
     TESELA_ERROR_SHAPE, "initializer 'bad': axis 0 has extent -2"},
    // Nodes
    {"TwoOutputs", [](Model& m) { m.graph.nodes[0].outputs.push_back("z"); }, TESELA_ERROR_COUNT,
     "Tile-13 node 't': has 2 outputs; expected 1"},
    {"NoInputs", [](Model& m) { m.graph.nodes.push_back(node("Tile", {}, {"z"}, {}, "e")); }, TESELA_ERROR_COUNT,
     "Tile-13 node 'e': input 'input' is missing"},
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
       m.graph.nodes.push_back(
           node("Upsample", {"x", "s"}, {"z"}, {{"scales", AttributeKind::kFloats, std::vector<float>{1, 2}}}, "e"));
     },
     TESELA_ERROR_ATTRIBUTE, "Upsample-9 node 'e': attribute 'scales' is unknown in this version"},
    {"ResizeWithPortsOfAnotherVersion",  // X, scales are the inputs of 10; in 11 the second one is roi
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
     TESELA_ERROR_COUNT, "Tile-13 node 't': input 'repeats' has length 3; expected 2"},
    {"WrongType",
     [](Model& m) {
       m.graph.initializers[0].value = floats({2, 1});
     },
     TESELA_ERROR_TYPE, "Tile-13 node 't': input 'repeats' has type float; expected int64"},
    {"UnknownAttribute", [](Model& m) { m.graph.nodes[0].attributes.push_back(attribute("mode", "linear")); },
     TESELA_ERROR_ATTRIBUTE, "Tile-13 node 't': attribute 'mode' is unknown"},
    {"BrokenAttribute", [](Model& m) { m.graph.nodes[0].fault = parse_error("attribute 'value': is cut short"); },
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
                                    {attribute("coordinate_transformation_mode", "tf_crop_and_resize")}, "e"));
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

TEST_P(CheckFault, IsReported) {
  Model model = constant_tile_model();
  GetParam().spoil(model);
  const CheckReport report = check_model(model, Limits());
  ASSERT_GE(report.faults, 1u);
  bool is_there = false;
  for (const Finding& finding : report.findings)
    is_there = is_there || (finding.code == GetParam().code && finding.text.find(GetParam().text) != std::string::npos);
  EXPECT_TRUE(is_there) << check_plain(report);
}

INSTANTIATE_TEST_SUITE_P(Rows, CheckFault, testing::ValuesIn(kFaultRows),
                         [](const testing::TestParamInfo<FaultRow>& row) { return row.param.name; });

}  // namespace
}  // namespace tesela
