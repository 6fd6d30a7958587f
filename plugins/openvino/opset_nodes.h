// OpenVINO's own Tile and Interpolate as nodes of ours.
#pragma once

#include <openvino/core/op_extension.hpp>

#include "operator.h"

namespace tesela::openvino {

/// Ours for a node of OpenVINO's. Null where it stays.
std::shared_ptr<Operator> replacement_of(const std::shared_ptr<ov::Node>& node);

/// What readers of IRs ask instead of OpenVINO when they meet a Tile or an Interpolate.
std::vector<ov::Extension::Ptr> ir_extensions();

}  // namespace tesela::openvino
