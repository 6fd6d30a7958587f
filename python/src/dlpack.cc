// SPDX-License-Identifier: Apache-2.0
// Tensors of other array libraries, without a copy, as NumPy arrays of plain integers and back.
#include <algorithm>
#include <vector>

#include <nanobind/ndarray.h>

#include "errors.h"
#include "module.h"

namespace nb = nanobind;

namespace tesela_python {
namespace {

using Code = nb::dlpack::dtype_code;

nb::dlpack::dtype plain_type(int bits) {
  const bool wide = bits > 64;  // complex128
  return {static_cast<uint8_t>(wide ? Code::Complex : Code::UInt), static_cast<uint8_t>(bits), 1};
}

// Elements of less than a byte are refused: whether they are packed is a flag that nanobind does not pass on.
bool is_known(tesela_dtype dtype) {
  return tesela_dtype_dlpack_code(dtype) >= 0 && tesela_dtype_bits(dtype) >= 8;
}

tesela_dtype find_type(nb::dlpack::dtype type) {
  const tesela_dtype dtype = type.lanes == 1 ? tesela_dtype_from_dlpack(type.code, type.bits) : 0;
  if (!is_known(dtype)) fail(TESELA_ERROR_TYPE, "a DLPack tensor has an element type that Tesela does not know");
  return dtype;
}

std::vector<size_t> shape_of(const nb::ndarray<>& array) {
  return {array.shape_ptr(), array.shape_ptr() + array.ndim()};
}

constexpr int kHostDevices[] = {1, 3, 11};  // the CPU, and memory of the CPU that CUDA or ROCm pinned

/// (dtype, NumPy array of unsigned integers over the tensor's memory).
template <class Array, class Tensor>
nb::tuple as_plain_array(const Tensor& tensor) {
  if (std::ranges::find(kHostDevices, tensor.device_type()) == std::end(kHostDevices))
    fail(TESELA_ERROR_UNSUPPORTED, "a DLPack tensor lies on another device; expected one in the CPU's memory");
  const tesela_dtype dtype = find_type(tensor.dtype());
  const nb::capsule owner(new Tensor(tensor), [](void* held) noexcept { delete static_cast<Tensor*>(held); });
  std::vector<size_t> shape(tensor.shape_ptr(), tensor.shape_ptr() + tensor.ndim());
  const Array plain(const_cast<void*>(static_cast<const void*>(tensor.data())), shape.size(), shape.data(), owner,
                    tensor.stride_ptr(), plain_type(tensor.dtype().bits));
  return nb::make_tuple(dtype, plain);
}

/// From a capsule, whose array is read-only where the capsule says that its memory is.
nb::tuple from_dlpack(nb::object capsule) {
  if (!PyCapsule_CheckExact(capsule.ptr())) fail(TESELA_ERROR_TYPE, "the result of __dlpack__ is not a capsule");
  nb::ndarray<> writable;
  if (nb::try_cast(capsule, writable, false)) return as_plain_array<nb::ndarray<nb::numpy>>(writable);
  nb::ndarray<nb::ro> tensor;
  if (!nb::try_cast(capsule, tensor, false)) fail(TESELA_ERROR_TYPE, "the capsule does not hold a DLPack tensor");
  return as_plain_array<nb::ndarray<nb::numpy, nb::ro>>(tensor);
}

/// An object with __dlpack__ over the memory of a NumPy array of unsigned integers.
nb::object to_dlpack(nb::ndarray<> array, tesela_dtype dtype) {
  if (!is_known(dtype)) fail(TESELA_ERROR_TYPE, "DLPack has no name for this element type");
  const nb::capsule owner(new nb::ndarray<>(array),
                          [](void* held) noexcept { delete static_cast<nb::ndarray<>*>(held); });
  const std::vector<size_t> shape = shape_of(array);
  const nb::dlpack::dtype type = {static_cast<uint8_t>(tesela_dtype_dlpack_code(dtype)),
                                  static_cast<uint8_t>(tesela_dtype_bits(dtype)), 1};
  return nb::cast(
      nb::ndarray<nb::array_api>(array.data(), shape.size(), shape.data(), owner, array.stride_ptr(), type));
}

}  // namespace

void bind_dlpack(nb::module_& module) {
  module.def("from_dlpack", &from_dlpack, nb::arg("capsule").none());
  module.def("to_dlpack", &to_dlpack, nb::arg("array"), nb::arg("dtype"));
}

}  // namespace tesela_python
