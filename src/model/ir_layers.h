// The layers and edges of an IR, as its XML tells them: checked for being a graph, not for what they mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/build_budget.h"
#include "model/graph.h"
#include "model/xml_file.h"

namespace tesela {

struct IrPort {
  int64_t id = 0;
  Name value;       // the name of what comes or goes here; of an input, empty until an edge leads to it
  TensorInfo info;  // as far as the port says; without a <dim> it does not even say that it is a scalar
};

/// Its texts are the XML's.
struct IrLayer {
  pugi::xml_node xml;
  int64_t id = 0;
  std::string_view name;
  std::string_view type;
  std::string_view version;  // "opset1"
  std::vector<IrPort> inputs;
  std::vector<IrPort> outputs;

  /// "line 3 column 5: Tile layer 'up': "
  std::string where(const XmlFile& file) const;
};

/// Reads <layers> and <edges>. Every input port has its value's name afterwards, and names are unique.
/// Errors: parse (ids, ports and edges that make no graph), limit (layers, ranks, memory).
Result<std::vector<IrLayer>> read_ir_layers(const XmlFile& file, const Limits& limits, BuildBudget& budget);

}  // namespace tesela
