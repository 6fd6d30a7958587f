// SPDX-License-Identifier: Apache-2.0
// Shape inference of every operator, with any known and unknown inputs.
#include "schema/infer.h"

#include <gtest/gtest.h>

#include "schema/described.h"
#include "schema/resize_request.h"

namespace tesela {
namespace {

const Dim kUnknown = {};
Dim dim(int64_t value) {
  return {value, ""};
}
Dim symbol(const char* name) {
  return {-1, name};
}

TensorInfo shaped(std::optional<Dims> dims, DataType type = DataType::kFloat) {
  return {type, std::move(dims), {}, {}};
}
TensorInfo float_scalar(float value) {
  return {DataType::kFloat, Dims{}, make_tensor<float>(DataType::kFloat, {value}, {}), {}};
}
TensorInfo of_length(Dim length, DataType type) {
  return {type, Dims{length}, {}, {}};
}
TensorInfo unknown(DataType type) {
  return {type, {}, {}, {}};
}
TensorInfo propagated(Dims entries) {
  return {DataType::kInt64, Dims{dim(static_cast<int64_t>(entries.size()))}, {}, std::move(entries)};
}

Attribute axes(std::vector<int64_t> values) {
  return {"axes", AttributeKind::kInts, std::move(values)};
}

Result<TensorInfo> inferred(const OpDesc& op, const std::vector<std::optional<TensorInfo>>& inputs) {
  std::vector<const TensorInfo*> pointers;
  for (const auto& input : inputs) pointers.push_back(input ? &*input : nullptr);
  return infer_checked(op, pointers);
}
std::optional<Dims> dims(const OpDesc& op, const std::vector<std::optional<TensorInfo>>& inputs) {
  Result<TensorInfo> info = inferred(op, inputs);
  EXPECT_TRUE(info.ok()) << info.status().message();
  return info.ok() ? info->dims : Dims{symbol("failed")};
}
tesela_status code(const OpDesc& op, const std::vector<std::optional<TensorInfo>>& inputs) {
  return inferred(op, inputs).status().code();
}

TEST(Dim, EqualWithTheSameValueAndSymbol) {
  EXPECT_EQ(symbol("n"), symbol("n"));
  EXPECT_NE(symbol("n"), symbol("m"));
  EXPECT_NE(dim(2), dim(3));
}

// ---- Tile -------------------------------------------------------------------------------------------------

TEST(InferTile, KnownRepeatsMultiply) {
  const Result<TensorInfo> info =
      inferred(make_op("Tile", 13), {shaped(Dims{dim(2), dim(3)}, DataType::kInt8), ints({2, 5})});
  EXPECT_EQ(*info->dims, (Dims{dim(4), dim(15)}));
  EXPECT_EQ(info->type, DataType::kInt8);
}

TEST(InferTile, RepeatOfOneKeepsSymbolAndZeroEmptiesIt) {
  const TensorInfo data = shaped(Dims{dim(2), symbol("n"), symbol("n"), symbol("n")});
  EXPECT_EQ(dims(make_op("Tile", 13), {data, ints({2, 1, 0, 2})}), (Dims{dim(4), symbol("n"), dim(0), kUnknown}));
}

TEST(InferTile, EmptyAxisStaysEmptyForAnyRepeats) {
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{dim(0)}), ints({int64_t{1} << 62})}), Dims{dim(0)});
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{dim(0)}), propagated({kUnknown})}), Dims{dim(0)});
}

TEST(InferTile, UnknownRepeatsGiveTheRank) {
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{dim(2), dim(3)}), unknown(DataType::kInt64)}), Dims(2));
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{dim(2), dim(3)}), of_length(dim(2), DataType::kInt64)}), Dims(2));
}

TEST(InferTile, UsesPartlyKnownRepeats) {
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{dim(2), dim(3)}), propagated({dim(2), symbol("k")})}),
            (Dims{dim(4), kUnknown}));
}

TEST(InferTile, UnknownInputGivesOnlyTheType) {
  const Result<TensorInfo> info = inferred(make_op("Tile", 6), {unknown(DataType::kBool), ints({1})});
  EXPECT_EQ(info->type, DataType::kBool);
  EXPECT_FALSE(info->dims.has_value());
}

TEST(InferTile, ScalarTakesNoRepeats) {
  EXPECT_EQ(dims(make_op("Tile", 13), {shaped(Dims{}), ints({})}), Dims{});
  EXPECT_EQ(code(make_op("Tile", 13), {shaped(Dims{}), ints({1})}), TESELA_ERROR_COUNT);
}

