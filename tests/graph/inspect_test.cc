// SPDX-License-Identifier: Apache-2.0
#include "graph/inspect.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "graph/model_builder.h"
#include "graph/value_text.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json inspected(const Model& model) {
  return Json::parse(inspect_json(model, Limits()));
}

TEST(InfoText, ShortensLongShapes) {
  TensorInfo info;
  info.type = DataType::kFloat;
  info.dims = tesela::Dims{{-1, std::string(300, 'N')}};
  EXPECT_EQ(info_text(info).size(), std::string_view("float ").size() + 100);
}

TEST(Inspect, ShowsVersionsInputsAndOutputs) {
  const Json json = inspected(resize_model());
  EXPECT_EQ(json["producer"], "test");
  EXPECT_EQ(json["ir_version"], 10);
  EXPECT_EQ(json["opsets"], (Json{{"ai.onnx", 19}}));
  EXPECT_EQ(json["inputs"][0], (Json{{"name", "x"}, {"type", "float"}, {"dims", {1, 1, "H", "W"}}}));
  EXPECT_EQ(json["outputs"][0], (Json{{"name", "y"}, {"type", "float"}, {"dims", {1, 1, nullptr, nullptr}}}));
  EXPECT_EQ(json["runnable"], true);
}

TEST(Inspect, ShowsVersionAttributesAndSmallConstantsOfNodes) {
  Model model = resize_model(18);
  model.graph.nodes[0].attributes.push_back(attribute("mode", "linear"));
  const Json node = inspected(model)["nodes"][0];
  EXPECT_EQ(node["operator"], "Resize");
  EXPECT_EQ(node["since_version"], 18);
  EXPECT_EQ(node["name"], "up");
  EXPECT_EQ(node["attributes"][0], (Json{{"name", "mode"}, {"value", "linear"}, {"given", true}}));
  bool has_default = false;
  for (const Json& entry : node["attributes"])
    has_default = has_default || entry == Json{{"name", "cubic_coeff_a"}, {"value", -0.75}, {"given", false}};
  EXPECT_TRUE(has_default) << node.dump(2);
  EXPECT_EQ(node["inputs"][1]["port"], "scales");
  EXPECT_EQ(node["inputs"][1]["value"], (Json{1.0, 1.0, 2.0, 2.0}));
  EXPECT_EQ(node["outputs"][0]["port"], "Y");
}

TEST(Inspect, LargeConstantsShowOnlyTheirShape) {
  Model model = model_of(
      19, {}, {undeclared("y")},
      {{"x", tensor_of<float>(DataType::kFloat, {17}, std::vector<float>(17, 1.0f)), {}}, {"r", int64s({2}), {}}});
  model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
  const Json node = inspected(model)["nodes"][0];
  EXPECT_FALSE(node["inputs"][0].contains("value"));
  EXPECT_EQ(node["inputs"][1]["value"], Json({2}));
}

TEST(Inspect, ConstantsOfEveryTypeHaveAValue) {
  for (const DataTypeTraits& row : all_data_types()) {
    Model model = model_of(19, {}, {undeclared("y")}, {{"r", int64s({1}), {}}});
    Result<Tensor> tensor = Tensor::allocate(row.type, {1});
    if (row.type != DataType::kString) std::memset(tensor->mutable_data(), 0, static_cast<size_t>(tensor->bytes()));
    model.graph.initializers.push_back({"x", *tensor, {}});
    model.graph.nodes.push_back(node("Tile", {"x", "r"}, {"y"}));
    EXPECT_EQ(inspected(model)["nodes"][0]["inputs"][0]["value"].size(), 1u) << row.onnx_name;
  }
}

TEST(Inspect, NonFiniteNumbersAreStrings) {
  Model model = resize_model();
  model.graph.initializers[0].value = floats({1, 1, NAN, INFINITY});
  EXPECT_EQ(inspected(model)["nodes"][0]["inputs"][1]["value"], (Json{1.0, 1.0, "nan", "inf"}));
}

