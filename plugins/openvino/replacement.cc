// SPDX-License-Identifier: Apache-2.0
// The pass over models in memory.
#include <openvino/core/graph_util.hpp>
#include <openvino/core/rt_info.hpp>
#include <openvino/op/broadcast.hpp>
#include <openvino/op/interpolate.hpp>
#include <openvino/op/tile.hpp>
#include <openvino/pass/pattern/op/wrap_type.hpp>

#include "opset_nodes.h"
#include "tesela/openvino.hpp"

namespace tesela::openvino {

Replacement::Replacement() {
  const auto nodes = ov::pass::pattern::wrap_type<ov::op::v0::Tile, ov::op::v0::Interpolate, ov::op::v4::Interpolate,
                                                  ov::op::v11::Interpolate, ov::op::v3::Broadcast>();
  const auto replace = [this](ov::pass::pattern::Matcher& matcher) {
    const std::shared_ptr<ov::Node> node = matcher.get_match_root();
    const std::shared_ptr<Operator> replacement = replacement_of(node);
    if (replacement == nullptr) return false;
    ov::copy_runtime_info(node, replacement);
    ov::replace_node(node, replacement);
    ++count_;
    return true;
  };
  register_matcher(std::make_shared<ov::pass::pattern::Matcher>(nodes, "TeselaReplacement"), replace);
}

}  // namespace tesela::openvino
