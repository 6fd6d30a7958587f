// Tesela's statuses as Python exceptions.
#include "errors.h"

#include <string>

namespace nb = nanobind;

namespace tesela_python {
namespace {

constexpr int kStatuses = TESELA_ERROR_INTERNAL + 1;
PyObject* classes[kStatuses] = {};

PyObject* builtin_base(int status) {
  switch (status) {
    case TESELA_ERROR_TYPE: return PyExc_TypeError;
    case TESELA_ERROR_NO_MEMORY: return PyExc_MemoryError;
    case TESELA_ERROR_IO: return PyExc_OSError;
    case TESELA_ERROR_CANCELLED:
    case TESELA_ERROR_INTERNAL: return PyExc_RuntimeError;
    default: return PyExc_ValueError;
  }
}

void bind_class(nb::module_& module, nb::handle root, int status, const char* name) {
  const nb::tuple bases = nb::make_tuple(root, nb::handle(builtin_base(status)));
  const std::string full_name = std::string("tesela._core.") + name;
  nb::object made = nb::steal(PyErr_NewException(full_name.c_str(), bases.ptr(), nullptr));
  if (!made.is_valid()) nb::raise_python_error();
  made.attr("status") = tesela_status_name(static_cast<tesela_status>(status));
  module.attr(name) = made;
  classes[status] = made.release().ptr();
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::object root = nb::steal(PyErr_NewExceptionWithDoc("tesela._core.Error", "What every error of Tesela is.", nullptr, nullptr));
  if (!root.is_valid()) nb::raise_python_error();
  module.attr("Error") = root;
#define TESELA_BIND_CLASS(lower, upper, code, exit_code, python) bind_class(module, root, TESELA_##upper, python);
  TESELA_STATUS_TABLE(TESELA_BIND_CLASS)
#undef TESELA_BIND_CLASS
}

void check(tesela_status status, const tesela_error& error) {
  if (status != TESELA_OK) fail(status, error.message);
}

void fail(tesela_status status, const char* message) {
  const bool known = status > 0 && status < kStatuses && classes[status] != nullptr;
  PyErr_SetString(known ? classes[status] : PyExc_RuntimeError, message);
  nb::raise_python_error();
}

}  // namespace tesela_python
