// SPDX-License-Identifier: Apache-2.0
// Makes the operator and the plan of a case.
#include "digests/call.h"

#include <string>
#include <variant>

namespace tesela::digests {
namespace {

tesela_tensor view_of(const Values& values) {
  return {const_cast<std::byte*>(values.bytes.data()),
          static_cast<tesela_dtype>(values.type),
          static_cast<int32_t>(values.extents.size()),
          values.extents.data(),
          nullptr,
          0};
}

struct SetAttribute {
  tesela_op* op;
  const char* name;
  tesela_error* error;

  tesela_status operator()(int64_t value) const { return tesela_op_set_int(op, name, value, error); }
  tesela_status operator()(float value) const { return tesela_op_set_float(op, name, value, error); }
  tesela_status operator()(const std::string& value) const {
    return tesela_op_set_string(op, name, value.c_str(), error);
  }
  tesela_status operator()(const std::vector<int64_t>& list) const {
    return tesela_op_set_ints(op, name, list.data(), list.size(), error);
  }
  tesela_status operator()(const std::vector<float>& list) const {
    return tesela_op_set_floats(op, name, list.data(), list.size(), error);
  }
  tesela_status operator()(const Values& values) const {
    const tesela_tensor view = digests::view_of(values);
    return tesela_op_set_tensor(op, name, &view, error);
  }
};

constexpr uint64_t kMaxOutputBytes = uint64_t{8} << 20;

}  // namespace

tesela_status make_op(const Case& drawn, OpPtr& op, tesela_error* error) {
  tesela_op* made = nullptr;
  if (const tesela_status status =
          tesela_op_create(drawn.domain.c_str(), drawn.type.c_str(), drawn.opset, nullptr, &made, error))
    return status;
  op.reset(made);
  for (const Attribute& attribute : drawn.attributes)
    if (const tesela_status status = std::visit(SetAttribute{made, attribute.name.c_str(), error}, attribute.value))
      return status;
  return TESELA_OK;
}

tesela_status make_plan(const Case& drawn, const tesela_op* op, PlanPtr& plan, tesela_error* error) {
  std::vector<tesela_tensor> tensors;
  std::vector<const tesela_tensor*> inputs;
  tensors.reserve(drawn.controls.size() + 1);
  if (drawn.has_input()) {
    tensors.push_back({nullptr, static_cast<tesela_dtype>(drawn.dtype), static_cast<int32_t>(drawn.extents.size()),
                       drawn.extents.data(), nullptr, 0});
    inputs.push_back(&tensors.back());
  }
  for (const auto& control : drawn.controls) {
    inputs.push_back(nullptr);
    if (!control) continue;
    tensors.push_back(digests::view_of(*control));
    inputs.back() = &tensors.back();
  }
  tesela_limits limits = {};
  limits.struct_size = sizeof(limits);
  limits.max_output_bytes = kMaxOutputBytes;
  tesela_plan* made = nullptr;
  const tesela_status status = tesela_plan_create(op, inputs.size(), inputs.data(), &limits, &made, error);
  plan.reset(made);
  return status;
}

}  // namespace tesela::digests
