// SPDX-License-Identifier: Apache-2.0
// Owners of the C interface's handles, so that failing tests do not leak.
#pragma once

#include <memory>
#include <utility>

#include "tesela/tesela.h"

namespace tesela::testing {

struct Destroy {
  void operator()(tesela_op* handle) const { tesela_op_destroy(handle); }
  void operator()(tesela_plan* handle) const { tesela_plan_destroy(handle); }
  void operator()(tesela_value* handle) const { tesela_value_destroy(handle); }
  void operator()(tesela_blob* handle) const { tesela_blob_destroy(handle); }
  void operator()(tesela_inferred* handle) const { tesela_inferred_destroy(handle); }
  void operator()(tesela_axis_table* handle) const { tesela_axis_table_destroy(handle); }
  void operator()(tesela_model* handle) const { tesela_model_destroy(handle); }
  void operator()(tesela_session* handle) const { tesela_session_destroy(handle); }
};

template <class T>
using Handle = std::unique_ptr<T, Destroy>;

/// A handle that C functions write to and read as they do in C.
template <class T>
struct Owned {
  T* handle = nullptr;
  Owned() = default;
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { Destroy()(handle); }
  T** operator&() { return &handle; }  // NOLINT: for output parameters
  operator T*() const { return handle; }
};
using OwnedOp = Owned<tesela_op>;
using OwnedPlan = Owned<tesela_plan>;
using OwnedValue = Owned<tesela_value>;
using OwnedBlob = Owned<tesela_blob>;
using OwnedInferred = Owned<tesela_inferred>;
using OwnedTable = Owned<tesela_axis_table>;

}  // namespace tesela::testing
