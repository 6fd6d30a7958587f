// Errors of ONNX Runtime and of Tesela, each as the other's.
#include "runtime.h"

#include <new>

namespace tesela::ort {
namespace {

OrtErrorCode code_of(tesela_status status) {
  switch (status) {
    case TESELA_ERROR_UNSUPPORTED:
      return ORT_NOT_IMPLEMENTED;
    case TESELA_ERROR_LIMIT:
    case TESELA_ERROR_NO_MEMORY:
    case TESELA_ERROR_IO:
    case TESELA_ERROR_CANCELLED:
      return ORT_FAIL;
    case TESELA_ERROR_INTERNAL:
      return ORT_RUNTIME_EXCEPTION;
    default:
      return ORT_INVALID_ARGUMENT;
  }
}

}  // namespace

void fail(OrtErrorCode code, std::string message) {
  throw Failure{code, std::move(message)};
}

void fail(const OrtApi& api, OrtStatus* status) {
  Failure failure{api.GetErrorCode(status), api.GetErrorMessage(status)};
  api.ReleaseStatus(status);
  throw failure;
}

void fail(tesela_status status, const tesela_error& error) {
  throw Failure{code_of(status), error.message};
}

OrtStatus* status_of_current_exception(const OrtApi& api) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return api.CreateStatus(failure.code, failure.message.c_str());
  } catch (const std::bad_alloc&) {
    return api.CreateStatus(ORT_FAIL, "Tesela: out of memory");
  } catch (const std::exception& fault) {
    return api.CreateStatus(ORT_RUNTIME_EXCEPTION, fault.what());
  } catch (...) {
    return api.CreateStatus(ORT_RUNTIME_EXCEPTION, "Tesela: an unknown exception");
  }
}

}  // namespace tesela::ort
