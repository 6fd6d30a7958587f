// SPDX-License-Identifier: Apache-2.0
// OpenVINO's IR: layers, edges, names, and errors with line and column.
#include "model/ir_reader.h"

#include <sys/stat.h>

#include "files/temporary_folder.h"
#include "model/constant_fault.h"
#include "model/expect_fault.h"
#include "model/ir_text.h"
#include "model/model_file.h"

namespace tesela {
namespace {

using testing::bytes_of;
using testing::constant_fault;
using testing::fails;
using testing::ir_tile;
using testing::IrText;
using testing::TemporaryFolder;

Result<Model> read(std::string_view text, const Limits& limits = Limits()) {
  return read_ir(bytes_of(text), "", limits);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(IrReader, ReadsLayersAsInputsInitializersNodesAndOutputs) {
  const Result<Model> model = read(ir_tile("2,?", 2));
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->format, ModelFormat::kOpenvino);
  EXPECT_EQ(model->ir_version, 11);
  EXPECT_EQ(model->opsets.at("openvino"), 1);
  ASSERT_EQ(model->graph.inputs.size(), 1u);
  EXPECT_EQ(model->graph.inputs[0].name, "data");
  EXPECT_EQ(model->graph.inputs[0].info.type, DataType::kFloat);
  EXPECT_EQ(dims_text(model->graph.inputs[0].info.dims), "2x?");
  ASSERT_EQ(model->graph.initializers.size(), 1u);
  EXPECT_EQ(model->graph.initializers[0].name, "repeats");
  ASSERT_EQ(model->graph.nodes.size(), 1u);
  const Node& tile = model->graph.nodes[0];
  EXPECT_EQ(tile.domain, "openvino");
  EXPECT_EQ(tile.opset, 1);
  EXPECT_EQ(tile.inputs, (std::vector<Name>{"data", "repeats"}));
  ASSERT_EQ(model->graph.outputs.size(), 1u);
  EXPECT_EQ(model->graph.outputs[0].name, "y");
}

TEST(IrReader, VersionsTenAndElevenAreKnown) {
  for (const char* version : {"10", "11"}) EXPECT_TRUE(read(IrText(version).text()).ok()) << version;
  for (const char* version : {"7", "12", "", "-1", "1e1"})
    EXPECT_TRUE(fails(read(IrText(version).text()).status(), TESELA_ERROR_UNSUPPORTED, "expected 10 or 11")) << version;
}

TEST(IrReader, NamesAreTensorsElseLayersAndAlwaysUnique) {
  IrText ir;
  const int x = ir.layer("layer x", "Parameter", "opset1", R"(<data shape="" element_type="f32"/>)", 0,
                         R"(<output><port id="0" names="a\,b,other"/></output>)");
  const int same = ir.layer("a,b", "Parameter", "opset1", R"(<data shape="" element_type="f32"/>)", 0,
                            R"(<output><port id="0"/></output>)");
  ir.result(x);
  ir.result(same);
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph.inputs[0].name, "a,b");
  EXPECT_EQ(model->graph.inputs[1].name, "a,b (layer 1 port 0)");
}

TEST(IrReader, NamesKeepOtherBackslashes) {
  for (const char* name : {R"(a\)", R"(a\b)", R"(\\)"}) {
    IrText ir;
    ir.parameter(name, "f32", "1");
    const Result<Model> model = read(ir.text());
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_EQ(model->graph.inputs[0].name, name);
  }
}

TEST(IrReader, ValuesOfLayersWithSeveralPortsAreNumbered) {
  IrText ir;
  ir.layer("split", "Split", "opset1", "", 0, R"(<output><port id="3"/><port id="7"/></output>)");
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph.nodes[0].outputs, (std::vector<Name>{"split.3", "split.7"}));
}

TEST(IrReader, SecondResultOfOneValueHasItsOwnName) {
  IrText ir;
  const int x = ir.parameter("x", "f32", "1");
  ir.result(x);
  ir.result(x);
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(model->graph.outputs.size(), 2u);
  EXPECT_EQ(model->graph.outputs[0].name, "x");
  EXPECT_EQ(model->graph.outputs[1].name, "result2 (layer 2)");
}

