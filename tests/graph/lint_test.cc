// SPDX-License-Identifier: Apache-2.0
#include "graph/lint.h"

#include <gmock/gmock.h>

#include "graph/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;
using testing::HasSubstr;
using testing::Not;

LintReport lint(const Model& model, std::string_view runtime = "") {
  const std::vector<std::string_view> names(runtime.empty() ? 0 : 1, runtime);
  return lint_model(model, Limits(), *make_scope(names));
}

// x: float [1, 1, 10, 10], resized by a constant.
Model resize_model(const std::vector<float>& scales, std::vector<Attribute> attributes) {
  Model model =
      model_of(19, {declared("x", DataType::kFloat, {1, 1, 10, 10})}, {undeclared("y")}, {{"s", floats(scales), {}}});
  model.graph.nodes.push_back(node("Resize", {"x", "", "s"}, {"y"}, std::move(attributes), "up"));
  return model;
}

// The number of sizes is not known, either.
TEST(Lint, SizesOfUnknownLength) {
  for (const char* policy : {"stretch", "not_larger"}) {
    Model model = model_of(19, {declared("x", DataType::kFloat, {1, 2, 4, 4}), undeclared("z")}, {undeclared("y")});
    model.graph.inputs[1].info.type = DataType::kInt64;
    model.graph.nodes.push_back(node("Resize", {"x", "", "", "z"}, {"y"},
                                     {attribute("mode", "cubic"), attribute("keep_aspect_ratio_policy", policy)}));
    EXPECT_EQ(lint(model, "all").errors, 0u) << policy;
  }
}

TEST(Lint, PortableModelHasNoFindings) {
  const LintReport report = lint(constant_tile_model());
  EXPECT_EQ(lint_plain(report), "no errors, no warnings\n");
  EXPECT_TRUE(report.is_complete);
}

TEST(Lint, GivesTheEffectInNumbers) {
  const LintReport report = lint(resize_model({1, 1, 0.7f, 2}, {}), "onnxruntime");
  ASSERT_EQ(report.findings.size(), 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].rule, "onnxruntime/extents");
  EXPECT_THAT(report.findings[0].numbers, HasSubstr("axis 2: extent 6 here, 7 there"));
  EXPECT_THAT(lint_plain(report), HasSubstr("warning: Resize-19 node 'up' [onnxruntime/extents]\n"));
  EXPECT_THAT(lint_plain(report), HasSubstr("  cure: give sizes"));
}

TEST(Lint, RefusalIsAnErrorOnlyOfANamedRuntime) {
  const Model model = resize_model({1, 2, 2, 2}, {attribute("mode", "linear")});
  const LintReport named = lint(model, "onnxruntime");
  EXPECT_EQ(named.errors, 1u) << lint_plain(named);
  EXPECT_EQ(named.findings[0].kind, "refused");
  const LintReport all = lint(model);
  EXPECT_EQ(all.errors, 0u) << lint_plain(all);
  EXPECT_GE(all.warnings, 1u);
}

TEST(Lint, AllLooksAtEveryRuntime) {
  const Model model =
      resize_model({1, 1, 0.5f, 0.5f}, {attribute("mode", "linear"), attribute("antialias", int64_t{1})});
  const LintReport all = lint(model, "all");
  EXPECT_EQ(all.errors, 0u);
  EXPECT_THAT(lint_plain(all), HasSubstr("[tensorrt/antialias]"));
  EXPECT_THAT(lint_plain(lint(model)), Not(HasSubstr("tensorrt")));
  EXPECT_EQ(lint(model, "tensorrt").errors, 1u);
}

TEST(Lint, FallbackIsNoError) {
  const Model model = resize_model({1, 1, 2, 2}, {attribute("mode", "cubic")});
  const LintReport report = lint(model, "onnxruntime-coreml");
  EXPECT_EQ(report.errors, 0u);
  ASSERT_EQ(report.findings.size(), 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].kind, "fallback");
}

TEST(Lint, PositionsByTheRatioOfExtents) {  // as reported: 3 x 3 by 1.5, nearest, half_pixel
  Model model = model_of(19, {declared("x", DataType::kFloat, {1, 1, 3, 3})}, {undeclared("y")},
                         {{"s", floats({1, 1, 1.5f, 1.5f}), {}}});
  model.graph.nodes.push_back(node("Resize", {"x", "", "s"}, {"y"}, {}, "up"));
  const LintReport report = lint(model, "tvm");
  ASSERT_EQ(report.findings.size(), 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].rule, "tvm/scales");
  EXPECT_EQ(report.findings[0].numbers, "axes 2 and 3: 1 of 4 outputs copy another input");
}