TEST(InferTile, Faults) {  // docs/semantics.md, Tile
  const OpDesc tile = make_op("Tile", 13);
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2), dim(2)}), ints({2})}), TESELA_ERROR_COUNT);  // test_traps.py 3
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2), dim(2)}), of_length(dim(3), DataType::kInt64)}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2)}), ints({-1})}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {shaped(Dims{dim(3)}), ints({6148914691236517206})}), TESELA_ERROR_SHAPE);  // test_traps.py 5
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2)}), shaped(Dims{dim(1), dim(1)}, DataType::kInt64)}), TESELA_ERROR_RANK);
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2)}), unknown(DataType::kInt32)}), TESELA_ERROR_TYPE);
  EXPECT_EQ(code(tile, {shaped(Dims{dim(2)})}), TESELA_ERROR_COUNT);
}

TEST(InferTile, MessagesNameOperatorInputAndWhatIsAllowed) {
  EXPECT_EQ(inferred(make_op("Tile", 13), {shaped(Dims{dim(2), dim(2)}), ints({2})}).status().message(),
            "Tile-13: input 'repeats' has length 1; expected 2 (the rank of 'input')");
}

TEST(InferTile1, RepeatsOneAxis) {
  const TensorInfo data = shaped(Dims{dim(2), symbol("n"), dim(4)});
  EXPECT_EQ(dims(make_op("Tile", 1), {data, float_scalar(3), float_scalar(2)}), (Dims{dim(2), symbol("n"), dim(12)}));
  EXPECT_EQ(dims(make_op("Tile", 1), {data, ints({3}), ints({-3})}), (Dims{dim(6), symbol("n"), dim(4)}));
  EXPECT_EQ(dims(make_op("Tile", 1), {data, floats({0}), floats({1})}), (Dims{dim(2), dim(0), dim(4)}));
}

TEST(InferTile1, UnknownTilesOrAxis) {
  const TensorInfo data = shaped(Dims{dim(2), dim(3)});
  EXPECT_EQ(dims(make_op("Tile", 1), {data, unknown(DataType::kFloat), float_scalar(1)}), (Dims{dim(2), kUnknown}));
  EXPECT_EQ(dims(make_op("Tile", 1), {data, float_scalar(2), unknown(DataType::kFloat)}), Dims(2));
  for (const Dim& length : {kUnknown, dim(1)})
    EXPECT_EQ(dims(make_op("Tile", 1), {data, of_length(length, DataType::kFloat), float_scalar(0)}),
              (Dims{kUnknown, dim(3)}));
}

TEST(InferTile1, Faults) {
  const OpDesc tile = make_op("Tile", 1);
  const TensorInfo data = shaped(Dims{dim(2), dim(3)});
  EXPECT_EQ(code(tile, {data, float_scalar(1.5f), float_scalar(0)}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {data, float_scalar(std::numeric_limits<float>::infinity()), float_scalar(0)}),
            TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {data, float_scalar(std::numeric_limits<float>::quiet_NaN()), float_scalar(0)}),
            TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {data, float_scalar(-1), float_scalar(0)}), TESELA_ERROR_VALUE);
  EXPECT_EQ(inferred(tile, {data, float_scalar(1), float_scalar(2)}).status().message(),
            "Tile-1: input 'axis' is 2; expected a value in [-2, 1]");
  EXPECT_EQ(code(tile, {data, float_scalar(1), float_scalar(-3)}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {data, floats({1, 2}), float_scalar(0)}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(tile, {data, floats({}), float_scalar(0)}), TESELA_ERROR_VALUE);
  EXPECT_EQ(inferred(tile, {data, shaped(Dims{dim(1), dim(1)}), float_scalar(0)}).status().message(),
            "Tile-1: input 'tiles' has shape 1x1; expected a scalar or one element");
}

TEST(InferTile1, WholeNumbersOfFloatsAreExact) {
  const OpDesc tile = make_op("Tile", 1);
  const TensorInfo data = shaped(Dims{dim(2), dim(3)});
  EXPECT_EQ(dims(tile, {data, float_scalar(0x1p52f), float_scalar(0)}), (Dims{dim(int64_t{1} << 53), dim(3)}));
  EXPECT_EQ(code(tile, {data, float_scalar(0x1p53f), float_scalar(0)}), TESELA_ERROR_VALUE);
}

