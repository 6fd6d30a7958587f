// SPDX-License-Identifier: Apache-2.0
// Functions that a model defines: their parts and limits.
#include <gtest/gtest.h>

#include "model/expect_fault.h"
#include "model/onnx_bytes.h"
#include "model/onnx_reader.h"

namespace tesela::testing {
namespace {

Result<Model> read(const Pb& function) {
  static std::string bytes;  // outlives the model, which borrows it
  bytes = model_pb(Pb()).message(25, function).bytes;
  return read_onnx(bytes_of(bytes), nullptr, {});
}

TEST(OnnxFunction, HasNamesNodesAndDeclaredValues) {
  Pb pb = Pb().text(1, "f").text(10, "mine").text(4, "a").text(5, "b");
  pb.message(7, node_pb("Tile", {"a", "r"}, {"b"})).message(12, value_pb("r", 7, {2})).text(13, "an overload");
  const Result<Model> model = read(pb);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const LocalFunction& function = model->functions.at(0);
  EXPECT_EQ(function.name, "f");
  EXPECT_EQ(function.domain, "mine");
  EXPECT_EQ(function.body.name, "f");
  EXPECT_EQ(function.body.inputs.at(0).name, "a");
  EXPECT_EQ(function.body.outputs.at(0).name, "b");
  EXPECT_EQ(function.body.nodes.at(0).type, "Tile");
  ASSERT_EQ(function.body.values.size(), 1u);
  EXPECT_EQ(function.body.values[0].name, "r");
  EXPECT_EQ(function.body.values[0].info.type, DataType::kInt64);
}

TEST(OnnxFunction, ImportsEachDomainOnce) {
  Pb pb = Pb().text(1, "f").message(9, Pb().text(1, "").number(2, 13)).message(9, Pb().text(1, "mine").number(2, 1));
  const Result<Model> model = read(pb);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->functions.at(0).opsets, (std::map<std::string, int64_t>{{"", 13}, {"mine", 1}}));
  EXPECT_TRUE(
      fails(read(pb.message(9, Pb().text(1, "mine"))).status(), TESELA_ERROR_PARSE, "domain 'mine' is imported twice"));
}

// A function whose node has subgraphs, `depth` levels.
Pb nested(int depth) {
  Pb body = Pb().text(4, "If");
  for (int i = 0; i < depth; ++i)
    body = Pb().text(4, "If").message(5, attribute_pb("b", 5).message(6, Pb().message(1, body)));
  return Pb().text(1, "f").message(7, body);
}

TEST(OnnxFunction, SubgraphsAreNestedUpToTheLimit) {
  EXPECT_TRUE(read(nested(64)).ok());
  EXPECT_TRUE(fails(read(nested(65)).status(), TESELA_ERROR_LIMIT, "nested more than 64"));
}

}  // namespace
}  // namespace tesela::testing