TEST(Lint, RefusedNodeHasNoOtherFindingsOfThatRuntime) {
  const LintReport report =
      lint(resize_model({1, 2, 0.7f, 2}, {attribute("mode", "linear"), attribute("exclude_outside", int64_t{1})}),
           "onnxruntime");
  for (const LintFinding& finding : report.findings) EXPECT_EQ(finding.kind, "refused");
}

TEST(Lint, FaultsOfTheFileAreErrors) {
  Model model = resize_model({1, 1, 2, 2}, {attribute("mode", "zz")});
  const LintReport report = lint(model);
  EXPECT_EQ(report.errors, 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].rule, "standard/attribute");
}

TEST(Lint, CubicAntialiasOfPytorchsExportersIsFound) {
  const LintReport report = lint(
      resize_model({1, 1, 0.5f, 0.5f}, {attribute("mode", "cubic"), attribute("antialias", int64_t{1})}), "pytorch");
  ASSERT_EQ(report.findings.size(), 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].rule, "pytorch/antialias-cubic");
  EXPECT_THAT(report.findings[0].numbers, HasSubstr("axes 2 and 3: outputs of inputs from 0 to 1 differ by up to 0."));
}

Model cubic_model(const test::Dims& extents, Node sizes) {
  Model model = model_of(19, {declared("x", DataType::kFloat, extents)}, {undeclared("y")});
  model.graph.nodes.push_back(std::move(sizes));
  model.graph.nodes.push_back(node("Resize", {"x", "", "", "s"}, {"y"},
                                   {attribute("mode", "cubic"), attribute("exclude_outside", int64_t{1})}, "up"));
  return model;
}

TEST(Lint, SaysThatShapesAreNotKnown) {
  const LintReport report = lint(cubic_model({1, 2, "h", "w"}, constant("s", int64s({1, 2, 9, 5}))), "openvino");
  ASSERT_EQ(report.findings.size(), 1u) << lint_plain(report);
  EXPECT_EQ(report.findings[0].rule, "openvino/exclude-outside");
  EXPECT_EQ(report.findings[0].numbers, "its shapes are not known");
}

TEST(Lint, AxesOfTheSameSymbolAreNotResized) {
  const LintReport report = lint(cubic_model({1, 2, "h", "w"}, node("Shape", {"x"}, {"s"})), "openvino");
  EXPECT_TRUE(report.findings.empty()) << lint_plain(report);
}

TEST(Lint, AntialiasCountsWhereAxesMayShrink) {
  const auto rules = [](std::vector<float> scales) {
    Model model = model_of(19, {declared("x", DataType::kFloat, {1, 1, "h", "w"})}, {undeclared("y")},
                           {{"s", floats(scales), {}}});
    model.graph.nodes.push_back(
        node("Resize", {"x", "", "s"}, {"y"}, {attribute("mode", "linear"), attribute("antialias", int64_t{1})}, "up"));
    return lint_plain(lint(model, "openvino"));
  };
  EXPECT_THAT(rules({1, 1, 0.5f, 2}), HasSubstr("[openvino/antialias]"));
  EXPECT_THAT(rules({1, 1, 2, 2}), Not(HasSubstr("[openvino/antialias]")));
}

TEST(Lint, ScalesOfUnknownExtents) {
  const auto rules = [](float scale, const char* coordinates) {
    Model model = model_of(19, {declared("x", DataType::kFloat, {1, 1, "h", "w"})}, {undeclared("y")},
                           {{"s", floats({1, 1, scale, 2}), {}}});
    model.graph.nodes.push_back(
        node("Resize", {"x", "", "s"}, {"y"},
             {attribute("mode", "linear"), attribute("coordinate_transformation_mode", coordinates)}, "up"));
    std::string all;
    for (const char* runtime : {"onnxruntime", "openvino"}) all += lint_plain(lint(model, runtime));
    return all;
  };
  EXPECT_THAT(rules(0.7f, "half_pixel"), AllOf(HasSubstr("[onnxruntime/extents]"), HasSubstr("[openvino/extents]")));
  EXPECT_THAT(rules(1.5f, "half_pixel"), Not(HasSubstr("/extents]")));
  EXPECT_THAT(rules(1.5f, "align_corners"), AllOf(HasSubstr("[onnxruntime/length]"), HasSubstr("[openvino/length]")));
  EXPECT_THAT(rules(2, "align_corners"), Not(HasSubstr("/length]")));
}

