// SPDX-License-Identifier: Apache-2.0
// Errors that end a verb; their code determines the exit status.
#pragma once

#include <string>

#include "tesela/tesela.hpp"

namespace tesela::cli {

[[noreturn]] inline void fail(tesela_status code, const std::string& message) {
  throw Error(code, message);
}

[[noreturn]] inline void usage(const std::string& message) {
  fail(TESELA_ERROR_USAGE, message);
}

}  // namespace tesela::cli
