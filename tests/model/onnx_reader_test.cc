// SPDX-License-Identifier: Apache-2.0
// Whole models: what is read, what protobuf allows, and what is an error.
#include "model/model_file.h"

#include <ctime>

#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {
namespace {

Result<Model> read(std::string_view bytes, OnnxReadOptions options = {}) {
  return read_onnx(bytes_of(bytes), nullptr, options);
}

Status status_of(std::string_view bytes, OnnxReadOptions options = {}) {
  return read(bytes, options).status();
}

Status read_block(std::span<const std::byte> bytes) {
  return read_onnx(bytes, nullptr, {}).status();
}

// A model with most features.
std::string rich_model() {
  const Pb branch =
      Pb().text(2, "then").message(1, node_pb("Identity", {"x"}, {"t"})).message(12, value_pb("t", 1, {2}));
  Pb graph;
  graph.text(2, "g");
  graph.message(1,
                node_pb("Resize", {"x", "", "s"}, {"y"},
                        {attribute_pb("mode", 3).text(4, "linear"), attribute_pb("cubic_coeff_a", 1).float32(2, -0.5f),
                         attribute_pb("antialias", 2).number(3, 1), attribute_pb("axes", 7).numbers(8, {2, 3})}));
  graph.message(1, node_pb("If", {"c"}, {"z"}, {attribute_pb("then_branch", 5).message(6, branch)}));
  graph.message(5, raw_tensor_pb("s", 1, {4}, std::string(16, '\1')));
  graph.message(11, value_pb("x", 1, {1, -1, 8, 8})).message(12, value_pb("y", 1, {1, -1, 16, 16}));
  Pb function;
  function.text(1, "f").text(4, "a").text(5, "b").message(7, node_pb("Tile", {"a", "r"}, {"b"}));
  function.message(9, Pb().text(1, "").number(2, 13)).text(10, "mine");
  return model_pb(graph).message(25, function).bytes;
}

TEST(OnnxReader, ReadsAllPartsOfAModel) {
  const Result<Model> model = read(rich_model());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->ir_version, 8);
  EXPECT_EQ(model->producer, "test");
  EXPECT_EQ(model->opsets.at(""), 18);
  const Graph& graph = model->graph;
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(graph.nodes[0].type, "Resize");
  EXPECT_EQ(graph.nodes[0].inputs, (std::vector<Name>{"x", "", "s"}));
  ASSERT_EQ(graph.nodes[0].attributes.size(), 4u);
  EXPECT_EQ(std::get<std::string>(graph.nodes[0].attributes[0].value), "linear");
  EXPECT_EQ(std::get<float>(graph.nodes[0].attributes[1].value), -0.5f);
  EXPECT_EQ(std::get<int64_t>(graph.nodes[0].attributes[2].value), 1);
  EXPECT_EQ(std::get<std::vector<int64_t>>(graph.nodes[0].attributes[3].value), (std::vector<int64_t>{2, 3}));
  ASSERT_EQ(graph.nodes[1].subgraphs.size(), 1u);
  EXPECT_EQ(graph.nodes[1].subgraphs[0].attribute, "then_branch");
  EXPECT_EQ(graph.nodes[1].subgraphs[0].graph->nodes[0].type, "Identity");
  ASSERT_EQ(graph.initializers.size(), 1u);
  EXPECT_EQ(graph.initializers[0].value.extents(), Extents({4}));
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph.inputs[0].info.type, DataType::kFloat);
  EXPECT_EQ((*graph.inputs[0].info.dims)[1], (Dim{-1, "N"}));
  EXPECT_EQ((*graph.inputs[0].info.dims)[2], (Dim{8, ""}));
  ASSERT_EQ(model->functions.size(), 1u);
  EXPECT_EQ(model->functions[0].domain, "mine");
  EXPECT_EQ(model->functions[0].opsets.at(""), 13);
  EXPECT_EQ(model->functions[0].body.inputs[0].name, "a");
}

TEST(OnnxReader, EveryPrefixIsTruncatedOrAModel) {
  sweep_prefixes(rich_model(), read_block, {TESELA_OK, TESELA_ERROR_TRUNCATED});
}