TEST(InferPromotingTile, PadsTheShorterOfShapeAndRepeats) {  // docs.openvino.ai, Tile-1
  const OpDesc tile = {*find_schema(kOpenvinoDomain, "Tile", 1), "", {}};
  EXPECT_EQ(dims(tile, {shaped(Dims{symbol("n"), dim(3)}), ints({2})}), (Dims{symbol("n"), dim(6)}));
  EXPECT_EQ(dims(tile, {shaped(Dims{dim(3)}), ints({4, 1, 2})}), (Dims{dim(4), dim(1), dim(6)}));
}

TEST(InferPromotingTile, NeedsTheRankAndTheNumberOfRepeats) {
  const OpDesc tile = {*find_schema(kOpenvinoDomain, "Tile", 1), "", {}};
  const Result<TensorInfo> info = inferred(tile, {unknown(DataType::kBool), ints({2, 3})});
  EXPECT_EQ(info->type, DataType::kBool);
  EXPECT_FALSE(info->dims.has_value());
  EXPECT_EQ(dims(tile, {shaped(Dims{dim(3)}), unknown(DataType::kInt64)}), std::nullopt);
}

// ---- ConstantOfShape --------------------------------------------------------------------------------------

TEST(InferConstantOfShape, ConstantInputGivesTheShape) {
  const Result<TensorInfo> info = inferred(make_op("ConstantOfShape", 9), {ints({4, 0, 2})});
  EXPECT_EQ(*info->dims, (Dims{dim(4), dim(0), dim(2)}));
  EXPECT_EQ(info->type, DataType::kFloat);
}

TEST(InferConstantOfShape, TypeComesFromTheValue) {
  const Attribute value = {"value", AttributeKind::kTensor, *Tensor::allocate(DataType::kInt4, {1})};
  EXPECT_EQ(inferred(make_op("ConstantOfShape", 21, {value}), {ints({})})->type, DataType::kInt4);
}

TEST(InferConstantOfShape, EmptyInputAndZeroEntries) {  // test_traps.py 6
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {ints({})}), Dims{});
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {ints({0})}), Dims{dim(0)});
}

TEST(InferConstantOfShape, PropagatedShapeKeepsSymbols) {
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {propagated({dim(2), symbol("N"), kUnknown})}),
            (Dims{dim(2), symbol("N"), kUnknown}));
}

TEST(InferConstantOfShape, KnownLengthGivesTheRank) {
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {of_length(dim(3), DataType::kInt64)}), Dims(3));
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {of_length(symbol("k"), DataType::kInt64)}), std::nullopt);
  EXPECT_EQ(dims(make_op("ConstantOfShape", 9), {unknown(DataType::kInt64)}), std::nullopt);
}

TEST(InferConstantOfShape, Faults) {  // docs/semantics.md, ConstantOfShape
  EXPECT_EQ(code(make_op("ConstantOfShape", 9), {ints({2, -1})}), TESELA_ERROR_SHAPE);
  EXPECT_EQ(code(make_op("ConstantOfShape", 9), {shaped(Dims{}, DataType::kInt64)}), TESELA_ERROR_RANK);
  EXPECT_EQ(code(make_op("ConstantOfShape", 9), {shaped(Dims(2), DataType::kInt64)}), TESELA_ERROR_RANK);
  EXPECT_EQ(code(make_op("ConstantOfShape", 9), {unknown(DataType::kInt32)}), TESELA_ERROR_TYPE);
}

// ---- Resize -----------------------------------------------------------------------------------------------

const TensorInfo kImage = shaped(Dims{symbol("N"), dim(3), dim(10), dim(20)});

TEST(InferResize, SizesSetTheirAxesAndOtherAxesKeepSymbols) {
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({3, 2})}), {kImage, {}, {}, ints({7, 5})}),
            (Dims{symbol("N"), dim(3), dim(5), dim(7)}));  // in the order of axes
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({-1})}), {kImage, {}, {}, ints({7})}),
            (Dims{symbol("N"), dim(3), dim(10), dim(7)}));
}

TEST(InferResize, ScalesRoundTheDoubleProductDown) {  // docs/semantics.md, Resize: output size
  const auto out = [](int64_t n, float scale) {
    return (*dims(make_op("Resize", 13), {shaped(Dims{dim(n)}), {}, floats({scale})}))[0].value;
  };
  EXPECT_EQ(out(10, 0.7f), 6);
  EXPECT_EQ(out(5, 1.4f), 6);
  EXPECT_EQ(out(100, 0.29f), 28);
  EXPECT_EQ(out(49, 1.0f / 49), 0);
  EXPECT_EQ(out(0, 3.f), 0);
}

