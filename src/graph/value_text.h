// Values and messages as short texts.
#pragma once

#include <string>
#include <string_view>

#include "schema/infer.h"

namespace tesela {

/// "float 1x3xHxW", "float 3 x height x width"; "? unknown" where nothing is known. Bounded.
std::string info_text(const TensorInfo& info);

/// "float", "?" where it is not known.
std::string_view type_text(DataType type);

/// "shape" for TESELA_ERROR_SHAPE, "ok" for TESELA_OK.
std::string_view status_text(tesela_status code);

/// The text cut to what a message may have (300 bytes), never inside a UTF-8 sequence.
std::string message_text(std::string_view text);

}  // namespace tesela
