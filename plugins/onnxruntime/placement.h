// SPDX-License-Identifier: Apache-2.0
// Which nodes ONNX Runtime's own kernels run faster, with the standard's results: placement=fastest.
#pragma once

#include <span>
#include <string>
#include <unordered_set>

#include "runtime.h"

namespace tesela::ort {

/// ONNX Runtime's convolutions on x86-64 work in a blocked layout (NCHWc). Some settings of Resize and Upsample stay in it;
/// a node of another provider needs a reorder before and after it, which often costs more than the node. And its calls of
/// a kernel are shorter, which decides where little is copied.
class FasterKernels {
 public:
  /// nodes: of one graph, in topological order.
  FasterKernels(const Runtime& runtime, std::span<const OrtNode* const> nodes);

  /// Why ONNX Runtime's own kernel is faster for this node; null if it is not.
  const char* reason(const OrtNode* node) const;

 private:
  bool can_write_blocked(const OrtNode* node) const;
  bool reads_blocked(const OrtNode* node) const;
  void want_inputs(const OrtNode* node);

  const Runtime& runtime_;
  std::unordered_set<std::string> blocked_;  // values that the graph's nodes can give in the blocked layout
  std::unordered_set<std::string> wanted_;   // those of them that a convolution or a pool reads, at once or later
};

}  // namespace tesela::ort
