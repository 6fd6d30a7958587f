// SPDX-License-Identifier: Apache-2.0
// The reference backend on small cases with results computed by hand, for every element type.
#include "backend/reference/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <vector>

#include "types/elements.h"
#include "types/packed.h"

namespace tesela {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

struct Sampling {
  Filter filter = Filter::kLinear;
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  NearestMode nearest = NearestMode::kRoundPreferFloor;
  bool antialias = false;
  bool exclude_outside = false;
  float extrapolation_value = 0;
  double roi_start = 0, roi_end = 1;
};

Plan resize(DataType type, Extents in, Extents out, const Sampling& s) {
  ResizeParams params;
  params.type = type;
  params.in = in;
  params.sampling = {s.filter, s.coordinates, s.nearest, -0.75, s.antialias, s.exclude_outside, s.extrapolation_value};
  for (size_t d = 0; d < in.size(); ++d)
    params.axes.push_back({d, in[d], out[d], true, out[d], in[d], 1, s.roi_start, s.roi_end});
  Result<Plan> plan = make_resize_plan(params, Limits::none());
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *plan;
}

Tensor run(const Plan& plan, const Tensor& x) {
  Tensor y = *Tensor::allocate(plan.type, plan.out);
  reference::run_box(plan, {x.view(), Extents(plan.in.size(), 0), y.mutable_view(), Extents(plan.out.size(), 0)});
  return y;
}

template <class T>
Tensor make_tensor(DataType type, const std::vector<T>& values, Extents extents) {
  Tensor tensor = *Tensor::allocate(type, std::move(extents));
  std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

// One-dimensional tensors of any type from numbers.
Tensor numbers(DataType type, const std::vector<double>& values) {
  const auto count = static_cast<int64_t>(values.size());
  Tensor tensor = *Tensor::allocate(type, {count});
  const int bits = element_bits(type);
  for (int64_t i = 0; i < count; ++i) {
    std::byte element[16];
    element_from_double(type, values[static_cast<size_t>(i)], element);
    if (bits < 8)
      set_packed(tensor.mutable_data(), i * bits, bits, static_cast<uint8_t>(element[0]));
    else
      std::memcpy(tensor.mutable_data() + i * bits / 8, element, static_cast<size_t>(bits / 8));
  }
  return tensor;
}
std::vector<double> read(const Tensor& tensor) {
  const int bits = element_bits(tensor.type());
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.count(); ++i) {
    std::byte element[16] = {};
    if (bits < 8)
      element[0] = std::byte{get_packed(tensor.data(), i * bits, bits)};
    else
      std::memcpy(element, tensor.data() + i * bits / 8, static_cast<size_t>(bits / 8));
    double parts[2];
    element_to_doubles(tensor.type(), element, parts);
    values.push_back(parts[0]);
  }
  return values;
}

using Numbers = std::vector<double>;

// ---- Interpolation, every type ----------------------------------------------------------------------------

TEST(ReferenceLinear, EveryComputedType) {  // half_pixel x2 of 0, 4: weights 1; 3/4 1/4; 1/4 3/4; 1
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.compute == ComputeType::kNone || row.type == DataType::kBool) continue;
    EXPECT_EQ(read(run(resize(row.type, {2}, {4}, {}), numbers(row.type, {0, 4}))), (Numbers{0, 1, 3, 4}))
        << row.onnx_name;
  }
}

TEST(ReferenceLinear, IntegersRoundHalfToEven) {
  // [0,1,3,2] linear x2, measured: docs/semantics.md, Resize: values
  EXPECT_EQ(read(run(resize(DataType::kUint8, {4}, {8}, {}), numbers(DataType::kUint8, {0, 1, 3, 2}))),
            (Numbers{0, 0, 1, 2, 2, 3, 2, 2}));
  EXPECT_EQ(read(run(resize(DataType::kInt8, {4}, {7}, {.coordinates = CoordinateMode::kAlignCorners}),
                     numbers(DataType::kInt8, {-3, 0, 1, 4}))),
            (Numbers{-3, -2, 0, 0, 1, 2, 4}));
  EXPECT_EQ(read(run(resize(DataType::kUint8, {2}, {4}, {}), numbers(DataType::kUint8, {0, 3}))),
            (Numbers{0, 1, 2, 3}));  // test_traps.py 43
}

TEST(ReferenceCubic, IntegersSaturate) {  // test_traps.py 44; and cubic antialias, measured
  EXPECT_EQ(
      read(run(resize(DataType::kUint8, {2}, {4}, {.filter = Filter::kCubic}), numbers(DataType::kUint8, {0, 255}))),
      (Numbers{0, 58, 197, 255}));
  EXPECT_EQ(read(run(resize(DataType::kUint8, {4}, {8}, {.filter = Filter::kCubic, .antialias = true}),
                     numbers(DataType::kUint8, {0, 255, 0, 255}))),
            (Numbers{0, 67, 224, 215, 40, 31, 188, 255}));
}

