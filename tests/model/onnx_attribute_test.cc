// SPDX-License-Identifier: Apache-2.0
// Attributes of every kind, of none, and of two kinds.
#include "model/onnx_attribute.h"

#include "model/expect_fault.h"
#include "model/onnx_bytes.h"
#include "model/onnx_reader.h"

namespace tesela::testing {
namespace {

Result<Model> model_of(const std::vector<Pb>& attributes) {
  static std::string bytes;  // outlives the model, which borrows it
  bytes = model_pb(Pb().message(1, node_pb("Op", {}, {}, attributes))).bytes;
  return read_onnx(bytes_of(bytes), nullptr, {});
}

Attribute attribute_of(const Pb& pb) {
  Result<Model> model = model_of({pb});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? model->graph.nodes[0].attributes[0] : Attribute();
}

TEST(OnnxAttribute, EveryKindHasItsValue) {
  EXPECT_EQ(std::get<float>(attribute_of(attribute_pb("a", 1).float32(2, 1.5f)).value), 1.5f);
  EXPECT_EQ(std::get<int64_t>(attribute_of(attribute_pb("a", 2).number(3, -7)).value), -7);
  EXPECT_EQ(std::get<std::string>(attribute_of(attribute_pb("a", 3).text(4, "t")).value), "t");
  EXPECT_EQ(
      std::get<Tensor>(attribute_of(attribute_pb("a", 4).message(5, raw_tensor_pb("", 2, {1}, "x"))).value).count(), 1);
  EXPECT_EQ(std::get<std::vector<float>>(attribute_of(attribute_pb("a", 6).floats(7, {1, 2}).float32(7, 3)).value),
            (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(std::get<std::vector<int64_t>>(attribute_of(attribute_pb("a", 7).number(8, 1).numbers(8, {2, -3})).value),
            (std::vector<int64_t>{1, 2, -3}));
  EXPECT_EQ(std::get<std::vector<std::string>>(attribute_of(attribute_pb("a", 8).text(9, "x").text(9, "")).value),
            (std::vector<std::string>{"x", ""}));
}

TEST(OnnxAttribute, UnsupportedKindsKeepTheirKind) {
  struct Case {
    int64_t type;
    uint32_t field;
  };
  for (const Case& c : {Case{9, 10}, Case{11, 22}, Case{12, 23}, Case{13, 14}, Case{14, 15}}) {
    const Attribute attribute = attribute_of(attribute_pb("a", c.type).message(c.field, Pb()));
    EXPECT_EQ(static_cast<int64_t>(attribute.kind), c.type);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(attribute.value));
  }
}

TEST(OnnxAttribute, GraphsBecomeSubgraphs) {
  const Pb graph = Pb().text(2, "g").message(1, node_pb("Tile", {}, {}));
  const Result<Model> model = model_of({attribute_pb("many", 10).message(11, graph).message(11, graph)});
  const Node& node = model->graph.nodes[0];
  EXPECT_EQ(node.attributes[0].kind, AttributeKind::kGraphs);
  ASSERT_EQ(node.subgraphs.size(), 2u);
  EXPECT_EQ(node.subgraphs[1].graph->nodes[0].type, "Tile");
}

TEST(OnnxAttribute, GraphInPiecesIsMerged) {
  const Pb first = Pb().message(1, node_pb("Tile", {}, {}));
  const Pb second = Pb().message(1, node_pb("Resize", {}, {}));
  const Result<Model> model = model_of({attribute_pb("body", 5).message(6, first).message(6, second)});
  const Node& node = model->graph.nodes[0];
  ASSERT_EQ(node.subgraphs.size(), 1u);
  ASSERT_EQ(node.subgraphs[0].graph->nodes.size(), 2u);
  EXPECT_EQ(node.subgraphs[0].graph->nodes[0].type, "Tile");
  EXPECT_EQ(node.subgraphs[0].graph->nodes[1].type, "Resize");
}

TEST(OnnxAttribute, MissingValueIsZeroOrEmpty) {
  EXPECT_EQ(std::get<float>(attribute_of(attribute_pb("a", 1)).value), 0.0f);
  EXPECT_EQ(std::get<int64_t>(attribute_of(attribute_pb("a", 2)).value), 0);
  EXPECT_EQ(std::get<std::string>(attribute_of(attribute_pb("a", 3)).value), "");
  EXPECT_TRUE(std::get<std::vector<int64_t>>(attribute_of(attribute_pb("a", 7)).value).empty());
}

TEST(OnnxAttribute, DeclaredKindsAreTheFirstToTheLastOfOnnx) {
  EXPECT_EQ(attribute_of(attribute_pb("a", 1)).kind, AttributeKind::kFloat);
  EXPECT_EQ(attribute_of(attribute_pb("a", 14)).kind, AttributeKind::kTypeProtos);
  EXPECT_EQ(attribute_of(attribute_pb("a", 0)).kind, AttributeKind::kUndefined);
  EXPECT_EQ(attribute_of(attribute_pb("a", 15)).kind, AttributeKind::kUndefined);
  EXPECT_TRUE(
      fails(model_of({attribute_pb("a", 14).text(4, "x")}).status(), TESELA_ERROR_PARSE, "says TYPE_PROTOS but"));
  EXPECT_TRUE(fails(model_of({attribute_pb("a", 1).message(15, Pb())}).status(), TESELA_ERROR_PARSE, "says FLOAT but"));
}

TEST(OnnxAttribute, TypeIsDeducedFromTheOnlyValue) {
  EXPECT_EQ(attribute_of(Pb().text(1, "a").number(3, 5)).kind, AttributeKind::kInt);
  EXPECT_EQ(attribute_of(Pb().text(1, "a").numbers(8, {5})).kind, AttributeKind::kInts);
  EXPECT_EQ(attribute_of(Pb().text(1, "a").message(6, Pb())).kind, AttributeKind::kGraph);
  EXPECT_EQ(attribute_of(Pb().text(1, "a")).kind, AttributeKind::kUndefined);
  EXPECT_EQ(attribute_of(attribute_pb("a", 77).text(4, "x")).kind, AttributeKind::kString);
  using enum AttributeKind;
  for (const auto& [field, kind] : std::vector<std::pair<uint32_t, AttributeKind>>{{10, kTensors},
                                                                                   {11, kGraphs},
                                                                                   {14, kTypeProto},
                                                                                   {15, kTypeProtos},
                                                                                   {22, kSparseTensor},
                                                                                   {23, kSparseTensors}})
    EXPECT_EQ(attribute_of(Pb().text(1, "a").message(field, Pb())).kind, kind) << field;
}

TEST(OnnxAttribute, ReferenceToFunctionAttributeHasNoValue) {
  const Attribute attribute = attribute_of(attribute_pb("mode", 3).text(21, "outer"));
  EXPECT_EQ(attribute.kind, AttributeKind::kString);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(attribute.value));
}

TEST(OnnxAttribute, KeepsDuplicateAttributes) {
  EXPECT_EQ(model_of({attribute_pb("a", 2), attribute_pb("a", 3)})->graph.nodes[0].attributes.size(), 2u);
}

TEST(OnnxAttribute, RejectsContradictions) {
  struct Case {
    Pb pb;
    std::string_view words;
  };
  const Case cases[] = {
      {attribute_pb("mode", 3).number(3, 1), "node 'n' ('Op'): attribute 'mode' says STRING but carries another kind"},
      {Pb().text(1, "a").number(3, 1).text(4, "x"), "attribute 'a' has no type and more than one value"},
      {Pb().number(20, 2).number(3, 1), "an attribute has no name"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(model_of({c.pb}).status(), TESELA_ERROR_PARSE, c.words));
}

TEST(OnnxAttribute, UnreadableTensorIsAFaultOfTheNode) {
  struct Case {
    Pb tensor;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {raw_tensor_pb("", 1, {1}, "ab"), TESELA_ERROR_PARSE, "attribute 'value': raw_data has 2 bytes"},
      {tensor_pb("", 1, {int64_t{1} << 62, 4}), TESELA_ERROR_SHAPE, "attribute 'value': a tensor of shape"},
      {raw_tensor_pb("", 99, {1}, "ab"), TESELA_ERROR_TYPE, "attribute 'value': data_type is 99"},
      {external_tensor_pb("", 1, {1}, {{"location", "x"}}), TESELA_ERROR_PATH, "attribute 'value': external data"},
  };
  for (const Case& c : cases) {
    const Result<Model> model = model_of({attribute_pb("value", 4).message(5, c.tensor)});
    ASSERT_TRUE(model.ok());
    const Node& node = model->graph.nodes[0];
    EXPECT_TRUE(fails(node.fault, c.code, c.words));
    EXPECT_EQ(node.attributes[0].kind, AttributeKind::kTensor);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(node.attributes[0].value));
  }
  EXPECT_TRUE(
      fails(model_of({attribute_pb("value", 4)})->graph.nodes[0].fault, TESELA_ERROR_ATTRIBUTE, "has no tensor"));
}

}  // namespace
}  // namespace tesela::testing
