// SPDX-License-Identifier: Apache-2.0
// Formats values and messages.
#pragma once

#include <string>
#include <string_view>

#include "schema/infer.h"

namespace tesela {

/// "float 1x3xHxW", "float 3 x height x width"; "? unknown" if nothing is known. Of limited length.
std::string info_text(const TensorInfo& info);

/// "float"; "?" if unknown.
std::string_view type_text(DataType type);

/// "no faults", "1 fault", "2 faults".
std::string counted(size_t count, std::string_view noun);

/// "shape" for TESELA_ERROR_SHAPE, "ok" for TESELA_OK.
std::string_view status_text(tesela_status code);

/// The text cut to the length of a message (300 bytes), never inside a UTF-8 sequence.
std::string message_text(std::string_view text);

}  // namespace tesela