TEST(ReferenceCubic, Float16OverflowsToInfinity) {  // test_traps.py 47
  const Numbers y = read(run(resize(DataType::kFloat16, {4}, {8}, {.filter = Filter::kCubic}),
                             numbers(DataType::kFloat16, {0, 65504, 65504, 0})));
  EXPECT_TRUE(std::isinf(y[3]) && y[3] > 0);
}

TEST(ReferenceLinear, LargestIntegersDoNotWrap) {  // test_traps.py 45
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{2, 4}, {4, 2}}) {
    const Tensor x =
        make_tensor<int64_t>(DataType::kInt64, std::vector<int64_t>(static_cast<size_t>(in), INT64_MAX), {in});
    const Tensor y = run(resize(DataType::kInt64, {in}, {out}, {}), x);
    for (const int64_t value : y.as<int64_t>()) EXPECT_EQ(value, INT64_MAX);
  }
  const Tensor y = run(resize(DataType::kUint64, {2}, {4}, {}),
                       make_tensor<uint64_t>(DataType::kUint64, {UINT64_MAX, UINT64_MAX}, {2}));
  for (const uint64_t value : y.as<uint64_t>()) EXPECT_EQ(value, UINT64_MAX);
}

TEST(ReferenceLinear, BooleansAreTrueAboveOneHalf) {  // any byte but 0 counts as 1
  const Tensor y = run(resize(DataType::kBool, {2}, {4}, {}), make_tensor<uint8_t>(DataType::kBool, {0, 7}, {2}));
  EXPECT_EQ(std::vector<uint8_t>(y.as<uint8_t>().begin(), y.as<uint8_t>().end()), (std::vector<uint8_t>{0, 0, 1, 1}));
  // 4 -> 2 halves each pair: 0.5 is not above one half
  const Tensor half =
      run(resize(DataType::kBool, {4}, {2}, {}), make_tensor<uint8_t>(DataType::kBool, {0, 1, 1, 1}, {4}));
  EXPECT_EQ(half.as<uint8_t>()[0], 0);
  EXPECT_EQ(half.as<uint8_t>()[1], 1);
}

TEST(ReferenceLinear, ComplexPartsAreSeparate) {
  using C = std::complex<float>;
  const Tensor y =
      run(resize(DataType::kComplex64, {2}, {4}, {}), make_tensor<C>(DataType::kComplex64, {{0, 8}, {4, 0}}, {2}));
  const auto values = y.as<C>();
  EXPECT_EQ(values[1], C(1, 6));
  EXPECT_EQ(values[2], C(3, 2));
}

TEST(ReferenceLinear, TwoDimensionsAreTheProduct) {
  // Backend test resize_upsample_scales_linear of [[1,2],[3,4]]
  const Tensor y =
      run(resize(DataType::kFloat, {2, 2}, {4, 4}, {}), make_tensor<float>(DataType::kFloat, {1, 2, 3, 4}, {2, 2}));
  const std::vector<float> expected = {1,    1.25f, 1.75f, 2,    1.5f, 1.75f, 2.25f, 2.5f,
                                       2.5f, 2.75f, 3.25f, 3.5f, 3,    3.25f, 3.75f, 4};
  EXPECT_EQ(std::vector<float>(y.as<float>().begin(), y.as<float>().end()), expected);
}

TEST(ReferenceLinear, IgnoresInfinityWithZeroWeight) {
  // test_traps.py 46; 3 -> 5 align_corners hits inputs exactly
  const Tensor y = run(resize(DataType::kFloat, {3}, {5}, {.coordinates = CoordinateMode::kAlignCorners}),
                       make_tensor<float>(DataType::kFloat, {1, 2, kInf}, {3}));
  EXPECT_EQ(y.as<float>()[2], 2);
  EXPECT_EQ(y.as<float>()[3], kInf);
  EXPECT_EQ(y.as<float>()[4], kInf);
}

TEST(ReferenceCubic, IgnoresInfinityAtZeroOfTheFilter) {
  // 9 -> 3: output 1 is at 4, and inputs 1 and 7 have a distance of exactly one
  const Plan plan = resize(DataType::kFloat, {9}, {3}, {.filter = Filter::kCubic, .antialias = true});
  const Tensor y = run(plan, make_tensor<float>(DataType::kFloat, {1, kInf, 1, 1, 1, 1, 1, std::nanf(""), 1}, {9}));
  EXPECT_NEAR(y.as<float>()[1], 1, 1e-6);
  EXPECT_FALSE(std::isfinite(y.as<float>()[0]));
  EXPECT_TRUE(std::isnan(y.as<float>()[2]));
}

