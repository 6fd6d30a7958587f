// SPDX-License-Identifier: Apache-2.0
// IRs under 1.1 MiB that could take gigabytes and seconds.
#include <gtest/gtest.h>

#include "files/cost.h"
#include "graph/check.h"
#include "graph/inspect.h"
#include "model/expect_fault.h"
#include "model/ir_reader.h"

namespace tesela::testing {
namespace {

std::string net(std::string_view layers, std::string_view edges) {
  return fmt::format(
      "<net name=\"n\" version=\"11\">\n<layers>\n"
      "<layer id=\"0\" name=\"p\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/>"
      "{}</layers><edges>{}</edges></net>",
      layers, edges);
}

std::string output(std::string_view names) {
  return fmt::format("<output><port id=\"0\" names=\"{}\"/></output></layer>\n", names);
}

/// Reads the model, then checks or inspects it, and compares each cost with the limits. expected: the reader's status.
void expect_cheap(const std::string& xml, tesela_status expected = TESELA_OK, std::string_view words = "") {
  ASSERT_LT(xml.size(), size_t{11} << 17);
  const std::function<std::string(const Model&)> verbs[] = {
      [](const Model& model) { return check_json(check_model(model, Limits())); },
      [](const Model& model) { return inspect_plain(model, Limits()); },
      [](const Model& model) { return inspect_json(model, Limits()); },
  };
  for (const auto& verb : verbs) {
    std::string fault;
    const auto work = [&] {
      const Result<Model> model = read_ir(bytes_of(xml), "", Limits());
      fault = model.status().message();
      if (!model.ok()) return fails(model.status(), expected, words) ? true : false;
      const size_t bytes = verb(*model).size();
      fault = fmt::format("{} bytes", bytes);
      return expected == TESELA_OK && bytes < size_t{32} << 20;
    };
    const Cost cost = cost_of(work);
    EXPECT_TRUE(cost.succeeded || work()) << fault;
    EXPECT_LT(cost.seconds, kMaxSeconds);
    EXPECT_LT(cost.mebibytes, kMaxMebibytes);
  }
}

TEST(HostileIr, LongNameReadByManyEdgesIsStoredOnce) {
  std::string ports, edges;
  for (int k = 0; k < 5'500; ++k) {
    ports += fmt::format("<port id=\"{}\"/>", k);
    edges += fmt::format("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"{}\"/>", k);
  }
  expect_cheap(net(output(std::string(500'000, 'n')) +
                       "<layer id=\"1\" name=\"t\" type=\"Tile\" version=\"opset1\"><input>" + ports +
                       "</input></layer>",
                   edges));
}

TEST(HostileIr, LongNameIsNotCopiedForEachPort) {
  std::string ports;
  for (int k = 0; k < 20'000; ++k) ports += fmt::format("<port id=\"{}\"/>", k);
  expect_cheap(net(output("p") + "<layer id=\"1\" name=\"" + std::string(500'000, 'n') +
                       "\" type=\"Split\" version=\"x\"><output>" + ports + "</output></layer>",
                   ""));
}

TEST(HostileIr, LongNameOfManyResultsIsStoredOnce) {
  std::string layers = output(std::string(300'000, 'n')), edges;
  for (int k = 1; k < 3'500; ++k) {
    layers += fmt::format(
        "<layer id=\"{}\" name=\"r\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>", k);
    edges += fmt::format("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"{}\" to-port=\"0\"/>", k);
  }
  expect_cheap(net(layers, edges));
}

TEST(HostileIr, TooManyPortsAreRejectedCheaply) {
  std::string ports;
  for (int k = 0; k < 57'000; ++k) ports += fmt::format("<port id=\"{}\"/>", k);
  const std::string xml = net(
      output("p") + "<layer id=\"1\" name=\"s\" type=\"Split\" version=\"x\"><input>" + ports + "</input></layer>", "");
  expect_cheap(xml, TESELA_ERROR_PARSE, "port 0 has no edge");
  Limits limits;
  limits.max_working_bytes = int64_t{32} << 20;
  EXPECT_TRUE(fails(read_ir(bytes_of(xml), "", limits).status(), TESELA_ERROR_LIMIT,
                    "the model's structure takes more than 33554432 bytes"));
}

TEST(HostileIr, EdgesTakeLinearTime) {
  std::string ports, edges;
  for (int k = 0; k < 12'000; ++k) {
    ports += fmt::format("<port id=\"{}\"/>", k);
    edges += fmt::format("<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"{}\"/>", 11'999 - k);
  }
  expect_cheap(
      net(output("p") + "<layer id=\"1\" name=\"s\" type=\"Split\" version=\"x\"><input>" + ports + "</input></layer>",
          edges));
}

// Every constant lacks its file and every attribute is not a number, each after half a megabyte of lines.
TEST(HostileIr, FaultPositionsTakeLinearTime) {
  std::string constants = output("p") + std::string(500'000, '\n');
  for (int k = 1; k < 3'500; ++k)
    constants += fmt::format(
        "<layer id=\"{}\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"f32\" shape=\"\" "
        "offset=\"0\" size=\"4\"/>{}",
        k, output(""));
  expect_cheap(net(constants, ""));
  std::string attributes = output("p") + std::string(500'000, '\n');
  for (int k = 1; k < 3'500; ++k)
    attributes +=
        fmt::format("<layer id=\"{}\" name=\"i\" type=\"Interpolate\" version=\"opset4\"><data cube_coeff=\"?\"/>{}", k,
                    output(""));
  expect_cheap(net(attributes, ""));
}

TEST(HostileIr, ManyAttributesAreCheap) {
  std::string attributes;
  for (int k = 0; k < 100'000; ++k) attributes += fmt::format(" a{:x}=\"\"", k);
  expect_cheap(
      net(output("p") + "<layer id=\"1\" name=\"t\" type=\"Tile\" version=\"opset1\"><data" + attributes + "/></layer>",
          ""));
}

}  // namespace
}  // namespace tesela::testing
