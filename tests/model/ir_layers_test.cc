// SPDX-License-Identifier: Apache-2.0
// Layers of OpenVINO's IR: their ports, versions and names.
#include <gtest/gtest.h>

#include "model/expect_fault.h"
#include "model/ir_reader.h"
#include "model/ir_text.h"

namespace tesela {
namespace {

using testing::bytes_of;
using testing::fails;
using testing::IrText;

Result<Model> read(const IrText& ir) {
  return read_ir(bytes_of(ir.text()), "", Limits());
}

TEST(IrLayers, NameCanEndWithAComma) {
  IrText ir;
  ir.parameter(R"(a\,)", "f32", "1");
  const Result<Model> model = read(ir);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph.inputs[0].name, "a,");
}

TEST(IrLayers, EdgeToAnIdThatOnlyOtherPortsHaveIsRefused) {
  for (const int id : {2, 5}) {  // between those of its ports; that of the next layer
    IrText ir;
    const int x = ir.parameter("x", "f32", "1");
    const int sum = ir.layer("sum", "Add", "opset1", R"(<input><port id="1"/><port id="3"/></input>)", 0, "");
    ir.layer("next", "Relu", "opset1", R"(<input><port id="5"/></input>)", 0, "");
    ir.edge(x, 0, sum, id);
    EXPECT_TRUE(fails(read(ir).status(), TESELA_ERROR_PARSE,
                      fmt::format("the edge's 'to-port' is {}, but 'Add' layer 'sum' has no such port", id)));
  }
}

TEST(IrLayers, PortsDeclareValuesByTypeOrDims) {
  IrText ir;
  ir.layer("split", "Split", "opset1", "", 0,
           R"(<output><port id="0" precision="FP32"/><port id="1"><dim>7</dim></port><port id="2"/></output>)");
  ir.layer("c", "Const", "opset1", "", 0, R"(<output><port id="0" precision="FP32"><dim>1</dim></port></output>)");
  const Result<Model> model = read(ir);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const auto& values = model->graph.values;
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].name, "split.0");
  EXPECT_EQ(values[0].info.type, DataType::kFloat);
  EXPECT_EQ(dims_text(values[0].info.dims), "unknown");
  EXPECT_EQ(values[1].name, "split.1");
  EXPECT_EQ(values[1].info.type, DataType::kUndefined);
  EXPECT_EQ(dims_text(values[1].info.dims), "7");
}

TEST(IrLayers, VersionsWithoutANumberAreDomains) {
  IrText ir;
  for (const char* version : {"opset2", "opset4", "opset3", "opset", "opsetX", "demo"})
    ir.layer(version, "Split", version, "", 0, R"(<output><port id="0"/></output>)");
  const Result<Model> model = read(ir);
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->opsets, (std::map<std::string, int64_t>{{"openvino", 4}, {"opset", 0}, {"opsetX", 0}, {"demo", 0}}));
  for (const Node& node : model->graph.nodes) {
    const bool has_number = node.name.back() >= '2' && node.name.back() <= '4';
    EXPECT_EQ(node.domain, has_number ? "openvino" : node.name);
    EXPECT_EQ(node.opset, has_number ? node.name.back() - '0' : 0) << node.name;
  }
}

// ---- Memory

// The least limit of memory with which reading does not end because of it.
int64_t memory_of(const std::string& layers, std::string_view edges = "<edge/>") {
  const std::string xml = fmt::format("<net version=\"11\"><layers>{}</layers><edges>{}</edges></net>", layers, edges);
  int64_t low = 0, high = int64_t{1} << 24;
  while (high - low > 1) {
    Limits limits;
    limits.max_working_bytes = (low + high) / 2;
    const bool over = read_ir(bytes_of(xml), "", limits).status().code() == TESELA_ERROR_LIMIT;
    (over ? low : high) = limits.max_working_bytes;
  }
  return high;
}

// Its ports take more memory than the XML is allowed to, so that of other layers can be measured.
std::string layer_with_ports() {
  std::string ports;
  for (int k = 0; k < 100; ++k) ports += fmt::format(R"(<port id="{}" names="p{}"/>)", k, k);
  return fmt::format(R"(<layer id="1" type="Split" version="x"><output>{}</output></layer>)", ports);
}

std::string layer(std::string_view inside, std::string_view name = "") {
  return layer_with_ports() +
         fmt::format(R"(<layer id="2" name="{}" type="Tile" version="opset1">{}</layer>)", name, inside);
}

// Each of these has a fault just behind what is measured, so the limit is exceeded there or not at all.
TEST(IrLayers, LayersAndNamesTakeMemoryBeforeTheyAreRead) {
  const int64_t without = memory_of(layer_with_ports());
  const std::string no_type = R"(<layer id="2"/>)";
  EXPECT_GE(memory_of(layer_with_ports() + no_type) - without, static_cast<int64_t>(sizeof(Node)));

  const std::string name(200, 'n');
  const auto port = [](std::string_view names) {
    return fmt::format(R"(<output><port id="0" names="{}"><dim>?!</dim></port></output>)", names);
  };
  EXPECT_EQ(memory_of(layer(port(name))) - memory_of(layer(port(""))), 200);

  const auto unnamed = [](std::string_view name) { return layer(R"(<output><port id="0"/></output>)", name); };
  EXPECT_EQ(memory_of(unnamed(name)) - memory_of(unnamed("n")), 199);
}

TEST(IrLayers, NodesAndAttributesTakeMemoryBeforeTheyAreRead) {
  const std::string no_shape =
      R"(<layer id="3" type="Parameter" version="opset1"><output><port id="0" names="p"/></output></layer>)";
  EXPECT_EQ(memory_of(layer_with_ports() + no_shape, "") - memory_of(no_shape + layer_with_ports(), ""),
            static_cast<int64_t>(100 * sizeof(Name)));

  const auto attribute = [&](const std::string& text) {
    return memory_of(layer(fmt::format(R"(<data a="{}"/>)", text)) + no_shape, "");
  };
  EXPECT_EQ(attribute(std::string(200, '1')) - attribute(""), 4 * 200);  // a list "1,1" takes 8 bytes for two of text
}

}  // namespace
}  // namespace tesela
