// SPDX-License-Identifier: Apache-2.0
// Models under 1.1 MiB whose names, paths and shapes would multiply in memory.
#include <gtest/gtest.h>

#include "files/cost.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "model/expect_fault.h"
#include "model/onnx_bytes.h"
#include "model/onnx_reader.h"

namespace tesela::testing {
namespace {

struct Expected {
  tesela_status status = TESELA_OK;  // of the reader
  std::string_view words = "";
  size_t faults = 0;
};

// The failure, or "". Each runs in its own process.
std::string fault_of_check(const Model& model, const Expected& expected) {
  const CheckReport report = check_model(model, Limits());
  if (report.faults != expected.faults) return fmt::format("{} faults", report.faults);
  return check_json(report).size() < size_t{32} << 20 ? "" : "a long report";
}

std::string fault_of_inspection(const std::string& text) {
  return text.size() < size_t{40} << 20 ? "" : fmt::format("{} bytes", text.size());
}

/// Reads the model, then checks or inspects it, and compares the cost of each with the limits.
void expect_cheap(const std::string& bytes, const Expected& expected) {
  ASSERT_LT(bytes.size(), size_t{11} << 17);
  const std::function<std::string(const Model&)> verbs[] = {
      [&](const Model& model) { return fault_of_check(model, expected); },
      [](const Model& model) { return fault_of_inspection(inspect_plain(model, Limits())); },
      [](const Model& model) { return fault_of_inspection(inspect_json(model, Limits())); },
  };
  for (const auto& verb : verbs) {
    std::string fault;
    const auto work = [&] {
      const Result<Model> model = read_onnx(bytes_of(bytes), nullptr, {});
      if (!model.ok() || expected.status != TESELA_OK) {
        fault = model.status().message();
        return fails(model.status(), expected.status, expected.words) ? true : false;
      }
      fault = verb(*model);
      return fault.empty();
    };
    const Cost cost = cost_of(work);
    EXPECT_TRUE(cost.succeeded || work()) << fault;
    EXPECT_LT(cost.seconds, kMaxSeconds);
    EXPECT_LT(cost.mebibytes, kMaxMebibytes);
  }
}

std::string repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t k = 0; k < times; ++k) all += text;
  return all;
}

TEST(HostileNames, LongNodeNameIsNotCopiedIntoEachFinding) {
  Pb node;
  for (int k = 0; k < 10'000; ++k) node.text(1, fmt::format("q{}", k));
  node.text(2, "y").text(3, std::string(480'000, 'n')).text(4, "Relu");
  expect_cheap(model_pb(Pb().message(1, node)).bytes, {TESELA_OK, "", 10'000});
}

// 60 nested graphs in attributes with long names; the innermost graph has many faults.
TEST(HostileNames, PathsOfNestedGraphsAreCut) {
  Pb graph;
  for (int k = 0; k < 8'000; ++k) graph.message(1, node_pb("Relu", {"q"}, {fmt::format("v{}", k)}, {}, "m"));
  for (int depth = 0; depth < 60; ++depth)
    graph = Pb().message(1, node_pb("If", {"c"}, {}, {attribute_pb(std::string(10'000, 'a'), 5).message(6, graph)}));
  expect_cheap(model_pb(graph).bytes, {TESELA_OK, "", 8'060});
}

TEST(HostileNames, NamesOfOuterGraphsAreLookedUpOnce) {
  Pb inner;
  for (int k = 0; k < 50'000; ++k) inner.text(1, fmt::format("{:x}", k));
  Pb graph = Pb().message(1, inner.text(4, "Concat"));
  for (int depth = 0; depth < 60; ++depth)
    graph = Pb().message(1, node_pb("If", {}, {}, {attribute_pb("a", 5).message(6, graph)}));
  expect_cheap(model_pb(graph).bytes, {TESELA_OK, "", 50'000});
}

TEST(HostileNames, SymbolsOfManyShapesAreCut) {
  Pb shape;
  for (int d = 0; d < 64; ++d) shape.message(1, Pb().text(2, fmt::format("{:0120}", d)));
  Pb graph;
  graph.message(11, Pb().text(1, "v0").message(2, Pb().message(1, Pb().number(1, 1).message(2, shape))));
  graph.message(5, tensor_pb("r", 7, {64}).numbers(7, std::vector<int64_t>(64, 1)));
  for (int k = 0; k < 25'000; ++k) graph.message(1, node_pb("Tile", {"v0", "r"}, {fmt::format("t{:05}", k)}, {}, ""));
  expect_cheap(model_pb(graph).bytes, {TESELA_OK, "", 0});
}

TEST(HostileNames, EmptyPartsAreCheapOrRejected) {
  const Expected refused = {TESELA_ERROR_LIMIT, "the model's structure takes more than", 0};
  expect_cheap(model_pb(Pb{repeated({"\x5a\x00", 2}, 500'000)}).bytes, refused);  // inputs of a graph
  expect_cheap(model_pb(Pb{repeated({"\x62\x00", 2}, 500'000)}).bytes, refused);  // outputs of a graph
  expect_cheap(model_pb(Pb{repeated({"\x0a\x00", 2}, 500'000)}).bytes, refused);  // nodes
  const Pb inputs = Pb{repeated({"\x0a\x00", 2}, 500'000)}.text(2, "y").text(4, "Tile");
  expect_cheap(model_pb(Pb().message(1, inputs)).bytes, {TESELA_OK, "", 3});
  const Pb attributes = Pb{repeated({"\x2a\x03\x0a\x01\x61", 5}, 200'000)}.text(2, "y").text(4, "Tile");
  expect_cheap(model_pb(Pb().message(1, attributes)).bytes, {TESELA_OK, "", 2});
}

TEST(HostileNames, LongListsOfAttributesAreNotShown) {
  Pb node = node_pb("Resize", {"x"}, {"y"}, {attribute_pb("axes", 7).numbers(8, std::vector<int64_t>(500'000, 1))});
  for (int k = 0; k < 60; ++k) node.message(5, attribute_pb(std::string(8'000, 'a'), 2).number(3, 1));
  expect_cheap(model_pb(Pb().message(1, node).message(11, value_pb("x", 1, {1}))).bytes, {TESELA_OK, "", 60});
}

}  // namespace
}  // namespace tesela::testing