TEST(InferResize, OnlyScaleOfOneKeepsSymbol) {
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, floats({1, 1, 2, 0.5f})}),
            (Dims{symbol("N"), dim(3), dim(20), dim(10)}));
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, floats({2, 1, 1, 1})}),
            (Dims{kUnknown, dim(3), dim(10), dim(20)}));
}

TEST(InferResize, PropagatedSizesKeepTheirSymbols) {
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, {}, propagated({symbol("N"), dim(3), symbol("H"), kUnknown})}),
            (Dims{symbol("N"), dim(3), symbol("H"), kUnknown}));
}

TEST(InferResize, SizesOfUnknownLengthGiveUnknownExtentsNotFailure) {  // the known defect of onnx's inference
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, {}, of_length(symbol("k"), DataType::kInt64)}), Dims(4));
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, {}, unknown(DataType::kInt64)}), Dims(4));
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, unknown(DataType::kFloat), ints({1, 2, 3, 4})}),
            (Dims{dim(1), dim(2), dim(3), dim(4)}));
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({2, 3})}), {kImage, {}, {}, unknown(DataType::kInt64)}),
            (Dims{symbol("N"), dim(3), kUnknown, kUnknown}));
}

TEST(InferResize, ScalesThatAreNotConstantGiveTheRank) {
  EXPECT_EQ(dims(make_op("Resize", 10), {kImage, unknown(DataType::kFloat)}), Dims(4));
  EXPECT_EQ(dims(make_op("Resize", 11), {kImage, floats({}), unknown(DataType::kFloat)}), Dims(4));
  for (const Dim& length : {dim(4), kUnknown})
    EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, of_length(length, DataType::kFloat)}), Dims(4));
}

TEST(InferResize, GivenSizesCountBesideScalesThatMayBeEmpty) {
  const Dims out = {dim(1), dim(3), dim(5), dim(7)};
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, unknown(DataType::kFloat), ints({1, 3, 5, 7})}), out);
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, floats({2, 1, 1, 1}), unknown(DataType::kInt64)}),
            (Dims{kUnknown, dim(3), dim(10), dim(20)}));
}

TEST(InferResize, UnknownScalesAndSizesGiveTheRank) {
  EXPECT_EQ(dims(make_op("Resize", 13), {kImage, {}, unknown(DataType::kFloat), unknown(DataType::kInt64)}), Dims(4));
}

TEST(InferResize, EmptyTensorCountsAsAbsent) {  // docs/semantics.md, Resize: output size
  EXPECT_EQ(dims(make_op("Resize", 11), {shaped(Dims{dim(2)}), floats({}), floats({}), ints({6})}), Dims{dim(6)});
  EXPECT_EQ(dims(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, floats({3}), ints({})}), Dims{dim(6)});
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, floats({}), ints({})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(make_op("Resize", 11), {shaped(Dims{dim(2)}), floats({}), floats({})}), TESELA_ERROR_COUNT);
}

TEST(InferResize, ExactlyOneOfScalesAndSizes) {
  for (const int64_t opset : {11, 13, 18, 19})
    EXPECT_EQ(code(make_op("Resize", opset), {shaped(Dims{dim(2)}), floats({}), floats({2}), ints({4})}),
              TESELA_ERROR_COUNT);
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)})}), TESELA_ERROR_COUNT);
  // The length of both is known and not zero, although no value is.
  EXPECT_EQ(code(make_op("Resize", 13),
                 {shaped(Dims{dim(2)}), {}, of_length(dim(1), DataType::kFloat), of_length(dim(1), DataType::kInt64)}),
            TESELA_ERROR_COUNT);
}

TEST(InferResize, CountsOfEntries) {
  const OpDesc some = make_op("Resize", 18, {axes({2, 3})});
  EXPECT_EQ(code(some, {kImage, {}, floats({1, 1, 2, 2})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(some, {kImage, {}, {}, ints({1, 2, 3})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(some, {kImage, {}, of_length(dim(3), DataType::kFloat)}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(make_op("Resize", 13), {kImage, {}, {}, of_length(dim(3), DataType::kInt64)}), TESELA_ERROR_COUNT);
  EXPECT_EQ(inferred(make_op("Resize", 18), {kImage, {}, floats({1, 1, 2})}).status().message(),
            "Resize-18: input 'scales' has length 3; expected 4 (the rank of X)");
  TensorInfo without_shape = floats({1, 1, 2});
  without_shape.dims.reset();
  EXPECT_EQ(code(make_op("Resize", 18), {kImage, {}, without_shape}), TESELA_ERROR_COUNT);
}

TEST(InferResize, ScalesMustBeFiniteAndPositive) {
  for (const float scale :
       {0.f, -2.f, -0.f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, floats({scale})}), TESELA_ERROR_VALUE) << scale;
}

TEST(InferResize, SizesMayBeZeroButNotNegative) {  // docs/semantics.md, Resize: output size
  EXPECT_EQ(dims(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, {}, ints({0})}), Dims{dim(0)});
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, {}, ints({-1})}), TESELA_ERROR_VALUE);
}