TEST(IrReader, AcceptsLayersInAnyOrder) {
  IrText ir;
  const int x = ir.parameter("x", "f32", "1,1");
  const int second = ir.layer("second", "Tile", "opset1", "", 2, R"(<output><port id="2" names="second"/></output>)");
  const int first = ir.layer("first", "Tile", "opset1", "", 2, R"(<output><port id="2" names="first"/></output>)");
  const int r = ir.parameter("r", "i64", "2");
  ir.edge(x, 0, first, 0);
  ir.edge(r, 0, first, 1);
  ir.edge(first, 2, second, 0);
  ir.edge(r, 0, second, 1);
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->graph.nodes[0].name, "first");
  EXPECT_EQ(model->graph.nodes[1].name, "second");
}

TEST(IrReader, NodesFollowAllTheirProducers) {
  IrText ir;
  const int join = ir.layer("join", "Add", "opset1", "", 2, R"(<output><port id="2" names="join"/></output>)");
  const int x = ir.parameter("x", "f32", "1");
  const int first = ir.op("first", "Relu", "opset1", "", {x});
  const int second = ir.op("second", "Relu", "opset1", "", {first});
  ir.edge(first, 1, join, 0);
  ir.edge(second, 1, join, 1);
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok()) << model.status().message();
  std::vector<std::string> order;
  for (const Node& node : model->graph.nodes) order.push_back(node.name);
  EXPECT_EQ(order, (std::vector<std::string>{"first", "second", "join"}));
}

TEST(IrReader, ParsesAttributesByKind) {
  IrText ir;
  const int x = ir.parameter("x", "f32", "1,1,2,2");
  ir.op(
      "up", "Interpolate", "opset4",
      R"(<data mode="cubic" shape_calculation_mode="scales" antialias="true" pads_begin="3, 1,2" cube_coeff="-0.5"/>)",
      {x});
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  const Node& node = model->graph.nodes[0];
  EXPECT_TRUE(node.fault.ok()) << node.fault.message();
  const OpDesc op = {*find_schema("openvino", "Interpolate", 4), "", node.attributes};
  EXPECT_EQ(op.string_value("mode"), "cubic");
  EXPECT_EQ(op.int_value("antialias"), 1);
  EXPECT_EQ(op.float_value("cube_coeff"), -0.5f);
  const auto pads = *op.ints_value("pads_begin");
  EXPECT_EQ(std::vector(pads.begin(), pads.end()), (std::vector<int64_t>{3, 1, 2}));
}

TEST(IrReader, FlagsAreWordsOrDigitsAndListsMayBeEmpty) {
  for (const auto& [word, value] : std::map<std::string, int64_t>{{"true", 1}, {"1", 1}, {"false", 0}, {"0", 0}}) {
    IrText ir;
    ir.op("up", "Interpolate", "opset4", fmt::format(R"(<data antialias="{}" pads_begin=" "/>)", word),
          {ir.parameter("x", "f32", "1")});
    const Result<Model> model = read(ir.text());
    ASSERT_TRUE(model.ok());
    const Node& node = model->graph.nodes[0];
    EXPECT_TRUE(node.fault.ok()) << node.fault.message();
    ASSERT_EQ(node.attributes.size(), 2u);
    EXPECT_EQ(std::get<int64_t>(node.attributes[0].value), value) << word;
    EXPECT_TRUE(std::get<std::vector<int64_t>>(node.attributes[1].value).empty());
  }
}

