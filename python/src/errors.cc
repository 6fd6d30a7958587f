// SPDX-License-Identifier: Apache-2.0
// Tesela's statuses as Python exceptions.
#include "errors.h"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>

namespace nb = nanobind;

namespace tesela_python {
namespace {

constexpr int kStatuses = TESELA_ERROR_INTERNAL + 1;
PyObject* classes[kStatuses] = {};
PyObject* argument_error = nullptr;

// What the system refused, as Python names it: a class that is ours and Python's.
struct SystemClass {
  int error_number;
  int status;
  PyObject** base;
  const char* name;
  PyObject* made;
};
SystemClass system_classes[] = {
    {ENOENT, TESELA_ERROR_IO, &PyExc_FileNotFoundError, "FileNotFoundIoError", nullptr},
    {EACCES, TESELA_ERROR_IO, &PyExc_PermissionError, "PermissionIoError", nullptr},
    {EPERM, TESELA_ERROR_IO, &PyExc_PermissionError, "PermissionIoError", nullptr},
    {ENOTDIR, TESELA_ERROR_IO, &PyExc_NotADirectoryError, "NotADirectoryIoError", nullptr},
    {EISDIR, TESELA_ERROR_PATH, &PyExc_IsADirectoryError, "IsADirectoryPathError", nullptr},
};

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

PyObject* make_class(nb::module_& module, const char* name, nb::handle first, nb::handle second,
                     const char* doc = nullptr) {
  const nb::tuple bases = nb::make_tuple(first, second);
  const std::string full_name = std::string("tesela._core.") + name;
  nb::object made = nb::steal(PyErr_NewExceptionWithDoc(full_name.c_str(), doc, bases.ptr(), nullptr));
  if (!made.is_valid()) nb::raise_python_error();
  module.attr(name) = made;
  return made.release().ptr();
}

void bind_class(nb::module_& module, nb::handle root, int status, const char* name) {
  classes[status] = make_class(module, name, root, builtin_base(status));
  const auto code = static_cast<tesela_status>(status);
  nb::handle(classes[status]).attr("status") = tesela_status_name(code);
  nb::handle(classes[status]).attr("exit_status") = tesela_status_exit_code(code);
}

// The words of C and of the command line, not "[Errno 2] ...: 'name'" around them.
PyObject* text_of(PyObject* self, PyObject*) {
  const nb::object text = nb::steal(PyObject_GetAttrString(self, "strerror"));
  if (text.is_valid() && PyUnicode_Check(text.ptr())) return nb::object(text).release().ptr();
  PyErr_Clear();
  return PyObject_CallMethod(PyExc_BaseException, "__str__", "O", self);
}
PyMethodDef text_method = {"__str__", text_of, METH_NOARGS, nullptr};

PyObject* system_class(tesela_status status, int error_number) {
  for (const SystemClass& row : system_classes)
    if (row.status == status && row.error_number == error_number) return row.made;
  return status == TESELA_ERROR_IO ? classes[status] : nullptr;
}

void bind_system_classes(nb::module_& module) {
  for (SystemClass& row : system_classes) {
    PyObject* const known = PyObject_GetAttrString(module.ptr(), row.name);
    if (known == nullptr) PyErr_Clear();
    // Python's first: what it takes and keeps is a name and a number, of which others know nothing.
    row.made = known ? known : make_class(module, row.name, *row.base, classes[row.status]);
    for (PyObject* type : {classes[TESELA_ERROR_IO], row.made}) {
      const nb::object method = nb::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type), &text_method));
      nb::handle(type).attr("__str__") = method;
    }
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::object root =
      nb::steal(PyErr_NewExceptionWithDoc("tesela._core.Error", "What every error of Tesela is.", nullptr, nullptr));
  if (!root.is_valid()) nb::raise_python_error();
  module.attr("Error") = root;
#define TESELA_BIND_CLASS(lower, upper, code, exit_code, python) bind_class(module, root, TESELA_##upper, python);
  TESELA_STATUS_TABLE(TESELA_BIND_CLASS)
#undef TESELA_BIND_CLASS
  argument_error = make_class(module, "ArgumentError", classes[TESELA_ERROR_USAGE], PyExc_TypeError,
                              "An argument of a wrong kind, or a parameter that is unknown or missing.");
  bind_system_classes(module);
}

void check(tesela_status status, const tesela_error& error) {
  if (status != TESELA_OK) fail(status, error.message);
}

void check_file(tesela_status status, const tesela_error& error, int error_number, const char* path) {
  if (status == TESELA_OK) return;
  PyObject* const type = error_number == 0 ? nullptr : system_class(status, error_number);
  if (type == nullptr) fail(status, error.message);
  // A model that can be read is not what was missing: a file that it names was.
  const auto is_own = [&] {
    const std::string quoted = "'" + std::string(path) + "'";
    return std::string_view(error.message).find(quoted) != std::string_view::npos || ::eaccess(path, R_OK) != 0;
  };
  const nb::object name =
      error_number == EISDIR || is_own() ? nb::module_::import_("os").attr("fsdecode")(nb::bytes(path)) : nb::none();
  PyErr_SetObject(type, nb::handle(type)(error_number, error.message, name).ptr());
  nb::raise_python_error();
}

void fail_argument(const char* message) {
  PyErr_SetString(argument_error, message);
  nb::raise_python_error();
}

void fail(tesela_status status, const char* message) {
  const bool known = status > 0 && status < kStatuses && classes[status] != nullptr;
  PyErr_SetString(known ? classes[status] : PyExc_RuntimeError, message);
  nb::raise_python_error();
}

}  // namespace tesela_python
