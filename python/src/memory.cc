// SPDX-License-Identifier: Apache-2.0
// tesela._core.Memory: memory of a large array, which the library keeps for the next one when the array is gone. Fresh
// memory would cost a call more than its work.
#include "memory.h"

#include <memory>
#include <string>

#include "errors.h"
#include "module.h"
#include "tensors.h"

namespace nb = nanobind;

namespace tesela_python {
namespace {

struct DestroyValue {
  void operator()(tesela_value* value) const { tesela_value_destroy(value); }
};

class Memory {
 public:
  explicit Memory(size_t bytes) {
    const auto extent = static_cast<int64_t>(bytes);
    tesela_error error = {};
    tesela_value* made = nullptr;
    const tesela_status status = tesela_value_create(TESELA_UINT8, 1, &extent, nullptr, &made, &error);
    if (status == TESELA_ERROR_NO_MEMORY)
      fail(status, ("out of memory: " + std::to_string(bytes) + " bytes of a result").c_str());
    check(status, error);
    value_.reset(made);
  }

  int view(PyObject* self, Py_buffer* view, int flags) const {
    tesela_tensor tensor = {};
    tesela_value_view(value_.get(), &tensor);
    return PyBuffer_FillInfo(view, self, tensor.data, static_cast<Py_ssize_t>(tensor.extents[0]), 0, flags);
  }

 private:
  std::unique_ptr<tesela_value, DestroyValue> value_;
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
  return nb::inst_ptr<Memory>(self)->view(self, view, flags);
}

uint64_t trim_memory(nb::handle keep_bytes) {
  return tesela_trim_memory(static_cast<uint64_t>(read_count("trim_memory", "keep_bytes", keep_bytes)));
}

PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)}, {0, nullptr}};

}  // namespace

nb::object make_memory(size_t bytes) {
  return nb::cast(new Memory(bytes), nb::rv_policy::take_ownership);
}

void bind_memory(nb::module_& module) {
  nb::class_<Memory>(module, "Memory", nb::type_slots(slots), "Memory of an array, of undefined contents.")
      .def(nb::init<size_t>(), nb::arg("bytes"));
  module.attr("POOLED_BYTES") = kPooledBytes;
  module.def(
      "trim_memory", &trim_memory, nb::arg("keep_bytes").none() = 0,
      nb::sig("def trim_memory(keep_bytes: int = 0) -> int"),
      "Gives back to the system what is kept of large arrays' memory beyond keep_bytes; returns what is kept then.");
}

}  // namespace tesela_python
