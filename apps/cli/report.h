// SPDX-License-Identifier: Apache-2.0
// Descriptions of tensors and nodes, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tesela/tesela.h"

namespace tesela::cli {

using Json = nlohmann::ordered_json;

/// "float[1,3,8,8], minimum 0, maximum 1, 2 NaN".
std::string describe(const tesela_tensor& dense);
Json describe_json(const tesela_tensor& dense);

/// "Resize-19 up1: 1x3x4x4 -> 1x3x8x8 float, 0.42 ms".
std::string describe(const tesela_node_event& event);
Json describe_json(const tesela_node_event& event);

/// The document as text; bytes that are not UTF-8 (in names of files) are replaced.
std::string json_text(const Json& json);

}  // namespace tesela::cli