TEST(Lint, CropsOfUnknownExtents) {
  const auto rules = [](const char* coordinates) {
    Model model =
        model_of(19, {declared("x", DataType::kFloat, {1, 1, "h", "w"}), declared("roi", DataType::kFloat, {8})},
                 {undeclared("y")}, {{"s", int64s({1, 1, 6, 7}), {}}});
    model.graph.nodes.push_back(
        node("Resize", {"x", "roi", "", "s"}, {"y"},
             {attribute("mode", "linear"), attribute("coordinate_transformation_mode", coordinates)}, "up"));
    return lint_plain(lint(model, "onnxruntime"));
  };
  EXPECT_THAT(rules("tf_crop_and_resize"), HasSubstr("[onnxruntime/unchanged-axes]"));
  EXPECT_THAT(rules("half_pixel"), Not(HasSubstr("[onnxruntime/unchanged-axes]")));
}

TEST(Lint, FillsWithSmallNumbersAreTheSameInNarrowTypes) {
  const auto rules = [](Tensor value) {
    Model model = model_of(19, {declared("s", DataType::kInt64, {2})}, {undeclared("y")});
    model.graph.nodes.push_back(node("ConstantOfShape", {"s"}, {"y"}, {attribute("value", std::move(value))}, "fill"));
    return lint_plain(lint(model, "openvino"));
  };
  EXPECT_EQ(rules(int64s({-0x80000000LL})), "no errors, no warnings\n");
  EXPECT_THAT(rules(int64s({0x80000000LL})), HasSubstr("[openvino/wide-types]"));
  EXPECT_EQ(rules(tensor_of<double>(DataType::kDouble, {1}, {0.5})), "no errors, no warnings\n");
  EXPECT_THAT(rules(tensor_of<double>(DataType::kDouble, {1}, {0.1})), HasSubstr("[openvino/wide-types]"));
}

TEST(Lint, EffortIsBounded) {
  Model model = model_of(19, {declared("x", DataType::kFloat, {1, 1, 3000, 3000})}, {undeclared("y")},
                         {{"s", floats({1, 1, 0.31f, 0.37f}), {}}});
  for (int k = 0; k < 3000; ++k)
    model.graph.nodes.push_back(
        node("Resize", {"x", "", "s"}, {"y" + std::to_string(k)}, {attribute("mode", "linear")}));
  const LintReport report = lint(model, "onnxruntime");
  EXPECT_FALSE(report.is_complete);
  EXPECT_THAT(lint_plain(report), HasSubstr("so many nodes that the later ones were not compared"));
}

TEST(Lint, SarifNamesRuleNodeAndFile) {
  const std::string text = lint_sarif(lint(resize_model({1, 1, 0.7f, 2}, {}), "onnxruntime"), "m.onnx");
  EXPECT_THAT(text, HasSubstr("\"version\": \"2.1.0\""));
  EXPECT_THAT(text, HasSubstr("\"ruleId\": \"onnxruntime/extents\""));
  EXPECT_THAT(text, HasSubstr("\"uri\": \"m.onnx\""));
  EXPECT_THAT(text, HasSubstr("\"fullyQualifiedName\": \"up\""));
  EXPECT_THAT(lint_sarif(lint(constant_tile_model()), ""), Not(HasSubstr("locations")));
}

TEST(Catalogue, UnknownRuntimeIsAnError) {
  const auto found = peers::find_peer("onnxruntim");
  EXPECT_EQ(found.status().code(), TESELA_ERROR_VALUE);
  EXPECT_THAT(found.status().message(), HasSubstr("did you mean 'onnxruntime'?"));
}

TEST(Catalogue, IsWrittenAsMarkdownAndJson) {
  EXPECT_THAT(peers::catalogue_markdown(), HasSubstr("| `positions` | other rule |"));
  EXPECT_THAT(peers::catalogue_json(), HasSubstr("\"name\": \"onnxruntime\""));
}

}  // namespace
}  // namespace tesela
