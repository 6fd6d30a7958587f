// SPDX-License-Identifier: Apache-2.0
// Inference by the rules of other operators.
#include "shapes/shape_rule.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "graph/model_builder.h"

namespace tesela {
namespace {

using namespace tesela::test;

KnownValue shaped(const test::Dims& dims, DataType type = DataType::kFloat) {
  KnownValue value;
  value.type = type;
  value.dims.emplace();
  for (const Dim& dim : dims) value.dims->push_back(dim);
  return value;
}

// An int64 list of numbers, symbols and unknowns.
KnownValue listed(const test::Dims& entries) {
  KnownValue value;
  Entries list;
  for (const Dim& entry : entries) list.push_back({entry.known(), entry.known() ? entry.value : 0, 0, entry.symbol});
  set_entries(value, DataType::kInt64, {Dim{static_cast<int64_t>(entries.size()), ""}}, list);
  return value;
}

KnownValue numbers(const std::vector<int64_t>& values) {
  Entries list;
  for (const int64_t value : values) list.push_back({true, value});
  KnownValue known;
  set_entries(known, DataType::kInt64, {Dim{static_cast<int64_t>(values.size()), ""}}, list);
  return known;
}

Attribute ints(const char* name, std::vector<int64_t> values) {
  return attribute(name, std::move(values));
}

KnownValue scalar(int64_t value) {
  KnownValue known;
  set_entries(known, DataType::kInt64, {}, {{true, value}});
  return known;
}

std::vector<KnownValue> outputs(std::string_view type, const std::vector<KnownValue>& inputs,
                                std::vector<Attribute> attributes = {}, int64_t opset = 19, size_t count = 1) {
  std::vector<const KnownValue*> given;
  for (const KnownValue& input : inputs) given.push_back(&input);
  const Node made = node(std::string(type), {}, {}, std::move(attributes));
  std::vector<KnownValue> out(count);
  const ShapeRule* rule = find_shape_rule(type, opset);
  EXPECT_NE(rule, nullptr) << type;
  if (rule) rule->rule(RuleNode(made, given), out);
  return out;
}

template <class... More>
std::string dims_of(std::string_view type, const std::vector<KnownValue>& inputs, More... more) {
  return dims_text(outputs(type, inputs, more...)[0].dims);
}

template <class... More>
std::string entries_of_output(std::string_view type, const std::vector<KnownValue>& inputs, More... more) {
  const auto entries = entries_of(outputs(type, inputs, more...)[0]);
  if (!entries) return "unknown";
  std::string text;
  for (const Entry& entry : *entries)
    text += (text.empty() ? "" : " ") + (!entry.symbol.empty() ? entry.symbol.text()
                                         : entry.known         ? std::to_string(entry.integer)
                                                               : "?");
  return text;
}

TEST(ShapeRules, EachOperatorAndVersionHasOneRow) {
  std::set<std::pair<std::string_view, int64_t>> rows;
  for (const auto rules : all_shape_rules())
    for (const ShapeRule& rule : rules) {
      EXPECT_TRUE(rows.emplace(rule.type, rule.since).second) << rule.type << "-" << rule.since;
      EXPECT_FALSE(is_known_operator("", rule.type)) << rule.type;
    }
  EXPECT_EQ(find_shape_rule("Squeeze", 12)->since, 1);
  EXPECT_EQ(find_shape_rule("Squeeze", 25)->since, 13);
  std::string versions;  // in which ONNX added or changed each operator, as far as rules tell them apart
  for (const auto& [type, since] : rows) versions += std::string(type) + "-" + std::to_string(since) + " ";
  EXPECT_EQ(versions,
            "Abs-1 Acos-7 Add-1 Add-7 And-7 ArgMax-1 ArgMin-1 Asin-7 Atan-7 AveragePool-1 BatchNormalization-1 "
            "BitwiseNot-18 Cast-6 Ceil-1 Celu-12 Clip-1 Concat-1 Conv-1 ConvTranspose-1 Cos-7 CumSum-11 "
            "DepthToSpace-1 DequantizeLinear-10 Div-1 Div-7 Dropout-1 Elu-1 Equal-7 Erf-9 Exp-1 Expand-8 "
            "Flatten-1 Floor-1 Gather-1 GatherElements-11 Gelu-20 Gemm-1 GlobalAveragePool-1 GlobalLpPool-1 "
            "GlobalMaxPool-1 Greater-7 GreaterOrEqual-12 GroupNormalization-18 HardSigmoid-1 HardSwish-14 "
            "Hardmax-1 InstanceNormalization-1 IsInf-10 IsNaN-9 LRN-1 LayerNormalization-17 LeakyRelu-1 Less-7 "
            "LessOrEqual-12 Log-1 LogSoftmax-1 LpNormalization-1 LpPool-2 MatMul-1 Max-8 MaxPool-1 Mean-8 "
            "MeanVarianceNormalization-9 Min-8 Mish-18 Mod-10 Mul-1 Mul-7 Neg-1 Not-1 Or-7 PRelu-1 Pad-1 Pad-2 "
            "Pad-11 Pow-7 QuantizeLinear-10 RMSNormalization-23 Range-11 Reciprocal-1 ReduceL1-1 ReduceL1-18 "
            "ReduceL2-1 ReduceL2-18 ReduceLogSum-1 ReduceLogSum-18 ReduceLogSumExp-1 ReduceLogSumExp-18 "
            "ReduceMax-1 ReduceMax-18 ReduceMean-1 ReduceMean-18 ReduceMin-1 ReduceMin-18 ReduceProd-1 "
            "ReduceProd-18 ReduceSum-1 ReduceSum-13 ReduceSumSquare-1 ReduceSumSquare-18 Relu-1 Reshape-1 "
            "Reshape-5 Round-11 ScatterElements-11 ScatterND-11 Selu-1 Shape-1 Shrink-9 Sigmoid-1 Sign-9 Sin-7 "
            "Size-1 Slice-1 Slice-10 Softmax-1 Softplus-1 Softsign-1 SpaceToDepth-1 Split-2 Split-13 Sqrt-1 "
            "Squeeze-1 Squeeze-13 Sub-1 Sub-7 Sum-8 Swish-24 Tan-7 Tanh-1 ThresholdedRelu-10 Transpose-1 "
            "Trilu-14 Unsqueeze-1 Unsqueeze-13 Where-9 Xor-7 ");
  EXPECT_EQ(find_shape_rule("Range", 10), nullptr);
  EXPECT_EQ(find_shape_rule("Frobnicate", 19), nullptr);
}

TEST(ShapeRules, BroadcastingKeepsKnownDims) {
  EXPECT_EQ(dims_of("Add", {shaped({"N", 1, 4}), shaped({3, 1})}), "Nx3x4");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({"N"})}), "N");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({"M"})}), "?");
  EXPECT_EQ(dims_of("Add", {shaped({"N"}), shaped({5})}), "5");  // the other is 1 or 5
  EXPECT_EQ(dims_of("Add", {shaped({2}), shaped({3})}), "?");    // which is invalid
  EXPECT_EQ(dims_of("Add", {shaped({2, 3}), shaped({3})}, std::vector<Attribute>{}, 6), "2x3");
}