TEST(IrReader, InvalidAttributesAreFaultsOfTheNode) {
  for (const auto& [data, words] :
       std::map<std::string, std::string>{{R"(antialias="yes")", "'antialias' is 'yes'; expected true or false"},
                                          {R"(cube_coeff="nan")", "'cube_coeff' is 'nan'; expected a decimal number"},
                                          {R"(cube_coeff="1,5")", "'cube_coeff' is '1,5'"},
                                          {R"(pads_begin="0,,1")", "'pads_begin' is '0,,1'; expected whole numbers"},
                                          {R"(pads_begin="0,1,")", "'pads_begin' is '0,1,'; expected whole"},
                                          {R"(pads_end="99999999999999999999")", "'pads_end'"}}) {
    IrText ir;
    ir.op("up", "Interpolate", "opset11", fmt::format("<data {}/>", data), {ir.parameter("x", "f32", "1")});
    const Result<Model> model = read(ir.text());
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(fails(model->graph.nodes[0].fault, TESELA_ERROR_ATTRIBUTE, words)) << data;
    EXPECT_TRUE(fails(model->graph.nodes[0].fault, TESELA_ERROR_ATTRIBUTE, "line 5 column ")) << data;
  }
}

TEST(IrReader, FirstInvalidAttributeIsTheFault) {
  IrText ir;
  ir.op("up", "Interpolate", "opset11", R"(<data antialias="yes" cube_coeff="half"/>)",
        {ir.parameter("x", "f32", "1")});
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  EXPECT_TRUE(fails(model->graph.nodes[0].fault, TESELA_ERROR_ATTRIBUTE, "attribute 'antialias' is 'yes'"));
}

TEST(IrReader, AttributesOfUnknownOpsetsAreText) {
  IrText ir;
  ir.op("up", "Interpolate", "opset99", R"(<data antialias="yes"/>)", {ir.parameter("x", "f32", "1")});
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  const Node& node = model->graph.nodes[0];
  EXPECT_EQ(node.opset, 99);
  EXPECT_TRUE(node.fault.ok()) << node.fault.message();
  EXPECT_EQ(node.attributes.at(0).kind, AttributeKind::kString);
  EXPECT_EQ(std::get<std::string>(node.attributes[0].value), "yes");
}

TEST(IrReader, ForeignLayersKeepTheirVersionAsDomain) {
  IrText ir;
  ir.op("f", "FastTile", "demo", "", {ir.parameter("x", "f32", "1")});
  const Result<Model> model = read(ir.text());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->graph.nodes[0].domain, "demo");
  EXPECT_EQ(model->graph.nodes[0].opset, 0);
}

TEST(IrReader, ProducerIsRuntimeVersion) {
  const std::string info = R"(<rt_info><info name="OpenVINO Runtime" value="2026.4.1"/></rt_info></net>)";
  const Result<Model> model = read(replaced(ir_tile("1", 1), "</net>", info));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->producer, "OpenVINO 2026.4.1");
}

// ---- Invalid graphs

TEST(IrReader, RejectsInvalidIdsPortsAndEdges) {
  const std::string good = ir_tile("1", 1);
  const auto refused = [&](std::string_view from, std::string_view to, std::string_view words) {
    return fails(read(replaced(good, from, to)).status(), TESELA_ERROR_PARSE, words);
  };
  EXPECT_TRUE(refused(R"(<layer id="1")", R"(<layer id="0")", "line 5 column 1: a second layer has the id 0"));
  EXPECT_TRUE(refused(R"(<layer id="1")", R"(<layer id="9223372036854775808")", "expected a number from 0"));
  EXPECT_TRUE(refused(R"(<layer id="1")", R"(<layer id="-1")", "'id' of <layer> is '-1'"));
  EXPECT_TRUE(refused(R"(<layer id="1")", R"(<layer)", "'id' of <layer> is ''"));
  EXPECT_TRUE(refused(R"(type="Tile")", "", "layer 2 has no 'type'"));
  EXPECT_TRUE(refused(R"(version="opset1"><data shape)", R"(><data shape)", "layer 0 has no 'version'"));
  EXPECT_TRUE(refused(R"(<port id="1"/></input>)", R"(<port id="0"/></input>)", "a second port has the id 0"));
  EXPECT_TRUE(
      refused(R"(to-layer="2" to-port="1")", R"(to-layer="2" to-port="7")", "'to-port' is 7, but 'Tile' layer"));
  EXPECT_TRUE(refused(R"(to-layer="2" to-port="1")", R"(to-layer="9" to-port="1")",
                      "the edge names layer 9, which does not exist"));
  EXPECT_TRUE(refused(R"(to-layer="2" to-port="1")", R"(to-layer="2" to-port="0")", "port 0 of layer"));
  EXPECT_TRUE(refused(R"(from-layer="1" from-port="0")", R"(from-layer="1" from-port="1")", "'from-port' is 1"));
  EXPECT_TRUE(refused(R"(<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>)", "",
                      "Tile layer 'y': its port 1 has no edge"));
  EXPECT_TRUE(refused("<net ", "<nut ", "mismatch"));
  EXPECT_TRUE(fails(read("<a/>").status(), TESELA_ERROR_PARSE, "the root is <a>; expected <net>"));
}

