// SPDX-License-Identifier: Apache-2.0
// Sessions of IRs: the examples of Tile-1's documentation, promotion, types of repeats, declared shapes.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "files/temporary_folder.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "model/expect_fault.h"
#include "model/ir_text.h"
#include "model/model_file.h"
#include "session/session_runner.h"

namespace tesela::test {
namespace {

using testing::fails;
using testing::ir_tile;
using testing::IrText;
using testing::TemporaryFolder;

std::string bytes_of_repeats(const std::vector<int64_t>& repeats) {
  return {reinterpret_cast<const char*>(repeats.data()), repeats.size() * 8};
}

Model ir_model(const std::string& text, const std::string& constants = "") {
  const TemporaryFolder folder;
  folder.write("m.bin", constants);
  Result<Model> model = read_model(folder.write("m.xml", text), {});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : Model();
}

Tensor counted(Extents extents) {
  std::vector<float> numbers(static_cast<size_t>(product(extents)));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return tensor_of(DataType::kFloat, std::move(extents), numbers);
}

// out[i] = in[i mod extent] along every axis, with leading extents of 1: the documented formula.
std::vector<float> tiled(const Tensor& data, const Extents& out) {
  const size_t lead = out.size() - data.extents().size();
  std::vector<float> result;
  for (int64_t flat = 0; flat < product(out); ++flat) {
    int64_t rest = flat;
    int64_t source = 0;
    int64_t step = 1;
    for (size_t d = out.size(); d-- > lead;) {
      const int64_t n = data.extents()[d - lead];
      source += rest % out[d] % n * step;
      rest /= out[d];
      step *= n;
    }
    result.push_back(data.as<float>()[static_cast<size_t>(source)]);
  }
  return result;
}

void expect_tiled(const std::string& text, Extents data, const std::vector<int64_t>& repeats, const Extents& expected) {
  Runner runner(ir_model(text, bytes_of_repeats(repeats)));
  const Tensor input = counted(std::move(data));
  const Tensor output = runner.output({{"data", input}});
  ASSERT_EQ(output.extents(), expected) << shape_text(output.extents());
  EXPECT_EQ(values<float>(output), tiled(input, expected));
}

// ---- The documentation of Tile-1: its examples with their ports' dims

TEST(IrTile, ExampleOneAsManyRepeatsAsAxes) {
  expect_tiled(ir_tile("2,3,4", 3, "2,6,12"), {2, 3, 4}, {1, 2, 3}, {2, 6, 12});
}

TEST(IrTile, ExampleTwoMoreRepeatsThanAxes) {
  expect_tiled(ir_tile("2,3,4", 4, "5,2,6,12"), {2, 3, 4}, {5, 1, 2, 3}, {5, 2, 6, 12});
}

TEST(IrTile, RejectsExampleTwoWithItsTypo) {  // the documentation has <dim>5/dim>
  std::string text = ir_tile("2,3,4", 4, "5,2,6,12");
  const size_t at = text.find("<dim>5</dim>");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 12, "<dim>5/dim>");
  const Status status = read_model(testing::bytes_of(text), nullptr, {}).status();
  EXPECT_TRUE(fails(status, TESELA_ERROR_PARSE, "line 6 column "));
}

TEST(IrTile, ExampleThreeFewerRepeatsThanAxes) {
  expect_tiled(ir_tile("5,2,3,4", 3, "5,2,6,12"), {5, 2, 3, 4}, {1, 2, 3}, {5, 2, 6, 12});
}

TEST(IrTile, RankExtensionExamples) {
  expect_tiled(ir_tile("2,3", 3, "2,4,6"), {2, 3}, {2, 2, 2}, {2, 4, 6});
  expect_tiled(ir_tile("4,2,3", 2, "4,4,6"), {4, 2, 3}, {2, 2}, {4, 4, 6});
  expect_tiled(ir_tile("2", 1), {2}, {88}, {176});
}

TEST(IrTile, ScalarsAndZeroRepeats) {
  expect_tiled(ir_tile("", 0), {}, {}, {});
  expect_tiled(ir_tile("", 2), {}, {2, 3}, {2, 3});
  expect_tiled(ir_tile("2,3", 0), {2, 3}, {}, {2, 3});
  Runner runner(ir_model(ir_tile("2,3", 3), bytes_of_repeats({4, 0, 1})));
  EXPECT_EQ(runner.output({{"data", counted({2, 3})}}).extents(), (Extents{4, 0, 3}));
}

TEST(IrTile, DynamicRankAndRepeatsFromInput) {
  IrText ir;
  const int data = ir.parameter("data", "f32", "...");
  const int times = ir.parameter("repeats", "i32", "?");
  ir.result(ir.op("y", "Tile", "opset1", "", {data, times}));
  Runner runner(ir_model(ir.text()));
  for (const std::vector<int32_t>& repeats : {std::vector{2, 2}, {3}, {2, 1, 2, 2}, {}}) {
    const Tensor input = counted({2, 3, 2});
    const Tensor given = tensor_of(DataType::kInt32, {static_cast<int64_t>(repeats.size())}, repeats);
    const Tensor output = runner.output({{"data", input}, {"repeats", given}});
    EXPECT_EQ(values<float>(output), tiled(input, output.extents()));
  }
}

TEST(IrTile, RepeatsOfEveryIntegerType) {
  const std::map<std::string, std::string> bytes = {{"i8", "\2\3"},
                                                    {"u8", "\2\3"},
                                                    {"i4", "\x32"},
                                                    {"u4", "\x32"},
                                                    {"u2", "\x0e"},
                                                    {"u1", std::string("\xc0")},  // most significant bit first: 1, 1
                                                    {"u3", std::string("\xb0\0\0", 3)},
                                                    {"u6", std::string("\x23\0\0", 3)}};
  for (const auto& [type, constant] : bytes) {
    IrText ir;
    const int data = ir.parameter("data", "f32", "1,1");
    ir.result(
        ir.op("y", "Tile", "opset1", "", {data, ir.constant("r", type, "2", "0", std::to_string(constant.size()))}));
    Runner runner(ir_model(ir.text(), constant));
    const Extents expected = type == "u1" ? Extents{1, 1} : Extents{2, 3};
    EXPECT_EQ(runner.output({{"data", counted({1, 1})}}).extents(), expected) << type;
  }
}

TEST(IrTile, ConstantDataOfEveryElementType) {
  // Two elements, of ones that are valid for each type: the output has those bits twice.
  const std::string file = "\x61\x12\x83\x54\xa5\x36\xc7\x78\x69\x5a\xab\x3c\x1d\x7e\x2f\x40";
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.openvino_name.empty() || row.kind == DataKind::kText) continue;
    const int bits = row.bits * 2;
    IrText ir;
    const int data = ir.constant("c", row.openvino_name, "2", "1", std::to_string((bits + 7) / 8));
    ir.result(ir.op("y", "Tile", "opset1", "", {data, ir.constant("r", "u8", "1", "0", "1")}));
    Runner runner(ir_model(ir.text(), "\2" + file));
    const Tensor output = runner.output({});
    ASSERT_EQ(output.type(), row.type);
    ASSERT_EQ(output.extents(), Extents{4});
    if (bits % 8 == 0)
      for (int copy = 0; copy < 2; ++copy)
        EXPECT_EQ(std::memcmp(output.data() + copy * bits / 8, file.data(), static_cast<size_t>(bits / 8)), 0)
            << row.onnx_name;
    else  // two elements of 2 bits
      EXPECT_EQ(static_cast<int>(output.data()[0]), 0x11) << row.onnx_name;
  }
}

