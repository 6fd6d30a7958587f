// SPDX-License-Identifier: Apache-2.0
// The C interface: operators and inference.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/c_calls.h"

namespace tesela::testing {
namespace {

TEST(CApiOps, ResolveTheirVersion) {
  EXPECT_EQ(tesela_op_since_version(make_op("Resize", 17)), 13);
  EXPECT_EQ(tesela_op_since_version(make_op("Tile", 0)), 13);
  tesela_op* op = nullptr;
  EXPECT_EQ(tesela_op_create("", "Upsample", 10, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(tesela_op_create("", "Tile", 1000, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(tesela_op_create("", "Tile", -1, nullptr, &op, nullptr), TESELA_ERROR_UNSUPPORTED);
}

TEST(CApiOps, SettingAttributeTwiceFails) {
  const OwnedOp op = make_op("Resize", 19);
  EXPECT_EQ(tesela_op_set_string(op, "mode", "linear", nullptr), TESELA_OK);
  tesela_error error;
  EXPECT_EQ(tesela_op_set_string(op, "mode", "cubic", &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Resize-19: attribute 'mode' is given twice");
}

TEST(CApiOps, PlanFieldsAreStringAttributesOfResize) {
  tesela_error error;
  const OwnedOp op = make_op("Resize", 19);
  EXPECT_EQ(tesela_op_set_string(op, "tesela.weights", "fixed9", &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Resize-19: plan field 'weights' is 'fixed9'; expected one of fixed8, fixed22, int16");
  EXPECT_EQ(tesela_op_set_string(op, "tesela.coordinates", "float32", &error), TESELA_OK);
  const OwnedOp tile = make_op("Tile", 13);
  EXPECT_EQ(tesela_op_set_string(tile, "tesela.coordinates", "float32", &error), TESELA_OK);
  Array<float> x = floats({4}, {1, 2, 3, 4});
  Array<int64_t> repeats = ints({2});
  const tesela_tensor in = x.view();
  const tesela_tensor count = repeats.view();
  const tesela_tensor* inputs[] = {&in, &count};
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(tile, 2, inputs, nullptr, &plan, &error), TESELA_ERROR_ATTRIBUTE);
  EXPECT_STREQ(error.message, "Tile-13: plan fields are for Resize only");
}

TEST(CApiInfer, KnownAndUnknownExtents) {
  const OwnedOp op = make_op("Tile", 13);
  const tesela_dim dims[] = {{2, nullptr}, {-1, "N"}, {-1, nullptr}};
  const tesela_tensor_info x = {sizeof x, TESELA_INT8, 3, dims, nullptr, nullptr, 0};
  Array<int64_t> repeats = ints({3, 1, 2});
  const tesela_tensor constant = repeats.view();
  tesela_tensor_info given = {};
  given.struct_size = sizeof given;
  given.rank = -1;
  given.constant = &constant;
  const tesela_tensor_info* inputs[] = {&x, &given};
  OwnedInferred inferred;
  tesela_error error;
  ASSERT_EQ(tesela_op_infer(op, 2, inputs, &inferred, &error), TESELA_OK) << error.message;
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  EXPECT_EQ(out.dtype, TESELA_INT8);
  ASSERT_EQ(out.rank, 3);
  EXPECT_EQ(out.dims[0].value, 6);
  EXPECT_EQ(out.dims[1].value, -1);
  EXPECT_STREQ(out.dims[1].symbol, "N");
  EXPECT_EQ(out.dims[2].value, -1);
  EXPECT_STREQ(out.dims[2].symbol, "");
}

// The first extent of the plan; inference must give the same.
int64_t planned_extent(const tesela_op* op, const std::vector<const tesela_tensor*>& inputs) {
  OwnedPlan plan;
  tesela_error error;
  EXPECT_EQ(tesela_plan_create(op, inputs.size(), inputs.data(), nullptr, &plan, &error), TESELA_OK) << error.message;
  std::vector<tesela_tensor_info> infos(inputs.size());
  std::vector<const tesela_tensor_info*> known;
  const tesela_dim dim = {inputs[0]->extents[0], nullptr};
  for (size_t i = 0; i < infos.size(); ++i) {
    infos[i].struct_size = sizeof infos[i];
    infos[i].constant = i == 0 ? nullptr : inputs[i];
    known.push_back(&infos[i]);
  }
  infos[0].dtype = inputs[0]->dtype;
  infos[0].rank = 1;
  infos[0].dims = &dim;
  OwnedInferred inferred;
  EXPECT_EQ(tesela_op_infer(op, infos.size(), known.data(), &inferred, &error), TESELA_OK) << error.message;
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  EXPECT_EQ(out.dims[0].value, tesela_plan_output_extents(plan)[0]);
  return out.dims[0].value;
}

TEST(CApiInfer, ExtentsFromScalesMatchPlan) {
  Array<float> x = floats({5}, {1, 2, 3, 4, 5});
  Array<float> scales = floats({1}, {1.4f});
  Array<float> none = floats({0}, {});
  const tesela_tensor tensors[] = {x.view(), scales.view(), none.view()};
  for (const auto& [field, value, expected] : {std::tuple("tesela.extents", "standard", 6),
                                               {"tesela.extents", "host", 7},
                                               {"tesela.extents", "openvino", 7},
                                               {"tesela.rules", "onnxruntime_positions", 7}})
    for (const int64_t opset : {7, 9, 10, 11, 13, 18, 19}) {
      const OwnedOp op = make_op(opset < 10 ? "Upsample" : "Resize", opset);
      ASSERT_EQ(tesela_op_set_string(op, field, value, nullptr), TESELA_OK);
      std::vector<const tesela_tensor*> inputs = {&tensors[0], &tensors[1]};
      if (opset == 7) {
        inputs.pop_back();
        ASSERT_EQ(tesela_op_set_floats(op, "scales", scales.values.data(), 1, nullptr), TESELA_OK);
      }
      if (opset > 10) inputs.insert(inputs.begin() + 1, &tensors[2]);
      EXPECT_EQ(planned_extent(op, inputs), expected) << value << " " << opset;
    }
  const OwnedOp tile = make_op("Tile", 13);
  Array<int64_t> repeats = ints({2});
  const tesela_tensor counts = repeats.view();
  const tesela_tensor* const inputs[] = {&tensors[0], &counts};
  ASSERT_EQ(tesela_op_set_string(tile, "tesela.extents", "host", nullptr), TESELA_OK);
  OwnedPlan plan;
  EXPECT_EQ(tesela_plan_create(tile, 2, inputs, nullptr, &plan, nullptr), TESELA_ERROR_ATTRIBUTE);
}

TEST(CApiInfer, UnknownRankAndPropagatedShapes) {
  const OwnedOp op = make_op("ConstantOfShape", 9);
  const tesela_dim entries[] = {{4, nullptr}, {-1, "W"}};
  const tesela_dim length[] = {{2, nullptr}};
  const tesela_tensor_info shape = {sizeof shape, TESELA_INT64, 1, length, nullptr, entries, 2};
  const tesela_tensor_info* inputs[] = {&shape};
  OwnedInferred inferred;
  ASSERT_EQ(tesela_op_infer(op, 1, inputs, &inferred, nullptr), TESELA_OK);
  tesela_tensor_info out = {};
  out.struct_size = sizeof out;
  tesela_inferred_info(inferred, &out);
  ASSERT_EQ(out.rank, 2);
  EXPECT_EQ(out.dims[0].value, 4);
  EXPECT_STREQ(out.dims[1].symbol, "W");

  const tesela_tensor_info nothing = {sizeof nothing, TESELA_INT64, -1, nullptr, nullptr, nullptr, 0};
  const tesela_tensor_info* unknown[] = {&nothing};
  OwnedInferred second;
  ASSERT_EQ(tesela_op_infer(op, 1, unknown, &second, nullptr), TESELA_OK);
  tesela_inferred_info(second, &out);
  EXPECT_EQ(out.rank, -1);
  EXPECT_EQ(out.dtype, TESELA_FLOAT);
}

TEST(CApiInfer, ReportsOperatorErrors) {
  const OwnedOp op = make_op("Tile", 13);
  const tesela_dim dims[] = {{2, nullptr}};
  const tesela_tensor_info x = {sizeof x, TESELA_INT4, 1, dims, nullptr, nullptr, 0};
  const tesela_tensor_info r = {sizeof r, TESELA_INT64, -1, nullptr, nullptr, nullptr, 0};
  const tesela_tensor_info* inputs[] = {&x, &r};
  tesela_inferred* inferred = nullptr;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_TYPE);
  EXPECT_EQ(tesela_op_infer(op, 1, inputs, &inferred, nullptr),
            TESELA_ERROR_TYPE);  // the first of two faults
  tesela_tensor_info wrong = x;
  wrong.dtype = 77;
  inputs[0] = &wrong;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_TYPE);
  wrong = x;
  wrong.dims = nullptr;
  EXPECT_EQ(tesela_op_infer(op, 2, inputs, &inferred, nullptr), TESELA_ERROR_USAGE);
}

}  // namespace
}  // namespace tesela::testing