TEST(ReferenceLinear, PassOrderIsBitExact) {
  // The arithmetic contract: 2-D up is W, then H, in binary32
  const std::vector<float> x = {0.1f, 0.7f, 0.3f, 1e-3f};
  const Tensor y = run(resize(DataType::kFloat, {2, 2}, {3, 3}, {}), make_tensor<float>(DataType::kFloat, x, {2, 2}));
  const float half = 0.5f;
  const float top = half * x[0] + half * x[1];
  const float bottom = half * x[2] + half * x[3];
  EXPECT_EQ(y.as<float>()[4], half * top + half * bottom);
}

// ---- Crops ------------------------------------------------------------------------------------------------

TEST(ReferenceCrop, ExtrapolationValueIsRoundedToTheType) {  // 3.5 -> 4, -1 -> 0, 300 -> 255
  for (const auto& [value, expected] : {std::pair(3.5f, 4.0), {-1.f, 0.0}, {300.f, 255.0}, {2.5f, 2.0}}) {
    const Sampling crop = {.coordinates = CoordinateMode::kTfCropAndResize,
                           .extrapolation_value = value,
                           .roi_start = -0.5,
                           .roi_end = 1.5};
    const Numbers y = read(run(resize(DataType::kUint8, {4}, {5}, crop), numbers(DataType::kUint8, {1, 2, 3, 4})));
    EXPECT_EQ(y, (Numbers{expected, 1, 2, 4, expected}));  // 1.5 gives 2.5, which rounds to 2
  }
}

TEST(ReferenceCrop, NearestUsesExtrapolationValue) {  // test_traps.py 30
  const Sampling crop = {.filter = Filter::kNearest,
                         .coordinates = CoordinateMode::kTfCropAndResize,
                         .extrapolation_value = 9,
                         .roi_start = -0.5,
                         .roi_end = 1.5};
  EXPECT_EQ(read(run(resize(DataType::kFloat, {4}, {5}, crop), numbers(DataType::kFloat, {1, 2, 3, 4}))),
            (Numbers{9, 1, 2, 4, 9}));
}

TEST(ReferenceCrop, ExtrapolatesIfAnyAxisIsOutside) {
  const Sampling crop = {
      .coordinates = CoordinateMode::kTfCropAndResize, .extrapolation_value = 9, .roi_start = -0.5, .roi_end = 1};
  const Tensor y =
      run(resize(DataType::kFloat, {2, 2}, {2, 2}, crop), make_tensor<float>(DataType::kFloat, {1, 2, 3, 4}, {2, 2}));
  EXPECT_EQ(std::vector<float>(y.as<float>().begin(), y.as<float>().end()), (std::vector<float>{9, 9, 9, 4}));
}

TEST(ReferenceCrop, SameExtentsAndReversedRegions) {  // test_traps.py 28 and 33
  const Sampling inner = {.coordinates = CoordinateMode::kTfCropAndResize, .roi_start = 0.25, .roi_end = 0.75};
  EXPECT_EQ(read(run(resize(DataType::kFloat, {4}, {4}, inner), numbers(DataType::kFloat, {1, 2, 3, 4}))),
            (Numbers{1.75, 2.25, 2.75, 3.25}));
  const Sampling reversed = {.coordinates = CoordinateMode::kTfCropAndResize, .roi_start = 1, .roi_end = 0};
  EXPECT_EQ(read(run(resize(DataType::kFloat, {4}, {4}, reversed), numbers(DataType::kFloat, {1, 2, 3, 4}))),
            (Numbers{4, 3, 2, 1}));
}

// ---- Moves ------------------------------------------------------------------------------------------------

const Sampling kNearestX2 = {.filter = Filter::kNearest};

TEST(ReferenceMove, NearestOfEveryType) {
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.type == DataType::kString) continue;
    const Numbers y = read(run(resize(row.type, {3}, {6}, kNearestX2), numbers(row.type, {1, 0.5, 1})));
    const Numbers x = read(numbers(row.type, {1, 0.5, 1}));
    EXPECT_EQ(y, (Numbers{x[0], x[0], x[1], x[1], x[2], x[2]})) << row.onnx_name;
  }
}