TEST(IrTile, Strings) {
  using namespace std::string_view_literals;
  IrText ir;
  const int data = ir.constant("c", "string", "2", "0", "19");
  ir.result(ir.op("y", "Tile", "opset1", "", {data, ir.constant("r", "i64", "1", "19", "8")}));
  Runner runner(ir_model(ir.text(), std::string("\2\0\0\0\0\0\0\0\1\0\0\0\3\0\0\0abc\2\0\0\0\0\0\0\0"sv)));
  EXPECT_EQ(texts(runner.output({})), (std::vector<std::string>{"a", "bc", "a", "bc"}));
}

// ---- Errors

TEST(IrTile, RejectsInvalidRepeats) {
  EXPECT_TRUE(fails(refusal(ir_model(ir_tile("2,3", 2), bytes_of_repeats({-1, 2}))), TESELA_ERROR_VALUE,
                    "Tile-1 node 'y': input 'repeats': entry 0 is -1; expected at least 0"));
  const int64_t large = int64_t{1} << 40;
  EXPECT_TRUE(fails(refusal(ir_model(ir_tile("4611686018427387904", 1), bytes_of_repeats({4}))), TESELA_ERROR_SHAPE,
                    "overflows int64"));
  Runner overflow(ir_model(ir_tile("?,?", 2), bytes_of_repeats({large, large})));
  EXPECT_EQ(overflow.run({{"data", counted({2, 3})}}).status().code(), TESELA_ERROR_SHAPE);
  for (const char* type : {"f32", "boolean"}) {
    IrText ir;
    ir.result(ir.op("y", "Tile", "opset1", "", {ir.parameter("x", "f32", "1"), ir.parameter("r", type, "1")}));
    EXPECT_TRUE(fails(refusal(ir_model(ir.text())), TESELA_ERROR_TYPE, "input 'repeats' has type")) << type;
  }
  IrText ir;
  ir.result(ir.op("y", "Tile", "opset1", "", {ir.parameter("x", "f32", "1"), ir.parameter("r", "i64", "1,1")}));
  EXPECT_TRUE(fails(refusal(ir_model(ir.text())), TESELA_ERROR_RANK, "input 'repeats' has rank 2; expected 1"));
  IrText huge;
  const int r = huge.constant("r", "u64", "1", "0", "8");
  huge.result(huge.op("y", "Tile", "opset1", "", {huge.parameter("x", "f32", "1"), r}));
  EXPECT_TRUE(
      fails(refusal(ir_model(huge.text(), std::string(8, '\xff'))), TESELA_ERROR_VALUE, "18446744073709551615"));
}

