// SPDX-License-Identifier: Apache-2.0
// Python's buffers and lists as Tesela's tensors.
#include "tensors.h"

#include "errors.h"

namespace tesela_python {

Extents read_extents(nb::handle sequence) {
  Extents extents;
  try {
    for (nb::handle entry : sequence) extents.push_back(nb::cast<int64_t>(entry));
  } catch (const nb::cast_error&) {
    fail_argument("a list of extents holds something else; expected whole numbers");
  }
  return extents;
}

int64_t read_count(const char* where, const char* name, nb::handle number) {
  const nb::module_ parameters = nb::module_::import_("tesela._parameters");
  return nb::cast<int64_t>(parameters.attr("whole")(where, name, number, 0, INT64_MAX));
}

nb::tuple make_tuple(const int64_t* extents, size_t rank) {
  nb::list list;
  for (size_t i = 0; i < rank; ++i) list.append(extents[i]);
  return nb::tuple(list);
}

Tensor::Tensor(nb::handle buffer, tesela_dtype dtype, bool writable, const Extents* extents) {
  view_.dtype = dtype;
  borrow(buffer, writable, extents);
}

Tensor::Tensor(nb::tuple described) {
  view_.dtype = nb::cast<tesela_dtype>(described[0]);
  const nb::object data = described[1];
  if (described.size() > 2) extents_ = read_extents(described[2]);
  const Extents given = extents_;
  view_.rank = static_cast<int32_t>(extents_.size());
  view_.extents = extents_.data();
  if (data.is_none()) return;
  if (view_.dtype == TESELA_STRING)
    borrow_strings(nb::cast<nb::list>(data));
  else
    borrow(data, false, described.size() > 2 ? &given : nullptr);
}

Tensor::~Tensor() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

bool Tensor::try_borrow(nb::handle buffer, bool writable) {
  const int flags = PyBUF_STRIDES | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(buffer.ptr(), &buffer_, flags) != 0) return false;
  view_.data = buffer_.buf;
  // Allocations are what a small call pays for, so nothing is copied.
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t));
  view_.extents = reinterpret_cast<const int64_t*>(buffer_.shape);
  view_.strides = reinterpret_cast<const int64_t*>(buffer_.strides);
  view_.rank = buffer_.ndim;
  return true;
}

void Tensor::borrow(nb::handle buffer, bool writable, const Extents* extents) {
  if (!try_borrow(buffer, writable)) nb::raise_python_error();
  if (extents == nullptr) return;
  extents_ = *extents;
  view_.extents = extents_.data();
  view_.strides = nullptr;
  view_.rank = static_cast<int32_t>(extents_.size());
}

void Tensor::borrow_strings(nb::list strings) {
  for (nb::handle item : strings) {
    char* bytes = nullptr;
    Py_ssize_t length = 0;
    if (PyBytes_AsStringAndSize(item.ptr(), &bytes, &length) != 0) nb::raise_python_error();
    strings_.push_back({bytes, static_cast<uint64_t>(length)});
  }
  int64_t expected = 1;
  for (const int64_t extent : extents_) expected *= extent;
  if (static_cast<int64_t>(strings_.size()) != expected)
    fail(TESELA_ERROR_COUNT, "a list of strings does not have as many entries as its shape says");
  view_.data = strings_.data();
}

}  // namespace tesela_python