TEST(ShapeRules, EntriesOfShapes) {
  const KnownValue shape = listed({"N", 3, "H", "?"});
  EXPECT_EQ(entries_of_output("Gather", {shape, numbers({2, -4})}), "H N");
  EXPECT_EQ(entries_of_output("Gather", {shape, scalar(1)}), "3");
  EXPECT_EQ(dims_of("Gather", {shape, scalar(1)}), "scalar");
  EXPECT_EQ(entries_of_output("Gather", {shape, numbers({4})}), "?");  // out of range: unknown
  EXPECT_EQ(entries_of_output("Slice", {shape, numbers({1}), numbers({INT64_MAX})}), "3 H ?");
  EXPECT_EQ(entries_of_output("Slice", {shape, numbers({-1}), numbers({INT64_MIN}), numbers({0}), numbers({-2})}),
            "? 3");
  EXPECT_EQ(entries_of_output("Concat", {listed({"N"}), numbers({7})}, std::vector{attribute("axis", int64_t{0})}),
            "N 7");
  EXPECT_EQ(entries_of_output("Mul", {listed({"N", 3, 4}), numbers({1, 2, 0})}), "N 6 0");
  EXPECT_EQ(entries_of_output("Mul", {listed({"N", 3}), scalar(2)}), "? 6");
  EXPECT_EQ(entries_of_output("Range", {scalar(2), scalar(9), scalar(3)}), "2 5 8");
  EXPECT_EQ(dims_of("Range", {scalar(0), listed({"N"}), scalar(1)}), "N");
  EXPECT_EQ(dims_of("Range", {scalar(0), scalar(INT64_MAX), scalar(1)}), std::to_string(INT64_MAX));
  EXPECT_EQ(dims_of("Range", {scalar(5), scalar(0), scalar(1)}), "0");
  EXPECT_EQ(dims_of("Range", {scalar(5), scalar(0), scalar(0)}), "?");
}

