// The provider's options, as a session gives them.
#pragma once

#include <string>

#include "runtime.h"

namespace tesela::ort {

/// What is told through ONNX Runtime's logger.
enum class Log {
  kOff,
  kNodes,  // each node that was taken or left, and why
  kPlans,  // and each plan that is made while the model runs
};

/// Whose numbers a session shall have.
enum class Semantics {
  kOnnx,         // the standard's, by Tesela
  kOnnxRuntime,  // those of ONNX Runtime 1.31's own CPU kernels, see stock_rules.h
};

struct Options {
  Semantics semantics = Semantics::kOnnx;
  Log log = Log::kOff;
  std::string profile;  // where the table of nodes goes: a file, "stderr", or nowhere if empty
};

/// Failure: an option that does not exist, or a value that it does not take.
Options read_options(const Runtime& runtime, const OrtSessionOptions* session_options);

}  // namespace tesela::ort
