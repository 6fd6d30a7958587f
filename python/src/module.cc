// SPDX-License-Identifier: Apache-2.0
// tesela._core: the C interface for the Python package, which knows NumPy and the names.
#include "module.h"

#include <nanobind/stl/string.h>

#include "errors.h"

namespace nb = nanobind;

NB_MODULE(_core, module) {
  using namespace tesela_python;
  // What lives when the interpreter ends belongs to others: arrays of other libraries hold memory of ours.
  nb::set_leak_warnings(false);
  module.doc() = "The C interface of Tesela.";
  module.def("version", &tesela_version);
  module.def(
      "dtype_from_name", [](const std::string& name) { return tesela_dtype_from_name(name.c_str()); }, nb::arg("name"),
      "The code of the type with this ONNX, NumPy or OpenVINO name, or 0.");
  module.def("dtype_name", &tesela_dtype_name, nb::arg("dtype"), "ONNX's name of a type, or None.");
  module.def("dtype_numpy_name", &tesela_dtype_numpy_name, nb::arg("dtype"),
             "NumPy's or ml_dtypes' name of a type, or None.");
  module.def("dtype_bits", &tesela_dtype_bits, nb::arg("dtype"), "Bits of one element.");
  module.def(
      "ops",
      [](bool json) {
        tesela_error error = {};
        tesela_blob* blob = nullptr;
        check(tesela_ops(json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, &error), error);
        return take_text(blob);
      },
      nb::arg("json"), "The operators, versions, types and attributes.");
  module.def(
      "doctor",
      [](bool json) {
        tesela_error error = {};
        tesela_blob* blob = nullptr;
        check(tesela_doctor(json ? TESELA_TEXT_JSON : TESELA_TEXT_PLAIN, &blob, nullptr, &error), error);
        return take_text(blob);
      },
      nb::arg("json"), "What the library is and what it found.");
  bind_errors(module);
  bind_operators(module);
  bind_plan(module);
  bind_passes(module);
  bind_images(module);
  bind_plan_cache(module);
  bind_memory(module);
  bind_model(module);
  bind_dlpack(module);
}