TEST(InferResize, EmptyAxisCannotGrow) {
  EXPECT_EQ(dims(make_op("Resize", 13), {shaped(Dims{dim(0)}), {}, {}, ints({0})}), Dims{dim(0)});
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(0)}), {}, {}, ints({4})}), TESELA_ERROR_SHAPE);
}

TEST(InferResize, EmptyAxisMayHaveAnUnknownSize) {
  EXPECT_EQ(dims(make_op("Resize", 13), {shaped(Dims{dim(0)}), {}, {}, propagated({symbol("H")})}), Dims{symbol("H")});
}

TEST(InferResize, ControlInputsAreOneDimensional) {
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, float_scalar(2)}), TESELA_ERROR_RANK);
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}), {}, {}, shaped(Dims{dim(1), dim(1)}, DataType::kInt64)}),
            TESELA_ERROR_RANK);
}

TEST(InferResize, RejectsAxesOutOfRangeOrRepeated) {  // docs/semantics.md, Resize: output size
  for (const std::vector<int64_t>& wrong : {std::vector<int64_t>{4}, {-5}, {2, -2}, {1, 1}, {INT64_MIN}, {INT64_MAX}})
    EXPECT_EQ(code(make_op("Resize", 18, {axes(wrong)}), {kImage, {}, {}, unknown(DataType::kInt64)}),
              TESELA_ERROR_VALUE);
}

TEST(InferResize, AxesOutOfRangeAreNamedWithTheRange) {
  EXPECT_EQ(
      inferred(make_op("Resize", 18, {axes({0, 4})}), {kImage, {}, {}, unknown(DataType::kInt64)}).status().message(),
      "Resize-18: attribute 'axes': entry 1 is 4; expected a value in [-4, 3]");
}

TEST(InferResize, EmptyAxesWithoutEntriesIsIdentity) {  // docs/semantics.md, Resize: output size
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({})}), {kImage}), kImage.dims);
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({})}), {kImage, {}, floats({}), ints({})}), kImage.dims);
  EXPECT_EQ(dims(make_op("Resize", 13), {shaped(Dims{}), {}, {}, ints({})}), Dims{});
}

TEST(InferResize, EmptyAxesWithRankEntriesMeansAllAxes) {  // docs/semantics.md, Resize: output size
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({})}), {kImage, {}, floats({1, 1, 2, 2})}),
            (Dims{symbol("N"), dim(3), dim(20), dim(40)}));
  EXPECT_EQ(dims(make_op("Resize", 18, {axes({})}), {shaped(Dims{dim(2)}), {}, {}, ints({5})}), Dims{dim(5)});
  EXPECT_EQ(code(make_op("Resize", 18, {axes({})}), {kImage, {}, floats({2, 2})}), TESELA_ERROR_COUNT);
}

TEST(InferResize, PolicyTakesOneScaleForAllListedAxes) {  // docs/semantics.md, Resize: output size
  const auto out = [](const char* policy, Dims in, const std::vector<int64_t>& sizes) {
    return *dims(make_op("Resize", 18, {text("keep_aspect_ratio_policy", policy)}),
                 {shaped(std::move(in)), {}, {}, ints(sizes)});
  };
  EXPECT_EQ(out("not_larger", {dim(2), dim(2)}, {7, 8}), (Dims{dim(7), dim(7)}));  // backend tests
  EXPECT_EQ(out("not_smaller", {dim(2), dim(2)}, {7, 8}), (Dims{dim(8), dim(8)}));
  EXPECT_EQ(out("not_larger", {dim(2), dim(4)}, {1, 3}), (Dims{dim(1), dim(2)}));
  EXPECT_EQ(out("not_smaller", {dim(2), dim(4)}, {1, 3}), (Dims{dim(2), dim(3)}));  // 1.5 rounds up
  EXPECT_EQ(out("not_smaller", {dim(1), dim(1), dim(3), dim(7)}, {1, 1, 6, 7}),
            (Dims{dim(2), dim(2), dim(6), dim(14)}));
  EXPECT_EQ(out("not_larger", {dim(100), dim(50)}, {29, 50}), (Dims{dim(29), dim(15)}));  // test_traps 42: 14.5 exactly
}