TEST(IrSession, OutputsMustMatchDeclaredDims) {
  EXPECT_TRUE(fails(refusal(ir_model(ir_tile("2,3", 2, "4,5"), bytes_of_repeats({2, 2}))), TESELA_ERROR_SHAPE,
                    "output 'y' is declared as ? 4x5 and is float 4x6"));
  EXPECT_TRUE(refusal(ir_model(ir_tile("2,3", 2, "-1,6"), bytes_of_repeats({2, 2}))).ok());
}

TEST(IrSession, IntervalsOfParametersAreKept) {
  Runner runner(ir_model(ir_tile("2..4", 1), bytes_of_repeats({2})));
  EXPECT_EQ(runner.output({{"data", counted({3})}}).extents(), Extents{6});
  EXPECT_TRUE(fails(runner.run({{"data", counted({5})}}).status(), TESELA_ERROR_SHAPE,
                    "input 'data' is float 5; the model declares 2 to 4 for axis 0"));
}

TEST(IrSession, MappedConstantsCutShortBetweenRuns) {
  const TemporaryFolder folder;
  const std::string bin = folder.write("m.bin", bytes_of_repeats({2}));
  std::filesystem::resize_file(bin, (size_t{64} << 20) + 1);
  Result<Model> model = read_model(folder.write("m.xml", ir_tile("2", 1)), {});
  ASSERT_TRUE(model.ok()) << model.status().message();
  Runner runner(std::move(*model));
  EXPECT_TRUE(runner.run({{"data", counted({2})}}).ok());
  std::filesystem::resize_file(bin, 0);
  EXPECT_TRUE(fails(runner.run({{"data", counted({2})}}).status(), TESELA_ERROR_TRUNCATED, "m.bin' was cut short"));
}

TEST(IrSession, ConstantsCutShortDuringARun) {
  const TemporaryFolder folder;
  const std::string bin = folder.write("m.bin", bytes_of_repeats({1}));
  std::filesystem::resize_file(bin, size_t{128} << 20);
  IrText ir;
  const int ones = ir.constant("r", "i64", "1", "0", "8");
  const int large = ir.constant("large", "u8", "100000000", "4096", "100000000");
  ir.result(ir.op("first", "Tile", "opset1", "", {large, ones}));
  ir.result(ir.op("second", "Tile", "opset1", "", {large, ones}));
  Result<Model> model = read_model(folder.write("m.xml", ir.text()), {});
  ASSERT_TRUE(model.ok()) << model.status().message();
  const Executor executor;
  auto session = Session::create(std::make_shared<const Model>(std::move(*model)), Limits());
  ASSERT_TRUE(session.ok()) << session.status().message();
  const auto cut = [&](const NodeEvent&) { std::filesystem::resize_file(bin, 0); };
  const Result<std::vector<Tensor>> outputs = (*session)->run({.inputs = {}, .on_node = cut}, executor);
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  EXPECT_EQ((*outputs)[1].bytes(), 100'000'000);
}

