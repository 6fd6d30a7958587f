// SPDX-License-Identifier: Apache-2.0
// Tesela inside OpenVINO, from C++: a pass over models in memory. For models that ov::Core reads, call
// core.add_extension("libtesela_openvino.so") instead. Link that library; -DTESELA_OPENVINO=ON builds it.
//
//   ov::pass::Manager manager;
//   auto replacement = manager.register_pass<tesela::openvino::Replacement>();
//   manager.run_passes(model);  // replacement->count() nodes are Tesela's now
#pragma once

#include <cstddef>
#include <openvino/pass/matcher_pass.hpp>

namespace tesela::openvino {

/// Replaces each Tile-1 and Interpolate-1, -4 and -11 by Tesela's node, except nodes on u1, u3 and u6.
/// Errors: tesela::Error for invalid nodes.
class __attribute__((visibility("default"))) Replacement : public ov::pass::MatcherPass {
 public:
  OPENVINO_MATCHER_PASS_RTTI("tesela::openvino::Replacement");
  Replacement();
  /// Nodes replaced so far.
  size_t count() const { return count_; }

 private:
  size_t count_ = 0;
};

}  // namespace tesela::openvino