TEST(InferResize, PolicyNeedsAllListedExtents) {  // docs/semantics.md, Resize: output size
  const OpDesc op = make_op("Resize", 18, {axes({0, 3}), text("keep_aspect_ratio_policy", "not_larger")});
  EXPECT_EQ(dims(op, {kImage, {}, {}, ints({1, 5})}), (Dims{kUnknown, dim(3), dim(10), kUnknown}));
  EXPECT_EQ(dims(op, {shaped(Dims{dim(1), dim(3), dim(10), dim(20)}), {}, {}, propagated({dim(1), symbol("W")})}),
            (Dims{kUnknown, dim(3), dim(10), kUnknown}));
}

TEST(InferResize, PolicyWithScalesIsRefused) {  // docs/semantics.md, Resize: output size
  const OpDesc op = make_op("Resize", 18, {text("keep_aspect_ratio_policy", "not_larger")});
  EXPECT_EQ(code(op, {shaped(Dims{dim(2)}), {}, floats({2})}), TESELA_ERROR_ATTRIBUTE);
}

TEST(InferResize, PolicyWithEmptyAxes) {
  // docs/semantics.md, Resize: output size: an axis that stays empty has no vote
  const OpDesc op = make_op("Resize", 18, {text("keep_aspect_ratio_policy", "not_larger")});
  EXPECT_EQ(dims(op, {shaped(Dims{dim(0), dim(4)}), {}, {}, ints({0, 8})}), (Dims{dim(0), dim(8)}));
  EXPECT_EQ(dims(op, {shaped(Dims{dim(0)}), {}, {}, ints({0})}), Dims{dim(0)});
  EXPECT_EQ(dims(op, {shaped(Dims{dim(3), dim(4)}), {}, {}, ints({0, 8})}), (Dims{dim(0), dim(0)}));
  EXPECT_EQ(code(op, {shaped(Dims{dim(0), dim(4)}), {}, {}, ints({3, 8})}), TESELA_ERROR_SHAPE);
}

TEST(InferResize, ExtentsBeyondSixtyThreeBitsAreRefused) {
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(int64_t{1} << 40)}), {}, floats({1e30f})}),
            TESELA_ERROR_SHAPE);
  const OpDesc policy = make_op("Resize", 18, {text("keep_aspect_ratio_policy", "not_smaller")});
  EXPECT_EQ(code(policy, {shaped(Dims{dim(1), dim(int64_t{1} << 40)}), {}, {}, ints({INT64_MAX, 1})}),
            TESELA_ERROR_SHAPE);
  EXPECT_EQ(dims(policy, {shaped(Dims{dim(1)}), {}, {}, ints({INT64_MAX})}), Dims{dim(INT64_MAX)});
}

TEST(InferResize, RoiDoesNotAffectShape) {  // test_traps.py 13
  EXPECT_EQ(dims(make_op("Resize", 13, {text("coordinate_transformation_mode", "tf_crop_and_resize")}),
                 {shaped(Dims{dim(4)}), floats({0.25f, 0.75f}), floats({2})}),
            Dims{dim(8)});
}

TEST(InferResize, UnknownInputGivesOnlyTheType) {
  const Result<TensorInfo> info = inferred(make_op("Resize", 13), {unknown(DataType::kUint8), {}, floats({2})});
  EXPECT_EQ(info->type, DataType::kUint8);
  EXPECT_FALSE(info->dims.has_value());
}

// ---- Interpolate -----------------------------------------------------------------------------------------------

OpDesc interpolate(int64_t opset, const char* calculation) {
  return {*find_schema(kOpenvinoDomain, "Interpolate", opset),
          "",
          {text("mode", "nearest"), text("shape_calculation_mode", calculation)}};
}
OpDesc interpolate_1(std::vector<int64_t> on) {
  return {*find_schema(kOpenvinoDomain, "Interpolate", 1), "", {text("mode", "nearest"), axes(std::move(on))}};
}

const std::optional<TensorInfo> kNoSizes = unknown(DataType::kInt64);
const std::optional<TensorInfo> kNoScales = unknown(DataType::kFloat);

