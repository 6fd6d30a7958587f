// SPDX-License-Identifier: Apache-2.0
// The execution provider of one session: takes the nodes that Tesela can run and compiles each into a kernel.
#pragma once

#include "kernel.h"
#include "placement.h"

namespace tesela::ort {

class Provider : public OrtEp {
 public:
  Provider(const Runtime& runtime, const OrtLogger* logger, const Options& options);

 private:
  void take_nodes(const OrtGraph* graph, OrtEpGraphSupportInfo* taken);
  bool can_run(const OrtNode* node) const;
  /// Logs a node that ONNX Runtime's own kernel runs faster.
  bool leaves_to_faster(const OrtNode* node, const FasterKernels& faster) const;
  /// Logs why the node is left to others.
  void leave(const OrtNode* node, const std::string& reason) const;
  /// Applies the session's semantics. none: the operator is not Tesela's. Failure: the node is left to others.
  std::optional<Node> read(const OrtNode* node) const;
  std::unique_ptr<Kernel> compile(const OrtGraph* graph, const OrtNode* fused) const;

  Session session_;
  Semantics semantics_;
  const char* extents_;
  Placement placement_;
  std::string names_;       // the file of the option `names`
  bool has_nodes_ = false;  // has taken a node of one of the model's graphs
};

}  // namespace tesela::ort