TEST(ShapeRules, SlicesOfTensors) {
  const KnownValue x = shaped({"N", 10, "H"});
  EXPECT_EQ(dims_of("Slice", {x, numbers({0}), numbers({INT64_MAX}), numbers({0})}), "Nx10xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({1, 2}), numbers({INT64_MAX, 5}), numbers({-1, 1})}), "Nx3x?");
  EXPECT_EQ(dims_of("Slice", {x, numbers({-3}), numbers({-9}), numbers({1}), numbers({-2})}), "Nx3xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({9}), numbers({0}), numbers({1}), numbers({INT64_MIN})}), "Nx1xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({5}), numbers({2}), numbers({1})}), "Nx0xH");
  EXPECT_EQ(dims_of("Slice", {x, listed({"?"}), numbers({2}), numbers({1})}), "Nx?xH");
  EXPECT_EQ(dims_of("Slice", {x, numbers({0}), numbers({2}), numbers({7})}), "?x?x?");
  const std::vector<Attribute> old = {attribute("starts", std::vector<int64_t>{1}),
                                      attribute("ends", std::vector<int64_t>{3}),
                                      attribute("axes", std::vector<int64_t>{1})};
  EXPECT_EQ(dims_of("Slice", {x}, old, 9), "Nx2xH");
}

TEST(ShapeRules, ExtentsAreAListOfInt64) {
  EXPECT_EQ(dims_of("Reshape", {shaped({6}), scalar(6)}), "unknown");
  EXPECT_EQ(dims_of("Expand", {shaped({6}), scalar(6)}), "unknown");
  KnownValue narrow;
  set_entries(narrow, DataType::kInt32, {Dim{1, ""}}, {{true, 6}});
  EXPECT_EQ(dims_of("Reshape", {shaped({6}), narrow}), "unknown");
}

TEST(ShapeRules, ReshapeDividesSymbolsAway) {
  const KnownValue x = shaped({"N", 3, "H", 4});
  EXPECT_EQ(dims_of("Reshape", {x, numbers({0, -1, 0, 0})}), "Nx3xHx4");
  EXPECT_EQ(dims_of("Reshape", {x, listed({"N", 12, "H"})}), "Nx12xH");
  EXPECT_EQ(dims_of("Reshape", {shaped({"N", 3, "H", 4}), numbers({0, 12, -1})}), "Nx12xH");
  for (const char* symbol : {"N", "M"}) {
    KnownValue open;
    set_entries(open, DataType::kInt64, {Dim{2, ""}}, {{false, 0, 0, symbol}, {true, -1}});
    EXPECT_EQ(dims_of("Reshape", {shaped({"N", 6}), open}), symbol == std::string_view("N") ? "Nx6" : "Mx?");
  }
  EXPECT_EQ(dims_of("Reshape", {shaped({"?", 6}), numbers({0, 2, -1})}), "?x2x3");
  EXPECT_EQ(dims_of("Reshape", {shaped({5, 6}), numbers({-1})}), "30");
  EXPECT_EQ(dims_of("Reshape", {shaped({5, 6}), numbers({-1, 7})}), "?x7");
  EXPECT_EQ(dims_of("Reshape", {shaped({int64_t{1} << 62, 8}), numbers({-1})}), "?");
  EXPECT_EQ(dims_of("Reshape",
                    {
                        x,
                        numbers({-1, 0}),
                    },
                    std::vector{attribute("allowzero", int64_t{1})}),
            "?x0");
}

