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

/// What extents are unless it is asked for: as many outputs of a scale as in ONNX Runtime.
constexpr const char* kHostExtents = "host";

struct Options {
  Semantics semantics = Semantics::kOnnx;
  const char* extents = kHostExtents;
  Log log = Log::kOff;
  std::string names;    // a file for the names that nodes have in ONNX Runtime's profile; none if empty
  std::string profile;  // where the table of nodes goes: a file, "stderr", or nowhere if empty
};

/// The plan field "tesela.extents" of this name, host or standard. Failure: another.
const char* pick_extents(const std::string& name);

/// Failure: an option that does not exist, or a value that it does not take.
Options read_options(const Runtime& runtime, const OrtSessionOptions* session_options);

}  // namespace tesela::ort
