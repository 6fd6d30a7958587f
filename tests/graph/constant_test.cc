// SPDX-License-Identifier: Apache-2.0
// Attributes of Constant, and the opsets that have them.
#include "graph/constant.h"

#include "graph/model_builder.h"
#include "model/expect_fault.h"

namespace tesela {
namespace {

using test::floats;
using test::int64s;
using testing::fails;

Result<Tensor> value_of(Attribute attribute, int64_t opset) {
  Node constant;
  constant.type = "Constant";
  constant.attributes.push_back(std::move(attribute));
  return constant_value(constant, opset);
}

TEST(ConstantValue, AttributesBeginWithTheirOpset) {  // ONNX's operator pages: Constant 1, 11, 12
  struct Case {
    Attribute attribute;
    int64_t since;
  };
  const Case cases[] = {
      {{"value", AttributeKind::kTensor, floats({1})}, 1},
      {{"value_int", AttributeKind::kInt, int64_t{7}}, 12},
      {{"value_ints", AttributeKind::kInts, std::vector<int64_t>{7, 8}}, 12},
      {{"value_float", AttributeKind::kFloat, 1.5f}, 12},
      {{"value_floats", AttributeKind::kFloats, std::vector<float>{1.5f, 2.5f}}, 12},
      {{"value_string", AttributeKind::kString, std::string("t")}, 12},
      {{"value_strings", AttributeKind::kStrings, std::vector<std::string>{"t", "u"}}, 12},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(value_of(c.attribute, c.since).ok()) << c.attribute.name;
    EXPECT_TRUE(fails(value_of(c.attribute, c.since - 1).status(), TESELA_ERROR_ATTRIBUTE, "unknown in opset"))
        << c.attribute.name;
  }
  const Attribute sparse{"sparse_value", AttributeKind::kSparseTensor, {}};
  EXPECT_TRUE(fails(value_of(sparse, 11).status(), TESELA_ERROR_UNSUPPORTED, "sparse tensor"));
  EXPECT_TRUE(fails(value_of(sparse, 10).status(), TESELA_ERROR_ATTRIBUTE, "unknown in opset 10"));
}

TEST(ConstantValue, HasTheTypeAndShapeOfItsAttribute) {
  struct Case {
    Attribute attribute;
    DataType type;
    Extents extents;
  };
  const Case cases[] = {
      {{"value", AttributeKind::kTensor, int64s({7, 8, 9})}, DataType::kInt64, {3}},
      {{"value_int", AttributeKind::kInt, int64_t{7}}, DataType::kInt64, {}},
      {{"value_ints", AttributeKind::kInts, std::vector<int64_t>{7, 8}}, DataType::kInt64, {2}},
      {{"value_ints", AttributeKind::kInts, std::vector<int64_t>{}}, DataType::kInt64, {0}},
      {{"value_float", AttributeKind::kFloat, 1.5f}, DataType::kFloat, {}},
      {{"value_floats", AttributeKind::kFloats, std::vector<float>{1.5f, 2.5f}}, DataType::kFloat, {2}},
      {{"value_string", AttributeKind::kString, std::string("t")}, DataType::kString, {}},
      {{"value_strings", AttributeKind::kStrings, std::vector<std::string>{"t", "u"}}, DataType::kString, {2}},
  };
  for (const Case& c : cases) {
    const Result<Tensor> tensor = value_of(c.attribute, 19);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(tensor->type(), c.type) << c.attribute.name;
    EXPECT_EQ(tensor->extents(), c.extents) << c.attribute.name;
  }
  const Result<Tensor> ints = value_of(cases[2].attribute, 19);
  EXPECT_EQ(std::memcmp(ints->data(), int64s({7, 8}).data(), 16), 0);
  const Result<Tensor> numbers = value_of(cases[5].attribute, 19);
  EXPECT_EQ(std::memcmp(numbers->data(), floats({1.5f, 2.5f}).data(), 8), 0);
}

TEST(ConstantValue, NeedsOneAttributeOfItsKind) {
  Node none;
  EXPECT_TRUE(fails(constant_value(none, 19).status(), TESELA_ERROR_COUNT, "has 0 attributes"));
  const Attribute value{"value", AttributeKind::kInt, int64_t{7}};
  EXPECT_TRUE(fails(value_of(value, 19).status(), TESELA_ERROR_TYPE, "'value' has type INT; expected TENSOR"));
  Node two;
  two.attributes = {value, value};
  EXPECT_TRUE(fails(constant_value(two, 19).status(), TESELA_ERROR_COUNT, "has 2 attributes"));
  EXPECT_TRUE(fails(value_of({"values", AttributeKind::kInts, {}}, 19).status(), TESELA_ERROR_ATTRIBUTE, "'values'"));
  EXPECT_TRUE(fails(value_of({"value", AttributeKind::kTensor, {}}, 19).status(), TESELA_ERROR_ATTRIBUTE, "no value"));
}

}  // namespace
}  // namespace tesela
