// SPDX-License-Identifier: Apache-2.0
// Tensors that own memory: allocation, strings, copies of any view.
#include "types/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace tesela {
namespace {

template <class T>
TensorView view_of(DataType type, const std::vector<T>& elements, Extents extents, Extents strides = {}) {
  return {reinterpret_cast<const std::byte*>(elements.data()), type, std::move(extents), std::move(strides), 0};
}

template <class T>
std::vector<T> elements_of(const Tensor& tensor) {
  const auto span = tensor.as<T>();
  return {span.begin(), span.end()};
}

TEST(TensorTest, AllocationIsAlignedEvenWhenEmpty) {
  for (const Extents& extents : {Extents{}, Extents{0}, Extents{1}, Extents{3, 5}}) {
    const Result<Tensor> tensor = Tensor::allocate(DataType::kInt16, extents);
    ASSERT_TRUE(tensor.ok());
    EXPECT_NE(tensor->data(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 64, 0u);
  }
}

TEST(TensorTest, AllocationOfTooManyBytesIsAnError) {
  EXPECT_EQ(Tensor::allocate(DataType::kDouble, {INT64_MAX}).status().code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(Tensor::allocate(DataType::kInt8, {INT64_MAX}).status().code(), TESELA_ERROR_NO_MEMORY);
}

TEST(TensorTest, NewStringsAreNullReferences) {
  const Result<Tensor> tensor = Tensor::allocate(DataType::kString, {3});
  for (const StringRef& ref : tensor->as<StringRef>()) {
    EXPECT_EQ(ref.data, nullptr);
    EXPECT_EQ(ref.size, 0u);
  }
}

TEST(TensorTest, PadBitsOfPackedTensorsAreZero) {  // onnx.proto: padding bits are written as 0
  const std::vector<uint8_t> source = {0xad};
  const Result<Tensor> copy = Tensor::copy_of(view_of(DataType::kInt4, source, {1}));
  EXPECT_EQ(copy->data()[0], std::byte{0x0d});
}

TEST(TensorTest, BytesCountPackedElementsInWholeBytes) {
  EXPECT_EQ(Tensor::allocate(DataType::kUint2, {5})->bytes(), 2);
  EXPECT_EQ(Tensor::allocate(DataType::kComplex128, {5})->bytes(), 80);
}

TEST(TensorTest, DenseStridesAreRowMajorBytes) {
  EXPECT_EQ(dense_strides(DataType::kFloat, Extents{2, 3, 4}), Extents({48, 16, 4}));
  EXPECT_EQ(dense_strides(DataType::kInt8, Extents()), Extents());
}

TEST(TensorTest, DenseStridesOfAnEmptyTensorDoNotOverflow) {  // [2^40, 2^40, 0] is a legal, empty shape
  const int64_t big = int64_t{1} << 40;
  EXPECT_EQ(dense_strides(DataType::kDouble, Extents{0, big, big}).size(), 3u);
  EXPECT_EQ(dense_strides(DataType::kDouble, Extents{big, big, 0}).size(), 3u);
}

TEST(TensorCopy, FollowsStridesOfAnySign) {
  const std::vector<int32_t> m = {0, 1, 2, 3, 4, 5};  // [2, 3]
  const auto copied = [&](const std::byte* data, Extents extents, Extents strides) {
    return elements_of<int32_t>(*Tensor::copy_of({data, DataType::kInt32, std::move(extents), std::move(strides), 0}));
  };
  const auto* first = reinterpret_cast<const std::byte*>(m.data());
  EXPECT_EQ(copied(first, {3, 2}, {4, 12}), (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));         // transposed
  EXPECT_EQ(copied(first + 20, {2, 3}, {-12, -4}), (std::vector<int32_t>{5, 4, 3, 2, 1, 0}));  // reversed
  EXPECT_EQ(copied(first, {2, 2}, {12, 8}), (std::vector<int32_t>{0, 2, 3, 5}));               // every other column
  EXPECT_EQ(copied(first + 4, {3, 2}, {0, 4}), (std::vector<int32_t>{1, 2, 1, 2, 1, 2}));      // broadcast rows
  EXPECT_EQ(copied(first + 8, {}, {}), (std::vector<int32_t>{2}));
}

TEST(TensorCopy, EmptyViewReadsNothing) {
  const Result<Tensor> copy = Tensor::copy_of({nullptr, DataType::kFloat, {0, 4}, {1000, 1000}, 0});
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ(copy->count(), 0);
}

TEST(TensorCopy, PackedViewMayStartInsideAByte) {
  const std::vector<uint8_t> source = {0x21, 0x43, 0x65};  // uint4: 1 2 3 4 5 6
  TensorView view = view_of(DataType::kUint4, source, {4});
  view.bit_offset = 4;
  const Result<Tensor> copy = Tensor::copy_of(view);
  EXPECT_EQ(copy->data()[0], std::byte{0x32});
  EXPECT_EQ(copy->data()[1], std::byte{0x54});
}

TEST(TensorCopy, StringsOwnTheirBytes) {
  std::string first = "tesela";
  std::string second("a\0b", 3);
  const std::vector<StringRef> refs = {{first.data(), 6}, {second.data(), 3}, {nullptr, 0}};
  const Result<Tensor> copy = Tensor::copy_of(view_of(DataType::kString, refs, {3}));
  first.assign("......");
  second.assign("...");
  const auto values = copy->as<StringRef>();
  EXPECT_EQ(values[0].view(), "tesela");
  EXPECT_EQ(values[1].view(), std::string_view("a\0b", 3));
  EXPECT_EQ(values[2].view(), "");
}

TEST(TensorCopy, StridedStringsAreCopiedInOrder) {
  const std::vector<StringRef> refs = {{"a", 1}, {"bb", 2}, {"ccc", 3}};
  const TensorView backwards = {reinterpret_cast<const std::byte*>(refs.data() + 2), DataType::kString, {3}, {-16}, 0};
  const Result<Tensor> copy = Tensor::copy_of(backwards);
  EXPECT_EQ(copy->as<StringRef>()[0].view(), "ccc");
  EXPECT_EQ(copy->as<StringRef>()[2].view(), "a");
}

TEST(TensorTest, CopiesShareStorage) {
  Tensor second;
  {
    Result<Tensor> first = Tensor::allocate(DataType::kInt64, {2});
    const int64_t values[] = {7, 8};
    std::memcpy(first->mutable_data(), values, sizeof values);
    second = *first;
    EXPECT_EQ(second.data(), first->data());
  }
  EXPECT_EQ(second.as<int64_t>()[1], 8);
}

TEST(TensorTest, FromStringsKeepsEveryString) {
  const std::array<std::string_view, 3> words = {"one", "", "three"};
  const Result<Tensor> tensor = Tensor::from_strings({3}, words);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(tensor->as<StringRef>()[i].view(), words[i]);
}

}  // namespace
}  // namespace tesela
