// SPDX-License-Identifier: Apache-2.0
// The layers and edges of an IR. Checks that they form a graph, but not their meaning.
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
  Name value;       // the name of the value; for an input, empty until its edge is read
  TensorInfo info;  // as declared; without a <dim>, the rank is unknown, too
};

/// Its strings point into the XML.
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

/// Reads <layers> and <edges>. Afterwards every input port has the name of its value, and names are unique.
/// Errors: parse (ids, ports and edges that do not form a graph), limit (layers, ranks, memory).
Result<std::vector<IrLayer>> read_ir_layers(const XmlFile& file, const Limits& limits, BuildBudget& budget);

}  // namespace tesela
