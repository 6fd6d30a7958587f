// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's own Tile and Interpolate to Tesela's nodes.
#pragma once

#include <openvino/core/op_extension.hpp>

#include "operator.h"

namespace tesela::openvino {

/// Tesela's node for one of OpenVINO's; null if OpenVINO keeps it.
std::shared_ptr<Operator> replacement_of(const std::shared_ptr<ov::Node>& node);

/// Extensions that IR readers use for Tile, Interpolate and Broadcast instead of OpenVINO's nodes.
std::vector<ov::Extension::Ptr> ir_extensions();

}  // namespace tesela::openvino