TEST(Inspect, CountsForeignOperatorsAndNamesObstacle) {
  Model model = resize_model();
  model.opsets["com.microsoft"] = 1;
  for (int n = 0; n < 3; ++n) model.graph.nodes.push_back(node("Relu", {"x"}, {"q" + std::to_string(n)}));
  model.graph.nodes.push_back(node("Gelu", {"x"}, {"g"}));
  model.graph.nodes.back().domain = "com.microsoft";
  const Json json = inspected(model);
  EXPECT_EQ(json["foreign"], (Json{{"Relu", 3}, {"com.microsoft.Gelu", 1}}));
  EXPECT_EQ(json["runnable"], false);
  EXPECT_THAT(json["obstacle"].get<std::string>(), HasSubstr("Relu node that makes 'q0'"));
}

TEST(Inspect, FindsSupportedNodesInSubgraphs) {
  Model model = model_of(19, {undeclared("c")}, {undeclared("y")});
  Node choice = node("If", {"c"}, {"y"}, {}, "choose");
  Model inner = resize_model();
  choice.subgraphs.push_back({"then_branch", std::make_unique<Graph>(std::move(inner.graph))});
  model.graph.nodes.push_back(std::move(choice));
  const Json json = inspected(model);
  ASSERT_EQ(json["nodes"].size(), 1u);
  EXPECT_EQ(json["nodes"][0]["path"], "If node 'choose' then_branch: ");
}

TEST(Inspect, ShowsFaultsOfNodes) {
  Model model = resize_model();
  model.graph.nodes[0].attributes.push_back(attribute("mode", "zz"));
  model.graph.nodes.push_back(node("Upsample", {"x", "s"}, {"u"}));
  const Json json = inspected(model);
  EXPECT_THAT(json["nodes"][0]["faults"][0].get<std::string>(), HasSubstr("attribute 'mode' is 'zz'"));
  EXPECT_TRUE(json["nodes"][1]["since_version"].is_null());
  EXPECT_THAT(json["nodes"][1]["faults"][0].get<std::string>(), HasSubstr("use Resize instead"));
}

TEST(Inspect, PlainTextIsAligned) {
  Model model = resize_model();
  model.graph.nodes[0].attributes.push_back(attribute("mode", "linear"));
  const std::string text = inspect_plain(model, Limits());
  EXPECT_THAT(text, testing::StartsWith("producer    test\n"
                                        "ir_version  10\n"
                                        "opsets      ai.onnx 19\n"
                                        "runnable    yes\n"
                                        "inputs\n"
                                        "  x  float  1x1xHxW\n"
                                        "outputs\n"
                                        "  y  float  1x1x?x?\n"
                                        "nodes\n"
                                        "  Resize-19 'up'\n"
                                        "    X       x  float  1x1xHxW\n"
                                        "    scales  s  float  4        [1, 1, 2, 2]\n"
                                        "    Y       y  float  1x1x?x?\n"
                                        "    mode = linear\n"
                                        "    default: coordinate_transformation_mode = half_pixel"));
}

TEST(Inspect, SeparatesSymbolsOfSeveralLetters) {
  Model model = resize_model();
  model.graph.inputs[0] = declared("x", DataType::kFloat, {1, 1, "height", "width"});
  EXPECT_THAT(inspect_plain(model, Limits()), HasSubstr("  x  float  1 x 1 x height x width\n"));
}

TEST(Inspect, UnprintableNamesStayOnTheirLine) {
  Model model = resize_model();
  model.graph.inputs[0].name = "a\nb";
  model.graph.nodes[0].inputs[0] = "a\nb";
  const std::string text = inspect_plain(model, Limits());
  EXPECT_THAT(text, HasSubstr("a\\x0ab"));
  EXPECT_THAT(text, testing::Not(HasSubstr("a\nb")));
}

TEST(Inspect, ShowsEmptyModel) {
  const Model model = model_of(19, {}, {});
  EXPECT_THAT(inspect_plain(model, Limits()), HasSubstr("inputs\n  none\noutputs\n  none\nnodes\n  none of Tesela's"));
}

TEST(Inspect, ListOfForeignOperatorsIsCut) {
  Model model = model_of(19, {undeclared("x")}, {});
  for (int n = 0; n < 3'000; ++n)
    model.graph.nodes.push_back(node("Op" + std::to_string(n), {"x"}, {"v" + std::to_string(n)}));
  const Json json = inspected(model);
  EXPECT_EQ(json["foreign"].size(), 1000u);
  EXPECT_EQ(json["foreign_left_out"], 2'000);
}

}  // namespace
}  // namespace tesela
