// The layers and edges of an IR, as its XML tells them: checked for being a graph, not for what they mean.
#pragma once

#include <string>
#include <vector>

#include "model/graph.h"
#include "model/xml_file.h"

namespace tesela {

struct IrPort {
  int64_t id = 0;
  std::string value;               // the name of what comes or goes here; of an input, empty until an edge leads to it
  std::vector<std::string> names;  // of an output's tensor
  TensorInfo info;                 // as far as the port says; without a <dim> it does not even say that it is a scalar
};

struct IrLayer {
  pugi::xml_node xml;
  int64_t id = 0;
  std::string name;
  std::string type;
  std::string version;  // "opset1"
  std::vector<IrPort> inputs;
  std::vector<IrPort> outputs;

  /// "line 3 column 5: Tile layer 'up': "
  std::string where(const XmlFile& file) const;
};

/// Reads <layers> and <edges>. Every input port has its value's name afterwards, and names are unique.
/// Errors: parse (ids, ports and edges that make no graph), limit (layers, ranks).
Result<std::vector<IrLayer>> read_ir_layers(const XmlFile& file, const Limits& limits);

}  // namespace tesela