TEST(IrReader, RejectsOtherNumbersOfPorts) {
  struct Case {
    std::string_view type;
    size_t inputs;
    std::string_view output;
    std::string_view words;
  };
  const Case cases[] = {
      {"Parameter", 1, R"(<output><port id="1"/></output>)", "it has 1 inputs and 1 outputs; expected 0 and 1"},
      {"Parameter", 0, R"(<output><port id="0"/><port id="1"/></output>)",
       "it has 0 inputs and 2 outputs; expected 0 and 1"},
      {"Const", 0, "", "it has 0 inputs and 0 outputs; expected 0 and 1"},
      {"Result", 0, "", "it has 0 inputs and 0 outputs; expected 1 and 0"},
      {"Result", 2, "", "it has 2 inputs and 0 outputs; expected 1 and 0"},
  };
  for (const Case& c : cases) {
    IrText ir;
    const int x = ir.parameter("x", "f32", "1");
    const int bad = ir.layer("bad", c.type, "opset1", R"(<data shape="1" element_type="f32"/>)", c.inputs, c.output);
    for (size_t k = 0; k < c.inputs; ++k) ir.edge(x, 0, bad, static_cast<int>(k));
    EXPECT_TRUE(
        fails(read(ir.text()).status(), TESELA_ERROR_PARSE, fmt::format("{} layer 'bad': {}", c.type, c.words)));
  }
}

TEST(IrReader, PortsHaveOneExtentInEachDim) {
  const auto fault = [](std::string_view dim) {
    return read(replaced(ir_tile("1", 1, "7"), "<dim>7</dim>", fmt::format("<dim>{}</dim>", dim))).status();
  };
  for (const char* dim : {"...", ""})
    EXPECT_TRUE(fails(fault(dim), TESELA_ERROR_PARSE, fmt::format("'{}' is not an extent", dim)));
  EXPECT_TRUE(fails(fault("1,2"), TESELA_ERROR_LIMIT, "more than 1 axes"));
}

TEST(IrReader, ParametersWithoutTypeOrShape) {
  const std::string good = ir_tile("1", 1);
  const auto refused = [&](std::string_view from, std::string_view to, tesela_status code, std::string_view words) {
    return fails(read(replaced(good, from, to)).status(), code, words);
  };
  EXPECT_TRUE(refused(R"(element_type="f32")", R"(element_type="f31")", TESELA_ERROR_TYPE, "'element_type' is 'f31'"));
  EXPECT_TRUE(refused(R"(<data shape="1")", "<data", TESELA_ERROR_SHAPE, "attribute 'shape' is missing"));
  EXPECT_TRUE(refused(R"(<data shape="1")", R"(<data shape="1,,2")", TESELA_ERROR_PARSE, "'' is not an extent"));
  EXPECT_TRUE(refused(R"(<data shape="1")", R"(<data shape="-2")", TESELA_ERROR_SHAPE, "extent -2 is below -1"));
  std::string many = "1";
  for (int i = 0; i < 1'000'000; ++i) many += ",1";
  EXPECT_TRUE(refused(R"(<data shape="1")", fmt::format(R"(<data shape="{}")", many), TESELA_ERROR_LIMIT, "64 axes"));
  for (const char* unknown : {"dynamic", "undefined"}) {
    const Result<Model> model =
        read(replaced(good, R"(element_type="f32")", fmt::format(R"(element_type="{}")", unknown)));
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_EQ(model->graph.inputs[0].info.type, DataType::kUndefined);
  }
}

