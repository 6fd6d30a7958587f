// SPDX-License-Identifier: Apache-2.0
// What goes over the limit of a model's memory ends its reading: nothing behind it is read.
#include <gtest/gtest.h>

#include "model/expect_fault.h"
#include "model/onnx_bytes.h"
#include "model/onnx_reader.h"

namespace tesela::testing {
namespace {

// The beginning of a group, which is an error wherever it is read.
Pb broken(Pb message) {
  message.bytes += '\x0b';
  return message;
}

Pb many(uint32_t field, const Pb& part, int times = 100) {
  Pb message;
  for (int i = 0; i < times; ++i) message.message(field, part);
  return message;
}

Pb file_of(const Pb& graph) {
  return broken(Pb().number(1, 8).message(7, graph));
}

Pb file_of_function(const Pb& function) {
  return broken(Pb().number(1, 8).message(7, Pb()).message(25, function));
}

// The limit is exceeded before the broken part of the file, which is found without the limit.
void expect_end(const Pb& file, int64_t limit = 4096) {
  OnnxReadOptions options;
  EXPECT_TRUE(fails(read_onnx(bytes_of(file.bytes), nullptr, options).status(), TESELA_ERROR_PARSE, "is a group"));
  options.limits.max_working_bytes = limit;
  EXPECT_TRUE(fails(read_onnx(bytes_of(file.bytes), nullptr, options).status(), TESELA_ERROR_LIMIT,
                    fmt::format("the model's structure takes more than {} bytes of memory", limit)));
}

Pb value_with_dims() {
  return Pb().text(1, "x").message(2, Pb().message(1, Pb().message(2, many(1, Pb(), 200))));
}

TEST(OnnxMemory, TensorsAndValuesOfAGraphEndIt) {
  const uint32_t initializer = 5, input = 11, output = 12, value = 13, sparse = 15;
  for (const uint32_t field : {initializer, input, output, value, sparse}) {
    SCOPED_TRACE(field);
    expect_end(file_of(many(field, Pb())));
  }
  expect_end(file_of(Pb().message(initializer, Pb().text(8, std::string(5000, 'n')))));
  for (const uint32_t field : {input, output, value}) {
    SCOPED_TRACE(field);
    expect_end(file_of(Pb().message(field, value_with_dims())));
  }
}

TEST(OnnxMemory, NodesAndTheirPartsEndIt) {
  const uint32_t node = 1, input = 1, output = 2, attribute = 5;
  expect_end(file_of(Pb().message(node, broken(Pb()))), 64);
  for (const uint32_t field : {input, output}) {
    SCOPED_TRACE(field);
    expect_end(file_of(Pb().message(node, broken(Pb().text(field, std::string(5000, 'n'))))));
  }
  expect_end(file_of(Pb().message(node, many(attribute, broken(Pb())))));
}

TEST(OnnxMemory, PartsOfAttributesEndIt) {
  const uint32_t node = 1, attribute = 5, name = 1, string = 9, graph = 11;
  Pb graphs = Pb().text(name, "a");
  graphs.bytes += many(graph, Pb()).bytes;
  expect_end(file_of(Pb().message(node, Pb().message(attribute, broken(graphs)))));
  Pb strings = Pb().text(name, "a");
  strings.bytes += many(string, Pb(), 200).bytes;
  expect_end(file_of(Pb().message(node, Pb().message(attribute, strings).message(attribute, broken(Pb())))));
}

TEST(OnnxMemory, ImportsEndIt) {
  Pb file = Pb().number(1, 8).message(7, Pb());
  for (int i = 0; i < 100; ++i) file.message(8, Pb().text(1, fmt::format("d{}", i)).number(2, 1));
  expect_end(broken(file));
}

TEST(OnnxMemory, FunctionsAndTheirValuesEndIt) {
  const uint32_t value = 12;
  expect_end(file_of_function(Pb()), 64);
  expect_end(file_of_function(many(value, Pb())));
  expect_end(file_of_function(Pb().message(value, value_with_dims())));
}

}  // namespace
}  // namespace tesela::testing
