// The ONNX Runtime that loaded this library: its function tables, its errors, and the boundary no exception
// crosses.
#pragma once

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>
#include <string>

#include "tesela/tesela.hpp"

#define TESELA_EXPORT extern "C" __attribute__((visibility("default")))

namespace tesela::ort {

/// The oldest interface that has what is used here, whatever newer one the headers describe: ONNX
/// Runtime 1.23.
constexpr uint32_t kApiVersion = 23;
constexpr const char* kProviderName = "TeselaExecutionProvider";

/// The oldest that custom operators need: ONNX Runtime 1.17. What came later is not called there.
constexpr uint32_t kLeastApiVersion = 17;

/// What the library calls back. Both tables live as long as the process.
struct Runtime {
  const OrtApi& api;
  const OrtEpApi* ep;   // null for custom operators, which need none
  bool one_graph_only;  // 1.23 gives nodes of a model's several graphs the same names, and refuses the second
};

/// What stops a call of ONNX Runtime's, with the code that its status shall have.
struct Failure {
  OrtErrorCode code;
  std::string message;
};

[[noreturn]] void fail(OrtErrorCode code, std::string message);

/// Throws what ONNX Runtime refused.
[[noreturn]] void fail(const OrtApi& api, OrtStatus* status);
inline void check(const OrtApi& api, OrtStatus* status) {
  if (status != nullptr) [[unlikely]]
    fail(api, status);
}

/// The exception that is being handled, as a status.
OrtStatus* status_of_current_exception(const OrtApi& api) noexcept;

/// Runs the body of a function that ONNX Runtime calls: a status out, never an exception.
template <class Body>
OrtStatus* guard(const OrtApi& api, Body&& body) noexcept {
  try {
    body();
    return nullptr;
  } catch (...) {
    return status_of_current_exception(api);
  }
}

/// The status for an ONNX Runtime that is older than an interface which is needed.
OrtStatus* refuse(const OrtApiBase& base, const char* who, uint32_t least_version);

/// Keeps this library in the process: sessions call into it as long as they live, also where it was
/// unregistered before.
void stay_loaded();

}  // namespace tesela::ort