TEST(ReferenceMove, TileOfEveryTypeRepeatsWhole) {  // test_traps.py 1: 1 2 1 2, not 1 1 2 2
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.type == DataType::kString) continue;
    const Tensor x = numbers(row.type, {1, 0.5, 0});
    const Numbers once = read(x);
    Numbers expected;
    for (int copy = 0; copy < 3; ++copy) expected.insert(expected.end(), once.begin(), once.end());
    const Numbers y = read(run(*make_tile_plan({row.type, {3}, {9}}, Limits::none()), x));
    for (size_t i = 0; i < 9; ++i)
      EXPECT_TRUE(y[i] == expected[i] || (std::isnan(y[i]) && std::isnan(expected[i]))) << row.onnx_name;
  }
}

TEST(ReferenceMove, TileOfAMatrix) {  // docs/semantics.md, Tile
  const Tensor y = run(*make_tile_plan({DataType::kInt32, {2, 2}, {4, 4}}, Limits::none()),
                       make_tensor<int32_t>(DataType::kInt32, {0, 1, 2, 3}, {2, 2}));
  EXPECT_EQ(std::vector<int32_t>(y.as<int32_t>().begin(), y.as<int32_t>().end()),
            (std::vector<int32_t>{0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST(ReferenceMove, FillOfEveryType) {
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.type == DataType::kString) continue;
    FillParams params = {row.type, {3, 3}, {}};
    element_from_double(row.type, 1, params.value.data());
    const Plan plan = *make_fill_plan(params, Limits::none());
    Tensor y = *Tensor::allocate(row.type, plan.out);
    reference::run_box(plan, {{}, {}, y.mutable_view(), {0, 0}});
    EXPECT_EQ(read(y), Numbers(9, 1.0)) << row.onnx_name;
  }
}

TEST(ReferenceMove, BitsOfNansAndZerosAreKept) {
  const std::vector<uint32_t> bits = {0x7fc12345, 0x80000000, 0x7f812345, 0xff800001};  // including signalling NaNs
  const Tensor x = make_tensor<uint32_t>(DataType::kFloat, bits, {4});
  const Tensor near = run(resize(DataType::kFloat, {4}, {8}, kNearestX2), x);
  const Tensor same =
      run(resize(DataType::kFloat, {4}, {4}, {.filter = Filter::kCubic}), x);  // only identities: a move
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(near.as<uint32_t>()[2 * i], bits[i]);
    EXPECT_EQ(same.as<uint32_t>()[i], bits[i]);
  }
}

TEST(ReferenceMove, BoolBytesAreKept) {
  const Tensor y =
      run(resize(DataType::kBool, {2}, {4}, kNearestX2), make_tensor<uint8_t>(DataType::kBool, {7, 0}, {2}));
  EXPECT_EQ(y.as<uint8_t>()[0], 7);
}

TEST(ReferenceMove, StringsBorrowTheirBytes) {
  const std::vector<StringRef> words = {{"one", 3}, {"two", 3}};
  const Tensor y = run(resize(DataType::kString, {2}, {4}, kNearestX2), make_tensor(DataType::kString, words, {2}));
  EXPECT_EQ(y.as<StringRef>()[3].data, words[1].data);
  EXPECT_EQ(y.as<StringRef>()[1].view(), "one");
}

TEST(ReferenceMove, PackedTensorsMayStartInsideAByte) {
  const Plan plan = *make_tile_plan({DataType::kUint4, {3}, {6}}, Limits::none());
  const std::vector<uint8_t> x = {0x1f, 0x32};  // from bit 4: 1 2 3
  std::vector<uint8_t> y(4, 0xff);
  BoxRun box;
  box.input = {reinterpret_cast<const std::byte*>(x.data()), DataType::kUint4, {3}, {}, 4};
  box.output = {reinterpret_cast<std::byte*>(y.data()), DataType::kUint4, {6}, {}, 4};
  box.input_lo = box.output_lo = {0};
  reference::run_box(plan, box);
  EXPECT_EQ(y, (std::vector<uint8_t>{0x1f, 0x32, 0x21, 0xf3}));  // neighbours do not change
}

TEST(ReferenceMove, TileOfScalar) {
  const Tensor y = run(*make_tile_plan({DataType::kInt64, {}, {}}, Limits::none()),
                       make_tensor<int64_t>(DataType::kInt64, {INT64_MIN}, {}));
  EXPECT_EQ(y.as<int64_t>()[0], INT64_MIN);
}

TEST(ReferenceMove, NearestOfTheLargestIntegersCopies) {  // test_traps.py 45
  const Tensor y = run(resize(DataType::kInt64, {2}, {4}, kNearestX2),
                       make_tensor<int64_t>(DataType::kInt64, {INT64_MAX, (int64_t{1} << 53) + 1}, {2}));
  EXPECT_EQ(y.as<int64_t>()[0], INT64_MAX);
  EXPECT_EQ(y.as<int64_t>()[3], (int64_t{1} << 53) + 1);
}

}  // namespace
}  // namespace tesela