TEST(InferInterpolate, SizesOrScalesOfAllAxesOrSome) {
  const Dims all = {dim(1), dim(3), dim(5), dim(7)};
  const Dims some = {symbol("N"), dim(3), dim(5), dim(60)};
  EXPECT_EQ(dims(interpolate_1({2, 3}), {kImage, ints({5, 60})}), some);
  EXPECT_EQ(dims(interpolate(4, "sizes"), {kImage, ints({1, 3, 5, 7}), kNoScales}), all);
  EXPECT_EQ(dims(interpolate(4, "sizes"), {kImage, ints({60, 5}), kNoScales, ints({3, 2})}), some);
  EXPECT_EQ(dims(interpolate(4, "scales"), {kImage, kNoSizes, floats({0.5f, 3}), ints({2, 3})}), some);
  EXPECT_EQ(dims(interpolate(11, "sizes"), {kImage, ints({1, 3, 5, 7})}), all);
  EXPECT_EQ(dims(interpolate(11, "scales"), {kImage, floats({3}), ints({3})}),
            (Dims{symbol("N"), dim(3), dim(10), dim(60)}));
}

TEST(InferInterpolate, UnknownAxesGiveTheRank) {
  for (const TensorInfo& axes : {unknown(DataType::kInt64), of_length(dim(2), DataType::kInt64)}) {
    EXPECT_EQ(dims(interpolate(4, "sizes"), {kImage, ints({5, 7}), kNoScales, axes}), Dims(4));
    EXPECT_EQ(dims(interpolate(11, "scales"), {kImage, floats({2, 2}), axes}), Dims(4));
  }
}

TEST(InferInterpolate, UnknownSizesOrScalesLeaveTheirAxes) {
  const Dims out = {symbol("N"), dim(3), kUnknown, kUnknown};
  for (const TensorInfo& scales :
       {unknown(DataType::kFloat), of_length(kUnknown, DataType::kFloat), of_length(dim(2), DataType::kFloat)})
    EXPECT_EQ(dims(interpolate(4, "scales"), {kImage, kNoSizes, scales, ints({2, 3})}), out);
  for (const TensorInfo& sizes :
       {unknown(DataType::kInt64), of_length(kUnknown, DataType::kInt64), of_length(dim(2), DataType::kInt64)})
    EXPECT_EQ(dims(interpolate(4, "sizes"), {kImage, sizes, kNoScales, ints({2, 3})}), out);
  for (const char* calculation : {"sizes", "scales"})
    EXPECT_EQ(dims(interpolate(11, calculation), {kImage, unknown(DataType::kUndefined), ints({2, 3})}), out);
}

TEST(InferInterpolate, EmptyAxesKeepTheShape) {
  EXPECT_EQ(dims(interpolate_1({}), {kImage, ints({})}), kImage.dims);
  EXPECT_EQ(dims(interpolate(4, "scales"), {kImage, kNoSizes, floats({}), ints({})}), kImage.dims);
  const OpDesc op = interpolate(11, "sizes");
  const TensorInfo none = ints({});
  EXPECT_EQ(dims(op, {kImage, none, none}), kImage.dims);
  const TensorInfo* inputs[] = {&kImage, &none, &none};
  EXPECT_EQ(read_resize_request(op, 4, inputs)->given, ResizeRequest::Given::kNothing);
}

TEST(InferInterpolate, Faults) {
  const auto message = [](const OpDesc& op, const std::vector<std::optional<TensorInfo>>& inputs) {
    return inferred(op, inputs).status().message();
  };
  const TensorInfo two = ints({5, 7});
  const TensorInfo matrix = shaped(Dims{dim(1), dim(2)}, DataType::kInt64);
  EXPECT_EQ(message(interpolate(4, "sizes"), {kImage, two, kNoScales, matrix}),
            "Interpolate-4: input 'axes' has rank 2; expected 1");
  EXPECT_EQ(message(interpolate(4, "scales"), {kImage, kNoSizes, shaped(Dims{dim(1), dim(2)}), two}),
            "Interpolate-4: 'axes': entry 0 is 5; expected 0 to 3");
  EXPECT_EQ(message(interpolate(4, "scales"), {kImage, kNoSizes, shaped(Dims{dim(1), dim(2)})}),
            "Interpolate-4: input 'scales' has rank 2; expected 1");
  EXPECT_EQ(message(interpolate(4, "scales"), {kImage, kNoSizes, of_length(dim(3), DataType::kFloat), ints({2, 3})}),
            "Interpolate-4: input 'scales' has length 3; expected 2 (one for each axis)");
  EXPECT_EQ(message(interpolate(11, "sizes"), {kImage, two}),
            "Interpolate-11: input 'scales_or_sizes' has length 2; expected 4 (one for each axis)");
  EXPECT_EQ(message(interpolate(11, "sizes"), {kImage, matrix}),
            "Interpolate-11: input 'scales_or_sizes' has rank 2; expected 1");
  EXPECT_EQ(
      message(interpolate(11, "scales"), {kImage, two, ints({2, 3})}),
      "Interpolate-11: input 'scales_or_sizes' has type int64 under shape_calculation_mode scales; expected a float "
      "type");
}

