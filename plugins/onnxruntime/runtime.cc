// SPDX-License-Identifier: Apache-2.0
// Converts errors between ONNX Runtime and Tesela.
#include "runtime.h"

#include <dlfcn.h>

#include <new>

namespace tesela::ort {
namespace {

OrtErrorCode code_of(tesela_status status) {
  switch (status) {
    case TESELA_ERROR_UNSUPPORTED: return ORT_NOT_IMPLEMENTED;
    case TESELA_ERROR_LIMIT:
    case TESELA_ERROR_NO_MEMORY:
    case TESELA_ERROR_IO:
    case TESELA_ERROR_CANCELLED: return ORT_FAIL;
    case TESELA_ERROR_INTERNAL: return ORT_RUNTIME_EXCEPTION;
    default: return ORT_INVALID_ARGUMENT;
  }
}

}  // namespace

void fail(OrtErrorCode code, std::string message) {
  throw Failure{code, std::move(message)};
}

void fail(const OrtApi& api, OrtStatus* status) {
  Failure failure{api.GetErrorCode(status), api.GetErrorMessage(status)};
  api.ReleaseStatus(status);
  throw Failure(std::move(failure));
}

OrtStatus* version_error(const OrtApiBase& base, const char* requirement, uint32_t min_version) {
  // CreateStatus is in every version's table.
  const OrtApi* const oldest = base.GetApi(1);
  if (oldest == nullptr) return nullptr;
  const std::string text = std::string(requirement) + " ONNX Runtime 1." + std::to_string(min_version) +
                           " or newer; this is " + base.GetVersionString();
  return oldest->CreateStatus(ORT_FAIL, text.c_str());
}

void stay_loaded() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&stay_loaded), &info) != 0)
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

OrtStatus* status_of_current_exception(const OrtApi& api) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return api.CreateStatus(failure.code, failure.message.c_str());
  } catch (const Error& error) {
    return api.CreateStatus(code_of(error.code()), error.what());
  } catch (const std::bad_alloc&) {
    return api.CreateStatus(ORT_FAIL, "Tesela: out of memory");
  } catch (const std::exception& fault) {
    return api.CreateStatus(ORT_RUNTIME_EXCEPTION, fault.what());
  } catch (...) {
    return api.CreateStatus(ORT_RUNTIME_EXCEPTION, "Tesela: an unknown exception");
  }
}

}  // namespace tesela::ort