TEST(ShapeRules, WindowsThatKeepAnExtentKeepItsSymbol) {
  const KnownValue weights = shaped({8, 3, 3, 3});
  EXPECT_EQ(dims_of("Conv", {shaped({"N", 3, "H", 10}), weights}, std::vector{ints("pads", {1, 1, 1, 1})}), "Nx8xHx10");
  EXPECT_EQ(dims_of("Conv", {shaped({"N", 3, "H", 10}), weights},
                    std::vector{ints("pads", {1, 1, 1, 1}), ints("strides", {2, 2})}),
            "Nx8x?x5");
  EXPECT_EQ(dims_of("Conv", {shaped({1, 3, 2, 10}), weights}),
            "1x8x?x8");  // smaller than a window: unknown
  EXPECT_EQ(dims_of("Conv", {shaped({1, 3, 9, 10}), weights},
                    std::vector{attribute("auto_pad", "SAME_UPPER"), ints("strides", {2, 2})}),
            "1x8x5x5");
  EXPECT_EQ(dims_of("ConvTranspose", {shaped({1, 8, 5, "W"}), weights}, std::vector{ints("strides", {2, 2})}),
            "1x3x11x?");
  EXPECT_EQ(
      dims_of("MaxPool", {shaped({1, 3, 8, 9})}, std::vector{ints("kernel_shape", {2, 2}), ints("strides", {2, 2})}),
      "1x3x4x4");
  EXPECT_EQ(dims_of("GlobalAveragePool", {shaped({"N", 3, "H", "W"})}), "Nx3x1x1");
  const int64_t most = int64_t{1} << 30;  // of the numbers of a window
  for (const int64_t stride : {most, most + 1})
    EXPECT_EQ(dims_of("Conv", {shaped({1, 3, 9}), shaped({8, 3, 3})}, std::vector{ints("strides", {stride})}),
              stride == most ? "1x8x1" : "1x8x?");
}

TEST(ShapeRules, MatricesAndReductions) {
  EXPECT_EQ(dims_of("MatMul", {shaped({"N", 2, 3}), shaped({3, "K"})}), "Nx2xK");
  EXPECT_EQ(dims_of("MatMul", {shaped({3}), shaped({"N", 3, 4})}), "Nx4");
  EXPECT_EQ(dims_of("MatMul", {shaped({3}), shaped({3})}), "scalar");
  EXPECT_EQ(dims_of("Gemm", {shaped({"N", 3}), shaped({5, 3})}, std::vector{attribute("transB", int64_t{1})}), "Nx5");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3, 4}), numbers({-1})}), "Nx3x1");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3, 4})}, std::vector{attribute("keepdims", int64_t{0})}), "scalar");
  EXPECT_EQ(dims_of("ReduceMean", {shaped({"N", 3}), shaped({1}, DataType::kInt64)}), "unknown");
  EXPECT_EQ(dims_of("ArgMax", {shaped({"N", 3})}, std::vector{attribute("axis", int64_t{1})}), "Nx1");
}

TEST(ShapeRules, ReshapeByAttributeKeepsTheType) {
  const std::vector shape{attribute("shape", std::vector<int64_t>{3, -1})};
  const KnownValue out = outputs("Reshape", {shaped({6}, DataType::kUint8)}, shape, 1)[0];
  EXPECT_EQ(out.type, DataType::kUint8);
  EXPECT_EQ(dims_text(out.dims), "3x2");
}

TEST(ShapeRules, SqueezeRemovesNamedAxesOrThoseOfOne) {
  EXPECT_EQ(dims_of("Squeeze", {shaped({1, "N", 1}), numbers({0})}), "Nx1");
  EXPECT_EQ(dims_of("Squeeze", {shaped({1, "N", 1}), numbers({-1})}), "1xN");
  EXPECT_EQ(dims_of("Squeeze", {shaped({1, 5, 1})}), "5");
  EXPECT_EQ(dims_of("Squeeze", {shaped({1, "N", 1})}), "unknown");
}

