// SPDX-License-Identifier: Apache-2.0
// Cures nodes of an ONNX file, and leaves every other byte as it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fix/proof.h"
#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

struct FixOptions {
  std::string meaning;  // of nodes whose numbers are not those of their source: "pytorch"; empty: numbers stay
  int64_t opset = 0;    // of ONNX's domain, to upgrade to; 0: as it is
};

/// One change of one node.
struct FixChange {
  std::string node;   // its name; "" if it has none
  std::string where;  // "Upsample-9 node 'up1'"
  std::string rule;   // "standard/upgrade"
  std::string text;   // what changes
  bool keeps_numbers = true;
  fix::Comparison proof;
};

/// A finding that was not cured.
struct FixLeft {
  std::string node;
  std::string where;
  std::string rule;
  std::string why;
};

struct FixReport {
  size_t nodes = 0;  // that were changed
  std::vector<FixChange> changes;
  std::vector<FixLeft> left;
  int64_t opset_before = 0;
  int64_t opset_after = 0;
};

struct Fixed {
  FixReport report;
  std::string bytes;  // of the new file; those of the old one if nothing was changed
};

/// Errors: unsupported (a model of another format; an upgrade that other operators or a node of Tesela's prevent), value (an
/// unknown meaning, an older opset), limit.
Result<Fixed> fix_model(const Model& model, const Limits& limits, const FixOptions& options);

/// Writes a result, and into another folder the external data that the model refers to: all files or none.
/// Errors: path (the model's own file; other data under a name of its external data; data in a folder below), io.
Status write_fixed(const Model& model, const Fixed& fixed, const std::string& path);

std::string fix_plain(const FixReport& report);
std::string fix_json(const FixReport& report);

}  // namespace tesela
