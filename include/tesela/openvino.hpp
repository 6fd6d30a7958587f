// Tesela inside OpenVINO, from C++: a pass over models that are in memory. Models that ov::Core reads need no
// pass, but core.add_extension("libtesela_openvino.so"). Link that library, which is built with
// -DTESELA_OPENVINO=ON.
//
//   ov::pass::Manager manager;
//   auto replacement = manager.register_pass<tesela::openvino::Replacement>();
//   manager.run_passes(model);  // replacement->count() nodes are Tesela's now
#pragma once

#include <cstddef>
#include <openvino/pass/matcher_pass.hpp>

namespace tesela::openvino {

/// Makes each Tile-1 and Interpolate-1, -4 and -11 Tesela's. Nodes on u1, u3 and u6 stay OpenVINO's.
/// Errors: tesela::Error, what Tesela's rules refuse.
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