TEST(ShapeRules, TransposeTakesAPermutation) {
  const auto order = [](std::vector<int64_t> axes) { return std::vector{ints("perm", std::move(axes))}; };
  EXPECT_EQ(dims_of("Transpose", {shaped({1, "N", 3})}), "3xNx1");
  EXPECT_EQ(dims_of("Transpose", {shaped({1, "N", 3})}, order({1, 2, 0})), "Nx3x1");
  EXPECT_EQ(dims_of("Transpose", {shaped({1, "N", 3})}, order({1, 0})), "unknown");
  EXPECT_EQ(dims_of("Transpose", {shaped({1, "N", 3})}, order({1, 0, 3})), "unknown");
}

TEST(ShapeRules, WhereChoosesEntries) {
  KnownValue which;
  set_entries(which, DataType::kBool, {Dim{3, ""}}, {{true, 1}, {true, 0}, {}});
  EXPECT_EQ(entries_of_output("Where", {which, listed({"N", 2, 3}), numbers({7, 8, 9})}), "N 8 ?");
  KnownValue all;
  set_entries(all, DataType::kBool, {}, {{true, 1}});
  EXPECT_EQ(entries_of_output("Where", {all, listed({"N", 2}), scalar(7)}), "N 2");
}

TEST(ShapeRules, UnknownEntriesAreUnknownExtents) {
  const KnownValue shape = listed({"?", 3});
  ASSERT_TRUE(shape.shape_value);
  EXPECT_EQ((*shape.shape_value)[0].value, -1);
  const auto reshaped = outputs("Reshape", {shaped({"N", 6}), shape})[0];
  ASSERT_TRUE(reshaped.dims);
  EXPECT_EQ((*reshaped.dims)[0].value, -1);
  EXPECT_EQ((*outputs("Expand", {shaped({1}), listed({"?", "M"})})[0].dims)[1].value, -1);
}

TEST(ShapeRules, PaddingCanTakeAllAway) {
  EXPECT_EQ(dims_of("Pad", {shaped({2, "N", "M"}), numbers({1, 0, 1, 0, 0, -1})}), "3xNxM");
  EXPECT_EQ(dims_of("Pad", {shaped({2, "N"}), numbers({0, 1, 0, 0})}), "2x?");
  EXPECT_EQ(dims_of("Pad", {shaped({2, 3}), numbers({-1, 0, -1, 0})}), "0x3");
  EXPECT_EQ(dims_of("Pad", {shaped({2, 3}), numbers({-2, 0, -1, 0})}), "?x3");
}

TEST(ShapeRules, BlocksOfUnknownChannelsAreUnknown) {
  const std::vector block{attribute("blocksize", int64_t{2})};
  EXPECT_EQ(dims_of("DepthToSpace", {shaped({"N", "C", 4, 5})}, block), "Nx?x8x10");
  EXPECT_EQ(dims_of("DepthToSpace", {shaped({"N", 8, 4, "W"})}, block), "Nx2x8x?");
  EXPECT_EQ(dims_of("SpaceToDepth", {shaped({1, "C", "H", 5})}, block), "1x?x?x?");
}

TEST(ShapeRules, MaskOfDropoutIsBool) {
  const auto out = outputs("Dropout", {shaped({2, "N"})}, {}, 13, 2);
  EXPECT_EQ(out[1].type, DataType::kBool);
  EXPECT_EQ(dims_text(out[1].dims), "2xN");
}

TEST(ShapeRules, SplitsNameEachPart) {
  const auto short_ones = outputs("Split", {shaped({5})}, {}, 18, 4);
  EXPECT_EQ(dims_text(short_ones[2].dims), "1");
  EXPECT_EQ(dims_text(short_ones[3].dims), "0");
  const auto even = outputs("Split", {shaped({7, "N"})}, {}, 18, 3);
  EXPECT_EQ(dims_text(even[0].dims) + " " + dims_text(even[2].dims), "3xN 1xN");
  const auto given = outputs("Split", {shaped({7, "N"}), numbers({2, 5})}, {}, 18, 2);
  EXPECT_EQ(dims_text(given[0].dims) + " " + dims_text(given[1].dims), "2xN 5xN");
}