TEST(OnnxReader, EveryBitFlipReturnsAStatus) {
  sweep_bit_flips(rich_model(), read_block, 100'000);
}

TEST(OnnxReader, RejectsFilesThatAreNotModels) {
  struct Case {
    std::string bytes;
    tesela_status code;
    std::string_view words;
  };
  const std::string text = "The quick brown fox jumps over the lazy dog.\n";
  const Case cases[] = {
      {"", TESELA_ERROR_TRUNCATED, "not an ONNX model: the file is empty"},
      {"\x08", TESELA_ERROR_TRUNCATED, "not an ONNX model: the field at byte 0"},
      {text, TESELA_ERROR_PARSE, "not an ONNX model"},
      {"\x89PNG\r\n\x1a\n....", TESELA_ERROR_PARSE, "not an ONNX model"},
      {std::string(64, '\0'), TESELA_ERROR_PARSE, "not an ONNX model: the field at byte 0 has a number"},
      {Pb().number(1, 8).bytes, TESELA_ERROR_TRUNCATED, "the model ends before its graph"},
      {raw_tensor_pb("t", 1, {1}, "1234").bytes, TESELA_ERROR_PARSE, "not an ONNX model: "},
      {Pb().text(9, "x").bytes, TESELA_ERROR_PARSE, "not an ONNX model: it has no graph"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(status_of(c.bytes), c.code, c.words)) << in_quotes(c.bytes);
}

TEST(OnnxReader, BrokenProtobufErrorNamesTheByte) {
  const std::string good = Pb().number(1, 8).bytes;  // two bytes
  struct Case {
    std::string bytes;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {good + "\x28" + std::string(11, '\xff') + "\x01", TESELA_ERROR_PARSE,
       "byte 2 has a number of more than 10 bytes"},
      {good + std::string("\0\0", 2), TESELA_ERROR_PARSE, "byte 2 has a number that protobuf does not allow"},
      {good + "\x0e\x01", TESELA_ERROR_PARSE, "byte 2 is a group"},
      {good + "\x0f\x01", TESELA_ERROR_PARSE, "byte 2 is a group"},
      {good + "\x0c", TESELA_ERROR_PARSE, "byte 2 is a group"},
      {good + std::string(1'000'000, '\x0b'), TESELA_ERROR_PARSE, "byte 2 is a group"},
      {good + "\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", TESELA_ERROR_TRUNCATED, "byte 2 runs past the end"},
      {good + "\x3a\x81\x80\x80\x80\x10"
              "x",
       TESELA_ERROR_TRUNCATED, "byte 2 runs past the end"},  // 2^32 + 1
      {good + "\x32\x05"
              "ab",
       TESELA_ERROR_TRUNCATED, "byte 2 runs past the end of its message; the file has 6 bytes"},
      {model_of_initializer(tensor_pb("t", 1, {1}).text(4, "abc")).bytes, TESELA_ERROR_PARSE,
       "does not fit its numbers"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(status_of(c.bytes), c.code, c.words)) << in_quotes(c.bytes);
}

// Graphs nested by attributes, `depth` levels.
std::string nested(int depth) {
  Pb graph;
  for (int i = 0; i < depth; ++i)
    graph = Pb().message(1, Pb().text(4, "If").message(5, attribute_pb("b", 5).message(6, graph)));
  return model_pb(graph).bytes;
}

TEST(OnnxReader, SubgraphsAreNestedUpToTheLimit) {
  EXPECT_TRUE(read(nested(64)).ok());
  EXPECT_TRUE(fails(status_of(nested(65)), TESELA_ERROR_LIMIT, "nested more than 64 deep"));
  OnnxReadOptions options;
  options.limits.max_nesting = 1;
  EXPECT_TRUE(fails(status_of(nested(2), options), TESELA_ERROR_LIMIT, "nested more than 1 deep"));
  // Without a limit, nesting is limited by the stack.
  options.limits = Limits::none();
  EXPECT_TRUE(read(nested(256), options).ok());
  EXPECT_TRUE(fails(status_of(nested(3000), options), TESELA_ERROR_LIMIT, "nested more than 256 deep"));
}

std::string repeated(std::string_view bytes, size_t times) {
  std::string out;
  out.reserve(bytes.size() * times);
  for (size_t i = 0; i < times; ++i) out += bytes;
  return out;
}

TEST(OnnxReader, RejectsTenMillionEmptyNodesEarly) {
  const std::string model = model_pb(Pb{repeated({"\x0a\x00", 2}, 10'000'000)}).bytes;
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(fails(status_of(model), TESELA_ERROR_LIMIT, "more than 1000000 nodes"));
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);
}

TEST(OnnxReader, NodesAreCountedOverTheWholeModel) {
  OnnxReadOptions options;
  options.limits.max_nodes = 4;
  EXPECT_TRUE(read(rich_model(), options).ok());
  options.limits.max_nodes = 3;
  EXPECT_TRUE(fails(status_of(rich_model(), options), TESELA_ERROR_LIMIT, "more than 3 nodes"));
  const std::string flat = model_pb(Pb().message(1, Pb()).message(1, Pb())).bytes;
  options.limits.max_nodes = 2;
  EXPECT_TRUE(read(flat, options).ok());
  options.limits.max_nodes = 1;
  EXPECT_TRUE(fails(status_of(flat, options), TESELA_ERROR_LIMIT, "more than 1 nodes"));
}

TEST(OnnxReader, EmptyPartsCountTowardsMemoryLimit) {
  OnnxReadOptions options;
  options.limits.max_working_bytes = 1 << 20;
  const size_t many = 100'000;
  const auto with_graph = [](std::string_view bytes) { return model_pb(Pb{std::string(bytes)}).bytes; };
  const std::string cases[] = {
      with_graph(repeated({"\x2a\x00", 2}, many)),                             // initializers
      with_graph(repeated({"\x7a\x00", 2}, many)),                             // sparse ones
      with_graph(repeated({"\x5a\x00", 2}, many)),                             // inputs
      with_graph(repeated({"\x6a\x00", 2}, many)),                             // values
      with_graph(Pb().message(1, Pb{repeated({"\x0a\x00", 2}, many)}).bytes),  // inputs of a node
      with_graph(Pb().message(1, Pb{repeated(Pb().text(5, Pb().text(1, "a").bytes).bytes, many)}).bytes),  // attributes
      model_pb(Pb()).bytes + repeated({"\xca\x01\x00", 3}, many),                                          // functions
      model_pb(Pb()).message(25, Pb{repeated({"\x22\x00", 2}, many)}).bytes,  // inputs of a function
      model_pb(Pb()).message(25, Pb{repeated({"\x2a\x00", 2}, many)}).bytes,  // outputs of one
      with_graph(
          Pb().message(11, Pb().message(2, Pb().message(1, Pb().message(2, Pb{repeated({"\x0a\x00", 2}, many)}))))
              .bytes),  // dims
  };
  for (const std::string& bytes : cases)
    EXPECT_TRUE(fails(status_of(bytes, options), TESELA_ERROR_LIMIT, "structure takes more than 1048576 bytes"));
}

TEST(OnnxReader, EveryFieldOfModelProtoIsPartOfAModel) {
  for (const uint32_t field : {2u, 3u, 4u, 6u, 14u, 20u, 26u})
    EXPECT_EQ(status_of(Pb().text(field, "").bytes).message(), "the model ends before its graph") << field;
  for (const uint32_t field : {1u, 5u})
    EXPECT_EQ(status_of(Pb().number(field, 1).bytes).message(), "the model ends before its graph") << field;
  for (const uint32_t field : {9u, 19u, 21u, 27u}) {
    EXPECT_EQ(status_of(Pb().text(field, "").bytes).message(), "not an ONNX model: it has no graph") << field;
    EXPECT_EQ(status_of(Pb().number(1, 8).text(field, "").bytes).message(), "not an ONNX model: it has no graph");
  }
  EXPECT_EQ(status_of(Pb().number(6, 1).bytes).message(), "not an ONNX model: it has no graph");
}

TEST(OnnxReader, LastOfRepeatedScalarsWins) {
  Pb pb = model_pb(Pb());
  EXPECT_EQ(read(pb.number(1, 9).bytes)->ir_version, 9);
}

TEST(OnnxReader, MergesRepeatedMessages) {
  Pb attribute = attribute_pb("value", 4);
  attribute.message(5, Pb().number(1, 2).number(2, 1)).message(5, Pb().text(9, "12345678"));
  Pb model = Pb().number(1, 8).message(7, Pb().message(1, node_pb("Tile", {}, {})));
  model.message(7, Pb().message(1, node_pb("Constant", {}, {}, {attribute})).text(2, "late"));
  Pb value = Pb().text(1, "x").message(2, Pb().message(1, Pb().number(1, 1)));
  for (const int64_t extent : {5, 6})
    value.message(2, Pb().message(1, Pb().message(2, Pb().message(1, Pb().number(1, extent)))));
  model.message(7, Pb().message(11, value));
  const Result<Model> read_model = read(model.bytes);
  ASSERT_TRUE(read_model.ok()) << read_model.status().message();
  const Graph& graph = read_model->graph;
  EXPECT_EQ(graph.name, "late");
  ASSERT_EQ(graph.nodes.size(), 2u);
  EXPECT_EQ(std::get<Tensor>(graph.nodes[1].attributes[0].value).extents(), Extents({2}));
  EXPECT_EQ(graph.inputs[0].info.type, DataType::kFloat);
  EXPECT_EQ(*graph.inputs[0].info.dims, (Dims{{5, ""}, {6, ""}}));
}

TEST(OnnxReader, KnownFieldsOfAnotherWireTypeAreUnknownFields) {
  Pb model = model_pb(Pb().text(2, "g"));
  model.text(1, "ir version as text").number(7, 3);
  EXPECT_EQ(read(model.bytes)->ir_version, 8);
}

TEST(OnnxReader, ReadsChainOf3000Functions) {
  Pb model = model_pb(Pb());
  for (int i = 0; i < 3000; ++i)
    model.message(25, Pb().text(1, fmt::format("f{}", i)).message(7, node_pb(fmt::format("f{}", i + 1), {}, {})));
  EXPECT_EQ(read(model.bytes)->functions.size(), 3000u);
}

TEST(OnnxReader, AcceptsAnyOpsetAndIrVersion) {
  for (const int64_t version : {int64_t{-1}, int64_t{0}, int64_t{1} << 40, INT64_MAX}) {
    const Pb model = Pb().number(1, 8).message(7, Pb()).message(8, Pb().number(2, version));
    EXPECT_EQ(read(model.bytes)->opsets.at(""), version);
  }
  const Pb zero = Pb().number(1, 8).message(7, Pb()).message(8, Pb());  // writers omit it
  EXPECT_EQ(read(zero.bytes)->opsets.at(""), 0);
  for (const int64_t ir_version : {int64_t{0}, int64_t{1} << 40})
    EXPECT_EQ(read(Pb().number(1, ir_version).message(7, Pb()).bytes)->ir_version, ir_version);
}

TEST(OnnxReader, BothNamesOfOnnxDomainAreTheSame) {
  Pb model = Pb().number(1, 8).message(7, Pb().message(1, Pb().text(4, "Tile").text(7, "ai.onnx")));
  model.message(8, Pb().text(1, "ai.onnx").number(2, 13));
  const Result<Model> read_model = read(model.bytes);
  EXPECT_EQ(read_model->opsets.at(""), 13);
  EXPECT_EQ(read_model->graph.nodes[0].domain, "");
  model.message(8, Pb().text(1, "").number(2, 13));
  EXPECT_TRUE(fails(status_of(model.bytes), TESELA_ERROR_PARSE, "domain 'ai.onnx' is imported twice"));
  Pb other = model_pb(Pb());
  for (const int64_t version : {1, 2}) other.message(8, Pb().text(1, "com.example").number(2, version));
  EXPECT_TRUE(fails(status_of(other.bytes), TESELA_ERROR_PARSE, "domain 'com.example' is imported twice"));
}

TEST(OnnxReader, NodesKeepTheDomainsOfOthers) {
  const Pb node = Pb().text(4, "Tile").text(7, "com.example").text(8, "an overload");
  EXPECT_EQ(read(model_pb(Pb().message(1, node)).bytes)->graph.nodes[0].domain, "com.example");
}

TEST(OnnxReader, OpsetDefaultsToOneBeforeIrVersion3) {
  EXPECT_EQ(read(Pb().number(1, 2).message(7, Pb()).bytes)->opsets.at(""), 1);
  EXPECT_TRUE(read(Pb().number(1, 3).message(7, Pb()).bytes)->opsets.empty());
}

TEST(OnnxReader, AssumedOpsetReplacesOpsetOfTheFile) {
  OnnxReadOptions options;
  options.assume_opset = 11;
  EXPECT_EQ(read(rich_model(), options)->opsets.at(""), 11);
}

TEST(OnnxReader, MarksValuesThatAreNotTensors) {
  for (const uint32_t kind : {4u, 5u, 7u, 8u, 9u}) {
    const Pb value = Pb().text(1, "x").message(2, Pb().message(kind, Pb()));
    EXPECT_FALSE(read(model_pb(Pb().message(11, value)).bytes)->graph.inputs[0].is_tensor);
  }
  const Result<Model> untyped = read(model_pb(Pb().message(11, Pb().text(1, "x"))).bytes);
  EXPECT_TRUE(untyped->graph.inputs[0].is_tensor);
  EXPECT_FALSE(untyped->graph.inputs[0].info.dims.has_value());
}

TEST(OnnxReader, NegativeExtentsAndUnknownTypesAreUnknown) {
  const Pb shape = Pb().message(1, Pb().number(1, -7)).message(1, Pb()).message(1, Pb().text(2, "N").number(1, 4));
  const Pb value = Pb().text(1, "x").message(2, Pb().message(1, Pb().number(1, 99).message(2, shape)));
  const Result<Model> model = read(model_pb(Pb().message(11, value)).bytes);
  const TensorInfo& info = model->graph.inputs[0].info;
  EXPECT_EQ(info.type, DataType::kUndefined);
  EXPECT_EQ(*info.dims, (Dims{{-1, ""}, {-1, ""}, {4, ""}}));
}

TEST(OnnxReader, UnreadableInitializerHasItsOwnFault) {
  Pb graph;
  graph.message(5, raw_tensor_pb("bad", 1, {3}, "1234")).message(5, raw_tensor_pb("good", 1, {1}, "1234"));
  graph.message(15, Pb().number(3, 9).message(2, tensor_pb("indices", 7, {1})).message(1, tensor_pb("sparse", 1, {1})));
  const Result<Model> model = read(model_pb(graph).bytes);
  ASSERT_TRUE(model.ok());
  const auto& initializers = model->graph.initializers;
  EXPECT_TRUE(fails(initializers[0].fault, TESELA_ERROR_PARSE, "initializer 'bad': raw_data has 4 bytes"));
  EXPECT_TRUE(initializers[1].fault.ok());
  EXPECT_TRUE(fails(initializers[2].fault, TESELA_ERROR_UNSUPPORTED, "initializer 'sparse': is a sparse tensor"));
}

TEST(OnnxReader, BorrowsAlignedWeights) {
  for (size_t shift = 0; shift < 8; ++shift) {
    auto block = std::make_shared<std::string>(
        model_of_initializer(tensor_pb(std::string(shift + 1, 'w'), 1, {2}).text(9, "12345678")).bytes);
    const auto bytes = bytes_of(*block);
    const Result<Model> model = read_onnx(bytes, block, {});
    const std::byte* data = model->graph.initializers[0].value.data();
    const bool inside = data >= bytes.data() && data < bytes.data() + bytes.size();
    const auto* raw = reinterpret_cast<const std::byte*>(block->data() + block->find("12345678"));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 4, 0u);
    EXPECT_EQ(inside, reinterpret_cast<uintptr_t>(raw) % 4 == 0);
    EXPECT_EQ(text_of({data, 8}), "12345678");
  }
}

TEST(OnnxReader, ModelAndErrorsNameTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.onnx", rich_model());
  const Result<Model> model = read_model(path, {});
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->file, path);
  EXPECT_TRUE(fails(read_model(folder.write("t.onnx", "text"), {}).status(), TESELA_ERROR_PARSE, "t.onnx': not an"));
  EXPECT_TRUE(fails(read_model(folder / "none", {}).status(), TESELA_ERROR_IO, "No such file"));
}

