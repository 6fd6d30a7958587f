// What stops a verb: a code, which decides the exit status, and a message for people.
#pragma once

#include <string>
#include <utility>

#include "tesela/tesela.h"

namespace tesela::cli {

struct Failure {
  tesela_status code;
  std::string message;
};

[[noreturn]] inline void fail(tesela_status code, std::string message) {
  throw Failure{code, std::move(message)};
}

[[noreturn]] inline void usage(std::string message) {
  fail(TESELA_ERROR_USAGE, std::move(message));
}

/// Calls a function of the library, whose last parameter is its error, and throws what it refuses.
template <class Function, class... Arguments>
void call(Function function, Arguments... arguments) {
  tesela_error error{};
  const tesela_status status = function(arguments..., &error);
  if (status != TESELA_OK) fail(status, error.message);
}

}  // namespace tesela::cli
