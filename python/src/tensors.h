// SPDX-License-Identifier: Apache-2.0
// Python's buffers and lists as Tesela's tensors.
#pragma once

#include <nanobind/nanobind.h>
#include <tesela/tesela.h>

#include <vector>

namespace tesela_python {

namespace nb = nanobind;

using Extents = std::vector<int64_t>;

Extents read_extents(nb::handle sequence);
/// A whole number of at least 0. Raises ArgumentError and InvalidValueError, which say where and which parameter.
int64_t read_count(const char* where, const char* name, nb::handle number);
nb::tuple make_tuple(const int64_t* extents, size_t rank);

/// A tensor over memory that Python owns, which is held while this lives.
class Tensor {
 public:
  /// Any object with the buffer protocol; its own item format is not looked at, only the item's size.
  /// Packed types come as dense bytes, with their extents. extents nullptr: the buffer's own.
  Tensor(nb::handle buffer, tesela_dtype dtype, bool writable, const Extents* extents);
  /// (dtype, None, extents): a type and a shape; (dtype, list of bytes, extents): strings;
  /// (dtype, buffer) or (dtype, buffer, extents): as above.
  explicit Tensor(nb::tuple described);
  /// Nothing yet, for try_borrow.
  Tensor() = default;
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  /// The buffer with its own extents and no dtype; false with an exception set where the object has none.
  bool try_borrow(nb::handle buffer, bool writable);

  const tesela_tensor* get() const { return &view_; }

 private:
  void borrow(nb::handle buffer, bool writable, const Extents* extents);
  void borrow_strings(nb::list strings);

  Py_buffer buffer_ = {};
  Extents extents_;
  std::vector<tesela_string> strings_;
  tesela_tensor view_ = {};
};

}  // namespace tesela_python
