// The ONNX Runtime that loaded this library: its function tables, its errors, and the boundary no exception
// crosses.
#pragma once

#include <onnxruntime_c_api.h>

#include <exception>
#include <memory>
#include <string>

#include "tesela/tesela.h"

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
  bool is_memory = false;  // the allocator said no, which says nothing about a node
};

[[noreturn]] void fail(OrtErrorCode code, std::string message);

/// Throws what ONNX Runtime refused.
[[noreturn]] void fail(const OrtApi& api, OrtStatus* status);
inline void check(const OrtApi& api, OrtStatus* status) {
  if (status != nullptr) [[unlikely]]
    fail(api, status);
}

/// Throws what Tesela refused.
[[noreturn]] void fail(tesela_status status, const tesela_error& error);
inline void check(tesela_status status, const tesela_error& error) {
  if (status != TESELA_OK) [[unlikely]]
    fail(status, error);
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

template <auto destroy>
struct Destroy {
  template <class Raw>
  void operator()(Raw* raw) const {
    destroy(raw);
  }
};
using Op = std::unique_ptr<tesela_op, Destroy<tesela_op_destroy>>;
using Plan = std::unique_ptr<tesela_plan, Destroy<tesela_plan_destroy>>;
using Inferred = std::unique_ptr<tesela_inferred, Destroy<tesela_inferred_destroy>>;

/// A function of the library that writes a handle before its error: make<Plan>(tesela_plan_create, op, ...).
template <class Handle, class Function, class... Arguments>
Handle make(Function function, Arguments... arguments) {
  typename Handle::pointer raw = nullptr;
  tesela_error error;
  check(function(arguments..., &raw, &error), error);
  return Handle(raw);
}

}  // namespace tesela::ort
