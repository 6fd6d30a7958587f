// SPDX-License-Identifier: Apache-2.0
// The C interface: operators and shape inference.
#include "api/boundary.h"
#include "api/op_handles.h"
#include "api/read_inputs.h"
#include "plan/fields.h"

using namespace tesela;
using namespace tesela::api;

struct tesela_inferred {
  TensorInfo info;
  std::vector<tesela_dim> dims;
};

namespace {

Status set_attribute(tesela_op* op, const char* name, AttributeKind kind, AttributeValue value) {
  if (op == nullptr || name == nullptr) return usage_error("tesela_op_set: an argument is NULL");
  if (op->desc.find(name) != nullptr)
    return attribute_error("attribute {} is given twice", in_quotes(name)).with_prefix(op->desc.where());
  op->key.add(name, value);
  op->desc.attributes.push_back({name, kind, std::move(value)});
  return {};
}

}  // namespace

extern "C" {

/* ---- Operators ------------------------------------------------------------------------------------------------- */

tesela_status tesela_op_create(const char* domain, const char* type, int64_t opset, const char* node, tesela_op** op,
                               tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (domain == nullptr || type == nullptr || op == nullptr)
      return usage_error("tesela_op_create: an argument is NULL");
    TESELA_ASSIGN_OR_RETURN(const OpSchema* schema, find_schema(domain, type, opset));
    auto made = std::make_unique<tesela_op>(tesela_op{{schema, node ? node : "", {}}});
    made->key.add(reinterpret_cast<uintptr_t>(schema));
    *op = made.release();
    return {};
  });
}

tesela_status tesela_op_set_int(tesela_op* op, const char* name, int64_t value, tesela_error* error) {
  return guard(error, [&] { return set_attribute(op, name, AttributeKind::kInt, value); });
}

tesela_status tesela_op_set_float(tesela_op* op, const char* name, float value, tesela_error* error) {
  return guard(error, [&] { return set_attribute(op, name, AttributeKind::kFloat, value); });
}

tesela_status tesela_op_set_string(tesela_op* op, const char* name, const char* value, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (value == nullptr) return usage_error("tesela_op_set_string: value is NULL");
    if (op != nullptr && name != nullptr && std::string_view(name).starts_with(kFieldPrefix)) {
      const Status set = set_field(op->fields, name + kFieldPrefix.size(), value);
      op->desc.extents = op->fields.extents;
      op->key.add(name, std::string(value));
      return set.ok() ? set : set.with_prefix(op->desc.where());
    }
    return set_attribute(op, name, AttributeKind::kString, std::string(value));
  });
}

tesela_status tesela_op_set_ints(tesela_op* op, const char* name, const int64_t* values, size_t count,
                                 tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (values == nullptr && count > 0) return usage_error("tesela_op_set_ints: values is NULL");
    TESELA_RETURN_IF_ERROR(check_count("tesela_op_set_ints: count", count, sizeof *values));
    return set_attribute(op, name, AttributeKind::kInts, std::vector<int64_t>(values, values + count));
  });
}

tesela_status tesela_op_set_floats(tesela_op* op, const char* name, const float* values, size_t count,
                                   tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (values == nullptr && count > 0) return usage_error("tesela_op_set_floats: values is NULL");
    TESELA_RETURN_IF_ERROR(check_count("tesela_op_set_floats: count", count, sizeof *values));
    return set_attribute(op, name, AttributeKind::kFloats, std::vector<float>(values, values + count));
  });
}

tesela_status tesela_op_set_tensor(tesela_op* op, const char* name, const tesela_tensor* value, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (value == nullptr) return usage_error("tesela_op_set_tensor: value is NULL");
    TESELA_ASSIGN_OR_RETURN(const TensorView view, read_tensor_view(*value, true));
    TESELA_ASSIGN_OR_RETURN(Tensor copy, Tensor::copy_of(view));
    return set_attribute(op, name, AttributeKind::kTensor, std::move(copy));
  });
}

int64_t tesela_op_since_version(const tesela_op* op) {
  return op == nullptr ? 0 : op->desc.schema->since_version;
}

void tesela_op_destroy(tesela_op* op) {
  delete op;
}

/* ---- Shape inference ------------------------------------------------------------------------------------------- */

tesela_status tesela_op_infer(const tesela_op* op, size_t count, const tesela_tensor_info* const* inputs,
                              tesela_inferred** inferred, tesela_error* error) {
  return guard(error, [&]() -> Status {
    TESELA_RETURN_IF_ERROR(check_inputs(op, count, inputs));
    if (inferred == nullptr) return usage_error("tesela_op_infer: inferred is NULL");
    InputInfos infos(count);
    for (size_t i = 0; i < count; ++i) {
      if (inputs[i] == nullptr) {
        infos.omit();
      } else {
        TESELA_ASSIGN_OR_RETURN(infos.add(), read_info(*inputs[i]));
      }
    }
    TESELA_ASSIGN_OR_RETURN(TensorInfo info, infer_checked(op->desc, infos.get()));
    auto result = std::make_unique<tesela_inferred>(tesela_inferred{std::move(info), {}});
    if (result->info.dims)
      for (const Dim& dim : *result->info.dims) result->dims.push_back({dim.value, dim.symbol.c_str()});
    *inferred = result.release();
    return {};
  });
}

void tesela_inferred_info(const tesela_inferred* inferred, tesela_tensor_info* info) {
  if (inferred == nullptr) return;
  tesela_tensor_info c_info = {};
  c_info.struct_size = sizeof c_info;
  c_info.dtype = static_cast<tesela_dtype>(inferred->info.type);
  c_info.rank = inferred->info.dims ? static_cast<int32_t>(inferred->dims.size()) : -1;
  c_info.dims = inferred->dims.data();
  write_struct(c_info, info);
}

void tesela_inferred_destroy(tesela_inferred* inferred) {
  delete inferred;
}

}  // extern "C"