// The type of the only output of a node whose first input is uint8, and whose others are int32.
DataType type_of(std::string_view type, size_t inputs, int64_t opset, std::vector<Attribute> attributes = {}) {
  std::vector<KnownValue> given = {shaped({2, 3, 4, 4}, DataType::kUint8)};
  while (given.size() < inputs) given.push_back(shaped({2, 3, 4, 4}, DataType::kInt32));
  return outputs(type, given, std::move(attributes), opset)[0].type;
}

TEST(ShapeRules, OutputsHaveTheirTypes) {
  struct Case {
    const char* type;
    size_t inputs;
    int64_t opset;
  };
  constexpr Case kOfTheFirst[] = {{"Abs", 1, 13},
                                  {"And", 2, 7},
                                  {"Not", 1, 1},
                                  {"Add", 2, 14},
                                  {"Add", 2, 6},
                                  {"AveragePool", 1, 19},
                                  {"BatchNormalization", 5, 15},
                                  {"BitwiseNot", 1, 18},
                                  {"Clip", 3, 13},
                                  {"Clip", 1, 6},
                                  {"Concat", 2, 13},
                                  {"Conv", 2, 11},
                                  {"ConvTranspose", 2, 11},
                                  {"CumSum", 2, 14},
                                  {"DepthToSpace", 1, 13},
                                  {"Expand", 2, 13},
                                  {"Flatten", 1, 13},
                                  {"Gather", 2, 13},
                                  {"GatherElements", 2, 13},
                                  {"Gemm", 3, 13},
                                  {"GlobalAveragePool", 1, 1},
                                  {"MatMul", 2, 13},
                                  {"Max", 2, 13},
                                  {"MaxPool", 1, 12},
                                  {"PRelu", 2, 16},
                                  {"Pad", 2, 13},
                                  {"Pad", 1, 2},
                                  {"Pow", 2, 15},
                                  {"ReduceMax", 1, 12},
                                  {"ReduceMax", 1, 18},
                                  {"ReduceMax", 2, 18},
                                  {"ReduceSum", 2, 13},
                                  {"ReduceSum", 2, 11},
                                  {"Reshape", 2, 14},
                                  {"ScatterElements", 3, 18},
                                  {"ScatterND", 3, 18},
                                  {"Slice", 3, 13},
                                  {"Softmax", 1, 13},
                                  {"SpaceToDepth", 1, 13},
                                  {"Split", 1, 11},
                                  {"Split", 2, 13},
                                  {"Squeeze", 1, 11},
                                  {"Squeeze", 2, 13},
                                  {"Transpose", 1, 13},
                                  {"Trilu", 2, 14},
                                  {"Unsqueeze", 1, 11},
                                  {"Unsqueeze", 2, 13}};
  for (const Case& each : kOfTheFirst)
    EXPECT_EQ(type_of(each.type, each.inputs, each.opset), DataType::kUint8) << each.type << "-" << each.opset;
  for (const char* type : {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"})
    EXPECT_EQ(type_of(type, 2, 19), DataType::kBool) << type;
  for (const char* type : {"IsInf", "IsNaN"}) EXPECT_EQ(type_of(type, 1, 19), DataType::kBool) << type;
  for (const char* type : {"ArgMax", "ArgMin", "Shape", "Size"})
    EXPECT_EQ(type_of(type, 1, 19), DataType::kInt64) << type;
  EXPECT_EQ(type_of("Where", 3, 16), DataType::kInt32);
  EXPECT_EQ(type_of("DequantizeLinear", 3, 13), DataType::kInt32);
  EXPECT_EQ(type_of("QuantizeLinear", 3, 13), DataType::kInt32);
  EXPECT_EQ(type_of("Cast", 1, 13, {attribute("to", int64_t{11})}), DataType::kDouble);
}

TEST(ShapeRules, UnsqueezeInsertsAxes) {
  EXPECT_EQ(dims_of("Unsqueeze", {shaped({"N", 3}), numbers({0, -1})}), "1xNx3x1");
  EXPECT_EQ(dims_of("Unsqueeze", {shaped({"N", 3})}, std::vector{ints("axes", {1})}, 11), "Nx1x3");
}

TEST(ShapeRules, FlattenMultipliesAxes) {
  EXPECT_EQ(dims_of("Flatten", {shaped({2, 3, "N"})}), "2x?");
  EXPECT_EQ(dims_of("Flatten", {shaped({5, 1, 3})}, std::vector{attribute("axis", int64_t{2})}), "5x3");
  EXPECT_EQ(dims_of("Flatten", {shaped({"N", 1, 3})}, std::vector{attribute("axis", int64_t{-1})}), "Nx3");
  EXPECT_EQ(dims_of("Flatten", {shaped({5, 3})}, std::vector{attribute("axis", int64_t{0})}), "1x15");
}

TEST(ShapeRules, SlicesAreClampedToTheirAxis) {
  const auto slice = [](const test::Dims& dims, int64_t start, int64_t end, int64_t step) {
    return dims_of("Slice", {shaped(dims), numbers({start}), numbers({end}), numbers({0}), numbers({step})});
  };
  EXPECT_EQ(slice({0}, 0, 2, 1), "0");
  EXPECT_EQ(slice({10}, 99, 0, -1), "9");
  EXPECT_EQ(slice({10}, 10, 0, -1), "9");
  EXPECT_EQ(slice({10}, 99, -99, -1), "10");
  EXPECT_EQ(slice({10}, -10, 10, 1), "10");
  EXPECT_EQ(slice({10}, -11, 10, 1), "10");
  EXPECT_EQ(slice({10}, 0, 99, 1), "10");
  const KnownValue unknown_start = shaped({1}, DataType::kInt64);
  const std::vector<KnownValue> open = {listed({"N", 3}), unknown_start, numbers({2})};
  EXPECT_EQ(dims_of("Slice", open), "?");
  EXPECT_EQ(entries_of_output("Slice", open), "unknown");
}

TEST(ShapeRules, TransposedWindows) {
  const auto extent = [](int64_t in, const std::vector<Attribute>& attributes) {
    return dims_of("ConvTranspose", {shaped({1, 8, in}), shaped({8, 3, 1})}, attributes);
  };
  EXPECT_EQ(extent(1, {}), "1x3x1");
  EXPECT_EQ(extent(1, {ints("pads", {1, 0})}), "1x3x0");
  EXPECT_EQ(extent(1, {ints("pads", {1, 1})}), "1x3x?");
  EXPECT_EQ(extent(0, {}), "1x3x?");
  EXPECT_EQ(extent(5, {ints("output_shape", {0})}), "1x3x0");
  EXPECT_EQ(extent(5, {ints("output_shape", {-2})}), "1x3x?");
  EXPECT_EQ(extent(5, {ints("strides", {3}), attribute("auto_pad", "SAME_UPPER")}), "1x3x15");
  EXPECT_EQ(extent(5, {ints("strides", {3}), ints("output_padding", {2})}), "1x3x15");
  EXPECT_EQ(extent(5, {ints("output_padding", {-1})}), "1x3x?");
  EXPECT_EQ(extent(int64_t{1} << 31, {}), "1x3x?");
  EXPECT_EQ(extent(int64_t{1} << 30, {}), "1x3x" + std::to_string(int64_t{1} << 30));
  EXPECT_EQ(
      dims_of("ConvTranspose", {shaped({1, 8, 5}), shaped({8, 3, 1})}, std::vector{attribute("group", int64_t{4})}),
      "1x12x5");
}

TEST(ShapeRules, GemmTakesMatrices) {
  EXPECT_EQ(dims_of("Gemm", {shaped({2, 3, 4}), shaped({4, 5})}), "unknown");
  EXPECT_EQ(dims_of("Gemm", {shaped({2, 3}), shaped({3})}), "unknown");
  EXPECT_EQ(dims_of("Gemm", {shaped({2, "N"}), shaped({2, 5})}, std::vector{attribute("transA", int64_t{1})}), "Nx5");
}

TEST(KnownValue, BytesCountSymbols) {
  const size_t without = bytes_of(shaped({"", 3}));
  EXPECT_EQ(without, sizeof(KnownValue) + 2 * sizeof(Dim));
  EXPECT_EQ(bytes_of(shaped({"abc", 3})), without + 3);
  KnownValue listed_ones;
  set_entries(listed_ones, DataType::kInt32, {Dim{2, ""}}, {{false, 0, 0, "long"}, {true, 2}});
  EXPECT_EQ(bytes_of(listed_ones), sizeof(KnownValue) + sizeof(Dim) + 2 * sizeof(Entry) + 4);
}

// Invalid nodes: any number of inputs and outputs, of any shapes and values, with attributes of wrong kinds.
class Hostile {
 public:
  explicit Hostile(unsigned seed) : random_(seed) {}

  int64_t pick(std::initializer_list<int64_t> values) { return values.begin()[random_() % values.size()]; }
  int64_t number() {
    return pick({0, 1, -1, 2, 3, -2, 64, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 40, -(int64_t{1} << 62)});
  }

  KnownValue value() {
    KnownValue value;
    value.type = static_cast<DataType>(pick({0, 1, 6, 7, 7, 7, 8, 9, 10, 11}));
    const int64_t kind = pick({0, 1, 2, 3});
    if (kind == 0) return value;
    if (kind == 1 && has_entries(value.type)) return with_entries(value.type);
    value.dims.emplace();
    for (int64_t d = pick({0, 1, 2, 3, 4, 5, 64}); d > 0; --d)
      value.dims->push_back(pick({0, 1}) ? Dim{std::max<int64_t>(number(), -1), ""} : Dim{-1, pick({0, 1}) ? "N" : ""});
    return value;
  }

  std::vector<Attribute> attributes() {
    std::vector<Attribute> made;
    for (const char* name :
         {"axis",           "axes",      "perm",  "to",    "kernel_shape", "strides",   "dilations", "pads",
          "starts",         "ends",      "split", "shape", "keepdims",     "blocksize", "group",     "output_shape",
          "output_padding", "ceil_mode", "start", "end",   "auto_pad",     "paddings"}) {
      const int64_t kind = pick({0, 1, 2, 3});
      if (kind == 0) made.push_back(attribute(name, number()));
      if (kind == 1) made.push_back(attribute(name, list()));
      if (kind == 2) made.push_back(attribute(name, pick({0, 1}) ? "SAME_LOWER" : "zz"));
    }
    return made;
  }

 private:
  std::vector<int64_t> list() {
    std::vector<int64_t> values;
    for (int64_t k = pick({0, 1, 2, 3, 4, 8, 200}); k > 0; --k) values.push_back(number());
    return values;
  }

  KnownValue with_entries(DataType type) {
    Entries entries;
    for (int64_t k = pick({0, 1, 2, 3, 4}); k > 0; --k)
      entries.push_back(pick({0, 1, 2}) ? Entry{true, number(), static_cast<double>(number())} : Entry{});
    KnownValue value;
    const bool is_scalar = entries.size() == 1 && pick({0, 1});
    const Dim length = {static_cast<int64_t>(entries.size()), ""};
    set_entries(value, type, is_scalar ? tesela::Dims() : tesela::Dims{length}, std::move(entries));
    return value;
  }

  std::mt19937 random_;
};

TEST(ShapeRules, SurviveHostileNodes) {
  Hostile hostile(1);
  for (const auto rules : all_shape_rules())
    for (const ShapeRule& rule : rules)
      for (int trial = 0; trial < 100; ++trial) {
        std::vector<KnownValue> inputs;
        for (int64_t k = hostile.pick({0, 1, 2, 3, 5}); k > 0; --k) inputs.push_back(hostile.value());
        std::vector<const KnownValue*> given;
        for (const KnownValue& input : inputs) given.push_back(hostile.pick({0, 1, 1}) ? &input : nullptr);
        const Node made = node(std::string(rule.type), {}, {}, hostile.attributes());
        std::vector<KnownValue> out(static_cast<size_t>(hostile.pick({1, 1, 2, 3})));
        rule.rule(RuleNode(made, given), out);
        for (const KnownValue& value : out) {
          for (size_t d = 0; value.dims && d < value.dims->size(); ++d)
            EXPECT_GE((*value.dims)[d].value, -1) << rule.type;
          const auto entries = entries_of(value);
          EXPECT_LE(entries ? entries->size() : 0, kMaxEntries) << rule.type;
        }
      }
}

}  // namespace
}  // namespace tesela
