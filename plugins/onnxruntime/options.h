// SPDX-License-Identifier: Apache-2.0
// The provider's options of a session.
#pragma once

#include <string>

#include "runtime.h"

namespace tesela::ort {

/// What the provider reports through ONNX Runtime's logger.
enum class Log {
  kOff,
  kNodes,  // which nodes it takes, and why it leaves others
  kPlans,  // also each plan made in a run
};

/// Which results a session computes.
enum class Semantics {
  kOnnx,         // the ONNX standard's
  kOnnxRuntime,  // those of ONNX Runtime 1.31's own CPU kernels; see onnxruntime_semantics.h
};

/// Which of the nodes that it can run the provider takes.
enum class Placement {
  kEvery,
  kFastest,  // not those that ONNX Runtime's own kernels run faster with the standard's results; see placement.h
};

/// The default of `extents`: scales give the same extents as in ONNX Runtime.
constexpr const char* kHostExtents = "host";

struct Options {
  Semantics semantics = Semantics::kOnnx;
  const char* extents = kHostExtents;
  Log log = Log::kOff;
  Placement placement = Placement::kEvery;
  std::string names;    // a file for nodes' names in ONNX Runtime's profile; empty: none
  std::string profile;  // where to write the table of nodes: a file or "stderr"; empty: nowhere
};

/// The value of plan field "tesela.extents" for this option value. Failure: neither "host" nor "standard".
const char* pick_extents(const std::string& name);

/// Failure: an unknown option, or an invalid value.
Options read_options(const Runtime& runtime, const OrtSessionOptions* session_options);

}  // namespace tesela::ort