TEST(IrReader, PortsHaveAsManyDimsAsTheLimit) {
  const std::string text = ir_tile("1", 1, "1,1,1");
  Limits limits;
  limits.max_rank = 3;
  EXPECT_TRUE(read(text, limits).ok());
  limits.max_rank = 2;
  EXPECT_TRUE(fails(read(text, limits).status(), TESELA_ERROR_LIMIT, "the port has more than 2 dims"));
}

TEST(IrReader, TooManyLayersAreOverTheLimit) {
  Limits limits;
  limits.max_nodes = 3;
  EXPECT_TRUE(fails(read(ir_tile("1", 1), limits).status(), TESELA_ERROR_LIMIT, "more than 3 layers"));
}

TEST(IrReader, EveryPrefixAndBitFlipReturnsAStatus) {
  const std::string text = ir_tile("2,3", 2, "4,6");
  const auto reading = [](std::span<const std::byte> bytes) { return read_ir(bytes, "", Limits()).status(); };
  testing::sweep_prefixes(text, reading, {TESELA_ERROR_PARSE, TESELA_OK});
  testing::sweep_bit_flips(text, reading);
}

// ---- Files

TEST(IrReader, DetectsFormatByContentNotByName) {
  const TemporaryFolder folder;
  const Result<Model> model = read_model(folder.write("named.onnx", ir_tile("1", 1)), {});
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->format, ModelFormat::kOpenvino);
  EXPECT_TRUE(fails(read_model(folder.write("m.xml", "\n  <x"), {}).status(), TESELA_ERROR_PARSE, "m.xml': line 2 "));
  const Result<Model> marked = read_model(folder.write("marked", "\xef\xbb\xbf" + ir_tile("1", 1)), {});
  ASSERT_TRUE(marked.ok()) << marked.status().message();
  EXPECT_EQ(marked->format, ModelFormat::kOpenvino);
  for (const std::string& wide : {std::string("\xff\xfe<\0", 4), std::string("\xfe\xff\0<", 4)})
    EXPECT_TRUE(fails(read_model(folder.write("wide", wide), {}).status(), TESELA_ERROR_PARSE, "the XML is UTF-16"));
  OnnxReadOptions options;
  options.assume_opset = 13;
  EXPECT_TRUE(
      fails(read_model(folder / "named.onnx", options).status(), TESELA_ERROR_UNSUPPORTED, "an opset is assumed"));
}

