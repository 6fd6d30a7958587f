// SPDX-License-Identifier: Apache-2.0
// The ONNX Runtime that loaded this library: function tables, errors, and the guard that keeps exceptions from it.
#pragma once

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>
#include <string>

#include "tesela/tesela.hpp"

#define TESELA_EXPORT extern "C" __attribute__((visibility("default")))

namespace tesela::ort {

/// The oldest interface that the execution provider works with, ONNX Runtime 1.23; the headers may be newer.
constexpr uint32_t kApiVersion = 23;
constexpr const char* kProviderName = "TeselaExecutionProvider";

/// The oldest interface that custom operators work with, ONNX Runtime 1.17. They call nothing newer.
constexpr uint32_t kMinApiVersion = 17;

/// ONNX Runtime's function tables, which live as long as the process.
struct Runtime {
  const OrtApi& api;
  const OrtEpApi* ep;   // null for custom operators
  bool one_graph_only;  // 1.23 gives nodes of different graphs of a model equal names, then rejects the second
};

/// An error to return to ONNX Runtime, with its status code.
struct Failure {
  OrtErrorCode code;
  std::string message;
};

[[noreturn]] void fail(OrtErrorCode code, std::string message);

/// Throws the status's error and releases the status.
[[noreturn]] void fail(const OrtApi& api, OrtStatus* status);
inline void check(const OrtApi& api, OrtStatus* status) {
  if (status != nullptr) [[unlikely]]
    fail(api, status);
}

/// The current exception as a status.
OrtStatus* status_of_current_exception(const OrtApi& api) noexcept;

/// Runs the body of a function that ONNX Runtime calls, and returns exceptions as a status.
template <class Body>
OrtStatus* guard(const OrtApi& api, Body&& body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return status_of_current_exception(api);
  }
}

/// The status for an ONNX Runtime that is older than the required interface.
OrtStatus* version_error(const OrtApiBase& base, const char* requirement, uint32_t min_version);

/// Prevents unloading of this library: sessions still call into it after it is unregistered.
void stay_loaded();

}  // namespace tesela::ort
