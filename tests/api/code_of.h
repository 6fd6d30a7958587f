// SPDX-License-Identifier: Apache-2.0
// The status of calls of the C++ interface that throw.
#pragma once

#include <string>

#include "tesela/tesela.hpp"

namespace tesela::testing {

/// That of the error that `f` throws, with its message; TESELA_OK if it throws none.
template <class F>
tesela_status code_of(F&& f, std::string* message = nullptr) {
  try {
    f();
  } catch (const Error& error) {
    if (message != nullptr) *message = error.what();
    return error.code();
  }
  return TESELA_OK;
}

}  // namespace tesela::testing