TEST(IrReader, ReadsConstantsFromBinFile) {
  const TemporaryFolder folder;
  folder.write("v1.2/m.xml", ir_tile("1", 1));
  folder.write("v1.2/m.bin", std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_TRUE(constant_fault(folder, "v1.2/m.xml").ok());
  const Result<Model> model = read_model(folder / "v1.2/m.xml", {});
  EXPECT_EQ(model->graph.initializers[0].value.as<int64_t>()[0], 3);
  folder.write("v1.2/plain", ir_tile("1", 1));
  EXPECT_TRUE(fails(constant_fault(folder, "v1.2/plain"), TESELA_ERROR_IO, "cannot open 'plain.bin'"));
  EXPECT_TRUE(fails(read(ir_tile("1", 1))->graph.initializers[0].fault, TESELA_ERROR_PATH, "from memory has no file"));
}

// An untrusted folder can have links to files that its author must not read, and pipes that never end.
TEST(IrReader, RejectsConstantsBehindLinksAndPipes) {
  const TemporaryFolder folder;
  folder.write("secret", std::string(8, 's'));
  const auto fault = [&](std::string_view name, std::string_view words) {
    folder.write(fmt::format("model/{}.xml", name), ir_tile("1", 1));
    return fails(constant_fault(folder, fmt::format("model/{}.xml", name)), TESELA_ERROR_PATH, words);
  };
  std::filesystem::create_directories(folder / "model/folder.bin");
  std::filesystem::create_symlink("../secret", folder / "model/symbolic.bin");
  std::filesystem::create_hard_link(folder / "secret", folder / "model/hard.bin");
  ASSERT_EQ(::mkfifo((folder / "model/pipe.bin").c_str(), 0600), 0);
  EXPECT_TRUE(fault("symbolic", "cannot open 'symbolic.bin': a symbolic link"));
  EXPECT_TRUE(fault("hard", "'hard.bin' has 2 names (hard links); expected 1"));
  EXPECT_TRUE(fault("pipe", "'pipe.bin' is not a regular file"));
  EXPECT_TRUE(fault("folder", "'folder.bin' is not a regular file"));
}

TEST(IrReader, RejectsConstantsOutsideTheFile) {
  const TemporaryFolder folder;
  folder.write("m.bin", std::string(16, '\0'));
  const auto fault = [&](std::string_view offset, std::string_view size, std::string_view shape = "2") {
    IrText ir;
    ir.constant("c", "i64", shape, offset, size);
    folder.write("m.xml", ir.text());
    return constant_fault(folder, "m.xml");
  };
  EXPECT_TRUE(fault("0", "16").ok());
  EXPECT_TRUE(fails(fault("1", "16"), TESELA_ERROR_TRUNCATED, "16 bytes at offset 1 are not inside"));
  EXPECT_TRUE(fails(fault("9223372036854775807", "16"), TESELA_ERROR_TRUNCATED, "are not inside"));
  for (const char* offset : {"18446744073709551565", "-8", "1e3", " 12 ", "", "0x10"})
    EXPECT_TRUE(fails(fault(offset, "16"), TESELA_ERROR_VALUE, "attribute 'offset' is ")) << offset;
  for (const char* size : {"-16", "1e1", " 16", "99999999999999999999"})
    EXPECT_TRUE(fails(fault("0", size), TESELA_ERROR_VALUE, "attribute 'size' is ")) << size;
  EXPECT_TRUE(fails(fault("0", "15"), TESELA_ERROR_VALUE, "'size' is 15; a constant i64 2 has 16"));
  EXPECT_TRUE(fails(fault("0", "16", "?"), TESELA_ERROR_SHAPE, "shape is dynamic"));
  EXPECT_TRUE(fails(fault("0", "16", "..."), TESELA_ERROR_SHAPE, "shape is dynamic"));
  EXPECT_TRUE(fails(fault("0", "16", "4611686018427387904,4"), TESELA_ERROR_SHAPE, ""));
  EXPECT_TRUE(fault("0", "1", "0").ok());  // OpenVINO writes this for a constant without elements
}

TEST(IrReader, RejectsConstantsThatCannotBeTensors) {
  const TemporaryFolder folder;
  folder.write("m.bin", std::string(16, '\0'));
  const auto fault = [&](std::string_view type, std::string_view shape, int64_t max_output_bytes) {
    IrText ir;
    ir.constant("c", type, shape, "0", "16");
    OnnxReadOptions options;
    options.limits.max_output_bytes = max_output_bytes;
    const Result<Model> model = read_model(folder.write("m.xml", ir.text()), options);
    EXPECT_TRUE(model.ok()) << model.status().message();
    return model->graph.initializers.at(0).fault;
  };
  EXPECT_TRUE(fails(fault("dynamic", "2", 16), TESELA_ERROR_TYPE, "Const layer 'c': a constant has no element type"));
  EXPECT_TRUE(fails(fault("string", "3", 1024), TESELA_ERROR_PARSE,
                    "Const layer 'c': its 16 bytes begin with 0 strings; expected 3 and their offsets"));
  EXPECT_TRUE(fault("i64", "2", 16).ok());
  EXPECT_TRUE(fails(fault("i64", "2", 15), TESELA_ERROR_LIMIT,
                    "Const layer 'c': the constant takes 16 bytes; the limit is 15"));
}

}  // namespace
}  // namespace tesela