// ---- Upsample ---------------------------------------------------------------------------------------------

TEST(InferUpsample, ScalesInAttributesOrInput) {
  const OpDesc first = make_op(
      "Upsample", 1, {{"height_scale", AttributeKind::kFloat, 2.f}, {"width_scale", AttributeKind::kFloat, 1.5f}});
  EXPECT_EQ(dims(first, {kImage}), (Dims{symbol("N"), dim(3), dim(20), dim(30)}));
  const OpDesc seventh = make_op("Upsample", 7, {{"scales", AttributeKind::kFloats, std::vector<float>{1, 1, 2, 2}}});
  EXPECT_EQ(dims(seventh, {kImage}), (Dims{symbol("N"), dim(3), dim(20), dim(40)}));
  EXPECT_EQ(dims(make_op("Upsample", 9), {kImage, floats({1, 1, 3, 1})}),
            (Dims{symbol("N"), dim(3), dim(30), dim(20)}));
  EXPECT_EQ(dims(make_op("Upsample", 9), {kImage, unknown(DataType::kFloat)}), Dims(4));
}

TEST(InferUpsample, Faults) {
  EXPECT_EQ(code(make_op("Upsample", 9), {kImage, floats({1, 1, 0.5f, 1})}), TESELA_ERROR_VALUE);
  EXPECT_EQ(code(make_op("Upsample", 9), {kImage, floats({1, 1})}), TESELA_ERROR_COUNT);
  EXPECT_EQ(code(make_op("Upsample", 7, {{"scales", AttributeKind::kFloats, std::vector<float>{2}}}), {kImage}),
            TESELA_ERROR_COUNT);
  const std::vector<Attribute> scales = {{"height_scale", AttributeKind::kFloat, 2.f},
                                         {"width_scale", AttributeKind::kFloat, 0.9f}};
  EXPECT_EQ(inferred(make_op("Upsample", 1, scales), {kImage}).status().message(),
            "Upsample-1: attribute 'width_scale': entry 0 is 0.9; expected at least 1, since Upsample only grows");
  EXPECT_EQ(inferred(make_op("Upsample", 1, {number("height_scale", 0.9f), number("width_scale", 2)}), {kImage})
                .status()
                .message(),
            "Upsample-1: attribute 'height_scale': entry 0 is 0.9; expected at least 1, since Upsample only grows");
  EXPECT_EQ(inferred(make_op("Upsample", 7, {{"scales", AttributeKind::kFloats, std::vector<float>{1, 1, 1, 0.5f}}}),
                     {kImage})
                .status()
                .message(),
            "Upsample-7: attribute 'scales': entry 3 is 0.5; expected at least 1, since Upsample only grows");
  EXPECT_EQ(code(make_op("Upsample", 1, scales), {shaped(Dims{dim(2)})}), TESELA_ERROR_RANK);
}

// ---- Unchecked descriptions -------------------------------------------------------------------------------

TEST(InferChecked, FaultsOfAttributesAndTypesComeFirst) {
  EXPECT_EQ(code(make_op("Resize", 13, {text("mode", "area")}), {shaped(Dims{dim(2)})}), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(code(make_op("Resize", 13), {shaped(Dims{dim(2)}, DataType::kInt4), {}, floats({2})}), TESELA_ERROR_TYPE);
  EXPECT_EQ(code(make_op("Tile", 13), {}), TESELA_ERROR_COUNT);
}

TEST(DimsText, ShowsKnownAndUnknownDims) {
  EXPECT_EQ(dims_text(std::nullopt), "unknown");
  EXPECT_EQ(dims_text(Dims{}), "scalar");
  EXPECT_EQ(dims_text(Dims{dim(2), symbol("N"), kUnknown}), "2xNx?");
}

}  // namespace
}  // namespace tesela