TEST(IrSession, CyclesAndForeignLayersAreNamed) {
  IrText ir;
  const int r = ir.parameter("r", "i64", "1");
  const int first = ir.layer("first", "Tile", "opset1", "", 2, R"(<output><port id="2" names="first"/></output>)");
  const int second = ir.layer("second", "Tile", "opset1", "", 2, R"(<output><port id="2" names="second"/></output>)");
  ir.edge(second, 2, first, 0);
  ir.edge(first, 2, second, 0);
  ir.edge(r, 0, first, 1);
  ir.edge(r, 0, second, 1);
  EXPECT_TRUE(
      fails(refusal(ir_model(ir.text())), TESELA_ERROR_PARSE, "a cycle: Tile node 'first', Tile node 'second'"));
  IrText foreign;
  foreign.result(foreign.op("act", "ReLU", "opset1", "", {foreign.parameter("x", "f32", "1")}));
  EXPECT_TRUE(fails(refusal(ir_model(foreign.text())), TESELA_ERROR_UNSUPPORTED,
                    "ReLU node 'act'; Tesela runs Tile, Interpolate, Parameter, Const and Result"));
}

TEST(IrSession, OneValueMayHaveSeveralResults) {
  IrText ir;
  const int x = ir.parameter("x", "f32", "2");
  const int y = ir.op("y", "Tile", "opset1", "", {x, ir.constant("r", "u8", "1", "0", "1")});
  ir.result(y);
  ir.result(y);
  ir.result(x);
  Runner runner(ir_model(ir.text(), "\2"));
  const Result<std::vector<Tensor>> outputs = runner.run({{"x", floats({1, 2})}});
  ASSERT_TRUE(outputs.ok()) << outputs.status().message();
  ASSERT_EQ(outputs->size(), 3u);
  EXPECT_EQ(values<float>((*outputs)[0]), (std::vector<float>{1, 2, 1, 2}));
  EXPECT_EQ(values<float>((*outputs)[1]), (std::vector<float>{1, 2, 1, 2}));
  EXPECT_EQ(values<float>((*outputs)[2]), (std::vector<float>{1, 2}));
}

TEST(IrSession, CheckAndInspectSupportIr) {
  const Model model = ir_model(ir_tile("2,3", 2), bytes_of_repeats({2, 2}));
  EXPECT_EQ(check_model(model, Limits()).findings.size(), 0u);
  const auto document = nlohmann::ordered_json::parse(inspect_json(model, Limits()));
  EXPECT_EQ(document["format"], "openvino");
  EXPECT_EQ(document["runnable"], true);
  EXPECT_EQ(document["opsets"]["openvino"], 1);
  EXPECT_EQ(document["nodes"][0]["since_version"], 1);
  EXPECT_EQ(document["outputs"][0]["dims"], nlohmann::ordered_json({4, 6}));
}

TEST(IrSession, VersionsOfOneOperatorHaveTheirOwnAttributes) {
  for (const auto& [opset, data, words] :
       {std::tuple{"opset4", R"(<data axes="2,3" mode="nearest"/>)", "attribute 'axes' is unknown"},
        std::tuple{"opset1", R"(<data mode="linear_onnx" axes="2,3"/>)", "'mode' is 'linear_onnx'"},
        std::tuple{"opset3", R"(<data mode="nearest"/>)", "attribute 'axes' is missing"},
        std::tuple{"opset99", R"(<data/>)", "opset 99 is not supported; the newest is 17"}}) {
    IrText ir;
    ir.result(
        ir.op("up", "Interpolate", opset, data, {ir.parameter("x", "f32", "1,1,2,2"), ir.parameter("s", "i64", "2")}));
    const CheckReport report = check_model(ir_model(ir.text()), Limits());
    const auto has_words = [words = std::string_view(words)](const Finding& f) {
      return f.text.find(words) != std::string::npos;
    };
    EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), has_words)) << words;
  }
}

}  // namespace
}  // namespace tesela::test