// Holes are not read: a file with weights that are a hole takes no time and no memory.
TEST(OnnxReader, LoadsSparse256MebibyteModelFast) {
  Pb graph;
  for (int i = 0; i < 5000; ++i) graph.message(1, node_pb("Add", {"a", "b"}, {"c"}, {}, fmt::format("node{}", i)));
  const int64_t weights = int64_t{256} << 20;
  Pb tensor = tensor_pb("w", 2, {weights});
  const auto head_of = [](uint32_t field, const std::string& inside, uint64_t more) {
    std::string head;
    protozero::add_varint_to_buffer(&head, field << 3 | 2);
    protozero::add_varint_to_buffer(&head, inside.size() + more);
    return head + inside;
  };
  const auto hole = static_cast<uint64_t>(weights);
  const std::string tensor_head = tensor.bytes + head_of(9, "", hole);
  const std::string graph_head = graph.bytes + head_of(5, tensor_head, hole);
  const std::string file = Pb().number(1, 8).bytes + head_of(7, graph_head, hole);
  const TemporaryFolder folder;
  const std::string path = folder.write("m.onnx", file);
  std::filesystem::resize_file(path, file.size() + hole);
  const std::clock_t begin = std::clock();
  const Result<Model> model = read_model(path, {});
  const std::clock_t took = std::clock() - begin;
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->graph.nodes.size(), 5000u);
  EXPECT_EQ(model->graph.initializers[0].value.bytes(), weights);
  EXPECT_LT(took, CLOCKS_PER_SEC / 2);
}

}  // namespace
}  // namespace tesela::testing
