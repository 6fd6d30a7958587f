// SPDX-License-Identifier: Apache-2.0
// Builds IRs for tests layer by layer.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace tesela::testing {

/// The <dim>s of "2,3".
inline std::string ir_dims(std::string_view extents) {
  std::string text;
  for (size_t begin = 0; begin < extents.size();) {
    const size_t comma = std::min(extents.find(',', begin), extents.size());
    text += fmt::format("<dim>{}</dim>", extents.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return text;
}

/// A network of layers in the order of their addition; ids are positions.
class IrText {
 public:
  explicit IrText(std::string_view version = "11") : version_(version) {}

  int parameter(std::string_view name, std::string_view type, std::string_view shape) {
    return layer(name, "Parameter", "opset1", fmt::format(R"(<data shape="{}" element_type="{}"/>)", shape, type), 0,
                 fmt::format(R"(<output><port id="0" names="{}"/></output>)", name));
  }
  int constant(std::string_view name, std::string_view type, std::string_view shape, std::string_view offset,
               std::string_view size) {
    return layer(
        name, "Const", "opset1",
        fmt::format(R"(<data element_type="{}" shape="{}" offset="{}" size="{}"/>)", type, shape, offset, size), 0,
        R"(<output><port id="0"/></output>)");
  }
  /// inputs: ids of layers; the last port of each is used.
  int op(std::string_view name, std::string_view type, std::string_view version, std::string_view data,
         const std::vector<int>& inputs, std::string_view out_dims = "") {
    const auto n = inputs.size();
    const int id =
        layer(name, type, version, data, n,
              fmt::format(R"(<output><port id="{}" names="{}">{}</port></output>)", n, name, ir_dims(out_dims)));
    for (size_t k = 0; k < n; ++k) edge(inputs[k], ports_[static_cast<size_t>(inputs[k])], id, static_cast<int>(k));
    ports_.back() = static_cast<int>(n);
    return id;
  }
  int result(int source) {
    const int id = layer(fmt::format("result{}", ports_.size()), "Result", "opset1", "", 1, "");
    edge(source, ports_[static_cast<size_t>(source)], id, 0);
    return id;
  }
  int layer(std::string_view name, std::string_view type, std::string_view version, std::string_view data,
            size_t inputs, std::string_view output) {
    const auto id = static_cast<int>(ports_.size());
    layers_ += fmt::format("<layer id=\"{}\" name=\"{}\" type=\"{}\" version=\"{}\">{}", id, name, type, version, data);
    if (inputs > 0) layers_ += "<input>";
    for (size_t k = 0; k < inputs; ++k) layers_ += fmt::format(R"(<port id="{}"/>)", k);
    if (inputs > 0) layers_ += "</input>";
    layers_ += fmt::format("{}</layer>\n", output);
    ports_.push_back(0);
    return id;
  }
  void edge(int from, int from_port, int to, int to_port) {
    edges_ += fmt::format(R"(<edge from-layer="{}" from-port="{}" to-layer="{}" to-port="{}"/>)", from, from_port, to,
                          to_port);
  }

  std::string text() const {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n<net name=\"n\" version=\"{}\">\n<layers>\n{}</layers>\n<edges>{}</edges>\n</net>\n",
        version_, layers_, edges_);
  }

 private:
  std::string version_;
  std::string layers_;
  std::string edges_;
  std::vector<int> ports_;  // each layer's output port
};

/// A Tile of a parameter with constant repeats, the first `repeats` x 8 bytes of the .bin.
inline std::string ir_tile(std::string_view shape, size_t repeats, std::string_view declared = "") {
  IrText ir;
  const int data = ir.parameter("data", "f32", shape);
  const int times = ir.constant("repeats", "i64", std::to_string(repeats), "0", std::to_string(8 * repeats));
  ir.result(ir.op("y", "Tile", "opset1", "", {data, times}, declared));
  return ir.text();
}

}  // namespace tesela::testing
