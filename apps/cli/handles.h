// The handles of the C interface, given back when they go out of scope.
#pragma once

#include <memory>
#include <string_view>

#include "failure.h"

namespace tesela::cli {

template <auto destroy>
struct Destroy {
  template <class Raw>
  void operator()(Raw* raw) const {
    destroy(raw);
  }
};

using Value = std::unique_ptr<tesela_value, Destroy<tesela_value_destroy>>;
using Blob = std::unique_ptr<tesela_blob, Destroy<tesela_blob_destroy>>;
using Op = std::unique_ptr<tesela_op, Destroy<tesela_op_destroy>>;
using Plan = std::unique_ptr<tesela_plan, Destroy<tesela_plan_destroy>>;
using Session = std::unique_ptr<tesela_session, Destroy<tesela_session_destroy>>;

/// A handle from a function that writes it before its error: make<Plan>(tesela_plan_create, op, ...).
template <class Handle, class Function, class... Arguments>
Handle make(Function function, Arguments... arguments) {
  typename Handle::pointer raw = nullptr;
  call(function, arguments..., &raw);
  return Handle(raw);
}

inline tesela_tensor view_of(const Value& value) {
  tesela_tensor view{};
  tesela_value_view(value.get(), &view);
  return view;
}

inline std::string_view text_of(const Blob& blob) {
  return {tesela_blob_data(blob.get()), tesela_blob_size(blob.get())};
}

}  // namespace tesela::cli
